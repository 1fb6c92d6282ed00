"""Registry of the operations of expressions, with their numerical value, symbolic value and partial derivatives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, overload

import numpy as np

from multiloop.model.expressions.expression import Expression, Scalar, lift
from multiloop.model.expressions.nodes import Binary, Unary, require_finite

OPERATIONS: dict[str, Operation] = {}
"""Every operation by its name, filled by `define_operation`."""


@dataclass(frozen=True)
class Operation:
    """One operation of expressions, such as `sin`. A call returns a number if all arguments are numbers, else an
    expression.

    `numeric` is the function for NumPy arrays, `traced` the function for CasADi matrices. `partials` contains, for each
    argument, a function of all arguments that returns the partial derivative with respect to this argument. `node`
    builds the expression.
    """

    name: str
    numeric: Callable[..., Any]
    traced: Callable[..., Any]
    partials: tuple[Callable[..., Scalar], ...]
    node: Callable[..., Expression]
    has_own_node: bool

    @property
    def arity(self) -> int:
        """Number of arguments of the operation."""
        return len(self.partials)

    @overload
    def __call__(self, *arguments: float) -> float: ...  # type: ignore[overload-overlap]
    @overload
    def __call__(self, *arguments: Scalar) -> Expression: ...
    def __call__(self, *arguments: Scalar) -> Expression | float:
        if len(arguments) != self.arity:
            plural = "" if self.arity == 1 else "s"
            raise TypeError(f"{self.name} takes {self.arity} argument{plural}, {len(arguments)} given.")
        if any(isinstance(argument, Expression) for argument in arguments):
            return self.node(*map(lift, arguments))
        return self.value_at(*(require_finite(argument, self.name) for argument in arguments))

    def value_at(self, *numbers: float) -> float:
        """The value of the operation for numbers; raises a ValueError if it is not finite."""
        with np.errstate(all="ignore"):
            value = float(self.numeric(*numbers))
        if not np.isfinite(value):
            shown = ", ".join(f"{number:.15g}" for number in numbers)
            raise ValueError(f"{self.name} has no finite value at {shown}.")
        return value


def define_operation(
    name: str,
    numeric: Callable[..., Any],
    traced: Callable[..., Any] | str,
    *partials: Callable[..., Scalar],
    node: Callable[..., Expression] | None = None,
) -> Operation:
    """Register the operation `name`; the other arguments are the fields of the `Operation`.

    If `traced` is text, it names a CasADi function. Without `node`, the operation builds a Unary or Binary node,
    depending on the number of its `partials`.
    """
    general = Unary if len(partials) == 1 else Binary
    operation = Operation(
        name,
        numeric,
        partial(_call_casadi, traced) if isinstance(traced, str) else traced,
        partials,
        node or partial(general, name),
        has_own_node=node is not None,
    )
    OPERATIONS[name] = operation
    return operation


def generic_operation_names(arity: int) -> list[str]:
    """Names of the operations that Unary (`arity` 1) or Binary (`arity` 2) nodes can have."""
    return [name for name, entry in OPERATIONS.items() if entry.arity == arity and not entry.has_own_node]


def from_numpy_ufunc(ufunc: Any, method: str, inputs: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """Apply the operation that corresponds to a NumPy function; raises a TypeError if there is no such operation.

    The arguments are those that NumPy passes to `__array_ufunc__`.
    """
    if ufunc in (np.equal, np.not_equal):  # an expression never equals a NumPy number
        return ufunc is np.not_equal
    how = "" if method == "__call__" else f".{method}"
    asked = " with ".join([f"np.{ufunc.__name__}{how}", *(f"{option}=" for option in options)])
    if any(np.ndim(value) for value in inputs):
        raise TypeError(
            f"{asked} cannot combine an array and an expression. Write one expression for each number."
        )
    operation = next((entry for entry in OPERATIONS.values() if entry.numeric is ufunc), None)
    if operation is None or method != "__call__" or options:
        known = ", ".join(name for name in OPERATIONS if name.isidentifier())
        raise TypeError(f"{asked} cannot be applied to an expression. Use {known}, or + - * / **.")
    return operation(*inputs)


def _call_casadi(name: str, *arguments: Any) -> Any:
    import casadi

    return getattr(casadi, name)(*arguments)
