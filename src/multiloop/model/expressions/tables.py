"""Interpolation of tabulated points: cubic splines, monotone cubic interpolation and straight lines.

Source: SciPy's `PchipInterpolator` for monotone cubic interpolation, [fritsch_butland] and [fritsch_carlson], and
`CubicSpline` for cubic splines with not-a-knot or periodic ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise
from math import isfinite
from typing import Any

import numpy as np

from multiloop.model.expressions.expression import Expression, Scalar, lift, node
from multiloop.model.expressions.nodes import nodes_of, require_finite, time
from multiloop.model.faults import short_repr


def monotone_pieces(x: np.ndarray, y: np.ndarray, periodic: bool) -> np.ndarray:
    """Coefficients of the n cubic pieces of a monotone interpolation, shape (4, n), the highest power first.

    The slope at a point is zero at a local extreme, otherwise the weighted harmonic mean of the two adjacent slopes, so
    that the curve is monotone between any two points. At the ends of a curve that is not periodic, the slope is that of
    the parabola through three points, limited to keep the curve monotone. A periodic curve is continued by one piece
    beyond each end.

    Source: [fritsch_butland] and [fritsch_carlson], by SciPy's `PchipInterpolator`.

    Args:
        x: increasing abscissae of the points, shape (n + 1,).
        y: ordinates of the points, shape (n + 1,); the last equals the first for a periodic curve.
        periodic: whether the curve is periodic, with equal slopes at both ends.
    """
    from scipy.interpolate import PchipInterpolator

    if not periodic:
        return np.array(PchipInterpolator(x, y).c)
    x = np.concatenate([[x[0] - (x[-1] - x[-2])], x, [x[-1] + (x[1] - x[0])]])
    y = np.concatenate([y[-2:-1], y, y[1:2]])
    return np.array(PchipInterpolator(x, y).c[:, 1:-1])


DEGREE = {"cubic": 3, "monotone": 3, "linear": 1}
"""For each kind of interpolation, the degree of the polynomial pieces."""

CONTINUOUS_DERIVATIVES = {"cubic": 2, "monotone": 1, "linear": 0}
"""For each kind of interpolation, the number of continuous derivatives at the tabulated points."""

ROUND_OFF = 1e-9
"""Distance outside its points at which a table may still be evaluated, divided by the range of its points.

The distance allows for the round-off of times that are sums of time steps."""


@node
class Table(Expression):
    """The value, at `argument`, of a curve through the points (knots, values).

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
            raise ValueError(f"table: its kind is {short_repr(self.kind)}. Choose {_choice_text(DEGREE)}.")
        if self.derivative not in range(DEGREE[self.kind] + 1):
            raise ValueError(
                f"table: derivative is {self.derivative}. A {self.kind} table has derivatives of orders 0 to "
                f"{DEGREE[self.kind]}."
            )
        if self.periodic:
            _check_periodic(self.values)

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
    """A curve through the points (times, values), as a function of the time or of the expression `of`.

    `kind` is "cubic" (smooth, may overshoot), "monotone" (preserves monotonicity of the points) or "linear".
    `derivative` is the order of the derivative of the curve, 0 for the curve itself.

    The table is not defined outside its points unless it is periodic, with the period times[-1] − times[0]; the last
    value must then equal the first.
    """
    return Table(lift(of), _numbers(times, "time"), _numbers(values, "value"), kind, periodic, derivative)


@lru_cache(maxsize=256)
def polynomial_pieces(table: Table) -> tuple[np.ndarray, np.ndarray]:
    """Breaks (n + 1,) and coefficients (degree + 1, n) of the n polynomial pieces f of a table, after differentiation.

        f(x) = Σⱼ coefficients[j, k] (x − breaks[k])^(degree − j),   breaks[k] ≤ x < breaks[k+1]

    The last value of a periodic table is replaced by the first; the two are equal except for round-off.
    """
    breaks, values = np.array(table.knots), np.array(table.values)
    if table.periodic:
        values[-1] = values[0]
    try:
        with np.errstate(all="ignore"):  # overflow raises an error below
            coefficients = _coefficients(table.kind, breaks, values, table.periodic)
    except ValueError:  # SciPy raises an error for slopes that overflow
        coefficients = np.full((DEGREE[table.kind] + 1, len(breaks) - 1), np.inf)
    for _ in range(table.derivative):
        coefficients = coefficients[:-1] * np.arange(len(coefficients) - 1, 0, -1)[:, None]
    if not np.all(np.isfinite(coefficients)):
        raise ValueError("table: its times are too close together for its values. Increase the intervals.")
    breaks.setflags(write=False)
    coefficients.setflags(write=False)
    return breaks, coefficients


