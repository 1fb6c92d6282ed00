"""Evaluation of piecewise polynomials in traced functions, without branches.

Theory: docs/theory/14-compiled-kernels.md, eq. (14.2).
"""

from __future__ import annotations

from typing import Any

import numpy as np

ROUND_OFF = 1e-9
"""Distance beyond the ends of a piecewise polynomial, relative to its range, up to which it is still evaluated."""


def lookup(x: Any, breaks: np.ndarray, coefficients: np.ndarray, periodic: bool = False) -> Any:
    """The value of a piecewise polynomial at a scalar x (SX, MX or DM).

        f(x) = Σⱼ c[j, k] (x − b[k])^(degree − j),   b[k] ≤ x < b[k+1]

    b are the `breaks` between pieces, c the `coefficients`. Piece k is selected by the indicators w[k] = (x ≥ b[k]) −
    (x ≥ b[k+1]), exactly one of which is 1, so that the selected coefficients are exact. If the polynomial is periodic,
    x is first reduced to the range b[0] … b[n]. Otherwise the result is NaN beyond the ends; derivatives at the ends
    are one-sided.

    Cost: about 2 (degree + 3) operations per piece; with one piece no selection is made.

    Args:
        x: scalar matrix of the symbol type in use.
        breaks: (n + 1,) increasing.
        coefficients: (degree + 1, n), highest power first, as in SciPy's PPoly.
        periodic: whether the curve repeats with period breaks[-1] − breaks[0].
    """
    import casadi as ca

    low, high = float(breaks[0]), float(breaks[-1])
    if periodic:
        x = x - (high - low) * ca.floor((x - low) / (high - low))
        within: Any = 1
    else:
        slack = ROUND_OFF * (high - low)
        # √1 = 1 within the range, √−1 = NaN beyond
        within = ca.sqrt(2 * (x >= low - slack) * (x <= high + slack) - 1)
    rows = np.vstack([coefficients, breaks[:-1]])
    if rows.shape[1] == 1:
        *chosen, start = (float(entry) for entry in rows[:, 0])
    else:
        passed = x >= ca.DM(breaks[1:-1])
        indicators = ca.vertcat(1, passed) - ca.vertcat(passed, 0)
        *chosen, start = ca.vertsplit(ca.mtimes(ca.DM(rows), indicators))
    s = x - start
    value = chosen[0]
    for coefficient in chosen[1:]:
        value = value * s + coefficient
    return value * within
