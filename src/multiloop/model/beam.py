"""A slender straight link that bends, described by its material and its section."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import BeforeValidator, PlainSerializer

from multiloop.model.bodies import Body, rod
from multiloop.model.brief import brief
from multiloop.model.expressions import Scalar
from multiloop.model.faults import Fault, ModelError
from multiloop.model.lazy_methods import opens
from multiloop.model.markers import Vector, pairs, scalar, value_of, vector
from multiloop.model.names import ETA
from multiloop.model.sections import Section

FRAMES = ("a", "chord")
"""Where the body's frame sits: clamped to the section at a, or with its x axis through both ends."""

WAYS = ("y", "z", "x", "twist")
"""In which ways a beam can deform."""


def _counts(value: Any) -> Any:
    """A number is that of shapes along y."""
    if isinstance(value, int) and not isinstance(value, bool):
        return (("y", value),)
    found = pairs(value)
    return tuple((name, count) for name, count in found) if isinstance(found, tuple) else value


Counts = Annotated[tuple[tuple[str, int], ...], BeforeValidator(_counts), PlainSerializer(dict)]
"""How many shapes for each way; written to files as a mapping."""


@dataclass(frozen=True)
class Beam(Body):
    """A straight elastic link along x from marker `a` to marker `b`; `multiloop.beam` makes one.

    `modes` says how many shapes it has for each way: "y", "z" (bending), "x" (stretching), "twist". With `stiffening`
    it keeps its length as it bends, so that its ends draw together and axial forces stiffen or buckle it. `damping` is
    the part of critical that each shape has, one number for all or one for each.
    """

    length: Scalar = field(default=0.0, kw_only=True)
    E: Scalar = field(default=0.0, kw_only=True)
    G: Scalar = field(default=0.0, kw_only=True)
    density: Scalar = field(default=0.0, kw_only=True)
    section: Section = field(default=Section(0.0, 0.0), kw_only=True)
    modes: Counts = field(default=(("y", 2),), kw_only=True)
    frame: str = field(default="chord", kw_only=True)
    stiffening: bool = field(default=True, kw_only=True)
    damping: Scalar | Vector = field(default=0.0, kw_only=True)
    elements: int = field(default=16, kw_only=True)

    reduced = opens("multiloop.flexible", "reduced_beam", "What the recursion needs of the body.")
    centreline = opens("multiloop.flexible", "centreline", "The beam along its length, in numbers.")

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("length", "E", "G", "density"):
            object.__setattr__(self, name, scalar(getattr(self, name)))
        several = isinstance(self.damping, list | tuple)
        object.__setattr__(self, "damping", vector(self.damping) if several else scalar(self.damping))
        object.__setattr__(self, "modes", _counts(self.modes))

    @property
    def elastic(self) -> int:
        """The number of its elastic coordinates."""
        return sum(count for _, count in self.modes)

    @property
    def ways(self) -> tuple[tuple[str, int], ...]:
        """Every coordinate: the way that it deforms, and which of the shapes of that way it is."""
        return tuple((way, k) for way, count in self.modes for k in range(count))

    @property
    def positive(self) -> dict[str, Scalar]:
        """Its length, material and section, as far as its ways of deforming ask for them."""
        section, ways = self.section, [way for way, _ in self.modes] if isinstance(self.modes, tuple) else []
        numbers = {"length": self.length, "E": self.E, "density": self.density}
        numbers |= {"section's A": section.A, "section's Iz": section.Iz}
        if "z" in ways:
            numbers["section's Iy"] = section.Iy
        if "twist" in ways:
            numbers |= {"section's J": section.J, "G": self.G}
        return numbers

    @property
    def kept(self) -> dict[str, Scalar]:
        """The part of its length at which every marker stands: shapes are taken there once."""
        return {f"marker '{name}'": marker.point[0] / self.length for name, marker in self.markers}

    def further_faults(self, planar: bool) -> Iterator[Fault]:
        """A length, a material and a section that can be, and shapes that there are."""
        where = f"body '{self.name}'"
        yield from beam_faults(where, self, planar)
        if ETA in self.marker_names:
            what = f"a marker is called '{ETA}', as its elastic coordinates are."
            yield Fault("M14", where, what, "Give the marker another name.")


