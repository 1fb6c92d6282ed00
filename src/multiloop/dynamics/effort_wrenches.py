"""Efforts along the coordinates of tree joints as what they are: wrenches on the two bodies of the joint."""

from __future__ import annotations

import casadi as ca

from multiloop.kinematics.motion import Placed
from multiloop.kinematics.skeleton import Link
from multiloop.kinematics.snapshot import Snapshot
from multiloop.spatial import Matrix, transport_wrench


def effort_wrench(link: Link, place: Placed, effort: Matrix, planar: bool) -> Matrix:
    """The wrench of efforts at a tree joint, on the second body at the origin of the second marker.

    A torque about each turning axis, a force along each slide; a screw's effort is its torque.
    """
    local = link.joint.freedom(place.joint, planar)
    R_F = place.seat.R if link.forward else place.pose.R
    parts = ca.DM(6, 1)
    for i in range(local.shape[1]):
        turns = bool(ca.sparsify(local[:3, i]).nnz())
        n = R_F @ local[:3, i] if turns else ca.DM(3, 1)
        f = ca.DM(3, 1) if turns else R_F @ local[3:, i]
        parts = parts + effort[i] * ca.vertcat(n, f)
    return parts


def effort_ends(at: Snapshot, k: int, component: int) -> tuple[tuple[int, Matrix], ...]:
    """What a unit effort along a coordinate of the joint that carries body k does: (body, wrench at its origin).

    On the second body as it is, on the first turned round; the ground is −1, with the inertial origin.
    """
    link, place = at.skeleton.links[k], at.placed[k]
    w = effort_wrench(link, place, ca.DM.eye(link.v.stop - link.v.start)[:, component], at.skeleton.planar)
    point = place.pose.p if link.forward else place.seat.p
    first, second = (link.parent, k) if link.forward else (k, link.parent)
    return tuple(
        (body, sign * transport_wrench(w, point - (at.placed[body].pose.p if body >= 0 else ca.DM(3, 1))))
        for body, sign in ((second, 1), (first, -1))
    )


def effort_wrenches(at: Snapshot) -> list[list[Matrix]]:
    """For every rate the wrenches that a unit effort along it puts on all bodies, at their origins."""
    found: list[list[Matrix]] = []
    for k, link in enumerate(at.skeleton.links):
        for component in range(link.v.stop - link.v.start):
            on_bodies: list[Matrix] = [ca.DM(6, 1)] * len(at.skeleton.links)
            for body, w in effort_ends(at, k, component):
                if body >= 0:
                    on_bodies[body] = w
            found.append(on_bodies)
    return found
