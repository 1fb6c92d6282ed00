"""The bounded motion of links that bend while their outputs are led: from a quasi-static guess by Newton's method.

The motion begins before the outputs do and ends after them: what would run away later is settled by efforts beforehand.
Collocation turns the internal dynamics into passages from node to node, and least energy at both far ends chooses among
all motions; intervals are split until the equations are met between the points as well.

Source: [devasia_chen_paden], stable inversion; [bayo], non-causal torques of a flexible arm; [ascher_mattheij_russell].
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from multiloop.kinematics.equations import equations_of
from multiloop.kinematics.path import follow
from multiloop.kinematics.sparse_matrices import la
from multiloop.kinematics.targets import Target, drive_targets
from multiloop.model import SolveError
from multiloop.questions.inversion.boundary_values import periodic_changes, settled_changes
from multiloop.questions.inversion.collocation import gauss, passages
from multiloop.questions.inversion.course_of_bending import BendingCourse, Change, first_nodes, parts_for
from multiloop.questions.inversion.internal_dynamics import InternalDynamics, Slopes
from multiloop.questions.inversion.led_motion import Instants
from multiloop.questions.refusal import refusal

MET = 1e-10
"""What Newton's method may leave, as a part of the forces that act."""

DEFECT = 1e-7
"""What may be left between the points."""

PARTS, MOST = 50, 20_000
"""Intervals of the motion to begin with, and at most."""

ROUNDS, LIMIT, HALVINGS = 12, 20, 6
"""Meshes, Newton steps on each, and how often one may be halved."""

SETTLED = np.log(1e10)
"""By which exponent what grows and decays at the far ends is settled there."""

PLAIN = 0.05
"""An eigenvalue whose real part is less than this part of it swings, rather than grows or decays."""

BETWEEN = np.array([0.02, 0.36, 0.98])
"""Places within an interval where the equations are looked at."""


