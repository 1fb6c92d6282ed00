"""Prescribed motions and actuators, and checks of the tables in their expressions of time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from multiloop.model.expressions import Expression, Scalar
from multiloop.model.expressions.tables import overshoots
from multiloop.model.faults import ResultWarning, unique_warnings
from multiloop.model.markers import Vector, scalar, vector
from multiloop.model.profiles.orientations import Orientation, as_orientation
from multiloop.model.synonyms import SuggestsArguments

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism

MOTION_COMPONENTS = ("angle", "slide", "first", "second", "x", "y", "z")
"""Names of the components that a Motion may prescribe: coordinates of joints, and x, y, z and angle of markers."""


@dataclass(frozen=True)
class Motion(SuggestsArguments):
    """A motion of a joint or marker, prescribed as a function of time.

    `of` is a joint, or a marker "body.marker". The motion of a joint with one degree of freedom is given as `profile`,
    `Motion("A", constant_speed(4.7))`; otherwise components are named, `Motion("platform.c", x=…, y=…, angle=…)`. A
    joint's motion is that of its second marker relative to its first; the motion of a marker is given in the inertial
    frame. In a spatial mechanism a marker may have an `orientation`: a quaternion of four expressions, scalar first, a
    rotation vector of three, or an axis with an angle, `((0, 0, 1), angle)`.
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
        object.__setattr__(self, "orientation", as_orientation(self.orientation))

    @property
    def on_marker(self) -> bool:
        """Whether the motion of a marker is prescribed rather than that of a joint."""
        return "." in self.of

    def named(self) -> dict[str, Scalar]:
        """The expressions of the prescribed components by name, without the orientation; `profile` has the name ""."""
        given = {"": self.profile} | {name: getattr(self, name) for name in MOTION_COMPONENTS}
        return {name: value for name, value in given.items() if value is not None}


@dataclass(frozen=True)
class Actuator(SuggestsArguments):
    """An effort (torque or force) at a joint, acting on the second body along the joint's positive direction.

    `effort` is a number or an expression; if it is omitted, inverse dynamics computes the required effort. `limit`, a
    magnitude or (least, largest), saturates a given effort; a required effort that exceeds it is reported. A
    `speed_limit` does not restrict the motion; a higher speed of the joint is reported. `component` names the
    coordinate at a joint with several coordinates.

    The motor rotates by `ratio` times the joint coordinate; for a sliding joint `ratio` is in rad/m. Efforts, limits
    and rates are those of the joint; `result["A"].motor_effort` is the effort of the motor, effort / ratio, and
    `motor_rate` is ratio times the joint rate. With `rotor_inertia` J (kg m²) the inertia of the rotor is included: it
    adds J ratio² to the inertia along the joint and is modelled as the body "A/rotor" on the joint "A/motor", coupled
    by the relation "A/gearbox".
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
        """The smallest and the largest allowed effort; None if the actuator has no limit."""
        if self.limit is None:
            return None
        return tuple(self.limit) if isinstance(self.limit, tuple) else (-self.limit, self.limit)  # type: ignore[return-value]


def _prescribed_expressions(mechanism: Mechanism) -> Iterator[tuple[str, str, Expression]]:
    """Expressions of the prescribed motions, without orientations, each after the words and the name that describe
    it."""
    for motion in mechanism.drives:
        for profile in motion.named().values():
            if isinstance(profile, Expression):
                yield "the drive of", motion.of, profile


def _load_expressions(mechanism: Mechanism) -> Iterator[tuple[str, str, Expression]]:
    """Expressions of given efforts and of loads, each after the words and the name that describe it."""
    for actuator in mechanism.actuators:
        if isinstance(actuator.effort, Expression):
            yield "the effort at", actuator.joint, actuator.effort
    for load in mechanism.all_loads:
        yield from (("the load", load.name, value) for value in load.expressions)


def load_expressions(mechanism: Mechanism) -> Iterator[tuple[str, Expression]]:
    """Expressions of given efforts and of loads, each with its description for messages."""
    yield from ((f"{kind} '{place}'", value) for kind, place, value in _load_expressions(mechanism))


@lru_cache(maxsize=64)
def overshooting_tables(mechanism: Mechanism) -> tuple[ResultWarning, ...]:
    """A warning for every drive, effort and load of the mechanism with a cubic table that overshoots its points."""
    sources = (*_prescribed_expressions(mechanism), *_load_expressions(mechanism))
    return unique_warnings(one for source in sources for one in overshoot_warnings(*source))


def overshoot_warnings(kind: str, place: str, value: Expression) -> Iterator[ResultWarning]:
    """A warning for every cubic table in one expression that overshoots its points; `kind` and `place` name the
    expression: "the drive of" and a joint, for example."""
    for far, point in overshoots(value):
        text = (
            f"the cubic table of {kind} '{place}' overshoots: its curve reaches {far:.4g}, but its points only "
            f'{point:.4g} (with kind="monotone" the curve stays within the points)'
        )
        yield ResultWarning("W17", place, text, float(far))
