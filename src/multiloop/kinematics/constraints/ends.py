"""Poses, twists and twist rates of the two markers that a constraint acts between."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import casadi as ca

from multiloop.kinematics.constraints.constraint import End
from multiloop.kinematics.motion import (
    AT_REST,
    STEADY,
    Accelerated,
    Moving,
    marker_twist,
    marker_twist_rate,
)
from multiloop.kinematics.placing import GROUNDED
from multiloop.spatial import Matrix, Pose

if TYPE_CHECKING:
    from multiloop.kinematics.snapshot import Snapshot


@dataclass(frozen=True)
class Ends:
    """Two markers F and S in the inertial frame, with the twist and twist rate of each."""

    F: Pose
    S: Pose
    first: Moving = AT_REST
    second: Moving = AT_REST
    first_rate: Accelerated = STEADY
    second_rate: Accelerated = STEADY

    @property
    def relative(self) -> Pose:
        """Pose of S in F."""
        return self.F.inverse() @ self.S

    @property
    def twist(self) -> Matrix:
        """Relative twist: that of S minus that of the body of F at the origin of S, in inertial axes."""
        F, S = self.first, self.second
        return ca.vertcat(S.omega - F.omega, S.v - F.at(self.S.p - self.F.p))

    @property
    def twist_rate(self) -> Matrix:
        """Rate of the relative twist:  [α_S − α_F; a_S − a_F − α_F × r − ω_F × ṙ],   r from F to S."""
        r, r_rate = self.S.p - self.F.p, self.second.v - self.first.v
        alpha = self.second_rate.alpha - self.first_rate.alpha
        turned = ca.cross(self.first_rate.alpha, r) + ca.cross(self.first.omega, r_rate)
        return ca.vertcat(alpha, self.second_rate.a - self.first_rate.a - turned)


def placed_ends(at: Snapshot, first: End, second: End) -> Ends:
    """Poses of two markers."""
    return Ends(_pose(at, first), _pose(at, second))


def moving_ends(at: Snapshot, first: End, second: End) -> Ends:
    """Poses and twists of two markers."""
    F, S = _pose(at, first), _pose(at, second)
    return Ends(F, S, _twist(at, first, F), _twist(at, second, S))


def accelerated_ends(at: Snapshot, first: End, second: End) -> Ends:
    """Poses, twists and convective twist rates (a = 0) of two markers."""
    placed = moving_ends(at, first, second)
    rates = _twist_rate(at, first, placed.F), _twist_rate(at, second, placed.S)
    return replace(placed, first_rate=rates[0], second_rate=rates[1])


def _pose(at: Snapshot, end: End) -> Pose:
    place = at.placed[end.body] if end.body >= 0 else GROUNDED
    return place.pose @ at.skeleton.body_of(end.body).marker_pose(end.marker, place.eta)


def _twist(at: Snapshot, end: End, pose: Pose) -> Moving:
    k = end.body
    if k < 0:
        return AT_REST
    r = pose.p - at.placed[k].pose.p
    return marker_twist(at.skeleton, at.placed, k, end.marker, r, at.moving[k], at.v)


def _twist_rate(at: Snapshot, end: End, pose: Pose) -> Accelerated:
    k = end.body
    if k < 0:
        return STEADY
    r = pose.p - at.placed[k].pose.p
    body = (at.moving[k], at.convective[k])
    return marker_twist_rate(at.skeleton, at.placed, k, end.marker, r, body, (at.v, None))
