"""A strut over time: how long it is and what it pushes, with pressure and flow where it has a bore."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from math import pi

import numpy as np

from multiloop.model import Mechanism, Strut
from multiloop.model.expressions import evaluate
from multiloop.model.markers import value_of
from multiloop.questions.answers.joint_history import JointHistory

WITHIN = 1e-9
"""A strut may be longer or shorter than it can be by this part of its length, which is round-off."""


@dataclass(frozen=True, eq=False, repr=False)
class StrutHistory(JointHistory):
    """The slide of a strut: `position` is its length, `effort` pushes it apart where it is positive.

    Oil under `pressure` (Pa) acts on the bore where it pushes and on the ring around the shaft where it pulls:

        p = F / A,   A = π D²/4  or  π (D² − d²)/4

    `flow` (m³/s) is what it takes in: of the bore while it grows longer, of the ring while it grows shorter.
    """

    bore: float | None = None
    shaft: float = 0.0

    @property
    def pressure(self) -> np.ndarray:
        """Of the side that pushes or pulls, above that of the other side."""
        found: np.ndarray = np.abs(self.effort) / np.where(self.effort >= 0, *self._areas)
        return found

    @property
    def flow(self) -> np.ndarray:
        """Oil that it takes in."""
        found: np.ndarray = np.abs(self.rate) * np.where(self.rate >= 0, *self._areas)
        return found

    @property
    def _areas(self) -> tuple[float, float]:
        """Of the bore, and of the ring around the shaft."""
        if self.bore is None:
            raise AttributeError(
                f"strut '{self.name}' has no bore. Give bore= and shaft= for pressures and flows."
            )
        return pi * self.bore**2 / 4, pi * (self.bore**2 - self.shaft**2) / 4


def joint_histories(
    mechanism: Mechanism, values: Mapping[str, float]
) -> Mapping[str, Callable[..., JointHistory]]:
    """What makes the history of every joint that has one of a kind of its own, for given values of the parameters."""
    return {
        strut.name: partial(
            StrutHistory,
            bore=None if strut.bore is None else float(evaluate(strut.bore, parameters=values)),
            shaft=float(evaluate(strut.shaft, parameters=values)),
        )
        for strut in _struts(mechanism)
    }


def beyond_strokes(mechanism: Mechanism, joints: Mapping[str, JointHistory]) -> Iterator[str]:
    """What is said of struts that are longer or shorter than they can be."""
    for strut in _struts(mechanism):
        short, long = (value_of(end) or 0.0 for end in strut.length)
        least, most = float(joints[strut.name].position.min()), float(joints[strut.name].position.max())
        if most > long * (1 + WITHIN):
            yield f"strut '{strut.name}' is up to {most:.6g} m long, {long:g} m is the most it can be"
        if least < short * (1 - WITHIN):
            yield f"strut '{strut.name}' is as short as {least:.6g} m, {short:g} m is the least it can be"


def _struts(mechanism: Mechanism) -> list[Strut]:
    return [one for one in mechanism.composites if isinstance(one, Strut)]
