"""Composite joints, which are replaced by several joints and bodies: pins of several links, payloads and struts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from multiloop.model.bodies import Body, Inertia, as_tensor
from multiloop.model.expressions import Expression, Scalar, depends_on_state, depends_on_time
from multiloop.model.expressions.expression_text import shortened_text
from multiloop.model.faults import Fault, short_repr
from multiloop.model.joints.fixed_and_free import Fixed
from multiloop.model.joints.joint import Joint
from multiloop.model.joints.lower_pairs import Prismatic, Revolute, Spherical
from multiloop.model.joints.universal import Universal
from multiloop.model.markers import Marker, Vector, marker, scalar, value_of, vector
from multiloop.model.synonyms import SuggestsArguments

if TYPE_CHECKING:
    from multiloop.model.loads import Load


@dataclass(frozen=True)
class Composite(SuggestsArguments, ABC):
    """Several joints under one name, listed among the joints of a mechanism; each is named "name/part"."""

    name: str

    @abstractmethod
    def binary_joints(self, planar: bool) -> tuple[Joint, ...]:
        """The joints between two bodies that replace the composite joint."""

    def bodies(self, planar: bool) -> tuple[Body, ...]:
        """The bodies that the composite joint adds to the mechanism."""
        return ()

    def loads(self, planar: bool) -> tuple[Load, ...]:
        """The loads that the composite joint adds to the mechanism."""
        return ()

    def faults(self, where: str) -> Iterator[Fault]:
        """Errors of the fields of the composite joint; `where` is its name in messages."""
        return iter(())

    def default_guess(self, planar: bool) -> Mapping[str, Any]:
        """Default initial guess for the joints that replace the composite joint, by name of the joint; used if the user
        gives none."""
        return {}


@dataclass(frozen=True)
class Pin(Composite):
    """One pin through several links: the links of the markers `others` rotate about the pin relative to the `carrier`.

    The pin is replaced by one revolute joint for each of the other links, named "pin/body". The choice of the carrier
    affects how the force of the pin is distributed among these joints, not the force on any link.
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
        """The revolute joints that replace the pin, in the order of `others`."""
        bodies = [other.partition(".")[0] for other in self.others]
        return tuple(
            Revolute(f"{self.name}/{body}", self.carrier, other)
            for body, other in zip(bodies, self.others, strict=True)
        )


@dataclass(frozen=True)
class Payload(Composite):
    """A mass attached to a marker: `Payload("load", "gripper.tip", mass=5.0)`, listed among the joints of a mechanism.

        force = m (a − g),      exerted at the marker on the payload

    with its mass m and acceleration a, and gravity g. `com` is the mass centre of the payload and `inertia` its inertia
    about the mass centre, along the axes of the marker; by default the payload is a point mass at the marker. It is
    replaced by the body "name/body" on the Fixed joint "name", so that `result["load"].force` and `.moment` are the
    loads that lift and accelerate it. A `mass` that is a Parameter can be swept without compiling again.
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
            said = _invalid_value_text(self.mass) if mass is None else f"{mass:g} kg"
            yield Fault(
                "M03", where, f"its mass is {said}.", "Give a positive mass in kg, or remove the payload."
            )


SLIDE_AXES = {"z": (1, 0, 0), "x": (0, 1, 0)}
"""Axes of the markers of a spatial strut's prismatic joint: z is along the x axis of the strut."""

CROSS_AXES = {"z": (0, 1, 0), "x": (0, 0, 1)}
"""Axes of the universal joint's marker on the barrel of a spatial strut.

With these axes the strut points along the y axis of its first marker if the angles of the universal joint are zero."""


