"""B-spline motion law through control points, at rest at both ends."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral

import numpy as np

from multiloop.model.brief import brief
from multiloop.model.expressions import Expression, Scalar, lift, time
from multiloop.model.expressions.functions import step
from multiloop.model.profiles.transition import fraction, piecewise

AT_REST = 3
"""Multiplicity of the first and last control points, which makes speed and acceleration zero there."""


def b_spline(
    points: Sequence[Scalar],
    *,
    duration: Scalar,
    begin: Scalar = 0.0,
    degree: int = 5,
    of: Scalar = time,
) -> Expression:
    """B-spline with the given control points, at rest before and after.

        q = Σ cⱼ Nⱼ(u)

    N are the B-splines of the given degree on uniform knots from 0 to 1. The curve stays within the range of its points
    and passes through the first and the last, which are repeated three times, so that speed and acceleration vanish
    there. Between them it is degree − 1 times continuously differentiable.

    Source: [deboor], ch. IX; the rest at the ends is our own choice of control points.
    """
    if isinstance(points, str) or not isinstance(points, Sequence) or len(points) < 2:
        raise ValueError(f"b_spline: its points are {brief(points)}. Give two or more.")
    if isinstance(degree, bool) or not isinstance(degree, Integral) or not 3 <= degree <= 9:
        raise ValueError(f"b_spline: its degree is {brief(degree)}. Give 3 to 9.")
    u = fraction("b_spline", duration, begin, of)
    control = [points[0]] * (AT_REST - 1) + [*points] + [points[-1]] * (AT_REST - 1)
    control += [points[-1]] * (int(degree) + 1 - len(control))  # at least degree + 1 points
    breaks, basis = _basis(int(degree), len(control))
    pieces = [
        (float(begins), _horner(u - float(begins), basis[:, :, k], control))
        for k, begins in enumerate(breaks[:-1])
    ]
    before = lift(points[0]) * (1 - step(u))
    return before + piecewise(u, [*pieces, (1.0, lift(points[-1]))])


def _horner(s: Expression, coefficients: np.ndarray, points: Sequence[Scalar]) -> Expression:
    """Σ pⱼ Σ cⱼₘ s^m, highest power first in the coefficients."""
    total: Expression = lift(0.0)
    for column in coefficients.T:
        weighed = [float(c) * point for c, point in zip(column, points, strict=True) if abs(c) > 0.0]
        part: Scalar = sum(weighed[1:], weighed[0]) if weighed else 0.0
        total = lift(part) if total == lift(0.0) else total * s + part
    return total


def _basis(degree: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Breaks, and polynomial coefficients of all B-splines: splines × powers (highest first) × pieces."""
    from scipy.interpolate import BSpline, PPoly

    inner = np.linspace(0.0, 1.0, count - degree + 1)
    knots = np.concatenate([np.zeros(degree), inner, np.ones(degree)])
    found = []
    for k in range(count):
        spline = PPoly.from_spline(BSpline(knots, np.eye(count)[k], degree))
        kept = np.diff(spline.x) > 0
        found.append(spline.c[:, kept])
    return inner, np.array(found)
