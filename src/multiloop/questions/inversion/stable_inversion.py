"""The bounded motion of links that bend while their outputs are led: from a quasi-static guess by Newton's method.

The motion begins before the outputs do and ends after them: what would run away later is settled by efforts beforehand.
Collocation turns the internal dynamics into passages from node to node, and conditions at both far ends choose among
all motions; intervals are split until the equations are met between the points as well.

Source: [devasia_chen_paden], stable inversion; [bayo_arm], torques before the motion; [ascher_mattheij_russell].
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from multiloop.questions.inversion.boundary_values import periodic_changes, settled_changes
from multiloop.questions.inversion.collocation import gauss, passages
from multiloop.questions.inversion.course_of_bending import BendingCourse, Change, first_nodes, parts_for
from multiloop.questions.inversion.internal_dynamics import Slopes
from multiloop.questions.inversion.led_motion import Instants
from multiloop.questions.inversion.quasi_static import LIMIT, MET, LedLinks

ROUND_OFF = 1e-7
"""What round-off may leave of the forces that act, beside links that are stiff."""

DEFECT = 1e-7
"""What may be left of them between the points."""

TOLERABLE = 1e-3
"""… and what must not be, where it does not fall."""

PARTS, MOST = 40, 20_000
"""Intervals of the motion to begin with, and at most."""

ROUNDS, PATIENCE, HALVINGS = 12, 3, 6
"""Meshes, how many of them may be no better, and how often a step may be halved."""

BETWEEN = np.array([0.01, 0.27, 0.99])
"""Places within an interval where the equations are looked at."""


@dataclass(frozen=True, eq=False)
class StableInversion(LedLinks):
    """One motion to be led, from its quasi-static bending.

    `before` and `after` are the times given to settle, None where they are to be found. A `cycle` has neither and
    repeats itself.
    """

    before: float | None = None
    after: float | None = None
    cycle: bool = False
    told: Callable[[float], None] = field(default=lambda part: None)

    def solve(self) -> BendingCourse:
        """The bounded motion, over the time that it takes to settle.

        Where shorter intervals do not meet the equations better, since links vibrate faster than can be followed, it is
        the best that was found, if it is good enough. Shapes that all follow from the loops need no settling.
        """
        if not len(self.dynamics.S):
            return self._guessed(first_nodes(self.corners, 0.0, 0.0, PARTS))
        before, after = (0.0, 0.0) if self.cycle else self.settling(self.before, self.after)
        course = self._guessed(first_nodes(self.corners, before, after, PARTS))
        best, stalled = replace(course, defect=np.inf), 0
        for count in range(ROUNDS):
            course, size = self._newton(course)
            left = self._defects(course) / size
            self._tell(count + 1, left)
            stalled = stalled + 1 if left.max() > best.defect / 2 else 0
            if left.max() < best.defect:
                best = replace(course, defect=float(left.max()))
            parts = parts_for(left, DEFECT, len(course.rule.c))
            if parts.max() == 1 or stalled == PATIENCE or parts.sum() > MOST:
                break
            course = course.split(parts)
        if best.defect <= TOLERABLE:
            return best
        worst = int(np.argmax(left))
        what = (
            f"a part {left[worst]:.1e} of the forces is not met at t = {course.nodes[worst]:.6g} s, "
            f"with {len(left)} intervals of time."
        )
        raise self.failed(what, float(course.nodes[worst]))

    def _tell(self, count: int, left: np.ndarray) -> None:
        """How far it is: meshes done, and orders of magnitude to go."""
        self.told(min(0.99, count / (count + np.log10(max(left.max() / DEFECT, 1.0)))))

    def _guessed(self, nodes: np.ndarray) -> BendingCourse:
        """Links bent quasi-statically."""
        rule, (_, zeta) = gauss(), self.quasi_static(nodes)
        w = np.zeros((len(nodes) - 1, len(rule.c), zeta.shape[1]))
        return BendingCourse(rule, nodes, np.hstack([zeta, 0 * zeta]), w)

    def _newton(self, course: BendingCourse) -> tuple[BendingCourse, float]:
        """The motion on the nodes of a course, and the size of the forces that act."""
        at, size, before = self.at_rest(course.times), 1e-300, np.inf
        for _ in range(LIMIT):
            zeta, u, w = course.points
            at, found = self.dynamics.slopes(self.close_loops(at, zeta), u, w)
            size = max(size, float(np.abs(found.K @ zeta[:, :, None]).max(initial=0.0)))
            left = np.abs(found.g).max(axis=1)
            worst, joined = float(left.max()), course.gap <= MET
            met = worst <= MET * size or (before / 2 < worst <= ROUND_OFF * size)  # no step makes it better
            if joined and met:
                return course, size
            before = worst
            course = self._shortened(course, self._step(course, found), at, worst)
        t = float(course.times[np.argmax(left)])
        what = f"Newton's method does not converge: a part {worst / size:.1e} of the forces is left at t = {t:.6g} s."
        raise self.failed(what, t)

    def _step(self, course: BendingCourse, found: Slopes) -> Change:
        """Newton's step in all nodes and points."""
        passage = passages(course.h, found, course.rule)
        d = passage.d + course.ahead - course.z[1:]
        try:
            if self.cycle:
                nodes = periodic_changes(passage.A, d, course.z[0] - course.z[-1])
            else:
                missing = self.rest - course.z[[0, -1]]
                nodes = settled_changes(passage.A, d, missing, self.conditions)
        except RuntimeError:  # exactly singular
            nodes = np.full_like(course.z, np.nan)
        if not np.isfinite(nodes).all():
            raise self.failed("the motion of the links is not determined by what is prescribed.", None)
        return Change(nodes, passage.P + (passage.Q @ nodes[:-1, None, :, None])[..., 0])

    def _shortened(self, course: BendingCourse, step: Change, at: Instants, left: float) -> BendingCourse:
        """After the step, halved as long as it leaves more than before; the first joins the nodes and is whole."""
        part, joins = 1.0, course.gap > MET
        for _ in range(HALVINGS):
            other = course.changed(step, part)
            zeta, u, w = other.points
            there, gap = self.dynamics.close_loops(at, zeta)
            if gap.max() <= self.dynamics.equations.skeleton.closed:
                _, g = self.dynamics.residuals(there, u, w)
                if joins or np.abs(g).max() <= left:
                    break
            part /= 2
        return other

    def _defects(self, course: BendingCourse) -> np.ndarray:
        """What the equations of motion leave between the points, the largest of every interval."""
        zeta, u, w = course.within(BETWEEN)
        times = (course.nodes[:-1, None] + course.h[:, None] * BETWEEN).ravel()
        at = self.close_loops(self.at_rest(times), zeta)
        at, _ = self.dynamics.residuals(at, u, w)
        _, g = self.dynamics.residuals(at, u, w)  # once more, where loads follow reactions
        return np.asarray(np.abs(g).max(axis=1).reshape(-1, len(BETWEEN)).max(axis=1))
