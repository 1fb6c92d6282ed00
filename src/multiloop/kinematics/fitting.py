"""Fit of body poses to the joints: the closed position nearest to a rough one.

Rows of a joint with coordinates q; F and S are its markers on the bodies as placed, l is the characteristic length:

    e = [log(R_F R(q) R_Sᵀ);  (p_F + R_F p(q) − p_S) / l]

Newton's steps are the smallest motions of the bodies that satisfy the linearised rows. They do not depend on a spanning
tree: a body at the end of a long branch moves no more than one near the ground.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from multiloop.kinematics.body_blocks import BodyBlocks
from multiloop.kinematics.joint_shapes import Alike
from multiloop.kinematics.newton import Solve
from multiloop.kinematics.parts import Loose, Parts
from multiloop.kinematics.sparse_matrices import sp, spla
from multiloop.model.connection import IN_PLANE
from multiloop.spatial import numeric
from multiloop.spatial.turns import cross_matrices, rotation_vectors, rotations_by

FOLLOWS = 100.0
"""Mobility of joint coordinates relative to bodies: a step changes coordinates more readily than poses of bodies."""

SMALL = 60
"""Number of rows up to which dense matrices are faster."""

REGULAR = 1e-10
"""Added to the squares of the singular values, so that redundant rows are allowed."""


@dataclass(frozen=True, eq=False)
class Sayings:
    """Prescribed poses of m markers: bodies (m), poses in the bodies and in space (m, 3, 4), prescribed rows (m, 6)."""

    bodies: np.ndarray
    markers: np.ndarray
    where: np.ndarray
    given: np.ndarray
    weight: float = 1.0


@dataclass(frozen=True, eq=False)
class Fitting:
    """Rows of all joints, pairs and prescribed markers; joint coordinates that are `fixed` (by rate) do not change."""

    parts: Parts
    fixed: np.ndarray
    said: tuple[Sayings, ...] = ()

    @cached_property
    def _axes(self) -> list[int]:
        """Components of a twist that are used."""
        return list(IN_PLANE) if self.parts.mechanism.planar else list(range(6))

    @cached_property
    def _free(self) -> np.ndarray:
        """Free columns: those of bodies, then those of joint rates that are not fixed."""
        bodies = len(self._axes) * len(self.parts.bodies)
        return np.concatenate([np.arange(bodies), bodies + np.flatnonzero(~self.fixed)])

    @cached_property
    def _readiness(self) -> np.ndarray:
        """Inverse weights of the free columns: rotations of a body count by the mean displacement of its markers."""
        turns = np.array([axis < 3 for axis in self._axes])
        bodies = np.where(turns, 1 / self.parts.radii[:, None] ** 2, 1.0).ravel()
        found: np.ndarray = np.concatenate([bodies, np.full(self.parts.rates, FOLLOWS)])[self._free]
        return found

    # rows ---------------------------------------------------------------------------------------------

    def residual(self, at: Loose) -> np.ndarray:
        """All rows: of joints by type, of pairs, of prescribed markers."""
        rows, length = [np.zeros(0)], self.parts.length
        for alike in self.parts.alike:
            ends = _ends(alike, at)
            rows.append(_misfits(ends.G_R, ends.G_p, ends.S_R, ends.S_p, length)[:, self._axes].ravel())
        for number in range(len(self.parts.pairs)):
            rows.append(self._pair(at, number)[0])
        for said in self.said:
            rows.append(said.weight * said_rows(said, at, length))
        return np.concatenate(rows)

    def _pair(self, at: Loose, number: int) -> tuple[np.ndarray, np.ndarray]:
        """Position rows of a pair and their derivatives by the relative twist, lengths in characteristic lengths."""
        planar, pair = self.parts.mechanism.planar, self.parts.pairs[number]
        relative = self.parts.relative(at, pair)
        phi, slopes = self.parts.closures[number](numeric(relative.R), numeric(relative.p))
        held = min(pair.position_rows(planar), phi.size)  # rows that count turns do not depend on poses
        unit = np.where(pair.row_lengths(planar)[:held], 1 / self.parts.length, 1.0)
        return unit * phi.ravel()[:held], unit[:, None] * slopes.reshape(-1, 6)[:held]

    # derivatives --------------------------------------------------------------------------------------

    def slopes(self, at: Loose) -> BodyBlocks:
        """Derivatives of the rows by motions [δθ; δc / l] of the bodies about their centres, and by joint rates."""
        blocks = BodyBlocks(self._axes, len(self.parts.bodies), self.parts.rates)
        for alike in self.parts.alike:
            ends, l = _ends(alike, at), self.parts.length
            first = _moving(ends.G_p - at.c[alike.first], l)
            second = -_moving(ends.S_p - at.c[alike.second], l)
            rates = np.concatenate([ends.F_R @ ends.P[:, :3], ends.F_R @ ends.P[:, 3:] / l], axis=1)
            blocks.add_rows(first[:, self._axes], alike.first, second[:, self._axes], alike.second)
            blocks.add_rates(rates[:, self._axes] * alike.unit, alike.v)
            blocks.close()
        for number in range(len(self.parts.pairs)):
            blocks.add_rows(*self._pair_slopes(at, number))
            blocks.close()
        for said in self.said:
            _, p = _placed(at, said.bodies, said.markers)
            slopes = said.weight * _moving(p - at.c[said.bodies], self.parts.length)
            blocks.add_some(slopes, said.bodies, said.given)
            blocks.close()
        return blocks

    def _pair_slopes(self, at: Loose, number: int) -> tuple[np.ndarray, ...]:
        """Derivatives of the rows of a pair by the motion of each of its two bodies, with the indices of these."""
        pair = self.parts.pairs[number]
        ends = [self.parts.frame(reference) for reference in (pair.first, pair.second)]
        a, b = (np.array([self.parts.index[r.partition(".")[0]]]) for r in (pair.first, pair.second))
        R_F, l = at.R[a[0]] @ ends[0][:, :3], self.parts.length
        p_S = at.c[b[0]] + at.R[b[0]] @ ends[1][:, 3]
        slopes = self._pair(at, number)[1]
        inertial = np.hstack([slopes[:, :3] @ R_F.T, l * slopes[:, 3:] @ R_F.T])
        motions = [_moving((p_S - at.c[k[0]])[None], l)[0] for k in (a, b)]
        return (-inertial @ motions[0])[None], a, (inertial @ motions[1])[None], b

    # steps --------------------------------------------------------------------------------------------

    def solver(self, at: Loose) -> Solve:
        """The weighted minimum-norm step y = −C Jᵀ (J C Jᵀ + μ)⁻¹ r, with the inverse weights C."""
        slopes, root = self.slopes(at), np.sqrt(self._readiness)
        least = _least_by_array if slopes.height <= SMALL else _least_by_sparse_matrix
        solve = least(slopes, self._free, root)
        return lambda r, damping: -root * solve(r, REGULAR + damping**2)

    def moved(self, at: Loose, step: np.ndarray) -> Loose:
        """The position after a step: bodies rotated about their centres and displaced, joints moved by their rates."""
        n, d = len(self.parts.bodies), len(self._axes)
        whole = np.zeros(n * d + self.parts.rates)
        whole[self._free] = step
        twists = np.zeros((n, 6))
        twists[:, self._axes] = whole[: n * d].reshape(n, d)
        R, c = at.R.copy(), at.c.copy()
        R[:-1] = rotations_by(twists[:, :3]) @ R[:-1]
        c[:-1] += self.parts.length * twists[:, 3:]
        return Loose(R, c, self.parts.moved(at.q, whole[n * d :]))


@dataclass(frozen=True, eq=False)
class _Ends:
    """Markers F, S of joints in space, the pose G of the second one from the first and q, and P in the frame F."""

    F_R: np.ndarray
    G_R: np.ndarray
    G_p: np.ndarray
    S_R: np.ndarray
    S_p: np.ndarray
    P: np.ndarray


def _ends(alike: Alike, at: Loose) -> _Ends:
    X, P = alike.at(at.q)
    F_R, F_p = _placed(at, alike.first, alike.F)
    S_R, S_p = _placed(at, alike.second, alike.S)
    return _Ends(F_R, F_R @ X[:, :, :3], F_p + np.einsum("kij,kj->ki", F_R, X[:, :, 3]), S_R, S_p, P)


def _placed(at: Loose, bodies: np.ndarray, markers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rotations and positions of markers in space."""
    R = at.R[bodies]
    return R @ markers[:, :, :3], at.c[bodies] + np.einsum("kij,kj->ki", R, markers[:, :, 3])


