"""Orientations as functions of time: quaternions, rotation vectors, an axis with an angle, tables.

All are converted to a unit quaternion, scalar first, whose four entries are expressions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from multiloop.model.expressions import Expression, Scalar, lift, table
from multiloop.model.expressions.expression import is_number
from multiloop.model.expressions.functions import cos, sin, sqrt
from multiloop.model.expressions.stumpff import STUMPFF
from multiloop.model.markers import scalar

Orientation = tuple[Scalar, ...]
"""A quaternion (4 entries) or a rotation vector (3)."""


def oriented(given: Any) -> Any:
    """An orientation as it is stored: a quaternion or a rotation vector; an axis with an angle becomes a quaternion.

    Anything else is returned unchanged, for the checks to report.
    """
    if not isinstance(given, Sequence) or isinstance(given, str):
        return given
    if len(given) == 2 and isinstance(given[0], Sequence) and len(given[0]) == 3:
        return axis_angle(*given)
    return tuple(map(scalar, given))


def axis_angle(axis: Sequence[Scalar], angle: Scalar) -> Orientation:
    """The quaternion of a rotation by `angle` about `axis`, which need not be a unit vector.

    e = [cos(θ/2); n sin(θ/2)]
    """
    if all(is_number(x) for x in axis):
        size: Any = float(np.linalg.norm(np.array(axis, float)))
        if not np.isfinite(size) or size == 0.0:
            raise ValueError(f"axis_angle: its axis is {tuple(axis)}. Give a direction.")
    else:
        size = sqrt(_square(axis))
    half = lift(angle) / 2
    return (cos(half), *(scalar(x / size * sin(half)) for x in axis))


def quaternion_table(
    times: Iterable[float], quaternions: Iterable[Sequence[float]], **how: Any
) -> Orientation:
    """A smooth orientation through quaternions at given times, by the shorter rotation from each to the next.

    e and −e are the same orientation: the sign of every quaternion is chosen nearest to the previous one. `how` are the
    keyword arguments of `table`.
    """
    rows = np.array([list(row) for row in quaternions], float)
    if (
        rows.ndim != 2
        or rows.shape[1] != 4
        or not np.isfinite(rows).all()
        or not np.abs(rows).sum(axis=1).all()
    ):
        raise ValueError("quaternion_table: give four finite numbers for every time, not all zero.")
    rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    for k in range(1, len(rows)):
        if rows[k] @ rows[k - 1] < 0:
            rows[k] = -rows[k]
    instants = list(times)
    return tuple(table(instants, column.tolist(), **how) for column in rows.T)


def quaternion_profiles(orientation: Orientation) -> tuple[Scalar, ...]:
    """The unit quaternion of an orientation as a function of time.

        of a rotation vector φ:   e = [cos(|φ|/2); φ sin(|φ|/2) / |φ|]

    This is evaluated without the square root, so that it is smooth at φ = 0.
    """
    if len(orientation) == 3:
        x = _square(orientation) / 4
        return (_of(STUMPFF[0](x)), *(_of(part * STUMPFF[1](x) / 2) for part in orientation))
    if all(is_number(part) for part in orientation):
        e = np.array(orientation, float)
        return tuple((e / np.linalg.norm(e)).tolist())
    size = sqrt(_square(orientation))
    return tuple(_of(part / size) for part in orientation)


def _square(parts: Sequence[Scalar]) -> Any:
    total: Any = 0.0
    for part in parts:
        total = total + lift(part) * lift(part)
    return total


def _of(value: Any) -> Scalar:
    return value if isinstance(value, Expression) else float(value)
