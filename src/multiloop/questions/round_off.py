"""How much of what is told beside a singular position is round-off? The estimate, and how it is said.

An answer is worked out twice: at the position, and where loops open by round-off would have been closed
(`kinematics/round_off`). What differs is not known. Besides, a linear solve loses digits as its rows are near to
singular, ε / closeness.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from multiloop.kinematics.course import Course, Instant
from multiloop.kinematics.equations import Equations
from multiloop.kinematics.round_off import expected_changes, most_expected, motion_change
from multiloop.kinematics.singularity import NEAR
from multiloop.model import MultiloopError
from multiloop.questions.leading.driven import DrivenMotion

LOST = 1e-10
"""Part of an answer that may be round-off before it is said: six of sixteen digits."""

UNLOADED = 1e-3
"""Efforts smaller than this part of the reactions are balanced, and so are accelerations beside those that loads would
give to free links; they are compared with these."""


@dataclass(frozen=True)
class Doubt:
    """The part of an instant's numbers that round-off may change, and which numbers these are.

    It is infinite where nothing is determined.
    """

    time: float
    part: float
    what: str

    def __str__(self) -> str:
        if not np.isfinite(self.part):
            return f"at t = {self.time:.6g} s the position is singular to round-off: no force there is determined"
        return (
            f"beside a singular position, at t = {self.time:.6g} s, round-off of the lengths changes "
            f"{self.what} by a part {self.part:.1e}"
        )


def worst_said(doubts: Iterable[Doubt]) -> list[str]:
    """A line on the worst of all doubts where more than six digits are lost, else none."""
    worst = max(doubts, key=lambda doubt: doubt.part, default=None)
    return [] if worst is None or worst.part < LOST else [str(worst)]


@dataclass(frozen=True, eq=False)
class Told:
    """What is told of an instant: rates, accelerations, efforts along the rates, constraint wrenches (6 × joints).

    `pushed` are the accelerations that the constraints give to the tree, or take from what loads would give to it.
    """

    v: np.ndarray
    a: np.ndarray
    tau: np.ndarray
    wrenches: np.ndarray
    pushed: np.ndarray | float = 0.0

    def doubt(self, equations: Equations, t: float, other: Told, closeness: float) -> Doubt:
        """How far another answer, as good as this one, is from it."""
        least = UNLOADED * float(np.abs(self.pushed / equations.chart.scale).max(initial=0.0))
        change = motion_change(equations, self.v, self.a, other.v, other.a, least=least)
        parts = {"rates and accelerations": change}
        efforts, reactions = self._forces(equations)
        efforts_other, reactions_other = other._forces(equations)
        loaded = float(np.abs(reactions).max(initial=0.0))
        needed = max(float(np.abs(efforts).max(initial=0.0)), UNLOADED * loaded)
        parts["efforts"] = _part(efforts - efforts_other, needed)
        parts["reactions"] = _part(reactions - reactions_other, loaded)
        what = max(parts, key=lambda name: parts[name])
        lost = equations.skeleton.round_off / closeness if closeness else np.inf
        return Doubt(t, max(parts[what], lost), what)

    def _forces(self, equations: Equations) -> tuple[np.ndarray, np.ndarray]:
        """Efforts and reactions as forces: moments are divided by the characteristic length."""
        length = equations.skeleton.length
        moments = np.array([[1 / length]] * 3 + [[1.0]] * 3)
        return self.tau * equations.chart.scale / length, moments * self.wrenches


def _part(difference: np.ndarray, size: float) -> float:
    return float(np.abs(difference).max(initial=0.0)) / size if size else 0.0


def driven_doubts(motion: DrivenMotion, course: Course) -> list[Doubt]:
    """Doubts of a driven motion beside singular positions, at the few instants where most is to be expected."""
    closeness = motion.watched(course)
    near = np.flatnonzero(closeness < NEAR)
    expected = expected_changes(motion.equations, closeness[near], course.v[near], course.a[near])
    return [_doubted(motion, course[k], float(closeness[k])) for k in near[most_expected(expected)].tolist()]


def _doubted(motion: DrivenMotion, at: Instant, closeness: float) -> Doubt:
    """What loops that are open by round-off change of an instant."""
    try:
        both = [(one, motion.solve(one)) for one in (at, motion.displaced(at))]
        found, as_good = (Told(one.v, loads.a, loads.tau, loads.wrenches) for one, loads in both)
    except MultiloopError:  # open by round-off, it would have been refused
        return Doubt(at.t, np.inf, "")
    return found.doubt(motion.equations, at.t, as_good, closeness)
