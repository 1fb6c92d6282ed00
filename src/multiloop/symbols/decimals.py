"""The operations of a tape in decimal arithmetic of forty digits.

Arithmetic, roots, exponentials and logarithms are those of Python's `decimal`. Sines and cosines are power series after
reduction by quarter turns; inverse functions correct the double result by one step of third order,

    atan2(y, x) = a + z − z³/3,      z = (y cos a − x sin a) / (x cos a + y sin a),      a the double
"""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Context, Decimal, localcontext
from functools import lru_cache

DIGITS = 40
"""Number of significant digits."""

QUARTER = Decimal(
    "1.57079632679489661923132169163975144209858469968755291048747229615390820314310449931401741267105853"
)
"""π/2 with enough digits to reduce angles of many turns."""

NIL, ONE = Decimal(0), Decimal(1)

CONTEXT = Context(prec=DIGITS, traps=[])
"""Without traps: a division by zero gives infinity and NaN propagates, as with doubles."""


@lru_cache(maxsize=1024)
def sine_and_cosine(x: Decimal) -> tuple[Decimal, Decimal]:
    """Sine and cosine, by their power series within an eighth of a turn."""
    if not x.is_finite():
        return Decimal("nan"), Decimal("nan")
    with localcontext(CONTEXT) as context:
        context.prec = DIGITS + 8 + max(0, x.adjusted())
        quarters = (x / QUARTER).to_integral_value()
        r = x - quarters * QUARTER
        context.prec = DIGITS + 8
        s, c, term, k, least = NIL, ONE, ONE, 1, Decimal(10) ** -(DIGITS + 6)
        while abs(term) > least:
            term = term * r / k
            if k % 2:
                s += term if k % 4 == 1 else -term
            else:
                c += term if k % 4 == 0 else -term
            k += 1
        return ((s, c), (c, -s), (-s, -c), (-c, s))[int(quarters) % 4]


def _atan2(y: Decimal, x: Decimal) -> Decimal:
    a = Decimal(math.atan2(float(y), float(x)))
    s, c = sine_and_cosine(a)
    along = x * c + y * s
    if not along:
        return a
    z = (y * c - x * s) / along
    return a + z - z**3 / 3


def _tanh(x: Decimal) -> Decimal:
    if abs(x) > DIGITS * 2:
        return ONE.copy_sign(x)
    grown = (2 * x).exp()
    return (grown - 1) / (grown + 1)


def _root(x: Decimal) -> Decimal:
    return CONTEXT.sqrt(x)


def _sign(x: Decimal) -> Decimal:
    return x if x.is_nan() else Decimal((x > 0) - (x < 0))


def _truth(holds: bool) -> Decimal:
    return ONE if holds else NIL


FUNCTIONS: dict[str, Callable[..., Decimal]] = {
    "assign": lambda a: a,
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "neg": lambda a: -a,
    "sq": lambda a: a * a,
    "twice": lambda a: a + a,
    "inv": lambda a: ONE / a,
    "pow": lambda a, b: a**b,
    "constpow": lambda a, b: a**b,
    "sqrt": _root,
    "exp": lambda a: a.exp(),
    "log": lambda a: a.ln(),
    "sin": lambda a: sine_and_cosine(a)[0],
    "cos": lambda a: sine_and_cosine(a)[1],
    "tan": lambda a: sine_and_cosine(a)[0] / sine_and_cosine(a)[1],
    "atan2": _atan2,
    "atan": lambda a: _atan2(a, ONE),
    "asin": lambda a: _atan2(a, _root(1 - a * a)),
    "acos": lambda a: _atan2(_root(1 - a * a), a),
    "sinh": lambda a: (a.exp() - (-a).exp()) / 2,
    "cosh": lambda a: (a.exp() + (-a).exp()) / 2,
    "tanh": _tanh,
    "floor": lambda a: a.to_integral_value("ROUND_FLOOR"),
    "ceil": lambda a: a.to_integral_value("ROUND_CEILING"),
    "fabs": abs,
    "sign": _sign,
    "copysign": lambda a, b: a.copy_sign(b),
    "fmin": min,
    "fmax": max,
    "lt": lambda a, b: _truth(a < b),
    "le": lambda a, b: _truth(a <= b),
    "eq": lambda a, b: _truth(a == b),
    "ne": lambda a, b: _truth(a != b),
    "not": lambda a: _truth(not a),
    "and": lambda a, b: _truth(bool(a) and bool(b)),
    "or": lambda a, b: _truth(bool(a) or bool(b)),
    "if_else_zero": lambda a, b: b if a else NIL,
}
"""All operations of a tape, by CasADi's name."""
