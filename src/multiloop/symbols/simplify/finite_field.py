"""Values of operations in a finite field, where sums, products and quotients are exact, and in decimal numbers.

The values in the field determine which operations are equal up to a constant factor; the decimal numbers determine the
factor. In long tapes the numbers grow to 10²⁰ and more and cancel in sums. They therefore have many digits, and each
value counts the digits that it has lost, so that no factor is determined from round-off.

Theory: docs/theory/14-compiled-kernels.md, eq. (14.3).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal, localcontext
from math import frexp, isfinite, ldexp
from typing import NamedTuple

PRIME = 1_618_033_988_749_899_563
"""A prime for which (PRIME − 1)/2 is also prime: no small power of two is 1 modulo PRIME."""

DIGITS = 300
"""Digits of the decimal numbers: iterations with large penalties lose many of them."""

SIMILAR = Decimal("1e-2")
"""Relative difference of the decimal numbers up to which values that are equal in the field are taken as equal."""

EXACT = Decimal("1e-24")
"""Relative spread below which the ratio of two values is taken as a constant."""

SIMPLE_TOLERANCE = 4e-15
"""Relative difference up to which a number is replaced by the nearest simple one."""

SIMPLE_BITS = 16
"""Maximal number of bits of a simple number, such as an integer or a quarter."""

REQUIRED_DIGITS = 30
"""Digits that must remain in a number from which a factor is determined: those of doubles, and as many again for
accumulated round-off in a long tape."""


EXTRA_LOST_DIGITS = 3
"""Additional digits that a value may lose and still replace an equal one; doubles have sixteen."""


@contextmanager
def high_precision() -> Iterator[None]:
    """A context with many digits, in which undefined operations return values that are not finite."""
    with localcontext() as context:
        context.prec = DIGITS
        context.clear_traps()
        yield


class NodeValues(NamedTuple):
    """The values of a node at two points of the field (f, g) and at two points in decimal numbers (x, y).

    `lost` counts the digits of x or y lost by cancellation in sums.
    """

    f: int
    g: int
    x: Decimal
    y: Decimal
    lost: int = 0

    @property
    def is_significant(self) -> bool:
        """Whether its decimal numbers contain significant digits and not only round-off."""
        return self.lost <= DIGITS - REQUIRED_DIGITS and self.x.is_finite() and self.y.is_finite()


def loses_more_digits(one: NodeValues, other: NodeValues) -> bool:
    """Whether one value loses too many digits to replace an equal one.

    An example is the difference of constants that agree up to round-off, 0.1 + 0.2 − 0.3: it is exact with many digits,
    but in doubles it is round-off.
    """
    return one.lost > other.lost + EXTRA_LOST_DIGITS


def lost_in_sum(a: NodeValues, b: NodeValues, x: Decimal, y: Decimal) -> int:
    """Digits lost by cancellation in x = a.x ± b.x and y = a.y ± b.y; all digits if x or y vanishes."""
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
    """A float, which is an integer over a power of two, as an element of the field."""
    over, under = c.as_integer_ratio()
    return over * pow(under, -1, PRIME) % PRIME


def may_be_equal(x: Decimal, y: Decimal) -> bool:
    """Whether two values may be equal according to their decimal numbers."""
    return not (x.is_finite() and y.is_finite()) or abs(x - y) <= SIMILAR * max(abs(x), abs(y))


def ratio_in_field(values: NodeValues) -> int:
    """The ratio g/f in the field, which is the same for all constant multiples of a value."""
    return values.g * pow(values.f, -1, PRIME) % PRIME


def readings_agree(x: Decimal, y: Decimal) -> bool:
    """Whether the values of a factor, computed at two points, agree."""
    return x.is_finite() and y.is_finite() and abs(x - y) <= EXACT * abs(x)


def nearest_simple_number(value: Decimal) -> float:
    """The nearest simple number if it differs by round-off only, otherwise the number itself."""
    x = float(value)
    if not isfinite(x):
        return x
    mantissa, exponent = frexp(x)
    nearest = ldexp(round(ldexp(mantissa, SIMPLE_BITS)), exponent - SIMPLE_BITS)
    return nearest if abs(nearest - x) <= SIMPLE_TOLERANCE * abs(x) else x
