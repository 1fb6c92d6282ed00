"""Wrenches of efforts along the coordinates of tree joints, on the two bodies of each joint.

Theory: docs/theory/05-inverse-dynamics.md, eqs. (5.7), (5.8).
"""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from multiloop.kinematics import Snapshot
from multiloop.kinematics.tree import BodyPlacement, Link, marker_deformation_twists
from multiloop.spatial import Matrix, transport_wrench


def effort_wrench(link: Link, place: BodyPlacement, effort: Matrix, planar: bool) -> Matrix:
    """The wrench of efforts at a tree joint, on the second body at the origin of the second marker.

    It consists of a torque about each axis of rotation and a force along each slide; the effort of a screw joint is its
    torque.
    """
    local = link.joint.motion_subspace(place.joint_pose, planar)
    R_F = place.parent_frame.R if link.forward else place.inboard_frame.R
    parts = ca.DM(6, 1)
    for i in range(local.shape[1]):
        turns = bool(ca.sparsify(local[:3, i]).nnz())
        n = R_F @ local[:3, i] if turns else ca.DM(3, 1)
        f = ca.DM(3, 1) if turns else R_F @ local[3:, i]
        parts = parts + effort[i] * ca.vertcat(n, f)
    return parts


@dataclass(frozen=True)
class WrenchOnMarker:
    """A wrench [n; f] on a body (−1 is the ground) that acts through one of its markers, at a point, in inertial
    axes."""

    body: int
    marker: str
    point: Matrix
    wrench: Matrix

    def at_origin(self, at: Snapshot) -> Matrix:
        """The wrench at the origin of the body, followed by the modal forces on an elastic body."""
        origin = at.placements[self.body].pose.p if self.body >= 0 else ca.DM(3, 1)
        w = transport_wrench(self.wrench, self.point - origin)
        if not at.skeleton.body_of(self.body).elastic:
            return w
        bend = marker_deformation_twists(at.skeleton, at.placements, self.body, self.marker, self.point)
        return ca.vertcat(w, bend.T @ self.wrench)


def effort_wrench_pair(at: Snapshot, k: int, component: int) -> tuple[WrenchOnMarker, WrenchOnMarker]:
    """Wrenches on the second and first body of a unit effort along a coordinate of the inboard joint of body k."""
    link, place = at.skeleton.links[k], at.placements[k]
    w = effort_wrench(link, place, ca.DM.eye(link.v.stop - link.v.start)[:, component], at.skeleton.planar)
    point = place.inboard_frame.p if link.forward else place.parent_frame.p
    own, carrier = (k, link.inboard_marker), (link.parent, link.parent_marker)
    second, first = (own, carrier) if link.forward else (carrier, own)
    return WrenchOnMarker(*second, point, w), WrenchOnMarker(*first, point, -w)


def effort_wrenches(at: Snapshot) -> list[list[Matrix]]:
    """For every rate, the wrenches of a unit effort along it on all bodies, at their origins."""
    found: list[list[Matrix]] = []
    for k, link in enumerate(at.skeleton.links):
        for component in range(link.v.stop - link.v.start):
            on_bodies: list[Matrix] = [ca.DM(6, 1)] * len(at.skeleton.links)
            for end in effort_wrench_pair(at, k, component):
                if end.body >= 0:
                    on_bodies[end.body] = end.at_origin(at)[:6]
            found.append(on_bodies)
        found += [
            [ca.DM(6, 1)] * len(at.skeleton.links)
        ] * link.reduced.elastic  # a modal force is not a wrench
    return found
