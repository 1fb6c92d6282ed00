"""Result of `periodic`: one period of the motion, its speed fluctuation, and its stability."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from multiloop.model import Mechanism, UnknownNameError, suggestion
from multiloop.model.lazy_methods import opens
from multiloop.questions.answers.result import Result
from multiloop.questions.answers.state import State

UNIT = 1e-5
"""Floquet multipliers that exceed 1 by more than this are growth."""


@dataclass(frozen=True, eq=False)
class Periodic:
    """A periodic motion: `state` is its initial state, `result` one period of it, `period` its length in seconds.

    `multipliers` are the Floquet multipliers, the factors by which small deviations grow in one period. In a motion of
    free phase the multiplier 1 of a shift in time is not included. `stable` is True if none exceeds 1 in magnitude.
    `adjusted` is the adjusted parameter by name. `miss` is the difference between the states at begin and end, in
    radians, characteristic lengths and parts of the rates.
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
        """ "ok", or the warnings to read before its numbers are used: the status of `result`."""
        return self.result.status

    @property
    def stable(self) -> bool:
        """Whether small deviations from the motion do not grow."""
        return bool((np.abs(self.multipliers) <= 1 + UNIT).all())

    @property
    def mean_speed(self) -> float:
        """Mean rate of the rotating joint, rad/s."""
        self._require_turn()
        return 2 * np.pi * self.turns / self.period

    @property
    def fluctuation(self) -> float:
        """Coefficient of speed fluctuation (ω_max − ω_min) / ω_mean of the rotating joint, over all samples."""
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
