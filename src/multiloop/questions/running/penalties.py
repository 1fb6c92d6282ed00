"""How large must the penalty of a constraint be? Large beside the inertia that the constraint moves."""

from __future__ import annotations

import numpy as np

from multiloop.kinematics.equations import Equations
from multiloop.plan.massless import most_carried

FLAT = 1e-2
"""Square of the slope, relative to the steepest so far, below which rows of a cut count as flat."""


def inertia_moved(
    equations: Equations, J: np.ndarray, q: np.ndarray, p: np.ndarray, most: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The inertia that every row moves, 1 / (J_r I⁻¹ J_rᵀ) with what each joint carries for I, rows × 1.

    J are rows of the loops, then others. Rows of a cut that are alike share the mean, since at a singular position
    one of them may vanish. All may: `most` is the most that they have yielded so far, and they do not count for
    less than rows a tenth as steep. Rows that hold massless links alone have the largest inertia of all. The most
    that they have yielded by now comes second.
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
    """What accelerations miss of J a = γ, as a part of the accelerations along the rows.

    Those are the ones found, and those that the multipliers together give to the tree, `pushed`.
    """
    size = float((np.abs(J) @ (np.abs(a) + np.abs(pushed)) + np.abs(gamma)).max(initial=0.0))
    return float(np.abs(J @ a - gamma).max(initial=0.0)) / size if size else 0.0