def _coefficients(kind: str, breaks: np.ndarray, values: np.ndarray, periodic: bool) -> np.ndarray:
    """Polynomial coefficients of the n pieces of the undifferentiated curve, shape (degree + 1, n), highest power
    first.

    The curve has the `values` at the n + 1 points `breaks`.
    """
    if kind == "linear":
        return np.stack([np.diff(values) / np.diff(breaks), values[:-1]])
    if kind == "monotone":
        return monotone_pieces(breaks, values, periodic)
    from scipy.interpolate import CubicSpline

    return np.array(CubicSpline(breaks, values, bc_type="periodic" if periodic else "not-a-knot").c)


def interpolate(table: Table, x: Any) -> Any:
    """Values of the curve of a table at x, a number or an array."""
    breaks, coefficients = polynomial_pieces(table)
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
    """Raise a ValueError if x (a number or an array) is outside the points of a table that is not periodic."""
    low, high = table.knots[0], table.knots[-1]
    slack = ROUND_OFF * (high - low)
    outside = np.ravel((x < low - slack) | (x > high + slack))
    if not table.periodic and outside.any():
        asked = np.ravel(x)[outside][0]
        raise ValueError(
            f"table: evaluated at {_plain_number(asked)}, outside its range "
            f"{_plain_number(low)} ... {_plain_number(high)}. Add points, clip its argument, or make it periodic."
        )


def _choice_text(names: Iterable[str]) -> str:
    *others, last = map(repr, names)
    return f"{', '.join(others)} or {last}"


def _plain_number(number: float) -> str:
    return repr(float(number)).removesuffix(".0")


def _numbers(given: Iterable[float], what: str) -> tuple[float, ...]:
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise TypeError(f"table: its {what}s are of type {type(given).__name__}. Give a list of numbers.")
    numbers = tuple(given)
    if set(map(type, numbers)) == {float} and isfinite(sum(numbers)):  # fast path for long lists
        return tuple(number + 0.0 for number in numbers)
    return tuple(require_finite(number, f"table: {what} {place}") for place, number in enumerate(numbers))


def _check_points(knots: tuple[float, ...], values: tuple[float, ...]) -> None:
    if len(knots) != len(values):
        raise ValueError(f"table: {len(knots)} times but {len(values)} values. Give one value for each time.")
    if len(knots) < 2:
        raise ValueError(f"table: {len(knots)} point. Give at least two.")
    for place, (before, after) in enumerate(pairwise(knots), 1):
        if after <= before:
            raise ValueError(
                f"table: times[{place}] is {_plain_number(after)}, but must be larger than times[{place - 1}], "
                f"{_plain_number(before)}. Sort the times and remove repeated ones."
            )


def _check_periodic(values: tuple[float, ...]) -> None:
    size = max(abs(value) for value in values)
    if abs(values[-1] - values[0]) > 1e-12 * size:
        raise ValueError(
            f"table: periodic, but its last value {_plain_number(values[-1])} differs from its first "
            f"{_plain_number(values[0])}. "
            "Repeat the first value at the end; add a continuous rotation as constant_speed(...)."
        )


REPORTED_OVERSHOOT = 0.05
"""Overshoot of a cubic table above which a warning is given: the distance by which its curve exceeds the largest or
smallest tabulated value, as a fraction of the range of these values.

The curve through a coarsely sampled sine has a smaller overshoot."""


def overshoots(value: Scalar) -> Iterator[tuple[float, float]]:
    """For every table of an expression that overshoots its points: the two values that `overshoot` returns."""
    for part in nodes_of(value):
        found = overshoot(part) if isinstance(part, Table) else None
        if found is not None:
            yield found


@lru_cache(maxsize=256)
def overshoot(table: Table) -> tuple[float, float] | None:
    """The extreme value of the curve of a cubic table, and the largest or smallest tabulated value that it exceeds.

    None if the overshoot is at most REPORTED_OVERSHOOT. A piece a s³ + b s² + c s + d, with s measured from its
    beginning, has its extremes where 3a s² + 2b s + c = 0.
    """
    if table.kind != "cubic" or table.derivative:
        return None
    breaks, (a, b, c, y) = polynomial_pieces(table)
    root = np.sqrt(np.maximum(b * b - 3 * a * c, 0.0))
    with np.errstate(all="ignore"):  # a monotone piece has no extreme
        places = np.stack([c / (-b - np.copysign(root, b)), (-b - np.copysign(root, b)) / (3 * a)])
    s = np.where(np.isfinite(places), np.clip(places, 0.0, np.diff(breaks)), 0.0)
    turns = ((a * s + b) * s + c) * s + y
    low, high = min(table.values), max(table.values)
    above, below = float(turns.max()) - high, low - float(turns.min())
    if max(above, below) <= REPORTED_OVERSHOOT * (high - low):
        return None
    return (high + above, high) if above >= below else (low - below, low)
