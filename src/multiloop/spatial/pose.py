"""Poses of frames, and the transport of twists and wrenches between points of one body."""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from multiloop.spatial.rotation import Matrix, compose_rotations, skew


@dataclass(frozen=True)
class Pose:
    """Pose of frame B in frame A: x_A = p + R x_B.

    R is R_AB (3×3), p the origin of B in A (3×1).
    """

    R: Matrix
    p: Matrix

    def __matmul__(self, inner: Pose) -> Pose:
        """Pose of C in A from B in A and C in B."""
        return Pose(compose_rotations(self.R, inner.R), self.p + self.R @ inner.p)

    def inverse(self) -> Pose:
        """Pose of A in B."""
        return Pose(self.R.T, -(self.R.T @ self.p))

    def point(self, x: Matrix) -> Matrix:
        """The coordinates in A of a point given in B."""
        return self.p + self.R @ x


IDENTITY = Pose(ca.DM.eye(3), ca.DM(3, 1))


def twist_matrix(r: Matrix) -> Matrix:
    """Twist propagation from a point O to the point O + r of the same body.

        A = [1 0; −r̃ 1],   t_(O+r) = A t_O

    Source: [chaudhary], eqs. (17)–(18).
    Differs: their a_(i,i−1) points from the new origin back to the old one, ours forward: r̃ = −ã.
    """
    return ca.vertcat(
        ca.horzcat(ca.DM.eye(3), ca.DM(3, 3)),
        ca.horzcat(-skew(r), ca.DM.eye(3)),
    )


def transport_wrench(w: Matrix, r: Matrix) -> Matrix:
    """The wrench w at O + r, reduced to O:  [n + r × f; f]."""
    return ca.vertcat(w[:3] + ca.cross(r, w[3:]), w[3:])
