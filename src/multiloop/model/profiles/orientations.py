"""Orientations as functions of time: quaternions and rotation vectors.

Quaternions of rotation vectors use Stumpff functions, which are smooth and accurate also at zero angle.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from math import factorial
from typing import Any

import numpy as np

from multiloop.model.expressions import Expression, lift, table
from multiloop.model.expressions.expression import Scalar, is_number
from multiloop.model.expressions.functions import cos, sin, sqrt
from multiloop.model.expressions.operations import Operation, define_operation
from multiloop.model.markers import scalar

Orientation = tuple[Scalar, ...]
"""A quaternion (4 components, scalar first) or a rotation vector (3 components, rad)."""


def as_orientation(given: Any) -> Any:
    """Convert an orientation to a tuple: a quaternion, or a rotation vector; ((x, y, z), angle) becomes a quaternion.

    Other values are invalid and returned unchanged, since the checks report them.
    """
    if not isinstance(given, Sequence) or isinstance(given, str):
        return given
    if len(given) == 2 and isinstance(given[0], Sequence) and len(given[0]) == 3:
        return axis_angle(*given)
    return tuple(map(scalar, given))


def axis_angle(axis: Sequence[Scalar], angle: Scalar) -> Orientation:
    """The quaternion e of a rotation by `angle` θ about `axis`, which need not be a unit vector; n is the unit vector
    along it.

    e = [cos(θ/2); n sin(θ/2)]
    """
    if all(is_number(x) for x in axis):
        size: Any = float(np.linalg.norm(np.array(axis, float)))
        if not np.isfinite(size) or size == 0.0:
            raise ValueError(f"axis_angle: its axis is {tuple(axis)}. Give a finite vector other than zero.")
    else:
        size = sqrt(_squared_norm(axis))
    half = lift(angle) / 2
    return (cos(half), *(scalar(x / size * sin(half)) for x in axis))


def quaternion_table(
    times: Iterable[float], quaternions: Iterable[Sequence[float]], **how: Any
) -> Orientation:
    """A smooth orientation through quaternions at given times, by the shorter rotation between consecutive quaternions.

    The quaternions e and −e describe the same orientation; every quaternion is given the sign for which it is nearer to
    the previous one. `how` are keyword arguments of `table`.
    """
    rows = np.array([list(row) for row in quaternions], float)
    if (
        rows.ndim != 2
        or rows.shape[1] != 4
        or not np.isfinite(rows).all()
        or not np.abs(rows).sum(axis=1).all()
    ):
        raise ValueError(
            "quaternion_table: a quaternion is zero or not four finite numbers. "
            "Give four numbers, not all zero, for every time."
        )
    rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    for k in range(1, len(rows)):
        if rows[k] @ rows[k - 1] < 0:
            rows[k] = -rows[k]
    instants = list(times)
    return tuple(table(instants, column.tolist(), **how) for column in rows.T)


def unit_quaternion(orientation: Orientation) -> tuple[Scalar, ...]:
    """The unit quaternion e of an orientation, with four expressions of time as components; for a rotation vector φ

        e = [cos(|φ|/2); φ sin(|φ|/2) / |φ|]

    The code evaluates Stumpff functions of |φ|², without a square root, so that the result is smooth at φ = 0.
    """
    if len(orientation) == 3:
        x = _squared_norm(orientation) / 4
        return (_as_scalar(STUMPFF[0](x)), *(_as_scalar(part * STUMPFF[1](x) / 2) for part in orientation))
    if all(is_number(part) for part in orientation):
        e = np.array(orientation, float)
        return tuple((e / np.linalg.norm(e)).tolist())
    size = sqrt(_squared_norm(orientation))
    return tuple(_as_scalar(part / size) for part in orientation)


def _squared_norm(parts: Sequence[Scalar]) -> Any:
    total: Any = 0.0
    for part in parts:
        total = total + lift(part) * lift(part)
    return total


def _as_scalar(value: Any) -> Scalar:
    return value if isinstance(value, Expression) else float(value)


SERIES_LIMIT = 12.0
"""Stumpff functions cₙ(x) are computed by their series for x up to this value and by a recursion for larger x, because
the recursion loses digits for small x and the series for large x."""

TERMS = 22
"""Number of terms of the series of the Stumpff functions; at x = SERIES_LIMIT the last term is below round-off."""

HIGHEST_ORDER = 9
"""Highest order of the Stumpff functions that are defined; every differentiation raises the order by up to 2."""


def _series(n: int, x: Any) -> Any:
    total = 1 / factorial(2 * TERMS + n) + 0.0 * x
    for k in reversed(range(TERMS)):
        total = 1 / factorial(2 * k + n) - x * total
    return total


def _recursion(n: int, x: Any, cos: Any, sin: Any, sqrt: Any) -> Any:
    """The Stumpff function cₙ(x) for large x, by the recursion cₖ₊₂ = (1/k! − cₖ) / x from c₀ or c₁.

    `cos`, `sin` and `sqrt` are the functions for the type of x, a number or an expression.
    """
    root = sqrt(x)
    found = cos(root) if n % 2 == 0 else sin(root) / root
    for k in range(n % 2, n, 2):
        found = (1 / factorial(k) - found) / x
    return found


def _numeric(n: int, x: Any) -> Any:
    x = np.asarray(x, float)
    far = np.where(x > SERIES_LIMIT, x, SERIES_LIMIT)
    return np.where(
        x > SERIES_LIMIT,
        _recursion(n, far, np.cos, np.sin, np.sqrt),
        _series(n, np.where(x > SERIES_LIMIT, 0.0, x)),
    )


def _traced(n: int, x: Any) -> Any:
    import casadi

    far = casadi.fmax(x, SERIES_LIMIT)
    return casadi.if_else(
        x > SERIES_LIMIT,
        _recursion(n, far, casadi.cos, casadi.sin, casadi.sqrt),
        _series(n, casadi.fmin(x, SERIES_LIMIT)),
    )


def _slope(n: int, x: Scalar) -> Scalar:
    lower: Any = STUMPFF[n + 1](x)
    slope: Scalar = -lower / 2 if n == 0 else (n * STUMPFF[n + 2](x) - lower) / 2
    return slope


STUMPFF: tuple[Operation, ...] = tuple(
    define_operation(f"stumpff{n}", partial(_numeric, n), partial(_traced, n), partial(_slope, n))
    for n in range(HIGHEST_ORDER + 1)
)
