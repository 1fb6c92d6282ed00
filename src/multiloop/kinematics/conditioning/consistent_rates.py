"""Rates and accelerations that satisfy the constraints at a closed position, computed by singular value decomposition.

    J v = ṡ,   J a = γ(q, v) + s̈

s(t) are the prescribed values, v the rates, a the accelerations, and γ are the right-hand sides that depend on the
rates. The constraint Jacobian J may be rank-deficient: redundant constraints add linearly dependent rows, and some
rates v or accelerations a may remain undetermined (idle degrees of freedom). The minimum-norm solution is taken, so
that undetermined motions do not occur.

Theory: docs/theory/02-kinematics.md, eq. (2.19);
docs/theory/03-constraints.md, eq. (3.14);
docs/theory/08-singular-configurations.md, eq. (8.1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from multiloop.dependencies import sp, spla
from multiloop.kinematics.conditioning.sparse_rank import RANK_TOLERANCE, numerical_rank, sparse_rank
from multiloop.kinematics.constraints import Target, target_lengths
from multiloop.kinematics.equations import Equations
from multiloop.kinematics.marker_twists import marker_deformations, traced_marker_motion
from multiloop.kinematics.tree import coordinate_index
from multiloop.spatial import numeric

SPARSE_RATE_COUNT = 300
"""Number of joint rates above which sparse matrices are used to compute rates and ranks."""

TWIST_ROWS = {"turn_x": 0, "turn_y": 1, "turn_z": 2, "angle": 2, "x": 3, "y": 4, "z": 5}
"""Row of a twist [ω; v] for each component of the motion of a marker."""


def singular_value_ratio(sigma: np.ndarray, rank: int) -> np.ndarray:
    """Distance from singularity (8.1): the singular value number `rank`, divided by the largest; 0 at a singular
    configuration.

    `sigma` contains singular values in decreasing order along its last axis, of one or of many matrices; `rank` is the
    rank at a configuration that is not singular. A matrix with fewer singular values has the distance 0, one of rank 0
    the distance 1.
    """
    if rank > sigma.shape[-1]:
        return np.zeros(sigma.shape[:-1])
    return np.asarray(sigma[..., rank - 1] / sigma[..., 0]) if rank else np.ones(sigma.shape[:-1])


@dataclass(frozen=True, eq=False)
class LinearisedRows:
    """Singular value decomposition U diag(sigma) Vt of the constraint Jacobian at one position.

    Constraint rows and joint rates that are lengths are divided by the characteristic length."""

    equations: Equations
    U: np.ndarray
    sigma: np.ndarray
    Vt: np.ndarray

    @property
    def rank(self) -> int:
        """Number of independent constraint rows."""
        return numerical_rank(self.sigma)

    @property
    def degrees_of_freedom(self) -> int:
        """Number of degrees of freedom that the constraints leave: joint rates minus rank."""
        return self.equations.skeleton.rates - self.rank

    @property
    def expected_rank(self) -> int:
        """Rank expected away from singular configurations: the number of rates if there are at least as many constraint
        rows, otherwise the rank at this position."""
        n = self.equations.skeleton.rates
        return n if len(self.sigma) == n else self.rank

    @property
    def singularity_distance(self) -> float:
        """The r-th singular value, with the expected rank r (`expected_rank`), divided by the largest singular value; 0
        at a singular configuration."""
        return float(singular_value_ratio(self.sigma, self.expected_rank))

    def unmet_fraction(self, right: np.ndarray) -> float:
        """Largest entry of the part of the right-hand side `right` that no rates can satisfy, divided by the largest
        entry of `right`; in both, lengths are divided by the characteristic length."""
        scaled = self.equations.rate_row_scale * right
        met = self.U[:, : self.rank] @ (self.U[:, : self.rank].T @ scaled)
        size = float(np.abs(scaled).max(initial=0.0))
        return float(np.abs(scaled - met).max(initial=0.0)) / size if size else 0.0

    def solve(self, right: np.ndarray) -> np.ndarray:
        """Minimum-norm rates v with J v = `right`; J is the Jacobian of the constraints."""
        k = self.rank
        scaled = self.equations.rate_row_scale * right
        y = self.Vt[:k].T @ ((self.U[:, :k].T @ scaled) / self.sigma[:k])
        rates: np.ndarray = self.equations.chart.rate_units * y
        return rates

    def null_space(self) -> np.ndarray:
        """Basis of the null space of the constraint Jacobian J: each column contains joint rates v with J v = 0."""
        directions: np.ndarray = self.equations.chart.rate_units[:, None] * self.Vt[self.rank :].T
        return directions


def linearise_rows(
    equations: Equations, q: np.ndarray, s: np.ndarray, p: np.ndarray, *, placed: bool = False
) -> LinearisedRows:
    """Singular value decomposition of the constraint Jacobian at q, with lengths divided by the characteristic length:
    of all constraints, or with `placed` only of those that constrain positions; s are the prescribed values."""
    scale = equations.row_scale if placed else equations.rate_row_scale
    J = equations.jacobian(q, s, p) if placed else equations.rate_jacobian(q, s, p)
    J = scale[:, None] * J * equations.chart.rate_units
    if J.shape[0] == 0:
        n = J.shape[1]
        return LinearisedRows(equations, np.zeros((0, 0)), np.zeros(0), np.eye(n))
    U, sigma, Vt = np.linalg.svd(J, full_matrices=True)
    return LinearisedRows(equations, U[:, : len(sigma)], sigma, Vt)


def position_degrees_of_freedom(equations: Equations, q: np.ndarray, s: np.ndarray, p: np.ndarray) -> int:
    """Number of degrees of freedom at q that the position constraints leave; constraints that restrict only rates are
    ignored.

    s are the prescribed values. `linearise_rows` with `placed` yields the same number, at higher cost for many rates.
    """
    n = equations.skeleton.rates
    if n <= SPARSE_RATE_COUNT:
        return linearise_rows(equations, q, s, p, placed=True).degrees_of_freedom
    J = equations.sparse_jacobian(q, s, p)
    return n - sparse_rank(sp.diags(equations.row_scale) @ J @ sp.diags(equations.chart.rate_units))


def rate_rows(equations: Equations, q: np.ndarray, p: np.ndarray, targets: Sequence[Target]) -> sp.csr_matrix:
    """Matrix, rates of the targets × joint rates, that maps the tree's joint rates v to the rates of the targets.

    Targets are components of tree joints, of cut joints, or of markers (x, y, z, angle, turn_x, …)."""
    skeleton = equations.skeleton
    rows = [sp.csr_matrix((0, skeleton.rates))]
    for target in targets:
        if target.on_marker:
            rows.append(_marker_rows(equations, q, p, target))
        elif target.of in skeleton.coordinates:
            index = [coordinate_index(skeleton, target.of, component) for component in target.components]
            ones, places = np.ones(len(index)), np.arange(len(index))
            rows.append(sp.csr_matrix((ones, (places, index)), shape=(len(index), skeleton.rates)))
        else:
            rows.append(_cut_rows(equations, q, p, target))
    return sp.vstack(rows, format="csr")


def _marker_rows(equations: Equations, q: np.ndarray, p: np.ndarray, target: Target) -> sp.csr_matrix:
    body, _, marker = target.of.partition(".")
    k, n = equations.skeleton.index[body], equations.skeleton.rates
    if k < 0:
        return sp.csr_matrix((len(target.components), n))
    twist = _marker_columns(equations, k, marker, q, p)
    return sp.csr_matrix(twist[[TWIST_ROWS[component] for component in target.components]])


def _marker_columns(equations: Equations, k: int, marker: str, q: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Matrix, 6 × joint rates, that maps the joint rates to the twist of a marker at its origin, in inertial axes."""
    skeleton = equations.skeleton
    pose = equations.tree_functions.inboard_poses(q, p)[skeleton.links[k].body]
    x, y, z = numeric(pose.R @ equations.tree_functions.marker_poses(q, p)[k, marker].p)
    t = equations.tree_functions.twists(q, p, np.eye(skeleton.rates), [k])[k][:6].copy()
    t[3:] += np.array([[0, z, -y], [-z, 0, x], [y, -x, 0]]) @ t[:3]
    if skeleton.body_of(k).moves(marker):
        t[:, skeleton.links[k].eta_rate] += marker_deformations(equations, q, p)[k, marker]
    return t


