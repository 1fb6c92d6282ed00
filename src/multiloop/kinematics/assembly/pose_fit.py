"""Least-squares fit of body poses to the joints: the closed position nearest to an approximate one.

The residual of a joint with coordinates q is e. F and S are its markers on the bodies as they are placed, with the
rotations R_F, R_S and positions p_F, p_S in the inertial frame; R(q) and p(q) are the rotation and position of S in F
for the coordinates q, and l is the characteristic length:

    e = [log(R_F R(q) R_Sᵀ);  (p_F + R_F p(q) − p_S) / l]

The steps of Newton's method are the smallest motions of the bodies that satisfy the linearised equations. The steps do
not depend on a spanning tree: a body at the end of a long branch moves no more than a body near the ground.

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
    """Jacobian with columns for the motions [δθ; δc / l] of all bodies, followed by columns for the joint rates.

    δθ is the rotation of a body, δc the displacement of its centre, and l the characteristic length. `axes` are the
    indices of the components used: all six in space, three in the plane. Rows are added in blocks.
    """

    def __init__(self, axes: list[int], bodies: int, rates: int) -> None:
        self._axes, self._bodies, self._width = axes, bodies, len(axes) * bodies + rates
        self._values, self._rows, self._columns = [np.zeros(0)], [np.zeros(0, int)], [np.zeros(0, int)]
        self._at, self._tall = 0, 0

    def add_rows(self, first: np.ndarray, a: np.ndarray, second: np.ndarray, b: np.ndarray) -> None:
        """Add the derivatives of the residuals of m joints with respect to the motions of their two bodies: `first`
        for the bodies with the indices `a`, `second` for those with the indices `b`, (m, rows, 6) each."""
        for slopes, body in ((first, a), (second, b)):
            columns = len(self._axes) * body[:, None] + np.arange(len(self._axes))
            self._add(slopes[:, :, self._axes], np.where(body[:, None] < 0, -1, columns))

    def add_rates(self, slopes: np.ndarray, v: np.ndarray) -> None:
        """Add the derivatives `slopes`, (m, rows, f), of the residuals of m joints with respect to their f rates, whose
        indices are `v`."""
        self._add(slopes, len(self._axes) * self._bodies + v)

    def add_selected_rows(self, slopes: np.ndarray, bodies: np.ndarray, given: np.ndarray) -> None:
        """Add the derivatives `slopes`, (m, 6, 6), of the pose errors of m markers with respect to the motions of their
        bodies, which have the indices `bodies`; only the rows marked in `given` (m, 6) are added."""
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
        """Finish the current rows of the Jacobian; blocks that are added later belong to new rows below them."""
        self._at, self._tall = self._at + self._tall, 0

    @property
    def height(self) -> int:
        """Number of rows of the Jacobian."""
        return self._at

    def dense(self) -> np.ndarray:
        """The Jacobian as a dense matrix."""
        whole = np.zeros((self._at, self._width))
        whole[np.concatenate(self._rows), np.concatenate(self._columns)] = np.concatenate(self._values)
        return whole

    def sparse(self) -> sp.csc_matrix:
        """The Jacobian as a sparse matrix."""
        entries = (np.concatenate(self._values), (np.concatenate(self._rows), np.concatenate(self._columns)))
        return sp.csc_matrix(entries, shape=(self._at, self._width))


COORDINATE_MOBILITY = 100.0
"""Inverse weight of joint coordinates in the norm of a step; the inverse weight of a displacement of a body is 1, so
that a step changes coordinates more than poses of bodies."""

MAX_DENSE_ROWS = 60
"""Number of rows of the Jacobian up to which dense matrices are used, because they are faster."""

REGULARISATION = 1e-10
"""Number added to the squares of the singular values of the Jacobian, so that linearly dependent rows are permitted."""


@dataclass(frozen=True, eq=False)
class PrescribedMarkers:
    """Prescribed poses of m markers.

    bodies      indices of the bodies of the markers (m)
    markers     poses of the markers relative to the centres of their bodies (m, 3, 4)
    poses       prescribed poses of the markers in the inertial frame (m, 3, 4)
    given_rows  which of the six components of each pose are prescribed (m, 6)
    weight      factor of the residuals of the markers in the fit
    """

    bodies: np.ndarray
    markers: np.ndarray
    poses: np.ndarray
    given_rows: np.ndarray
    weight: float = 1.0


@dataclass(frozen=True, eq=False)
class PoseFit:
    """Least-squares problem with the residuals of all joints, pairs and prescribed markers. Joint coordinates marked in
    `fixed_rates`, a Boolean for each rate, do not change."""

    parts: SeparateBodies
    fixed_rates: np.ndarray
    prescribed_markers: tuple[PrescribedMarkers, ...] = ()

    @cached_property
    def _axes(self) -> list[int]:
        """Indices of the components of a twist that are used: all six in space, three in the plane."""
        return list(IN_PLANE) if self.parts.mechanism.planar else list(range(6))

    @cached_property
    def _free_columns(self) -> np.ndarray:
        """Indices of the columns of the Jacobian (`BodyJacobian`) that belong to unknowns of the fit: all columns of
        body motions, followed by the columns of those joint rates that are not fixed."""
        bodies = len(self._axes) * len(self.parts.bodies)
        return np.concatenate([np.arange(bodies), bodies + np.flatnonzero(~self.fixed_rates)])

    @cached_property
    def _mobility(self) -> np.ndarray:
        """Inverse weight, in the norm of a step, of every unknown of the fit (`_free_columns`). The weight of a
        rotation of a body is the square of `SeparateBodies.radii`, the root-mean-square distance of its markers from
        its centre."""
        turns = np.array([axis < 3 for axis in self._axes])
        bodies = np.where(turns, 1 / self.parts.radii[:, None] ** 2, 1.0).ravel()
        found: np.ndarray = np.concatenate([bodies, np.full(self.parts.rates, COORDINATE_MOBILITY)])[
            self._free_columns
        ]
        return found

    # residuals ----------------------------------------------------------------------------------------

    def residual(self, at: SeparatePosition) -> np.ndarray:
        """The residuals of all joints, ordered by type, then of pairs, then of prescribed markers."""
        rows, length = [np.zeros(0)], self.parts.length
        for alike in self.parts.joint_groups:
            ends = _joint_ends(alike, at)
            rows.append(_pose_errors(ends.G_R, ends.G_p, ends.S_R, ends.S_p, length)[:, self._axes].ravel())
        for number in range(len(self.parts.pairs)):
            rows.append(self._pair_rows(at, number)[0])
        for markers in self.prescribed_markers:
            rows.append(markers.weight * marker_residuals(markers, at, length))
        return np.concatenate(rows)

    def _pair_rows(self, at: SeparatePosition, number: int) -> tuple[np.ndarray, np.ndarray]:
        """Position residuals of the pair with index `number`, and their derivatives with respect to the relative twist;
        residuals that are lengths are divided by the characteristic length."""
        planar, pair = self.parts.mechanism.planar, self.parts.pairs[number]
        relative = self.parts.relative_pose(at, pair)
        phi, slopes = self.parts.pair_residuals[number](numeric(relative.R), numeric(relative.p))
        held = min(
            pair.position_rows(planar), phi.size
        )  # rows that count whole turns cannot be computed from poses
        unit = np.where(pair.row_lengths(planar)[:held], 1 / self.parts.length, 1.0)
        return unit * phi.ravel()[:held], unit[:, None] * slopes.reshape(-1, 6)[:held]

    # Jacobian of the residuals ------------------------------------------------------------------------

    def jacobian(self, at: SeparatePosition) -> BodyJacobian:
        """Derivatives of the residuals with respect to the motions [δθ; δc / l] of the bodies (rotation; displacement
        of the centre divided by the characteristic length) and to the joint rates."""
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
        """Derivatives of the residuals of the pair with index `number` with respect to the motion of each of its
        bodies, each followed by the index of the body."""
        pair = self.parts.pairs[number]
        ends = [self.parts.marker_from_centre(reference) for reference in (pair.first, pair.second)]
        a, b = (np.array([self.parts.index[r.partition(".")[0]]]) for r in (pair.first, pair.second))
        R_F, l = at.R[a[0]] @ ends[0][:, :3], self.parts.length
        p_S = at.c[b[0]] + at.R[b[0]] @ ends[1][:, 3]
        slopes = self._pair_rows(at, number)[1]
        inertial = np.hstack([slopes[:, :3] @ R_F.T, l * slopes[:, 3:] @ R_F.T])
        motions = [_point_jacobian((p_S - at.c[k[0]])[None], l)[0] for k in (a, b)]
        return (-inertial @ motions[0])[None], a, (inertial @ motions[1])[None], b

    # steps of Newton's method -------------------------------------------------------------------------

    def solver(self, at: SeparatePosition) -> StepSolver:
        """Solver for the weighted minimum-norm step y = −C Jᵀ (J C Jᵀ + μ)⁻¹ r, with residual r, Jacobian J, damping μ
        and the diagonal matrix C of inverse weights."""
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
    """Inertial poses of the markers F and S of several joints, the pose G that S would have according to F and the
    joint coordinates q, and the motion subspaces P in the axes of F."""

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
    """Inertial rotations and positions of markers that are given relative to the centres of their bodies."""
    R = at.R[bodies]
    return R @ markers[:, :, :3], at.c[bodies] + np.einsum("kij,kj->ki", R, markers[:, :, 3])


def _pose_errors(R: np.ndarray, p: np.ndarray, S_R: np.ndarray, S_p: np.ndarray, length: float) -> np.ndarray:
    """The differences [log(R R_Sᵀ); (p − p_S) / l] between m poses (R, p) and m poses (R_S, p_S), (m, 6), with the
    characteristic length l = `length`."""
    return np.concatenate([rotation_vectors(R @ S_R.swapaxes(1, 2)), (p - S_p) / length], axis=1)


def marker_residuals(prescribed: PrescribedMarkers, at: SeparatePosition, length: float) -> np.ndarray:
    """Deviations of markers from their prescribed poses, for the prescribed rows only, in radians and characteristic
    lengths."""
    R, p = _marker_poses(at, prescribed.bodies, prescribed.markers)
    errors = _pose_errors(R, p, prescribed.poses[:, :, :3], prescribed.poses[:, :, 3], length)
    rows: np.ndarray = errors[prescribed.given_rows]
    return rows


def _dense_minimum_norm(slopes: BodyJacobian, free: np.ndarray, root: np.ndarray) -> StepSolver:
    """A function of the residual r and the damping μ that returns Jᵀ (J Jᵀ + μ)⁻¹ r. J consists of the columns with the
    indices `free` of the Jacobian `slopes`, each multiplied by its entry in `root`, the square root of the inverse
    weight."""
    J = slopes.dense()[:, free] * root
    normal, unit = J @ J.T, np.eye(len(J))
    return lambda r, floor: J.T @ np.linalg.solve(normal + floor * unit, r)


def _sparse_minimum_norm(slopes: BodyJacobian, free: np.ndarray, root: np.ndarray) -> StepSolver:
    """The same function as `_dense_minimum_norm`, computed with sparse matrices."""
    J = slopes.sparse()[:, free] @ sp.diags(root)
    normal, unit = (J @ J.T).tocsc(), sp.identity(slopes.height, format="csc")
    return lambda r, floor: J.T @ spla.splu(normal + floor * unit).solve(r)


def _point_jacobian(arms: np.ndarray, length: float) -> np.ndarray:
    """Derivatives (m, 6, 6) of the motions [δθ; δp / l] of m points with respect to the motions [δθ; δc / l] of their
    bodies, with the rotation δθ, the displacements δp and δc of point and centre and the characteristic length l;
    `arms` are the vectors from the centres of the bodies to the points."""
    found = np.broadcast_to(np.eye(6), (len(arms), 6, 6)).copy()
    found[:, 3:, :3] = -cross_matrices(arms) / length
    return found
