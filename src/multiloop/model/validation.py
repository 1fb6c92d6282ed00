"""Faults in the fields of plain data: unknown, missing and invalid fields, each with its place and a suggestion."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, get_args, get_type_hints

from pydantic import ValidationError

from multiloop.model.brief import called
from multiloop.model.faults import MOST_SHOWN, Fault, suggestion
from multiloop.model.markers import Marker

UNKNOWN = ("unexpected_keyword_argument", "invalid_key")
"""Error types of pydantic for unknown fields."""

TORN = "()="
"""Characters of keys that are pieces of an expression, such as `duration=2)` of `cycloidal(0, 1, duration=2)`."""

QUOTED = "Put the whole expression into quotes: within { } a comma ends a value."
"""The remedy for an expression that YAML has split at its commas."""

UNCLOSED = "was never closed"
"""Part of the parser's message for the first piece of such an expression."""

WORDS = {
    "int_type": "this is no whole number",
    "int_parsing": "this is no whole number",
    "int_from_float": "this is no whole number",
    "string_type": "this is no text",
    "tuple_type": "this is no list of numbers",
    "bool_type": "this is neither true nor false",
    "bool_parsing": "this is neither true nor false",
}
"""Messages that replace those of pydantic, by error type."""

Place = tuple[str | int, ...]


def validation_faults(
    where: str,
    kind: type,
    content: Mapping[str, Any],
    error: ValidationError,
    *outer: str,
    complete: bool = False,
) -> list[Fault]:
    """One fault for each unknown, missing or invalid field.

    `kind` is the class that was read from `content`, or from its entry at `outer`. With `complete`, fields that a file
    should have although they have a default are not reported as missing.
    """
    entries = error.errors(include_url=False, include_context=False, include_input=False)
    names = {field: list(held) for field, held in content.items() if isinstance(held, Mapping)}
    found = [
        (_place((*outer, *entry["loc"]), entry["type"] in UNKNOWN, names), entry["type"], entry["msg"])
        for entry in entries
    ]
    unknown = unknown_fields(where, kind, [place for place, type_, _ in found if type_ in UNKNOWN])
    missing = [missing_field(where, place) for place, type_, _ in found if type_ == "missing"]
    read = {place[0] for place, type_, _ in found if len(place) > 1 and type_ in (*UNKNOWN, "missing")}
    others = read - {"markers"}  # already reported; errors of the other types of a union add nothing
    held = [
        entry
        for entry in found
        if entry[1] not in (*UNKNOWN, "missing") and (not entry[0] or entry[0][0] not in others)
    ]
    missing += [] if outer or complete else unsaid_fields(where, kind, content)
    return [*without_misspelt(unknown, missing), *_wrong_values(where, held)]


def unknown_fields(where: str, kind: type, places: list[Place]) -> list[Fault]:
    """Faults of unknown fields, each with the nearest valid name; the last one counts those that are not listed."""
    torn = any(sign in called(place[-1]) for place in places for sign in TORN)
    told = [_unknown_field(where, kind, place, torn) for place in places[:MOST_SHOWN]]
    left = len(places) - len(told)
    if left:
        what = f"has {left:,} more that {'is' if left == 1 else 'are'} no field of it."
        told.append(Fault("M91", where, what, "Mend these first.", places[MOST_SHOWN]))
    return told


def _unknown_field(where: str, kind: type, place: Place, torn: bool) -> Fault:
    owner = _owner(place) or "it"
    known = [entry.name for entry in fields(held_kind(kind, place))]
    name = called(place[-1])
    remedy = QUOTED if torn else suggestion(name, known)
    return Fault("M91", where, f"{owner} has no field '{name}'.", remedy, place)


def missing_field(where: str, place: Place) -> Fault:
    """The fault of a missing field."""
    of = f" of {_owner(place)}" if _owner(place) else ""
    if isinstance(place[-1], int) and len(place) > 1:
        what = f"`{place[-2]}`{of} has {place[-1]} of its numbers."
        return Fault("M91", where, what, "Give all of them.", place)
    return Fault("M91", where, f"`{place[-1]}`{of} is missing.", f"Give `{place[-1]}`.", place)


