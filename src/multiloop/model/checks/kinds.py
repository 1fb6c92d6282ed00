"""Checks of types: entries of the wrong type are reported and excluded from the other checks."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from typing import TYPE_CHECKING, Any

from multiloop.model.bodies import Body
from multiloop.model.brief import brief
from multiloop.model.drives import Actuator, Motion
from multiloop.model.faults import Fault
from multiloop.model.integrals import Integral
from multiloop.model.joints import Composite, Joint
from multiloop.model.loads import Load
from multiloop.model.markers import are_pairs
from multiloop.model.pairs import Coupling, Pair

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism

KINDS: dict[str, tuple[str, tuple[type, ...], str]] = {
    "bodies": ("Body", (Body,), "List bodies, made by `Body`, `rod`, `plate` or `ground`."),
    "joints": ("joint", (Joint, Composite), 'List joints, e.g. Revolute("A", "ground.A", "crank.a").'),
    "pairs": (
        "pair",
        (Pair, Coupling),
        'List pairs, e.g. Distance("rod", "crank.b", "rocker.b", length=0.3).',
    ),
    "drives": ("Motion", (Motion,), 'List motions, e.g. Motion("A", constant_speed(4.7)).'),
    "actuators": ("Actuator", (Actuator,), 'List actuators, e.g. Actuator("A").'),
    "integrals": ("Integral", (Integral,), 'List integrals, e.g. Integral("error", of=position("A") - 1.0).'),
    "loads": ("load", (Load,), 'List loads, e.g. Force("push", "coupler.c", (0, -50)).'),
}
"""For each list of a mechanism: the name of its entries, their types, and the remedy."""

REFERENCE = 'Write "body.marker".'

TEXTS: dict[str, tuple[str, str]] = {
    "name": ("its name", "Give it a word of its own."),
    "inertia_at": ("its `inertia_at`", 'Write "com", "origin" or the name of a marker.'),
    "first": ("its first side", REFERENCE),
    "second": ("its second side", REFERENCE),
    "carrier": ("its carrier", REFERENCE),
    "of": ("what it moves", 'Name a joint, or a marker as "body.marker".'),
    "joint": ("its joint", "Name a joint."),
    "at": ("where it acts", REFERENCE),
    "body": ("its body", "Name a body."),
    "frame": ("its frame", 'Write "inertial" or "body".'),
    "component": ("its component", "Name one of the joint's coordinates."),
}
"""The fields that hold text: their names in messages, and the remedy."""


def sorted_out(mechanism: Mechanism) -> tuple[Mechanism, list[Fault]]:
    """The mechanism without entries of the wrong type, and the errors of the omitted entries."""
    sound = copy(mechanism)
    faults: list[Fault] = []
    for part, (called, kinds, remedy) in KINDS.items():
        entries = getattr(mechanism, part)
        if not isinstance(entries, tuple):
            faults.append(Fault("M12", part, f"is {brief(entries)}, which is no list.", remedy))
            entries = ()
        kept: list[Any] = []
        for place, entry in enumerate(entries, 1):
            where = f"{part}, entry {place}"
            if isinstance(entry, kinds):
                found = list(_part_faults(where, entry))
            else:
                found = [_misplaced(where, entry, called, remedy)]
            faults += found
            kept += [entry] if not found else []
        if len(kept) < len(entries) or entries == ():
            object.__setattr__(sound, part, tuple(kept))
    if not are_pairs(mechanism.guess) or not all(isinstance(name, str) for name, _ in mechanism.guess):
        remedy = 'Give a mapping of names to values, e.g. guess={"coupler.b": (0.8, 0.7)}.'
        faults.append(Fault("M12", "guess", f"is {brief(mechanism.guess)}.", remedy))
        object.__setattr__(sound, "guess", ())
    return (sound if faults else mechanism), faults


def _misplaced(where: str, entry: Any, called: str, remedy: str) -> Fault:
    """The error of an entry of the wrong type; if it belongs to another list, that list is named."""
    for part, (_, kinds, _) in KINDS.items():
        if isinstance(entry, kinds):
            name = getattr(entry, "name", "") or getattr(entry, "of", "") or getattr(entry, "joint", "")
            kind = type(entry).__name__
            what = f"is the {kind} '{name}', which is no {called}."
            return Fault("M12", where, what, f"Put it into `{part}`.")
    return Fault("M12", where, f"is {brief(entry)}, which is no {called}.", remedy)


def _part_faults(where: str, entry: Any) -> Iterator[Fault]:
    """Errors of one entry: fields that are not text, and invalid markers."""
    name = getattr(entry, "name", None)
    if isinstance(name, str):
        kinds = {Body: "body", Integral: "integral", Load: "load", Pair: "pair"}
        called = next((word for kind, word in kinds.items() if isinstance(entry, kind)), "joint")
        where = f"{called} '{name}'"
    for text, (role, remedy) in TEXTS.items():
        value = getattr(entry, text, "")
        numeric = isinstance(entry, Motion) and text in ("first", "second")  # the angles of a Universal joint
        numeric |= isinstance(entry, Integral) and text == "of"
        numeric |= isinstance(entry, Body) and text == "frame"  # for a body it is not text
        if not isinstance(value, str) and not numeric:
            yield Fault("M12", where, f"{role} is {brief(value)}, which is not text.", remedy)
    if isinstance(entry, Body):
        if not are_pairs(entry.markers) or not all(isinstance(marker, str) for marker, _ in entry.markers):
            remedy = 'Give a mapping of names to points, e.g. markers={"c": (0.1, 0)}.'
            yield Fault("M12", where, f"its markers are {brief(entry.markers)}.", remedy)
        if not _is_texts(entry.outline):
            yield Fault("M12", where, f"its outline is {brief(entry.outline)}.", "List names of its markers.")
    if isinstance(entry, Composite):
        yield from entry.faults(where)


def _is_texts(value: Any) -> bool:
    return isinstance(value, tuple) and all(isinstance(entry, str) for entry in value)
