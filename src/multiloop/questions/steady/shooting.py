"""Periodic orbits by the shooting method: the initial state to which the flow returns after one period.

    r = Φ_T(z) − z − whole turns = 0

Besides z, the period is unknown where nothing prescribes it, and a parameter where one is to be adjusted. Where the
period is unknown the phase is fixed: a rotating coordinate starts where it is, or the step is orthogonal to the motion.
Derivatives are finite differences of simulations; those at the solution give the Floquet multipliers.

Source: [nayfeh], the shooting method and Floquet multipliers.
Differs: formulated on the constraints, in independent coordinates; the monodromy matrix is computed by differences.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from multiloop.questions.steady.flow import Flow
from multiloop.questions.steady.standing import Standing

LIMIT = 40
"""Largest number of Newton steps."""

NEAR = 1e-6
"""Step of the finite differences in z, T and p."""

WIDE = (1e-3, 3e-5, 1e-6)
"""Steps of the fourth-order differences for the monodromy matrix; the next is tried if a simulation fails."""

HALVINGS = 8


@dataclass(frozen=True, eq=False)
class Orbit:
    """A trial orbit: initial deviations, period, parameters, and the mismatch after one period."""

    z: np.ndarray
    period: float
    p: np.ndarray
    missed: np.ndarray

    @property
    def miss(self) -> float:
        """Largest mismatch, in radians, characteristic lengths, and relative to the size of rates."""
        return float(np.abs(self.missed).max(initial=0.0))


@dataclass(frozen=True, eq=False)
class Shooting:
    """A shooting problem: `turning` is the index in ζ of a freely rotating coordinate, if any, `turn` its angle.

    `free` states whether the period is unknown, `adjusted` is the index of an unknown parameter, `rate_size` the scale
    of the rates.
    """

    flow: Flow
    turning: int | None
    turn: float
    free: bool
    adjusted: int | None
    rate_size: float
    winding: np.ndarray  # mask of the ζ that are angles of rotating joints

    @cached_property
    def _weights(self) -> np.ndarray:
        n, m, k = self.flow.sizes
        return np.concatenate([np.ones(n), np.full(m, 1 / self.rate_size), np.ones(k)])

    def missed(self, z: np.ndarray, period: float, p: np.ndarray) -> np.ndarray | None:
        """Mismatch r, with scaled rates; None if the simulation fails."""
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
        """The trial orbit of given unknowns, closed or not; None if the simulation fails."""
        missed = self.missed(z, period, p)
        return None if missed is None else Orbit(z, period, p, missed)

    def closed(self, first: Orbit) -> Orbit:
        """The best orbit that Newton's method reaches from an initial one."""
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
        """z, T and p after a step in all unknowns; steps of T are relative, those of z and p are scaled."""
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
        """Newton step with fixed phase."""
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
        """Unit vector along the motion at its initial state, over all unknowns."""
        later = self.flow.start(at.z, at.p)
        assert later is not None
        h = 1e-4 * at.period
        end = self.flow.after(later, h)
        row = np.zeros(self._unknowns)
        if end is not None:
            row[: len(at.z)] = self._weights * np.concatenate([self.flow.change(later, end[0]), end[1]])
        return row / max(float(np.linalg.norm(row)), 1e-300)

    def _shorter(self, at: Orbit, step: np.ndarray) -> Orbit | None:
        """The orbit after the step, halved until the mismatch decreases; None if it does not."""
        size = float(np.abs(step).max(initial=0.0))
        step = step * min(1.0, 1.0 / max(size, 1e-300))
        for _ in range(HALVINGS):
            found = self.shot(*self._moved(at, step))
            if found is not None and found.period > 0 and found.miss < (1 - 1e-3) * at.miss:
                return found
            step = step / 2
        return None

    def monodromy(self, at: Orbit) -> np.ndarray | None:
        """Monodromy matrix ∂Φ_T/∂z by fourth-order differences; None if a simulation near the orbit fails."""
        count = len(at.z)
        columns = [self._slope(at, k) for k in range(count)]
        found = [column for column in columns if column is not None]
        if len(found) < count:
            return None
        return np.asarray(np.eye(count) + np.column_stack([np.zeros((count, 0)), *found]))

    def _slope(self, at: Orbit, k: int) -> np.ndarray | None:
        """One column of the monodromy matrix minus the identity."""
        for width in WIDE:
            way = width * np.eye(self._unknowns)[k]
            around = [self.missed(*self._moved(at, j * way)) for j in (-2, -1, 1, 2)]
            if not any(missed is None for missed in around):
                low, lower, higher, high = np.array(around)
                return np.asarray((8 * (higher - lower) - (high - low)) / (12 * width))
        return None

    def standing(self, at: Orbit) -> Standing:
        """Initial state of the orbit."""
        found = self.flow.start(at.z, at.p)
        assert found is not None
        return found
