"""Composite joints, which stand for several joints and the bodies between them: pins and payloads."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from multiloop.model.bodies import Body, Inertia, as_tensor
from multiloop.model.expressions import Scalar
from multiloop.model.faults import Fault
from multiloop.model.joints.fixed_and_free import Fixed
from multiloop.model.joints.joint import Joint
from multiloop.model.joints.lower_pairs import Revolute
from multiloop.model.markers import Vector, scalar, value_of, vector
from multiloop.model.messages.formatting import short_repr

if TYPE_CHECKING:
    from multiloop.model.loads import Load


@dataclass(frozen=True)
class Composite(ABC):
    """Several joints under one name, each named "name/part"; it is listed among the joints of a mechanism."""

    name: str

    @abstractmethod
    def binary_joints(self, planar: bool) -> tuple[Joint, ...]:
        """The joints for which it stands."""

    def bodies(self, planar: bool) -> tuple[Body, ...]:
        """The bodies that it implies."""
        return ()

    def loads(self, planar: bool) -> tuple[Load, ...]:
        """The loads that it implies."""
        return ()

    def faults(self, where: str) -> Iterator[Fault]:
        """Errors of its values; `where` is its name in messages."""
        return iter(())

    def default_guess(self, planar: bool) -> Mapping[str, Any]:
        """Default guess for its joints, used if the user gives none."""
        return {}


@dataclass(frozen=True)
class Pin(Composite):
    """One pin through several links: each of `others` turns on it relative to the `carrier`.

    It stands for one revolute joint per other link, named "pin/body". The choice of the carrier affects how the force
    of the pin is distributed among these joints, not the force on any link.
    """

    carrier: str
    others: tuple[str, ...]

    def __post_init__(self) -> None:
        if isinstance(self.others, list):
            object.__setattr__(self, "others", tuple(self.others))

    def binary_joints(self, planar: bool) -> tuple[Revolute, ...]:
        return self.revolutes()

    def faults(self, where: str) -> Iterator[Fault]:
        others: Any = self.others
        named = isinstance(others, tuple) and all(isinstance(other, str) for other in others)
        if not (named and others):
            remedy = 'Give a list with one marker for each other link, e.g. ["crank.b", "rod.a"].'
            yield Fault("M12", where, f"its others are {short_repr(others)}.", remedy)

    def revolutes(self) -> tuple[Revolute, ...]:
        """The revolute joints for which it stands, in the order of `others`."""
        bodies = [other.partition(".")[0] for other in self.others]
        return tuple(
            Revolute(f"{self.name}/{body}", self.carrier, other)
            for body, other in zip(bodies, self.others, strict=True)
        )


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
            said = short_repr(self.mass) if mass is None else f"{mass:g} kg"
            yield Fault("M03", where, f"its mass is {said}.", "Give a positive mass in kg, or leave it out.")
