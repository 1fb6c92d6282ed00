"""Rank of the constraint matrix, mobility, and degrees of freedom that exist to first order only.

The rank is that of all joints together. It is evaluated at the assembled configuration and at configurations reached by
small finite motions, because a single configuration may be singular. The ratio between the smallest singular value
taken as nonzero and the largest taken as zero is reported: it is about ten decades for exact dimensions and small for
overconstrained mechanisms whose dimensions were entered with few digits.

Theory: docs/theory/03-constraints.md, eq. (3.14); docs/theory/09-redundancy.md, eqs. (9.2)–(9.4).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from multiloop.dependencies import sp
from multiloop.kinematics import Equations, equations_of
from multiloop.kinematics.assembly import Assembly, LoopClosure, close_loops
from multiloop.kinematics.conditioning import (
    RANK_TOLERANCE,
    SPARSE_RATE_COUNT,
    largest_singular_value,
    linearise_rows,
    reliable_sparse_qr,
    singular_values,
)
from multiloop.kinematics.constraints import CutJoint
from multiloop.plan.constraint_matrix import ConstraintMatrix
from multiloop.plan.constraint_rows import constraint_matrix_at
from multiloop.topology import Tree

NEARLY_ZERO = 1e-6
"""Singular values below this fraction of the largest one may be zero: singular configurations are located only with an
accuracy of the square root of round-off."""

SMALLEST_SCALE = 1e-2
"""Lower bound of the largest singular value of the loop Jacobian, with lengths divided by the characteristic length, to
which other singular values are compared; it is used at configurations where all rows vanish together."""

STROKES = (0.04, -0.07, 0.11)
"""Sizes of the finite motions, in radians or characteristic lengths, at whose ends the rank is evaluated again."""

LINEARITY_TOLERANCE = 0.1
"""Largest relative deviation between a first-order motion and the finite motion that starts along it.

If a combination of all motions deviates less, all motions are finite; otherwise each motion is tested separately.
"""

FINITE_SHARE = 0.5
"""A motion is finite if more than this fraction of a step along the motion remains after the loops are closed again.

