"""Bounded motion of the internal dynamics as a boundary-value problem in time, solved by Newton's method.

The motion begins before the outputs (the driven coordinates) move and ends after they have come to rest, so that
unstable internal motions stay bounded. Each Newton step solves

    min  |δ₀ − r₀|²_W₀ + |δ_N − r_N|²_W₁      subject to      δ_{k+1} = A_k δ_k + d_k

for the changes δ_k of the state (independent coordinates ζ and their rates u) at the N + 1 nodes. The matrix A_k and
the vector d_k describe the linearised motion across interval k; r₀ and r_N are the changes that lead to rest at both
ends, and |x|²_W = xᵀ W x. The weight W₀ applies to all motions that do not grow at the beginning, W₁ to the motions
that still grow at the end, so that the motion decays towards both ends. Undamped oscillations begin at rest and are not
bounded at the end. Usually there are as many conditions as unknowns; if internal motions change between growth and
decay there may be more conditions, which are then satisfied in the least-squares sense. Intervals are split until the
equations of motion are satisfied between the collocation points.

Source: [devasia_chen_paden], stable inversion; [bayo_arm], torques before the motion; [ascher_mattheij_russell].
Differs: least squares in place of two sets of boundary conditions that must match, as SciPy's `solve_bvp` requires.
Theory: docs/theory/11-stable-inversion.md, eqs. (11.3), (11.4), (11.7).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from multiloop.analyses.stable_inversion.collocation import (
    CollocatedMotion,
    NewtonStep,
    first_nodes,
    gauss,
    interval_maps,
    interval_splits,
)
from multiloop.analyses.stable_inversion.internal_dynamics import (
    Instants,
    InternalDynamics,
    LinearisedResidual,
)
from multiloop.analyses.stable_inversion.quasi_static_motion import NEWTON_LIMIT, RESIDUAL, QuasiStaticMotion
from multiloop.dependencies import sp, spla

ROUND_OFF = 1e-7
"""Residual at the collocation points, relative to the largest elastic force, that is accepted if Newton's method does
not reduce it further, as with stiff links."""

DEFECT = 1e-7
"""Residual of the equations of motion between the collocation points, relative to the largest elastic force, below
which no interval is split."""

TOLERABLE = 1e-3
"""Residual between the collocation points, relative to the largest elastic force, above which an error is raised if
refinement of the mesh does not reduce it."""

PARTS, MOST = 40, 20_000
"""Number of time intervals into which the first mesh divides the motion, and largest number of intervals of a mesh."""

ROUNDS, PATIENCE, HALVINGS = 12, 3, 6
"""Largest number of meshes, of consecutive meshes without improvement, and of halvings of one Newton step."""

DEFECT_POINTS = np.array([0.01, 0.27, 0.99])
"""Positions within an interval, as fractions of its length, at which the residual between the collocation points is
evaluated."""


@dataclass(frozen=True, eq=False)
class StableInversionProblem:
    """Boundary-value problem for the motion of flexible links along one prescribed motion.

    `corners` are the times at which the prescribed motion is not smooth, including its beginning and end. `before` and
    `after` are the settling times (s) before and after the motion, or None if they are to be computed; a `cycle` is
    periodic and has no settling times. The quasi-static deformation is the initial guess.
    """

    dynamics: InternalDynamics
    corners: list[float]
    before: float | None = None
    after: float | None = None
    cycle: bool = False
    report_progress: Callable[[float], None] = field(default=lambda part: None)

    @cached_property
    def motion(self) -> QuasiStaticMotion:
        """Quasi-static deformation along the prescribed motion, and small motions about its first and last state."""
        return QuasiStaticMotion(self.dynamics, self.corners)

    def solve(self) -> CollocatedMotion:
        """The bounded motion, including the settling times.

        If finer intervals do not reduce the residual, because links vibrate faster than the intervals can resolve, the
        motion with the smallest residual is returned, or an error is raised if this residual exceeds `TOLERABLE`. If
        the loops determine all elastic coordinates, the quasi-static motion without settling is returned.
        """
        if not len(self.dynamics.S):
            return self._quasi_static_guess(first_nodes(self.corners, 0.0, 0.0, PARTS))
        before, after = (0.0, 0.0) if self.cycle else self.motion.settling(self.before, self.after)
        course = self._quasi_static_guess(first_nodes(self.corners, before, after, PARTS))
        best, stalled = replace(course, defect=np.inf), 0
        for count in range(ROUNDS):
            course, size = self._newton(course)
            left = self._defects(course) / size
            self._report(count + 1, left)
            stalled = stalled + 1 if left.max() > best.defect / 2 else 0
            if left.max() < best.defect:
                best = replace(course, defect=float(left.max()))
            parts = interval_splits(left, DEFECT, len(course.rule.c))
            if parts.max() == 1 or stalled == PATIENCE or parts.sum() > MOST:
                break
            course = course.split(parts)
        if best.defect <= TOLERABLE:
            return best
        worst = int(np.argmax(left))
        what = (
            f"the equations of motion have a relative residual of {left[worst]:.1e} at t = "
            f"{course.nodes[worst]:.6g} s, with {len(left)} time intervals."
        )
        raise self.motion.inversion_error(what, float(course.nodes[worst]))

    def _report(self, count: int, left: np.ndarray) -> None:
        """Report the estimated progress, from the number of meshes and the remaining decades of the residual."""
        self.report_progress(min(0.99, count / (count + np.log10(max(left.max() / DEFECT, 1.0)))))

    def _quasi_static_guess(self, nodes: np.ndarray) -> CollocatedMotion:
        """The initial guess on the given nodes: quasi-static deformation with zero rates and accelerations."""
        rule, (_, zeta) = gauss(), self.motion.quasi_static(nodes)
        w = np.zeros((len(nodes) - 1, len(rule.c), zeta.shape[1]))
        return CollocatedMotion(rule, nodes, np.hstack([zeta, 0 * zeta]), w)

    def _newton(self, course: CollocatedMotion) -> tuple[CollocatedMotion, float]:
        """The motion that satisfies the collocation equations on the nodes of `course`, by Newton's method from
        `course`, and the largest elastic force, to which residuals are compared."""
        at, size, before = self.motion.at_rest(course.times), 1e-300, np.inf
        for _ in range(NEWTON_LIMIT):
            zeta, u, w = course.points
            at, found = self.dynamics.linearise(self.motion.close_loops(at, zeta), u, w)
            size = max(size, float(np.abs(found.K @ zeta[:, :, None]).max(initial=0.0)))
            left = np.abs(found.g).max(axis=1)
            worst, joined = float(left.max()), course.gap <= RESIDUAL
            # converged, or limited by round-off
            met = worst <= RESIDUAL * size or (before / 2 < worst <= ROUND_OFF * size)
            if joined and met:
                return course, size
            before = worst
            course = self._line_search(course, self._step(course, found), at, worst)
        t = float(course.times[np.argmax(left)])
        what = (
            "Newton's method does not converge: the relative residual of the forces is "
            f"{worst / size:.1e} at t = {t:.6g} s."
        )
        raise self.motion.inversion_error(what, t)

    def _step(self, course: CollocatedMotion, found: LinearisedResidual) -> NewtonStep:
        """The Newton step: changes of the state at all nodes and of the accelerations at all collocation points."""
        passage = interval_maps(course.h, found, course.rule)
        d = passage.d + course.interval_ends - course.z[1:]
        try:
            if self.cycle:
                nodes = periodic_changes(passage.A, d, course.z[0] - course.z[-1])
            else:
                missing = self.motion.rest - course.z[[0, -1]]
                nodes = bounded_changes(passage.A, d, missing, self.motion.conditions)
        except RuntimeError:  # the matrix is exactly singular
            nodes = np.full_like(course.z, np.nan)
        if not np.isfinite(nodes).all():
            raise self.motion.inversion_error(
                "the prescribed motion does not determine the motion of the flexible links.", None
            )
        return NewtonStep(nodes, passage.P + (passage.Q @ nodes[:-1, None, :, None])[..., 0])

    def _line_search(
        self, course: CollocatedMotion, step: NewtonStep, at: Instants, left: float
    ) -> CollocatedMotion:
        """The motion after a Newton step from `course`; the step is halved as long as the residual after it exceeds
        `left`, the residual before it.

        `at` is the motion at the Gauss points before the step, from which the loops are closed. A step that removes
        discontinuities between the intervals, as the first one does, is halved only if the loops cannot be closed after
        it.
        """
        part, joins = 1.0, course.gap > RESIDUAL
        for _ in range(HALVINGS):
            other = course.after_step(step, part)
            zeta, u, w = other.points
            there, gap = self.dynamics.close_loops(at, zeta)
            if gap.max() <= self.dynamics.equations.skeleton.closure_tolerance:
                _, g = self.dynamics.residuals(there, u, w)
                if joins or np.abs(g).max() <= left:
                    break
            part /= 2
        return other

    def _defects(self, course: CollocatedMotion) -> np.ndarray:
        """Largest residual of the equations of motion between the collocation points, for every interval."""
        zeta, u, w = course.interpolate(DEFECT_POINTS)
        times = (course.nodes[:-1, None] + course.h[:, None] * DEFECT_POINTS).ravel()
        at = self.motion.close_loops(self.motion.at_rest(times), zeta)
        at, _ = self.dynamics.residuals(at, u, w)
        _, g = self.dynamics.residuals(at, u, w)  # evaluated twice, since loads may depend on the reactions
        return np.asarray(np.abs(g).max(axis=1).reshape(-1, len(DEFECT_POINTS)).max(axis=1))


Entries = tuple[np.ndarray, np.ndarray, np.ndarray]
"""Non-zero entries of a sparse matrix: arrays of row indices, column indices and values."""


def bounded_changes(
    A: np.ndarray, d: np.ndarray, ends: np.ndarray, weights: tuple[np.ndarray, np.ndarray]
) -> np.ndarray:
    """Changes δ of the state at every node, the solution of the least-squares problem in the text of this module.

    A and d contain the matrices A_k and vectors d_k of the linearised motion δ_{k+1} = A_k δ_k + d_k across the N
    intervals; `ends` are r₀ and r_N, the desired δ₀ and δ_N; `weights` are W₀ and W₁. The Lagrange multipliers μ of the
    intervals are further unknowns, ordered node by node:

        W₀ δ₀ + A₀ᵀ μ₀ = W₀ r₀,      A_k δ_k − δ_{k+1} = −d_k,      A_kᵀ μ_k − μ_{k−1} = 0
        W₁ δ_N − μ_{N−1} = W₁ r_N

    The block-banded system is solved by sparse LU factorisation.
    """
    count, m = A.shape[:2]
    first, later = (one / np.abs(weights[0]).max() for one in weights)
    rows, last = 2 * np.arange(count), np.array([2 * count])
    eye = np.broadcast_to(np.eye(m), A.shape)
    entries = [
        _blocks(rows, rows + 1, A.transpose(0, 2, 1)),
        _blocks(rows + 1, rows, A),
        _blocks(rows + 1, rows + 2, -eye),
        _blocks(rows + 2, rows + 1, -eye),
        _blocks(0 * last, 0 * last, first[None]),
        _blocks(last, last, later[None]),
    ]
    right = np.zeros((2 * count + 1, m))
    right[0], right[-1], right[1::2] = first @ ends[0], later @ ends[1], -d
    return _solve_blocks(entries, right)[::2]


def periodic_changes(A: np.ndarray, d: np.ndarray, gap: np.ndarray) -> np.ndarray:
    """Changes δ of the state at every node of a periodic motion: δ_{k+1} = A_k δ_k + d_k and δ_N − δ₀ = gap.

    A and d contain the matrices A_k and vectors d_k of the linearised motion across the N intervals.
    """
    count, m = A.shape[:2]
    one, rows = np.eye(m), np.arange(count)
    eye, last = np.broadcast_to(one, A.shape), np.array([count])
    entries = [_blocks(rows, rows, A), _blocks(rows, rows + 1, -eye)]
    entries += [_blocks(last, last, one[None]), _blocks(last, 0 * last, -one[None])]
    return _solve_blocks(entries, np.vstack([-d, gap]))


def _blocks(rows: np.ndarray, columns: np.ndarray, blocks: np.ndarray) -> Entries:
    """Sparse-matrix entries of square `blocks`, whose block row and block column indices are `rows` and `columns`."""
    inner = np.arange(blocks.shape[-1])
    across, down = inner[None, :] + 0 * inner[:, None], inner[:, None] + 0 * inner[None, :]
    i = rows[:, None, None] * len(inner) + down
    j = columns[:, None, None] * len(inner) + across
    return i.ravel(), j.ravel(), blocks.ravel()


def _solve_blocks(entries: list[Entries], right: np.ndarray) -> np.ndarray:
    """Solution of a sparse linear system with the given matrix entries; `right` and the solution are blocks × size."""
    i, j, values = (np.concatenate(part) for part in zip(*entries, strict=True))
    matrix = sp.csc_matrix((values, (i, j)), shape=(right.size, right.size))
    found: np.ndarray = spla.splu(matrix, permc_spec="NATURAL").solve(right.ravel())
    return found.reshape(right.shape)
