"""The smallest closeness of a run to a singular configuration, independent of the method and the integrator.

Because integrators choose the ends of steps, the closeness is taken at the recorded instants and followed from there
along the motion to its minimum.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from multiloop.kinematics.conditioning import closeness_of, pivoted_rows, row_pivots
from multiloop.kinematics.newton import close
from multiloop.questions.run_errors import NEARLY, PASSED
from multiloop.questions.running.choice import SIZE, held_by_rows
from multiloop.questions.running.forward_model import ForwardModel

SUSPECT = 0.2
"""Closeness at the ends of steps below which a singular configuration may lie between two of them."""

BESIDE = 0.05
"""Closeness of steps and outputs above which the effect of round-off is negligible."""

LOOKS = 64
"""Number of instants of a run at which the closeness is evaluated."""

FARTHEST = 0.5
"""Largest displacement, in radians or characteristic lengths, over which the motion is extrapolated from an instant."""


@dataclass(frozen=True, eq=False)
class Moment:
    """Time, positions, rates and accelerations at one instant of a run."""

    t: float
    q: np.ndarray
    v: np.ndarray
    a: np.ndarray


def nearest_approach(
    model: ForwardModel, looks: Sequence[Moment], steps: tuple[float, float, np.ndarray]
) -> tuple[float, float]:
    """The smallest closeness of a run and its time; where singular configurations are passed, the first of them.

    `looks` are states in the order of time. `steps` holds the smallest closeness at the ends of steps, its time and its
    q: if the motion is not near a singular configuration there, it is nowhere near one.
    """
    least, near, q = steps
    looks = looks[:: max(1, len(looks) // LOOKS)]
    spacing = (looks[-1].t - looks[0].t) / max(len(looks) - 1, 1)
    nearest = min(looks, key=lambda look: abs(look.t - near))
    closeness = Closeness(model, [looks[0], nearest, looks[-1]])
    stepped = max(least, closeness.by_rows(near, q)), near
    found = [closeness.followed(nearest, spacing)]
    if min(found[0], stepped)[0] >= NEARLY:
        return min(found[0], stepped)
    closeness = Closeness(model, looks)
    at = np.array([np.inf, *(closeness(look.t, look.q) for look in looks), np.inf])
    lowest = np.flatnonzero((at[1:-1] < at[:-2]) & (at[1:-1] <= at[2:]))
    found = [(closeness(near, q), near), *(closeness.followed(looks[k], spacing) for k in lowest.tolist())]
    passed = [(t, c) for c, t in found if c < PASSED]
    if passed:
        t, c = min(passed)
        return c, t
    return (
        min(found) if min(found)[0] < NEARLY else stepped
    )  # if the run stays near one position throughout, the sizes of its rows are not representative


class Closeness:
    """Closeness of positions of a run to a singular one (`closeness_of`), with rows scaled by their largest sizes.

    Constraint rows are taken in their own order, or the longest first where some are redundant; the order of the method
    is not used. Rows are compared by the inertia that they move. Because light links do not make a position singular,
    the result is at least the closeness of the rows without inertia.
    """

    def __init__(self, model: ForwardModel, moments: Sequence[Moment]) -> None:
        self.model, self.redundant = model, model.rank < model.equations.rows.count
        self.span = moments[0].t, moments[-1].t
        self.largest = np.max([self._rows(moment.t, moment.q)[2] for moment in moments], axis=0)
        scale = model.equations.chart.scale
        rows = [model.rows_at(moment.q, model.p, moment.t) * scale for moment in moments]
        self.size = float(np.linalg.norm(rows, axis=2).max(initial=SIZE))

    def __call__(self, t: float, q: np.ndarray) -> float:
        """The closeness of a position; 0 at a singular one."""
        pivots, order, _ = self._rows(t, q)
        return max(closeness_of(pivots, self.largest[order]), self.by_rows(t, q))

    def by_rows(self, t: float, q: np.ndarray) -> float:
        """The closeness without regard to the inertia that the rows move."""
        return held_by_rows(self.model, self.model.rows_at(q, self.model.p, t), self.size)

    def followed(self, moment: Moment, spacing: float) -> tuple[float, float]:
        """The smallest closeness along the motion near a state, at most up to the next state, and its time."""
        from scipy.optimize import minimize_scalar  # takes a fifth of a second to import

        speed = float(np.abs(moment.v / self.model.equations.chart.scale).max(initial=0.0))
        reach = min(spacing, FARTHEST / speed) if speed else 0.0
        here = self(moment.t, moment.q)
        if not reach:
            return here, moment.t

        def along(h: float) -> float:
            return self(moment.t + h, self._position(moment, h))

        small = 1e-4 * reach
        slope = (along(small) - along(-small)) / (2 * small)
        ahead = -2 * here / slope if abs(slope) * reach > here else 0.0
        if not ahead:
            return here, moment.t
        begin, end = (float(np.clip(t - moment.t, -reach, reach)) for t in self.span)
        way = sorted((0.0, float(np.clip(ahead, begin, end))))
        if way[0] == way[1]:
            return here, moment.t
        least = minimize_scalar(along, bounds=way, method="bounded", options={"xatol": 1e-9 * reach})
        return min((here, moment.t), (float(least.fun), moment.t + float(least.x)))

    def _position(self, moment: Moment, h: float) -> np.ndarray:
        """The position after h seconds, extrapolated to second order and with loops closed."""
        model, t = self.model, moment.t + h
        q = model.equations.chart.moved(moment.q, h * moment.v + 0.5 * h * h * moment.a)
        return close(model.equations, q, model.drive(t, 0), model.p, limit=6).q

    def _rows(self, t: float, q: np.ndarray) -> tuple[np.ndarray, list[int], np.ndarray]:
        """Pivots of the rows, the numbers of these rows, and the squared sizes of all rows."""
        model = self.model
        J = model.rows_at(q, model.p, t)
        if self.redundant:
            pivots, _, order = pivoted_rows(J, model.grouping)
            return pivots, order, np.sum(J * J, axis=1)
        pivots, sizes = row_pivots(J, model.metric(q, model.p))
        return pivots, list(range(len(J))), sizes
