"""A motion that repeats itself, by name: one period of it, how even it is, and whether others tend to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from multiloop.model import Mechanism, UnknownNameError, suggestion
from multiloop.model.lazy_methods import opens
from multiloop.questions.answers.result import Result
from multiloop.questions.answers.state import State

UNIT = 1e-5
"""Multipliers above 1 by more than this are growth."""


@dataclass(frozen=True, eq=False)
class Periodic:
    """A periodic motion: `state` is where it begins, `result` one period of it, `period` its length in seconds.

    `multipliers` are Floquet's: by which small deviations have grown after a period. Where nothing sets the phase the
    multiplier 1 of a mere delay is not among them. `stable` says that none is above 1. `adjusted` has the parameter
    that was adjusted, by name. `miss` is what is left between begin and end, in radians, characteristic lengths and
    parts of the rates.
    """

    mechanism: Mechanism
    state: State
    result: Result
    period: float
    multipliers: np.ndarray
    miss: float
    turn: str = ""
    turns: int = 1
    adjusted: dict[str, float] | None = None

    draw = opens(
        "multiloop.view",
        "draw_equilibrium",
        "Draw the state in which it begins.\n\nKeywords: traces, path, axes.",
    )

    @property
    def status(self) -> str:
        """ "ok", or what is to be known before its numbers are used: that of `result`."""
        return self.result.status

    @property
    def stable(self) -> bool:
        """Whether motions beside it do not leave it."""
        return bool((np.abs(self.multipliers) <= 1 + UNIT).all())

    @property
    def mean_speed(self) -> float:
        """Mean rate of the joint that turns, rad/s."""
        self._require_turn()
        return 2 * np.pi * self.turns / self.period

    @property
    def fluctuation(self) -> float:
        """(ω_max − ω_min) / ω_mean of the joint that turns, over the instants of the result."""
        self._require_turn()
        rate = self.result[self.turn].rate
        return float((rate.max() - rate.min()) / abs(self.mean_speed))

    def _require_turn(self) -> None:
        if not self.turn:
            raise UnknownNameError(
                self.mechanism.name,
                "turn",
                "",
                suggestion("", [joint.name for joint in self.mechanism.joints]),
            )

    def __getitem__(self, joint: str) -> Any:
        return self.result[joint]

    def __repr__(self) -> str:
        kind = "stable" if self.stable else "unstable"
        even = (
            f", {self.turn} at {self.mean_speed:.6g} rad/s ± {50 * self.fluctuation:.3g} %"
            if self.turn
            else ""
        )
        largest = float(np.abs(self.multipliers).max(initial=0.0))
        found = "".join(f", {name} = {value:.9g}" for name, value in (self.adjusted or {}).items())
        return (
            f"Periodic motion of '{self.mechanism.name}': period {self.period:.9g} s{even}{found}; {kind}, "
            f"largest multiplier {largest:.4g}."
        )
