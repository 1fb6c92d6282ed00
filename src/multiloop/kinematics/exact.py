"""Where does a mechanism stand beside a singular position, and how does it move, round-off apart?

Loops that are closed to round-off ε leave the position open by ε/σ along the direction that is held least, σ its
singular value; its rates by ε/σ², its accelerations by ε/σ³. Beside a singular position these are no small numbers. So
the same rows are evaluated in decimals there, and Newton's method goes on,

    q ← q − J⁺ Φ(q),      v ← v + J⁺ (b − J v),      a ← a + J⁺ (γ − J a)

with the J⁺ of the double: it decides how fast that goes, not where it ends.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import localcontext
from functools import lru_cache

import numpy as np

from multiloop.kinematics.equations import Equations, Given
from multiloop.kinematics.rates import linearised
from multiloop.symbols.decimals import CONTEXT
from multiloop.symbols.precise import Decimals, Precise, decimals

ROUNDS = 40
"""Corrections after which an exact answer is given up …"""

ENOUGH = 1e-28
"""… and the size of one, relative to what is corrected, below which it is found."""


class ExactRows:
    """The rows of a mechanism in decimals."""

    def __init__(self, equations: Equations) -> None:
        eq = self.equations = equations
        self._closure = Precise(eq.function("closure", ("q", "s"), phi=eq.phi))
        rates = {"J": eq.full_jacobian, "bias": eq.rows.bias(eq, eq.given)}
        self._rates = Precise(eq.function("rates", ("q", "s", "s_rate"), **rates))
        gamma = eq.rows.gamma(eq, eq.given)
        self._gamma = Precise(eq.function("gamma", ("q", "v", "s", "s_rate", "s_second"), gamma=gamma))

    def position(self, q: np.ndarray, s: np.ndarray, p: np.ndarray, count: int) -> Decimals | None:
        """q with every loop closed; None where there is no such position beside it. `count` rows are independent."""
        G = self._least_inverse(q, s, p, count, placed=True)
        if G is None:
            return None

        def correction(at: Decimals) -> np.ndarray:
            return np.asarray(-G @ self._closure(at, s, p)[0].astype(float))

        return self._settled(self._moved(decimals(q), np.zeros(len(G))), correction, self._moved, 1.0)

    def rates(self, q: Decimals, v: np.ndarray, given: Given, p: np.ndarray, count: int) -> Decimals | None:
        """v that obeys `count` independent rows at an exact position, nearest to the given one."""
        J, bias = self._rates(q, *given[:2], p)
        return self._solved(decimals(v), J, bias, self._least_inverse(q.astype(float), given[0], p, count))

    def accelerations(
        self, q: Decimals, v: Decimals, given: Given, p: np.ndarray, count: int
    ) -> Decimals | None:
        """The least a that obeys the rows at an exact position with exact rates."""
        J, _ = self._rates(q, *given[:2], p)
        (gamma,) = self._gamma(q, v, *given, p)
        nothing = decimals(np.zeros(len(v)))
        return self._solved(nothing, J, gamma, self._least_inverse(q.astype(float), given[0], p, count))

    def _solved(self, x: Decimals, J: Decimals, right: Decimals, G: np.ndarray | None) -> Decimals | None:
        """x with J x = right."""
        if G is None:
            return None
        rows = J.reshape(len(right), len(x))
        size = sum(
            float(np.abs(part).max(initial=0.0)) for part in (G @ right.astype(float), x.astype(float))
        )

        def correction(x: Decimals) -> np.ndarray:
            return np.asarray(G @ (right - rows @ x).astype(float))

        return self._settled(x, correction, lambda x, step: x + decimals(step), size)

    def _settled(
        self,
        x: Decimals,
        correction: Callable[[Decimals], np.ndarray],
        corrected: Callable[[Decimals, np.ndarray], Decimals],
        size: float,
    ) -> Decimals | None:
        """x corrected until nothing is left to correct; None where corrections do not fade."""
        least = np.inf
        with localcontext(CONTEXT):
            for _ in range(ROUNDS):
                step = correction(x)
                left = float(np.abs(step / self.equations.chart.scale).max(initial=0.0))
                if left <= ENOUGH * size:
                    return x
                if not left <= 2 * least:
                    return None
                least = min(least, left)
                x = corrected(x, step)
        return None

    def _least_inverse(
        self, q: np.ndarray, s: np.ndarray, p: np.ndarray, count: int, *, placed: bool = False
    ) -> np.ndarray | None:
        """J⁺ of the double, of `count` independent rows: those that hold positions (`placed`), or all.

        None where fewer are independent.
        """
        eq = self.equations
        linear = linearised(eq, q, s, p, placed=placed)
        if linear.rank < count:
            return None
        scale = eq.row_scale if placed else eq.rate_row_scale
        inverse = (linear.Vt[:count].T / linear.sigma[:count]) @ (linear.U[:, :count].T * scale)
        return np.asarray(eq.chart.scale[:, None] * inverse)

    def _moved(self, q: Decimals, step: np.ndarray) -> Decimals:
        """q after a small step in the tangent, quaternions of unit length."""
        new, (in_q, in_v) = q.copy(), self.equations.chart.plain
        with localcontext(CONTEXT):
            new[in_q] = q[in_q] + decimals(step)[in_v]
            for place, rate in self.equations.chart.quaternions:
                e, x = q[place], decimals(step)[rate] / 2
                turned = np.concatenate([[e[0] - x @ e[1:]], e[1:] + e[0] * x + np.cross(x, e[1:])])
                new[place] = turned / CONTEXT.sqrt(turned @ turned)
        return new


@lru_cache(maxsize=16)
def exact_rows(equations: Equations) -> ExactRows:
    """The rows of a mechanism in decimals, traced once."""
    return ExactRows(equations)
