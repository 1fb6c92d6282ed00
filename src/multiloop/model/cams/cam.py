"""The class `Cam`, a cam and its follower in contact, and tables of cam profiles for manufacturing.

Theory: docs/theory/03-constraints.md, eq. (3.10).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import casadi as ca
import numpy as np

from multiloop.model.cams import (
    CircleContour,
    Contour,
    CurveContour,
    LiftContour,
    ProfilePoints,
    SwingContour,
)
from multiloop.model.cams.contour import PROFILE_SAMPLES, CamLaw
from multiloop.model.cams.plane_curves import Circle, Curve, PlaneCurve
from multiloop.model.connection import ContactGeometry, Pair
from multiloop.model.expressions import Expression, Scalar, lift, parameters_of
from multiloop.model.gears.elastic_contact import as_elastic
from multiloop.model.marker_poses import Resolve
from multiloop.model.markers import Vector, scalar, value_of, vector
from multiloop.spatial import Matrix, Pose

if TYPE_CHECKING:
    import pandas as pd

FOLLOWERS = ("flat", "knife", "roller")

FLAGS = ("follower", "rolling", "groove", "clockwise")
"""Fields of a cam that are words or True/False instead of numbers."""


@dataclass(frozen=True)
class Cam(Pair):
    """The follower (second marker) stays in contact with the profile of the cam (first marker).

    A "flat" face is the line y = 0 of its marker, with the cam below it. A "knife" edge, or the centre of a roller with
    the radius `roller`, is the origin of its marker. The profile is generated from the cam law `lift` over the cam
    angle, starting from the base circle of radius `base` (for a knife edge or roller, guided at the distance `offset`
    from the axis), or is given as `profile`. With the outward normal n, the tangent t = E n (n rotated by 90°
    counter-clockwise), the position p of the follower's marker in the cam's, the support function h of the profile with
    its derivative h′ with respect to the angle of n, the point of contact c and the roller radius r:

        flat            Φ = n·p − h,       W = [(t·p − h′) e_z; n]
        knife, roller   Φ = (p − c)·n − r,   W = [0; n]
        rolling         Φ = L − r α,         W = [−r e_z; t]      in addition to that of the roller

    Φ = 0 is the constraint and W = [moment; force] its constraint wrench. L is the arc length of the pitch curve up to
    the centre of the roller and α the rotation of the roller relative to the cam, counted over all turns. With
    `rolling` the roller is a separate body on a Revolute joint and keeps its phase for any number of turns. In a
    `groove` the contact is bilateral. A `pressure_limit` (rad) is checked in advance for a profile that is made from a
    cam law, otherwise during the motion, and then reported with the result.

    With a `pivot` the follower swings and `lift` is its angle in radians, outward: counter-clockwise, or `clockwise`.
    The pivot is given in the frame of the cam at zero cam angle; a knife edge or roller is at the end of an `arm`,
    and a flat face has the distance `offset` from the pivot, positive away from the cam.

    The `width` of the contact, Young's moduli `E` and Poisson's ratios `nu` (one number for both bodies, or a pair; by
    default 0.3) serve only to compute the Hertz pressure.

    Source: [saha], §§4.3–4.4, and [norton], ch. 8; the profiles are in `model/cams`.
    Differs: [saha] has ṡ j + θ̇ E r₂ for the rolling contact; the sign should be −.
    """

    lift: Scalar | None = field(default=None, kw_only=True)
    profile: PlaneCurve | None = field(default=None, kw_only=True)
    base: Scalar = field(default=0.0, kw_only=True)
    follower: str = field(default="", kw_only=True)
    roller: Scalar = field(default=0.0, kw_only=True)
    offset: Scalar = field(default=0.0, kw_only=True)
    rolling: bool = field(default=False, kw_only=True)
    groove: bool = field(default=False, kw_only=True)
    pressure_limit: Scalar | None = field(default=None, kw_only=True)
    pivot: Vector | None = field(default=None, kw_only=True)
    arm: Scalar = field(default=0.0, kw_only=True)
    clockwise: bool = field(default=False, kw_only=True)
    width: Scalar | None = field(default=None, kw_only=True)
    E: Scalar | Vector | None = field(default=None, kw_only=True)
    nu: Scalar | Vector | None = field(default=None, kw_only=True)

    called: ClassVar[str] = "cam"
    touches: ClassVar[bool] = True
    hint: ClassVar[str] = (
        "Check the position of the follower: the cam is on the −y side of a flat face's marker; a knife edge or the "
        "centre of a roller must be able to reach the cam profile."
    )

    def __post_init__(self) -> None:
        for name in ("E", "nu"):
            object.__setattr__(self, name, as_elastic(getattr(self, name)))
        for name in ("lift", "base", "roller", "offset", "pressure_limit", "arm", "width", *FLAGS):
            value = getattr(self, name)
            object.__setattr__(self, name, scalar(value.tolist() if isinstance(value, np.ndarray) else value))
        if isinstance(self.pivot, list | tuple):
            object.__setattr__(self, "pivot", vector(self.pivot))
        if not self.follower:
            object.__setattr__(self, "follower", "flat" if self.roller == 0.0 else "roller")

    def resolved(self, resolve: Resolve) -> Cam:
        """The cam with each of its numbers x replaced by resolve(x); the cam law and the expressions of a curve are
        kept."""
        profile = self.profile.resolved(resolve) if isinstance(self.profile, Circle) else self.profile
        numbers: dict[str, Any] = {
            name: resolve(getattr(self, name)) for name in ("base", "roller", "offset", "arm")
        }
        if self.pivot is not None:
            numbers["pivot"] = tuple(resolve(part) for part in self.pivot)
        found = replace(self, profile=profile, **numbers)
        laws = (self.lift, *(self.profile.coordinates if isinstance(self.profile, Curve) else ()))
        own = {p.name: resolve(p) for law in laws if isinstance(law, Expression) for p in parameters_of(law)}
        object.__setattr__(found, "_described", (self, own))
        return found

    @cached_property
    def contour(self) -> Contour:
        """The `Contour` of the cam: support function and pitch curve of its profile."""
        described, parameters = self.__dict__.get("_described", (self, {}))
        if isinstance(self.profile, Circle):
            return CircleContour(self.profile, described.profile)
        if self.profile is not None:
            return CurveContour(self.profile, parameters, value_of(described.roller) or 0.0)
        law = CamLaw(lift(self.lift or 0.0), parameters)
        if self.pivot is not None:
            x, y = self.pivot
            return SwingContour(law, self.base, (x, y), self.arm, self.offset, -1 if self.clockwise else 1)
        return LiftContour(law, self.base, self.offset)

    @property
    def _limit(self) -> float | None:
        described, _ = self.__dict__.get("_described", (self, {}))
        return None if described.pressure_limit is None else value_of(described.pressure_limit)

    @property
    def flat(self) -> bool:
        """Whether the follower is a flat face."""
        return self.follower == "flat"

    def reach(self, resolve: Resolve = value_of) -> Any:
        size = self.profile.radius if isinstance(self.profile, Circle) else self.base
        lengths = resolve(size), resolve(self.roller)
        return sum(0.0 if length is None else length for length in lengths)

    def degrees_of_freedom(self, planar: bool) -> int:
        return (2 if planar else 5) - self.rolling

    def counts_turns(self, planar: bool) -> bool:
        return self.rolling

    def wrench_names(self, planar: bool) -> tuple[str, ...]:
        return ("normal force", "force along the profile")[: 1 + self.rolling]

    def closure(self, pose: Pose, planar: bool) -> Matrix:
        if not self.flat:
            return self.contour.pitch((pose.p[0], pose.p[1]), self.roller).gap
        n = (pose.R[0, 1], pose.R[1, 1])
        return n[0] * pose.p[0] + n[1] * pose.p[1] - self.contour.support(n).h

    def turn_closure(self, pose: Pose, turn: Matrix, planar: bool) -> Matrix:
        """Slip of a rolling roller (m): arc length along the pitch curve minus roller radius times `turn`.

        `turn` is the rotation of the roller relative to the cam over all turns. The slip is reduced by the nearest
        multiple of the length of the pitch curve.
        """
        arc, whole = self.contour.pitch((pose.p[0], pose.p[1]), self.roller).arc()
        slip = arc - self.roller * turn
        return slip - whole * ca.floor(slip / whole + 0.5)

    def wrenches(self, pose: Pose, planar: bool) -> Matrix:
        x, y = pose.p[0], pose.p[1]
        if self.flat:
            nx, ny = n = (pose.R[0, 1], pose.R[1, 1])
            return ca.vertcat(0, 0, nx * y - ny * x - self.contour.support(n).slope, nx, ny, 0)
        nx, ny = self.contour.pitch((x, y), self.roller).normal
        normal = ca.vertcat(0, 0, 0, nx, ny, 0)
        r: Any = self.roller  # `resolved` has replaced expressions by a number or symbol
        return ca.horzcat(normal, ca.vertcat(0, 0, -r, -ny, nx, 0)) if self.rolling else normal

    def wrenches_rate(self, pose: Pose, twist: Matrix, planar: bool) -> Matrix:
        """Time derivative of the constraint wrenches.

        The normal of a flat face rotates at the angular velocity of the follower relative to the cam. The normal of a
        pitch curve rotates at κ (t·v), with the curvature κ, the tangent t and the velocity v of the point that moves
        along the curve.
        """
        omega, vx, vy, (x, y) = twist[2], twist[3], twist[4], (pose.p[0], pose.p[1])
        if self.flat:
            nx, ny = n = (pose.R[0, 1], pose.R[1, 1])
            arm = nx * vy - ny * vx - omega * (nx * x + ny * y + self.contour.support(n).second)
            return ca.vertcat(0, 0, arm, -omega * ny, omega * nx, 0)
        pitch = self.contour.pitch((x, y), self.roller)
        nx, ny = pitch.normal
        turn = pitch.curvature * (nx * vy - ny * vx)
        rate = ca.vertcat(0, 0, 0, -turn * ny, turn * nx, 0)
        return ca.horzcat(rate, ca.vertcat(0, 0, 0, -turn * nx, -turn * ny, 0)) if self.rolling else rate

    def profile_table(self, count: int = 360) -> pd.DataFrame:
        """Points and normals of the cam profile, for manufacturing; see `multiloop.model.cams.cam.profile_table`."""

        return profile_table(self, count)

    def contact(self, pose: Pose, planar: bool) -> ContactGeometry:
        x, y, z = pose.p[0], pose.p[1], pose.p[2]
        if self.flat:
            nx, ny = n = (pose.R[0, 1], pose.R[1, 1])
            support = self.contour.support(n)
            h, slope = support.h, support.slope
            point = ca.vertcat(h * nx - slope * ny, h * ny + slope * nx, z)
            return ContactGeometry(point, ca.vertcat(nx, ny, 0), point, h + support.second, limit=self._limit)
        pitch = self.contour.pitch((x, y), self.roller)
        nx, ny = pitch.normal
        point = ca.vertcat(x - self.roller * nx, y - self.roller * ny, z)
        radius = 1 / pitch.curvature - self.roller
        return ContactGeometry(point, ca.vertcat(nx, ny, 0), pose.p, radius, self.groove, self._limit)


def cam_profile(cam: Cam, count: int = PROFILE_SAMPLES) -> ProfilePoints:
    """Points of the cam profile and of the path of the roller centre, with parameters at their described values."""
    contour, r = cam.contour, value_of(cam.roller) or 0.0
    u = contour.variable(count)
    return contour.flat_face_profile(u) if cam.flat else contour.outline(u, r)


def pressure_angles(cam: Cam, count: int = PROFILE_SAMPLES) -> np.ndarray | None:
    """Signed pressure angles (rad) of a follower that moves by the cam law; None for a cam without a law."""
    contour = cam.contour
    return contour.pressure_angles(contour.variable(count), value_of(cam.roller) or 0.0, cam.flat)


def profile_table(cam: Cam, count: int = 360) -> pd.DataFrame:
    """A table of points of the cam profile with outward normals, in metres and radians, in the cam's frame.

    `angle` is the cam angle of contact for a cam made from a cam law, otherwise the parameter of the curve; `radius` is
    the radius of curvature, negative where the profile is concave; `pitch_x` and `pitch_y` are the position of the
    centre of the roller, or of a milling cutter of the same radius.
    """
    import pandas as pd

    if isinstance(count, bool) or not isinstance(count, int) or count < 3:
        raise ValueError(f"profile_table: count is {count!r}. Give the number of points, at least 3.")
    found = cam_profile(cam, count)
    columns: dict[str, Any] = {"angle": found.u}
    for name, pair in (("", found.points), ("normal_", found.normals), ("pitch_", found.pitch)):
        columns |= {f"{name}x": pair[:, 0], f"{name}y": pair[:, 1]}
    angles = pressure_angles(cam, count)
    if angles is not None:
        columns["pressure_angle"] = angles
    return pd.DataFrame(columns | {"radius": found.radius})
