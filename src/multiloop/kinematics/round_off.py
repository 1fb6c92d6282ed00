"""What does round-off do to a motion beside a singular position, and the motion without it.

Lengths and angles are numbers of sixteen digits: loops close to ε = 2.2e-16 of the size, or of the distance at which
joints stand from the origin where that is larger, however they are computed (`Skeleton.round_off`). Along a direction
that the rows hold with the singular value σ the position is then open by ε/σ,

    δq = Σ (ε/σₖ) vₖ      over the directions that are held little

and what is told of the position is known as well as it stays the same over that way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from multiloop.kinematics.course import Instant
from multiloop.kinematics.equations import Equations, Given
from multiloop.kinematics.exact import exact_rows
from multiloop.kinematics.path import Drive
from multiloop.kinematics.rates import RANK, Linear, linearised
from multiloop.kinematics.singularity import NEAR

SHOWS = 1e-11
"""Part of a motion that round-off may change before it is worked out without."""

Motion = tuple[np.ndarray, np.ndarray, np.ndarray]
"""q, v and a."""


def open_way(linear: Linear, count: int) -> np.ndarray:
    """δq: how far a position may be open along what `count` independent rows hold least, in rates' units."""
    sigma = linear.sigma[:count]
    weak = sigma < NEAR * linear.sigma.max(initial=0.0)
    equations = linear.equations
    open_by = equations.skeleton.round_off / sigma[weak]
    way: np.ndarray = equations.chart.scale * (linear.Vt[:count][weak].T @ open_by)
    return way


def motion_change(equations: Equations, v: np.ndarray, a: np.ndarray, *others: np.ndarray) -> float:
    """The part by which rates and accelerations differ from others: a beside a and v², as in a turn."""
    scale = equations.chart.scale
    v, a, v_other, a_other = (x / scale for x in (v, a, *others))
    speed = float(np.abs(v).max(initial=0.0))
    parts = [0.0]
    for found, other, size in (
        (v, v_other, speed),
        (a, a_other, float(np.abs(a).max(initial=0.0)) + speed**2),
    ):
        difference = float(np.abs(found - other).max(initial=0.0))
        parts.append(difference / size if size else 0.0)
    return max(parts)


def displaced(
    equations: Equations, motion: Motion, given: Given, p: np.ndarray, count: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """q, v and a as they would be with loops open by round-off: what the rows then ask, by the least change."""
    q, v, a = motion
    q = equations.chart.moved(q, open_way(linearised(equations, q, given[0], p), count))
    linear, J = linearised(equations, q, given[0], p), equations.rate_jacobian(q, given[0], p)
    v = v + linear.solve(equations.bias(q, given, p) - J @ v)
    return q, v, a + linear.solve(equations.gamma(q, v, given, p) - J @ a)


def round_off_shows(equations: Equations, motion: Motion, given: Given, p: np.ndarray, count: int) -> bool:
    """Whether open loops change the motion by more than a double should."""
    other = displaced(equations, motion, given, p, count)
    return motion_change(equations, *motion[1:], *other[1:]) > SHOWS


def sharpened(equations: Equations, path: Sequence[Instant], drive: Drive, p: np.ndarray) -> list[Instant]:
    """The same instants, those at which round-off shows without it.

    They are asked from the most nearly singular on: where it does not show, it does not farther away.
    """
    found = list(path)
    for k in sorted(range(len(path)), key=lambda k: path[k].closeness):
        at = path[k]
        if at.closeness <= RANK:
            continue
        given = [drive(at.t, order) for order in range(3)]
        count = linearised(equations, at.q, given[0], p).expected if at.closeness < NEAR else 0
        if not count or not round_off_shows(equations, (at.q, at.v, at.a), given, p, count):
            break
        found[k] = _exactly(equations, at, given, p, count)
    return found


def _exactly(equations: Equations, at: Instant, given: Given, p: np.ndarray, count: int) -> Instant:
    """An instant without round-off; itself where nothing closes exactly. `count` rows are independent."""
    rows = exact_rows(equations)
    q = rows.position(at.q, given[0], p, linearised(equations, at.q, given[0], p, placed=True).expected)
    v = None if q is None else rows.rates(q, at.v, given, p, count)
    a = None if q is None or v is None else rows.accelerations(q, v, given, p, count)
    if q is None or v is None or a is None:
        return at
    return replace(at, q=q.astype(float), v=v.astype(float), a=a.astype(float))
