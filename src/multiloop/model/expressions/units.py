"""Units of measurement by physical quantity, and numbers with their unit in a text: `30 mm`, `45 rpm * time`.

Internally all numbers are in SI units and radians; other units occur only in input and output. `rpm`, `deg` and `mm`
convert numbers and expressions.

An expression contains numbers in SI units without their units. Dimensions are therefore derived from its text before
this is parsed, so that two mistakes are reported: `1/4 in` for a length (it is an inverse length), and `100 + 20 mm`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import product
from math import pi
from typing import Any

import numpy as np

from multiloop.model.expressions.expression import Expression, finite_number
from multiloop.model.faults import Fault, ModelError, short_repr

QUOTED = r"""("(?:[^"\\]|\\.)*+"|'(?:[^'\\]|\\.)*+')"""
"""Pattern of a name in quotes, in which units are not converted."""

NUMBER = r"(?<![\w.])((?:\d++\.?+\d*+|\.\d++)(?:[eE][+-]?\d++)?+)"
"""Pattern of a number without sign. Its possessive quantifiers keep the time for long digit sequences proportional to
their length."""

MAX_LENGTH = 2000
"""Largest number of characters of a text whose physical dimension is derived; longer texts are tables or generated."""

NO_DIMENSION: Dimension = (0, 0, 0)

DIMENSIONS_OF_CALLS = {"mm": "length", "deg": "angle", "rpm": "angular speed"}
"""Physical quantities of the results of the functions that convert units."""

DIMENSION_PRESERVING = (
    *("abs", "minimum", "maximum", "clip"),
    *("cycloidal", "modified_sine", "polynomial_345", "polynomial_4567", "trapezoidal"),
)
"""Functions whose result has the same physical dimension as their arguments."""

UNITLESS = "a number without a unit"


class MixedUnitsError(ValueError):
    """Error: an expression adds or compares numbers with different physical dimensions."""


def convert_units(text: str) -> tuple[str, Callable[[int], int]]:
    """The text with each number that has a unit replaced by its value in SI units.

    The second return value is a function that maps a column of the new text to the column of the given text.
    """
    shifts: list[tuple[int, int]] = []  # end of a replacement in the new text, total increase in length
    longer = 0

    def converted(found: re.Match[str]) -> str:
        nonlocal longer
        unit = None if found[1] else find_unit(found[3])
        if unit is None:
            return found[0]
        written = repr(to_si(float(found[2]), *unit))
        longer += len(written) - len(found[0])
        shifts.append((found.end() + longer, longer))
        return written

    new = _literal_pattern().sub(converted, text)

    def column(k: int) -> int:
        return k - next((by for end, by in reversed(shifts) if end <= k), 0)

    return new, column


def number_with_unit(text: str) -> float | None:
    """Value in SI units of a text that consists of a number and its unit; None for any other text."""
    found = re.fullmatch(rf"\s*([-+]?)\s*{NUMBER}\s*(\S.*?)\s*", text)
    unit = find_unit(found[3]) if found else None
    if not found or unit is None:
        return None
    return to_si(float(found[1] + found[2]), *unit)


def misplaced_unit(text: str) -> str:
    """Error text for the first word that directly follows a number; empty if no word follows a number.

    The units in `text` must already be converted to SI: a word after a number is then an unknown or a second unit.
    """
    found = re.search(rf"{NUMBER}\s*+([A-Za-z°µ]\w{{0,19}})", re.sub(QUOTED, "", text))
    if not found:
        return ""
    return (
        f"the unit `{found[2]}` follows another unit" if find_unit(found[2]) else f"unknown unit `{found[2]}`"
    )


def unit_names() -> list[str]:
    """All units in their standard spelling, and spellings of the degree sign as words."""
    return [*(unit for units in UNITS.values() for unit in units), "deg", "degrees", "deg/s"]


