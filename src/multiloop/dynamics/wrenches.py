"""What forces the motion needs: inertia wrenches of the bodies, gathered inward to every joint of the tree."""

from __future__ import annotations

import casadi as ca

from multiloop.kinematics.motion import Accelerated, Moving, Placed
from multiloop.kinematics.recursion import inward
from multiloop.kinematics.skeleton import Link, Skeleton
from multiloop.spatial import Matrix, inertia_wrench, transport_wrench


def needed_wrenches(
    skeleton: Skeleton, placed: list[Placed], moving: list[Moving], accelerated: list[Accelerated]
) -> list[Matrix]:
    """w* of every body at its inboard origin; with the ground accelerated by −g it includes the weight.

    Source: [chaudhary], eq. (5), w* = M ṫ + W M E t.
    """
    found = []
    for k, link in enumerate(skeleton.links):
        body, R = link.reduced, placed[k].pose.R
        I = R @ body.inertia @ R.T
        found.append(inertia_wrench(body.mass, R @ body.com, I, moving[k].twist, accelerated[k].twist_rate))
    return found


def carried_wrenches(skeleton: Skeleton, placed: list[Placed], own: list[Matrix]) -> list[Matrix]:
    """The wrench that each joint hands to its body: the body's own need and that of everything it carries.

        w_(i−1,i) = w*_i − wᵉ_i + A' w_(i,i+1)

    Source: [chaudhary], eq. (11), for a tree.
    """

    def step(k: int, link: Link, total: Matrix) -> Matrix:
        return transport_wrench(total, placed[k].pose.p - placed[link.parent].pose.p)

    return inward(skeleton.links, own, step, lambda one, other: one + other)


def generalized_forces(skeleton: Skeleton, placed: list[Placed], carried: list[Matrix]) -> Matrix:
    """What the carried wrenches do along the joints: N_dᵀ N_lᵀ w, one entry per rate.

    Source: [chaudhary], eqs. (9)–(10), (32).
    """
    parts = [ca.DM(0, 1)]
    for k, link in enumerate(skeleton.links):
        parts.append(placed[k].P.T @ carried[k])
        if link.reduced.elastic:
            raise TypeError(
                f"body '{link.body}' is elastic; its modal equations are not part of a rigid system"
            )
    return ca.vertcat(*parts)
