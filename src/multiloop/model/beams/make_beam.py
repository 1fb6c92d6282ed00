"""The function `beam`, which creates a `Beam` from a centreline, a material, cross sections and point masses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from multiloop.model.beams.beam import AUTO, Beam
from multiloop.model.beams.beam_faults import MASS_BY_MARKER, POSITIVE_NUMBER, VALID_SECTION
from multiloop.model.beams.beam_line import line_faults, point_along
from multiloop.model.beams.sections import Section
from multiloop.model.expressions import Scalar
from multiloop.model.faults import Fault, ModelError, short_repr
from multiloop.model.markers import Vector, are_pairs, as_marker, as_pairs, scalar, value_of, vector
from multiloop.model.modal_body import Rayleigh
from multiloop.model.rods_and_plates import length_faults
from multiloop.model.synonyms import suggest_keywords


@suggest_keywords
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
    modes: int | Mapping[str, int] | Sequence[str] = AUTO,
    frame: str = AUTO,
    basis: str | Mapping[str, str] = AUTO,
    interfaces: Sequence[str] = ("a", "b"),
    stiffening: bool = True,
    damping: Scalar | Vector | Rayleigh = 0.0,
    elements: int = 16,
    markers: Mapping[str, Any] | None = None,
) -> Beam:
    """A flexible beam of a material and a cross section.

    `E` is Young's modulus and `G` the shear modulus (Pa), by default E/2.6 (ν = 0.3); `density` is in kg/m³.
    `beam("coupler", length=0.9, E=70e9, density=2700, section=rectangle(0.02, 0.005))` replaces a `rod` of the same
    mass properties. In place of a length, `through=[(0, 0), (0.3, 0), (0.3, 0.2)]` gives the points of a centreline of
    straight pieces with rigid corners from `a` to `b`; the corners become markers c1, c2, … Two values of `section` are
    the sections at `a` and `b` of a tapered beam. `masses={"b": 0.2}` are point masses at markers; `shear` includes
    shear deformation, for beams that are not slender. `frame` is "a" for arms that are clamped at `a`, "chord" for
    links between pins, "free" for mean axes; `basis` is "natural", "interface" (Craig–Bampton) or "nodal"; by default
    `frame` and `basis` follow from the joints. `modes` is the number of modes, or one number for each deformation,
    {"y": 2, "x": 1}; with the basis "nodal" give the deformations alone, ("y", "x"). A number for a further marker is
    its distance from `a` along the centreline. `interfaces` are the markers that have constraint modes, `elements` is
    the number of finite elements; `stiffening` and `damping` are described in `Beam`.
    """
    sections = tuple(section) if isinstance(section, list | tuple) else (section,)
    faults = [*_section_faults(section, sections), *_line_faults(length, through), *_mass_faults(masses)]
    faults += _number_faults(E=E, density=density, G=1.0 if G is None else G)
    if G is not None and value_of(scalar(G)) == 0.0:
        faults.append(Fault("M15", "its G", f"is {short_repr(G)}.", POSITIVE_NUMBER))
    if faults:
        raise ModelError(f"body '{name}'", faults)
    E, density, at_a = scalar(E), scalar(density), sections[0]
    at_b = None if len(sections) == 1 or sections[1] == at_a else sections[1]
    points = () if through is None else tuple(vector(point) for point in through)
    return Beam(
        name,
        markers=_placed_markers(points, markers),
        length=0.0 if length is None else length,
        through=points,
        E=E,
        G=0.0 if G is None else G,
        density=density,
        section=at_a,
        section_at_b=at_b,
        shear=shear,
        masses=masses or (),  # type: ignore[arg-type]  # Beam converts it to pairs
        modes=modes,  # type: ignore[arg-type]  # Beam converts it to pairs
        frame=frame,
        basis=basis,  # type: ignore[arg-type]  # Beam converts it to pairs
        interfaces=tuple(interfaces) if isinstance(interfaces, list | tuple) else interfaces,  # type: ignore[arg-type]
        stiffening=stiffening,
        damping=damping,
        elements=elements,
    )


def _placed_markers(points: tuple[Vector, ...], given: Any) -> Any:
    """The `given` markers as pairs of name and marker; on a cranked centreline a number becomes the point at this
    distance from `a`."""
    named = as_pairs({} if given is None else given)
    if not points or not are_pairs(named):
        return named
    return tuple((name, _point_at_distance(points, value)) for name, value in named)


def _point_at_distance(points: tuple[Vector, ...], value: Any) -> Any:
    """The point at this distance from `a` along the centreline if `value` is a number; otherwise `value` itself."""
    marker = as_marker(value)
    if marker is value or isinstance(value, list | tuple | np.ndarray) or value_of(value) is None:
        return value
    return point_along(points, value_of(value) or 0.0)


# checks before the beam is created --------------------------------------------------------------------------------


def _section_faults(given: Any, sections: tuple[Any, ...]) -> Iterator[Fault]:
    if len(sections) not in (1, 2) or not all(isinstance(one, Section) for one in sections):
        yield Fault("M15", "its section", f"is {short_repr(given)}.", VALID_SECTION)


def _number_faults(**given: Any) -> list[Fault]:
    wrong = {name: value for name, value in given.items() if value_of(scalar(value)) is None}
    return [
        Fault("M15", f"its {name}", f"is {short_repr(value)}.", POSITIVE_NUMBER)
        for name, value in wrong.items()
    ]


def _mass_faults(masses: Any) -> Iterator[Fault]:
    named = as_pairs({} if masses is None else masses)
    if not are_pairs(named):
        yield Fault("M15", "its masses", f"are {short_repr(masses)}.", MASS_BY_MARKER)
        return
    for name, mass in named:
        number = value_of(scalar(mass))
        if number is None or number < 0:
            yield Fault("M15", f"its mass at '{name}'", f"is {short_repr(mass)}.", "Give a mass ≥ 0, in kg.")


def _line_faults(length: Any, through: Any) -> Iterator[Fault]:
    if (length is None) == (through is None):
        said = "is missing" if length is None else "is given twice, by `length` and by `through`"
        remedy = "Give length=0.9 for a straight beam, or through=[(0, 0), (0.3, 0), (0.3, 0.2)]."
        yield Fault("M15", "its centreline", f"{said}.", remedy)
        return
    yield from length_faults(scalar(length)) if through is None else line_faults("its centreline", through)