def unsaid_fields(where: str, kind: type, content: Mapping[str, Any]) -> list[Fault]:
    """Faults of missing fields that a file must have although they have a default in Python."""
    found = []
    for first, *others in getattr(kind, "asked_for", ()):
        if not any(name in content for name in (first, *others)):
            or_others = "".join(f", or `{other}`" for other in others)
            fault = missing_field(where, (first,))
            found.append(replace(fault, remedy=f"Give `{first}`{or_others}."))
    return found


def _owner(place: Place) -> str:
    """Text for the owner of a field; empty if it is the described object itself."""
    if len(place) == 1:
        return ""
    return f"its marker '{called(place[1])}'" if place[0] == "markers" else f"its {called(place[0])}"


def held_kind(kind: type, place: Place) -> type:
    """The class of the value of a field; if there are several, the one whose name occurs in the place."""
    if len(place) == 1:
        return kind
    if place[0] == "markers":
        return Marker
    held = list(classes_in(get_type_hints(kind, include_extras=True).get(str(place[0]))))
    return next((one for one in held if one.__name__ in place), next(iter(held), kind))


def classes_in(hint: Any) -> Iterator[type]:
    """The dataclasses in a type annotation."""
    if isinstance(hint, type) and is_dataclass(hint):
        yield hint
    for part in get_args(hint):
        yield from classes_in(part)


def without_misspelt(unknown: list[Fault], missing: list[Fault]) -> list[Fault]:
    """All faults, without missing fields that are suggested for an unknown field of the same object."""
    meant = {(*fault.place[:-1], fault.remedy) for fault in unknown}
    return [*unknown, *(f for f in missing if (*f.place[:-1], f"Did you mean '{f.place[-1]}'?") not in meant)]


def _wrong_values(where: str, held: list[tuple[Place, str, str]]) -> Iterator[Fault]:
    """Faults of invalid values, one for each field or marker; for a union the error at the deepest place."""
    best: dict[Place, tuple[Place, str]] = {}
    for place, type_, message in held:
        thing = place[: 2 if place[:1] == ("markers",) else 1]
        before = best.get(thing, ((), ""))[0]
        if not before or (type_ == "value_error" and len(place) > len(before)):
            best[thing] = (place, WORDS.get(type_, message.removeprefix("Value error, ").rstrip(".")))
    for place, said in best.values():
        field = f"{'.'.join(map(called, place))}: " if place else ""
        said, advice = _with_advice(said)
        what = f"{field}{said}{'' if said.endswith('?') else '.'}"
        remedy = "Write a number in SI units or with its unit (`30 mm`), names in quotes; `ml.save` shows an example."
        remedy = QUOTED if UNCLOSED in said else advice or remedy
        yield Fault("M91", where, what, remedy, place)


def _with_advice(said: str) -> tuple[str, str]:
    """The fault and, if the message of the field's reader contains one, the advice what to write instead."""
    for begun in (". Write ", ". Did you mean "):
        what, _, advice = said.partition(begun)
        if advice:
            return what, f"{begun.removeprefix('. ')}{advice}{'' if advice.endswith('?') else '.'}"
    return said, ""


def _place(steps: tuple[Any, ...], unknown: bool, names: Mapping[str, list[Any]]) -> Place:
    """The place of a field in the data: without pydantic's tags in brackets, and with names in place of indices.

    `names` are the keys of each field that is a mapping.
    """
    own = steps[-1:] if unknown else ()  # the user's key may contain brackets
    read = steps[: len(steps) - len(own)]
    steps = (*(step for step in read if not isinstance(step, str) or "[" not in step), *own)
    named = names.get(steps[0]) if len(steps) > 2 else None
    if named is not None and isinstance(steps[1], int) and isinstance(steps[2], int):
        return (steps[0], named[steps[1]], *steps[3:])
    return steps
