"""Parameters passed to an analysis: other values of one design, or arrays that describe many designs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from multiloop.model.expressions.expression import finite_number
from multiloop.model.faults import Fault, SolveError, short_repr, suggestion
from multiloop.model.mechanism import Mechanism
from multiloop.model.serialise.plain_data import value_unit_faults


def apply_parameters(
    mechanism: Mechanism, parameters: Mapping[str, Any] | None
) -> tuple[Mechanism, dict[str, np.ndarray] | None]:
    """The mechanism with the given numbers, and arrays of all parameters if arrays are among the given values."""
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
    """The mechanism with the given numbers; raises an error for arrays."""
    mechanism, designs = apply_parameters(mechanism, parameters)
    if designs is not None:
        raise parameter_error(mechanism, "parameters", "are arrays.", remedy)
    return mechanism


def design_arrays(mechanism: Mechanism, parameters: Mapping[str, Any] | None) -> dict[str, np.ndarray]:
    """One array for every parameter of the mechanism, all of the same length."""
    parameters = parameters or {}
    _require_known(mechanism, parameters)
    known = mechanism.parameters
    try:
        given = {name: np.asarray(value, float) for name, value in parameters.items()}
    except (TypeError, ValueError, OverflowError):
        raise parameter_error(
            mechanism, "parameters", "are not all numbers.", "Give arrays of numbers."
        ) from None
    lengths = {value.shape[0] for value in given.values() if value.ndim == 1}
    if len(lengths) != 1 or 0 in lengths or any(value.ndim > 1 for value in given.values()):
        found = ", ".join(f"{name} {value.shape}" for name, value in given.items())
        raise parameter_error(
            mechanism, "parameters", f"are {found or 'none'}.", "Give arrays of one length."
        )
    if bad := [name for name, value in given.items() if not np.isfinite(value).all()]:
        raise parameter_error(
            mechanism, f"parameter '{bad[0]}'", "is not finite for every design.", "Give numbers."
        )
    count = lengths.pop()
    return {name: np.broadcast_to(given.get(name, np.array(known[name])), count) for name in known}


def require_fitting_units(mechanism: Mechanism, texts: Mapping[str, str]) -> None:
    """Refuse values, given as texts, whose unit does not fit the quantity of their parameter."""
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
    """The error for invalid parameters."""
    return SolveError(f"mechanism '{mechanism.name}'", [Fault("S10", where, what, remedy)])
