"""Reading a table inside traced equations: the polynomial piece that x falls on, without branches."""

from __future__ import annotations

from typing import Any

import numpy as np

ROUND_OFF = 1e-9
"""Part of its width by which a curve may be asked beyond its ends."""


def lookup(x: Any, breaks: np.ndarray, coefficients: np.ndarray, periodic: bool = False) -> Any:
    """The value of a piecewise polynomial at a scalar x (SX, MX or DM).

        f(x) = Σⱼ c[j, k] (x − b[k])^(degree − j),   b[k] ≤ x < b[k+1]

    x chooses its piece by indicators w[k] = (x ≥ b[k]) − (x ≥ b[k+1]), exactly one of which is 1, so the
    chosen coefficients are exact. Periodic: x is first brought into b[0] … b[n]. Otherwise there is no value
    beyond the ends, and no number comes out; the slopes at the ends are those from inside.

    Cost: about 2 (degree + 3) operations a piece; with one piece no choice is made.

    Args:
        x: scalar matrix of the symbol type in use.
        breaks: (n + 1,) increasing.
        coefficients: (degree + 1, n), highest power first, as SciPy's PPoly has them.
        periodic: whether the curve repeats with period breaks[-1] − breaks[0].
    """
    import casadi as ca

    low, high = float(breaks[0]), float(breaks[-1])
    if periodic:
        x = x - (high - low) * ca.floor((x - low) / (high - low))
        within: Any = 1
    else:
        slack = ROUND_OFF * (high - low)
        within = ca.sqrt(2 * (x >= low - slack) * (x <= high + slack) - 1)  # 1, or the root of −1
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
