"""Drives: prescribed motions, and actuators that supply an effort (torque or force)."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import Any

from multiloop.model.expressions import Scalar
from multiloop.model.markers import Vector, scalar, vector
from multiloop.model.orientation import Orientation, oriented

COMPONENTS = ("angle", "slide", "first", "second", "x", "y", "z")
"""Components of a Motion: those of joints, and x, y, z, angle of a marker."""


@dataclass(frozen=True)
class Motion:
    """A motion prescribed in time.

    `of` is a joint, or a marker "body.marker". A joint with one degree of freedom takes a bare profile,
    `Motion("A", constant_speed(4.7))`; otherwise components are named,
    `Motion("platform.c", x=…, y=…, angle=…)`. A joint's motion is that of its second marker relative to its first; a
    marker's is in the inertial frame. In space a marker may have an `orientation`: a quaternion of four expressions,
    scalar first, a rotation vector of three, or an axis with an angle, `((0, 0, 1), angle)`.
    """

    of: str
    profile: Scalar | None = None
    angle: Scalar | None = None
    slide: Scalar | None = None
    first: Scalar | None = None
    second: Scalar | None = None
    x: Scalar | None = None
    y: Scalar | None = None
    z: Scalar | None = None
    orientation: Orientation | None = None

    def __post_init__(self) -> None:
        for entry in fields(self)[1:-1]:
            object.__setattr__(self, entry.name, scalar(getattr(self, entry.name)))
        object.__setattr__(self, "orientation", oriented(self.orientation))

    @property
    def on_marker(self) -> bool:
        """Whether it prescribes the motion of a marker rather than of a joint."""
        return "." in self.of

    def named(self) -> dict[str, Scalar]:
        """The prescribed components by name, without the orientation; a bare profile has the name ""."""
        given = {"": self.profile} | {name: getattr(self, name) for name in COMPONENTS}
        return {name: value for name, value in given.items() if value is not None}


@dataclass(frozen=True)
class Actuator:
    """An effort (torque or force) at a joint, acting on the second body along the joint's positive direction.

    Without `effort` it is unknown: inverse dynamics computes it. A given `effort` is a number or an expression. A
    `limit` on its magnitude, or (least, largest), saturates a given effort, and is reported where the required effort
    exceeds it; a `speed_limit` of the joint is only reported. `component` names the coordinate of a joint with several.

    The motor turns `ratio` times as far as the joint; for a sliding joint `ratio` is in rad/m. Efforts, limits and
    rates are those of the joint; `result["A"].motor_effort` is that of the motor, effort / ratio, and `motor_rate` is
    ratio q̇. With `rotor_inertia` J (kg m²) the inertia of the rotor is included: it adds J ratio² to the inertia along
    the joint, as the body "A/rotor" on the joint "A/motor", coupled by the relation "A/gearbox".
    """

    joint: str
    component: str = ""
    effort: Scalar | None = None
    limit: Scalar | Vector | None = None
    speed_limit: Scalar | None = field(default=None, kw_only=True)
    rotor_inertia: Scalar | None = field(default=None, kw_only=True)
    ratio: Scalar = field(default=1.0, kw_only=True)

    def __post_init__(self) -> None:
        for name in ("effort", "speed_limit", "rotor_inertia", "ratio"):
            object.__setattr__(self, name, scalar(getattr(self, name)))
        several = isinstance(self.limit, list | tuple) or getattr(self.limit, "ndim", 0) > 0
        object.__setattr__(self, "limit", vector(self.limit) if several else scalar(self.limit))

    @property
    def unpowered(self) -> Actuator:
        """The actuator without effort and limits; its rotor and its gearbox remain."""
        return replace(self, effort=0.0, limit=None, speed_limit=None)

    @property
    def limits(self) -> tuple[Any, Any] | None:
        """The least and the largest effort; None without a limit."""
        if self.limit is None:
            return None
        return tuple(self.limit) if isinstance(self.limit, tuple) else (-self.limit, self.limit)  # type: ignore[return-value]
