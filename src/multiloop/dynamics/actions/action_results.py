"""Checked results of the methods of an action, which may be user-defined: their types, shapes and numbers are verified.

Every function calls one method of an action and returns its result as CasADi matrices. An invalid result, or an
exception in a user-defined method, raises a ModelError (code M18) that names the load, the method and the expected
result.
"""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import Any, NoReturn

import casadi as ca
import numpy as np

from multiloop.dynamics.actions.action import Action, JointReactions, MarkerWrench
from multiloop.kinematics import Snapshot
from multiloop.kinematics.tree import Skeleton
from multiloop.model import Fault, ModelError, MultiloopError, count_text, short_repr, suggestion
from multiloop.spatial import Matrix

MARKER_WRENCHES = "Return a list with a `MarkerWrench(marker, wrench)` for each marker of the load."
WRENCH = "Return a wrench of 6 numbers [n; f], also in the plane: moment and force in inertial axes."
EFFORTS = "Return a list with one effort, a scalar, for each coordinate of the load."
RATES = "Return a list with the time derivative, a scalar, of each state variable of the load."
ENERGY = "Return the potential energy in J, a scalar."
POWER = "Return the power in W of the forces without a potential, a scalar: 0 if there are none, or if they do no work."
OUTPUTS = "Return a dictionary from names of outputs to scalars or columns of numbers."
UNIT_NAMES = 'Return a dictionary from names of outputs to units, for instance {"force": "N"}.'


def wrenches_of(action: Action, at: Snapshot) -> tuple[MarkerWrench, ...]:
    """The wrenches [n; f] of an action at the markers of its load."""
    found = []
    for one in _entries(action, "wrenches", _result(action, "wrenches", at), MARKER_WRENCHES):
        if not isinstance(one, MarkerWrench):
            _refuse(action, "wrenches", f"{_described(one)} in the list", MARKER_WRENCHES)
        body, _, marker = str(one.marker).partition(".")
        links = at.skeleton.index
        if body not in links or marker not in at.skeleton.body_of(links[body]).markers:
            known = action.load.markers
            remedy = f"{suggestion(str(one.marker), known)} {MARKER_WRENCHES}" if known else MARKER_WRENCHES
            _refuse(action, "wrenches", f"a wrench at '{one.marker}', which is not a marker", remedy)
        found.append(
            MarkerWrench(
                one.marker,
                _column(action, "wrenches", one.wrench, WRENCH, 6, f" as the wrench at '{one.marker}'"),
            )
        )
    return tuple(found)


def efforts_of(action: Action, at: Snapshot) -> tuple[Matrix, ...]:
    """The efforts of an action along the coordinates of its load."""
    return _scalars(action, "efforts", at, EFFORTS, len(action.rates(at.skeleton)), "coordinate")


def state_rates_of(action: Action, at: Snapshot) -> tuple[Matrix, ...]:
    """The time derivatives of the state variables of a load, in the order of its `states`."""
    return _scalars(action, "state_rates", at, RATES, len(action.load.states), "state variable")


def potential_of(action: Action, at: Snapshot) -> Matrix:
    """The potential energy of a load in J."""
    return _column(action, "potential", _result(action, "potential", at), ENERGY, 1)


def power_of(action: Action, at: Snapshot) -> Matrix:
    """The power in W of the forces of a load that have no potential."""
    return _column(action, "power", _result(action, "power", at), POWER, 1)


def outputs_of(action: Action, at: Snapshot) -> dict[str, Matrix]:
    """The outputs of a load that do not depend on reactions, by name."""
    return _named_columns(action, "readouts", _result(action, "readouts", at))


def reaction_outputs_of(action: Action, at: Snapshot, reactions: JointReactions) -> dict[str, Matrix]:
    """The outputs of a load that depend on joint reactions, by name."""
    return _named_columns(action, "reaction_readouts", _result(action, "reaction_readouts", at, reactions))


def units_of(action: Action, skeleton: Skeleton) -> Mapping[str, str]:
    """The units of the outputs of a load, by name of the output."""
    found = _result(action, "units", skeleton)
    if not isinstance(found, Mapping) or not all(
        isinstance(text, str) for pair in found.items() for text in pair
    ):
        _refuse(action, "units", _described(found), UNIT_NAMES)
    units: Mapping[str, str] = found
    return units


def require_named_bodies(action: Action, skeleton: Skeleton, bodies: set[int]) -> None:
    """Raise an error if an action has wrenches on bodies (−1 is the ground) to which no marker or coordinate of the
    load belongs."""
    names = ["ground", *(link.body for link in skeleton.links)]
    unnamed = [f"'{names[body + 1]}'" for body in sorted(bodies - action.links(skeleton))]
    if unnamed:
        remedy = "List all markers of the load in its property `markers`, and all of its coordinates in `coordinates`."
        what = f"acts on {' and '.join(unnamed)}, to which none of its markers or coordinates belongs."
        raise ModelError(f"load '{action.name}'", [_fault(action, what, remedy)])


