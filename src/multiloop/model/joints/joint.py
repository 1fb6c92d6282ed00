"""What every joint can say of itself: how it moves, what it holds, and how it closes a loop.

F is the frame of the joint's first marker, S that of its second. All matrices are in F and at the origin of
S, six rows [ω; v] or [n; f]. A planar mechanism keeps only the rows and columns of (ω_z, v_x, v_y).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import casadi as ca
import numpy as np

from multiloop.spatial import Matrix, Pose, numeric, quaternion_of

IN_PLANE = (2, 3, 4)
"""Rows of a twist or wrench that a planar mechanism uses: ω_z, v_x, v_y."""

AXES = ("x", "y", "z")


@dataclass(frozen=True)
class Joint(ABC):
    """Two markers held together. `first` and `second` are written "body.marker".

    q is the pose of the second marker relative to the first, whichever way a spanning tree runs.
    """

    name: str
    first: str
    second: str

    planar_too: ClassVar[bool] = False  # whether it may stand in a planar mechanism
    must_stay: ClassVar[bool] = False  # whether it must stay in the tree
    coordinates: ClassVar[tuple[str, ...]] = ()  # one name for each entry of v
    turns: ClassVar[tuple[bool, ...]] = ()  # which entries of q are angles that come round after 2π

    def components(self, planar: bool) -> tuple[str, ...]:
        """Names of the entries of v, in order."""
        return self.coordinates

    def freedoms(self, planar: bool) -> int:
        """Number of degrees of freedom, the length of v."""
        return len(self.components(planar))

    def turning(self, planar: bool) -> tuple[bool, ...]:
        """Which entries of q are angles that come round after 2π."""
        return self.turns

    def positions(self, planar: bool) -> int:
        """Length of q; longer than v by one where q holds a quaternion."""
        return self.freedoms(planar)

    def neutral(self, planar: bool) -> np.ndarray:
        """q at which the two markers coincide."""
        return np.zeros(self.positions(planar))

    def rate_map(self, q: Matrix, planar: bool) -> Matrix:
        """The matrix E(q) of q̇ = E v."""
        return ca.DM.eye(self.freedoms(planar))

    @abstractmethod
    def pose(self, q: Matrix, planar: bool) -> Pose:
        """Pose of S in F."""

    @abstractmethod
    def freedom(self, pose: Pose, planar: bool) -> Matrix:
        """6×f matrix P: the relative twist is P v (joint-rate propagation, [chaudhary], eq. (20))."""

    def freedom_rate(self, pose: Pose, omega: Matrix, planar: bool) -> Matrix:
        """Time derivative of P seen in F, when S turns in F with ω; zero unless an axis moves in F."""
        return ca.DM(6, self.freedoms(planar))

    def wrenches(self, pose: Pose, planar: bool) -> Matrix:
        """6×c matrix W of the wrenches that the joint can transmit: Wᵀ P = 0 and P, W together span all."""
        W = self.held(pose, planar)
        if not planar:
            return W
        inside = [k for k in range(W.shape[1]) if set(_rows_used(W[:, k])) <= set(IN_PLANE)]
        return W[:, inside]

    @abstractmethod
    def held(self, pose: Pose, planar: bool) -> Matrix:
        """The wrenches transmitted in space, one column each: moments first, then forces."""

    def wrenches_rate(self, pose: Pose, omega: Matrix, planar: bool) -> Matrix:
        """Time derivative of W seen in F; zero unless an axis moves in F."""
        return ca.DM(6, self.wrenches(pose, planar).shape[1])

    def wrench_names(self, planar: bool) -> tuple[str, ...]:
        """A word for each column of W, along the axes of the first marker."""
        W = self.wrenches(self.pose(ca.DM(self.neutral(planar)), planar), planar).full()
        return tuple(map(_name_of, W.T))

    def closure(self, pose: Pose, planar: bool) -> Matrix:
        """Rows that vanish when the joint is closed; their rate is Wᵀ times the relative twist there."""
        raise TypeError(f"joint '{self.name}' must stay in the tree: a {type(self).__name__} cannot be cut")

    def flipped(self, pose: Pose) -> bool:
        """Whether the rows of `closure` vanish at an upside-down solution that is not the joint."""
        return False

    @abstractmethod
    def read(self, pose: Pose, near: np.ndarray, planar: bool) -> np.ndarray:
        """q from a pose of numbers, on the turn nearest to `near`."""


def nearest_turn(angle: float, near: float) -> float:
    """The angle plus the whole turns that bring it nearest to `near`."""
    return angle + 2 * np.pi * round((near - angle) / (2 * np.pi))


def turn_about_z(pose: Pose, near: float) -> float:
    """The angle about the common z, on the turn nearest to `near`; a small tilt moves it in second order."""
    R = numeric(pose.R)
    return nearest_turn(float(np.arctan2(R[1, 0] - R[0, 1], R[0, 0] + R[1, 1])), near)


def quaternion_near(R: Matrix, near: np.ndarray) -> np.ndarray:
    """The unit quaternion of a rotation, of the two signs the one nearer to `near`."""
    e = quaternion_of(numeric(R))
    return e if e @ near >= 0 else -e


def turned_over(pose: Pose) -> bool:
    """Whether S has turned by more than a right angle where it should not turn at all: 1 + 2 cos θ < 1."""
    return float(ca.trace(pose.R)) < 1.0


def upside_down(pose: Pose) -> bool:
    """Whether the z axes of S and F point in opposite directions."""
    return float(pose.R[2, 2]) < 0.0


def unit(*rows: int) -> Matrix:
    """Columns of the 6×6 identity: unit twists or wrenches, 0–2 about and 3–5 along x, y, z."""
    return ca.DM.eye(6)[:, list(rows)]


def _rows_used(column: Matrix) -> list[int]:
    return list(ca.sparsify(column).sparsity().row())


def _name_of(column: np.ndarray) -> str:
    """The name of a unit wrench; joints with any other name theirs themselves."""
    row = int(np.flatnonzero(column)[0])
    return f"moment about {AXES[row]}" if row < 3 else f"force along {AXES[row - 3]}"
