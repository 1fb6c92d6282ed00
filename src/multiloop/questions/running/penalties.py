"""How large must the penalty of a constraint be? Large beside the inertia that the constraint moves."""

from __future__ import annotations

import numpy as np

from multiloop.kinematics.equations import Equations
from multiloop.plan.massless import most_carried

FLAT = 1e-4
"""Square of the slope, relative to a usual one, below which a row of a cut counts as flat."""


def inertia_moved(equations: Equations, J: np.ndarray, q: np.ndarray, p: np.ndarray) -> np.ndarray:
    """The inertia that every row moves, 1 / (J_r I⁻¹ J_rᵀ) with what each joint carries for I, rows × 1.

    J are rows of the loops, then others. Rows of a cut that are alike share the mean, since at a singular position
    one of them may vanish, and it is not less than that of rows a hundredth of the usual size; rows that hold
    massless links alone have the largest of all.
    """
    carried = most_carried(equations, q, p)
    mobility = np.where(carried > 0, 1 / np.where(carried > 0, carried, 1.0), 0.0)
    yielding, links = J**2 @ mobility, equations.skeleton.links
    for cut, source in zip(equations.skeleton.cuts, equations.sources, strict=False):
        lengths = np.array(source.lengths(equations), bool)
        moved = np.concatenate([np.arange(links[k].v.start, links[k].v.stop) for k in cut.movers])
        usual = np.mean(mobility[moved] / equations.chart.scale[moved] ** 2) if len(moved) else 0.0
        for alike in (lengths, ~lengths):
            rows = np.arange(cut.rows.start, cut.rows.stop)[alike]
            if len(rows):
                least = FLAT * usual / equations.row_scale[rows[0]] ** 2
                yielding[rows] = max(yielding[rows].mean(), least)
    known = yielding > 0
    found = np.full((len(J), 1), float((1 / yielding[known]).max(initial=0.0)) or 1.0)
    found[known, 0] = 1 / yielding[known]
    return found


def part_missed(J: np.ndarray, gamma: np.ndarray, a: np.ndarray, pushed: np.ndarray) -> float:
    """What accelerations miss of J a = γ, as a part of the accelerations along the rows.

    Those are the ones found, and those that the multipliers together give to the tree, `pushed`.
    """
    size = float((np.abs(J) @ (np.abs(a) + np.abs(pushed)) + np.abs(gamma)).max(initial=0.0))
    return float(np.abs(J @ a - gamma).max(initial=0.0)) / size if size else 0.0