def dimension_of(text: str) -> Dimension | None:
    """Physical dimension of an expression, from the units in its text; None if the text has no unit or the dimension is
    unknown.

    Raises MixedUnitsError for a sum of numbers of different dimensions, or of numbers with and without a unit.
    """
    if len(text) > MAX_LENGTH:
        return None
    units: dict[str, Dimension] = {}

    def named(found: re.Match[str]) -> str:
        unit = None if found[1] else find_unit(found[3])
        if unit is None:
            return found[0]
        name = f"_unit_{len(units)}"
        units[name] = DIMENSIONS[unit[0]]
        return f" {name} "

    try:
        tree = ast.parse(_literal_pattern().sub(named, " ".join(text.split("\n"))).strip(), mode="eval")
    except (SyntaxError, RecursionError, MemoryError, ValueError):
        return None  # the parser reports the error
    found = _dimension(tree.body, units) if units else None
    return found if isinstance(found, tuple) else None


def dimension_with(text: str, parameter: str, dimension: Dimension) -> Dimension | None:
    """Physical dimension of an expression without units in its text, given the dimension of one of its parameters.

    None if the dimension is unknown, since a number in a product may have a unit that is not written. All terms of a
    sum have the same dimension, so that one known term suffices. Raises MixedUnitsError if two terms have different
    known dimensions.
    """
    if len(text) > MAX_LENGTH:
        return None
    try:
        tree = ast.parse(" ".join(text.split("\n")).strip(), mode="eval")
        return _with_parameter(tree.body, parameter, dimension)
    except (SyntaxError, RecursionError, MemoryError):
        return None


def _with_parameter(node: ast.expr, parameter: str, dimension: Dimension) -> Dimension | None:
    """Physical dimension of one syntax node if the `parameter` has the given `dimension`; None if it is unknown."""

    def known(parts: list[ast.expr]) -> list[Dimension]:
        found = (_with_parameter(part, parameter, dimension) for part in parts)
        return [one for one in found if one is not None]

    match node:
        case ast.Call(ast.Name("parameter"), [ast.Constant(name), *_]):
            return dimension if name == parameter else None
        case ast.Name("time"):
            return DIMENSIONS["time"]
        case ast.UnaryOp(_, operand):
            return _with_parameter(operand, parameter, dimension)
        case ast.BinOp(left, ast.Mult() | ast.Div() as operator, right):
            factors, sign = known([left, right]), 1 if isinstance(operator, ast.Mult) else -1
            if len(factors) < 2:
                return None
            (a, b, c), (d, e, f) = factors
            return (a + sign * d, b + sign * e, c + sign * f)
        case ast.BinOp(base, ast.Pow(), ast.Constant(int() as power)):
            return next(((power * a, power * b, power * c) for a, b, c in known([base])), None)
        case ast.BinOp(left, ast.Add() | ast.Sub(), right):
            terms = [left, right]
        case ast.Call(ast.Name(function), arguments) if function in DIMENSION_PRESERVING:
            terms = arguments
        case _:
            return None
    alike = set(known(terms))
    if len(alike) > 1:
        raise MixedUnitsError("is combined with a number of another physical quantity")
    return next(iter(alike), None)


