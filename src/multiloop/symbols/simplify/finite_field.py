"""Values of operations in a finite field, where sums, products and quotients are exact, and in decimal numbers.

The values in the field determine which operations have results that are equal up to a constant factor; the decimal
numbers determine this factor. In long operation lists the decimal numbers grow to 10²⁰ and more and cancel in sums.
They therefore have many digits, and the number of digits lost by cancellation is counted for each value, so that no
factor is determined from round-off.

Theory: docs/theory/14-compiled-kernels.md, eq. (14.3).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal, localcontext
from math import frexp, isfinite, ldexp
from typing import NamedTuple

PRIME = 1_618_033_988_749_899_563
"""Prime number of elements of the field. (PRIME − 1)/2 is also prime, so that no small power of two is 1 modulo
PRIME."""

DIGITS = 300
"""Number of digits of the decimal numbers. Many are needed, because iterations with large penalty factors lose many
digits by cancellation."""

SIMILAR = Decimal("1e-2")
"""Two values that are equal in the field count as equal if their decimal numbers differ by at most this fraction."""

EXACT = Decimal("1e-24")
"""The ratio of two values counts as constant if it differs by at most this fraction between two sets of random
inputs."""

SIMPLE_TOLERANCE = 4e-15
"""A number is replaced by the nearest simple number (with few binary digits) if they differ by at most this, relative
to the number."""

SIMPLE_BITS = 16
"""Largest number of binary digits of the mantissa of a simple number, such as an integer or a quarter."""

REQUIRED_DIGITS = 30
"""Number of digits that must remain, after cancellation, in a number from which a factor is determined: about 15 as in
a double, and as many again for round-off that accumulates in a long operation list."""


EXTRA_LOST_DIGITS = 3
"""A value may replace an equal value if it has lost at most this many digits more by cancellation than the equal value;
a double has sixteen digits."""


@contextmanager
def high_precision() -> Iterator[None]:
    """Context of decimal arithmetic with many digits, in which undefined operations return infinity or NaN."""
    with localcontext() as context:
        context.prec = DIGITS
        context.clear_traps()
        yield


class NodeValues(NamedTuple):
    """Values of one operation for two sets of random inputs in the field (f, g) and two in decimal numbers (x, y).

    `lost` is the number of digits of x or y that cancellation in sums has lost.
    """

    f: int
    g: int
    x: Decimal
    y: Decimal
    lost: int = 0

    @property
    def is_significant(self) -> bool:
        """Whether the decimal numbers x and y have enough significant digits left to determine a factor."""
        return self.lost <= DIGITS - REQUIRED_DIGITS and self.x.is_finite() and self.y.is_finite()


def loses_more_digits(one: NodeValues, other: NodeValues) -> bool:
    """Whether `one` has lost too many digits by cancellation to replace the equal value `other`.

    An example is the difference 0.1 + 0.2 − 0.3 of constants that agree up to round-off: it has a definite value with
    many digits, but in doubles it is round-off.
    """
    return one.lost > other.lost + EXTRA_LOST_DIGITS


def lost_in_sum(a: NodeValues, b: NodeValues, x: Decimal, y: Decimal) -> int:
    """Number of digits lost by cancellation in x = a.x ± b.x and y = a.y ± b.y; all digits if x or y is zero."""
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
    """The element of the field that equals a float, which is an integer divided by a power of two."""
    over, under = c.as_integer_ratio()
    return over * pow(under, -1, PRIME) % PRIME


def may_be_equal(x: Decimal, y: Decimal) -> bool:
    """Whether two decimal numbers are so close that the values which they approximate may be equal."""
    return not (x.is_finite() and y.is_finite()) or abs(x - y) <= SIMILAR * max(abs(x), abs(y))


def ratio_in_field(values: NodeValues) -> int:
    """The ratio g/f of the two field values of an operation, which is the same for all constant multiples of it."""
    return values.g * pow(values.f, -1, PRIME) % PRIME


def readings_agree(x: Decimal, y: Decimal) -> bool:
    """Whether two values x and y of a constant factor, computed for two sets of random inputs, agree."""
    return x.is_finite() and y.is_finite() and abs(x - y) <= EXACT * abs(x)


def nearest_simple_number(value: Decimal) -> float:
    """The nearest number with few binary digits if it differs from `value` only by round-off, otherwise `value`."""
    x = float(value)
    if not isfinite(x):
        return x
    mantissa, exponent = frexp(x)
    nearest = ldexp(round(ldexp(mantissa, SIMPLE_BITS)), exponent - SIMPLE_BITS)
    return nearest if abs(nearest - x) <= SIMPLE_TOLERANCE * abs(x) else x
