"""Faults in the plain data of a description: unknown, missing and invalid fields, each with its place in the data.

If there are such faults, the remaining objects are checked as a mechanism, so that all faults are reported together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from difflib import get_close_matches
from itertools import islice
from typing import Any, get_args, get_type_hints

from pydantic import ValidationError

from multiloop.model.faults import MAX_SHOWN_FAULTS, Fault, ModelError, name_text, suggestion
from multiloop.model.markers import Marker

UNKNOWN_FIELD_TYPES = ("unexpected_keyword_argument", "invalid_key")
"""Error types of pydantic for unknown fields."""

EXPRESSION_SIGNS = "()="
"""Characters by which a key is recognised as a piece of an expression that YAML has split at its commas, such as
`duration=2)` of `cycloidal(0, 1, duration=2)`."""

QUOTE_REMEDY = "Put the whole expression in quotes: inside { } a comma ends a value."
"""The remedy for an expression that YAML has split at its commas."""

UNCLOSED = "was never closed"
"""Part of the parser's message for the first piece of an expression that YAML has split at its commas."""

TYPE_MESSAGES = {
    "int_type": "this is not a whole number",
    "int_parsing": "this is not a whole number",
    "int_from_float": "this is not a whole number",
    "string_type": "this is not text",
    "tuple_type": "this is not a list of numbers",
    "bool_type": "this is neither true nor false",
    "bool_parsing": "this is neither true nor false",
}
"""Messages that replace pydantic's own messages, by pydantic's error type."""

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

    `kind` is the class that was read from `content`, or from its entry at the path of keys `outer`. With `complete`,
    fields that a file must contain may be missing if they have a default in Python.
    """
    entries = error.errors(include_url=False, include_context=False, include_input=False)
    names = {field: list(held) for field, held in content.items() if isinstance(held, Mapping)}
    found = [
        (
            _place((*outer, *entry["loc"]), entry["type"] in UNKNOWN_FIELD_TYPES, names),
            entry["type"],
            entry["msg"],
        )
        for entry in entries
    ]
    unknown = unknown_field_faults(
        where, kind, [place for place, type_, _ in found if type_ in UNKNOWN_FIELD_TYPES]
    )
    missing = [missing_field_fault(where, place) for place, type_, _ in found if type_ == "missing"]
    read = {
        place[0] for place, type_, _ in found if len(place) > 1 and type_ in (*UNKNOWN_FIELD_TYPES, "missing")
    }
    others = read - {"markers"}  # further errors in these fields concern other types that a field may have
    held = [
        entry
        for entry in found
        if entry[1] not in (*UNKNOWN_FIELD_TYPES, "missing") and (not entry[0] or entry[0][0] not in others)
    ]
    missing += [] if outer or complete else required_field_faults(where, kind, content)
    return [*drop_misspelt(unknown, missing), *_value_faults(where, held)]


def unknown_field_faults(where: str, kind: type, places: list[Place]) -> list[Fault]:
    """Faults of unknown fields, given by their paths of keys `places`, each with the most similar valid name.

    At most MAX_SHOWN_FAULTS fields are listed; one more fault states the number of other unknown fields.
    """
    torn = any(sign in name_text(place[-1]) for place in places for sign in EXPRESSION_SIGNS)
    shown = [_unknown_field_fault(where, kind, place, torn) for place in places[:MAX_SHOWN_FAULTS]]
    left = len(places) - len(shown)
    if left:
        what = f"has {left:,} more unknown field{'s' if left > 1 else ''}."
        shown.append(Fault("M91", where, what, "Correct the others first.", places[MAX_SHOWN_FAULTS]))
    return shown


def _unknown_field_fault(where: str, kind: type, place: Place, torn: bool) -> Fault:
    owner = _owner_text(place) or "it"
    known = [entry.name for entry in fields(field_class(kind, place))]
    name = name_text(place[-1])
    remedy = QUOTE_REMEDY if torn else suggestion(name, known)
    return Fault("M91", where, f"{owner} has no field '{name}'.", remedy, place)


def missing_field_fault(where: str, place: Place) -> Fault:
    """The fault of a missing field, or of a list with too few numbers; `place` is the path of keys to it."""
    of = f" of {_owner_text(place)}" if _owner_text(place) else ""
    if isinstance(place[-1], int) and len(place) > 1:
        what = f"`{place[-2]}`{of} has too few numbers: {place[-1]}."
        return Fault("M91", where, what, "Give the missing numbers too.", place)
    return Fault("M91", where, f"`{place[-1]}`{of} is missing.", f"Give `{place[-1]}`.", place)


def required_field_faults(where: str, kind: type, content: Mapping[str, Any]) -> list[Fault]:
    """Faults of fields missing in `content` that a file must have although they have a default in Python."""
    found = []
    for first, *others in getattr(kind, "asked_for", ()):
        if not any(name in content for name in (first, *others)):
            or_others = "".join(f", or `{other}`" for other in others)
            fault = missing_field_fault(where, (first,))
            found.append(replace(fault, remedy=f"Give `{first}`{or_others}."))
    return found


def _owner_text(place: Place) -> str:
    """Text that names the object to which a field belongs, "its marker 'a'"; empty for the described object itself."""
    if len(place) == 1:
        return ""
    return f"its marker '{name_text(place[1])}'" if place[0] == "markers" else f"its {name_text(place[0])}"


def field_class(kind: type, place: Place) -> type:
    """The class of the object to which a field belongs; `place` is the path of keys to the field.

    If several classes are possible, it is the class whose name occurs in the path.
    """
    if len(place) == 1:
        return kind
    if place[0] == "markers":
        return Marker
    held = list(classes_in(get_type_hints(kind, include_extras=True).get(str(place[0]))))
    return next((one for one in held if one.__name__ in place), next(iter(held), kind))


def classes_in(hint: Any) -> Iterator[type]:
    """All dataclasses in a type annotation, including nested ones."""
    if isinstance(hint, type) and is_dataclass(hint):
        yield hint
    for part in get_args(hint):
        yield from classes_in(part)


def drop_misspelt(unknown: list[Fault], missing: list[Fault]) -> list[Fault]:
    """The faults of unknown and of missing fields, without those missing fields whose names are suggested for unknown
    fields of the same object."""
    meant = {(*fault.place[:-1], fault.remedy) for fault in unknown}
    return [*unknown, *(f for f in missing if (*f.place[:-1], f"Did you mean '{f.place[-1]}'?") not in meant)]


def _value_faults(where: str, errors: list[tuple[Place, str, str]]) -> Iterator[Fault]:
    """Faults of invalid values, one for each field or marker.

    `errors` are pydantic's errors: path of keys, type of error, and message. If a field may have one of several types,
    the reported error is the one with the longest path of keys.
    """
    best: dict[Place, tuple[Place, str]] = {}
    for place, type_, message in errors:
        thing = place[: 2 if place[:1] == ("markers",) else 1]
        before = best.get(thing, ((), ""))[0]
        if not before or (type_ == "value_error" and len(place) > len(before)):
            best[thing] = (place, TYPE_MESSAGES.get(type_, message.removeprefix("Value error, ").rstrip(".")))
    for place, said in best.values():
        field = f"{'.'.join(map(name_text, place))}: " if place else ""
        said, advice = _with_advice(said)
        what = f"{field}{said}{'' if said.endswith('?') else '.'}"
        remedy = "Write a number in SI units or with its unit (`30 mm`), names in quotes; `ml.save` shows an example."
        remedy = QUOTE_REMEDY if UNCLOSED in said else advice or remedy
        yield Fault("M91", where, what, remedy, place)


def _with_advice(message: str) -> tuple[str, str]:
    """Split the message of an invalid value into the description of the fault and the advice, which may be empty."""
    for begun in (". Write ", ". Did you mean "):
        what, _, advice = message.partition(begun)
        if advice:
            return what, f"{begun.removeprefix('. ')}{advice}{'' if advice.endswith('?') else '.'}"
    return message, ""


def _place(steps: tuple[Any, ...], unknown: bool, names: Mapping[str, list[Any]]) -> Place:
    """The path of keys to a field in the data, from pydantic's path `steps`.

    Pydantic's tags in brackets are removed, and indices of entries in mappings are replaced by their keys. `unknown`
    states whether the last step is an unknown key; `names` contains the keys of each field that is a mapping.
    """
    own = steps[-1:] if unknown else ()  # an unknown key may contain brackets
    read = steps[: len(steps) - len(own)]
    steps = (*(step for step in read if not isinstance(step, str) or "[" not in step), *own)
    named = names.get(steps[0]) if len(steps) > 2 else None
    if named is not None and isinstance(steps[1], int) and isinstance(steps[2], int):
        return (steps[0], named[steps[1]], *steps[3:])
    return steps


MISSING_REFERENCE_CODES = {
    "bodies": ("M10", "T02", "T03", "T04", "M11"),
    "joints": ("T04", "D01", "D05", "D07", "L01", "P02", "M11"),
    "pairs": ("T04", "M11"),
    "integrals": ("D07",),
    "loads": ("D07",),
}
"""For each list of a mechanism, the codes of faults that an unreadable entry of this list may cause."""

LONGEST, MOST_COMPARED = 30, 20
"""Maximum number of characters of a key that may be a misspelt name of a list, and maximum number of such keys that are
compared."""

Reader = Callable[[Mapping[str, Any]], Any]
"""Function that creates an object of a mechanism from its plain data."""


def remaining_faults(
    sound: Mapping[str, Any],
    given: Mapping[str, Any],
    of_form: Sequence[Fault],
    read: Reader,
    describe: Callable[..., Any],
) -> list[Fault]:
    """Faults of the mechanism without the objects and fields that cannot be read.

    An object with an invalid field is kept without this field, so that references to its name remain valid. Faults of
    such an object, and of objects that refer to it, are not reported: they may disappear once the field is corrected.

    Args:
        sound: fields of the mechanism, with the objects that could be read.
        given: fields of the mechanism as plain data, with all objects.
        of_form: faults of unknown, missing or invalid fields, each with its place in the data.
        read: function that creates one object from its plain data.
        describe: function that creates the mechanism from its fields.
    """
    wrong: dict[tuple[str, int], set[str]] = {}
    fields, doubtful = {"name": "mechanism", **sound}, set()
    missed = set(() if "bodies" in given else MISSING_REFERENCE_CODES["bodies"])
    missed |= {code for part in _misspelt_lists(given, sound) for code in MISSING_REFERENCE_CODES[part]}
    for fault in of_form:
        match fault.place:
            case (str(part), int(number), *rest) if part in sound and part != "gravity":
                wrong.setdefault((part, number), set()).update(map(str, rest[:1]))
            case (str(field), *_):
                fields.pop(field, None)
    for (part, number), bad in wrong.items():
        entry = given[part][number]
        doubtful |= _names_in_entry(entry)
        kept = _read_remainder(entry, bad, read)
        fields[part] = [*fields[part], *kept]
        missed |= set(() if kept else MISSING_REFERENCE_CODES.get(part, ()))
    try:
        describe(**{"name": "mechanism", **fields})
    except ModelError as error:
        return [f for f in error.faults if f.code not in missed and not _mentions_any(f, doubtful)]
    return []


def _misspelt_lists(given: Mapping[str, Any], sound: Mapping[str, Any]) -> Iterator[str]:
    """Names of lists missing in the data `given` that are similar to an unknown key, which may be a misspelling.

    `sound` are the fields that could be read.
    """
    unknown = (name for name in given if name not in sound and isinstance(name, str) and len(name) < LONGEST)
    absent = [part for part in MISSING_REFERENCE_CODES if part not in given]
    for name in islice(unknown, MOST_COMPARED):
        yield from get_close_matches(name, absent, n=1)


def _read_remainder(entry: Any, bad: set[str], read: Reader) -> list[Any]:
    """The object that an entry describes, without the invalid fields `bad`, as a list; empty if it cannot be read."""
    left = (
        {key: value for key, value in entry.items() if key not in bad} if isinstance(entry, Mapping) else {}
    )
    try:
        return [read(left)]
    except ModelError:
        return []


def _names_in_entry(entry: Any) -> set[str]:
    """The name of the object that an entry describes, and the name of the joint or marker on which it acts."""
    found = [entry.get(key) for key in ("name", "of", "joint")] if isinstance(entry, Mapping) else []
    return {name for name in found if isinstance(name, str)}


def _mentions_any(fault: Fault, doubtful: set[str]) -> bool:
    """Whether the text of a fault contains one of the names `doubtful` of incompletely read objects."""
    said = f"{fault.where} {fault.what}"
    return any(f"'{name}'" in said or f"'{name}." in said or f'"{name}"' in said for name in doubtful)