@dataclass(frozen=True)
class Strut(Composite):
    """A barrel and a rod that slides in it, from the first marker to the second.

    The strut is replaced by the joint "name/foot" between the first body and "name/barrel", the prismatic joint "name",
    whose coordinate is the distance between the markers, and the joint "name/head" between "name/rod" and the second
    body. Foot and head are revolute joints in a planar mechanism. In a spatial mechanism the foot is a universal joint,
    whose first axis is the z axis of the first marker, and the head a spherical joint; the y axis of the first marker
    should then point roughly along the strut. `length` is the shortest and the longest length. `mass` is the mass of
    barrel and of rod, or the total, shared equally; each is a slender rod with the shortest length of the strut. `bore`
    and `shaft` are diameters, for pressures and flows.

    With a `stop_stiffness` (N/m) and a `stop_damping` (N s/m) the strut has elastic stops at both ends of its stroke:
    the Stop "name/stops", whose `effort` and `loss` are in results. Without stops, a length outside `length` is only
    reported.
    """

    first: str
    second: str
    length: Vector = field(kw_only=True)
    mass: Scalar | Vector = field(default=0.0, kw_only=True)
    bore: Scalar | None = field(default=None, kw_only=True)
    shaft: Scalar = field(default=0.0, kw_only=True)
    stop_stiffness: Scalar | None = field(default=None, kw_only=True)
    stop_damping: Scalar = field(default=0.0, kw_only=True)

    def __post_init__(self) -> None:
        set_field, mass = object.__setattr__, vector(self.mass)
        set_field(self, "length", vector(self.length))
        set_field(self, "mass", mass if len(mass) > 1 else mass[0] if mass else ())
        set_field(self, "bore", None if self.bore is None else scalar(self.bore))
        for name in ("shaft", "stop_stiffness", "stop_damping"):
            set_field(self, name, scalar(getattr(self, name)))

    @property
    def masses(self) -> tuple[Any, Any]:
        """Masses of barrel and rod (kg)."""
        mass: Any = self.mass
        return (mass[0], mass[1]) if isinstance(mass, tuple) else (mass / 2, mass / 2)

    def bodies(self, planar: bool) -> tuple[Body, ...]:
        long, (barrel, rod) = self.length[0], self.masses
        return (
            _slender_rod(f"{self.name}/barrel", barrel, {"a": 0.0, "c": long}, planar),
            _slender_rod(f"{self.name}/rod", rod, {"c": -long, "b": 0.0}, planar),
        )

    def binary_joints(self, planar: bool) -> tuple[Joint, ...]:
        name, barrel, eye = self.name, f"{self.name}/barrel", f"{self.name}/rod.b"
        foot, seat, head = (Revolute, "a", Revolute) if planar else (Universal, "foot", Spherical)
        return (
            foot(f"{name}/foot", self.first, f"{barrel}.{seat}"),
            Prismatic(name, f"{barrel}.a", eye),
            head(f"{name}/head", eye, self.second),
        )

    def loads(self, planar: bool) -> tuple[Load, ...]:
        """The elastic stops at both ends of the stroke; empty without `stop_stiffness`."""
        if self.stop_stiffness is None:
            return ()
        from multiloop.model.loads import Stop  # imported here since loads import joints

        short, long = self.length
        k, c = self.stop_stiffness, self.stop_damping
        return (Stop(f"{self.name}/stops", self.name, low=short, high=long, stiffness=k, damping=c),)

    def default_guess(self, planar: bool) -> Mapping[str, Any]:
        """Default guess for the strut: the length in the middle of its stroke and, in space, the direction of the y
        axis of the first marker."""
        short, long = (value_of(end) or 0.0 for end in self.length)
        return {self.name: (short + long) / 2} | ({} if planar else {f"{self.name}/foot": (0.0, 0.0)})

    def faults(self, where: str) -> Iterator[Fault]:
        ends = [value_of(end) for end in self.length]
        numbers = [end for end in ends if end is not None]
        if len(ends) != 2 or len(numbers) != 2 or not 0 < numbers[0] < numbers[1]:
            remedy = "Give the minimum and the maximum length in metres, e.g. length=(1.2, 2.0)."
            yield Fault("M13", where, f"its length is {short_repr(self.length)}.", remedy)
        masses = self.mass if isinstance(self.mass, tuple) else (self.mass,)
        values = [value_of(part) for part in masses]
        if not 1 <= len(values) <= 2 or any(value is None or value < 0 for value in values):
            remedy = "Give the masses of barrel and rod, e.g. mass=(40, 25), or their sum; 0.0 for massless."
            yield Fault("M03", where, f"its mass is {_invalid_value_text(self.mass)}.", remedy)
        bore, shaft = (0.0 if given is None else value_of(given) for given in (self.bore, self.shaft))
        if (
            bore is None
            or shaft is None
            or bore < 0
            or shaft < 0
            or (self.bore is not None and shaft >= bore)
        ):
            what = f"its bore is {short_repr(self.bore)} and its shaft is {short_repr(self.shaft)}."
            yield Fault("M13", where, what, "Give diameters in metres, the shaft smaller than the bore.")
        yield from self._stop_faults(where)

    def _stop_faults(self, where: str) -> Iterator[Fault]:
        stiffness, damping = value_of(self.stop_stiffness), value_of(self.stop_damping)
        if self.stop_stiffness is not None and (stiffness is None or stiffness <= 0):
            remedy = "Give a positive number, in N/m, or remove it."
            yield Fault(
                "L06", where, f"its stop_stiffness is {_invalid_value_text(self.stop_stiffness)}.", remedy
            )
        if damping is None or damping < 0:
            remedy = "Give a number in N s/m, 0.0 or more."
            yield Fault(
                "L06", where, f"its stop_damping is {_invalid_value_text(self.stop_damping)}.", remedy
            )
        elif damping and self.stop_stiffness is None:
            what = "has a stop_damping but no stop_stiffness."
            yield Fault("L07", where, what, "Give stop_stiffness= too, in N/m.")


def _invalid_value_text(value: Any) -> str:
    """An invalid value for messages: an expression in backticks, with the reason if it is not constant."""
    if not isinstance(value, Expression):
        return short_repr(value)
    changes = depends_on_time(value) or depends_on_state(value)
    return f"{shortened_text(value)}{', which changes as the mechanism moves' if changes else ''}"


def _slender_rod(name: str, mass: Any, ends: dict[str, Any], planar: bool) -> Body:
    """A slender rod between two points on its x axis. `ends` maps the name of the marker at each point to the
    coordinate x (m) of the point; one of the points is the origin."""
    low, high = ends.values()
    across = mass * (high - low) * (high - low) / 12
    markers: dict[str, Marker] = {}
    for end, place in ends.items():
        markers[end] = marker((place, 0.0)) if planar else marker((place, 0.0, 0.0), **SLIDE_AXES)  # type: ignore[arg-type]
    if not planar:
        markers["foot"] = marker((0.0, 0.0, 0.0), **CROSS_AXES)  # type: ignore[arg-type]
    return Body(
        name,
        mass=mass,
        com=((low + high) / 2,),
        inertia=across if planar else (0.0, across, across),
        markers=tuple(markers.items()),
        outline=tuple(ends),
    )
