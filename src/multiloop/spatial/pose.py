"""Poses: position and orientation of one frame in another."""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from multiloop.spatial.matrix import Matrix
from multiloop.spatial.rotation import composed


@dataclass(frozen=True)
class Pose:
    """Pose of frame B in frame A: x_A = p + R x_B.

    R is R_AB (3×3), p the origin of B in A (3×1).
    """

    R: Matrix
    p: Matrix

    def __matmul__(self, inner: Pose) -> Pose:
        """Pose of C in A from B in A and C in B."""
        return Pose(composed(self.R, inner.R), self.p + self.R @ inner.p)

    def inverse(self) -> Pose:
        """Pose of A in B."""
        return Pose(self.R.T, -(self.R.T @ self.p))

    def point(self, x: Matrix) -> Matrix:
        """The coordinates in A of a point given in B."""
        return self.p + self.R @ x


IDENTITY = Pose(ca.DM.eye(3), ca.DM(3, 1))