def _cut_rows(equations: Equations, q: np.ndarray, p: np.ndarray, target: Target) -> sp.csr_matrix:
    """Matrix that maps the joint rates v of the tree to the rates of the components of `target`, which is a cut
    joint."""
    return equations.tree_functions.cut_rate_rows(q, p).tocsr()[cut_joint_rows(equations, target)]


def cut_joint_rows(equations: Equations, target: Target) -> list[int]:
    """Indices of the components of a target, which is a cut joint, in the list of the components of all cut joints."""
    at = 0
    for cut in equations.cut_joints:
        names = cut.cut.joint.components(equations.skeleton.planar)
        if cut.name == target.of:
            return [at + names.index(component) for component in target.components]
        at += len(names)
    raise KeyError(target.of)


def scaled_rows(
    equations: Equations, q: np.ndarray, s: np.ndarray, p: np.ndarray, targets: Sequence[Target]
) -> tuple[sp.csr_matrix, np.ndarray]:
    """Jacobian rows of the loop constraints, followed by the matrix of `rate_rows`, both scaled, and the scale factors
    of the rows of `rate_rows`.

    Rows and joint rates that are lengths are divided by the characteristic length; s are the prescribed values.
    """
    own = equations.loop_constraints.count
    lengths = np.array([is_length for target in targets for is_length in target_lengths(target)], bool)
    unit = np.where(lengths, 1 / equations.skeleton.characteristic_length, 1.0)
    J = sp.diags(equations.rate_row_scale[:own]) @ equations.sparse_rate_jacobian(q, s, p)[:own]
    read = sp.diags(unit) @ rate_rows(equations, q, p, targets)
    return sp.csr_matrix(sp.vstack([J, read]) @ sp.diags(equations.chart.rate_units)), unit


