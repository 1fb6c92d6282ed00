"""Parser of expressions: reads a subset of Python's notation; no code is executed."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from math import pi
from typing import Any, NoReturn

from multiloop.model.brief import brief
from multiloop.model.expressions.branches import Binary, Unary
from multiloop.model.expressions.expression import Expression, lift
from multiloop.model.expressions.leaves import (
    Constant,
    Parameter,
    cam_angle,
    integral,
    length,
    length_rate,
    normal,
    position,
    rate,
    time,
)
from multiloop.model.expressions.number_lists import Lists, without_lists
from multiloop.model.expressions.registry import OPERATIONS
from multiloop.model.expressions.tables import table
from multiloop.model.expressions.unit_literals import convert_units, misplaced_unit, unit_names
from multiloop.model.faults import ModelError, suggestion

OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**"}

VARIABLES: dict[str, Expression] = {"time": time, "cam_angle": cam_angle}
"""Names without arguments, in addition to pi and parameters."""

ELSEWHERE = {"min": "minimum", "max": "maximum", "ln": "log", "t": "time", "arctan2": "atan2", "fabs": "abs"}
"""Names of other languages, with the names used here."""

LONGEST = 500_000
"""Largest number of characters of an expression, long lists excluded; longer ones should be tables."""

MOST_TERMS = 2000
"""Largest number of terms, factors or consecutive signs; well within the limits of Python's parser."""

REMEDY = "Use numbers, names, + - * / ** and the functions of the language."


def parse(text: str, parameters: Mapping[str, Parameter] | None = None) -> Expression:
    """The expression given by a text such as `0.2 * sin(3 * time) + parameter("L2", 0.3)`.

    A name is the time, the cam angle, pi, or one of `parameters`. A number may have a unit, `30 mm`. The text of every
    expression is read back as an equal expression.
    """
    if not isinstance(text, str):
        raise TypeError(
            f"parse reads text, not {type(text).__name__} {brief(text)}. Use lift(...) for numbers."
        )
    line = " ".join(text.split("\n")).strip()
    converted, column_of = convert_units(line)
    said, lists = without_lists(converted)
    source = _Source(line, parameters or {}, lists, converted, column_of)
    if (letters := len(said) - said.count(" ")) > LONGEST:
        raise ValueError(
            f"cannot read {source}: it has {letters:,} letters beside its lists of numbers. Use a table."
        )
    for name in (*VARIABLES, "pi"):
        if name in source.parameters:
            raise ValueError(f"a parameter is called '{name}', which already means {name}. Rename it.")
    try:
        return _expression(ast.parse(said, mode="eval").body, source)
    except SyntaxError as error:
        if wrong := misplaced_unit(converted):
            unknown = wrong.startswith("unknown")
            meant = suggestion(wrong.split("`")[1], unit_names()) if unknown else "Give one unit."
            raise ValueError(f"cannot read {source}: {wrong}. {meant}") from None
        column = column_of(error.offset) if error.offset else len(source.text) + 1
        raise ValueError(f"cannot read {source} at column {column}: {error.msg}. {REMEDY}") from None
    except (RecursionError, MemoryError):
        raise ValueError(f"cannot read {source}: it is nested too deeply. Use a table.") from None


@dataclass(frozen=True)
class _Source:
    """The text to be parsed, the parameters it may name, its long lists, and the text converted to SI units."""

    text: str
    parameters: Mapping[str, Parameter]
    lists: Lists
    converted: str
    column_of: Callable[[int], int]

    def __str__(self) -> str:
        return f"`{self.text}`" if len(self.text) <= 80 else f"`{self.text[:79]}…`"

    def fail(self, node: ast.expr, what: str, remedy: str = REMEDY) -> NoReturn:
        """Raise ValueError with the error and the column of the text."""
        column = self.column_of(len(self.converted.encode()[: node.col_offset].decode())) + 1
        raise ValueError(f"cannot read {self} at column {column}: {what}. {remedy}".rstrip())


