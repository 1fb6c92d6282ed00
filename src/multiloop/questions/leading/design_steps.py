"""Loop closure of many designs by steps in the parameters from the described design, in the same assembly mode."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

STAGES = (12, 150)
"""Number of steps from the described design to the requested one, and the number for designs that these do not
reach.
"""

POLISH = 2
"""Further rounds of Newton steps at the requested design itself."""

CLOSED = 1e-10
"""Designs whose loops stay open by more than this have failed."""

Close = Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray, np.ndarray]]
"""(q, p) → closed q, how far it was moved, and the gap, for many designs at once."""


def reached(close: Close, first: np.ndarray, described: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Closed positions of designs p, starting from that of the described one; NaN where a design is not reached.

    Designs that cannot be reached by large steps are tried with small ones.
    """
    q = np.full((len(first), p.shape[1]), np.nan)
    for stages in STAGES:
        open_still = np.isnan(q).any(axis=0)
        if open_still.any():
            q[:, open_still] = _reached_by(stages, close, first, described, p[:, open_still])
    return q


def _reached_by(
    stages: int, close: Close, first: np.ndarray, described: np.ndarray, p: np.ndarray
) -> np.ndarray:
    q = np.repeat(first[:, None], p.shape[1], axis=1)
    for stage in [*range(1, stages + 1), *[stages] * POLISH]:
        closed, away, gap = close(q, described[:, None] + (p - described[:, None]) * (stage / stages))
        q = np.where(away < 1.0, closed, np.nan)
    return np.where(gap < CLOSED, q, np.nan)