def _dimension(node: ast.expr, units: Mapping[str, Dimension]) -> Dimension | str | None:
    """Physical dimension of one syntax node; UNITLESS for numbers without a unit, None if it is unknown.

    `units` maps the names that replace the units in the parsed text to their dimensions.
    """
    match node:
        case ast.Constant(int() | float()) | ast.Name("pi"):
            return UNITLESS
        case ast.Name("time"):
            return DIMENSIONS["time"]
        case ast.Name(name):
            return units.get(name)
        case ast.UnaryOp(_, operand):
            return _dimension(operand, units)
        case ast.BinOp(left, ast.Add() | ast.Sub(), right):
            return _dimension_of_terms([left, right], units)
        case ast.BinOp(left, ast.Mult() | ast.Div() as operator, right):
            return _dimension_of_product(left, 1 if isinstance(operator, ast.Mult) else -1, right, units)
        case ast.BinOp(base, ast.Pow(), ast.Constant(int() as power)):
            found = _dimension(base, units)
            return (
                (power * found[0], power * found[1], power * found[2]) if isinstance(found, tuple) else found
            )
        case ast.Call(ast.Name("parameter"), [_, value, *_]):
            return _dimension(value, units) if _has_unit(value, units) else None
        case ast.Call(ast.Name("constant_speed"), [speed, *_]) if _has_unit(speed, units):
            return _dimension_of_product(speed, 1, ast.Name("time"), units)
        case ast.Call(ast.Name(name)) if name in DIMENSIONS_OF_CALLS:
            return DIMENSIONS[DIMENSIONS_OF_CALLS[name]]
        case ast.Call(ast.Name(name), arguments) if name in DIMENSION_PRESERVING:
            return _dimension_of_terms(arguments, units)
    return None


def _dimension_of_terms(parts: list[ast.expr], units: Mapping[str, Dimension]) -> Dimension | str | None:
    """Common physical dimension of several terms; raises MixedUnitsError if they differ. Zero has any dimension.

    `units` maps the names that replace the units in the parsed text to their dimensions.
    """
    found = {_dimension(part, units) for part in parts if not _is_zero(part)}
    if None in found or not found:
        return None if found else UNITLESS
    if len(found) == 1 or found == {UNITLESS, NO_DIMENSION}:
        return next((one for one in found if one != UNITLESS), UNITLESS)
    what = (
        "numbers with and without a unit" if UNITLESS in found else "numbers of different physical quantities"
    )
    raise MixedUnitsError(f"combines {what}")


def _dimension_of_product(
    left: ast.expr, sign: int, right: ast.expr, units: Mapping[str, Dimension]
) -> Dimension | str | None:
    """Physical dimension of a product (`sign` 1) or quotient (`sign` −1).

    A number without a unit is a dimensionless factor of a quantity with a unit. A number without a unit times the time
    may be a rate in SI units, so that the dimension of the product is unknown.
    """
    one, other = _dimension(left, units), _dimension(right, units)
    if one is None or other is None:
        return None
    if UNITLESS in (one, other):
        if one == other:
            return UNITLESS
        if not _has_unit(right if one == UNITLESS else left, units):
            return None
    a = NO_DIMENSION if isinstance(one, str) else one
    b = NO_DIMENSION if isinstance(other, str) else other
    return (a[0] + sign * b[0], a[1] + sign * b[1], a[2] + sign * b[2])


def _has_unit(node: ast.expr, units: Mapping[str, Dimension]) -> bool:
    return any(isinstance(part, ast.Name) and part.id in units for part in ast.walk(node))


