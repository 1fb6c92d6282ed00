"""What moves the mechanism: motions that are prescribed, and actuators that supply effort."""

from __future__ import annotations

from dataclasses import dataclass, fields

from multiloop.model.expressions import Scalar
from multiloop.model.markers import scalar
from multiloop.model.orientation import Orientation, oriented

COMPONENTS = ("angle", "slide", "first", "second", "x", "y", "z")
"""Components a Motion may name: those of joints, and x, y, z, angle of a marker."""


@dataclass(frozen=True)
class Motion:
    """A movement prescribed in time.

    `of` is a joint, or a marker "body.marker". A joint with one freedom takes a bare profile,
    `Motion("A", constant_speed(4.7))`; otherwise components are named,
    `Motion("platform.c", x=…, y=…, angle=…)`. A joint's motion is second marker relative to first; a marker's
    is in the inertial frame. In space a marker takes an `orientation` too: a quaternion of four expressions, scalar
    first, a rotation vector of three, or an axis with an angle, `((0, 0, 1), angle)`.
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
        """Whether it moves a marker rather than a joint."""
        return "." in self.of

    def named(self) -> dict[str, Scalar]:
        """The prescribed components by name, an orientation apart; a bare profile has the name ""."""
        given = {"": self.profile} | {name: getattr(self, name) for name in COMPONENTS}
        return {name: value for name, value in given.items() if value is not None}


@dataclass(frozen=True)
class Actuator:
    """An effort supplied at a joint, on the second body along the joint's positive direction.

    Without `effort` it is unknown: inverse dynamics finds it. With one it is known (a number or an
    expression). A `limit` on its magnitude cuts a known effort off, and is reported where a needed one exceeds
    it. `component` names the coordinate of a joint with several.
    """

    joint: str
    component: str = ""
    effort: Scalar | None = None
    limit: Scalar | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "effort", scalar(self.effort))
        object.__setattr__(self, "limit", scalar(self.limit))