def consistent_rates(
    equations: Equations,
    q: np.ndarray,
    s: np.ndarray,
    p: np.ndarray,
    targets: Sequence[Target],
    asked: np.ndarray,
) -> tuple[np.ndarray, float]:
    """Minimum-norm joint rates that keep the loops closed and give the targets the rates `asked`; s are the prescribed
    values.

    Also returns the largest residual of the equations divided by their largest right-hand side, with lengths divided by
    the characteristic length.
    """
    rows, unit = scaled_rows(equations, q, s, p, targets)
    own, n = equations.loop_constraints.count, equations.s.shape[0]
    rate = np.concatenate([equations.time_values(0.0, 1), np.zeros(n - equations.time_count)])
    bias = equations.rate_row_scale[:own] * equations.bias(q, (s, rate), p)[:own]
    y, miss = minimum_norm_solution(rows, np.concatenate([bias, unit * asked]))
    return equations.chart.rate_units * y, miss


def minimum_norm_solution(
    rows: sp.csr_matrix, right: np.ndarray, floor: float = 0.0
) -> tuple[np.ndarray, float]:
    """Minimum-norm least-squares solution y of `rows` y = `right`, and the relative residual.

    The relative residual is the largest entry of |rows y − right| divided by the largest entry of |right|, or by
    `floor` if that is larger. Rows are first scaled to a largest entry of 1.
    """
    largest = abs(rows).max(axis=1).toarray().ravel() if rows.shape[0] else np.zeros(0)
    # rows that contain only round-off are not scaled
    size = np.where(largest > RANK_TOLERANCE, largest, 1.0)
    rows, right = sp.csr_matrix(sp.diags(1 / size) @ rows), right / size
    y = _minimum_norm(rows, right)
    miss = np.abs(rows @ y - right).max(initial=0.0)
    greatest = np.abs(right).max(initial=floor)
    return y, float(miss / greatest) if greatest else 0.0


