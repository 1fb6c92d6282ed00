"""Unilateral constraints described as loads: their base classes, stops, ropes and freewheels.

Each side of a unilateral constraint has a force x ≥ 0, a gap g ≥ 0 (or a rate) with x g = 0, and a mode that
states whether it is closed. Impacts follow Newton's law with a coefficient of restitution.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from multiloop.model.expressions import Scalar
from multiloop.model.faults import Fault
from multiloop.model.loads.load import Load, sign_faults
from multiloop.model.markers import body_of, value_of
from multiloop.model.messages.formatting import short_repr


@dataclass(frozen=True)
class SwitchingLoad(Load):
    """A load with switching contact modes: a force and a mode for each of its sides."""

    @property
    def modes(self) -> tuple[str, ...]:
        return ("mode",)

    @property
    def states(self) -> Mapping[str, Scalar]:
        """For each side its mode, and the force from which statically undetermined forces are distributed."""
        return dict.fromkeys((*self.modes, *self.shares), 0.0)

    @property
    def reaction_dependent_forces(self) -> int:
        return len(self.modes)


@dataclass(frozen=True)
class UnilateralLoad(SwitchingLoad):
    """A unilateral constraint with one force x ≥ 0, which acts only while its gap is closed.

    After an impact the rate of the gap is −`restitution` times its rate before (Newton's law of impact). A rebound with
    less than a millionth of the largest impact energy of the simulation is suppressed; if a `speed` is given, a rebound
    slower than that, in m/s or rad/s.
    """

    restitution: Scalar = field(default=0.0, kw_only=True)
    speed: Scalar | None = field(default=None, kw_only=True)

    unsigned: ClassVar[tuple[str, ...]] = ("restitution", "speed")
    steady: ClassVar[tuple[str, ...]] = ("restitution", "speed")


def restitution_faults(where: str, restitution: Scalar | None, speed: Scalar | None) -> Iterator[Fault]:
    """Errors of a restitution outside 0 … 1, and of a rebound speed that is not positive."""
    e, slow = (None if value is None else value_of(value) for value in (restitution, speed))
    if e is not None and not 0 <= e <= 1:
        yield Fault("L06", where, f"its restitution is {e:g}.", "Give a number from 0 (dead) to 1 (elastic).")
    if slow is not None and slow <= 0:
        remedy = "Give a positive speed in m/s or rad/s, below which it does not bounce."
        yield Fault("L06", where, f"its speed is {slow:g}.", remedy)


@dataclass(frozen=True)
class Stop(SwitchingLoad):
    """Stops at the ends of a joint's stroke: `Stop("end", "slide", high=0.3, stiffness=1e6, damping=200.0)`.

        δ = q − high or low − q,   effort = max(0, k δ + c δ̇)  against δ if δ > 0, else 0

    It pushes and never pulls. `component` names the coordinate of a joint with several. With a `restitution` e the stop
    is rigid: an impact multiplies the rate by −e instantaneously, by impulses through all joints. A rebound with less
    than a millionth of the largest impact energy of the simulation is suppressed; if a `speed` is given, a rebound
    slower than that.
    """

    joint: str
    component: str = ""
    low: Scalar | None = field(default=None, kw_only=True)
    high: Scalar | None = field(default=None, kw_only=True)
    stiffness: Scalar = field(default=0.0, kw_only=True)
    damping: Scalar = field(default=0.0, kw_only=True)
    restitution: Scalar | None = field(default=None, kw_only=True)
    speed: Scalar | None = field(default=None, kw_only=True)

    steady: ClassVar[tuple[str, ...]] = ("low", "high", "stiffness", "damping", "restitution", "speed")
    unsigned: ClassVar[tuple[str, ...]] = ("stiffness", "damping", "restitution", "speed")

    @property
    def dissipates(self) -> bool:
        return True

    @property
    def coordinates(self) -> tuple[tuple[str, str], ...]:
        return ((self.joint, self.component),)

    @property
    def modes(self) -> tuple[str, ...]:
        """Contact modes, one for each end of a rigid stop."""
        if self.restitution is None:
            return ()
        ends = {"low": self.low, "high": self.high}
        return tuple(f"{name} mode" for name, end in ends.items() if end is not None)

    def faults(self, where: str, planar: bool) -> Iterator[Fault]:
        yield from sign_faults(where, self)
        yield from restitution_faults(where, self.restitution, self.speed)
        soft = self.stiffness != 0.0 or self.damping != 0.0
        if self.restitution is not None and soft:
            what = "has a restitution and a stiffness or damping."
            yield Fault("L07", where, what, "Give restitution= for a hard stop, or stiffness= for a buffer.")
        if not (soft or self.restitution is not None) or (self.low is None and self.high is None):
            remedy = "Give stiffness= or restitution=, and low=, high= or both."
            yield Fault("L07", where, "stops nothing.", remedy)
        low, high = value_of(self.low), value_of(self.high)
        if low is not None and high is not None and low >= high:
            what = f"its low end is {low:g} and its high end {high:g}."
            yield Fault("L06", where, what, "Give the lower end of the stroke as low, the upper one as high.")


@dataclass(frozen=True)
class Rope(UnilateralLoad):
    """A massless, inextensible rope between the origins of two markers: `Rope("sling", "hook.a", "load.a", length=2)`.

        g = length − L ≥ 0,      tension ≥ 0,      no tension while it is slack

    It pulls and never pushes. When it becomes taut there is an impact, inelastic unless it has a `restitution`.
    """

    first: str
    second: str
    length: Scalar = field(default=0.0, kw_only=True)

    steady: ClassVar[tuple[str, ...]] = ("length", "restitution", "speed")
    unsigned: ClassVar[tuple[str, ...]] = ("length", "restitution", "speed")

    @property
    def markers(self) -> tuple[str, ...]:
        return (self.first, self.second)

    @property
    def span(self) -> tuple[str, str] | None:
        return (self.first, self.second)

    @property
    def needs_distance(self) -> bool:
        return False

    def faults(self, where: str, planar: bool) -> Iterator[Fault]:
        if body_of(self.first) == body_of(self.second):
            what = f"connects body '{body_of(self.first)}' with itself."
            yield Fault("L02", where, what, "Give markers of two different bodies.")
        length = value_of(self.length)
        if length is not None and length <= 0:
            remedy = "Give the length at which it is taut, in metres."
            yield Fault("L06", where, f"its length is {length:g}.", remedy)
        yield from restitution_faults(where, self.restitution, self.speed)


DIRECTIONS = ("forward", "backward")
"""Values of `free`, the direction in which it overruns."""


@dataclass(frozen=True)
class Freewheel(SwitchingLoad):
    """A clutch, ratchet or backstop along one coordinate of a joint: `Freewheel("clutch", "A")`.

        q̇ ≥ 0,      effort ≥ 0,      no effort while it overruns

    It overruns in the direction `free`, "forward" or "backward", and transmits any effort in the other direction.
    """

    joint: str
    component: str = ""
    free: str = field(default="forward", kw_only=True)

    @property
    def coordinates(self) -> tuple[tuple[str, str], ...]:
        return ((self.joint, self.component),)

    def faults(self, where: str, planar: bool) -> Iterator[Fault]:
        if self.free not in DIRECTIONS:
            what = f"it is free {short_repr(self.free)}."
            yield Fault("L08", where, what, 'Write free="forward" or free="backward".')
