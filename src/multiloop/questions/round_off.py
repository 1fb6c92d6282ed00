"""Estimate of the digits that round-off costs near a singular configuration, and the warning that reports it.

Each instant is solved twice: at the computed position, and at a position at which the loops are open by round-off
(`kinematics/round_off`). The difference of the two solutions is the uncertainty. In addition a linear solve loses
digits in proportion to ε / closeness.
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
"""Relative uncertainty from which on it is reported: six of sixteen digits."""

UNLOADED = 1e-3
"""Efforts smaller than this part of the reactions are compared with the reactions instead.

Likewise accelerations are compared with those that the loads would give to the unconstrained links.
"""


@dataclass(frozen=True)
class Doubt:
    """The relative change of an instant's values by round-off, and the quantities concerned.

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
    """The warning for the largest of all estimates if more than six digits are lost, else an empty list."""
    worst = max(doubts, key=lambda doubt: doubt.part, default=None)
    return [] if worst is None or worst.part < LOST else [str(worst)]


@dataclass(frozen=True, eq=False)
class Told:
    """Solution at an instant: rates, accelerations, efforts along the rates, constraint wrenches (6 × joints).

    `pushed` are the accelerations that the constraint forces give to the tree.
    """

    v: np.ndarray
    a: np.ndarray
    tau: np.ndarray
    wrenches: np.ndarray
    pushed: np.ndarray | float = 0.0

    def doubt(self, equations: Equations, t: float, other: Told, closeness: float) -> Doubt:
        """The relative difference from another solution of the same accuracy."""
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
    """Round-off estimates of a driven motion near singular positions, at the few instants where the largest are
    expected.
    """
    closeness = motion.watched(course)
    near = np.flatnonzero(closeness < NEAR)
    expected = expected_changes(motion.equations, closeness[near], course.v[near], course.a[near])
    return [_doubted(motion, course[k], float(closeness[k])) for k in near[most_expected(expected)].tolist()]


def _doubted(motion: DrivenMotion, at: Instant, closeness: float) -> Doubt:
    """The relative change of an instant if its loops are open by round-off."""
    try:
        both = [(one, motion.solve(one)) for one in (at, motion.displaced(at))]
        found, as_good = (Told(one.v, loads.a, loads.tau, loads.wrenches) for one, loads in both)
    except MultiloopError:  # with loops open by round-off the instant is refused
        return Doubt(at.t, np.inf, "")
    return found.doubt(motion.equations, at.t, as_good, closeness)
