"""Impulses of simultaneous impacts with Coulomb friction.

    u⁺ = u⁻ + G Λ,      uₙ⁺ + e uₙ⁻ ≥ 0  ⟂  Λₙ ≥ 0
    |Λₜ| ≤ μ Λₙ,        uₜ⁺ = 0, or Λₜ = −μ Λₙ uₜ⁺/|uₜ⁺|

Friction acts against the sliding velocity that is left after the impact: it can stop sliding, but never reverse it.
Newton's law may gain energy where friction couples both directions, or where something else prevents the rebound. All
restitutions are then lowered by one factor until the energy does not increase. Impacts without restitution always have
a solution and never gain energy: Λᵀ (u⁺ + u⁻)/2 = Λᵀ u⁺ − Λᵀ G Λ/2 ≤ 0.

Source: [pfeiffer], ch. 6, whose laws are solved here by proximal points and Newton's method.
Differs: the factor on restitutions is ours.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from multiloop.questions.running.switching.complementarity import complementary

MET = 1e-12
"""Largest residual of the impulses, as a fraction of the largest impulse."""

GAIN = 1e-12
"""Energy up to this fraction of the energy moved by the impulses is round-off."""

ROUNDS, SWEEPS, STEPS, HALVINGS = 12, 10, 25, 30
"""Rounds, sweeps over the contacts in each, Newton steps after them; halvings of the restitution factor."""


@dataclass(frozen=True, eq=False)
class Strike:
    """Matrix G and rates u⁻ of all impulses, first the normal and then the tangential ones.

    `across[k]` are the indices of the tangential impulses of contact k, empty where it has no friction.
    """

    G: np.ndarray
    u: np.ndarray
    across: list[np.ndarray]
    mu: np.ndarray

    @property
    def count(self) -> int:
        """Number of contacts."""
        return len(self.across)

    def impulses(self, e: np.ndarray) -> np.ndarray | None:
        """Λ for restitutions e, lowered where they have no solution or gain energy; None where no solution is found."""
        found = self._allowed(e)
        if found is not None or not e.any():
            return found
        low, high, best = 0.0, 1.0, self._allowed(0.0 * e)
        for _ in range(HALVINGS):
            part = (low + high) / 2
            tried = self._allowed(part * e)
            low, high, best = (part, high, tried) if tried is not None else (low, part, best)
        return best

    def loss(self, impulses: np.ndarray) -> float:
        """The energy that the impulses dissipate."""
        return -float(impulses @ (self.u + self.G @ impulses / 2))

    def _allowed(self, e: np.ndarray) -> np.ndarray | None:
        found = self._solved(e)
        if found is None or self.loss(found) < -GAIN * float(np.abs(found) @ np.abs(self.u)):
            return None
        return found

    def _solved(self, e: np.ndarray) -> np.ndarray | None:
        """Λ by Newton's and Coulomb's laws, starting from the frictionless solution, which pivoting gives."""
        n = self.count
        normal = complementary(self.G[:n, :n], self.u[:n] * (1 + e))
        if not any(len(places) for places in self.across):
            return normal
        found = np.zeros(len(self.u))
        if normal is not None:
            found[:n] = normal
        for _ in range(ROUNDS):
            for _ in range(SWEEPS):
                found = self._swept(found, e)
            polished = self._polished(found, e)
            if polished is not None:
                return polished
        return None

    def _weights(self) -> np.ndarray:
        """Step sizes 1/G_kk, equal for the tangential impulses of one contact; 0 where an impulse moves nothing."""
        sizes = np.diag(self.G).copy()
        for places in self.across:
            sizes[places] = sizes[places].max(initial=0.0)
        least = 1e-12 * sizes.max(initial=0.0)
        return np.where(sizes > least, 1 / np.maximum(sizes, least + 1e-300), 0.0)

    def _swept(self, impulses: np.ndarray, e: np.ndarray) -> np.ndarray:
        """One proximal step of each contact in turn (Gauss–Seidel)."""
        found, r = impulses.copy(), self._weights()
        for k, places in enumerate(self.across):
            found[k] = max(0.0, found[k] - r[k] * (self.u[k] * (1 + e[k]) + self.G[k] @ found))
            if len(places):
                tried = found[places] - r[places] * (self.u[places] + self.G[places] @ found)
                size, most = float(np.linalg.norm(tried)), self.mu[k] * found[k]
                found[places] = tried if size <= most else tried * (most / size)
        return found

    def _polished(self, impulses: np.ndarray, e: np.ndarray) -> np.ndarray | None:
        """Newton's method on the same proximal equations; None where it does not converge."""
        found = impulses.copy()
        for _ in range(STEPS):
            left, slopes = self._proximal(found, e)
            size = np.abs(found).max(initial=0.0)
            if np.abs(left).max(initial=0.0) <= MET * max(size, self._scale):
                return found
            step, *_ = np.linalg.lstsq(slopes, -left, rcond=1e-12)
            if not np.isfinite(step).all():
                return None
            found = found + step
        return None

    @property
    def _scale(self) -> float:
        """Characteristic size of the impulses."""
        return float((np.abs(self.u) * self._weights()).max(initial=0.0))

    def _proximal(self, impulses: np.ndarray, e: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The residual Λ − prox(Λ − r u⁺) and its Jacobian."""
        r, after = self._weights(), self.u + self.G @ impulses
        left, slopes = impulses.copy(), np.eye(len(impulses))
        for k, places in enumerate(self.across):
            push = impulses[k] - r[k] * (after[k] + e[k] * self.u[k])
            row = -r[k] * self.G[k]
            row[k] += 1
            if push > 0:
                left[k] -= push
                slopes[k] -= row
            if not len(places):
                continue
            tried = impulses[places] - r[places] * after[places]
            rows = -r[places, None] * self.G[places]
            rows[np.arange(len(places)), places] += 1
            size, most = float(np.linalg.norm(tried)), self.mu[k] * max(impulses[k], 0.0)
            if size > most:
                way = tried / size
                rows = most / size * (rows - np.outer(way, way @ rows))
                if impulses[k] > 0:
                    rows[:, k] += self.mu[k] * way
                tried = most * way
            left[places] -= tried
            slopes[places] -= rows
        return left, slopes
