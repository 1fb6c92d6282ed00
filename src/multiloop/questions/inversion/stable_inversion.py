"""Bounded motion of flexible links along prescribed outputs, by Newton's method from the quasi-static deformation.

The motion begins before the outputs move and ends after them, so that unstable internal motions stay bounded.
Collocation turns the internal dynamics into linear maps from node to node, and conditions at both far ends
determine the solution; intervals are split until the equations are satisfied between the points as well.

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
"""Residual relative to the acting forces that round-off may leave with stiff links."""

DEFECT = 1e-7
"""Relative residual allowed between the points."""

TOLERABLE = 1e-3
"""Relative residual above which an error is raised if refinement does not reduce it."""

PARTS, MOST = 40, 20_000
"""Number of intervals of the motion at the beginning, and their largest number."""

ROUNDS, PATIENCE, HALVINGS = 12, 3, 6
"""Largest number of meshes, of meshes without improvement, and of halvings of a Newton step."""

BETWEEN = np.array([0.01, 0.27, 0.99])
"""Places within an interval at which the equations are verified."""


@dataclass(frozen=True, eq=False)
class StableInversion(LedLinks):
    """Boundary-value problem of one motion, started from its quasi-static deformation.

    `before` and `after` are given settling times, or None if they are computed. A `cycle` has neither and is periodic.
    """

    before: float | None = None
    after: float | None = None
    cycle: bool = False
    told: Callable[[float], None] = field(default=lambda part: None)

    def solve(self) -> BendingCourse:
        """The bounded motion, including the settling times.

        Where finer intervals do not reduce the residual, because links vibrate faster than can be resolved, it is the
        best motion found, if its residual is tolerable. No settling is needed if the loops determine all elastic
        coordinates.
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
        """Report progress: meshes done, and orders of magnitude of the residual to go."""
        self.told(min(0.99, count / (count + np.log10(max(left.max() / DEFECT, 1.0)))))

    def _guessed(self, nodes: np.ndarray) -> BendingCourse:
        """The quasi-static deformation at given nodes."""
        rule, (_, zeta) = gauss(), self.quasi_static(nodes)
        w = np.zeros((len(nodes) - 1, len(rule.c), zeta.shape[1]))
        return BendingCourse(rule, nodes, np.hstack([zeta, 0 * zeta]), w)

    def _newton(self, course: BendingCourse) -> tuple[BendingCourse, float]:
        """The motion on the nodes of a given one, and the size of the acting forces."""
        at, size, before = self.at_rest(course.times), 1e-300, np.inf
        for _ in range(LIMIT):
            zeta, u, w = course.points
            at, found = self.dynamics.slopes(self.close_loops(at, zeta), u, w)
            size = max(size, float(np.abs(found.K @ zeta[:, :, None]).max(initial=0.0)))
            left = np.abs(found.g).max(axis=1)
            worst, joined = float(left.max()), course.gap <= MET
            met = worst <= MET * size or (before / 2 < worst <= ROUND_OFF * size)  # limit of round-off
            if joined and met:
                return course, size
            before = worst
            course = self._shortened(course, self._step(course, found), at, worst)
        t = float(course.times[np.argmax(left)])
        what = f"Newton's method does not converge: a part {worst / size:.1e} of the forces is left at t = {t:.6g} s."
        raise self.failed(what, t)

    def _step(self, course: BendingCourse, found: Slopes) -> Change:
        """Newton step in all nodes and points."""
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
        """The motion after the step, halved as long as it increases the residual.

        The first step joins the nodes and is full.
        """
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
        """Residuals of the equations of motion between the points, the largest of every interval."""
        zeta, u, w = course.within(BETWEEN)
        times = (course.nodes[:-1, None] + course.h[:, None] * BETWEEN).ravel()
        at = self.close_loops(self.at_rest(times), zeta)
        at, _ = self.dynamics.residuals(at, u, w)
        _, g = self.dynamics.residuals(at, u, w)  # repeated for loads that depend on reactions
        return np.asarray(np.abs(g).max(axis=1).reshape(-1, len(BETWEEN)).max(axis=1))
