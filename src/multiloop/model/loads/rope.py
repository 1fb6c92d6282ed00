"""Ropes: the distance of two points cannot exceed the length of the rope."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

from multiloop.model.expressions import Scalar
from multiloop.model.faults import Fault
from multiloop.model.loads.one_sided import OneSided, restitution_faults
from multiloop.model.markers import value_of
from multiloop.model.names import body_of


@dataclass(frozen=True)
class Rope(OneSided):
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
