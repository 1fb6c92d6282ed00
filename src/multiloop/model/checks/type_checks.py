"""Checks of the types and names of all objects of a mechanism."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from copy import copy
from typing import TYPE_CHECKING, Any

from multiloop.model.bodies import GROUND, Body
from multiloop.model.drives import Actuator, Motion
from multiloop.model.faults import Fault, short_repr
from multiloop.model.implied_parts import floating_joint
from multiloop.model.joints import Composite, Joint
from multiloop.model.loads import Load
from multiloop.model.markers import are_pairs
from multiloop.model.pairs import Coupling, Pair
from multiloop.model.states import Integral

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism

LIST_TYPES: dict[str, tuple[str, tuple[type, ...], str]] = {
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
"""For each list of a mechanism: the noun for its entries in messages, their allowed types, and the remedy."""

REFERENCE = 'Write "body.marker".'

TEXT_FIELDS: dict[str, tuple[str, str]] = {
    "name": ("its name", "Give it a unique name."),
    "inertia_at": ("its `inertia_at`", 'Write "com", "origin" or the name of a marker.'),
    "first": ("its first marker", REFERENCE),
    "second": ("its second marker", REFERENCE),
    "carrier": ("its carrier", REFERENCE),
    "of": ("its `of`", 'Name a joint, or a marker as "body.marker".'),
    "joint": ("its joint", "Name a joint."),
    "at": ("its `at`", REFERENCE),
    "body": ("its body", "Name a body."),
    "frame": ("its frame", 'Write "inertial" or "body".'),
    "component": ("its component", "Name one of the joint's coordinates."),
}
"""Fields whose value must be text: the name of each field in messages, and the remedy."""


def without_wrong_types(mechanism: Mechanism) -> tuple[Mechanism, list[Fault]]:
    """A copy of the mechanism without list entries of the wrong type, and the errors of these entries."""
    sound = copy(mechanism)
    faults: list[Fault] = []
    for part, (called, kinds, remedy) in LIST_TYPES.items():
        entries = getattr(mechanism, part)
        if not isinstance(entries, tuple):
            faults.append(Fault("M12", part, f"is {short_repr(entries)}, which is not a list.", remedy))
            entries = ()
        kept: list[Any] = []
        for place, entry in enumerate(entries, 1):
            where = f"{part}, entry {place}"
            if isinstance(entry, kinds):
                found = list(_entry_faults(where, entry))
            else:
                found = [_misplaced_fault(where, entry, called, remedy)]
            faults += found
            kept += [entry] if not found else []
        if len(kept) < len(entries) or entries == ():
            object.__setattr__(sound, part, tuple(kept))
    if not are_pairs(mechanism.guess) or not all(isinstance(name, str) for name, _ in mechanism.guess):
        remedy = 'Give a mapping of names to values, e.g. guess={"coupler.b": (0.8, 0.7)}.'
        faults.append(Fault("M12", "guess", f"is {short_repr(mechanism.guess)}.", remedy))
        object.__setattr__(sound, "guess", ())
    return (sound if faults else mechanism), faults


def _misplaced_fault(where: str, entry: Any, called: str, remedy: str) -> Fault:
    """The error of a list entry of the wrong type; if another list of a mechanism is for objects of this type, the
    remedy names that list.

    `called` is the noun for valid entries of the list, and `remedy` the default remedy.
    """
    for part, (_, kinds, _) in LIST_TYPES.items():
        if isinstance(entry, kinds):
            name = getattr(entry, "name", "") or getattr(entry, "of", "") or getattr(entry, "joint", "")
            kind = type(entry).__name__
            what = f"is the {kind} '{name}', which is not a {called}."
            return Fault("M12", where, what, f"Put it into `{part}`.")
    return Fault("M12", where, f"is {short_repr(entry)}, which is not a {called}.", remedy)


def _entry_faults(where: str, entry: Any) -> Iterator[Fault]:
    """Errors of one list entry: fields that must be text but are not, and invalid markers or outlines."""
    name = getattr(entry, "name", None)
    if isinstance(name, str):
        kinds = {Body: "body", Integral: "integral", Load: "load", Pair: "pair"}
        called = next((word for kind, word in kinds.items() if isinstance(entry, kind)), "joint")
        where = f"{called} '{name}'"
    for text, (role, remedy) in TEXT_FIELDS.items():
        value = getattr(entry, text, "")
        # `first` and `second` of a Motion are the prescribed angles of a Universal joint, not names of markers.
        numeric = isinstance(entry, Motion) and text in ("first", "second")
        numeric |= isinstance(entry, Integral) and text == "of"
        # The `frame` of a flexible body is checked together with its modes.
        numeric |= isinstance(entry, Body) and text == "frame"
        if not isinstance(value, str) and not numeric:
            yield Fault("M12", where, f"{role} is {short_repr(value)}, which is not text.", remedy)
    if isinstance(entry, Body):
        if not are_pairs(entry.markers) or not all(isinstance(marker, str) for marker, _ in entry.markers):
            remedy = 'Give a mapping of names to points, e.g. markers={"c": (0.1, 0)}.'
            yield Fault("M12", where, f"its markers are {short_repr(entry.markers)}.", remedy)
        if not _is_texts(entry.outline):
            yield Fault(
                "M12", where, f"its outline is {short_repr(entry.outline)}.", "List names of its markers."
            )
    if isinstance(entry, Composite):
        yield from entry.faults(where)


def _is_texts(value: Any) -> bool:
    return isinstance(value, tuple) and all(isinstance(entry, str) for entry in value)


FORBIDDEN = "./'\""
"""Characters that names must not contain because they separate or enclose names, as in "crank.a" or "pin/rod"."""

OWN_NAME = "Give each a unique name."


def name_faults(mechanism: Mechanism) -> Iterator[Fault]:
    """Errors of invalid or duplicate names of the mechanism and its bodies, joints, loads and markers."""
    yield from usable_faults("mechanism", mechanism.name, forbidden="")
    bodies, joints = [body.name for body in mechanism.bodies], [joint.name for joint in mechanism.joints]
    yield from distinct_faults("body", bodies)
    joints += [pair.name for pair in mechanism.pairs]
    pinned = [joint.name for joint in mechanism.binary_joints if "/" in joint.name]
    yield from distinct_faults("joint", [*joints, *pinned])
    yield from _floating(mechanism, {*bodies, *joints})
    for name in sorted(set(bodies) & set(joints)):
        yield Fault(
            "M01",
            f"joint '{name}'",
            "has the name of a body.",
            "Rename one of them: results, `guess` and `start` use both names.",
        )
    loads = [load.name for load in mechanism.loads]
    yield from distinct_faults("load", loads)
    for kind, names in (("body", bodies), ("joint", joints), ("load", loads)):
        if "mechanism" in names:
            what = "has the name of the owner of outputs of the whole mechanism, such as 'mechanism.power'."
            yield Fault("M01", f"{kind} 'mechanism'", what, "Rename it.")
    for name in sorted({*bodies, *joints, *pinned} & set(loads)):
        other = "body" if name in bodies else "joint"
        remedy = "Rename one of them: results use both names."
        yield Fault("M01", f"load '{name}'", f"has the name of a {other}.", remedy)
    for name in loads:
        yield from usable_faults("load", name)
    for body in mechanism.bodies:
        yield from usable_faults("body", body.name)
        yield from distinct_faults(f"body '{body.name}', marker", [name for name, _ in body.markers])
        for name, _ in body.markers:
            yield from usable_faults(f"body '{body.name}', marker", name)
            if name in ("origin", "com"):
                yield Fault(
                    "M01",
                    f"body '{body.name}', marker '{name}'",
                    "is predefined on every body.",
                    "Rename the marker; give `com=` to move the mass centre.",
                )
    for name in joints:
        yield from usable_faults("joint", name)


def _floating(mechanism: Mechanism, names: set[str]) -> Iterator[Fault]:
    """Errors if the Free joint that is added for a floating body has one of `names`, the names of other objects."""
    for body in mechanism.floating:
        name = floating_joint(body).name
        if name in names:
            what = f"has the name of the Free joint that is added for body '{body}', which is connected by pairs only."
            remedy = "Rename it, or add a Free joint for the body yourself."
            yield Fault("M01", f"'{name}'", what, remedy)


def usable_faults(kind: str, name: Any, forbidden: str = FORBIDDEN) -> Iterator[Fault]:
    """Errors of a name that is not text, is empty, or contains a forbidden or unprintable character."""
    if not isinstance(name, str):
        what = f"its name is {short_repr(name)}, which is not text."
        yield Fault("M02", f"the {kind}", what, "Give it a unique name.")
    elif not name.strip():
        yield Fault("M02", f"{kind} '{name}'", "has an empty name.", "Give it a unique name.")
    elif not name.isprintable():
        yield Fault(
            "M02",
            f"{kind} {short_repr(name)}",
            "has a character that cannot be printed.",
            "Use letters and digits.",
        )
    elif any(letter in name for letter in forbidden):
        letter = next(letter for letter in forbidden if letter in name)
        remedy = "Use names without dots, slashes and quotes."
        yield Fault("M02", f"{kind} '{name}'", f"has a {letter} in its name.", remedy)


def distinct_faults(kind: str, names: list[str]) -> Iterator[Fault]:
    """Errors of names that occur more than once."""
    for name, count in Counter(names).items():
        if count > 1:
            times = "twice" if count == 2 else f"{count} times"
            remedy = (
                "Put all its markers into one `ground(…)`." if (kind, name) == ("body", GROUND) else OWN_NAME
            )
            yield Fault("M01", f"{kind} '{name}'", f"is defined {times}.", remedy)
