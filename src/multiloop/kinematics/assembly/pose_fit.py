"""Least-squares fit of body poses to the joints: the closed position nearest to an approximate one.

Rows of a joint with coordinates q; F and S are its markers on the bodies as placed, l is the characteristic length:

    e = [log(R_F R(q) R_Sᵀ);  (p_F + R_F p(q) − p_S) / l]

Newton's steps are the smallest motions of the bodies that satisfy the linearised rows. They do not depend on a
spanning tree: a body far out on a long branch moves no more than one near the ground.

Theory: docs/theory/02-kinematics.md, eqs. (2.14), (2.15).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from multiloop.dependencies import sp, spla
from multiloop.kinematics.assembly.newton import StepSolver
from multiloop.kinematics.assembly.separate_bodies import JointGroup, SeparateBodies, SeparatePosition
from multiloop.model import IN_PLANE
from multiloop.spatial import cross_matrices, numeric, rotation_vectors, rotations_from_vectors


class BodyJacobian:
    """Jacobian whose columns belong to the motions [δθ; δc / l] of all bodies, then to joint rates.

    δθ is the rotation of a body, δc the displacement of its centre, and l the characteristic length. `axes`
    are the components of these six that are used: all in space, three in the plane. Rows are added in blocks.
    """

    def __init__(self, axes: list[int], bodies: int, rates: int) -> None:
        self._axes, self._bodies, self._width = axes, bodies, len(axes) * bodies + rates
        self._values, self._rows, self._columns = [np.zeros(0)], [np.zeros(0, int)], [np.zeros(0, int)]
        self._at, self._tall = 0, 0

    def add_rows(self, first: np.ndarray, a: np.ndarray, second: np.ndarray, b: np.ndarray) -> None:
        """Add derivatives (m, rows, 6) with respect to the motions of two bodies."""
        for slopes, body in ((first, a), (second, b)):
            columns = len(self._axes) * body[:, None] + np.arange(len(self._axes))
            self._add(slopes[:, :, self._axes], np.where(body[:, None] < 0, -1, columns))

    def add_rates(self, slopes: np.ndarray, v: np.ndarray) -> None:
        """Add derivatives (m, rows, f) with respect to joint rates."""
        self._add(slopes, len(self._axes) * self._bodies + v)

    def add_selected_rows(self, slopes: np.ndarray, bodies: np.ndarray, given: np.ndarray) -> None:
        """Add derivatives (m, 6, 6) with respect to the motion of one body each, of the rows that are `given`."""
        item, row = np.nonzero(given)
        columns = len(self._axes) * bodies[item][:, None] + np.arange(len(self._axes))
        self._add(slopes[item, row][:, None, self._axes], columns)

    def _add(self, slopes: np.ndarray, columns: np.ndarray) -> None:
        count, rows, _ = slopes.shape
        places = self._at + np.arange(count * rows).reshape(count, rows, 1)
        wide = np.broadcast_to(columns[:, None, :], slopes.shape)
        kept = wide >= 0
        self._values.append(slopes[kept])
        self._rows.append(np.broadcast_to(places, slopes.shape)[kept])
        self._columns.append(wide[kept])
        self._tall = count * rows

    def end_rows(self) -> None:
        """Finish the current rows; blocks added later belong to new rows."""
        self._at, self._tall = self._at + self._tall, 0

    @property
    def height(self) -> int:
        """Number of rows."""
        return self._at

    def dense(self) -> np.ndarray:
        """The dense matrix; each block fills its own entries."""
        whole = np.zeros((self._at, self._width))
        whole[np.concatenate(self._rows), np.concatenate(self._columns)] = np.concatenate(self._values)
        return whole

    def sparse(self) -> sp.csc_matrix:
        """The sparse matrix."""
        entries = (np.concatenate(self._values), (np.concatenate(self._rows), np.concatenate(self._columns)))
        return sp.csc_matrix(entries, shape=(self._at, self._width))


COORDINATE_MOBILITY = 100.0
"""Mobility of joint coordinates relative to bodies: a step changes coordinates more readily than poses of bodies."""

MAX_DENSE_ROWS = 60
"""Number of rows up to which dense matrices are faster."""

REGULARISATION = 1e-10
"""Added to the squares of the singular values, so that redundant rows are allowed."""


@dataclass(frozen=True, eq=False)
class PrescribedMarkers:
    """Prescribed poses of m markers: bodies (m), poses in the bodies and in space (m, 3, 4), prescribed rows (m, 6)."""

    bodies: np.ndarray
    markers: np.ndarray
    poses: np.ndarray
    given_rows: np.ndarray
    weight: float = 1.0


@dataclass(frozen=True, eq=False)
class PoseFit:
    """Least-squares problem with the rows of all joints, pairs and prescribed markers; joint coordinates marked in
    `fixed_rates` (by rate) do not change."""

    parts: SeparateBodies
    fixed_rates: np.ndarray
    prescribed_markers: tuple[PrescribedMarkers, ...] = ()

    @cached_property
    def _axes(self) -> list[int]:
        """Components of a twist that are used: all six in space, three in the plane."""
        return list(IN_PLANE) if self.parts.mechanism.planar else list(range(6))

    @cached_property
    def _free_columns(self) -> np.ndarray:
        """Free columns: those of bodies, then those of joint rates that are not fixed."""
        bodies = len(self._axes) * len(self.parts.bodies)
        return np.concatenate([np.arange(bodies), bodies + np.flatnonzero(~self.fixed_rates)])

    @cached_property
    def _mobility(self) -> np.ndarray:
        """Inverse weights of the free columns; a rotation of a body is weighted by the mean displacement of its
        markers."""
        turns = np.array([axis < 3 for axis in self._axes])
        bodies = np.where(turns, 1 / self.parts.radii[:, None] ** 2, 1.0).ravel()
        found: np.ndarray = np.concatenate([bodies, np.full(self.parts.rates, COORDINATE_MOBILITY)])[
            self._free_columns
        ]
        return found

    # rows ---------------------------------------------------------------------------------------------

    def residual(self, at: SeparatePosition) -> np.ndarray:
        """All rows: of joints by type, of pairs, of prescribed markers."""
        rows, length = [np.zeros(0)], self.parts.length
        for alike in self.parts.joint_groups:
            ends = _joint_ends(alike, at)
            rows.append(_pose_errors(ends.G_R, ends.G_p, ends.S_R, ends.S_p, length)[:, self._axes].ravel())
        for number in range(len(self.parts.pairs)):
            rows.append(self._pair_rows(at, number)[0])
        for said in self.prescribed_markers:
            rows.append(said.weight * marker_residuals(said, at, length))
        return np.concatenate(rows)

    def _pair_rows(self, at: SeparatePosition, number: int) -> tuple[np.ndarray, np.ndarray]:
        """Position rows of a pair and their derivatives by the relative twist, lengths in characteristic lengths."""
        planar, pair = self.parts.mechanism.planar, self.parts.pairs[number]
        relative = self.parts.relative_pose(at, pair)
        phi, slopes = self.parts.pair_residuals[number](numeric(relative.R), numeric(relative.p))
        held = min(pair.position_rows(planar), phi.size)  # rows that count turns do not depend on poses
        unit = np.where(pair.row_lengths(planar)[:held], 1 / self.parts.length, 1.0)
        return unit * phi.ravel()[:held], unit[:, None] * slopes.reshape(-1, 6)[:held]

    # derivatives --------------------------------------------------------------------------------------

    def jacobian(self, at: SeparatePosition) -> BodyJacobian:
        """Derivatives of the rows with respect to motions [δθ; δc / l] of the bodies, and to joint rates."""
        blocks = BodyJacobian(self._axes, len(self.parts.bodies), self.parts.rates)
        for alike in self.parts.joint_groups:
            ends, l = _joint_ends(alike, at), self.parts.length
            first = _point_jacobian(ends.G_p - at.c[alike.first], l)
            second = -_point_jacobian(ends.S_p - at.c[alike.second], l)
            rates = np.concatenate([ends.F_R @ ends.P[:, :3], ends.F_R @ ends.P[:, 3:] / l], axis=1)
            blocks.add_rows(first[:, self._axes], alike.first, second[:, self._axes], alike.second)
            blocks.add_rates(rates[:, self._axes] * alike.unit, alike.v)
            blocks.end_rows()
        for number in range(len(self.parts.pairs)):
            blocks.add_rows(*self._pair_slopes(at, number))
            blocks.end_rows()
        for said in self.prescribed_markers:
            _, p = _marker_poses(at, said.bodies, said.markers)
            slopes = said.weight * _point_jacobian(p - at.c[said.bodies], self.parts.length)
            blocks.add_selected_rows(slopes, said.bodies, said.given_rows)
            blocks.end_rows()
        return blocks

    def _pair_slopes(self, at: SeparatePosition, number: int) -> tuple[np.ndarray, ...]:
        """Derivatives of the rows of a pair by the motion of each of its two bodies, with the indices of these."""
        pair = self.parts.pairs[number]
        ends = [self.parts.marker_from_centre(reference) for reference in (pair.first, pair.second)]
        a, b = (np.array([self.parts.index[r.partition(".")[0]]]) for r in (pair.first, pair.second))
        R_F, l = at.R[a[0]] @ ends[0][:, :3], self.parts.length
        p_S = at.c[b[0]] + at.R[b[0]] @ ends[1][:, 3]
        slopes = self._pair_rows(at, number)[1]
        inertial = np.hstack([slopes[:, :3] @ R_F.T, l * slopes[:, 3:] @ R_F.T])
        motions = [_point_jacobian((p_S - at.c[k[0]])[None], l)[0] for k in (a, b)]
        return (-inertial @ motions[0])[None], a, (inertial @ motions[1])[None], b

    # steps --------------------------------------------------------------------------------------------

    def solver(self, at: SeparatePosition) -> StepSolver:
        """The weighted minimum-norm step y = −C Jᵀ (J C Jᵀ + μ)⁻¹ r, with the inverse weights C."""
        slopes, root = self.jacobian(at), np.sqrt(self._mobility)
        least = _dense_minimum_norm if slopes.height <= MAX_DENSE_ROWS else _sparse_minimum_norm
        solve = least(slopes, self._free_columns, root)
        return lambda r, damping: -root * solve(r, REGULARISATION + damping**2)

    def apply_step(self, at: SeparatePosition, step: np.ndarray) -> SeparatePosition:
        """The position after a step: bodies rotated about their centres and displaced, joints moved by their rates."""
        n, d = len(self.parts.bodies), len(self._axes)
        whole = np.zeros(n * d + self.parts.rates)
        whole[self._free_columns] = step
        twists = np.zeros((n, 6))
        twists[:, self._axes] = whole[: n * d].reshape(n, d)
        R, c = at.R.copy(), at.c.copy()
        R[:-1] = rotations_from_vectors(twists[:, :3]) @ R[:-1]
        c[:-1] += self.parts.length * twists[:, 3:]
        return SeparatePosition(R, c, self.parts.apply_step(at.q, whole[n * d :]))


@dataclass(frozen=True, eq=False)
class _JointEnds:
    """Markers F and S of joints in space, pose G of the second marker computed from the first and q, and P in the
    frame F."""

    F_R: np.ndarray
    G_R: np.ndarray
    G_p: np.ndarray
    S_R: np.ndarray
    S_p: np.ndarray
    P: np.ndarray


def _joint_ends(alike: JointGroup, at: SeparatePosition) -> _JointEnds:
    X, P = alike.poses_and_subspaces(at.q)
    F_R, F_p = _marker_poses(at, alike.first, alike.F)
    S_R, S_p = _marker_poses(at, alike.second, alike.S)
    return _JointEnds(F_R, F_R @ X[:, :, :3], F_p + np.einsum("kij,kj->ki", F_R, X[:, :, 3]), S_R, S_p, P)


def _marker_poses(
    at: SeparatePosition, bodies: np.ndarray, markers: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Rotations and positions of markers in space."""
    R = at.R[bodies]
    return R @ markers[:, :, :3], at.c[bodies] + np.einsum("kij,kj->ki", R, markers[:, :, 3])


