"""One mechanism released from rest in all programs: references, every setting once, and the fastest ones in
alternation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

import multiloop as ml
from benchmarks.peers.cases import Case
from benchmarks.peers.exudyn_motion import exudyn_motions
from benchmarks.peers.motions import TIMES, Motion, mujoco_motions, pinocchio_motions
from benchmarks.peers.opened import Opened
from benchmarks.peers.our_motion import our_motions, reference
from benchmarks.peers.pinocchio_peer import Pinocchio, Settings
from benchmarks.peers.rounds import pinned
from benchmarks.peers.states import Moment

ROUNDS = 15
LONG = 0.5
"""Seconds beyond which a run is not repeated as often."""

REPEATED, ENOUGH = 10, 0.03
"""Short runs are repeated up to so often, or until they took so many seconds."""

AGREED = 1e-8
"""Radians by which the two references may differ after 2 s."""


@dataclass(frozen=True, eq=False)
class Course:
    """A mechanism and its initial state."""

    case: Case

    @cached_property
    def mechanism(self) -> ml.Mechanism:
        """Without drives."""
        return self.case.build()

    @cached_property
    def opened(self) -> Opened:
        """The peers' tree."""
        return Opened(self.mechanism, self.case.openings[0])

    @cached_property
    def start(self) -> Moment:
        """The driven joints at their guessed positions, all rates zero."""
        guess = dict(self.mechanism.guess)
        state = ml.assemble(self.mechanism, {name: guess[name] for name in self.case.driven})
        positions, rates = (
            {name: np.array(x) for name, x in values.items()} for values in (state.positions, state.rates)
        )
        return Moment(positions, rates, {})

    @cached_property
    def exact(self) -> np.ndarray:
        """Angles of all links at TIMES, by multiloop at rtol 1e-13."""
        return reference(self.mechanism, self.opened, self.start, rtol=1e-13)[0]

    def references(self) -> dict[str, float]:
        """The difference of our reference and the independent one after 2 s; closure and drift at rtol 1e-10."""
        apart = float(np.abs(self.exact[0] - self._independent()[0]).max())
        if not apart < AGREED:
            raise ValueError(f"'{self.case.name}': the references are {apart:.1e} rad apart after 2 s")
        _, result = reference(self.mechanism, self.opened, self.start, rtol=1e-10)
        return {
            "apart": apart,
            "closure": float(np.max(result.constraint_violation)),
            "drift": result.energy_drift,
        }

    def _independent(self) -> np.ndarray:
        """Pinocchio's accelerations, integrated by SciPy's DOP853."""
        peer, n = Pinocchio(self.opened), len(self.opened.links)
        peer.use(Settings("constraintDynamics", 1e-10, 20, 1e-15))
        answer, state = np.zeros(n), np.zeros(3 * n)

        def rate(_: float, y: np.ndarray) -> np.ndarray:
            state[: 2 * n] = y
            peer.evaluate(state, answer)
            return np.concatenate([y[n:], answer])

        y = np.concatenate([self.opened.positions(self.start.positions), np.zeros(n)])
        found = solve_ivp(rate, (0.0, TIMES[0]), y, method="DOP853", rtol=1e-13, atol=1e-13)
        return self.opened.angles(found.y[:n, -1])[None]

    def runs(self) -> Iterator[dict[str, Any]]:
        """Every program with every setting; short runs are repeated, and the fastest repetition counts."""
        motions = chain(
            our_motions(self.mechanism, self.opened, self.start),
            pinocchio_motions(self.opened, self.start),
            mujoco_motions(self.opened, self.start),
            exudyn_motions(self.opened, self.start),
        )
        with pinned():
            for motion in motions:
                angles, seconds = motion.run()
                again = min(REPEATED, int(ENOUGH / max(seconds, 1e-6)))
                seconds = min([seconds, *(motion.run()[1] for _ in range(again))])
                errors = np.abs(angles - self.exact).max(axis=1)
                yield {
                    "tool": motion.tool,
                    "settings": motion.settings,
                    "effort": motion.effort,
                    "ms": 1e3 * seconds,
                    "error": float(errors[0]),
                    "error at the end": float(errors[1]),
                    "motion": motion,
                }


def timed_in_turn(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The given runs again, one after another in every round: medians and quartiles."""
    spent: list[list[float]] = [[] for _ in rows]
    with pinned():
        for turn in range(ROUNDS):
            for row, times in zip(rows, spent, strict=True):
                if turn < 3 or 1e-3 * row["ms"] < LONG:
                    times.append(1e3 * _turn(row["motion"], 1e-3 * row["ms"]))
    return [
        {key: value for key, value in row.items() if key != "motion"}
        | dict(zip(("low", "ms", "high"), map(float, np.percentile(times, [25, 50, 75])), strict=True))
        for row, times in zip(rows, spent, strict=True)
    ]


def _turn(motion: Motion, seconds: float) -> float:
    """Seconds of one run; short ones are run once before, as the loops of evaluations are, and then several times."""
    repeats = max(1, min(REPEATED, int(ENOUGH / seconds)))
    if repeats > 1:
        motion.run()
    return float(np.mean([motion.run()[1] for _ in range(repeats)]))
