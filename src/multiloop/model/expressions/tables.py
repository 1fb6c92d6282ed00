"""Tables: interpolation of measured or tabulated points by cubic splines, monotone cubics or straight lines."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise
from math import isfinite
from typing import Any

import numpy as np

from multiloop.model.brief import brief
from multiloop.model.expressions.expression import Expression, Scalar, lift, node
from multiloop.model.expressions.leaves import finite, time
from multiloop.model.expressions.monotone import monotone_pieces

DEGREE = {"cubic": 3, "monotone": 3, "linear": 1}
"""The kinds of interpolation, and the degree of their pieces."""

SMOOTH = {"cubic": 2, "monotone": 1, "linear": 0}
"""Number of continuous derivatives at the points, for each kind."""

ROUND_OFF = 1e-9
"""Tolerance for reading a table beyond its ends, as a fraction of its length: times are sums of steps."""


@node
class Table(Expression):
    """A curve through points (knots, values), at `argument`.

    "cubic" is a spline with continuous curvature (not-a-knot or periodic ends), which may overshoot between points;
    "monotone" stays between neighbouring points and has a continuous slope; "linear" has straight pieces. `derivative`
    is the order of the derivative with respect to the argument.
    """

    argument: Expression
    knots: tuple[float, ...]
    values: tuple[float, ...]
    kind: str = "cubic"
    periodic: bool = False
    derivative: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "argument", lift(self.argument))
        object.__setattr__(self, "knots", _numbers(self.knots, "time"))
        object.__setattr__(self, "values", _numbers(self.values, "value"))
        object.__setattr__(self, "periodic", bool(self.periodic))
        _check_points(self.knots, self.values)
        if self.kind not in DEGREE:
            raise ValueError(f"table: its kind is {brief(self.kind)}. Choose {_choice(DEGREE)}.")
        if self.derivative not in range(DEGREE[self.kind] + 1):
            raise ValueError(
                f"table: derivative is {self.derivative}. A {self.kind} table has 0 to {DEGREE[self.kind]}."
            )
        if self.periodic:
            _check_return(self.values)

    @property
    def operands(self) -> tuple[Expression, ...]:
        return (self.argument,)


def table(
    times: Iterable[float],
    values: Iterable[float],
    *,
    of: Scalar = time,
    kind: str = "cubic",
    periodic: bool = False,
    derivative: int = 0,
) -> Table:
    """A curve through points, as a function of the time or `of` another expression.

    `kind` is "cubic" (smooth, may overshoot), "monotone" (preserves monotonicity of the points) or "linear".

    The table is not defined outside its points unless it is periodic, with the period times[-1] − times[0]; the last
    value must then equal the first.
    """
    return Table(lift(of), _numbers(times, "time"), _numbers(values, "value"), kind, periodic, derivative)


@lru_cache(maxsize=256)
def pieces(table: Table) -> tuple[np.ndarray, np.ndarray]:
    """The polynomial pieces of a table: breaks (n + 1,) and coefficients (degree + 1, n).

        f(x) = Σⱼ coefficients[j, k] (x − breaks[k])^(degree − j),   breaks[k] ≤ x < breaks[k+1]

    The last value of a periodic table is replaced by the first, which it equals to round-off.
    """
    breaks, values = np.array(table.knots), np.array(table.values)
    if table.periodic:
        values[-1] = values[0]
    with np.errstate(all="ignore"):  # overflow raises an error below
        coefficients = _coefficients(table.kind, breaks, values, table.periodic)
    for _ in range(table.derivative):
        coefficients = coefficients[:-1] * np.arange(len(coefficients) - 1, 0, -1)[:, None]
    if not np.all(np.isfinite(coefficients)):
        raise ValueError("table: its times lie too close together for its values. Spread them out.")
    breaks.setflags(write=False)
    coefficients.setflags(write=False)
    return breaks, coefficients


def _coefficients(kind: str, breaks: np.ndarray, values: np.ndarray, periodic: bool) -> np.ndarray:
    """Coefficients of the pieces of the curve before differentiation."""
    if kind == "linear":
        return np.stack([np.diff(values) / np.diff(breaks), values[:-1]])
    if kind == "monotone":
        return monotone_pieces(breaks, values, periodic)
    from scipy.interpolate import CubicSpline

    return np.array(CubicSpline(breaks, values, bc_type="periodic" if periodic else "not-a-knot").c)


def interpolated(table: Table, x: Any) -> Any:
    """Values of the curve at x, an array or a number."""
    breaks, coefficients = pieces(table)
    x = np.asarray(x, dtype=float)
    if table.periodic:
        period = breaks[-1] - breaks[0]
        x = x - period * np.floor((x - breaks[0]) / period)
    else:
        check_covered(table, x)
        x = np.clip(x, breaks[0], breaks[-1])
    k = np.clip(np.searchsorted(breaks, x, side="right") - 1, 0, len(breaks) - 2)
    s = x - breaks[k]
    value = coefficients[0, k]
    for coefficient in coefficients[1:]:
        value = value * s + coefficient[k]
    return value


def check_covered(table: Table, x: Any) -> None:
    """Raise ValueError if a table is read outside its points."""
    low, high = table.knots[0], table.knots[-1]
    slack = ROUND_OFF * (high - low)
    outside = np.ravel((x < low - slack) | (x > high + slack))
    if not table.periodic and outside.any():
        asked = np.ravel(x)[outside][0]
        raise ValueError(
            f"table asked at {_plain(asked)}, it covers {_plain(low)} ... {_plain(high)}. "
            "Give it points that reach so far, clip what it is asked at, or make it periodic."
        )


def _choice(names: Iterable[str]) -> str:
    *others, last = map(repr, names)
    return f"{', '.join(others)} or {last}"


def _plain(number: float) -> str:
    return repr(float(number)).removesuffix(".0")


def _numbers(given: Iterable[float], what: str) -> tuple[float, ...]:
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise TypeError(f"table: its {what}s are a list of numbers, not {type(given).__name__}.")
    numbers = tuple(given)
    if set(map(type, numbers)) == {float} and isfinite(sum(numbers)):  # fast path for long lists
        return tuple(number + 0.0 for number in numbers)
    return tuple(finite(number, f"table: {what} {place}") for place, number in enumerate(numbers))


def _check_points(knots: tuple[float, ...], values: tuple[float, ...]) -> None:
    if len(knots) != len(values):
        raise ValueError(f"table: {len(knots)} times but {len(values)} values. Give one value for each time.")
    if len(knots) < 2:
        raise ValueError(f"table: {len(knots)} point. Give at least two.")
    for place, (before, after) in enumerate(pairwise(knots), 1):
        if after <= before:
            raise ValueError(
                f"table: time {place} is {_plain(after)}, not after time {place - 1}, {_plain(before)}. "
                "Sort the times and drop repeated ones."
            )


def _check_return(values: tuple[float, ...]) -> None:
    size = max(abs(value) for value in values)
    if abs(values[-1] - values[0]) > 1e-12 * size:
        raise ValueError(
            f"table: periodic, but its last value {_plain(values[-1])} is not its first {_plain(values[0])}. "
            "Repeat the first value at the end; add a turning motion as constant_speed(...)."
        )
