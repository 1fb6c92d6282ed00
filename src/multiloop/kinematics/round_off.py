"""Effect of round-off on a motion near a singular configuration, and the motion without it.

Lengths and angles have sixteen digits: loops close to ε = 2.2e-16 of the size of the mechanism, or of the distance of
its joints from the origin where that is larger (`Skeleton.round_off`). Along the direction of a singular value σ the
position is then undetermined by ε/σ,

    δq = Σ (ε/σₖ) vₖ      over the directions of small singular values

with the sign of each singular vector vₖ such that its first large entry is positive, so that the estimate does not
depend on the signs that a singular value decomposition happens to return. A quantity is known as accurately as it is
constant over this displacement.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from multiloop.kinematics.course import Course, Instant
from multiloop.kinematics.equations import Equations, Given
from multiloop.kinematics.exact import exact_rows
from multiloop.kinematics.path import Drive
from multiloop.kinematics.rates import RANK, Linear, linearised
from multiloop.kinematics.singularity import NEAR

SHOWS = 1e-11
"""Relative change of a motion by round-off above which it is computed in decimals."""

ASKED = 8
"""Number of instants at which the effect of round-off is computed, those with the largest expected effect."""

Motion = tuple[np.ndarray, np.ndarray, np.ndarray]
"""q, v and a."""


def open_way(linear: Linear, count: int) -> np.ndarray:
    """δq by round-off along the directions of small singular values of `count` independent rows."""
    sigma = linear.sigma[:count]
    weak = sigma < NEAR * linear.sigma.max(initial=0.0)
    equations = linear.equations
    open_by = equations.skeleton.round_off / sigma[weak]
    way: np.ndarray = equations.chart.scale * (_signed(linear.Vt[:count][weak]).T @ open_by)
    return way


def _signed(directions: np.ndarray) -> np.ndarray:
    """Unit vectors, one per row, with signs such that the first entry of at least half the largest magnitude is > 0."""
    sizes = np.abs(directions)
    first = np.argmax(sizes >= sizes.max(axis=1, initial=0.0, keepdims=True) / 2, axis=1)
    signs = np.sign(np.take_along_axis(directions, first[:, None], axis=1))
    signed: np.ndarray = signs * directions
    return signed


def expected_changes(equations: Equations, closeness: np.ndarray, v: np.ndarray, a: np.ndarray) -> np.ndarray:
    """Expected effect of round-off on instants, up to a factor: ε/c² in general, ε/c³ on accelerations in motion.

    (1 + v² / (c (|a| + v²))) / c²
    """
    scale, c = equations.chart.scale, np.maximum(closeness, RANK)
    bend, push = (np.abs(x / scale).max(axis=1, initial=0.0) ** n for x, n in ((v, 2), (a, 1)))
    turning = bend / np.where(bend > 0, bend + push, 1.0)
    found: np.ndarray = (1 + turning / c) / c**2
    return found


def most_expected(expected: np.ndarray) -> list[int]:
    """Indices of the instants to be checked: the highest peaks over time, then others."""
    around = np.concatenate([[-np.inf], expected, [-np.inf]])
    peaks = (expected > around[:-2]) & (expected >= around[2:])
    order: list[int] = np.lexsort((-expected, ~peaks)).tolist()
    return order[:ASKED]


def motion_change(
    equations: Equations, v: np.ndarray, a: np.ndarray, *others: np.ndarray, least: float = 0.0
) -> float:
    """Relative difference of rates and accelerations from others; accelerations are relative to |a| + v².

    `least` is added to the scale of accelerations, and rates that are negligible relative to its root count as zero.
    """
    scale = equations.chart.scale
    v, a, v_other, a_other = (x / scale for x in (v, a, *others))
    speed = float(np.abs(v).max(initial=0.0))
    parts = [0.0]
    for found, other, size in (
        (v, v_other, speed + SHOWS * least**0.5),
        (a, a_other, float(np.abs(a).max(initial=0.0)) + speed**2 + least),
    ):
        difference = float(np.abs(found - other).max(initial=0.0))
        parts.append(difference / size if size else 0.0)
    return max(parts)


def displaced(
    equations: Equations, motion: Motion, given: Given, p: np.ndarray, count: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """q, v and a with loops opened by round-off, where v and a change by the minimum that satisfies the rows."""
    q, v, a = motion
    q = equations.chart.moved(q, open_way(linearised(equations, q, given[0], p), count))
    linear, J = linearised(equations, q, given[0], p), equations.rate_jacobian(q, given[0], p)
    v = v + linear.solve(equations.bias(q, given, p) - J @ v)
    return q, v, a + linear.solve(equations.gamma(q, v, given, p) - J @ a)


def round_off_shows(equations: Equations, motion: Motion, given: Given, p: np.ndarray, count: int) -> bool:
    """Whether loops opened by round-off change the motion by more than `SHOWS`."""
    other = displaced(equations, motion, given, p, count)
    return motion_change(equations, *motion[1:], *other[1:]) > SHOWS


def sharpened(equations: Equations, path: Sequence[Instant], drive: Drive, p: np.ndarray) -> list[Instant]:
    """The instants of a path, with those that round-off affects computed in decimals.

    Instants are checked in the order of the expected effect, until several in a row are not affected.
    """
    found, hidden = list(path), 0
    for k in _in_motion(equations, path):
        at = path[k]
        given = [drive(at.t, order) for order in range(3)]
        count = linearised(equations, at.q, given[0], p).expected
        if count and round_off_shows(equations, (at.q, at.v, at.a), given, p, count):
            found[k], hidden = _exactly(equations, at, given, p, count), 0
        elif (hidden := hidden + 1) == ASKED:
            break
    return found


def _in_motion(equations: Equations, path: Sequence[Instant]) -> list[int]:
    """Indices of moving instants near, but not at, a singular configuration, by their expected effect of round-off."""
    beside = [k for k, at in enumerate(path) if RANK < at.closeness < NEAR and (at.v.any() or at.a.any())]
    if not beside:
        return []
    near = Course.of([path[k] for k in beside])
    expected = expected_changes(equations, near.closeness, near.v, near.a)
    return [beside[k] for k in np.argsort(-expected, kind="stable").tolist()]


def _exactly(equations: Equations, at: Instant, given: Given, p: np.ndarray, count: int) -> Instant:
    """An instant computed in decimals; unchanged if that fails. `count` is the number of independent rows."""
    rows = exact_rows(equations)
    q = rows.position(at.q, given[0], p, linearised(equations, at.q, given[0], p, placed=True).expected)
    v = None if q is None else rows.rates(q, at.v, given, p, count)
    a = None if q is None or v is None else rows.accelerations(q, v, given, p, count)
    if q is None or v is None or a is None:
        return at
    return replace(at, q=q.astype(float), v=v.astype(float), a=a.astype(float))