def beam(
    name: str,
    *,
    length: Scalar,
    E: Scalar,
    density: Scalar,
    section: Section,
    G: Scalar | None = None,
    modes: int | Mapping[str, int] = 2,
    frame: str = "chord",
    stiffening: bool = True,
    damping: Scalar | Vector = 0.0,
    elements: int = 16,
    markers: Mapping[str, Any] | None = None,
) -> Beam:
    """A straight link that bends, of a material (E and G in Pa, density in kg/m³) and a section.

    `beam("coupler", length=0.9, E=70e9, density=2700, section=rectangle(0.02, 0.005))` stands where a `rod` would, with
    the same mass properties. `frame` is "chord" for links between pins, "a" for arms that are clamped there. Without G
    it is E/2.6, that of ν = 0.3. A number for a further marker is its distance from `a`.
    """
    if not isinstance(section, Section):
        what, remedy = (
            f"is {brief(section)}.",
            "Give rectangle(width, height), tube(outer, inner) or Section(A, Iz).",
        )
        raise ModelError(f"body '{name}'", [Fault("M15", "its section", what, remedy)])
    length, E, density = scalar(length), scalar(E), scalar(density)
    line = density * section.A
    mass, turning = line * length, line * length**3 / 12
    about = (density * length * section.Iy, density * length * section.Iz)
    inertia = (about[0] + about[1], turning + about[0], turning + about[1])
    body = rod(name, length=length, mass=mass, inertia=inertia, markers=markers)
    return Beam(
        name,
        mass=body.mass,
        com=body.com,
        inertia=body.inertia,
        markers=body.markers,
        outline=body.outline,
        length=length,
        E=E,
        G=E / 2.6 if G is None else G,
        density=density,
        section=section,
        modes=modes,  # type: ignore[arg-type]  # becomes pairs there
        frame=frame,
        stiffening=stiffening,
        damping=damping,
        elements=elements,
    )


def beam_faults(where: str, beam: Beam, planar: bool) -> Iterator[Fault]:
    """What is wrong with a beam by itself."""
    ways = [way for way, _ in beam.modes] if isinstance(beam.modes, tuple) else []
    for what, value in beam.positive.items():
        if not (value_of(value) or 0.0) > 0:
            yield Fault(
                "M15", where, f"its {what} is {brief(value)}.", "Give a number above zero, in SI units."
            )
    if beam.frame not in FRAMES:
        yield Fault("M15", where, f"its frame is {brief(beam.frame)}.", 'Give "a" or "chord".')
    if not ways or set(ways) - set(WAYS):
        remedy = 'Give a number, or counts by way: {"y": 2, "z": 2, "x": 1, "twist": 1}.'
        yield Fault("M15", where, f"its modes are {brief(beam.modes)}.", remedy)
        return
    yield from _count_faults(where, beam, planar)


def _count_faults(where: str, beam: Beam, planar: bool) -> Iterator[Fault]:
    if not isinstance(beam.elements, int) or beam.elements < 1:
        yield Fault(
            "M15", where, f"its elements are {brief(beam.elements)}.", "Give a whole number above zero."
        )
        return
    for way, count in beam.modes:
        most = 2 * beam.elements
        if not isinstance(count, int) or isinstance(count, bool) or not 1 <= count <= most:
            what = f"it has {brief(count)} modes along {way} on {beam.elements} elements."
            yield Fault("M15", where, what, f"Give 1 to {most}, or more elements.")
        if planar and way in ("z", "twist"):
            what = f"it has modes along {way}, which leave the plane."
            yield Fault("M15", where, what, 'Give "y" and "x" alone in a planar mechanism.')
    given = beam.damping if isinstance(beam.damping, tuple) else (beam.damping,)
    if len(given) not in (1, beam.elastic) or any((value_of(part) or 0.0) < 0 for part in given):
        what = f"its damping is {brief(beam.damping)}."
        yield Fault(
            "M15", where, what, f"Give a part of critical, 0.01, or one for each of {beam.elastic} modes."
        )
