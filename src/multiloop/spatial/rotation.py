"""Matrices of CasADi numbers and symbols, cross products, rotation matrices, quaternions and poses.

Theory: docs/theory/01-notation.md, eqs. (1.1)–(1.5), (1.8)–(1.10).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import casadi as ca
import numpy as np

SNAP_TOLERANCE = 4e-16
"""Entries of a rotation matrix that are closer than this to 0 or ±1 are set to 0 or ±1 by `snap_rotation`."""

PARALLEL = 1e-9
"""Angle in radians below which two directions are taken as parallel."""

COS_30 = np.cos(np.pi / 6)


def skew(a: Matrix) -> Matrix:
    """The cross-product matrix ã with ã x = a × x."""
    return matrix([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def unskew(S: Matrix) -> Matrix:
    """The vector of the skew-symmetric part of S: unskew(ã) = a. For a small rotation S it is approximately the
    rotation vector."""
    return ca.vertcat(S[2, 1] - S[1, 2], S[0, 2] - S[2, 0], S[1, 0] - S[0, 1]) / 2


def Rx(angle: Any) -> Matrix:
    """Rotation matrix about the x axis; `angle` in radians."""
    c, s = ca.cos(angle), ca.sin(angle)
    return matrix([[1, 0, 0], [0, c, -s], [0, s, c]])


def Ry(angle: Any) -> Matrix:
    """Rotation matrix about the y axis; `angle` in radians."""
    c, s = ca.cos(angle), ca.sin(angle)
    return matrix([[c, 0, s], [0, 1, 0], [-s, 0, c]])


def Rz(angle: Any) -> Matrix:
    """Rotation matrix about the z axis; `angle` in radians."""
    c, s = ca.cos(angle), ca.sin(angle)
    return matrix([[c, -s, 0], [s, c, 0], [0, 0, 1]])


def compose_rotations(R_AB: Matrix, R_BC: Matrix) -> Matrix:
    """The product R_AC = R_AB R_BC; if one of the rotations is symbolic and both are about z, their angles are added.

    R_z(a) R_z(b) = R_z(a + b)
    """
    if isinstance(R_AB, ca.SX) or isinstance(R_BC, ca.SX):
        one, other = angle_about_z(R_AB), angle_about_z(R_BC)
        if one is not None and other is not None:
            quarters, angle = one[0] + other[0], one[1] + other[1]
            return Rz(angle) @ _quarter_turns(quarters) if quarters % 4 else Rz(angle)
    return R_AB @ R_BC


def angle_about_z(R: Matrix) -> tuple[int, Any] | None:
    """Integer k and angle a in radians with R = R_z(a + k π/2), for a rotation matrix R about z; None for any other
    matrix, and for a symbolic rotation about z whose entries are not ±cos a and ±sin a."""
    R = ca.sparsify(R) if isinstance(R, ca.DM) else R
    if not _has_planar_pattern(R.sparsity()):
        return None
    if isinstance(R, ca.DM):
        c, s = float(R[0, 0]), float(R[1, 0])
        if float(R[2, 2]) != 1.0 or float(R[1, 1]) != c or float(R[0, 1]) != -s:
            return None
        k = {(1.0, 0.0): 0, (0.0, 1.0): 1, (-1.0, 0.0): 2, (0.0, -1.0): 3}.get((c, s))
        return (0, float(np.arctan2(s, c))) if k is None else (k, 0.0)
    if not R[2, 2].is_one():
        return None
    (c_sign, c_name, a), (s_sign, s_name, b) = _signed_trig(R[0, 0]), _signed_trig(R[1, 0])
    known = {("cos", 1, "sin", 1): (0, 1), ("cos", 1, "sin", -1): (0, -1)}
    known |= {("sin", -1, "cos", 1): (1, 1), ("sin", 1, "cos", 1): (1, -1)}
    known |= {("cos", -1, "sin", -1): (2, 1), ("cos", -1, "sin", 1): (2, -1)}
    known |= {("sin", 1, "cos", -1): (3, 1), ("sin", -1, "cos", -1): (3, -1)}
    found = known.get((c_name, c_sign, s_name, s_sign))
    if found is None or not ca.is_equal(a, b):
        return None
    return found[0], found[1] * a


def _has_planar_pattern(pattern: ca.Sparsity) -> bool:
    """Whether the last diagonal entry (zz) is the only nonzero entry in the third row and the third column of the
    sparsity pattern of a 3×3 matrix."""
    places = set(zip(pattern.row(), pattern.get_col(), strict=True))
    return pattern.shape == (3, 3) and (2, 2) in places and not places & {(0, 2), (1, 2), (2, 0), (2, 1)}


def _signed_trig(x: Matrix) -> tuple[int, str, Any]:
    """Sign, name ("cos" or "sin") and argument a of the expression ±cos a or ±sin a; the name is empty for other
    expressions."""
    sign = 1
    if x.is_op(ca.OP_NEG):
        sign, x = -1, x.dep(0)
    name = "cos" if x.is_op(ca.OP_COS) else "sin" if x.is_op(ca.OP_SIN) else ""
    return sign, name, x.dep(0) if name else x


def _quarter_turns(k: int) -> Matrix:
    c, s = ((1, 0), (0, 1), (-1, 0), (0, -1))[k % 4]
    return matrix([[c, -s, 0], [s, c, 0], [0, 0, 1]])


def quaternion_matrix(e: Matrix) -> Matrix:
    """Rotation matrix of a quaternion e = [e₀; ε], which need not be normalised.

    R(e) = 1 + (2/|e|²) (e₀ ε̃ + ε̃²),   1: unit matrix, ε̃: cross-product matrix of ε
    """
    S = skew(e[1:4])
    return ca.DM.eye(3) + (2 / ca.sumsqr(e)) * (e[0] * S + S @ S)


def quaternion_rate_map(e: Matrix) -> Matrix:
    """The 4×3 matrix E(e) of ė = E ω for a quaternion e = [e₀; ε], with the angular velocity ω in the *fixed* (first)
    frame.

    ė = ½ [0; ω] ⊗ e,   E(e) = ½ [−εᵀ; e₀ 1 − ε̃],   1: unit matrix, ε̃: cross-product matrix of ε
    """
    S = skew(e[1:4])
    return ca.vertcat(-e[1:4].T, e[0] * ca.DM.eye(3) - S) / 2


def quaternion_from_matrix(R: np.ndarray) -> np.ndarray:
    """The unit quaternion (scalar first, e₀ ≥ 0) of a numeric rotation matrix, or of an array of them, (3, 3, count).

    It is the normalised largest column of the matrix 4 e eᵀ, whose entries are linear in R. The result is accurate for
    every rotation.
    """
    t = R[0, 0] + R[1, 1] + R[2, 2]
    x, y, z = R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]
    xy, xz, yz = R[0, 1] + R[1, 0], R[0, 2] + R[2, 0], R[1, 2] + R[2, 1]
    squares = [1 + t, *(1 + 2 * R[k, k] - t for k in range(3))]
    four_eeT = np.array(
        [[squares[0], x, y, z], [x, squares[1], xy, xz], [y, xy, squares[2], yz], [z, xz, yz, squares[3]]]
    )
    dominant = np.asarray(np.argmax(squares, axis=0))[None, None]
    e = np.take_along_axis(four_eeT, dominant, axis=1)[:, 0]
    e = e / np.linalg.norm(e, axis=0)
    positive: np.ndarray = np.where(e[0] < 0, -e, e)
    return positive


def traced_quaternion(R: Matrix) -> Matrix:
    """The unit quaternion (scalar first, e₀ ≥ 0) of a rotation matrix as an expression.

    It is the normalised column of the matrix K = 4 e eᵀ with the largest diagonal entry, as in
    `quaternion_from_matrix`: with t = tr R, K₀₀ = 1 + t, and K_kk = 1 + 2 R_kk − t for the axes k.
    """
    t = ca.trace(R)
    K = ca.SX(4, 4)
    K[0, 0] = 1 + t
    for i, (j, k) in enumerate(((1, 2), (2, 0), (0, 1))):
        K[i + 1, i + 1] = 1 + 2 * R[i, i] - t
        K[0, i + 1] = K[i + 1, 0] = R[k, j] - R[j, k]
        K[j + 1, k + 1] = K[k + 1, j + 1] = R[j, k] + R[k, j]
    e, largest = K[:, 0], K[0, 0]
    for i in range(1, 4):
        exceeds = K[i, i] > largest
        e, largest = ca.if_else(exceeds, K[:, i], e), ca.if_else(exceeds, K[i, i], largest)
    return ca.if_else(e[0] < 0, -e, e) / ca.sqrt(ca.dot(e, e))


def snap_rotation(R: np.ndarray) -> np.ndarray:
    """The rotation matrix with entries that differ from 0 or ±1 only by round-off set to exactly 0 or ±1."""
    nearest = np.round(R)
    return np.where(np.abs(R - nearest) <= SNAP_TOLERANCE, nearest, R) + 0.0


def frame_of_axes(z: np.ndarray, x: np.ndarray | None = None) -> np.ndarray:
    """The rotation whose third column is along `z` and whose first column is nearest to `x`.

        z ← z/|z|,   x ← x/|x|,   x ← (x − (x·z) z) / |x − (x·z) z|,   R = [x, z × x, z]

    By default x is the first of the axes X, Y, Z at more than 30° from z. Raises ValueError if a direction is zero or
    if x is parallel to z.
    """
    z = _unit(z, "z")
    x = next(axis for axis in np.eye(3) if abs(axis @ z) < COS_30) if x is None else _unit(x, "x")
    if np.linalg.norm(np.cross(z, x)) < PARALLEL:  # sine of the angle between the directions
        raise ValueError("its x direction is parallel to its z direction")
    for _ in range(2):  # the second pass removes the round-off of the first
        x = x - (x @ z) * z
        x = x / np.linalg.norm(x)
    return snap_rotation(np.column_stack([x, np.cross(z, x), z]))


def _unit(direction: np.ndarray, name: str) -> np.ndarray:
    """The unit vector of a direction; the direction is scaled first, so that squares neither underflow nor overflow.
    `name` is the name of the direction ("x" or "z") in the ValueError for a direction of zero length."""
    a = np.asarray(direction, float)
    largest = np.abs(a).max()
    if largest == 0:
        raise ValueError(f"its {name} direction is zero")
    a = a / largest
    unit: np.ndarray = a / np.linalg.norm(a)
    return unit


Matrix = Any
"""A CasADi SX (symbols) or DM (numbers); CasADi has no type annotations."""


class Column(ca.SX):
    """A column of symbols whose slices are also columns; CasADi returns a row for the empty slice of a 1×1 matrix."""

    def __getitem__(self, place: Any) -> Matrix:
        return super().__getitem__((place, slice(None)) if isinstance(place, slice) else place)


def as_column(vector: Matrix) -> Matrix:
    """The vector as a `Column` if it consists of symbols, so that all its slices are columns; numbers are returned
    unchanged."""
    return Column(vector) if isinstance(vector, ca.SX) else vector


def matrix(rows: Sequence[Sequence[Any]]) -> Matrix:
    """A matrix from nested rows; exact zeros become structural zeros, which are omitted in products.

    It is a DM if every entry is a number, otherwise an SX.
    """
    return ca.sparsify(ca.vertcat(*[ca.horzcat(*row) for row in rows]))


def column(entries: Sequence[Any]) -> Matrix:
    """A column vector; entries that are exactly zero become structural zeros (not stored)."""
    return ca.sparsify(ca.vertcat(*entries))


def zeros(rows: int, columns: int = 1) -> Matrix:
    """A zero matrix without stored entries."""
    return ca.DM(rows, columns)


def numeric(value: Matrix) -> np.ndarray:
    """A DM, or an SX without symbols, as a NumPy array; a column becomes one-dimensional. NumPy arrays are returned
    unchanged."""
    if isinstance(value, np.ndarray):
        return value
    array: np.ndarray = ca.DM(ca.evalf(value) if isinstance(value, ca.SX) else value).full()
    return array[:, 0] if array.shape[1] == 1 else array


@dataclass(frozen=True)
class Pose:
    """Pose of frame B in frame A: x_A = p + R x_B.

    R is R_AB (3×3), p the origin of B in A (3×1).
    """

    R: Matrix
    p: Matrix

    def __matmul__(self, inner: Pose) -> Pose:
        """Pose of frame C in A: this pose of B in A times the pose `inner` of C in B."""
        return Pose(compose_rotations(self.R, inner.R), self.p + self.R @ inner.p)

    def inverse(self) -> Pose:
        """The inverse pose, of frame A in B."""
        return Pose(self.R.T, -(self.R.T @ self.p))

    def point(self, x: Matrix) -> Matrix:
        """The coordinates in frame A of a point given in frame B."""
        return self.p + self.R @ x


IDENTITY = Pose(ca.DM.eye(3), ca.DM(3, 1))


def twist_matrix(r: Matrix) -> Matrix:
    """The 6×6 matrix that transforms a twist at a point O to the twist at the point O + r of the same body.

        A = [1 0; −r̃ 1],   t_(O+r) = A t_O,   1: unit matrix, r̃: cross-product matrix of r

    Source: [chaudhary], eqs. (17)–(18).
    Differs: the vector a_(i,i−1) of the source points from the new origin back to O, here r points from O to the new
    origin, so that r̃ = −ã.
    """
    return ca.vertcat(
        ca.horzcat(ca.DM.eye(3), ca.DM(3, 3)),
        ca.horzcat(-skew(r), ca.DM.eye(3)),
    )


def transport_wrench(w: Matrix, r: Matrix) -> Matrix:
    """The wrench w = [n; f] at the point O + r, transformed to the point O: [n + r × f; f]."""
    return ca.vertcat(w[:3] + ca.cross(r, w[3:]), w[3:])
