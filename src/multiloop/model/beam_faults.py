"""What may be wrong with a beam by itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from multiloop.model.beam import BASES, CRANKED, FRAMES, INTERFACE, WAYS, Beam
from multiloop.model.brief import brief
from multiloop.model.damping import Rayleigh
from multiloop.model.expressions import Scalar
from multiloop.model.faults import Fault, suggestion
from multiloop.model.markers import are_pairs, value_of

ABOVE = "Give a number above zero, in SI units."


def beam_faults(where: str, beam: Beam, planar: bool) -> Iterator[Fault]:
    """A length, a material and a section that can be, and shapes that there are."""
    ways = [way for way, _ in beam.modes] if are_pairs(beam.modes) else []
    for what, value in beam.positive.items():
        if not (value_of(value) or 0.0) > 0:
            yield Fault("M15", where, f"its {what} is {brief(value)}.", ABOVE)
    if beam.frame not in FRAMES:
        yield Fault("M15", where, f"its frame is {brief(beam.frame)}.", 'Give "a", "chord" or "free".')
    if beam.basis not in BASES:
        remedy = 'Give "natural" or "interface".'
        yield Fault("M15", where, f"its basis is {brief(beam.basis)}.", remedy)
    for what in ("shear", "stiffening"):
        if not isinstance(getattr(beam, what), bool):
            yield Fault("M15", where, f"its {what} is {brief(getattr(beam, what))}.", "Give True or False.")
    yield from _mass_faults(where, beam)
    known = CRANKED if beam.through else WAYS
    if not ways or set(ways) - set(known) or len(set(ways)) < len(ways):
        remedy = 'Give a number, or counts by way: {"y": 2, "z": 2, "x": 1, "twist": 1}.'
        if beam.through:
            remedy = 'Give a number, or counts by way, in its plane and out of it: {"y": 3, "z": 2}.'
        yield Fault("M15", where, f"its modes are {brief(beam.modes)}.", remedy)
        return
    yield from _plane_faults(where, beam, ways, planar)
    wrong = list(_count_faults(where, beam))
    yield from wrong or _damping_faults(where, beam)


def numbers_above_zero(beam: Beam) -> dict[str, Scalar]:
    """Its length, material and sections, as far as its ways of deforming ask for them."""
    ways = [way for way, _ in beam.modes] if are_pairs(beam.modes) else []
    found = {"length": beam.length, "E": beam.E, "density": beam.density}
    space = bool({"space", "z"} & set(ways)) if beam.through else False
    for called, section in (("section", beam.section), ("section at b", beam.section_at_b)):
        if section is None:
            continue
        found |= {f"{called}'s A": section.A, f"{called}'s Iz": section.Iz}
        if "z" in ways or space:
            found[f"{called}'s Iy"] = section.Iy
        if "twist" in ways or space:
            found |= {f"{called}'s J": section.J, "G": beam.G}
        if beam.shear:
            found |= {f"{called}'s shear factor": section.shear_factor, "G": beam.G}
    return found


def _mass_faults(where: str, beam: Beam) -> Iterator[Fault]:
    """Point masses and interfaces at markers that there are."""
    for name, mass in beam.masses if isinstance(beam.masses, tuple) else ():
        if not beam.has_marker(name) or name == "com":
            remedy = suggestion(name, [known for known in beam.marker_names if known != "com"])
            yield Fault("T03", where, f"a mass sits at its marker '{name}', which it has not.", remedy)
        elif not _not_negative(mass):
            yield Fault("M15", where, f"the mass at '{name}' is {brief(mass)}.", "Give kilograms, 0 or more.")
    if not isinstance(beam.interfaces, tuple):
        yield Fault(
            "M15", where, f"its interfaces are {brief(beam.interfaces)}.", 'Give markers, ("a", "b").'
        )
        return
    for name in beam.interfaces:
        if name not in dict(beam.markers):
            remedy = suggestion(name, [known for known, _ in beam.markers])
            yield Fault("T03", where, f"an interface is its marker '{name}', which it has not.", remedy)


def _plane_faults(where: str, beam: Beam, ways: list[str], planar: bool) -> Iterator[Fault]:
    leaves = any(value_of((*point, 0.0, 0.0)[2]) for point in beam.through)
    for way in ways:
        if planar and way in ("z", "twist", "space"):
            what = f"it has modes along {way}, which leave the plane."
            yield Fault("M15", where, what, 'Give "y" and "x" alone in a planar mechanism.')
        if leaves and way != "space":
            what = f"it has modes along {way}, and a line that leaves its plane x–y."
            yield Fault("M15", where, what, 'Give a number, or {"space": 4}: its shapes go all ways.')


def _count_faults(where: str, beam: Beam) -> Iterator[Fault]:
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
        least = static_shapes(beam, way)
        if isinstance(count, int) and beam.basis == INTERFACE and count < least:
            what = f"it has {count} modes along {way}; its interfaces alone have {least} static shapes."
            yield Fault("M15", where, what, f'Give at least {least}, or basis="natural".')


def static_shapes(beam: Beam, way: str) -> int:
    """How many static shapes the interfaces have, in the frame of the link."""
    each = {"y": 3, "z": 3, "space": 6} if beam.through else {"y": 2, "z": 2, "x": 1, "twist": 1}
    known = beam.interfaces if isinstance(beam.interfaces, tuple) else ()
    points = len({beam.marker(name).point for name in known if beam.has_marker(name)})
    held = 0 if beam.frame == "free" else 1
    return each.get(way, 0) * max(points - held, 0)


def _damping_faults(where: str, beam: Beam) -> Iterator[Fault]:
    if isinstance(beam.damping, Rayleigh):
        for name in ("alpha", "beta"):
            value = getattr(beam.damping, name)
            if not _not_negative(value):
                what = f"{name} of its Rayleigh damping is {brief(value)}."
                yield Fault("M15", where, what, "Give a number, 0 or more: alpha in 1/s, beta in s.")
        return
    given = beam.damping if isinstance(beam.damping, tuple) else (beam.damping,)
    if len(given) not in (1, beam.elastic) or not all(map(_not_negative, given)):
        what = f"its damping is {brief(beam.damping)}."
        yield Fault(
            "M15", where, what, f"Give a part of critical, 0.01, or one for each of {beam.elastic} modes."
        )


def _not_negative(value: Any) -> bool:
    number = value_of(value)
    return number is not None and number >= 0
