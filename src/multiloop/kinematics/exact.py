"""Position, rates and accelerations near a singular configuration without round-off, by decimal arithmetic.

Loops that are closed to round-off ε leave the position undetermined by ε/σ along the direction of the smallest singular
value σ; its rates by ε/σ², its accelerations by ε/σ³. Near a singular configuration these are not small. There the same
rows are evaluated in decimals, and Newton's method is continued,

    q ← q − J⁺ Φ(q),      v ← v + J⁺ (b − J v),      a ← a + J⁺ (γ − J a)

with J⁺ in double precision, which affects the rate of convergence and not the result.
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
"""Number of corrections after which the iteration fails …"""

ENOUGH = 1e-28
"""… and the relative size of a correction below which it has converged."""


class ExactRows:
    """The constraint rows of a mechanism, evaluated in decimals."""

    def __init__(self, equations: Equations) -> None:
        eq = self.equations = equations
        self._closure = Precise(eq.function("closure", ("q", "s"), phi=eq.phi))
        rates = {"J": eq.full_jacobian, "bias": eq.rows.bias(eq, eq.given)}
        self._rates = Precise(eq.function("rates", ("q", "s", "s_rate"), **rates))
        gamma = eq.rows.gamma(eq, eq.given)
        self._gamma = Precise(eq.function("gamma", ("q", "v", "s", "s_rate", "s_second"), gamma=gamma))

    def position(self, q: np.ndarray, s: np.ndarray, p: np.ndarray, count: int) -> Decimals | None:
        """q with all loops closed; None if the iteration fails. `count` is the number of independent rows."""
        G = self._least_inverse(q, s, p, count, placed=True)
        if G is None:
            return None

        def correction(at: Decimals) -> np.ndarray:
            return np.asarray(-G @ self._closure(at, s, p)[0].astype(float))

        return self._settled(self._moved(decimals(q), np.zeros(len(G))), correction, self._moved, 1.0)

    def rates(self, q: Decimals, v: np.ndarray, given: Given, p: np.ndarray, count: int) -> Decimals | None:
        """The rates nearest to v that satisfy `count` independent rows at an exact position."""
        J, bias = self._rates(q, *given[:2], p)
        return self._solved(decimals(v), J, bias, self._least_inverse(q.astype(float), given[0], p, count))

    def accelerations(
        self, q: Decimals, v: Decimals, given: Given, p: np.ndarray, count: int
    ) -> Decimals | None:
        """Minimum-norm accelerations that satisfy the rows at an exact position with exact rates."""
        J, _ = self._rates(q, *given[:2], p)
        (gamma,) = self._gamma(q, v, *given, p)
        nothing = decimals(np.zeros(len(v)))
        return self._solved(nothing, J, gamma, self._least_inverse(q.astype(float), given[0], p, count))

    def _solved(self, x: Decimals, J: Decimals, right: Decimals, G: np.ndarray | None) -> Decimals | None:
        """x with J x = right, by corrections with the pseudo-inverse G."""
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
        """x after corrections until these are negligible; None if they do not decrease."""
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
        """J⁺ in double precision, of `count` independent rows: of position rows (`placed`), or of all.

        None if fewer rows are independent.
        """
        eq = self.equations
        linear = linearised(eq, q, s, p, placed=placed)
        if linear.rank < count:
            return None
        scale = eq.row_scale if placed else eq.rate_row_scale
        inverse = (linear.Vt[:count].T / linear.sigma[:count]) @ (linear.U[:, :count].T * scale)
        return np.asarray(eq.chart.scale[:, None] * inverse)

    def _moved(self, q: Decimals, step: np.ndarray) -> Decimals:
        """q after a small step of the rates, quaternions of unit length."""
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
    """The rows of a mechanism in decimals; traced once and cached."""
    return ExactRows(equations)
