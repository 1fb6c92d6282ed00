"""Motion with prescribed outputs at many instants: positions, rates and accelerations from independent coordinates.

With independent coordinates ζ (elastic ones first), u = ζ̇ and w = u̇,

    Φ(q, t) = 0,      [J; S] v = [b; u],      [J; S] a = [γ; w]

S selects the independent rates.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from multiloop.kinematics.equations import Equations
from multiloop.questions.leading.traced_drive import prescribed_values
from multiloop.questions.signals.signals import Signals
from multiloop.questions.steady.balance import Balance

CLOSING = 30
"""Largest number of Newton steps for the loops."""

REPEATED = 1e-10
"""Rows whose singular values are below this part of the largest are redundant."""


@dataclass(frozen=True, eq=False)
class Instants:
    """Motion at many instants, one row each: time, prescribed values, coordinates, rates, accelerations,
    multipliers.
    """

    t: np.ndarray
    s: tuple[np.ndarray, np.ndarray, np.ndarray]
    q: np.ndarray
    v: np.ndarray
    a: np.ndarray
    lam: np.ndarray

    def part(self, which: Any) -> Instants:
        """Some of the instants."""
        parts = (getattr(self, name)[which] for name in ("q", "v", "a", "lam"))
        return Instants(self.t[which], tuple(one[which] for one in self.s), *parts)


@dataclass(frozen=True, eq=False)
class LedMotion:
    """Motion of one mechanism along its plan with prescribed outputs.

    `S` (coordinates × rates) selects independent rates.

    Its first rows are unit rows at elastic coordinates. The drives move within the times `rest` and keep their first
    and last values before and after. `design` are other parameters than the described ones.
    """

    balance: Balance
    S: np.ndarray
    rest: tuple[float, float] = (-np.inf, np.inf)
    design: np.ndarray | None = None

    @property
    def equations(self) -> Equations:
        """Constraint rows along the plan's tree."""
        return self.balance.equations

    @property
    def signals(self) -> Signals:
        """Prescribed motions and known efforts."""
        return self.balance.signals

    @property
    def p(self) -> np.ndarray:
        """Parameters."""
        return self.balance.plan.assembly.p if self.design is None else self.design

    @cached_property
    def x(self) -> np.ndarray:
        """States other than coordinates at their initial values, on which a prescribed motion does not depend."""
        return self.equations.skeleton.initial(self.p)

    # prescribed values ----------------------------------------------------------------------------------

    def prescribed(self, t: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """s, ṡ and s̈ at many times; before and after the motion the drives are at rest."""
        begin, end = self.rest
        inside, own = np.clip(t, begin, end), self.equations.times
        z = self.signals.tables.read(inside)
        s, rate, second = prescribed_values(self.signals).many(t=inside[None], z=z, p=self.p)
        still = ((t < begin) | (t > end))[:, None]
        rate, second = (np.where(still, 0.0, part) for part in (rate, second))
        if own:  # rows that depend on time use the actual time
            s, rate = s.copy(), rate.copy()
            s[:, 0], rate[:, 0] = t, 1.0
        return s, rate, second

    # motion ---------------------------------------------------------------------------------------------

    @cached_property
    def elastic_places(self) -> np.ndarray:
        """Indices in q of the elastic coordinates that the first rows of S select."""
        eq = self.equations
        in_q, in_v = eq.chart.plain
        elastic = {k for link in eq.skeleton.links for k in range(link.eta_rate.start, link.eta_rate.stop)}
        places = [int(np.argmax(row)) for row in self.S if np.count_nonzero(row) == 1]
        return np.array([in_q[list(in_v).index(k)] for k in places if k in elastic], int)

    @property
    def bending(self) -> int:
        """Number of independent elastic coordinates."""
        return len(self.elastic_places)

    def close_loops(self, at: Instants, eta: np.ndarray) -> tuple[Instants, np.ndarray]:
        """Positions with closed loops for given elastic coordinates, and the remaining gap at every instant."""
        eq, q, count = self.equations, at.q.copy(), len(at.t)
        q[:, self.elastic_places] = eta
        row, scale, S = eq.row_scale, eq.chart.scale, np.broadcast_to(self.S, (count, *self.S.shape))
        gap, before = np.zeros(count), np.inf
        for _ in range(CLOSING):
            phi = row * eq._closure.many(q.T, at.s[0].T, self.p)[0].reshape(count, -1)
            gap = np.abs(phi).max(axis=1, initial=0.0)
            worst = gap.max(initial=0.0)
            if not np.isfinite(worst) or worst == 0.0 or before <= eq.skeleton.closed:
                break
            before = worst
            J = eq._jacobian.many(q.T, at.s[0].T, self.p)[0].reshape(count, -1, len(scale))
            rows = np.concatenate([row[:, None] * J * scale, S * scale], axis=1)
            step = stacked_inverses(rows)[:, :, : len(row)] @ -phi[:, :, None]
            q = self._moved(q, scale * step[:, :, 0])
        return replace(at, q=q), gap

    def _moved(self, q: np.ndarray, step: np.ndarray) -> np.ndarray:
        chart = self.equations.chart
        if chart.quaternions:
            return np.array([chart.moved(one, way) for one, way in zip(q, step, strict=True)])
        found, (in_q, in_v) = q.copy(), chart.plain
        found[:, in_q] += step[:, in_v]
        return found

    def moving(self, at: Instants, u: np.ndarray, w: np.ndarray) -> tuple[Instants, np.ndarray]:
        """Rates and accelerations for given u and w, and [J; S]⁻¹ at every instant."""
        eq, count = self.equations, len(at.t)
        inverse = self._inverse(at)
        bias = eq._bias.many(at.q.T, at.s[0].T, at.s[1].T, self.p)[0].reshape(count, -1)
        v = (inverse @ np.concatenate([bias, u], axis=1)[:, :, None])[:, :, 0]
        given = (part.T for part in at.s)
        gamma = eq._gamma.many(at.q.T, v.T, *given, self.p)[0].reshape(count, -1)
        a = (inverse @ np.concatenate([gamma, w], axis=1)[:, :, None])[:, :, 0]
        return replace(at, v=v, a=a), inverse

    def _inverse(self, at: Instants) -> np.ndarray:
        """[J; S]⁻¹ at every instant, computed with rows and rates in radians or characteristic lengths."""
        eq, count, n = self.equations, len(at.t), self.equations.skeleton.rates
        J = eq._rows_jacobian.many(at.q.T, at.t[None], self.p)[0].reshape(count, -1, n)
        rows = np.concatenate([J, np.broadcast_to(self.S, (count, *self.S.shape))], axis=1)
        scale = eq.chart.scale
        row = np.concatenate([eq.rate_row_scale, 1 / (np.abs(self.S) @ scale)])
        found: np.ndarray = scale[:, None] * stacked_inverses(row[:, None] * rows * scale) * row
        return found


def stacked_inverses(rows: np.ndarray) -> np.ndarray:
    """Inverses of many matrices; pseudo-inverses where rows are redundant."""
    if rows.shape[1] == rows.shape[2]:
        return np.linalg.inv(rows)
    return np.linalg.pinv(rows, rcond=REPEATED)
