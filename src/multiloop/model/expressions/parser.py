"""Parser of expressions in a subset of Python's notation, and the pydantic schemas of fields with expressions.

The text is parsed by Python's module `ast`; no code in it is executed.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from math import pi
from typing import Any, NoReturn

from multiloop.model.expressions.expression import Expression, Scalar, is_number, lift
from multiloop.model.expressions.nodes import (
    Binary,
    Constant,
    Parameter,
    Unary,
    cam_angle,
    integral,
    length,
    length_rate,
    normal,
    output,
    position,
    rate,
    require_finite,
    time,
)
from multiloop.model.expressions.operations import OPERATIONS
from multiloop.model.expressions.tables import table
from multiloop.model.expressions.units import convert_units, misplaced_unit, unit_names
from multiloop.model.faults import ModelError, short_repr, suggestion

LONG_LISTS = re.compile(r"""("(?:[^"\\]|\\.)*+"|'(?:[^'\\]|\\.)*+')|\[([-+0-9.eE, \t]{1000,}+)\]""")
"""Pattern of names in quotes, in which lists are not searched, and of lists of numbers with at least 1000
characters."""

NumberLists = dict[int, tuple[float, ...]]
"""Lists of numbers, by the byte offset of their opening bracket (Python's parser counts columns in bytes)."""


def extract_lists(text: str) -> tuple[str, NumberLists]:
    """Remove the numbers in long lists from a text, and return the text and the lists.

    The numbers are replaced by spaces, so that columns are unchanged.
    """
    lists: NumberLists = {}

    def emptied(found: re.Match[str]) -> str:
        numbers = _numbers(found[2]) if found[2] else None
        if numbers is None:
            return found[0]
        start = found.start()
        lists[start if text.isascii() else len(text[:start].encode())] = numbers
        return f"[{' ' * len(found[2])}]"

    return LONG_LISTS.sub(emptied, text), lists


def _numbers(entries: str) -> tuple[float, ...] | None:
    """The numbers in the text of a list; None if one is invalid, which the parser then reports."""
    try:
        return tuple(map(float, entries.rstrip().removesuffix(",").split(",")))
    except ValueError:
        return None


OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**"}

VARIABLES: dict[str, Expression] = {"time": time, "cam_angle": cam_angle}
"""Variables by their names in the text of expressions; other names without arguments are pi and the parameters."""

FOREIGN_NAMES = {
    "min": "minimum",
    "max": "maximum",
    "ln": "log",
    "t": "time",
    "arctan2": "atan2",
    "fabs": "abs",
}
"""Names of functions and variables in other languages, each with the name to be suggested for expressions."""

MAX_LENGTH = 500_000
"""Largest number of characters of an expression, excluding spaces and long lists of numbers."""

MAX_TERMS = 2000
"""Largest number of terms, factors or consecutive signs in an expression; Python's parser accepts more."""

REMEDY = "Use numbers, names, the operators + - * / ** and functions such as sin(…)."


def parse(text: str, parameters: Mapping[str, Parameter] | None = None) -> Expression:
    """The expression given by a text such as `0.2 * sin(3 * time) + parameter("L2", 0.3)`.

    A name in the text is `time`, `cam_angle`, `pi`, or one of `parameters`. A number may have a unit, `30 mm`. For the
    text of an expression, `str(expression)`, the result equals the expression.
    """
    if not isinstance(text, str):
        raise TypeError(
            f"parse reads text, not {type(text).__name__} {short_repr(text)}. Use lift(...) for numbers."
        )
    line = " ".join(text.split("\n")).strip()
    converted, column_of = convert_units(line)
    said, lists = extract_lists(converted)
    source = _Source(line, parameters or {}, lists, converted, column_of)
    if (letters := len(said) - said.count(" ")) > MAX_LENGTH:
        raise ValueError(
            f"cannot read {source}: it has {letters:,} characters outside its lists of numbers, more than the "
            f"{MAX_LENGTH:,} that are allowed. Use a table."
        )
    for name in (*VARIABLES, "pi"):
        if name in source.parameters:
            raise ValueError(f"a parameter is named '{name}', which is a reserved name. Rename it.")
    try:
        return _expression(ast.parse(said, mode="eval").body, source)
    except SyntaxError as error:
        if wrong := misplaced_unit(converted):
            unknown = wrong.startswith("unknown")
            meant = suggestion(wrong.split("`")[1], unit_names()) if unknown else "Give one unit."
            raise ValueError(f"cannot read {source}: {wrong}. {meant}") from None
        column = column_of(error.offset) if error.offset else len(source.text) + 1
        raise ValueError(
            f"cannot read {source} at column {column}: {_sentence(error.msg)} {REMEDY}"
        ) from None
    except (RecursionError, MemoryError):
        raise ValueError(f"cannot read {source}: it is nested too deeply. Use a table.") from None