@dataclass(frozen=True, eq=False)
class StableInversion:
    """One motion to be led: the internal dynamics, its corners in time, first and last where it begins and ends.

    `before` and `after` are the times given to settle, None where they are to be found. A `cycle` has neither and
    repeats itself.
    """

    dynamics: InternalDynamics
    corners: list[float]
    before: float | None = None
    after: float | None = None
    cycle: bool = False
    told: Callable[[float], None] = field(default=lambda part: None)

    # where it begins ------------------------------------------------------------------------------------

    @cached_property
    def _undeformed(self) -> tuple[np.ndarray, np.ndarray]:
        """Times along the motion, and positions with links that are straight, followed in one assembly mode."""
        eq, d = self.dynamics.equations, self.dynamics
        held = [
            (name, own) for name, own in eq.skeleton.coordinates.items() if name not in eq.skeleton.carrier
        ]
        targets = (*drive_targets(eq.skeleton.mechanism), *(Target(name, own.names) for name, own in held))
        led = equations_of(eq.skeleton.mechanism, eq.skeleton.tree, targets)
        straight = np.zeros(d.bending)

        def drive(t: float, order: int) -> np.ndarray:
            return np.concatenate([d.prescribed(np.array([t]))[order][0], straight])

        times = np.linspace(self.corners[0], self.corners[-1], 4 * PARTS + 1)
        course = follow(led, d.balance.plan.assembly.on(led), times.tolist(), drive, d.p)
        return times, course.q

    def begun(self, t: np.ndarray) -> Instants:
        """Instants at rest near where straight links would be."""
        times, q = self._undeformed
        return self.dynamics.begun(t, q[np.argmin(np.abs(times[None] - t[:, None]), axis=1)])

    def closed(self, at: Instants, zeta: np.ndarray) -> Instants:
        """Loops closed with links bent; where they cannot be, an error that says when."""
        at, gap = self.dynamics.closed(at, zeta)
        worst = int(np.argmax(np.where(np.isfinite(gap), gap, np.inf)))
        if not gap[worst] <= self.dynamics.equations.skeleton.closed:
            what = f"with its links bent, the loops stay open by {gap[worst]:.3g} at t = {at.t[worst]:.6g} s."
            raise self._failed(what, float(at.t[worst]))
        return at

    def quasi_static(self, t: np.ndarray) -> tuple[Instants, np.ndarray]:
        """How links would bend if the motion were slow to them: g(t, ζ, 0, 0) = 0."""
        at, zeta = self.begun(t), np.zeros((len(t), len(self.dynamics.S)))
        still, size = 0 * zeta, 0.0
        for _ in range(LIMIT):
            at = self.closed(at, zeta)
            at, found = self.dynamics.slopes(at, still, still)
            size = max(size, float(np.abs(found.g).max(initial=0.0)))
            step = -_solved(found.K, found.g)
            if not np.isfinite(step).all():
                raise self._failed("nothing balances the links quasi-statically.", None)
            zeta = zeta + step
            if np.abs(found.g).max(initial=0.0) <= MET * size:
                break
        return self.closed(at, zeta), zeta

    # the motion -----------------------------------------------------------------------------------------

    def solved(self) -> BendingCourse:
        """The bounded motion, over the time that it takes to settle."""
        course = self._first_guess()
        for count in range(ROUNDS):
            course, size = self._newton(course)
            defect = self._defects(course) / size
            self.told(min(0.99, (count + 1) / (count + 1 + np.log10(max(defect.max() / DEFECT, 1.0)))))
            parts = parts_for(defect, DEFECT, len(course.rule.c))
            if parts.max() == 1:
                return course
            if parts.sum() > MOST:
                break
            course = course.split(parts)
        worst = int(np.argmax(defect))
        what = (
            f"a part {defect[worst]:.1e} of the forces is not met at t = {course.nodes[worst]:.6g} s, "
            f"with {len(defect)} intervals of time."
        )
        raise self._failed(what, float(course.nodes[worst]))

    def _first_guess(self) -> BendingCourse:
        """Links bent quasi-statically, over the time that it takes to settle."""
        before, after = (0.0, 0.0) if self.cycle else self._settling
        nodes, rule = first_nodes(self.corners, before, after, PARTS), gauss()
        _, zeta = self.quasi_static(nodes)
        w = np.zeros((len(nodes) - 1, len(rule.c), zeta.shape[1]))
        return BendingCourse(rule, nodes, np.hstack([zeta, 0 * zeta]), w)

    @cached_property
    def _ends(self) -> tuple[Instants, Slopes, np.ndarray]:
        """The two ends at rest."""
        at, zeta = self.quasi_static(np.array([self.corners[0], self.corners[-1]]))
        at, slopes = self.dynamics.slopes(at, 0 * zeta, 0 * zeta)
        return at, slopes, np.hstack([zeta, 0 * zeta])

    @property
    def rest(self) -> np.ndarray:
        """z at rest at both ends."""
        return self._ends[2]

    @cached_property
    def _settling(self) -> tuple[float, float]:
        """Times to settle: those given, else by what grows slowest before, and decays slowest after."""
        lasting = []
        for k, (given, sign) in enumerate(((self.before, 1), (self.after, -1))):
            rates = eigenvalues(self._ends[1], k)
            plain = sign * rates.real[sign * rates.real > PLAIN * np.abs(rates)]
            own = float(SETTLED / plain.min()) if len(plain) else 0.0
            lasting.append(own if given is None else given)
        return lasting[0], lasting[1]

    @cached_property
    def weights(self) -> np.ndarray:
        """Twice the energy of a unit of every coordinate, and of its rate, at the beginning."""
        at, _, _ = self._ends
        K, inertia = self.dynamics.link_matrices(at.part(slice(0, 1)))
        return np.asarray(np.abs(np.concatenate([np.diag(K), np.diag(inertia)])))

    def _newton(self, course: BendingCourse) -> tuple[BendingCourse, float]:
        """The motion on its nodes, and the size of the forces that act."""
        at, size = self.begun(course.times), 1e-300
        for _ in range(LIMIT):
            zeta, u, w = course.within(course.rule.c)
            at, found = self.dynamics.slopes(self.closed(at, zeta), u, w)
            size = max(size, float(np.abs(found.K @ zeta[:, :, None]).max(initial=0.0)))
            left = np.abs(found.g).max(axis=1)
            if left.max() <= MET * size and course.gap <= MET:
                return course, size
            step = self._step(course, found)
            course = self._shortened(course, step, at, float(left.max()))
        worst = int(np.argmax(left))
        what = f"Newton's method does not converge: a part {left[worst] / size:.1e} of the forces is left"
        raise self._failed(f"{what} at t = {course.times[worst]:.6g} s.", float(course.times[worst]))

    def _step(self, course: BendingCourse, found: Slopes) -> Change:
        """Newton's step in all nodes and points."""
        passage = passages(course.h, found, course.rule)
        d = passage.d + course.ahead - course.z[1:]
        try:
            if self.cycle:
                nodes = periodic_changes(passage.A, d, course.z[0] - course.z[-1])
            else:
                missing = self.rest - course.z[[0, -1]]
                nodes = settled_changes(passage.A, d, (missing[0], missing[1]), self.weights)
        except RuntimeError:  # exactly singular
            nodes = np.full_like(course.z, np.nan)
        if not np.isfinite(nodes).all():
            raise self._failed("the motion of the links is not determined by what is prescribed.", None)
        return Change(nodes, passage.P + (passage.Q @ nodes[:-1, None, :, None])[..., 0])

    def _shortened(self, course: BendingCourse, step: Change, at: Instants, left: float) -> BendingCourse:
        """After the step, halved as long as it leaves more than before; the first joins the nodes and is whole."""
        part, joins = 1.0, course.gap > MET
        for _ in range(HALVINGS):
            other = course.changed(step, part)
            zeta, u, w = other.within(other.rule.c)
            there, gap = self.dynamics.closed(at, zeta)
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
        at = self.closed(self.begun(times), zeta)
        at, _ = self.dynamics.residuals(at, u, w)
        _, g = self.dynamics.residuals(at, u, w)
        return np.asarray(np.abs(g).max(axis=1).reshape(-1, len(BETWEEN)).max(axis=1))

    def _failed(self, what: str, t: float | None) -> SolveError:
        remedy = "Make the motion slower or smoother, the links stiffer, or take fewer shapes."
        mechanism = self.dynamics.balance.mechanism
        return refusal(mechanism, "S16", "stable inversion", what, remedy, time=t)


def _solved(K: np.ndarray, g: np.ndarray) -> np.ndarray:
    """K⁻¹ g side by side."""
    return np.asarray(np.linalg.solve(K, g[:, :, None])[:, :, 0])


def eigenvalues(slopes: Slopes, k: int) -> np.ndarray:
    """Of small internal motions about one instant, those at infinity left out: (λ² M + λ D + K) ζ = 0."""
    K, D, M = slopes.K[k], slopes.D[k], slopes.M[k]
    none, one = np.zeros_like(K), np.eye(len(K))
    left, right = np.block([[none, one], [-K, -D]]), np.block([[one, none], [none, M]])
    found = la.eigvals(left, right)
    return np.asarray(found[np.isfinite(found)])
