"""Stumpff functions: sine and cosine of √x without the root, smooth where a rotation vector passes through zero.

    c₀(x) = cos √x,   c₁(x) = sin √x / √x,   cₙ(x) = Σ (−x)ᵏ / (2k + n)!,      cₙ′ = (n cₙ₊₂ − cₙ₊₁) / 2

Source: K. Stumpff, Himmelsmechanik I (1959).
"""

from __future__ import annotations

from functools import partial
from math import factorial
from typing import Any

import numpy as np

from multiloop.model.expressions.expression import Scalar
from multiloop.model.expressions.registry import Operation, define

NEAR = 12.0
"""Limit of x up to which the series is summed; beyond it the recursion is used. Neither loses digits there."""

TERMS = 22
"""Number of terms of the series: the last is below round-off at NEAR."""

HIGHEST = 9
"""Highest order required: two derivatives of a first derivative are evaluated, and each raises the order by two."""


def _series(n: int, x: Any) -> Any:
    total = 1 / factorial(2 * TERMS + n) + 0.0 * x
    for k in reversed(range(TERMS)):
        total = 1 / factorial(2 * k + n) - x * total
    return total


def _far(n: int, x: Any, cos: Any, sin: Any, sqrt: Any) -> Any:
    """cₙ₊₂ = (1/n! − cₙ) / x, from c₀ and c₁."""
    root = sqrt(x)
    found = cos(root) if n % 2 == 0 else sin(root) / root
    for k in range(n % 2, n, 2):
        found = (1 / factorial(k) - found) / x
    return found


def _numeric(n: int, x: Any) -> Any:
    x = np.asarray(x, float)
    far = np.where(x > NEAR, x, NEAR)
    return np.where(x > NEAR, _far(n, far, np.cos, np.sin, np.sqrt), _series(n, np.where(x > NEAR, 0.0, x)))


def _traced(n: int, x: Any) -> Any:
    import casadi

    far = casadi.fmax(x, NEAR)
    return casadi.if_else(
        x > NEAR, _far(n, far, casadi.cos, casadi.sin, casadi.sqrt), _series(n, casadi.fmin(x, NEAR))
    )


def _slope(n: int, x: Scalar) -> Scalar:
    lower: Any = STUMPFF[n + 1](x)
    slope: Scalar = -lower / 2 if n == 0 else (n * STUMPFF[n + 2](x) - lower) / 2
    return slope


STUMPFF: tuple[Operation, ...] = tuple(
    define(f"stumpff{n}", partial(_numeric, n), partial(_traced, n), partial(_slope, n))
    for n in range(HIGHEST + 1)
)