def _sentence(message: str) -> str:
    """A message of Python's parser with a full stop; its advice on very long integers is replaced by the cause."""
    if "set_int_max_str_digits" in message:
        return "a number has too many digits."
    return message if message.endswith(("?", ".")) else f"{message}."


@dataclass(frozen=True)
class _Source:
    """The text to be parsed, with the parameters that it may name, its long lists, and its form in SI units.

    `column_of` maps columns of the converted text to columns of the original text.
    """

    text: str
    parameters: Mapping[str, Parameter]
    lists: NumberLists
    converted: str
    column_of: Callable[[int], int]

    def __str__(self) -> str:
        return f"`{self.text}`" if len(self.text) <= 80 else f"`{self.text[:79]}…`"

    def fail(self, node: ast.expr, what: str, remedy: str = REMEDY) -> NoReturn:
        """Raise a ValueError that states the error `what`, its column in the text, and the remedy."""
        column = self.column_of(len(self.converted.encode()[: node.col_offset].decode())) + 1
        raise ValueError(f"cannot read {self} at column {column}: {what}. {remedy}".rstrip())


@cache
def _callables() -> dict[str, Callable[..., Any]]:
    """Functions by name that the text of an expression may call in addition to OPERATIONS: `position` and other
    variables, unit conversions, `parameter`, `table` and motion laws."""
    from multiloop.model.expressions.units import deg, mm, rpm
    from multiloop.model.profiles import PROFILES

    read: dict[str, Callable[..., Any]] = {
        "position": position,
        "rate": rate,
        "integral": integral,
        "length": length,
        "length_rate": length_rate,
        "normal": normal,
        "output": output,
        "rpm": rpm,
        "deg": deg,
        "mm": mm,
    }
    return {**read, "parameter": Parameter, "table": table, **PROFILES}


@cache
def _callable_names() -> list[str]:
    return [*(name for name in OPERATIONS if name.isidentifier()), *_callables()]


def _expression(node: ast.expr, source: _Source) -> Expression:
    """Convert a syntax node to an expression; operators and signs are read in a loop to avoid deep recursion."""
    pending: list[
        tuple[str, ast.expr | None]
    ] = []  # operators still to be applied, outermost first, each with its right operand (None for a sign)
    while (found := _operand(node, source)) is None:
        match node:
            case ast.UnaryOp(ast.USub(), operand):
                pending.append(("negative", None))
                node = operand
            case ast.UnaryOp(ast.UAdd(), operand):
                node = operand
            case ast.BinOp(left, operator, right) if type(operator) in OPERATORS:
                pending.append((OPERATORS[type(operator)], right))
                node = left
            case ast.BinOp(op=ast.BitXor()):
                source.fail(node, "`^` is not an operator", "Write powers with **.")
            case _:
                source.fail(node, f"`{ast.unparse(node):.40}` is not allowed in an expression")
        if len(pending) > MAX_TERMS:
            raise RecursionError
    for operation, other in reversed(pending):
        found = (
            Unary(operation, found) if other is None else Binary(operation, found, _expression(other, source))
        )
    return found


def _operand(node: ast.expr, source: _Source) -> Expression | None:
    """Convert a syntax node that is a number, a name or a call to an expression; None for an operator."""
    number = _number(node, source)
    if number is not None:
        return Constant(number)
    match node:
        case ast.Name(name):
            return _resolve_name(node, name, source)
        case ast.Call(ast.Name(name), arguments, keywords):
            return _resolve_call(node, name, arguments, keywords, source)
    return None


def _number(node: ast.expr, source: _Source) -> float | None:
    """The value of a syntax node that is a number or pi, with its sign; None for any other node."""
    match node:
        case ast.UnaryOp(ast.USub(), ast.Constant() | ast.Name("pi") as operand):
            number = _number(operand, source)
            return None if number is None else -number
        case ast.Name("pi"):
            return pi
        case ast.Constant(int() | float() as number) if not isinstance(number, bool):
            try:
                if abs(float(number)) != float("inf"):
                    return number
            except OverflowError:
                pass
            source.fail(node, "the number is too large", "Give a finite number.")
    return None


