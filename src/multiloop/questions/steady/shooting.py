"""A motion that repeats itself, found by shooting: the state that a period leads back to.

    r = Φ_T(z) − z − whole turns = 0

Unknown besides z are the period where nothing sets it, and a parameter where one is to be adjusted. Where the
period is free the phase is not: a coordinate that turns begins where it is, or the first step is across the motion.
The derivatives are differences of the run; those of the last round give Floquet's multipliers.

Source: [nayfeh], the shooting method and Floquet's multipliers.
Differs: all is on the constraints, in independent coordinates; the monodromy matrix is by differences of runs.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from multiloop.questions.steady.flow import Flow
from multiloop.questions.steady.standing import Standing

LIMIT = 40
"""Newton steps."""

NEAR = 1e-6
"""Length of differences in z, T and p."""

WIDE = (1e-3, 3e-5, 1e-6)
"""Length of the last ones, of the fourth order; shorter where a run beside the orbit fails."""

HALVINGS = 8


@dataclass(frozen=True, eq=False)
class Orbit:
    """Where a shot begins, how long it lasts, with which parameters, and what it misses."""

    z: np.ndarray
    period: float
    p: np.ndarray
    missed: np.ndarray

    @property
    def miss(self) -> float:
        """The largest miss: radians, characteristic lengths, the same per second of the rates' own size."""
        return float(np.abs(self.missed).max(initial=0.0))


@dataclass(frozen=True, eq=False)
class Shooting:
    """What is asked: `turning` is the place in ζ of a coordinate that makes whole turns by itself, if any.

    `free` tells whether the period is unknown, `adjusted` the place of a parameter that is; `rate_size` is what 1
    means in rates.
    """

    flow: Flow
    turning: int | None
    turn: float
    free: bool
    adjusted: int | None
    rate_size: float
    winding: np.ndarray  # which ζ are angles of joints that turn

    @cached_property
    def _weights(self) -> np.ndarray:
        n, m, k = self.flow.sizes
        return np.concatenate([np.ones(n), np.full(m, 1 / self.rate_size), np.ones(k)])

    def missed(self, z: np.ndarray, period: float, p: np.ndarray) -> np.ndarray | None:
        """r, rates by their size; None where there is no run."""
        start = self.flow.start(z, p)
        end = None if start is None else self.flow.after(start, period)
        if start is None or end is None:
            return None
        way = self.flow.change(start, end[0])
        whole = np.where(self.winding, 2 * np.pi * np.round(way / (2 * np.pi)), 0.0)
        if self.turning is not None:
            whole[self.turning] = self.turn
        return np.asarray(self._weights * np.concatenate([way - whole, end[1]]))

    def shot(self, z: np.ndarray, period: float, p: np.ndarray) -> Orbit | None:
        """An orbit, whether it closes or not."""
        missed = self.missed(z, period, p)
        return None if missed is None else Orbit(z, period, p, missed)

    def closed(self, first: Orbit) -> Orbit:
        """Newton's method from a first shot, as near as it gets."""
        at = first
        for _ in range(LIMIT):
            step = self._step(at)
            better = None if step is None else self._shorter(at, step)
            if better is None:
                break
            at = better
            if at.miss < 1e-12:
                break
        return at

    def _moved(self, at: Orbit, step: np.ndarray) -> tuple[np.ndarray, float, np.ndarray]:
        """z, T and p after a step in all unknowns: z over its weights, T by itself, p by its size."""
        count = len(at.z)
        z, p, period = at.z + step[:count] / self._weights, at.p.copy(), at.period
        if self.free:
            period = period * (1 + step[count])
        if self.adjusted is not None:
            p[self.adjusted] += step[-1] * self._size(p)
        return z, period, p

    def _size(self, p: np.ndarray) -> float:
        return max(abs(float(p[self.adjusted])), 1.0) if self.adjusted is not None else 1.0

    @property
    def _unknowns(self) -> int:
        return sum(self.flow.sizes) + int(self.free) + int(self.adjusted is not None)

    def _step(self, at: Orbit) -> np.ndarray | None:
        """Newton's step; the phase does not move."""
        columns = []
        for k in range(self._unknowns):
            missed = self.missed(*self._moved(at, NEAR * np.eye(self._unknowns)[k]))
            if missed is None:
                return None
            columns.append((missed - at.missed) / NEAR)
        J = np.column_stack(columns)
        if self.turning is not None:
            J[:, self.turning] = 0.0
        elif self.free:
            J = np.vstack([J, self._along(at)])
        right = np.concatenate([at.missed, np.zeros(len(J) - len(at.missed))])
        step, *_ = np.linalg.lstsq(J, -right, rcond=1e-10)
        return np.asarray(step)

    def _along(self, at: Orbit) -> np.ndarray:
        """The way of the motion where it begins, over all unknowns."""
        later = self.flow.start(at.z, at.p)
        assert later is not None
        h = 1e-4 * at.period
        end = self.flow.after(later, h)
        row = np.zeros(self._unknowns)
        if end is not None:
            row[: len(at.z)] = self._weights * np.concatenate([self.flow.change(later, end[0]), end[1]])
        return row / max(float(np.linalg.norm(row)), 1e-300)

    def _shorter(self, at: Orbit, step: np.ndarray) -> Orbit | None:
        """The step, halved until it helps."""
        size = float(np.abs(step).max(initial=0.0))
        step = step * min(1.0, 1.0 / max(size, 1e-300))
        for _ in range(HALVINGS):
            found = self.shot(*self._moved(at, step))
            if found is not None and found.period > 0 and found.miss < (1 - 1e-3) * at.miss:
                return found
            step = step / 2
        return None

    def monodromy(self, at: Orbit) -> np.ndarray | None:
        """∂Φ_T/∂z, differences of the fourth order; None where runs beside it do not get through."""
        count = len(at.z)
        columns = [self._slope(at, k) for k in range(count)]
        found = [column for column in columns if column is not None]
        if len(found) < count:
            return None
        return np.asarray(np.eye(count) + np.column_stack([np.zeros((count, 0)), *found]))

    def _slope(self, at: Orbit, k: int) -> np.ndarray | None:
        """A column of it less the unit."""
        for width in WIDE:
            way = width * np.eye(self._unknowns)[k]
            around = [self.missed(*self._moved(at, j * way)) for j in (-2, -1, 1, 2)]
            if not any(missed is None for missed in around):
                low, lower, higher, high = np.array(around)
                return np.asarray((8 * (higher - lower) - (high - low)) / (12 * width))
        return None

    def standing(self, at: Orbit) -> Standing:
        """The state in which the orbit begins."""
        found = self.flow.start(at.z, at.p)
        assert found is not None
        return found
