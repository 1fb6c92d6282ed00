"""Values of operations in a finite field, where sums, products and quotients are exact, and beside it in numbers."""

from __future__ import annotations

from fractions import Fraction
from math import isfinite
from typing import Any, NamedTuple

import numpy as np

PRIME = 1_618_033_988_749_899_563
"""A prime for which (PRIME − 1)/2 is prime too: no short power of two is 1, so that round-off is not lost in it."""

ALIKE = 1e-2
"""Values that are equal in the field are one only when they agree so far in floating point as well."""

EXACT = 1e-15
"""Spread below which a ratio of two values is a number that may stand in the code."""


NOISE = 1e-3
"""Bound of a value's error, as a part of it, from which on it may be round-off and nothing else."""

STEP = float(np.finfo(np.longdouble).eps)
"""What one operation may change, as a part of its value."""

FEW = 64
"""Ratios of whole numbers up to this are those that round-off has, where a sum cancels to a few units of it."""

Long = np.longdouble
"""Where the machine has it, a few digits more than a number in the code."""


class Values(NamedTuple):
    """A node at two points of the field, and at two points in floating point to read numbers from.

    `error` bounds what round-off has made of x, as a part of it: sums that cancel leave little else.
    """

    f: int
    g: int
    x: Any
    y: Any
    error: float = 0.0


def error_of_sum(a: Values, b: Values, x: Any) -> float:
    """The bound for x = a.x ± b.x; where nothing at all is left, the terms differ by round-off of constants alone."""
    if not (x and isfinite(x)):
        return 0.0
    return float((abs(a.x) * a.error + abs(b.x) * b.error) / abs(x)) + STEP


def made_of_noise(one: Values, other: Values) -> bool:
    """Whether two values may be what round-off leaves of sums, and their ratio one of a few units of it."""
    return max(one.error, other.error) > NOISE and of_units(one.x / other.x)


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


def of_units(ratio: Any) -> bool:
    """Whether a ratio is one of few units of round-off, to the last digit: two sums that cancelled have such."""
    whole = Fraction(float(ratio)).limit_denominator(FEW)
    exact = Long(whole.numerator) / Long(whole.denominator)
    return abs(whole.numerator) <= FEW and bool(abs(exact - ratio) <= 4 * STEP * abs(ratio))


def rounded(value: Any) -> float:
    """The simple number that is meant, if round-off alone lies between."""
    x = float(value)
    nearest = round(x * 64) / 64
    return nearest if abs(nearest - x) <= 4 * EXACT * abs(x) else x