The fraction is near 1 for a finite motion, and near 0 for an infinitesimal one.
"""


@dataclass(frozen=True, eq=False)
class FirstOrderMotions:
    """Motions that the loops allow to first order at an assembled configuration; drives prescribe nothing, and elastic
    coordinates are constant.

    `count` is the number of independent motions, `s` are the values of the elastic coordinates. `combine` returns the
    joint rates of the linear combination of the motions with the given weights; rates of lengths are divided by the
    characteristic length.
    """

    assembly: Assembly
    equations: Equations
    s: np.ndarray
    count: int
    combine: Callable[[np.ndarray], np.ndarray]

    def positions(self) -> list[np.ndarray]:
        """The assembled configuration and configurations near it, reached along a combination of all motions or, if
        this fails, along each motion separately."""
        found = [self.assembly.q]
        if self.count:
            found += self._stroke_ends(np.sin(1.0 + 0.7 * np.arange(self.count)))
        if len(found) == 1:
            for k in range(self.count):
                found += self._stroke_ends((np.arange(self.count) == k).astype(float))
        return found

    def _stroke_ends(self, weights: np.ndarray) -> list[np.ndarray]:
        """Configurations after finite steps along a combination of the motions, with the given weights.

        Only those configurations are returned in which the loops close again and the mechanism has moved.
        """
        chart, q, motion = self.equations.chart, self.assembly.q, self.combine(weights)
        found = []
        for stroke in STROKES:
            closing = self._close_after_step(stroke * motion / np.abs(motion).max())
            if closing.closed and chart.distance(closing.q, q) > abs(stroke) / 2:
                found.append(closing.q)
        return found

    def _close_after_step(self, step: np.ndarray) -> LoopClosure:
        """Close the loops again after a step from the assembled configuration, in radians or characteristic lengths."""
        chart = self.equations.chart
        moved = chart.apply_step(self.assembly.q, step * chart.rate_units)
        return close_loops(self.equations, moved, self.s, self.assembly.p, limit=40)

    @property
    def finite_count(self) -> int:
        """Number of finite motions; a step along an infinitesimal motion vanishes when the loops are closed again."""
        motion = self.combine(1.0 + 0.5 * np.sin(np.arange(self.count)))
        deviation = np.abs(self._remaining_motion(motion) - motion).max(initial=0.0)
        if deviation <= LINEARITY_TOLERANCE * np.abs(motion).max(initial=0.0):
            return self.count
        basis = np.array([self.combine(one) for one in np.eye(self.count)])
        left = np.array([self._remaining_motion(one) for one in basis])
        return int(np.sum(np.linalg.svd(left @ np.linalg.pinv(basis), compute_uv=False) > FINITE_SHARE))

    def _remaining_motion(self, motion: np.ndarray) -> np.ndarray:
        """The part of a `motion` that remains after a small step along it, when the loops are closed again.

        The result is divided by the size of the step; it is zero if the loops do not close.
        """
        chart, size = self.equations.chart, STROKES[0] / np.abs(motion).max()
        closing = self._close_after_step(size * motion)
        if not closing.closed:
            return np.zeros_like(motion)
        left: np.ndarray = chart.step_between(self.assembly.q, closing.q) / chart.rate_units / size
        return left


def first_order_motions(assembly: Assembly) -> FirstOrderMotions:
    """Motions to first order at an assembled configuration, computed by elimination in large mechanisms, otherwise
    by the SVD."""
    equations, s = assembly.rigid_equations()
    return _sparse_motions(assembly, equations, s) or _dense_motions(assembly, equations, s)


def _dense_motions(assembly: Assembly, equations: Equations, s: np.ndarray) -> FirstOrderMotions:
    linear = linearise_rows(equations, assembly.q, s, assembly.p)
    certain = int(np.sum(linear.sigma > NEARLY_ZERO * max(linear.sigma.max(initial=0.0), SMALLEST_SCALE)))
    motions = linear.Vt[certain:]
    return FirstOrderMotions(assembly, equations, s, len(motions), lambda weights: weights @ motions)


def _sparse_motions(assembly: Assembly, equations: Equations, s: np.ndarray) -> FirstOrderMotions | None:
    """First-order motions by sparse elimination; None in small mechanisms, and if pivots and singular values give
    different numbers of motions."""
    if equations.skeleton.rates <= SPARSE_RATE_COUNT or not equations.rows.count:
        return None
    J = equations.sparse_rate_jacobian(assembly.q, s, assembly.p)
    J = sp.csr_matrix(sp.diags(equations.rate_row_scale) @ J @ sp.diags(equations.chart.rate_units))
    stairs = reliable_sparse_qr(J, NEARLY_ZERO * max(largest_singular_value(J), SMALLEST_SCALE))
    if stairs is None:
        return None
    return FirstOrderMotions(
        assembly,
        equations,
        s,
        len(stairs.free_columns),
        lambda weights: stairs.null_vectors(weights[:, None])[:, 0],
    )


DOUBTFUL = 3e-3
"""A nonzero singular value is uncertain if it is below this fraction of the largest one, and far below the next larger
one."""

LARGE_MATRIX = 400
"""Number of columns of the constraint matrix above which its rank is computed from the loop Jacobian."""


@dataclass(frozen=True)
class Rank:
    """Rank of the constraint matrix.

    `smallest` is the smallest singular value taken as nonzero and `largest_zero` the largest taken as zero, both
    relative to the largest singular value; `gap` is their ratio. `doubt` is the number of values that are taken as
    nonzero but unusually small: constraints that would be redundant if the dimensions were exact. `shaky` counts
    infinitesimal motions: they exist to first order at this configuration and no finite motion follows from them.
    `special` counts constraints that are independent near the configuration, but not at it: the configuration is
    singular. `bends` counts motions in which flexible bodies deform: they are vibrations against the stiffness and not
    counted as degrees of freedom of the mechanism.
    """

    rows: int
    columns: int
    rank: int
    smallest: float
    largest_zero: float
    doubt: int
    doubt_value: float
    shaky: int = 0
    special: int = 0
    certain: int = 0  # number of singular values far from zero
    rates_alone: int = (
        0  # number of independent constraints of rates that do not constrain positions (nonholonomic)
    )
    bends: int = 0

    @property
    def gap(self) -> float:
        """Ratio of the smallest nonzero singular value to the largest taken as zero; infinite if none is zero."""
        return self.smallest / self.largest_zero if self.largest_zero > 0 else np.inf

    @property
    def mobility(self) -> int:
        """Instantaneous degrees of freedom that belong to finite motions, with elastic coordinates constant."""
        return self.columns - self.rank - self.shaky - self.bends

    @property
    def configurations(self) -> int:
        """Dimension of the configuration space; larger than the mobility by the number of nonholonomic constraints."""
        return self.mobility + self.rates_alone

    @property
    def redundant(self) -> int:
        """Number of redundant constraints."""
        return self.rows - self.rank


def rank_of(A: np.ndarray) -> Rank:
    """Rank of a matrix, and the gap between its nonzero and its zero singular values."""
    sigma = np.linalg.svd(A, compute_uv=False) if A.size else np.zeros(0)
    return rank_from_singular_values(sigma, *A.shape)


def rank_from_singular_values(sigma: np.ndarray, rows: int, columns: int) -> Rank:
    """Rank of a matrix, and the gap between its nonzero and its zero singular values, from all singular values in
    decreasing order."""
    top = float(sigma.max(initial=0.0)) or 1.0
    relative = sigma / top
    rank = int(np.sum(relative > RANK_TOLERANCE))
    doubt = 0
    for k in range(rank - 1, 0, -1):  # search for a large ratio between adjacent nonzero values
        if relative[k] < DOUBTFUL and relative[k - 1] / relative[k] > 50:
            doubt = rank - k
            break
    return Rank(
        rows=rows,
        columns=columns,
        rank=rank,
        smallest=float(relative[rank - 1]) if rank else 1.0,
        largest_zero=float(relative[rank]) if rank < len(relative) else 0.0,
        doubt=doubt,
        doubt_value=float(relative[rank - doubt]) if doubt else 0.0,
        certain=int(np.sum(relative > NEARLY_ZERO)),
    )


RankWithMatrix = tuple[Rank, Callable[[], ConstraintMatrix]]
"""A rank, and a function that returns the constraint matrix to which it belongs."""


def rank_at(equations: Equations, q: np.ndarray, p: np.ndarray, t: float) -> RankWithMatrix:
    """Rank of the constraints of all joints together at one configuration, and a function for their constraint matrix.

    `equations` must not contain drives.
    """
    skeleton = equations.skeleton
    elastic = skeleton.rates - len(equations.chart.joint_rates)
    columns = (3 if skeleton.planar else 6) * len(skeleton.mechanism.moving) + elastic
    matrix = partial(constraint_matrix_at, equations, q, p, t)
    if columns > LARGE_MATRIX:
        return _rank_by_loops(equations, equations.scaled_loop_jacobian(q, p, t), columns, elastic), matrix
    screws = matrix()
    return _rank_of_matrix(screws, elastic), lambda: screws


def _rank_of_matrix(screws: ConstraintMatrix, elastic: int) -> Rank:
    """Rank from the singular values of the constraint matrix, whose last `elastic` columns belong to elastic
    coordinates."""
    found = rank_of(screws.A)
    held = rank_of(screws.A[:, : screws.A.shape[1] - elastic]).rank if elastic else found.rank
    if any(screws.rate_only):
        placing = rank_of(screws.A[~np.array(screws.rate_only)]).rank
        found = replace(found, rates_alone=found.rank - placing)
    return replace(found, bends=elastic - (found.rank - held))


def _rank_by_loops(equations: Equations, J: sp.spmatrix, columns: int, elastic: int) -> Rank:
    """Rank of the constraint matrix of a large mechanism, from the loop Jacobian J.

    The constraints of the tree joints are independent and leave the joint rates v free, which the loops constrain by
    J v = 0. N maps v to the twists of the n bodies (d components each) and the rates of the e elastic coordinates:

        null A = N null J,   so   rank A = d n + e − (number of rates − rank J)

    The singular values are then those of J, with lengths divided by the characteristic length. They differ from those
    of A, but vanish together with them. `columns` is the number d n + e of columns of A.
    """
    loops = rank_from_singular_values(singular_values(J), *J.shape)
    if len(equations.loop_constraints.position_rows) < equations.loop_constraints.count:
        placing = rank_from_singular_values(
            singular_values(J[equations.loop_constraints.position_rows]),
            len(equations.loop_constraints.position_rows),
            J.shape[1],
        ).rank
        loops = replace(loops, rates_alone=loops.rank - placing)
    joints = J[:, equations.chart.joint_rates] if elastic else J
    held = rank_from_singular_values(singular_values(joints), *joints.shape).rank if elastic else loops.rank
    rank, certain = (columns - (J.shape[1] - count) for count in (loops.rank, loops.certain))
    mechanism, planar = equations.skeleton.mechanism, equations.skeleton.planar
    rows = sum(joint.rows(planar) for joint in mechanism.connections)
    rows += sum(
        len(one.rows) for one in equations.loop_constraints.constraints if not isinstance(one, CutJoint)
    )
    bends = elastic - (loops.rank - held)
    return replace(loops, rows=rows, columns=columns, rank=rank, certain=certain, bends=bends)


def _certainty(rank: Rank) -> tuple[int, int, int]:
    """Key by which ranks at several configurations are compared: that with the largest key is the mechanism's rank."""
    return rank.certain, rank.rank, -rank.doubt


