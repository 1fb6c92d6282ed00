"""Units of measurement by physical quantity, for files, commands, tables and plots.

Internally all numbers are in SI units and radians; other units occur only in input and output.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from math import pi

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
"""By quantity, the size of each unit in SI; the first unit is the default of plots."""

Dimension = tuple[int, int, int]
"""Exponents of metre, kilogram and second; angles are dimensionless."""

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
"""Characters in units, each with all its spellings."""

UNIT_SYNONYMS = {"rpm": ("rpm", "rev/min", "1/min"), "rev": ("rev", "turn", "turns")}
"""Units with several names."""


@cache
def known_units() -> dict[str, tuple[str, str]]:
    """Quantity and standard spelling of every unit, by each of its spellings without spaces."""
    return {
        spelling: (quantity, unit)
        for quantity, units in UNITS.items()
        for unit in units
        for spelling in _spellings(unit)
    }


def find_unit(text: str) -> tuple[str, str] | None:
    """Quantity and standard spelling of a unit; None if the text is not a unit."""
    return known_units().get(text.replace(" ", ""))


def _spellings(unit: str) -> Iterator[str]:
    """All spellings of a unit."""
    for word in UNIT_SYNONYMS.get(unit, (unit,)):
        for choice in product(*(SYMBOL_SPELLINGS.get(sign, (sign,)) for sign in word)):
            yield "".join(choice)


THOUSANDS_FROM = 20_000.0
"""Magnitude from which texts and axes use the unit multiplied by 1000."""

SMALL_QUANTITIES = {"length": (0.02, "mm")}
"""By quantity, the magnitude in SI below which it is shown in the given unit."""

QUANTITY_OF = {"m": "length", "N": "force", "N m": "moment", "Pa": "stress", "W": "power", "J": "energy"}
"""The quantity of a unit of a result."""


def display_unit(quantity: str, largest: float) -> str:
    """The unit in which plots and summaries show a quantity of this magnitude, given in SI units."""
    unit = next(iter(UNITS[quantity]))
    if abs(largest) >= THOUSANDS_FROM and f"k{unit}" in UNITS[quantity]:
        return f"k{unit}"
    if quantity in SMALL_QUANTITIES and 0.0 < abs(largest) < SMALL_QUANTITIES[quantity][0]:
        return SMALL_QUANTITIES[quantity][1]
    return unit


def in_display_unit(value: float, si_unit: str) -> tuple[float, str]:
    """A number of a result converted to the unit that plots use for it: 6.75e7 Pa is (67.5, "MPa")."""
    quantity = QUANTITY_OF.get(si_unit)
    if quantity is None:
        return value, si_unit
    unit = display_unit(quantity, value)
    return value / UNITS[quantity][unit], unit.replace("·", " ")


def quantity_text(value: float, si_unit: str, digits: int = 6) -> str:
    """A number of a result as text in the unit that plots use for it, "67.5465 MPa"."""
    number, unit = in_display_unit(value, si_unit)
    return f"{number:.{digits}g} {unit}"


def to_si(number: float, quantity: str, unit: str) -> float:
    """The number in SI units; 57 mm is exactly the float 0.057, since the code divides instead of multiplying."""
    size = UNITS[quantity][unit]
    parts = round(1 / size)
    return number / parts if size < 1.0 and 1 / parts == size else number * size


def unsigned_zero(value: float, digits: int) -> float:
    """The number rounded to so many decimals, without the sign of a negative zero."""
    return round(float(value), digits) + 0.0
