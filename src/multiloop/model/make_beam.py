"""Beams as an engineer orders them: a line, a material, a section, and what sits on them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from multiloop.model.beam import AUTO, Beam
from multiloop.model.beam_mass import beam_mass
from multiloop.model.bodies import Body
from multiloop.model.brief import brief
from multiloop.model.damping import Rayleigh
from multiloop.model.expressions import Scalar
from multiloop.model.faults import Fault, ModelError
from multiloop.model.make_bodies import rod
from multiloop.model.markers import Vector, are_pairs, as_marker, pairs, scalar, value_of, vector
from multiloop.model.piece_axes import piece_axes
from multiloop.model.section_course import section_course
from multiloop.model.sections import Section

ABOVE = "Give a number above zero, in SI units."
A_SECTION = "Give rectangle(width, height), tube(outer, inner) or Section(A, Iz)."


def beam(
    name: str,
    *,
    length: Scalar | None = None,
    through: Sequence[Any] | None = None,
    E: Scalar,
    density: Scalar,
    section: Section | Sequence[Section],
    G: Scalar | None = None,
    shear: bool = False,
    masses: Mapping[str, Scalar] | None = None,
    modes: int | Mapping[str, int] = 2,
    frame: str = AUTO,
    basis: str = AUTO,
    interfaces: Sequence[str] = ("a", "b"),
    stiffening: bool = True,
    damping: Scalar | Vector | Rayleigh = 0.0,
    elements: int = 16,
    markers: Mapping[str, Any] | None = None,
) -> Beam:
    """A link that bends, of a material (E and G in Pa, density in kg/m³) and a section.

    `beam("coupler", length=0.9, E=70e9, density=2700, section=rectangle(0.02, 0.005))` stands where a `rod` would, with
    the same mass properties. In place of a length, `through=[(0, 0), (0.3, 0), (0.3, 0.2)]` are the points of a line of
    straight pieces with rigid corners from `a` to `b`; corners are markers c1, c2, … Two sections are those at a and b.
    `masses={"b": 0.2}` are point masses at markers; `shear` is for beams that are not slender. `frame` is "a" for
    arms that are clamped there, "chord" for links between pins, "free" for mean axes; `basis` "natural" or
    "interface" (Craig and Bampton's); unsaid, both follow from its joints. Without G it is E/2.6, that of ν = 0.3. A
    number for a further marker is its distance from `a` along the line.
    """
    sections = tuple(section) if isinstance(section, list | tuple) else (section,)
    faults = [*_section_faults(section, sections), *_line_faults(length, through), *_mass_faults(masses)]
    faults += _number_faults(E=E, density=density, G=1.0 if G is None else G)
    if faults:
        raise ModelError(f"body '{name}'", faults)
    E, density, at_a = scalar(E), scalar(density), sections[0]
    at_b = None if len(sections) == 1 or sections[1] == at_a else sections[1]
    points = () if through is None else tuple(vector(point) for point in through)
    body = _cranked(name, points, markers) if points else rod(name, length=length, mass=1.0, markers=markers)  # type: ignore[arg-type]
    length = line_length(points) if points else scalar(length)
    properties = _properties(body, points, length, density, (at_a, at_b), masses or {})
    return Beam(
        name,
        **properties,
        markers=body.markers,
        outline=body.outline,
        length=length,
        through=points,
        E=E,
        G=E / 2.6 if G is None else G,
        density=density,
        section=at_a,
        section_at_b=at_b,
        shear=shear,
        masses=masses or (),  # type: ignore[arg-type]  # becomes pairs there
        modes=_counted(modes, points),
        frame=frame,
        basis=basis,
        interfaces=tuple(interfaces) if isinstance(interfaces, list | tuple) else interfaces,  # type: ignore[arg-type]
        stiffening=stiffening,
        damping=damping,
        elements=elements,
    )


def _properties(
    body: Body,
    points: tuple[Vector, ...],
    length: Scalar,
    density: Scalar,
    sections: tuple[Section, Section | None],
    masses: Mapping[str, Scalar],
) -> dict[str, Any]:
    """Mass, mass centre and inertia; those of a uniform straight beam as a rod has them."""
    section = sections[0]
    if not points and sections[1] is None and not masses:
        line = density * section.A
        about = (density * length * section.Iy, density * length * section.Iz)
        turning = line * length**3 / 12
        inertia = (about[0] + about[1], turning + about[0], turning + about[1])
        return {"mass": line * length, "com": vector(length / 2), "inertia": inertia}
    corners = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    if points:
        corners = np.array([_numbers(point) for point in points]) / float(length)
    axes = np.array([piece_axes(way) for way in np.diff(corners, axis=0)])
    known = (
        {mark: (*point.point, 0.0, 0.0)[:3] for mark, point in body.markers}
        if are_pairs(body.markers)
        else {}
    )
    sitting = [(known[mark], scalar(mass)) for mark, mass in dict(masses).items() if mark in known]
    found = beam_mass(corners, axes, length, density, section_course(*sections), sitting)
    size = max(
        len(point)
        for point in (*points, *(dict(body.markers)[mark].point for mark in masses if mark in known), (0,))
    )
    return {"mass": found.mass, "com": found.com[:size], "inertia": found.inertia, "inertia_at": "origin"}


def _counted(modes: Any, points: tuple[Vector, ...]) -> Any:
    """Where a line leaves the plane, a number is that of all its shapes."""
    leaves = any(value_of((*point, 0.0, 0.0)[2]) for point in points)
    number = isinstance(modes, int) and not isinstance(modes, bool)
    return (("space", modes),) if leaves and number else modes


# lines of straight pieces ---------------------------------------------------------------------------------------


def _numbers(point: Vector) -> list[float]:
    return [value_of(c) or 0.0 for c in (*point, 0.0, 0.0)[:3]]


def line_length(points: tuple[Vector, ...]) -> float:
    """Along all pieces."""
    steps = np.diff(np.array([_numbers(point) for point in points]), axis=0)
    return float(np.linalg.norm(steps, axis=1).sum())


def _cranked(name: str, points: tuple[Vector, ...], markers: Mapping[str, Any] | None) -> Body:
    """The body with its markers: a, the corners c1, c2, …, and b, then those that are given."""
    names = ["a", *(f"c{k}" for k in range(1, len(points) - 1)), "b"]
    own: dict[str, Any] = dict(zip(names, points, strict=True))
    given = pairs({} if markers is None else markers)
    if not are_pairs(given):
        return Body(name, markers=given)
    placed = {mark: _along(points, value) for mark, value in given}
    return Body(name, markers=tuple((own | placed).items()), outline=tuple(names))


def _along(points: tuple[Vector, ...], value: Any) -> Any:
    """A number is a distance along the line."""
    marker = as_marker(value)
    if marker is value or isinstance(value, list | tuple | np.ndarray) or value_of(value) is None:
        return value
    corners = np.array([_numbers(point) for point in points])
    steps = np.linalg.norm(np.diff(corners, axis=0), axis=1)
    ends = np.concatenate([[0.0], np.cumsum(steps)])
    size = max(len(point) for point in points)
    return tuple(float(np.interp(value_of(value) or 0.0, ends, corners[:, k])) for k in range(size))


# what can be told before there is a beam ------------------------------------------------------------------------


def _section_faults(given: Any, sections: tuple[Any, ...]) -> Iterator[Fault]:
    if len(sections) not in (1, 2) or not all(isinstance(one, Section) for one in sections):
        yield Fault("M15", "its section", f"is {brief(given)}.", A_SECTION)


def _number_faults(**given: Any) -> list[Fault]:
    wrong = {name: value for name, value in given.items() if value_of(scalar(value)) is None}
    return [Fault("M15", f"its {name}", f"is {brief(value)}.", ABOVE) for name, value in wrong.items()]


def _mass_faults(masses: Any) -> Iterator[Fault]:
    named = pairs({} if masses is None else masses)
    if not are_pairs(named):
        yield Fault("M15", "its masses", f"are {brief(masses)}.", 'Give kilograms by marker, {"b": 0.2}.')
        return
    for name, mass in named:
        number = value_of(scalar(mass))
        if number is None or number < 0:
            yield Fault("M15", f"the mass at '{name}'", f"is {brief(mass)}.", "Give kilograms, 0 or more.")


def _line_faults(length: Any, through: Any) -> Iterator[Fault]:
    if (length is None) == (through is None):
        said = "is not said" if length is None else "is given twice, by `length` and by `through`"
        remedy = "Give length=0.9 for a straight beam, or through=[(0, 0), (0.3, 0), (0.3, 0.2)]."
        yield Fault("M15", "its line", f"{said}.", remedy)
        return
    if through is None:
        return
    fine = isinstance(through, list | tuple | np.ndarray) and len(through) >= 2
    points = [vector(point) for point in through] if fine else []
    for point in points:
        fine &= 1 <= len(point) <= 3 and all(isinstance(c, float) and value_of(c) is not None for c in point)
    if not fine:
        remedy = "Give at least two points of plain numbers, [(0, 0), (0.3, 0), (0.3, 0.2)]."
        yield Fault("M15", "its line", f"goes through {brief(through)}.", remedy)
        return
    corners = np.array([_numbers(point) for point in points])
    steps = np.linalg.norm(np.diff(corners, axis=0), axis=1)
    if steps.min() <= 1e-9 * steps.sum() or np.linalg.norm(corners[-1] - corners[0]) <= 1e-9 * steps.sum():
        what = "has two neighbouring points, or its two ends, at the same place."
        yield Fault("M15", "its line", what, "Give points that are apart; a ring cannot be one beam.")
