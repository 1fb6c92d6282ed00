"""Base class of rolling pairs: contact at one point without slip."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field

import casadi as ca

from multiloop.model.expressions import Scalar
from multiloop.model.loads import Load
from multiloop.model.loads.rolling_resistance import RollingResistance
from multiloop.model.markers import scalar, value_of
from multiloop.model.pairs.pair import Pair
from multiloop.spatial import Matrix, Pose


@dataclass(frozen=True)
class RollingContact(Pair):
    """A round body on a plane, or on a line; c is the contact point relative to the first marker, in its frame.

        Φ = n · (p − c),      n · v_c = 0,   x · v_c = 0,   y · v_c = 0

    n is the normal, x and y lie in the plane, p is the position of the second marker relative to the first. Since the
    surface of the body at c is perpendicular to n, the rate of Φ is n · v_c.

    `resistance` is the arm (m) of rolling resistance, a moment arm × |N| against the rolling with the normal force N of
    the pair: the load "name/resistance". Below `resistance_speed` (rad/s) it falls smoothly to zero. By default this
    speed follows from gravity and the size of the mechanism, √(g/ℓ)/3000, as for Friction.
    """

    radius: Scalar = field(kw_only=True)
    resistance: Scalar = field(kw_only=True, default=0.0)
    resistance_speed: Scalar | None = field(kw_only=True, default=None)

    def __post_init__(self) -> None:
        for name in ("radius", "resistance", "resistance_speed"):
            object.__setattr__(self, name, scalar(getattr(self, name)))

    def loads(self) -> tuple[Load, ...]:
        """Its rolling resistance, if any."""
        if isinstance(self.resistance, float) and self.resistance == 0.0:
            return ()
        arm, speed = self.resistance, self.resistance_speed
        resisting = (self.name, self.first, self.second)
        return (RollingResistance(f"{self.name}/resistance", *resisting, arm=arm, speed=speed),)

    @abstractmethod
    def contact(self, pose: Pose, planar: bool) -> Matrix:
        """Vector from the first marker to the contact point, in the frame of the first marker."""

    def reach(self) -> float:
        return value_of(self.radius) or 0.0

    def freedoms(self, planar: bool) -> int:
        return 1 if planar else 3

    def position_rows(self, planar: bool) -> int:
        return 1

    def wrenches(self, pose: Pose, planar: bool) -> Matrix:
        """Forces at the contact point, in the frame of the first marker: normal force, then tangential forces."""
        plane = pose.R
        c = self.contact(pose, planar)
        axes = (1, 0) if planar else (2, 0, 1)
        forces = [plane[:, k] for k in axes]
        # Moments about the origin of the plane's marker, at p relative to the first.
        return ca.horzcat(*[ca.vertcat(ca.cross(c - pose.p, f), f) for f in forces])

    def wrench_names(self, planar: bool) -> tuple[str, ...]:
        along = (
            ("force along the line",)
            if planar
            else ("force along the plane's x", "force along the plane's y")
        )
        return ("normal force", *along)

    def closure(self, pose: Pose, planar: bool) -> Matrix:
        """Height of the plane above the contact point, along the normal."""
        n = pose.R[:, 1] if planar else pose.R[:, 2]
        return ca.dot(n, pose.p - self.contact(pose, planar))
