"""Conversion of expressions to text, which `parse` converts back."""

from __future__ import annotations

from math import pi

from multiloop.model.expressions.expression import Expression, Scalar, lift
from multiloop.model.expressions.nodes import (
    CamAngle,
    Constant,
    IntegralValue,
    Length,
    LengthRate,
    NormalForce,
    OutputValue,
    Parameter,
    Position,
    Rate,
    Time,
    evaluation_order,
)
from multiloop.model.expressions.tables import Table

ATOM, POWER, SIGN, PRODUCT, SUM = 5, 4, 3, 2, 1
"""Operator precedences as in Python; a larger number binds more strongly."""

BINDING = {"+": SUM, "-": SUM, "*": PRODUCT, "/": PRODUCT, "**": POWER}


def to_text(expression: Expression, longest: int | None = None) -> str:
    """The text of an expression; `parse` returns an equal expression.

    At most `longest` leading characters are returned. Subexpressions are shortened while the text is composed, so that
    an expression in which equal subexpressions occur many times does not produce a huge text.
    """
    texts: list[tuple[str, int]] = []
    for node, places in evaluation_order(expression):
        text, binding = _text(node, [texts[place] for place in places], longest)
        texts.append((text[:longest], binding))
    return texts[-1][0]


def shortened_text(value: Scalar, longest: int = 80) -> str:
    """The text of an expression for messages: in backticks, and shortened to `longest` characters."""
    text = to_text(lift(value), longest + 1)
    return f"`{text}`" if len(text) <= longest else f"`{text[: longest - 1]}…`"


def number_text(value: float) -> str:
    """The shortest text from which a number is read back exactly; integers have no decimal point."""
    if value in (pi, -pi):
        return "pi" if value > 0 else "-pi"
    return repr(value).removesuffix(".0")


def quoted_name(name: str) -> str:
    """A name in double quotes, or in single quotes if it contains a double quote."""
    text = repr(name)
    return f'"{text[1:-1]}"' if text[0] == "'" and '"' not in name else text


def _text(node: Expression, operands: list[tuple[str, int]], longest: int | None) -> tuple[str, int]:
    """The text and precedence of a node, from the texts and precedences of its `operands`."""
    match node:
        case Constant(value):
            return number_text(value), SIGN if value < 0 else ATOM
        case CamAngle():
            return "cam_angle", ATOM
        case Time():
            return "time", ATOM
        case Parameter(name, value):
            return f"parameter({quoted_name(name)}, {number_text(value)})", ATOM
        case Position(joint, component) | Rate(joint, component):
            kind = "position" if isinstance(node, Position) else "rate"
            return f"{kind}({quoted_name(joint)}{f', {component}' if component else ''})", ATOM
        case IntegralValue(integral):
            return f"integral({quoted_name(integral)})", ATOM
        case Length(spring) | LengthRate(spring):
            kind = "length" if isinstance(node, Length) else "length_rate"
            return f"{kind}({quoted_name(spring)})", ATOM
        case NormalForce(pair):
            return f"normal({quoted_name(pair)})", ATOM
        case OutputValue(name):
            return f"output({quoted_name(name)})", ATOM
        case Table():
            return _table_text(node, operands[0][0], longest), ATOM
    if node.operation in BINDING:
        return _operator_text(node.operation, *operands)
    # The parser reads a minus before a number as its sign, so that the negation of a constant is written as a function.
    if node.operation == "negative" and not isinstance(node.operands[0], Constant):
        return f"-{_bracketed(operands[0], SIGN)}", SIGN
    return f"{node.operation}({', '.join(text for text, _ in operands)})", ATOM


def _operator_text(operator: str, left: tuple[str, int], right: tuple[str, int]) -> tuple[str, int]:
    binding = BINDING[operator]
    if operator == "**":  # `**` is right-associative, and its exponent may have a sign
        return f"{_bracketed(left, ATOM)} ** {_bracketed(right, SIGN)}", binding
    return f"{_bracketed(left, binding)} {operator} {_bracketed(right, binding + 1)}", binding


def _bracketed(operand: tuple[str, int], least: int) -> str:
    text, binding = operand
    return text if binding >= least else f"({text})"


def _table_text(table: Table, argument: str, longest: int | None) -> str:
    lists = (f"[{', '.join(map(number_text, numbers[:longest]))}]" for numbers in (table.knots, table.values))
    options = [
        f"of={argument}" if argument != "time" else "",
        f"kind={quoted_name(table.kind)}" if table.kind != "cubic" else "",
        "periodic=True" if table.periodic else "",
        f"derivative={table.derivative}" if table.derivative else "",
    ]
    return f"table({', '.join([*lists, *filter(None, options)])})"
