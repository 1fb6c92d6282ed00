"""Relative angle of two markers in the plane, with whole turns counted along the tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

import casadi as ca

from multiloop.kinematics.constraints.constraint import End
from multiloop.spatial import Matrix

if TYPE_CHECKING:
    from multiloop.kinematics.snapshot import Snapshot


def turn_between(at: Snapshot, first: End, second: End) -> Matrix:
    """Angle of the second marker minus that of the first: the sum of the joint angles between them.

    A pose determines an angle except for whole turns; the coordinates of tree joints count them.
    """
    return _angle(at, second) - _angle(at, first)


def _angle(at: Snapshot, end: End) -> Matrix:
    """Angle of a marker in the inertial frame."""
    skeleton, k, marker, total = at.skeleton, end.body, end.marker, ca.DM(0.0)
    while k >= 0:
        link = skeleton.links[k]
        total = total + _marker_angle(at, k, marker)
        for place, turns in zip(range(link.q.start, link.q.stop), link.joint.turning(True), strict=True):
            if turns:
                total = total + (at.q[place] if link.forward else -at.q[place])
        k, marker = link.parent, link.seat
    return total + _marker_angle(at, k, marker)


def _marker_angle(at: Snapshot, k: int, marker: str) -> Matrix:
    """Angle of a marker in the frame of the inboard joint of its body, between −π and π."""
    R = at.skeleton.body_of(k).marker_pose(marker, at.placed[k].eta if k >= 0 else None).R
    return ca.atan2(R[1, 0], R[0, 0])
