"""Values of operations in a finite field, where sums, products and quotients are exact, and beside it in numbers.

The field tells which values are equal but for a constant factor; the numbers tell the factor. In long tapes these run
away to 10²⁰ and more and sums of them cancel, so that they have many digits, and every one counts those that it has
lost: nothing is read from a number that may be noise.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal, localcontext
from math import frexp, isfinite, ldexp
from typing import NamedTuple

PRIME = 1_618_033_988_749_899_563
"""A prime for which (PRIME − 1)/2 is prime too: no short power of two is 1, so that round-off is not lost in it."""

DIGITS = 300
"""Of the numbers. What iterations with large penalties leave of them is told by no fewer; they cost little."""

ALIKE = Decimal("1e-2")
"""Values that are equal in the field are one only when they agree so far in numbers as well."""

EXACT = Decimal("1e-24")
"""Spread below which a ratio of two values is a number that may stand in the code."""

SIMPLE = 4e-15
"""Part of a number by which it may miss a simple one, and means it."""

BITS = 16
"""A simple number has no more: whole numbers and quarters of things, whatever the units."""

READ = 30
"""Digits that a number must have left for anything to be read from it: those of the code, and as many for round-off
that adds up over a long tape."""


WORSE = 3
"""Digits more that a value may lose than an equal one, and stand for it in the code: there it has sixteen in all."""


@contextmanager
def many_digits() -> Iterator[None]:
    """While values are worked out: what has no value is one that is not finite."""
    with localcontext() as context:
        context.prec = DIGITS
        context.clear_traps()
        yield


class Values(NamedTuple):
    """A node at two points of the field, and at two points in numbers to read factors from.

    `lost` counts the digits of x or y that sums have lost as they cancelled.
    """

    f: int
    g: int
    x: Decimal
    y: Decimal
    lost: int = 0

    @property
    def telling(self) -> bool:
        """Whether its numbers are more than round-off."""
        return self.lost <= DIGITS - READ and self.x.is_finite() and self.y.is_finite()


def worse(one: Values, other: Values) -> bool:
    """Whether one loses so many digits that it does not stand for the other, though both are equal.

    What is left of constants that differ by round-off, 0.1 + 0.2 − 0.3, is such a one: as a number of many digits it is
    exact, and in the code it is noise.
    """
    return one.lost > other.lost + WORSE


def lost_in_sum(a: Values, b: Values, x: Decimal, y: Decimal) -> int:
    """Digits that x = a.x ± b.x and y likewise have lost; all where nothing is left of one."""
    if not (x and y and x.is_finite() and y.is_finite()):
        return DIGITS
    return max(
        a.x.adjusted() + a.lost - x.adjusted(),
        b.x.adjusted() + b.lost - x.adjusted(),
        a.y.adjusted() + a.lost - y.adjusted(),
        b.y.adjusted() + b.lost - y.adjusted(),
        0,
    )


def in_field(c: float) -> int:
    """A number, which is an integer over a power of two, as an element of the field."""
    over, under = c.as_integer_ratio()
    return over * pow(under, -1, PRIME) % PRIME


def near(x: Decimal, y: Decimal) -> bool:
    """Whether two values may be one, as far as numbers tell."""
    return not (x.is_finite() and y.is_finite()) or abs(x - y) <= ALIKE * max(abs(x), abs(y))


def shape(values: Values) -> int:
    """What a value has in common with its multiples."""
    return values.g * pow(values.f, -1, PRIME) % PRIME


def agree(x: Decimal, y: Decimal) -> bool:
    """Whether two readings of a number are one."""
    return x.is_finite() and y.is_finite() and abs(x - y) <= EXACT * abs(x)


def rounded(value: Decimal) -> float:
    """The simple number that is meant, if round-off of the code alone lies between."""
    x = float(value)
    if not isfinite(x):
        return x
    mantissa, exponent = frexp(x)
    nearest = ldexp(round(ldexp(mantissa, BITS)), exponent - BITS)
    return nearest if abs(nearest - x) <= SIMPLE * abs(x) else x
