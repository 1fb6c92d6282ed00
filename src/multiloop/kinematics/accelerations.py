"""Accelerations at a given position with given rates that satisfy the loops and requested values."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from multiloop.kinematics.equations import Equations
from multiloop.kinematics.moving_markers import traced_motion
from multiloop.kinematics.rates import READ, cut_places, least_meeting, scaled_rows
from multiloop.kinematics.targets import Target, coordinate_index


def consistent_accelerations(
    equations: Equations,
    t: float,
    q: np.ndarray,
    v: np.ndarray,
    p: np.ndarray,
    targets: Sequence[Target],
    asked: np.ndarray,
) -> tuple[np.ndarray, float]:
    """Minimum-norm accelerations at (q, v) that keep the loops closed and give the targets the values `asked`.

        J a = γ,    N a = asked − (accelerations of the targets for a = 0)

    Also returns the relative part of the right-hand side that is not met. The equations have no targets.
    """
    given = [equations.own_values(t, order) for order in range(3)]
    rows, unit = scaled_rows(equations, q, given[0], p, targets)
    own = equations.own.count
    gamma = equations.rate_row_scale[:own] * equations.gamma(q, v, given, p)[:own]
    left = asked - read_accelerations(equations, q, v, np.zeros_like(v), p, targets)
    fastest = float(np.abs(v / equations.chart.scale).max(initial=0.0))
    y, miss = least_meeting(rows, np.concatenate([gamma, unit * left]), fastest**2)
    return equations.chart.scale * y, miss


def read_accelerations(
    equations: Equations,
    q: np.ndarray,
    v: np.ndarray,
    a: np.ndarray,
    p: np.ndarray,
    targets: Sequence[Target],
) -> np.ndarray:
    """Accelerations of targets: of joints in the tree or cut, or of markers."""
    found = [np.zeros(0)]
    for target in targets:
        if target.on_marker:
            twist_rate = traced_motion(equations, target.of)(q, v, a, p)[1]
            found.append(twist_rate[[READ[component] for component in target.components]])
        elif target.of in equations.skeleton.coordinates:
            skeleton = equations.skeleton
            found.append(a[[coordinate_index(skeleton, target.of, part) for part in target.components]])
        else:
            found.append(equations.cut_motion(q, v, a, p)[1][cut_places(equations, target)])
    return np.concatenate(found)
