"""Checks of a beam: centreline, material, sections, modes, frame, basis, point masses and interfaces."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from multiloop.model.beams.beam import (
    BEAM_BASES,
    CRANKED_DEFORMATIONS,
    DEFORMATIONS,
    FRAMES,
    INTERFACE,
    NATURAL,
    Beam,
)
from multiloop.model.beams.beam_fields import MAX_ELEMENTS
from multiloop.model.beams.beam_interfaces import SECTION_COMPONENTS, constraint_mode_count, is_interface
from multiloop.model.beams.beam_line import COINCIDENCE, leaves_plane, line_faults, line_markers
from multiloop.model.beams.sections import Section
from multiloop.model.expressions import Scalar
from multiloop.model.faults import Fault, ModelError, coordinate_text, count_text, short_repr, suggestion
from multiloop.model.markers import ETA, Vector, are_pairs, value_of
from multiloop.model.modal_body import damping_faults

POSITIVE_NUMBER = "Give a number above zero, in SI units."
VALID_SECTION = "Give rectangle(width, height), tube(outer, inner) or Section(A, Iz)."
VALID_DIMENSIONS = (
    "Give dimensions above zero, in metres; the inner dimension must be smaller than the outer one."
)

MASS_BY_MARKER = 'Give the mass in kg for each marker, {"b": 0.2}.'


def beam_faults(where: str, beam: Beam, planar: bool) -> Iterator[Fault]:
    """Faults of a beam; its modes are checked only if centreline, material and sections are valid."""
    ways = [way for way, _ in beam.counts]
    basic = [*_line_faults(where, beam), *_section_faults(where, beam)]
    yield from basic
    if basic:
        return
    choices = [*_choice_faults(where, beam), *_mass_faults(where, beam)]
    yield from choices
    yield from _marker_faults(where, beam)
    known = CRANKED_DEFORMATIONS if beam.through else DEFORMATIONS
    if not ways or any(ways.count(way) > 1 or way not in known for way in ways):
        remedy = 'Give a number of modes, or one for each direction: {"y": 2, "z": 2, "x": 1, "twist": 1}.'
        if beam.through:
            remedy = (
                'Give the number of modes, or one each for bending in and out of its plane: {"y": 3, "z": 2}.'
            )
        yield Fault(
            "M15",
            where,
            f"its modes are {short_repr(dict(beam.modes) if are_pairs(beam.modes) else beam.modes)}.",
            remedy,
        )
        return
    yield from _plane_faults(where, beam, ways, planar)
    if not choices:  # valid numbers of modes depend on frame, basis and interfaces
        wrong = list(_count_faults(where, beam))
        yield from wrong or damping_faults("M15", where, beam.damping, beam.elastic)


def _choice_faults(where: str, beam: Beam) -> Iterator[Fault]:
    """Faults of the fields `frame`, `basis`, `shear` and `stiffening` of a beam."""
    if not isinstance(beam.frame, str) or beam.frame not in FRAMES:
        yield Fault("M15", where, f"its frame is {short_repr(beam.frame)}.", 'Give "a", "chord" or "free".')
    unsaid = (
        isinstance(beam.basis, tuple) and not beam.basis and not beam.counts
    )  # with invalid modes there are no deformations for which a basis could be given
    if not unsaid and not _is_valid_basis(beam):
        remedy = 'Give "natural", "interface" or "nodal".'
        yield Fault("M15", where, f"its basis is {short_repr(beam.basis)}.", remedy)
    if beam.is_nodal and beam.frame == "free":
        what = 'has basis="nodal" with frame="free", which is not supported.'
        yield Fault("M15", where, what, 'Give frame="a" or frame="chord".')
    for what in ("shear", "stiffening"):
        if not isinstance(getattr(beam, what), bool):
            yield Fault(
                "M15", where, f"its {what} is {short_repr(getattr(beam, what))}.", "Give True or False."
            )


def _is_valid_basis(beam: Beam) -> bool:
    """Whether `basis` is the name of a mode basis, or a mapping from deformations of the beam to such names."""
    if isinstance(beam.basis, str):
        return beam.basis in BEAM_BASES
    by_way = [(way, basis) for way, basis in beam.basis] if are_pairs(beam.basis) else [("", "")]
    ways = [way for way, _ in beam.counts]
    return bool(by_way) and all(way in ways and basis in (NATURAL, INTERFACE) for way, basis in by_way)


def require_valid_beam(beam: Beam) -> None:
    """Raise a ModelError for a beam whose modes cannot be computed."""
    faults = list(beam_faults(f"body '{beam.name}'", beam, False))
    if faults:
        raise ModelError(f"body '{beam.name}'", faults)


def _line_faults(where: str, beam: Beam) -> Iterator[Fault]:
    for fault in line_faults(where, beam.through) if beam.through != () else ():
        yield replace(fault, what=f"its centreline {fault.what}")


def _section_faults(where: str, beam: Beam) -> Iterator[Fault]:
    """Faults of the cross sections of a beam, and of its numbers that must be positive."""
    own: dict[str, Any] = {"section": beam.section}
    own |= {} if beam.section_at_b is None else {"second section": beam.section_at_b}
    wrong = {called: section for called, section in own.items() if not isinstance(section, Section)}
    if wrong:
        for called, section in wrong.items():
            yield Fault("M15", where, f"its {called} is {short_repr(section)}.", VALID_SECTION)
        return
    reported = set()
    for called, section in own.items():
        least = {"A": section.A, "y": section.y, "z": section.z} if section.y != 0.0 else {}
        for name, value in least.items():  # one wrong dimension makes A, y and z invalid: report only one
            number = value_of(value)
            if called not in reported and (number is None or number < 0 or (name == "A" and number == 0)):
                reported.add(called)
                yield Fault(
                    "M15", where, f"its {called}'s {name} is {_number_text(value)}.", VALID_DIMENSIONS
                )
    for what, value in beam.positive_numbers.items():
        if not (value_of(value) or 0.0) > 0 and what.partition("'s ")[0] not in reported:
            yield Fault("M15", where, f"its {what} is {short_repr(value)}.", POSITIVE_NUMBER)


def _number_text(value: Any) -> str:
    number = value_of(value)
    return short_repr(value) if number is None else f"{number:.5g}"


def _marker_faults(where: str, beam: Beam) -> Iterator[Fault]:
    """Faults of markers: `a` and `b` must be at the ends of the centreline, and no marker may be named "eta"."""
    for name, marker in beam.markers if are_pairs(beam.markers) else ():
        if any(value_of(c) is None for c in marker.point):
            what = f"its marker '{name}' is at {short_repr(marker.point)}."
            yield Fault("M05", where, what, "Give finite numbers of metres, or expressions of parameters.")
    if not are_pairs(beam.markers):
        yield Fault(
            "M12", where, f"its markers are {short_repr(beam.markers)}.", "Give a mapping of names to points."
        )
        return
    ends = line_markers(beam.through, beam.length)
    for name in ("a", "b"):
        at, end = (point_values(point) for point in (beam.marker(name).point, ends[name]))
        if max(abs(x - y) for x, y in zip(at, end, strict=True)) > COINCIDENCE * (
            value_of(beam.length) or 0.0
        ):
            does = "begins" if name == "a" else "ends"
            what = (
                f"its marker '{name}' is at {coordinate_text(at)} m, but its centreline {does} at "
                f"{coordinate_text(end)} m."
            )
            remedy = (
                f"Give this marker another name: '{name}' is always the point where the centreline {does}."
            )
            yield Fault("M15", where, what, remedy)
    if ETA in beam.marker_names:
        what = f"a marker is named '{ETA}', which is reserved for the elastic coordinates."
        yield Fault("M14", where, what, "Give the marker another name.")


def point_values(point: Vector) -> list[float]:
    """The coordinates of a point as three numbers; 0 for missing or invalid ones."""
    return [value_of(c) or 0.0 for c in (*point, 0.0, 0.0)[:3]]


def positive_beam_numbers(beam: Beam) -> dict[str, Scalar]:
    """The length, material and section properties that the modes of the beam need, by name; they must be positive."""
    ways = [way for way, _ in beam.counts]
    found = {"length": beam.length, "E": beam.E, "density": beam.density}
    space = bool({"space", "z"} & set(ways)) if beam.through else False
    for called, section in (("section", beam.section), ("second section", beam.section_at_b)):
        if section is None:
            continue
        found |= {f"{called}'s A": section.A, f"{called}'s Iz": section.Iz}
        if "z" in ways or space:
            found[f"{called}'s Iy"] = section.Iy
        if "twist" in ways or space:
            found |= {f"{called}'s J": section.J, "G": beam.G}
        if beam.shear is True:
            found |= {f"{called}'s shear factor": section.shear_factor, "G": beam.G}
    return found


def _mass_faults(where: str, beam: Beam) -> Iterator[Fault]:
    """Faults of point masses and interfaces; both must be at existing markers of the beam."""
    if not are_pairs(beam.masses):
        yield Fault("M15", where, f"its masses are {short_repr(beam.masses)}.", MASS_BY_MARKER)
        return
    for name, mass in beam.masses:
        if not beam.has_marker(name) or name == "com":
            remedy = suggestion(name, [known for known in beam.marker_names if known != "com"])
            yield Fault(
                "T03", where, f"a point mass is at its marker '{name}', which does not exist.", remedy
            )
        elif not _not_negative(mass):
            yield Fault(
                "M15", where, f"its mass at '{name}' is {short_repr(mass)}.", "Give a mass ≥ 0, in kg."
            )
    if not isinstance(beam.interfaces, tuple) or not all(isinstance(name, str) for name in beam.interfaces):
        yield Fault(
            "M15",
            where,
            f"its interfaces are {short_repr(beam.interfaces)}.",
            'Give names of markers, ("a", "b").',
        )
        return
    for entry in beam.interfaces:
        name, _, component = entry.partition(".")
        if name not in dict(beam.markers):
            remedy = suggestion(name, [known for known, _ in beam.markers])
            yield Fault("T03", where, f"an interface is its marker '{name}', which does not exist.", remedy)
        elif not is_interface(beam, entry):
            what = (
                f"an interface is the component '{component}' of its marker '{name}', which does not exist."
            )
            yield Fault("M15", where, what, suggestion(component, SECTION_COMPONENTS))


def _plane_faults(where: str, beam: Beam, ways: list[str], planar: bool) -> Iterator[Fault]:
    leaves = leaves_plane(beam.through)
    for way in ways:
        if planar and way in ("z", "twist", "space"):
            what = f'has modes "{way}", which leave the plane of the mechanism.'
            yield Fault("M15", where, what, 'In a planar mechanism give modes "y" and "x" only.')
        if leaves and way != "space":
            what = f'has modes "{way}", but its centreline is not in its x–y plane.'
            yield Fault(
                "M15",
                where,
                what,
                'Give a number of modes, or {"space": 4}: displacements in all directions.',
            )


def _count_faults(where: str, beam: Beam) -> Iterator[Fault]:
    elements = beam.elements
    if not isinstance(elements, int) or isinstance(elements, bool) or not 1 <= elements <= MAX_ELEMENTS:
        remedy = f"Give a whole number from 1 to {MAX_ELEMENTS}; 16 are enough for a few modes."
        yield Fault("M15", where, f"its elements are {short_repr(elements)}.", remedy)
        return
    if beam.is_nodal:
        yield from _nodal_faults(where, beam)
        return
    for way, count in beam.counts:
        most = 2 * beam.elements
        if not isinstance(count, int) or isinstance(count, bool) or not 1 <= count <= most:
            allowed = f"{count_text(beam.elements, 'element')} {'allows' if beam.elements == 1 else 'allow'}"
            what = f'has {short_repr(count)} modes for "{way}"; {allowed} 1 to {most}.'
            counted = (
                f'Give a whole number, {{"{way}": 2}}; the number may be omitted only with basis="nodal".'
            )
            yield Fault(
                "M15",
                where,
                what,
                f"Give a whole number from 1 to {most}, or more elements." if count else counted,
            )
        least = constraint_mode_count(beam, way)
        if isinstance(count, int) and beam.basis_of(way) == INTERFACE and count < least:
            what = f'has {count} modes for "{way}"; its interfaces need {least} constraint modes.'
            yield Fault("M15", where, what, f'Give at least {least}, or basis="natural".')


def _nodal_faults(where: str, beam: Beam) -> Iterator[Fault]:
    """Faults of deformations whose number of modes differs from the number of nodal coordinates."""
    nodes = beam.nodal_counts()
    for way, count in beam.counts:
        if count != nodes[way]:
            what = (
                f'has {short_repr(count)} modes for "{way}", but basis="nodal" uses all {nodes[way]} nodal coordinates '
                "of this deformation."
            )
            remedy = f'Omit the number, modes=("{way}",), or change `elements`.'
            yield Fault("M15", where, what, remedy)


def _not_negative(value: Any) -> bool:
    number = value_of(value)
    return number is not None and number >= 0
