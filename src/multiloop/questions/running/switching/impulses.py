"""Impulses of contacts with friction that are struck at once: how large, and which way do they point?

    u⁺ = u⁻ + G Λ,      uₙ⁺ + e uₙ⁻ ≥ 0  ⟂  Λₙ ≥ 0
    |Λₜ| ≤ μ Λₙ,        uₜ⁺ = 0, or Λₜ = −μ Λₙ uₜ⁺/|uₜ⁺|

Friction acts against the sliding that is left after the impact: it ends one, and never turns it round. Where Newton's
law would gain energy, which it may do where friction couples both directions, or where something else holds the rebound
back, all restitutions are lowered by one factor until it does not. Dead impacts always have a solution, and
never gain: Λᵀ (u⁺ + u⁻)/2 = Λᵀ u⁺ − Λᵀ G Λ/2 ≤ 0.

Source: [pfeiffer], ch. 6, whose laws are solved here by proximal points and Newton's steps.
Differs: the factor on restitutions is ours.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from multiloop.questions.running.switching.complementarity import complementary

MET = 1e-12
"""What may be left of impulses, as a part of the largest."""

GAIN = 1e-12
"""Energy up to this part of what impulses move is round-off."""

ROUNDS, SWEEPS, STEPS, HALVINGS = 12, 10, 25, 30
"""Rounds of sweeps from contact to contact, each followed by Newton's steps; halvings of the factor."""


@dataclass(frozen=True, eq=False)
class Strike:
    """G of all impulses, first those along the normals and then those across them; u⁻ of the same.

    `across[k]` are the places of those across the normal of contact k, none where it is smooth.
    """

    G: np.ndarray
    u: np.ndarray
    across: list[np.ndarray]
    mu: np.ndarray

    @property
    def count(self) -> int:
        """Contacts."""
        return len(self.across)

    def impulses(self, e: np.ndarray) -> np.ndarray | None:
        """Λ for restitutions e, lowered where these have no solution or gain energy; None where none was found."""
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
        """The energy that they take."""
        return -float(impulses @ (self.u + self.G @ impulses / 2))

    def _allowed(self, e: np.ndarray) -> np.ndarray | None:
        found = self._solved(e)
        if found is None or self.loss(found) < -GAIN * float(np.abs(found) @ np.abs(self.u)):
            return None
        return found

    def _solved(self, e: np.ndarray) -> np.ndarray | None:
        """Λ by Newton's law and Coulomb's; frictionless contacts by pivots, else from their solution on."""
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
        """1/G of every impulse for itself, the same across a normal both ways; 0 where it moves nothing."""
        sizes = np.diag(self.G).copy()
        for places in self.across:
            sizes[places] = sizes[places].max(initial=0.0)
        least = 1e-12 * sizes.max(initial=0.0)
        return np.where(sizes > least, 1 / np.maximum(sizes, least + 1e-300), 0.0)

    def _swept(self, impulses: np.ndarray, e: np.ndarray) -> np.ndarray:
        """One proximal step of every contact after the other."""
        found, r = impulses.copy(), self._weights()
        for k, places in enumerate(self.across):
            found[k] = max(0.0, found[k] - r[k] * (self.u[k] * (1 + e[k]) + self.G[k] @ found))
            if len(places):
                tried = found[places] - r[places] * (self.u[places] + self.G[places] @ found)
                size, most = float(np.linalg.norm(tried)), self.mu[k] * found[k]
                found[places] = tried if size <= most else tried * (most / size)
        return found

    def _polished(self, impulses: np.ndarray, e: np.ndarray) -> np.ndarray | None:
        """Newton's steps on the same proximal equations; None where they do not end."""
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
        """An impulse of the size of what strikes."""
        return float((np.abs(self.u) * self._weights()).max(initial=0.0))

    def _proximal(self, impulses: np.ndarray, e: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Λ − prox(Λ − r u⁺), and its slopes."""
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