def generic_rank(assembly: Assembly) -> tuple[Rank, ConstraintMatrix]:
    """The largest rank over configurations around an assembly, and the constraint matrix at the configuration where it
    occurs.

    If the rank is already full at the assembly, all motions are finite and no other configuration is evaluated. The
    difference between the rank near the assembly and the rank at the assembly is counted as `special`. Motions of which
    no finite part remains after closing the loops again are infinitesimal and are counted as `shaky`; the rank is then
    that of the assembly itself, since closing the loops again leads back to this position only with an error of the
    order of the square root of round-off.
    """
    equations = equations_of(assembly.mechanism, assembly.equations.skeleton.tree)
    here = best = rank_at(equations, assembly.q, assembly.p, assembly.t)
    if here[0].certain == min(here[0].rows, here[0].columns) and not here[0].doubt:
        return here[0], here[1]()
    motions = first_order_motions(assembly)
    positions = motions.positions()
    for q in positions[1:]:
        found = rank_at(equations, q, assembly.p, assembly.t)
        if _certainty(found[0]) > _certainty(best[0]):
            best = found
    special = max(0, best[0].certain - here[0].certain)
    closed = assembly.gap <= equations.chart.closure_tolerance_at(assembly.q)
    shaky = 0
    # at a bifurcation each motion is finite by itself, but a combination of the motions is not
    if closed and here[0].certain == here[0].rank and not special:
        shaky = motions.count - (motions.finite_count if len(positions) > 1 else 0)
    best = here if shaky else best
    # singular values that are small only because this position is near a singular one are not uncertain
    doubt = max(0, best[0].doubt - special)
    return replace(best[0], shaky=shaky, special=special, doubt=doubt), best[1]()


def independent_loop_rows(assembly: Assembly, tree: Tree, mobility: int) -> int:
    """Number of independent rows of the loop constraints of a tree.

    Without flexible bodies, it is the number of joint rates minus the `mobility` of the mechanism, also if the
    configuration of `assembly` is singular. With flexible bodies, it is computed at this configuration.
    """
    loops = equations_of(assembly.mechanism, tree)
    if len(loops.chart.joint_rates) == loops.skeleton.rates:
        return loops.skeleton.rates - mobility
    return linearise_rows(
        loops, assembly.coordinates_on(loops), loops.time_values(assembly.t), assembly.p
    ).rank