def _misfits(R: np.ndarray, p: np.ndarray, S_R: np.ndarray, S_p: np.ndarray, length: float) -> np.ndarray:
    """[log(R R_Sᵀ); (p − p_S) / l], (m, 6)."""
    return np.concatenate([rotation_vectors(R @ S_R.swapaxes(1, 2)), (p - S_p) / length], axis=1)


def said_rows(said: Sayings, at: Loose, length: float) -> np.ndarray:
    """Deviations from the prescribed poses of markers, row by row, in radians and characteristic lengths."""
    R, p = _placed(at, said.bodies, said.markers)
    rows: np.ndarray = _misfits(R, p, said.where[:, :, :3], said.where[:, :, 3], length)[said.given]
    return rows


def _least_by_array(slopes: BodyBlocks, free: np.ndarray, root: np.ndarray) -> Solve:
    """A function from r and μ to Jᵀ (J Jᵀ + μ)⁻¹ r, where the free columns of J are multiplied by `root`."""
    J = slopes.array()[:, free] * root
    normal, unit = J @ J.T, np.eye(len(J))
    return lambda r, floor: J.T @ np.linalg.solve(normal + floor * unit, r)


def _least_by_sparse_matrix(slopes: BodyBlocks, free: np.ndarray, root: np.ndarray) -> Solve:
    """The same as `_least_by_array` for many rows, with sparse matrices."""
    J = slopes.matrix()[:, free] @ sp.diags(root)
    normal, unit = (J @ J.T).tocsc(), sp.identity(slopes.height, format="csc")
    return lambda r, floor: J.T @ spla.splu(normal + floor * unit).solve(r)


def _moving(arms: np.ndarray, length: float) -> np.ndarray:
    """Derivative of [δθ; δp / l] of points at `arms` from the centres of bodies, by [δθ; δc / l]: (m, 6, 6)."""
    found = np.broadcast_to(np.eye(6), (len(arms), 6, 6)).copy()
    found[:, 3:, :3] = -cross_matrices(arms) / length
    return found
