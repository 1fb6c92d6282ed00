"""Parameters of a description: the list of parameters, substitution of values, and the values passed to an analysis.

An analysis accepts one number for each parameter (one design), or arrays of numbers that describe many designs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from multiloop.model.expressions import Expression, Parameter, nodes_of, parameters_of
from multiloop.model.expressions.expression import finite_number
from multiloop.model.faults import Fault, ModelError, SolveError, short_repr, suggestion
from multiloop.model.markers import MAX_MAGNITUDE, value_of
from multiloop.model.serialise.plain_data import value_unit_faults

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism

Described = TypeVar("Described")
VALID_VALUE = f"Give a finite number, no larger than {MAX_MAGNITUDE:g}."
ONE_LENGTH = "Give at least one array of numbers, and all arrays with the same length."


def parameter_occurrences(thing: Any) -> Iterator[Parameter]:
    """All parameters in an object of a description; a parameter is yielded once for every expression that contains
    it."""
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
    """A copy of the object with the new values of parameters; the object itself if nothing changes."""
    if isinstance(thing, Expression):
        return _with_parameters(thing, values)
    if isinstance(thing, tuple):
        parts = tuple(_substitute(part, values) for part in thing)
        return parts if any(new is not old for new, old in zip(parts, thing, strict=True)) else thing
    if is_dataclass(thing) and not isinstance(thing, type):
        return _with_changes(thing, lambda part: _substitute(part, values))
    return thing


def _with_parameters(expression: Expression, values: Mapping[str, float]) -> Expression:
    """A copy of an expression with new values of parameters; the expression itself if nothing changes."""
    new: dict[Expression, Expression] = {}
    for node in nodes_of(expression):
        if isinstance(node, Parameter) and values.get(node.name, node.value) != node.value:
            new[node] = Parameter(node.name, values[node.name])
        else:
            new[node] = _with_changes(node, lambda part: new[part] if isinstance(part, Expression) else part)
    return new[expression] if new[expression] != expression else expression


def _with_changes(thing: Any, change: Any) -> Any:
    """A copy of a dataclass with the function `change` applied to each field; fields that are derived from others are
    computed again.

    The object itself is returned if nothing changes.
    """
    before = {entry.name: getattr(thing, entry.name) for entry in fields(thing) if entry.init}
    changes = {name: after for name, value in before.items() if (after := change(value)) is not value}
    return replace(thing, **changes) if changes else thing


def apply_parameters(
    mechanism: Mechanism, parameters: Mapping[str, Any] | None
) -> tuple[Mechanism, dict[str, np.ndarray] | None]:
    """The mechanism with the given numbers substituted for parameters, and an array of values for every parameter.

    The second value is None if no arrays are given; otherwise every array has one entry for each design.
    """
    _require_known(mechanism, parameters or {})
    numbers = {
        name: _number(mechanism, name, value)
        for name, value in (parameters or {}).items()
        if np.ndim(value) == 0
    }
    mechanism = mechanism.with_parameters(numbers) if numbers else mechanism
    if len(numbers) == len(parameters or {}):
        return mechanism, None
    return mechanism, design_arrays(mechanism, parameters or {})


def single_design(
    mechanism: Mechanism,
    parameters: Mapping[str, Any] | None,
    remedy: str = "Run the designs one at a time.",
) -> Mechanism:
    """The mechanism with the given numbers substituted for its parameters; raises a SolveError with this `remedy` for
    arrays."""
    mechanism, designs = apply_parameters(mechanism, parameters)
    if designs is not None:
        raise parameter_error(mechanism, "parameters", "are arrays.", remedy)
    return mechanism


def design_arrays(mechanism: Mechanism, parameters: Mapping[str, Any] | None) -> dict[str, np.ndarray]:
    """One array for every parameter of the mechanism, each with one entry for every design."""
    parameters = parameters or {}
    _require_known(mechanism, parameters)
    known = mechanism.parameters
    try:
        given = {name: np.asarray(value, float) for name, value in parameters.items()}
    except (TypeError, ValueError, OverflowError):
        raise parameter_error(
            mechanism, "parameters", "contain a value that is not a number.", "Give arrays of numbers."
        ) from None
    lengths = {value.shape[0] for value in given.values() if value.ndim == 1}
    if len(lengths) != 1 or 0 in lengths or any(value.ndim > 1 for value in given.values()):
        found = ", ".join(f"{name} {value.shape}" for name, value in given.items())
        raise parameter_error(
            mechanism, "parameters", f"have the shapes {found}." if found else "are empty.", ONE_LENGTH
        )
    if bad := [name for name, value in given.items() if not np.isfinite(value).all()]:
        raise parameter_error(
            mechanism,
            f"parameter '{bad[0]}'",
            "is not finite in at least one design.",
            "Give finite numbers.",
        )
    count = lengths.pop()
    return {name: np.broadcast_to(given.get(name, np.array(known[name])), count) for name in known}


def require_fitting_units(mechanism: Mechanism, texts: Mapping[str, str]) -> None:
    """Raise an error for values, given as text, whose unit does not fit the physical quantity of their parameter."""
    for fault in value_unit_faults(mechanism, texts):
        raise parameter_error(mechanism, fault.where, fault.what, fault.remedy)


def _number(mechanism: Mechanism, name: str, value: Any) -> float:
    number = finite_number(value)
    if number is None:
        remedy = "Give a finite number, or an array of numbers for many designs."
        raise parameter_error(mechanism, f"parameter '{name}'", f"is {short_repr(value)}.", remedy)
    return number


def _require_known(mechanism: Mechanism, parameters: Mapping[str, Any]) -> None:
    for name in parameters:
        if name not in mechanism.parameters:
            remedy = suggestion(name, mechanism.parameters)
            raise parameter_error(mechanism, f"parameter '{name}'", "does not exist.", remedy)


def parameter_error(mechanism: Mechanism, where: str, what: str, remedy: str) -> SolveError:
    """The SolveError for invalid parameters: place, description and remedy of its only fault."""
    return SolveError(f"mechanism '{mechanism.name}'", [Fault("S10", where, what, remedy)])
