"""What does not fit where plain data is read: the field, the nearest valid one, and the way to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

from pydantic import ValidationError

from multiloop.model.faults import Fault, suggestion
from multiloop.model.markers import Marker

UNKNOWN = ("unexpected_keyword_argument", "invalid_key")
"""What pydantic calls a key that is no field."""

Place = tuple[str | int, ...]


def validation_faults(
    where: str, kind: type, content: Mapping[str, Any], error: ValidationError, *outer: str
) -> list[Fault]:
    """One fault for each mistake: fields that are not there, that are missing, and that hold the wrong thing.

    `kind` is what should have been read from `content`, or from what it holds at `outer`.
    """
    found = [
        (_place((*outer, *entry["loc"]), content), entry["type"], entry["msg"]) for entry in error.errors()
    ]
    unknown = [unknown_field(where, kind, place) for place, type_, _ in found if type_ in UNKNOWN]
    missing = [missing_field(where, place) for place, type_, _ in found if type_ == "missing"]
    held = [entry for entry in found if entry[1] not in (*UNKNOWN, "missing")]
    return [*without_misspelt(unknown, missing), *_wrong_values(where, held)]


def unknown_field(where: str, kind: type, place: Place) -> Fault:
    """The fault of a field that is none, with the nearest that is one."""
    owner = "it" if len(place) == 1 else f"its marker '{place[1]}'"
    known = [entry.name for entry in fields(Marker if len(place) > 1 else kind)]
    return Fault(
        "M91", where, f"{owner} has no field '{place[-1]}'.", suggestion(str(place[-1]), known), place
    )


def missing_field(where: str, place: Place) -> Fault:
    """The fault of a field that must be there."""
    of = "" if len(place) == 1 else f" of its marker '{place[1]}'"
    return Fault("M91", where, f"`{place[-1]}`{of} is missing.", f"Give `{place[-1]}`.", place)


def without_misspelt(unknown: list[Fault], missing: list[Fault]) -> list[Fault]:
    """Both together; a missing field whose misspelling stands beside it is the same mistake."""
    meant = {(*fault.place[:-1], fault.remedy) for fault in unknown}
    return [*unknown, *(f for f in missing if (*f.place[:-1], f"Did you mean '{f.place[-1]}'?") not in meant)]


def _wrong_values(where: str, held: list[tuple[Place, str, str]]) -> Iterator[Fault]:
    """What cannot be read, once for each field and marker: of several readings the one that came furthest."""
    best: dict[Place, tuple[Place, str]] = {}
    for place, type_, message in held:
        thing = place[: 2 if place[0] == "markers" else 1]
        before = best.get(thing, ((), ""))[0]
        if not before or (type_ == "value_error" and len(place) > len(before)):
            best[thing] = (place, message.removeprefix("Value error, ").rstrip("."))
    for place, said in best.values():
        what = f"{'.'.join(map(str, place))}: {said}{'' if said.endswith('?') else '.'}"
        remedy = "Write numbers in SI units without the unit, names in quotes; `ml.save` shows a working description."
        yield Fault("M91", where, what, remedy, place)


def _place(steps: tuple[Any, ...], content: Mapping[str, Any]) -> Place:
    """The way to a field through the data: no names of readings, markers by their own names."""
    steps = tuple(step for step in steps if "[" not in str(step))
    if steps[0] == "markers" and len(steps) > 2 and isinstance(content["markers"], Mapping):
        return ("markers", list(content["markers"])[steps[1]], *steps[3:])
    return steps
