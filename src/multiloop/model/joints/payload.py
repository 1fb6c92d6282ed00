"""Payloads of grippers, hooks or buckets: a mass attached to a marker, with the force that carries it as a result."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from multiloop.model.bodies import Body, Inertia, as_tensor
from multiloop.model.brief import brief
from multiloop.model.expressions import Scalar
from multiloop.model.faults import Fault
from multiloop.model.joints.composite import Composite
from multiloop.model.joints.fixed import Fixed
from multiloop.model.joints.joint import Joint
from multiloop.model.markers import Vector, scalar, value_of, vector


@dataclass(frozen=True)
class Payload(Composite):
    """A mass attached to a marker: `Payload("load", "gripper.tip", mass=5.0)`, listed among the joints of a mechanism.

        force = m (a − g),      exerted at the marker by the body that carries it

    `com` is its mass centre and `inertia` the inertia about it, along the axes of the marker; by default it is a point
    mass at the marker. It stands for the body "name/body" on the Fixed joint "name", so that `result["load"].force` and
    `.moment` are the loads for lifting and accelerating it. A `mass` that is a Parameter can be swept without compiling
    again.
    """

    at: str
    mass: Scalar = field(kw_only=True)
    com: Vector = field(default=(0.0,), kw_only=True)
    inertia: Inertia = field(default=0.0, kw_only=True)

    def __post_init__(self) -> None:
        set_field = object.__setattr__
        set_field(self, "mass", scalar(self.mass))
        set_field(self, "com", vector(self.com))
        set_field(self, "inertia", as_tensor(self.inertia))

    def bodies(self, planar: bool) -> tuple[Body, ...]:
        return (Body(f"{self.name}/body", mass=self.mass, com=self.com, inertia=self.inertia),)

    def binary_joints(self, planar: bool) -> tuple[Joint, ...]:
        return (Fixed(self.name, self.at, f"{self.name}/body.origin"),)

    def faults(self, where: str) -> Iterator[Fault]:
        mass = value_of(self.mass)
        if mass is None or mass <= 0:
            said = brief(self.mass) if mass is None else f"{mass:g} kg"
            yield Fault("M03", where, f"its mass is {said}.", "Give a positive mass in kg, or leave it out.")
