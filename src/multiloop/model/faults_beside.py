"""Which faults does a description have beside those of its form? All are told at once, and none that only follows."""

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
"""Codes of what cannot be found, by the list in which it may stand unread."""

LONGEST, MOST_COMPARED = 30, 20
"""Letters of a name that may be a misspelt list's, and how many such names are looked at."""

Reader = Callable[[Mapping[str, Any]], Any]
"""Makes a described thing of its plain data."""


def faults_beside(
    sound: Mapping[str, Any],
    given: Mapping[str, Any],
    of_form: Sequence[Fault],
    read: Reader,
    describe: Callable[..., Any],
) -> list[Fault]:
    """Faults of the mechanism that is left when what cannot be read is passed over.

    Of a part with a wrong field the rest is kept, so that others still find it by its name. Nothing is said of such a
    part itself, nor of anything that names it: it may be well once the field is.

    Args:
        sound: fields of the mechanism, with those parts that could be read.
        given: the same as plain data, with all parts.
        of_form: what is wrong with the form, each with its place in the data.
        read: reads one part.
        describe: makes the mechanism of its fields.
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
    """Lists that are not given and may stand under a name that is none, of a few such names."""
    unknown = (name for name in given if name not in sound and isinstance(name, str) and len(name) < LONGEST)
    absent = [part for part in MISSED if part not in given]
    for name in islice(unknown, MOST_COMPARED):
        yield from get_close_matches(name, absent, n=1)


def _readable(entry: Any, bad: set[str], read: Reader) -> list[Any]:
    """What an entry describes without the fields that are wrong, where it can be read so."""
    left = (
        {key: value for key, value in entry.items() if key not in bad} if isinstance(entry, Mapping) else {}
    )
    try:
        return [read(left)]
    except ModelError:
        return []


def _names(entry: Any) -> set[str]:
    """The names by which others call a part, or by which it calls what it acts on."""
    found = [entry.get(key) for key in ("name", "of", "joint")] if isinstance(entry, Mapping) else []
    return {name for name in found if isinstance(name, str)}


def _names_one_of(fault: Fault, doubtful: set[str]) -> bool:
    """Whether a fault speaks of a part that was passed over."""
    said = f"{fault.where} {fault.what}"
    return any(f"'{name}'" in said or f"'{name}." in said or f'"{name}"' in said for name in doubtful)
