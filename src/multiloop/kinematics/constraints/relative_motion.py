"""Relative motion of the two markers of a constraint: poses, twists, twist rates, and the relative angle in the plane.

Theory: docs/theory/03-constraints.md, eqs. (3.3)–(3.5).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import casadi as ca

from multiloop.kinematics.constraints.constraint import End
from multiloop.kinematics.tree import (
    GROUND_PLACEMENT,
    ZERO_TWIST,
    ZERO_TWIST_RATE,
    Twist,
    TwistRate,
    marker_twist,
    marker_twist_rate,
)
from multiloop.spatial import Matrix, Pose

if TYPE_CHECKING:
    from multiloop.kinematics.snapshot import Snapshot


@dataclass(frozen=True)
class Ends:
    """Two markers F and S in the inertial frame, with the twist and twist rate of each."""

    F: Pose
    S: Pose
    first_twist: Twist = ZERO_TWIST
    second_twist: Twist = ZERO_TWIST
    first_rate: TwistRate = ZERO_TWIST_RATE
    second_rate: TwistRate = ZERO_TWIST_RATE

    @property
    def relative(self) -> Pose:
        """Pose of marker S relative to marker F."""
        return self.F.inverse() @ self.S

    @property
    def twist(self) -> Matrix:
        """Relative twist in inertial axes: the twist of S minus the twist, at the origin of S, of the body to which F
        belongs."""
        F, S = self.first_twist, self.second_twist
        return ca.vertcat(S.omega - F.omega, S.v - F.velocity_at(self.S.p - self.F.p))

    @property
    def twist_rate(self) -> Matrix:
        """Rate of the relative twist:  [α_S − α_F; a_S − a_F − α_F × r − ω_F × ṙ].

        ω, α and a are the angular velocity, angular acceleration and acceleration of each marker, r is the vector from
        F to S."""
        r, r_rate = self.S.p - self.F.p, self.second_twist.v - self.first_twist.v
        alpha = self.second_rate.alpha - self.first_rate.alpha
        turned = ca.cross(self.first_rate.alpha, r) + ca.cross(self.first_twist.omega, r_rate)
        return ca.vertcat(alpha, self.second_rate.a - self.first_rate.a - turned)


def end_poses(at: Snapshot, first: End, second: End) -> Ends:
    """Inertial poses of two markers."""
    return Ends(_pose(at, first), _pose(at, second))


def end_twists(at: Snapshot, first: End, second: End) -> Ends:
    """Inertial poses and twists of two markers."""
    F, S = _pose(at, first), _pose(at, second)
    return Ends(F, S, _twist(at, first, F), _twist(at, second, S))


def end_twist_rates(at: Snapshot, first: End, second: End) -> Ends:
    """Inertial poses, twists, and twist rates at zero joint accelerations of two markers."""
    placed = end_twists(at, first, second)
    rates = _twist_rate(at, first, placed.F), _twist_rate(at, second, placed.S)
    return replace(placed, first_rate=rates[0], second_rate=rates[1])


def _pose(at: Snapshot, end: End) -> Pose:
    place = at.placements[end.body] if end.body >= 0 else GROUND_PLACEMENT
    return place.pose @ at.skeleton.body_of(end.body).marker_pose(end.marker, place.eta)


def _twist(at: Snapshot, end: End, pose: Pose) -> Twist:
    k = end.body
    if k < 0:
        return ZERO_TWIST
    r = pose.p - at.placements[k].pose.p
    return marker_twist(at.skeleton, at.placements, k, end.marker, r, at.body_twists[k], at.v)


def _twist_rate(at: Snapshot, end: End, pose: Pose) -> TwistRate:
    k = end.body
    if k < 0:
        return ZERO_TWIST_RATE
    r = pose.p - at.placements[k].pose.p
    body = (at.body_twists[k], at.convective_twist_rates[k])
    return marker_twist_rate(at.skeleton, at.placements, k, end.marker, r, body, (at.v, None))


def relative_angle(at: Snapshot, first: End, second: End) -> Matrix:
    """Angle of the second marker relative to the first in the plane, including whole turns.

    It is the sum of the joint angles between the two markers: a pose determines an angle only up to whole turns, while
    the coordinates of tree joints include whole turns.
    """
    return _accumulated_angle(at, second) - _accumulated_angle(at, first)


def _accumulated_angle(at: Snapshot, end: End) -> Matrix:
    """Angle of a marker relative to the inertial frame, including whole turns."""
    skeleton, k, marker, total = at.skeleton, end.body, end.marker, ca.DM(0.0)
    while k >= 0:
        link = skeleton.links[k]
        total = total + _marker_angle(at, k, marker)
        for place, turns in zip(range(link.q.start, link.q.stop), link.joint.turning(True), strict=True):
            if turns:
                total = total + (at.q[place] if link.forward else -at.q[place])
        k, marker = link.parent, link.parent_marker
    return total + _marker_angle(at, k, marker)


def _marker_angle(at: Snapshot, k: int, marker: str) -> Matrix:
    """Angle of a marker in the frame of the inboard joint of its body, between −π and π."""
    R = at.skeleton.body_of(k).marker_pose(marker, at.placements[k].eta if k >= 0 else None).R
    return ca.atan2(R[1, 0], R[0, 0])
