"""Penalties of constraints, relative to the inertia that each constraint moves."""

from __future__ import annotations

import numpy as np

from multiloop.kinematics.equations import Equations
from multiloop.plan.massless import most_carried

FLAT = 1e-2
"""Squared gradient, relative to the largest so far, below which rows of a cut joint count as vanishing."""


def inertia_moved(
    equations: Equations, J: np.ndarray, q: np.ndarray, p: np.ndarray, most: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The inertia that every row moves, 1 / (J_r I⁻¹ J_rᵀ) with I approximated by the inertia that each joint carries.

    J holds the rows of the loops, then others. Rows of one cut joint with equal dimension share their mean, because
    one of them may vanish at a singular position. In case all of them vanish, `most` holds the largest compliances so
    far, and a compliance is at least `FLAT` times that. Rows that constrain massless links only get the largest
    inertia of all. Returns the inertias, rows × 1, and the updated `most`.
    """
    carried = most_carried(equations, q, p)
    yielding = J**2 @ np.where(carried > 0, 1 / np.where(carried > 0, carried, 1.0), 0.0)
    for constraint, place in zip(equations.own.constraints, equations.own.slices, strict=True):
        lengths = np.array([row.length for row in constraint.rows], bool)
        for alike in (lengths, ~lengths):
            rows = np.arange(place.start, place.stop)[alike]
            yielding[rows] = yielding[rows].mean() if len(rows) else 0.0
    most = np.maximum(most, yielding)
    yielding = np.maximum(yielding, FLAT * most)
    known = yielding > 0
    found = np.full((len(J), 1), float((1 / yielding[known]).max(initial=0.0)) or 1.0)
    found[known, 0] = 1 / yielding[known]
    return found, most


def part_missed(J: np.ndarray, gamma: np.ndarray, a: np.ndarray, pushed: np.ndarray) -> float:
    """The residual of J a = γ, relative to the size of the accelerations along the rows.

    That size counts the accelerations a, and those that all multipliers together cause, `pushed`.
    """
    size = float((np.abs(J) @ (np.abs(a) + np.abs(pushed)) + np.abs(gamma)).max(initial=0.0))
    return float(np.abs(J @ a - gamma).max(initial=0.0)) / size if size else 0.0