def _is_zero(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == 0


@cache
def _literal_pattern() -> re.Pattern[str]:
    """Pattern of a quoted name, or of a number with its unit; longer units first, so that `N/mm` is not read as `N`."""
    spellings = sorted({_with_spaces(spelling) for spelling in known_units()}, key=len, reverse=True)
    return re.compile(rf"{QUOTED}|{NUMBER}\s*+({'|'.join(spellings)})(?![\w(°²³⁴^])")


def _with_spaces(spelling: str) -> str:
    """The regular expression for one spelling of a unit; a product may also be written with a space."""
    return re.escape(spelling).replace("·", "[ ·]")


TURN = 2 * pi

UNITS: dict[str, dict[str, float]] = {
    "time": {"s": 1.0, "ms": 1e-3, "min": 60.0},
    "angle": {"°": TURN / 360, "rad": 1.0, "rev": TURN},
    "length": {"m": 1.0, "cm": 1e-2, "mm": 1e-3, "µm": 1e-6, "in": 0.0254},
    "area": {"m²": 1.0, "cm²": 1e-4, "mm²": 1e-6},
    "second moment of area": {"m⁴": 1.0, "cm⁴": 1e-8, "mm⁴": 1e-12},
    "angular speed": {"rad/s": 1.0, "°/s": TURN / 360, "rpm": TURN / 60, "rev/s": TURN},
    "speed": {"m/s": 1.0, "mm/s": 1e-3, "m/min": 1 / 60, "km/h": 1 / 3.6},
    "angular acceleration": {"rad/s²": 1.0, "°/s²": TURN / 360},
    "acceleration": {"m/s²": 1.0, "mm/s²": 1e-3},
    "force": {"N": 1.0, "kN": 1e3, "MN": 1e6, "mN": 1e-3},
    "moment": {"N·m": 1.0, "kN·m": 1e3, "N·mm": 1e-3, "N·cm": 1e-2},
    "stress": {"MPa": 1e6, "Pa": 1.0, "kPa": 1e3, "GPa": 1e9, "N/mm²": 1e6},
    "energy": {"J": 1.0, "kJ": 1e3, "mJ": 1e-3},
    "power": {"W": 1.0, "kW": 1e3, "mW": 1e-3},
    "mass": {"kg": 1.0, "g": 1e-3},
    "density": {"kg/m³": 1.0, "g/cm³": 1e3},
    "moment of inertia": {"kg·m²": 1.0, "kg·cm²": 1e-4, "kg·mm²": 1e-6, "g·mm²": 1e-9},
    "stiffness": {"N/m": 1.0, "kN/m": 1e3, "N/mm": 1e3, "kN/mm": 1e6},
    "rotational stiffness": {"N·m/rad": 1.0, "N·m/°": 360 / TURN},
    "damping": {"N·s/m": 1.0, "N·s/mm": 1e3},
    "rotational damping": {"N·m·s/rad": 1.0, "N·m·s": 1.0},
}
"""For each physical quantity, its units with their value in SI units; plots use the first unit by default."""

Dimension = tuple[int, int, int]
"""A physical dimension: exponents of metre, kilogram and second; angles are dimensionless."""

DIMENSIONS: dict[str, Dimension] = {
    "time": (0, 0, 1),
    "angle": (0, 0, 0),
    "length": (1, 0, 0),
    "area": (2, 0, 0),
    "second moment of area": (4, 0, 0),
    "angular speed": (0, 0, -1),
    "speed": (1, 0, -1),
    "angular acceleration": (0, 0, -2),
    "acceleration": (1, 0, -2),
    "force": (1, 1, -2),
    "moment": (2, 1, -2),
    "stress": (-1, 1, -2),
    "energy": (2, 1, -2),
    "power": (2, 1, -3),
    "mass": (0, 1, 0),
    "density": (-3, 1, 0),
    "moment of inertia": (2, 1, 0),
    "stiffness": (0, 1, -2),
    "rotational stiffness": (2, 1, -2),
    "damping": (0, 1, -1),
    "rotational damping": (2, 1, -1),
}

SYMBOL_SPELLINGS = {
    "·": ("·", "", "*"),
    "²": ("²", "2", "^2"),
    "³": ("³", "3", "^3"),
    "⁴": ("⁴", "4", "^4"),
    "°": ("°", "deg", "degree", "degrees"),
    "µ": ("µ", "μ", "u"),
}
"""Special characters in units, each with all its spellings."""

UNIT_SYNONYMS = {"rpm": ("rpm", "rev/min", "1/min"), "rev": ("rev", "turn", "turns")}
"""Units with several names, each with all its names."""


@cache
def known_units() -> dict[str, tuple[str, str]]:
    """For every spelling of every unit, written without spaces, the physical quantity and the standard spelling of the
    unit."""
    return {
        spelling: (quantity, unit)
        for quantity, units in UNITS.items()
        for unit in units
        for spelling in _spellings(unit)
    }


def find_unit(text: str) -> tuple[str, str] | None:
    """Physical quantity and standard spelling of a unit; None if the text is not a unit."""
    return known_units().get(text.replace(" ", ""))


def _spellings(unit: str) -> Iterator[str]:
    """All spellings of a unit, given by its standard spelling."""
    for word in UNIT_SYNONYMS.get(unit, (unit,)):
        for choice in product(*(SYMBOL_SPELLINGS.get(sign, (sign,)) for sign in word)):
            yield "".join(choice)


THOUSANDS_FROM = 20_000.0
"""Magnitude in SI units from which texts and plots use the unit multiplied by 1000 (kN instead of N)."""

SMALL_QUANTITIES = {"length": (0.02, "mm")}
"""For physical quantities, a magnitude in SI units and the smaller unit in which values below this magnitude are
shown."""

QUANTITY_OF = {"m": "length", "N": "force", "N m": "moment", "Pa": "stress", "W": "power", "J": "energy"}
"""The physical quantity that corresponds to the SI unit of a result."""


def display_unit(quantity: str, largest: float) -> str:
    """The unit in which plots and summaries show a quantity whose largest magnitude, in SI units, is `largest`."""
    unit = next(iter(UNITS[quantity]))
    if abs(largest) >= THOUSANDS_FROM and f"k{unit}" in UNITS[quantity]:
        return f"k{unit}"
    if quantity in SMALL_QUANTITIES and 0.0 < abs(largest) < SMALL_QUANTITIES[quantity][0]:
        return SMALL_QUANTITIES[quantity][1]
    return unit


def in_display_unit(value: float, si_unit: str) -> tuple[float, str]:
    """Convert a number from its SI unit to the unit for plots and summaries: 6.75e7 Pa gives (67.5, "MPa")."""
    quantity = QUANTITY_OF.get(si_unit)
    if quantity is None:
        return value, si_unit
    unit = display_unit(quantity, value)
    return value / UNITS[quantity][unit], unit.replace("·", " ")


def quantity_text(value: float, si_unit: str, digits: int = 6) -> str:
    """A number in SI units as text in the unit for plots and summaries, such as "67.5465 MPa"."""
    number, unit = in_display_unit(value, si_unit)
    return f"{number:.{digits}g} {unit}"


def to_si(number: float, quantity: str, unit: str) -> float:
    """Convert a number from a unit of a quantity to SI units.

    57 mm is exactly the float 0.057, since the code divides by 1000 instead of multiplying by 0.001.
    """
    size = UNITS[quantity][unit]
    parts = round(1 / size)
    return number / parts if size < 1.0 and 1 / parts == size else number * size


def unsigned_zero(value: float, digits: int) -> float:
    """The number rounded to `digits` decimals, with 0.0 instead of a negative zero."""
    return round(float(value), digits) + 0.0


def rpm(speed: Any) -> Any:
    """Convert revolutions per minute to rad/s: ω = 2π n / 60."""
    return _convert("rpm", speed, lambda x: x * (pi / 30))


def deg(angle: Any) -> Any:
    """Convert degrees to radians."""
    return _convert("deg", angle, lambda x: x * (pi / 180))


def mm(length: Any) -> Any:
    """Convert millimetres to metres: `mm(57)` is exactly 0.057, since the code divides by 1000."""
    return _convert("mm", length, lambda x: x / 1000)


def _convert(unit: str, value: Any, convert: Callable[[Any], Any]) -> Any:
    """Apply `convert` to a number, an expression or an array, or to each entry of a tuple or list of these.

    `unit` is the name of the unit in the error for other values.
    """
    if isinstance(value, Expression):
        return convert(value)
    if isinstance(value, tuple | list):
        return type(value)(_convert(unit, entry, convert) for entry in value)
    if isinstance(value, np.ndarray) and value.dtype.kind in "fiu" and np.isfinite(value).all():
        return convert(value)
    number = finite_number(value)
    if number is None:
        remedy = "Give a number, an expression, or several in a tuple, a list or an array."
        raise ModelError(f"`{unit}`", [Fault("M12", unit, f"got {short_repr(value)}.", remedy)])
    return convert(number)
