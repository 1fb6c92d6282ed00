"""Wrenches that the motion requires of the bodies, summed inward to every joint of the tree, and along its rates."""

from __future__ import annotations

import casadi as ca

from multiloop.dynamics.actions import applied_wrenches
from multiloop.dynamics.inertia import own_columns, seat_screws
from multiloop.dynamics.members import falling, members_of
from multiloop.dynamics.needed import needed_by_body
from multiloop.kinematics.recursion import inward
from multiloop.kinematics.skeleton import Link
from multiloop.kinematics.snapshot import Snapshot
from multiloop.spatial import Matrix, parted, transport_wrench


def needed_wrenches(at: Snapshot, a: Matrix | None = None) -> list[Matrix]:
    """w* − wᵉ of every body at its origin, in inertial axes; without `a` at v̇ = 0.

    w* includes the weight, since the ground is accelerated by −g; wᵉ is applied by loads. Each body is treated in the
    axes of `members`. The wrench of an elastic body is followed by the modal forces that its deformation requires.

    Source: [chaudhary], eq. (5), w* = M ṫ + W M E t.
    """
    members, found = members_of(at), []
    a = None if a is None else parted(a)
    moving = falling(at, members, a)
    for k, (member, motion) in enumerate(zip(members, moving, strict=True)):
        w = needed_by_body(at, k, member, motion, a)
        found.append(ca.vertcat(member.A @ w[:3], member.A @ w[3:6], w[6:]))
    for k, w in applied_wrenches(at).items():
        if k >= 0:
            found[k] = found[k] - w
    return found


def carried_wrenches(at: Snapshot, own: list[Matrix]) -> list[Matrix]:
    """Wrench that each joint transmits to its body: that required by the body and by all bodies that it carries.

        w_(i−1,i) = w*_i − wᵉ_i + A' w_(i,i+1)

    A wrench at a marker of an elastic body also contributes to the modal forces of this body.

    Source: [chaudhary], eq. (11), for a tree.
    """

    def step(k: int, link: Link, total: Matrix) -> Matrix:
        r = at.placed[k].pose.p - at.placed[link.parent].pose.p
        felt = transport_wrench(total[:6], r)
        modal = own[link.parent].shape[0] > 6
        return ca.vertcat(felt, seat_screws(at, k).T @ felt) if modal else felt

    return inward(at.skeleton.links, own, step, lambda one, other: one + other)


def generalized_forces(at: Snapshot, carried: list[Matrix]) -> Matrix:
    """Generalized forces of the carried wrenches along the rates: N_dᵀ N_lᵀ w, one entry per rate.

    Source: [chaudhary], eqs. (9)–(10), (32).
    """
    parts = [own_columns(at, k).T @ carried[k] for k in range(len(at.skeleton.links))]
    return ca.vertcat(ca.DM(0, 1), *parts)
