"""Transport of twists and wrenches between two points of a body."""

from __future__ import annotations

import casadi as ca

from multiloop.spatial.matrix import Matrix
from multiloop.spatial.rotation import skew


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
