"""Values of operations in a finite field, where sums, products and quotients are exact, and beside it in numbers."""

from __future__ import annotations

from math import isfinite
from typing import Any, NamedTuple

import numpy as np

PRIME = 1_618_033_988_749_899_563
"""A prime for which (PRIME − 1)/2 is prime too: no short power of two is 1, so that round-off is not lost in it."""

ALIKE = 1e-2
"""Values that are equal in the field are one only when they agree so far in floating point as well."""

EXACT = 1e-15
"""Spread below which a ratio of two values is a number that may stand in the code."""


NOISE = 1e-12
"""Sums that cancel to less than this part of their terms are round-off: no ratio is read from them."""

Long = np.longdouble
"""Where the machine has it, a few digits more than a number in the code."""


class Values(NamedTuple):
    """A node at two points of the field, and at two points in floating point to read numbers from."""

    f: int
    g: int
    x: Any
    y: Any


def in_field(c: float) -> int:
    """A number, which is an integer over a power of two, as an element of the field."""
    over, under = c.as_integer_ratio()
    return over * pow(under, -1, PRIME) % PRIME


def near(x: Any, y: Any) -> bool:
    """Whether two values may be one, as far as floating point tells."""
    return not (isfinite(x) and isfinite(y)) or abs(x - y) <= ALIKE * max(abs(x), abs(y))


def shape(values: Values) -> int:
    """What a value has in common with its multiples."""
    return values.g * pow(values.f, -1, PRIME) % PRIME


def agree(x: Any, y: Any) -> bool:
    """Whether two readings of a number are one."""
    return isfinite(x) and isfinite(y) and bool(abs(x - y) <= EXACT * abs(x))


def total(x: Any, y: Any) -> Any:
    """x + y in floating point; no number where nothing but round-off is left, and so in all that follows from it."""
    found = x + y
    return found if abs(found) > NOISE * abs(x) or not isfinite(found) else Long("nan")


def rounded(value: Any) -> float:
    """The simple number that is meant, if round-off alone lies between."""
    x = float(value)
    nearest = round(x * 64) / 64
    return nearest if abs(nearest - x) <= 4 * EXACT * abs(x) else x
