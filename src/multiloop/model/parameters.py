"""Parameters of a description: listing them and substituting other values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from multiloop.model.expressions import Expression, Parameter, nodes_of, parameters_of
from multiloop.model.faults import Fault, ModelError, short_repr, suggestion
from multiloop.model.markers import MAX_MAGNITUDE, value_of

Described = TypeVar("Described")
VALID_VALUE = f"Give a finite number, no larger than {MAX_MAGNITUDE:g}."


def parameter_occurrences(thing: Any) -> Iterator[Parameter]:
    """Every parameter in a description, once for each expression that contains it."""
    if isinstance(thing, Expression):
        yield from parameters_of(thing)
    elif isinstance(thing, tuple):
        for part in thing:
            yield from parameter_occurrences(part)
    elif is_dataclass(thing) and not isinstance(thing, type):
        for entry in fields(thing):
            yield from parameter_occurrences(getattr(thing, entry.name))


def parameters_in(thing: Any) -> tuple[Parameter, ...]:
    """The distinct parameters of a description, sorted by name."""
    return tuple(
        sorted(set(parameter_occurrences(thing)), key=lambda parameter: (parameter.name, parameter.value))
    )


def substitute_parameters(thing: Described, values: Mapping[str, float]) -> Described:
    """The description with other values of its parameters; raises a ModelError for unknown names."""
    known = {parameter.name for parameter in parameters_in(thing)}
    faults = [
        Fault("M07", f"parameter '{name}'", "does not exist in the mechanism.", suggestion(name, known))
        for name in values
        if name not in known
    ]
    faults += [
        Fault("M05", f"parameter '{name}'", f"its new value is {short_repr(value)}.", VALID_VALUE)
        for name, value in values.items()
        if name in known and (isinstance(value, Expression) or value_of(value) is None)
    ]
    if faults:
        raise ModelError(f"mechanism '{getattr(thing, 'name', thing)}'", faults)
    changed: Described = _substitute(thing, values)
    return changed


def _substitute(thing: Any, values: Mapping[str, float]) -> Any:
    """The object itself if nothing changes, otherwise a copy with the new values."""
    if isinstance(thing, Expression):
        return _with_parameters(thing, values)
    if isinstance(thing, tuple):
        parts = tuple(_substitute(part, values) for part in thing)
        return parts if any(new is not old for new, old in zip(parts, thing, strict=True)) else thing
    if is_dataclass(thing) and not isinstance(thing, type):
        return _with_changes(thing, lambda part: _substitute(part, values))
    return thing


def _with_parameters(expression: Expression, values: Mapping[str, float]) -> Expression:
    """An expression with other values of its parameters, rebuilt from its leaves."""
    new: dict[Expression, Expression] = {}
    for node in nodes_of(expression):
        if isinstance(node, Parameter) and values.get(node.name, node.value) != node.value:
            new[node] = Parameter(node.name, values[node.name])
        else:
            new[node] = _with_changes(node, lambda part: new[part] if isinstance(part, Expression) else part)
    return new[expression] if new[expression] != expression else expression


def _with_changes(thing: Any, change: Any) -> Any:
    """A dataclass with `change` applied to its fields and derived fields recomputed; itself if nothing changed."""
    before = {entry.name: getattr(thing, entry.name) for entry in fields(thing) if entry.init}
    changes = {name: after for name, value in before.items() if (after := change(value)) is not value}
    return replace(thing, **changes) if changes else thing
