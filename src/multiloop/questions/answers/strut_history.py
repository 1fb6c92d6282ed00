"""Time history of a strut: length and force, and pressure and flow if it has a bore."""

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
"""Relative tolerance for the length of a strut beyond its stroke."""


@dataclass(frozen=True, eq=False, repr=False)
class StrutHistory(JointHistory):
    """The slide of a strut: `position` is its length, a positive `effort` extends it.

    The `pressure` (Pa) acts on the bore area where the strut pushes and on the annular area around the shaft where it
    pulls:

        p = F / A,   A = π D²/4  or  π (D² − d²)/4

    `flow` (m³/s) is the flow into the strut: into the bore side while it extends, into the annular side while it
    retracts.
    """

    bore: float | None = None
    shaft: float = 0.0

    @property
    def pressure(self) -> np.ndarray:
        """Pressure of the pushing or pulling side relative to the other side."""
        found: np.ndarray = np.abs(self.effort) / np.where(self.effort >= 0, *self._areas)
        return found

    @property
    def flow(self) -> np.ndarray:
        """Flow into the strut."""
        found: np.ndarray = np.abs(self.rate) * np.where(self.rate >= 0, *self._areas)
        return found

    @property
    def _areas(self) -> tuple[float, float]:
        """Bore area and annular area."""
        if self.bore is None:
            raise AttributeError(
                f"strut '{self.name}' has no bore. Give bore= and shaft= for pressures and flows."
            )
        return pi * self.bore**2 / 4, pi * (self.bore**2 - self.shaft**2) / 4


def joint_histories(
    mechanism: Mechanism, values: Mapping[str, float]
) -> Mapping[str, Callable[..., JointHistory]]:
    """Constructors of the histories of joints with a type of history besides JointHistory, for given parameter
    values.
    """
    return {
        strut.name: partial(
            StrutHistory,
            bore=None if strut.bore is None else float(evaluate(strut.bore, parameters=values)),
            shaft=float(evaluate(strut.shaft, parameters=values)),
        )
        for strut in _struts(mechanism)
    }


def beyond_strokes(mechanism: Mechanism, joints: Mapping[str, JointHistory]) -> Iterator[str]:
    """Warnings for struts whose length is outside their stroke."""
    for strut in _struts(mechanism):
        short, long = (value_of(end) or 0.0 for end in strut.length)
        least, most = float(joints[strut.name].position.min()), float(joints[strut.name].position.max())
        if most > long * (1 + WITHIN):
            yield f"strut '{strut.name}' is up to {most:.6g} m long, {long:g} m is the most it can be"
        if least < short * (1 - WITHIN):
            yield f"strut '{strut.name}' is as short as {least:.6g} m, {short:g} m is the least it can be"


def _struts(mechanism: Mechanism) -> list[Strut]:
    return [one for one in mechanism.composites if isinstance(one, Strut)]
