"""How an expression is written, in the text that `parse` reads back."""

from __future__ import annotations

from math import pi

from multiloop.model.expressions.dependence import steps
from multiloop.model.expressions.expression import Expression, Scalar, lift
from multiloop.model.expressions.leaves import (
    CamAngle,
    Constant,
    Integrated,
    Length,
    LengthRate,
    Normal,
    Parameter,
    Position,
    Rate,
    Time,
)
from multiloop.model.expressions.tables import Table

ATOM, POWER, SIGN, PRODUCT, SUM = 5, 4, 3, 2, 1
"""How tightly each form binds, as in Python."""

BINDING = {"+": SUM, "-": SUM, "*": PRODUCT, "/": PRODUCT, "**": POWER}


def written(expression: Expression, longest: int | None = None) -> str:
    """The text of an expression; `parse` gives back an equal one.

    With `longest` it is no more than the first so many letters: parts that are shared many times over are cut on the
    way up, where their own beginnings are all that can still be seen.
    """
    texts: list[tuple[str, int]] = []
    for node, places in steps(expression):
        text, binding = _text(node, [texts[place] for place in places], longest)
        texts.append((text[:longest], binding))
    return texts[-1][0]


def shown(value: Scalar, longest: int = 80) -> str:
    """The text of an expression for a message: in backticks, and cut when long."""
    text = written(lift(value), longest + 1)
    return f"`{text}`" if len(text) <= longest else f"`{text[: longest - 1]}…`"


def number_text(value: float) -> str:
    """The shortest text of a number that reads back exactly; whole numbers without the point."""
    if value in (pi, -pi):
        return "pi" if value > 0 else "-pi"
    return repr(value).removesuffix(".0")


def quoted(name: str) -> str:
    """A name in double quotes wherever that needs no escape."""
    text = repr(name)
    return f'"{text[1:-1]}"' if text[0] == "'" and '"' not in name else text


def _text(node: Expression, operands: list[tuple[str, int]], longest: int | None) -> tuple[str, int]:
    """The text of a node and how tightly it binds, given those of its operands."""
    match node:
        case Constant(value):
            return number_text(value), SIGN if value < 0 else ATOM
        case CamAngle():
            return "cam_angle", ATOM
        case Time():
            return "time", ATOM
        case Parameter(name, value):
            return f"parameter({quoted(name)}, {number_text(value)})", ATOM
        case Position(joint, component) | Rate(joint, component):
            kind = "position" if isinstance(node, Position) else "rate"
            return f"{kind}({quoted(joint)}{f', {component}' if component else ''})", ATOM
        case Integrated(integral):
            return f"integral({quoted(integral)})", ATOM
        case Length(spring) | LengthRate(spring):
            kind = "length" if isinstance(node, Length) else "length_rate"
            return f"{kind}({quoted(spring)})", ATOM
        case Normal(pair):
            return f"normal({quoted(pair)})", ATOM
        case Table():
            return _table_text(node, operands[0][0], longest), ATOM
    if node.operation in BINDING:
        return _operator_text(node.operation, *operands)
    # Minus before a bare number is that number's sign, so the minus of a constant is spelled out.
    if node.operation == "negative" and not isinstance(node.operands[0], Constant):
        return f"-{_bracketed(operands[0], SIGN)}", SIGN
    return f"{node.operation}({', '.join(text for text, _ in operands)})", ATOM


def _operator_text(operator: str, left: tuple[str, int], right: tuple[str, int]) -> tuple[str, int]:
    binding = BINDING[operator]
    if operator == "**":  # binds to the right, and lets a sign stand in the exponent
        return f"{_bracketed(left, ATOM)} ** {_bracketed(right, SIGN)}", binding
    return f"{_bracketed(left, binding)} {operator} {_bracketed(right, binding + 1)}", binding


def _bracketed(operand: tuple[str, int], least: int) -> str:
    text, binding = operand
    return text if binding >= least else f"({text})"


def _table_text(table: Table, argument: str, longest: int | None) -> str:
    lists = (f"[{', '.join(map(number_text, numbers[:longest]))}]" for numbers in (table.knots, table.values))
    options = [
        f"of={argument}" if argument != "time" else "",
        f"kind={quoted(table.kind)}" if table.kind != "cubic" else "",
        "periodic=True" if table.periodic else "",
        f"derivative={table.derivative}" if table.derivative else "",
    ]
    return f"table({', '.join([*lists, *filter(None, options)])})"
