"""Schemas by which pydantic reads and writes numbers and expressions: a number, or the text of an expression."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from multiloop.model.brief import brief
from multiloop.model.expressions.expression import Expression, Scalar, is_number, lift
from multiloop.model.expressions.grammar import parse
from multiloop.model.expressions.leaves import Constant, finite


def expression_schema(kind: type[Expression]) -> Any:
    """pydantic's schema of a field that holds an expression of the given type; numbers become constants."""

    def read(value: Any, info: Any) -> Expression:
        expression = lift(_read(value, info))
        if not isinstance(expression, kind):
            raise ValueError(f"`{expression}` is a {type(expression).__name__}. Give a {kind.__name__}.")
        return expression

    return _schema(read)


def scalar_schema() -> Any:
    """pydantic's schema of a field that holds a number or an expression; numbers become floats."""
    return _schema(_read)


def _schema(read: Callable[[Any, Any], Scalar]) -> Any:
    from pydantic_core import core_schema

    return core_schema.with_info_plain_validator_function(
        read, serialization=core_schema.plain_serializer_function_ser_schema(_dumped)
    )


def _read(value: Any, info: Any) -> Scalar:
    """A number as a float, text parsed, an expression unchanged.

    Names in the text are looked up in the "parameters" of the validation context.
    """
    if isinstance(value, Expression):
        return value
    if isinstance(value, str):
        expression = parse(value, (info.context or {}).get("parameters"))
        return expression.value if isinstance(expression, Constant) else expression
    if not is_number(value):
        raise ValueError(
            f"{type(value).__name__} {brief(value)} is no number. Give a number or an expression."
        )
    return finite(value, "a number field")


def _dumped(value: Scalar) -> float | str:
    if isinstance(value, Expression):
        return value.value if isinstance(value, Constant) else str(value)
    return float(value)