def _result(action: Action, method: str, *arguments: Any) -> Any:
    """The result of a method of an action; if a user-defined method raises an exception, a ModelError names the load
    and the method."""
    try:
        return getattr(action, method)(*arguments)
    except MultiloopError:
        raise
    except Exception as error:
        if not is_user_defined(action):
            raise
        what = f"the method `{method}` of its action raised {type(error).__name__}: {error}"
        remedy = f"Correct `{type(action).__name__}.{method}`. It is called with CasADi symbols instead of numbers."
        raise ModelError(f"load '{action.name}'", [_fault(action, what, remedy)]) from error


def _scalars(
    action: Action, method: str, at: Snapshot, expected: str, count: int, noun: str
) -> tuple[Matrix, ...]:
    """The result of a method that must return `count` scalars, one for each coordinate or state variable (`noun`).

    `expected` is the text that describes a valid result, the remedy in the error for an invalid one.
    """
    found = _entries(action, method, _result(action, method, at), expected)
    if len(found) != count:
        what = f"{count_text(len(found), 'value')}, but the load has {count_text(count, noun)}"
        _refuse(action, method, what, expected)
    return tuple(_column(action, method, one, expected, 1) for one in found)


def _entries(action: Action, method: str, value: Any, expected: str) -> tuple[Any, ...]:
    """The entries of a list, tuple or array that a method returned; any other value raises an error with the remedy
    `expected`."""
    if isinstance(value, list | tuple) or (isinstance(value, np.ndarray) and value.ndim):
        return tuple(value)
    return _refuse(action, method, _described(value), expected)


def _named_columns(action: Action, method: str, value: Any) -> dict[str, Matrix]:
    """The columns of a dictionary that a method returned, by name; any other value raises an error."""
    if not isinstance(value, Mapping):
        _refuse(action, method, _described(value), OUTPUTS)
    for name in value:
        if not isinstance(name, str):
            _refuse(action, method, f"an output with the name {short_repr(name)}", OUTPUTS)
    return {
        name: _column(action, method, one, OUTPUTS, purpose=f" as the output '{name}'")
        for name, one in value.items()
    }


def _column(
    action: Action, method: str, value: Any, expected: str, rows: int | None = None, purpose: str = ""
) -> Matrix:
    """A number, a sequence of numbers or a matrix as a column matrix; an error with the remedy `expected` is raised
    unless the column has `rows` rows.

    `purpose` states in messages which part of the result the value is.
    """
    column: Matrix | None
    if isinstance(value, ca.SX | ca.DM):
        column = value
    elif isinstance(value, Real | np.bool_):
        column = ca.DM(float(value))
    else:
        try:
            column = ca.vertcat(*value)  # ca.DM would convert symbols to NaN
        except (TypeError, NotImplementedError):
            column = None
    valid = isinstance(column, ca.SX | ca.DM) and column.shape[1] == 1
    if column is None or not valid or rows not in (None, column.shape[0]):
        _refuse(action, method, f"{_described(value)}{purpose}", expected)
    if is_user_defined(action) and contains_nan(column):
        remedy = "Write it with operations of CasADi, for instance ca.cos instead of math.cos."
        _refuse(action, method, f"NaN{purpose}, for every state of the mechanism", remedy)
    return column


def is_user_defined(action: Action) -> bool:
    """Whether the class of an action is defined outside of the library."""
    return type(action).__module__.partition(".")[0] != "multiloop"


def contains_nan(value: Matrix) -> bool:
    """Whether an expression is invalid: it contains the constant NaN, and its value at an arbitrary state is NaN.

    An example is an expression with `math.cos(x)`, which is NaN if x is a symbol. An expression without the constant
    NaN is valid, even if its value is undefined in some states.
    """
    function = ca.Function("value", ca.symvar(ca.SX(value)), [value])
    constants = (k for k in range(function.n_instructions()) if function.instruction_id(k) == ca.OP_CONST)
    if not any(np.isnan(function.instruction_constant(k)) for k in constants):
        return False
    state = np.linspace(0.3, 0.7, function.n_in())
    return bool(np.isnan(ca.DM(function.call([ca.DM(x) for x in state])[0]).full()).any())


def _described(value: Any) -> str:
    """Text for a value in messages: the shape of a matrix, or the representation of another value."""
    if isinstance(value, ca.SX | ca.DM):
        return f"a matrix of shape {value.shape[0]}×{value.shape[1]}"
    return short_repr(value)


def _refuse(action: Action, method: str, what: str, remedy: str) -> NoReturn:
    """Raise the error for an invalid result of a method of an action."""
    text = f"the method `{method}` of its action returns {what}."
    raise ModelError(f"load '{action.name}'", [_fault(action, text, remedy)])


def _fault(action: Action, what: str, remedy: str) -> Fault:
    return Fault("M18", f"load '{action.name}'", what, remedy)
