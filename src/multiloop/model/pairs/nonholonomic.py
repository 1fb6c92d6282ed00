"""Nonholonomic pairs: rolling of wheels and balls on a plane without slip, and the knife-edge (skate) constraint.

A rolling body touches the plane with normal n at one point c; p is a point of the plane. Contact is a constraint of
position, Φ = n · (p − c); rolling without slip constrains the two velocity components of c along the plane (a
nonholonomic constraint). An omni wheel has only one of these two constraints.

Source: derived here; the knife edge is an example of [neimark_fufaev].
Theory: docs/theory/03-constraints.md, eqs. (3.8), (3.9).
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field
from typing import Any, ClassVar

import casadi as ca

from multiloop.model.connection import Pair
from multiloop.model.expressions import Scalar
from multiloop.model.loads import Load
from multiloop.model.loads.friction import RollingResistance
from multiloop.model.marker_poses import Resolve
from multiloop.model.markers import scalar, value_of
from multiloop.spatial import Matrix, Pose, zeros


@dataclass(frozen=True)
class RollingContact(Pair):
    """A round body on a plane, or on a line; c is the contact point relative to the first marker, in its frame.

        Φ = n · (p − c),      n · v_c = 0,   x · v_c = 0,   y · v_c = 0

    n is the normal of the plane, x and y are its axes, p is the position of the second marker relative to the first,
    and v_c is the velocity of the body at the contact point relative to the plane. Since the surface of the body at c
    is perpendicular to n, the rate of Φ is n · v_c.

    `resistance` is the lever arm (m) of the rolling resistance: the load "name/resistance" exerts the moment arm × |N|
    against the rolling, with the normal force N of the pair. Below `resistance_speed` (rad/s) the moment falls smoothly
    to zero. By default this speed follows from gravity g and the size L of the mechanism, √(g/L)/3000, as for Friction.
    """

    radius: Scalar = field(kw_only=True)
    resistance: Scalar = field(kw_only=True, default=0.0)
    resistance_speed: Scalar | None = field(kw_only=True, default=None)

    def __post_init__(self) -> None:
        for name in ("radius", "resistance", "resistance_speed"):
            object.__setattr__(self, name, scalar(getattr(self, name)))

    def loads(self) -> tuple[Load, ...]:
        """The load of rolling resistance; empty if `resistance` is 0."""
        if isinstance(self.resistance, float) and self.resistance == 0.0:
            return ()
        arm, speed = self.resistance, self.resistance_speed
        resisting = (self.name, self.first, self.second)
        return (RollingResistance(f"{self.name}/resistance", *resisting, arm=arm, speed=speed),)

    @abstractmethod
    def contact(self, pose: Pose, planar: bool) -> Matrix:
        """Vector from the first marker to the contact point, in the frame of the first marker."""

    def reach(self, resolve: Resolve = value_of) -> Any:
        radius = resolve(self.radius)
        return 0.0 if radius is None else radius

    def degrees_of_freedom(self, planar: bool) -> int:
        return 1 if planar else 3

    def position_rows(self, planar: bool) -> int:
        return 1

    def wrenches(self, pose: Pose, planar: bool) -> Matrix:
        """Unit forces at the contact point as 6×c wrenches in the frame of the first marker.

        The first column is the normal force, the others are tangential forces.
        """
        plane = pose.R
        c = self.contact(pose, planar)
        axes = (1, 0) if planar else (2, 0, 1)
        forces = [plane[:, k] for k in axes]
        # Moments are about the origin of the second marker, which is at p relative to the first marker.
        return ca.horzcat(*[ca.vertcat(ca.cross(c - pose.p, f), f) for f in forces])

    def wrench_names(self, planar: bool) -> tuple[str, ...]:
        along = (
            ("force along the line",)
            if planar
            else ("force along the plane's x", "force along the plane's y")
        )
        return ("normal force", *along)

    def closure(self, pose: Pose, planar: bool) -> Matrix:
        """The gap Φ = n · (p − c): height of the plane above the contact point along the normal (m)."""
        n = pose.R[:, 1] if planar else pose.R[:, 2]
        return ca.dot(n, pose.p - self.contact(pose, planar))


@dataclass(frozen=True)
class Rolling(RollingContact):
    """A disc rolls on a plane without slipping; in a planar mechanism, on a line.

    The first marker is at the centre of the disc, with its z axis along the axle; the second lies in the plane, with
    its z axis along the normal (in a planar mechanism its y axis; the line is then its x axis). With the unit vectors a
    of the axle and n of the normal, the rim of the disc of radius r touches the plane at

        c = (r − ρ) d − ρ n,   d = ((n·a) a − n) / |(n·a) a − n|

    relative to the centre; ρ, the `crown`, is the radius of the cross-section of a rounded tread, such as a
    motorcycle's, and zero for a sharp rim. Contact constrains the position; rolling without slip constrains the two
    tangential velocities:

        Φ = n · (p − c),      n · v_c = 0,   x · v_c = 0,   y · v_c = 0

    Φ is the gap, p the position of the second marker relative to the centre, v_c the velocity of the disc at the
    contact point, and x and y are axes in the plane. If the disc lies flat on the plane (a parallel to n), the contact
    point is undefined and the mechanism cannot be assembled.

    With `sideways=True` the wheel slips freely along its axle, as an omni wheel on the rollers of its rim: the two
    constraints of tangential velocities are replaced by one, e · v_c = 0, e = n × a / |n × a|.

    Source: derived here.
    """

    hint: ClassVar[str] = (
        "Check the radius and the height of the centre above the plane. A wheel must not lie flat: its axle, z of the "
        "first marker, and the normal, z of the second, must not be parallel."
    )

    crown: Scalar = field(kw_only=True, default=0.0)
    sideways: bool = field(kw_only=True, default=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "crown", scalar(self.crown))

    def degrees_of_freedom(self, planar: bool) -> int:
        return super().degrees_of_freedom(planar) + int(self._slips(planar))

    def _slips(self, planar: bool) -> bool:
        """Whether the wheel may slip along its axle, which is possible in a spatial mechanism only."""
        return self.sideways and not planar

    def wrenches(self, pose: Pose, planar: bool) -> Matrix:
        if not self._slips(planar):
            return super().wrenches(pose, planar)
        n = pose.R[:, 2]
        ahead = ca.vertcat(n[1], -n[0], 0) / ca.sqrt(n[0] ** 2 + n[1] ** 2)
        arm = self.contact(pose, planar) - pose.p
        return ca.horzcat(*[ca.vertcat(ca.cross(arm, f), f) for f in (n, ahead)])

    def wrench_names(self, planar: bool) -> tuple[str, ...]:
        if self._slips(planar):
            return ("normal force", "force in the direction of rolling")
        return super().wrench_names(planar)

    def contact(self, pose: Pose, planar: bool) -> Matrix:
        radius: Any = self.radius
        if planar:
            return -radius * pose.R[:, 1]
        n, axle = pose.R[:, 2], ca.DM([0, 0, 1])
        down = n[2] * axle - n
        across = ca.sqrt(n[0] ** 2 + n[1] ** 2)
        if isinstance(self.crown, float) and self.crown == 0.0:
            return radius * down / across
        crown: Any = self.crown
        return (radius - crown) * down / across - crown * n


@dataclass(frozen=True)
class RollingBall(RollingContact):
    """A ball rolls on a plane without slipping; in a planar mechanism, on a line.

    The first marker is at the centre of the ball; the second lies in the plane, with its z axis along the normal n (in
    a planar mechanism its y axis; the line is then its x axis). The contact point relative to the centre is c = −r n
    for any orientation:

        Φ = n · p + r,      n · v_c = 0,   x · v_c = 0,   y · v_c = 0

    Φ is the gap, r the radius, p the position of the second marker relative to the centre, v_c the velocity of the ball
    at the contact point, and x and y are axes in the plane. With `pivots=False` the ball does not rotate about the
    normal either, as a soft ball on a rough plane: n · ω = 0, with the angular velocity ω of the ball relative to the
    plane. The reaction of this constraint is a moment.

    Source: derived here.
    """

    hint: ClassVar[str] = (
        "Check the radius and the height of the centre above the plane. The normal of the plane, z of the second "
        "marker (y in a planar mechanism), must point to the ball."
    )

    pivots: bool = field(kw_only=True, default=True)

    def contact(self, pose: Pose, planar: bool) -> Matrix:
        radius: Any = self.radius
        return -radius * pose.R[:, 1 if planar else 2]

    def degrees_of_freedom(self, planar: bool) -> int:
        return super().degrees_of_freedom(planar) - int(self._prevents_pivoting(planar))

    def _prevents_pivoting(self, planar: bool) -> bool:
        """Whether rotation about the normal is constrained, which is possible in a spatial mechanism only."""
        return not planar and not self.pivots

    def row_lengths(self, planar: bool) -> tuple[bool, ...]:
        return (True,) * len(super().wrench_names(planar)) + (False,) * self._prevents_pivoting(planar)

    def wrenches(self, pose: Pose, planar: bool) -> Matrix:
        """Unit forces at the contact point and, if `pivots` is False, the moment about the normal, as 6×c wrenches.

        They are in the frame of the ball's marker.
        """
        forces = super().wrenches(pose, planar)
        return (
            ca.horzcat(forces, ca.vertcat(pose.R[:, 2], zeros(3)))
            if self._prevents_pivoting(planar)
            else forces
        )

    def wrench_names(self, planar: bool) -> tuple[str, ...]:
        return super().wrench_names(planar) + ("moment about the normal",) * self._prevents_pivoting(planar)


@dataclass(frozen=True)
class Skate(Pair):
    """A point of a blade moves along the blade and not sideways: a knife edge, a skate or a keel.

    It is also the simplest model of a freely rotating wheel. The first marker is at the contact point, with its x axis
    along the blade; the second is anywhere on the other body, with its z axis along the normal n of the plane. In a
    planar mechanism the plane of the mechanism is this plane. With the direction e of the blade and the velocity v of
    the contact point relative to the plane

        s · v = 0,      s = n × e

    This is one nonholonomic constraint. The blade must be kept on the plane by other constraints, such as a Planar
    joint or wheels. If e is parallel to n the equation vanishes; this is a singular configuration.

    Source: derived here; the knife edge is an example of [neimark_fufaev].
    """

    def degrees_of_freedom(self, planar: bool) -> int:
        return 2 if planar else 5

    def position_rows(self, planar: bool) -> int:
        return 0

    def wrenches(self, pose: Pose, planar: bool) -> Matrix:
        """The unit lateral force at the contact point as a 6×1 wrench, in the frame of the blade's marker."""
        n = pose.R[:, 2]
        side = ca.DM([0, 1, 0]) if planar else ca.vertcat(0, n[2], -n[1])
        return ca.vertcat(ca.cross(-pose.p, side), side)

    def wrench_names(self, planar: bool) -> tuple[str, ...]:
        return ("force across the blade",)

    def closure(self, pose: Pose, planar: bool) -> Matrix:
        return ca.DM(0, 1)
