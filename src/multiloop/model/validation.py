"""What does not fit where plain data is read: the field, the nearest valid one, and the way to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, get_args, get_type_hints

from pydantic import ValidationError

from multiloop.model.brief import called
from multiloop.model.faults import MOST_SHOWN, Fault, suggestion
from multiloop.model.markers import Marker

UNKNOWN = ("unexpected_keyword_argument", "invalid_key")
"""What pydantic calls a key that is no field."""

TORN = "()="
"""Signs in names that are rather pieces of an expression, as `duration=2)` of `cycloidal(0, 1, duration=2)`."""

QUOTED = "Put the whole expression into quotes: within { } a comma ends a value."
"""What to do about an expression that YAML has torn at its commas."""

UNCLOSED = "was never closed"
"""Said of the first piece of such an expression."""

WORDS = {
    "int_type": "this is no whole number",
    "int_parsing": "this is no whole number",
    "int_from_float": "this is no whole number",
    "string_type": "this is no text",
    "tuple_type": "this is no list of numbers",
    "bool_type": "this is neither true nor false",
    "bool_parsing": "this is neither true nor false",
}
"""Mistakes for which pydantic has words of its own."""

Place = tuple[str | int, ...]


def validation_faults(
    where: str,
    kind: type,
    content: Mapping[str, Any],
    error: ValidationError,
    *outer: str,
    complete: bool = False,
) -> list[Fault]:
    """One fault for each mistake: fields that are not there, that are missing, and that hold the wrong thing.

    `kind` is what should have been read from `content`, or from what it holds at `outer`. What is asked for besides is
    not missed where it is `complete` without.
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
    others = read - {"markers"}  # told already; another reading of the same field has nothing to add
    held = [
        entry
        for entry in found
        if entry[1] not in (*UNKNOWN, "missing") and (not entry[0] or entry[0][0] not in others)
    ]
    missing += [] if outer or complete else unsaid_fields(where, kind, content)
    return [*without_misspelt(unknown, missing), *_wrong_values(where, held)]


def unknown_fields(where: str, kind: type, places: list[Place]) -> list[Fault]:
    """The faults of fields that are none, with the nearest that is one; of many the last counts all that are left."""
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
    """The fault of a field that must be there."""
    of = f" of {_owner(place)}" if _owner(place) else ""
    if isinstance(place[-1], int) and len(place) > 1:
        what = f"`{place[-2]}`{of} has {place[-1]} of its numbers."
        return Fault("M91", where, what, "Give all of them.", place)
    return Fault("M91", where, f"`{place[-1]}`{of} is missing.", f"Give `{place[-1]}`.", place)


def unsaid_fields(where: str, kind: type, content: Mapping[str, Any]) -> list[Fault]:
    """The faults of fields that a file must have although Python has a default for them."""
    found = []
    for first, *others in getattr(kind, "asked_for", ()):
        if not any(name in content for name in (first, *others)):
            or_others = "".join(f", or `{other}`" for other in others)
            fault = missing_field(where, (first,))
            found.append(replace(fault, remedy=f"Give `{first}`{or_others}."))
    return found


def _owner(place: Place) -> str:
    """Whose field it is; empty where it is that of the thing itself."""
    if len(place) == 1:
        return ""
    return f"its marker '{called(place[1])}'" if place[0] == "markers" else f"its {called(place[0])}"


def held_kind(kind: type, place: Place) -> type:
    """The kind of what a field holds, by its own name where it may be one of several."""
    if len(place) == 1:
        return kind
    if place[0] == "markers":
        return Marker
    held = list(classes_in(get_type_hints(kind, include_extras=True).get(str(place[0]))))
    return next((one for one in held if one.__name__ in place), next(iter(held), kind))


def classes_in(hint: Any) -> Iterator[type]:
    """The dataclasses in what a field may hold, by its type."""
    if isinstance(hint, type) and is_dataclass(hint):
        yield hint
    for part in get_args(hint):
        yield from classes_in(part)


def without_misspelt(unknown: list[Fault], missing: list[Fault]) -> list[Fault]:
    """Both together; a missing field whose misspelling stands beside it is the same mistake."""
    meant = {(*fault.place[:-1], fault.remedy) for fault in unknown}
    return [*unknown, *(f for f in missing if (*f.place[:-1], f"Did you mean '{f.place[-1]}'?") not in meant)]


def _wrong_values(where: str, held: list[tuple[Place, str, str]]) -> Iterator[Fault]:
    """What cannot be read, once for each field and marker: of several readings the one that came furthest."""
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
    """What is wrong, and what to write instead where the reader of the field says so."""
    for begun in (". Write ", ". Did you mean "):
        what, _, advice = said.partition(begun)
        if advice:
            return what, f"{begun.removeprefix('. ')}{advice}{'' if advice.endswith('?') else '.'}"
    return said, ""


def _place(steps: tuple[Any, ...], unknown: bool, names: Mapping[str, list[Any]]) -> Place:
    """The way to a field through the data: no names of readings, which have brackets; what has a name, by its name.

    `names` are the keys of each field that holds a mapping.
    """
    own = steps[-1:] if unknown else ()  # what the user called it, brackets and all
    read = steps[: len(steps) - len(own)]
    steps = (*(step for step in read if not isinstance(step, str) or "[" not in step), *own)
    named = names.get(steps[0]) if len(steps) > 2 else None
    if named is not None and isinstance(steps[1], int) and isinstance(steps[2], int):
        return (steps[0], named[steps[1]], *steps[3:])
    return steps
