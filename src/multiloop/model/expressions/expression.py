"""Base class of expressions: arithmetic, comparison, hashing and text of every node."""

from __future__ import annotations

from dataclasses import dataclass, fields
from math import isfinite, nan
from numbers import Real
from typing import Annotated, Any, TypeAlias, TypeVar, dataclass_transform


class Expression:
    """A scalar expression as an immutable tree of operations.

    `==` compares trees; `str` returns text that `parse` reads back. Arithmetic does not simplify, except that the
    negative of a constant is a constant.
    """

    __slots__ = ("_hash",)  # the hash is cached, since expressions are used as dictionary keys
    _hash: int

    @property
    def operands(self) -> tuple[Expression, ...]:
        """The operands of the operation at the root of this expression; empty for a leaf."""
        return ()

    @property
    def operation(self) -> str:
        """The name in OPERATIONS of the operation applied to the operands; empty for a leaf and for a table."""
        return ""

    def __add__(self, other: Scalar) -> Expression:
        return _binary_node("+", self, other)

    def __radd__(self, other: Scalar) -> Expression:
        return _binary_node("+", other, self)

    def __sub__(self, other: Scalar) -> Expression:
        return _binary_node("-", self, other)

    def __rsub__(self, other: Scalar) -> Expression:
        return _binary_node("-", other, self)

    def __mul__(self, other: Scalar) -> Expression:
        return _binary_node("*", self, other)

    def __rmul__(self, other: Scalar) -> Expression:
        return _binary_node("*", other, self)

    def __truediv__(self, other: Scalar) -> Expression:
        return _binary_node("/", self, other)

    def __rtruediv__(self, other: Scalar) -> Expression:
        return _binary_node("/", other, self)

    def __pow__(self, other: Scalar) -> Expression:
        return _binary_node("**", self, other)

    def __rpow__(self, other: Scalar) -> Expression:
        return _binary_node("**", other, self)

    def __neg__(self) -> Expression:
        from multiloop.model.expressions.nodes import Unary

        return Unary("negative", self)

    def __pos__(self) -> Expression:
        return self

    def __abs__(self) -> Expression:
        from multiloop.model.expressions.nodes import Unary

        return Unary("abs", self)

    def __float__(self) -> float:
        from multiloop.model.expressions.expression_text import shortened_text

        raise TypeError(
            f"{shortened_text(self)} is an expression, not a number yet. In place of math.sin(...) and the like write "
            "ml.expr.sin(...)."
        )

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        """Apply a NumPy function to an expression: `np.sin(time)` returns the expression `sin(time)`.

        NumPy also calls this method for operators with a NumPy number on the left.
        """
        from multiloop.model.expressions.operations import from_numpy_ufunc

        return from_numpy_ufunc(ufunc, method, inputs, options)

    def __str__(self) -> str:
        from multiloop.model.expressions.expression_text import to_text

        return to_text(self)

    def __repr__(self) -> str:
        return str(self)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        from multiloop.model.expressions.parser import expression_schema

        return expression_schema(cls)

    @classmethod
    def __get_pydantic_json_schema__(cls, core: Any, handler: Any) -> dict[str, Any]:
        return {"anyOf": [{"type": "number"}, {"type": "string"}]}


Node = TypeVar("Node", bound=Expression)


@dataclass_transform(frozen_default=True)
def node(kind: type[Node]) -> type[Node]:
    """Decorate a subclass of Expression as an immutable dataclass that prints as text and caches its hash."""
    kind.__hash__ = _hash  # type: ignore[method-assign, assignment]
    kind.__eq__ = _equal  # type: ignore[method-assign, assignment]
    return dataclass(frozen=True, slots=True, repr=False)(kind)


def _own_values(expression: Expression) -> tuple[Any, ...]:
    """The values of the fields of a node that are not operands."""
    entries = (getattr(expression, entry.name) for entry in fields(expression))  # type: ignore[arg-type]
    return tuple(entry for entry in entries if not isinstance(entry, Expression))


def _hash(expression: Expression) -> int:
    try:
        return expression._hash
    except AttributeError:
        value = hash((type(expression), _own_values(expression), expression.operands))
        object.__setattr__(expression, "_hash", value)
        return value


def _equal(left: Expression, right: object) -> bool | Any:
    """Whether two expression trees are equal; without recursion, since sums may have hundreds of terms."""
    if not isinstance(right, Expression):
        return NotImplemented
    seen: set[tuple[int, int]] = set()
    waiting = [(left, right)]
    while waiting:
        a, b = waiting.pop()
        if a is b or (id(a), id(b)) in seen:
            continue
        if type(a) is not type(b) or hash(a) != hash(b) or _own_values(a) != _own_values(b):
            return False
        seen.add((id(a), id(b)))
        waiting += zip(a.operands, b.operands, strict=True)
    return True


class _ScalarSchema:
    """The pydantic schema of a Scalar: a number becomes a float, and a text the expression that it describes."""

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        from multiloop.model.expressions.parser import scalar_schema

        return scalar_schema()

    def __get_pydantic_json_schema__(self, core: Any, handler: Any) -> dict[str, Any]:
        return {"anyOf": [{"type": "number"}, {"type": "string"}]}


Scalar: TypeAlias = Annotated[float | int | Expression, _ScalarSchema()]
"""A number or an expression."""


def is_number(value: object) -> bool:
    """Whether a value is a real number; booleans are not."""
    return isinstance(value, Real) and not isinstance(value, bool)


def finite_number(value: object) -> float | None:
    """The value as a float; None if it is not a real number, not finite, or too large for a float."""
    try:
        number = float(value) if is_number(value) else nan  # type: ignore[arg-type]
    except OverflowError:
        return None
    return number if isfinite(number) else None


def lift(value: Scalar) -> Expression:
    """The value as an expression: a number becomes a constant, an expression is returned unchanged."""
    if isinstance(value, Expression):
        return value
    from multiloop.model.expressions.nodes import Constant

    return Constant(value)


def _binary_node(operator: str, left: Scalar, right: Scalar) -> Expression | Any:
    from multiloop.model.expressions.nodes import Binary

    if all(isinstance(side, Expression) or is_number(side) for side in (left, right)):
        return Binary(operator, lift(left), lift(right))
    return NotImplemented  # Python then raises a TypeError that names both types