def _minimum_norm(A: sp.csr_matrix, b: np.ndarray) -> np.ndarray:
    """Minimum-norm least-squares solution of A y = b.

    If A is large, the sparse normal equations y = Aᵀ (A Aᵀ)⁻¹ b are solved, with one step of iterative refinement; if
    the residual is larger than round-off (redundant or contradictory rows), a dense least-squares solution is computed.
    """
    if A.shape[1] > SPARSE_RATE_COUNT:
        y = _sparse_minimum_norm(A, b)
        if y is not None:
            return y
    y, *_ = np.linalg.lstsq(A.toarray(), b, rcond=RANK_TOLERANCE)
    return np.asarray(y)


def _sparse_minimum_norm(A: sp.csr_matrix, b: np.ndarray) -> np.ndarray | None:
    normal = (A @ A.T).tocsc()
    if not normal.shape[0]:
        return np.zeros(A.shape[1])
    try:
        solve = spla.splu(normal).solve
    except RuntimeError:  # the matrix is exactly singular
        return None
    y = A.T @ solve(b)
    y = y + A.T @ solve(b - A @ y)
    met = np.abs(A @ y - b).max(initial=0.0) <= 1e-13 * max(1.0, np.abs(b).max(initial=0.0))
    return y if met else None


def consistent_accelerations(
    equations: Equations,
    t: float,
    q: np.ndarray,
    v: np.ndarray,
    p: np.ndarray,
    targets: Sequence[Target],
    asked: np.ndarray,
) -> tuple[np.ndarray, float]:
    """Minimum-norm joint accelerations a at (q, v) that keep the loops closed and give the targets the accelerations
    `asked`.

        J a = γ,    N a = asked − (accelerations of the targets for a = 0)

    J and γ are the Jacobian and right-hand sides of the loop constraints, N maps joint accelerations to accelerations
    of the targets (`rate_rows`). Also returns the relative residual, see `minimum_norm_solution`. `equations` must
    not have targets themselves.
    """
    given = [equations.time_values(t, order) for order in range(3)]
    rows, unit = scaled_rows(equations, q, given[0], p, targets)
    own = equations.loop_constraints.count
    gamma = equations.rate_row_scale[:own] * equations.gamma(q, v, given, p)[:own]
    left = asked - target_accelerations(equations, q, v, np.zeros_like(v), p, targets)
    fastest = float(np.abs(v / equations.chart.rate_units).max(initial=0.0))
    y, miss = minimum_norm_solution(rows, np.concatenate([gamma, unit * left]), fastest**2)
    return equations.chart.rate_units * y, miss


def target_accelerations(
    equations: Equations,
    q: np.ndarray,
    v: np.ndarray,
    a: np.ndarray,
    p: np.ndarray,
    targets: Sequence[Target],
) -> np.ndarray:
    """Accelerations of the targets, which are components of tree joints, of cut joints or of markers."""
    found = [np.zeros(0)]
    for target in targets:
        if target.on_marker:
            twist_rate = traced_marker_motion(equations, target.of)(q, v, a, p)[1]
            found.append(twist_rate[[TWIST_ROWS[component] for component in target.components]])
        elif target.of in equations.skeleton.coordinates:
            skeleton = equations.skeleton
            found.append(a[[coordinate_index(skeleton, target.of, part) for part in target.components]])
        else:
            found.append(
                equations.tree_functions.cut_motion(q, v, a, p)[1][cut_joint_rows(equations, target)]
            )
    return np.concatenate(found)
