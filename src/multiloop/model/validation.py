"""What does not fit where plain data is read: the field, the nearest valid one, and the way to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

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

Place = tuple[str | int, ...]


def validation_faults(
    where: str, kind: type, content: Mapping[str, Any], error: ValidationError, *outer: str
) -> list[Fault]:
    """One fault for each mistake: fields that are not there, that are missing, and that hold the wrong thing.

    `kind` is what should have been read from `content`, or from what it holds at `outer`.
    """
    entries = error.errors(include_url=False, include_context=False, include_input=False)
    markers = list(content["markers"]) if isinstance(content.get("markers"), Mapping) else []
    found = [
        (_place((*outer, *entry["loc"]), entry["type"] in UNKNOWN, markers), entry["type"], entry["msg"])
        for entry in entries
    ]
    unknown = unknown_fields(where, kind, [place for place, type_, _ in found if type_ in UNKNOWN])
    missing = [missing_field(where, place) for place, type_, _ in found if type_ == "missing"]
    held = [entry for entry in found if entry[1] not in (*UNKNOWN, "missing")]
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
    owner = "it" if len(place) == 1 else f"its marker '{called(place[1])}'"
    known = [entry.name for entry in fields(Marker if len(place) > 1 else kind)]
    name = called(place[-1])
    remedy = QUOTED if torn else suggestion(name, known)
    return Fault("M91", where, f"{owner} has no field '{name}'.", remedy, place)


def missing_field(where: str, place: Place) -> Fault:
    """The fault of a field that must be there."""
    of = "" if len(place) == 1 else f" of its marker '{called(place[1])}'"
    return Fault("M91", where, f"`{place[-1]}`{of} is missing.", f"Give `{place[-1]}`.", place)


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
            best[thing] = (place, message.removeprefix("Value error, ").rstrip("."))
    for place, said in best.values():
        field = f"{'.'.join(map(called, place))}: " if place else ""
        what = f"{field}{said}{'' if said.endswith('?') else '.'}"
        remedy = "Write numbers in SI units without the unit, names in quotes; `ml.save` shows a working description."
        remedy = QUOTED if UNCLOSED in said else remedy
        yield Fault("M91", where, what, remedy, place)


def _place(steps: tuple[Any, ...], unknown: bool, markers: list[str]) -> Place:
    """The way to a field through the data: no names of readings, which have brackets; markers by their own names."""
    own = steps[-1:] if unknown else ()  # what the user called it, brackets and all
    read = steps[: len(steps) - len(own)]
    steps = (*(step for step in read if not isinstance(step, str) or "[" not in step), *own)
    if steps[:1] == ("markers",) and len(steps) > 2 and markers:
        return ("markers", markers[steps[1]], *steps[3:])
    return steps
