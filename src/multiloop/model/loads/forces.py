"""Applied forces and torques."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

from multiloop.model.expressions import Scalar
from multiloop.model.faults import Fault
from multiloop.model.loads.load import Load, component_faults, frame_faults, switch_faults
from multiloop.model.markers import Vector, body_of


@dataclass(frozen=True)
class Force(Load):
    """A force at the origin of a marker: `Force("dig", "bucket.tip", (0, -500))`.

    Its components are along inertial axes, or with frame="body" along the axes of the body, on a flexible body along
    those of the section at the marker. They may depend on time and state.

    With useful=True the work that it absorbs is the useful work of the machine: efficiency is useful work over input.
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


@dataclass(frozen=True)
class Torque(Load):
    """A torque on a body: `Torque("brake", "drum", -5.0)`, three components in space.

    It acts on this body alone; for a torque between two bodies at a joint use an Actuator or a JointSpring.
    Components are along inertial axes, or with frame="body" along the axes of the body. They may depend on time and
    state.

    With useful=True the work that it absorbs is the useful work of the machine: efficiency is useful work over input.
    """

    body: str
    torque: Scalar | Vector
    frame: str = "inertial"
    useful: bool = field(default=False, kw_only=True)

    varying: ClassVar[tuple[str, ...]] = ("torque",)

    @property
    def markers(self) -> tuple[str, ...]:
        return (f"{body_of(self.body)}.origin",)

    def faults(self, where: str, planar: bool) -> Iterator[Fault]:
        if "." in self.body:
            what = f"its body is '{self.body}', which is the name of a marker."
            remedy = f'A torque acts on the whole body: write "{body_of(self.body)}".'
            yield Fault("M12", where, what, remedy)
        yield from component_faults(where, "torque", self.torque, planar, in_plane=1)
        yield from frame_faults(where, self.frame)
        yield from switch_faults(where, "useful", self.useful)