def _resolve_name(node: ast.expr, name: str, source: _Source) -> Expression:
    if name in VARIABLES:
        return VARIABLES[name]
    if name in source.parameters:
        return lift(source.parameters[name])
    if name in _callable_names():
        source.fail(node, f"`{name}` without its arguments", f"Write {name}(...).")
    source.fail(node, f"unknown name `{name}`", _suggest(name, ["time", "pi", *source.parameters]))


def _suggest(name: str, known: list[str]) -> str:
    return suggestion(FOREIGN_NAMES.get(name, name), known)


def _resolve_call(
    node: ast.expr, name: str, arguments: list[ast.expr], keywords: list[ast.keyword], source: _Source
) -> Expression:
    if name in OPERATIONS:
        operation = OPERATIONS[name]
        if keywords or len(arguments) != operation.arity:
            found = f"{len(arguments)} given" if not keywords else f"{keywords[0].arg}= given"
            plural = "" if operation.arity == 1 else "s"
            source.fail(node, f"`{name}` takes {operation.arity} argument{plural}, {found}", "")
        return operation.node(*(_expression(argument, source) for argument in arguments))
    if name not in _callables():
        source.fail(node, f"unknown function `{name}`", _suggest(name, _callable_names()))
    form = _callables()[name]
    positional = [_argument(argument, source) for argument in arguments]
    options = {}
    for keyword in keywords:
        if keyword.arg is None:
            source.fail(keyword.value, "`**` before an argument")
        options[keyword.arg] = _argument(keyword.value, source)
    try:
        inspect.signature(form).bind(*positional, **options)
    except TypeError as error:
        source.fail(node, f"`{name}`: {error}", f"Use {name}{inspect.signature(form)}.")
    try:
        return lift(form(*positional, **options))
    except ModelError as error:
        source.fail(node, f"`{name}` {error.faults[0].what.rstrip('.')}", "Give a number or an expression.")
    except (TypeError, ValueError) as error:
        source.fail(node, str(error).rstrip("."), "")


def _argument(node: ast.expr, source: _Source) -> Any:
    """Convert the syntax node of an argument to text, a boolean, a number, a tuple of numbers, or an expression."""
    match node:
        case ast.Constant(str() | bool() as value):
            return value
        case ast.List() if node.col_offset in source.lists:
            return source.lists[node.col_offset]
        case ast.List(entries) | ast.Tuple(entries):
            return tuple(_entry(entry, source) for entry in entries)
    number = _number(node, source)
    return _expression(node, source) if number is None else number


def _entry(node: ast.expr, source: _Source) -> float:
    number = _number(node, source)
    if number is None:
        source.fail(node, f"`{ast.unparse(node):.40}` in a list", "Use plain numbers in lists.")
    return number


def expression_schema(kind: type[Expression]) -> Any:
    """The pydantic schema of a field with an expression of type `kind`; numbers become constants."""

    def read(value: Any, info: Any) -> Expression:
        expression = lift(_read(value, info))
        if not isinstance(expression, kind):
            raise ValueError(f"`{expression}` is a {type(expression).__name__}. Give a {kind.__name__}.")
        return expression

    return _schema(read)


def scalar_schema() -> Any:
    """The pydantic schema of a field with a number or an expression; numbers become floats."""
    return _schema(_read)


def _schema(read: Callable[[Any, Any], Scalar]) -> Any:
    from pydantic_core import core_schema

    return core_schema.with_info_plain_validator_function(
        read, serialization=core_schema.plain_serializer_function_ser_schema(_serialise)
    )


def _read(value: Any, info: Any) -> Scalar:
    """The value of a field: a number as a float, text as the parsed expression, an expression unchanged.

    Names of parameters in text are looked up under "parameters" in pydantic's validation context.
    """
    if isinstance(value, Expression):
        return value
    if isinstance(value, str):
        expression = parse(value, (info.context or {}).get("parameters"))
        return expression.value if isinstance(expression, Constant) else expression
    if not is_number(value):
        raise ValueError(
            f"{type(value).__name__} {short_repr(value)} is not a number. Give a number or an expression."
        )
    return require_finite(value, "a number field")


def _serialise(value: Scalar) -> float | str:
    if isinstance(value, Expression):
        return value.value if isinstance(value, Constant) else str(value)
    return float(value)
