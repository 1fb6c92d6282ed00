"""A force at a point of a body."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

from multiloop.model.faults import Fault
from multiloop.model.loads.load import Load, component_faults, frame_faults, switch_faults
from multiloop.model.markers import Vector


@dataclass(frozen=True)
class Force(Load):
    """A force at the origin of a marker: `Force("dig", "bucket.tip", (0, -500))`.

    Its components are along inertial axes, or with frame="body" along those of the body, which turn with it, and of a
    link that bends with the section at the marker. They may depend on time and state.

    With useful=True the work that it takes is what the machine is for: an efficiency is the useful work over the input.
    """

    at: str
    force: Vector
    frame: str = "inertial"
    useful: bool = field(default=False, kw_only=True)

    varying: ClassVar[tuple[str, ...]] = ("force",)

    @property
    def markers(self) -> tuple[str, ...]:
        return (self.at,)

    def faults(self, where: str, planar: bool) -> Iterator[Fault]:
        yield from component_faults(where, "force", self.force, planar, in_plane=2)
        yield from frame_faults(where, self.frame)
        yield from switch_faults(where, "useful", self.useful)
