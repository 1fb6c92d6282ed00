"""Descriptions with other numbers, or with parameters in place of numbers, addressed by paths."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from multiloop.model.beams.sections import Section, rectangle, tube
from multiloop.model.expressions import Parameter
from multiloop.model.expressions.expression import finite_number
from multiloop.model.faults import Fault, ModelError, short_repr
from multiloop.model.markers import MAX_MAGNITUDE, as_mapping
from multiloop.model.numbers.number_list import (
    COUNT,
    FIXED_REASONS,
    constant_speed_of,
    implied_markers,
    list_numbers,
    section_form,
)
from multiloop.model.numbers.number_table import NumberTable, Place, unknown_numbers
from multiloop.model.profiles.motion_laws import constant_speed
from multiloop.model.serialise.field_quantities import quantity_faults

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism

SECTION_FORMS: dict[str, Callable[..., Section]] = {"rectangle": rectangle, "tube": tube}
"""Functions that create sections from dimensions, by name.

In a `Place` the name of the function precedes that of the dimension: ("bodies", 1, "section", "rectangle", "width").
"""


def parametrise(mechanism: Mechanism, paths: Mapping[str, str] | Iterable[str]) -> Mechanism:
    """The mechanism with a Parameter in the place of every given number; see `Mechanism.parametrise`."""
    table = list_numbers(mechanism)
    names = _names_by_path(mechanism, paths)
    _require_known(table, names)
    faults = [
        Fault(
            "M07",
            f"number '{path}'",
            f"cannot become a parameter: {_reason(table, path)}.",
            _remedy(table, path),
        )
        for path in names
        if not table[path].can_vary
    ]
    taken = mechanism.parameters
    faults += [
        Fault("M01", f"parameter '{name}'", "exists in the mechanism.", f"Give another name for '{path}'.")
        for path, name in names.items()
        if name in taken
    ]
    if faults:
        raise ModelError(f"mechanism '{mechanism.name}'", faults)
    changes: dict[Place, Any] = {}
    for path, name in names.items():
        parameter = Parameter(name, table[path].value)  # type: ignore[arg-type]  # a number that can vary has a value
        changes |= dict.fromkeys(table[path].places, parameter)
    return _with_changes(mechanism, changes)


def with_numbers(mechanism: Mechanism, values: Mapping[str, float]) -> Mechanism:
    """The mechanism with other values of the given numbers; see `Mechanism.with_numbers`."""
    given = as_mapping(values)
    if not isinstance(given, Mapping):
        what = f"are {short_repr(values)}."
        raise ModelError(
            f"mechanism '{mechanism.name}'",
            [Fault("M12", "numbers", what, 'Give a mapping from paths to values, {"crank.mass": 1.2}.')],
        )
    table = list_numbers(mechanism)
    _require_known(table, given)
    changes: dict[Place, Any] = {}
    faults: list[Fault] = []
    for path, new in given.items():
        number, value = table[path], finite_number(new)
        counts = number.refusal == COUNT
        if value is None or abs(value) > MAX_MAGNITUDE or (counts and not value.is_integer()):
            remedy = (
                "Give a whole number."
                if counts
                else f"Give a finite number, no larger than {MAX_MAGNITUDE:g}."
            )
            faults.append(Fault("M05", f"number '{path}'", f"its new value is {short_repr(new)}.", remedy))
        elif number.refusal and number.expression:
            what = f"cannot be set: {_reason(table, path)}."
            faults.append(Fault("M07", f"number '{path}'", what, _remedy(table, path)))
        elif value != number.value:
            changes |= dict.fromkeys(number.places, int(value) if counts else value)
    if faults:
        raise ModelError(f"mechanism '{mechanism.name}'", faults)
    return _with_changes(mechanism, changes)


def require_fitting_number_units(mechanism: Mechanism, texts: Mapping[str, str]) -> None:
    """Raise an error for values, given as text by path, whose unit does not fit the physical quantity of the number."""
    table = list_numbers(mechanism)
    _require_known(table, texts)
    faults = [
        fault
        for path, text in texts.items()
        if (allowed := table[path].quantities) is not None
        for fault in quantity_faults(f"number '{path}'", text, allowed)
    ]
    if faults:
        raise ModelError(f"mechanism '{mechanism.name}'", faults)


def _names_by_path(mechanism: Mechanism, paths: Any) -> dict[str, str]:
    """The name of the parameter for each path; raises a ModelError if `paths` is not a list or mapping of texts."""
    found = dict(paths) if isinstance(paths, Mapping) else None
    if found is None and isinstance(paths, Iterable) and not isinstance(paths, str | bytes):
        listed = list(paths)
        found = dict(zip(listed, listed, strict=True)) if all(isinstance(p, str) for p in listed) else None
    if found is None or not all(isinstance(text, str) for pair in found.items() for text in pair):
        what = f"are {short_repr(paths)}."
        remedy = 'Give a list of paths, ["crank.mass"], or a mapping to names, {"crank.mass": "m1"}.'
        raise ModelError(f"mechanism '{mechanism.name}'", [Fault("M12", "paths", what, remedy)])
    return found


def _require_known(table: NumberTable, paths: Iterable[str]) -> None:
    if unknown := [path for path in paths if path not in table]:
        raise unknown_numbers(table, unknown)


def _reason(table: NumberTable, path: str) -> str:
    number = table[path]
    varies = number.expression and number.refusal not in FIXED_REASONS
    return f"`{number.expression}` {number.refusal}" if varies else number.refusal


def _remedy(table: NumberTable, path: str) -> str:
    if not table[path].expression:
        return "Use `with_numbers` for each value instead."
    return "Change its parameters, or use a Parameter in the expression."


def _with_changes(mechanism: Mechanism, changes: Mapping[Place, Any]) -> Mechanism:
    """The mechanism with new values in the given places; the same mechanism if there are none."""
    if not changes:
        return mechanism
    nested: dict[str | int, Any] = {}
    for place, value in changes.items():
        inner = nested
        for step in place[:-1]:
            inner = inner.setdefault(step, {})
        inner[place[-1]] = value
    changed: Mechanism = _changed(mechanism, nested, 2 if mechanism.planar else 3)
    return changed


def _changed(thing: Any, changes: Any, size: int) -> Any:
    """A copy of `thing`, a part of the description, with new values in the fields or entries that `changes` names.

    `changes` maps names of fields, or indices of a tuple, to new values or to further mappings of this form.

    A vector that is given with too few components is filled with zeros up to `size`, the dimension of the space.
    """
    if not isinstance(changes, dict):
        return changes
    if isinstance(thing, Section) and (kind := next((k for k in SECTION_FORMS if k in changes), None)):
        form = section_form(thing)
        return SECTION_FORMS[kind](**{**(form[1] if form else {}), **changes[kind]})
    if "constant_speed" in changes:
        return constant_speed(**{**(constant_speed_of(thing) or {}), **changes["constant_speed"]})
    if all(isinstance(step, int) for step in changes):
        parts = list(thing) if isinstance(thing, tuple) else [thing] * 3
        parts += [0.0] * (size - len(parts)) if max(changes) >= len(parts) else []
        return tuple(
            _changed(part, changes[k], size) if k in changes else part for k, part in enumerate(parts)
        )
    return _changed_object(
        thing, {name: _changed(getattr(thing, name), new, size) for name, new in changes.items()}
    )


def _changed_object(thing: Any, changes: dict[str, Any]) -> Any:
    """A copy of an object with new values of fields; fields that are computed from others are computed again."""
    initial = {entry.name: entry.default for entry in fields(thing) if entry.init}
    for name in getattr(thing, "derived_fields", ()):
        if name in initial and name not in changes:
            changes[name] = initial[name]
    if implied := implied_markers(thing):
        markers = changes.get("markers", thing.markers)
        changes["markers"] = tuple((name, one) for name, one in markers if implied.get(name) != one)
    return replace(thing, **changes)
