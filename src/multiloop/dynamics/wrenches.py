"""What forces the motion needs: inertia wrenches of the bodies, gathered inward to every joint of the tree."""

from __future__ import annotations

import casadi as ca

from multiloop.dynamics.actions import applied_wrenches
from multiloop.dynamics.members import falling, members_of, needed_wrench
from multiloop.kinematics.motion import Placed
from multiloop.kinematics.recursion import inward
from multiloop.kinematics.skeleton import Link, Skeleton
from multiloop.kinematics.snapshot import Snapshot
from multiloop.spatial import Matrix, parted, transport_wrench


def needed_wrenches(at: Snapshot, a: Matrix | None = None) -> list[Matrix]:
    """w* − wᵉ of every body at its inboard origin, in inertial axes; without `a` the coordinates do not accelerate.

    Its weight is in w*, the ground being accelerated by −g; wᵉ is what loads apply to it. Each body is treated in
    the axes of `members`.

    Source: [chaudhary], eq. (5), w* = M ṫ + W M E t.
    """
    members, found = members_of(at), []
    moving = falling(at, members, None if a is None else parted(a))
    for link, member, motion in zip(at.skeleton.links, members, moving, strict=True):
        w = needed_wrench(link.reduced, member.B, motion, at.skeleton.planar)
        found.append(ca.vertcat(member.A @ w[:3], member.A @ w[3:]))
    for k, w in applied_wrenches(at).items():
        if k >= 0:
            found[k] = found[k] - w
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
