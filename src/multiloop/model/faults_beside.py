"""Faults of a mechanism besides those of the form of its data, so that all are reported together.

Faults that only follow from parts that could not be read are omitted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from itertools import islice
from typing import Any

from multiloop.model.faults import Fault, ModelError

MISSED = {
    "bodies": ("M10", "T02", "T03", "T04", "M11"),
    "joints": ("T04", "D01", "D05", "D07", "L01", "P02", "M11"),
    "pairs": ("T04", "M11"),
    "integrals": ("D07",),
    "loads": ("D07",),
}
"""Codes of faults about missing parts, by the list that may contain the part unread."""

LONGEST, MOST_COMPARED = 30, 20
"""Maximal length of a key that may be a misspelt list name, and maximal number of such keys that are compared."""

Reader = Callable[[Mapping[str, Any]], Any]
"""Makes a described part from its plain data."""


def faults_beside(
    sound: Mapping[str, Any],
    given: Mapping[str, Any],
    of_form: Sequence[Fault],
    read: Reader,
    describe: Callable[..., Any],
) -> list[Fault]:
    """Faults of the mechanism without the parts and fields that cannot be read.

    A part with an invalid field is kept without that field, so that references to its name remain valid. Faults of
    such a part, and of parts that refer to it, are not reported: they may disappear once the field is corrected.

    Args:
        sound: fields of the mechanism, with the parts that could be read.
        given: the same as plain data, with all parts.
        of_form: faults of the form, each with its place in the data.
        read: reads one part.
        describe: makes the mechanism from its fields.
    """
    wrong: dict[tuple[str, int], set[str]] = {}
    fields, doubtful = {"name": "mechanism", **sound}, set()
    missed = set(() if "bodies" in given else MISSED["bodies"])
    missed |= {code for part in _misspelt_lists(given, sound) for code in MISSED[part]}
    for fault in of_form:
        match fault.place:
            case (str(part), int(number), *rest) if part in sound and part != "gravity":
                wrong.setdefault((part, number), set()).update(map(str, rest[:1]))
            case (str(field), *_):
                fields.pop(field, None)
    for (part, number), bad in wrong.items():
        entry = given[part][number]
        doubtful |= _names(entry)
        kept = _readable(entry, bad, read)
        fields[part] = [*fields[part], *kept]
        missed |= set(() if kept else MISSED.get(part, ()))
    try:
        describe(**{"name": "mechanism", **fields})
    except ModelError as error:
        return [f for f in error.faults if f.code not in missed and not _names_one_of(f, doubtful)]
    return []


def _misspelt_lists(given: Mapping[str, Any], sound: Mapping[str, Any]) -> Iterator[str]:
    """Missing lists whose name may have been misspelt as one of the unknown keys."""
    unknown = (name for name in given if name not in sound and isinstance(name, str) and len(name) < LONGEST)
    absent = [part for part in MISSED if part not in given]
    for name in islice(unknown, MOST_COMPARED):
        yield from get_close_matches(name, absent, n=1)


def _readable(entry: Any, bad: set[str], read: Reader) -> list[Any]:
    """The part that an entry describes without its invalid fields; empty if it cannot be read."""
    left = (
        {key: value for key, value in entry.items() if key not in bad} if isinstance(entry, Mapping) else {}
    )
    try:
        return [read(left)]
    except ModelError:
        return []


def _names(entry: Any) -> set[str]:
    """The names by which an entry is referred to, or by which it refers to the part on which it acts."""
    found = [entry.get(key) for key in ("name", "of", "joint")] if isinstance(entry, Mapping) else []
    return {name for name in found if isinstance(name, str)}


def _names_one_of(fault: Fault, doubtful: set[str]) -> bool:
    """Whether a fault mentions one of the incomplete parts."""
    said = f"{fault.where} {fault.what}"
    return any(f"'{name}'" in said or f"'{name}." in said or f'"{name}"' in said for name in doubtful)