def _pose_errors(R: np.ndarray, p: np.ndarray, S_R: np.ndarray, S_p: np.ndarray, length: float) -> np.ndarray:
    """[log(R R_Sᵀ); (p − p_S) / l], (m, 6)."""
    return np.concatenate([rotation_vectors(R @ S_R.swapaxes(1, 2)), (p - S_p) / length], axis=1)


def marker_residuals(said: PrescribedMarkers, at: SeparatePosition, length: float) -> np.ndarray:
    """Deviations from the prescribed poses of markers, row by row, in radians and characteristic lengths."""
    R, p = _marker_poses(at, said.bodies, said.markers)
    rows: np.ndarray = _pose_errors(R, p, said.poses[:, :, :3], said.poses[:, :, 3], length)[said.given_rows]
    return rows


def _dense_minimum_norm(slopes: BodyJacobian, free: np.ndarray, root: np.ndarray) -> StepSolver:
    """A function of r and μ that returns Jᵀ (J Jᵀ + μ)⁻¹ r, with the free columns of J multiplied by `root`."""
    J = slopes.dense()[:, free] * root
    normal, unit = J @ J.T, np.eye(len(J))
    return lambda r, floor: J.T @ np.linalg.solve(normal + floor * unit, r)


def _sparse_minimum_norm(slopes: BodyJacobian, free: np.ndarray, root: np.ndarray) -> StepSolver:
    """The same as `_dense_minimum_norm` for many rows, with sparse matrices."""
    J = slopes.sparse()[:, free] @ sp.diags(root)
    normal, unit = (J @ J.T).tocsc(), sp.identity(slopes.height, format="csc")
    return lambda r, floor: J.T @ spla.splu(normal + floor * unit).solve(r)


def _point_jacobian(arms: np.ndarray, length: float) -> np.ndarray:
    """Derivative of [δθ; δp / l] of points at `arms` from the centres of bodies, by [δθ; δc / l]: (m, 6, 6)."""
    found = np.broadcast_to(np.eye(6), (len(arms), 6, 6)).copy()
    found[:, 3:, :3] = -cross_matrices(arms) / length
    return found