@cache
def _forms() -> dict[str, Callable[..., Any]]:
    """Functions other than the registered operations; they take names, lists and options, or convert units."""
    from multiloop.model.profiles import PROFILES
    from multiloop.model.units import deg, mm, rpm

    read: dict[str, Callable[..., Any]] = {
        "position": position,
        "rate": rate,
        "integral": integral,
        "length": length,
        "length_rate": length_rate,
        "normal": normal,
        "rpm": rpm,
        "deg": deg,
        "mm": mm,
    }
    return {**read, "parameter": Parameter, "table": table, **PROFILES}


@cache
def _callable_names() -> list[str]:
    return [*(name for name in OPERATIONS if name.isidentifier()), *_forms()]


def _expression(node: ast.expr, source: _Source) -> Expression:
    """The expression of a syntax node; sums, products and signs are read in a loop to avoid deep recursion."""
    pending: list[
        tuple[str, ast.expr | None]
    ] = []  # operators around the next operand, with their right operands
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
                source.fail(node, "`^` is no operator", "Powers are written with **.")
            case _:
                source.fail(node, f"`{ast.unparse(node):.40}` is not part of the language")
        if len(pending) > MOST_TERMS:
            raise RecursionError
    for operation, other in reversed(pending):
        found = (
            Unary(operation, found) if other is None else Binary(operation, found, _expression(other, source))
        )
    return found


def _operand(node: ast.expr, source: _Source) -> Expression | None:
    """The expression of a number, a name or a call; None for an operator."""
    number = _number(node, source)
    if number is not None:
        return Constant(number)
    match node:
        case ast.Name(name):
            return _named(node, name, source)
        case ast.Call(ast.Name(name), arguments, keywords):
            return _called(node, name, arguments, keywords, source)
    return None


def _number(node: ast.expr, source: _Source) -> float | None:
    """The number of a literal, with its sign; None for anything else."""
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
            source.fail(node, "a number too large to hold", "Give a finite number.")
    return None


def _named(node: ast.expr, name: str, source: _Source) -> Expression:
    if name in VARIABLES:
        return VARIABLES[name]
    if name in source.parameters:
        return lift(source.parameters[name])
    if name in _callable_names():
        source.fail(node, f"`{name}` without its arguments", f"Write {name}(...).")
    source.fail(node, f"unknown name `{name}`", _meant(name, ["time", "pi", *source.parameters]))


def _meant(name: str, known: list[str]) -> str:
    return suggestion(ELSEWHERE.get(name, name), known)


def _called(
    node: ast.expr, name: str, arguments: list[ast.expr], keywords: list[ast.keyword], source: _Source
) -> Expression:
    if name in OPERATIONS:
        operation = OPERATIONS[name]
        if keywords or len(arguments) != operation.arity:
            found = f"{len(arguments)} given" if not keywords else f"{keywords[0].arg}= given"
            plural = "" if operation.arity == 1 else "s"
            source.fail(node, f"`{name}` takes {operation.arity} argument{plural}, {found}", "")
        return operation.node(*(_expression(argument, source) for argument in arguments))
    if name not in _forms():
        source.fail(node, f"unknown function `{name}`", _meant(name, _callable_names()))
    form = _forms()[name]
    positional = [_argument(argument, source) for argument in arguments]
    options = {}
    for keyword in keywords:
        if keyword.arg is None:
            source.fail(keyword.value, "`**` before an argument")
        options[keyword.arg] = _argument(keyword.value, source)
    try:
        inspect.signature(form).bind(*positional, **options)
    except TypeError as error:
        source.fail(node, f"`{name}` with {error}", f"It is {name}{inspect.signature(form)}.")
    try:
        return lift(form(*positional, **options))
    except ModelError as error:
        source.fail(node, f"`{name}` {error.faults[0].what.rstrip('.')}", "Give a number or an expression.")
    except (TypeError, ValueError) as error:
        source.fail(node, str(error).rstrip("."), "")


def _argument(node: ast.expr, source: _Source) -> Any:
    """An argument of a function: text, a boolean, a list of numbers, a number, or an expression."""
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
        source.fail(node, f"`{ast.unparse(node):.40}` in a list", "Lists hold plain numbers.")
    return number
