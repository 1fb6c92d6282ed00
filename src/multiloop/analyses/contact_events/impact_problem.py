"""Impulses of simultaneous impacts with Coulomb friction; the linear complementarity problem without friction.

    u⁺ = u⁻ + G Λ,      uₙ⁺ + e uₙ⁻ ≥ 0  ⟂  Λₙ ≥ 0
    |Λₜ| ≤ μ Λₙ,        uₜ⁺ = 0, or Λₜ = −μ Λₙ uₜ⁺/|uₜ⁺|

u⁻ and u⁺ are the relative rates at the contacts before and after the impact, with the indices n and t for normal and
tangential components, Λ the impulses, G the matrix of rate changes caused by unit impulses, e the restitutions and μ
the coefficients of friction. Friction acts against the sliding velocity that is left after the impact: it can stop
sliding, but never reverse it. Newton's law of impact may increase the energy where friction couples normal and
tangential directions, or where other constraints prevent the rebound. All restitutions are then lowered by one factor
until the energy does not increase. Impacts without restitution always have a solution and never increase the energy: Λᵀ
(u⁺ + u⁻)/2 = Λᵀ u⁺ − Λᵀ G Λ/2 ≤ 0.

Source: [pfeiffer], ch. 6; the laws given there are solved here by proximal-point iterations and Newton's method.
Differs: the factor on restitutions is ours.

Without friction this is the linear complementarity problem

    w = M z + q,      w ≥ 0,  z ≥ 0,  wᵀ z = 0

where z are the normal impulses Λₙ, w the differences between the normal rates uₙ⁺ and the values −e uₙ⁻ that
restitution requires, M the block of G for normal impulses, and q = (1 + e) uₙ⁻.

Source: [murty], least-index principal pivoting, which ends for every M with positive principal minors.
Differs: the equations of the active contacts are solved by least squares, so that redundant contacts share their load.
SciPy has no solver for complementarity problems.
Theory: docs/theory/12-contact.md, eqs. (12.5), (12.9)–(12.11).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

RESIDUAL = 1e-12
"""Largest residual of the laws of impact, as a fraction of the largest impulse."""

ENERGY_ROUND_OFF = 1e-12
"""An increase of the energy counts as round-off up to this fraction of the sum of all |impulse × rate before
impact|."""

ROUNDS, SWEEPS, STEPS, HALVINGS = 12, 10, 25, 30
"""Largest numbers of rounds, of proximal sweeps over the contacts in each round, of Newton steps at the end of each
round, and of bisections of the interval of the restitution factor."""


@dataclass(frozen=True, eq=False)
class ImpactProblem:
    """Data of simultaneous impacts: the matrix G of rate changes caused by unit impulses, and the rates u⁻ before the
    impact (`u`).

    The normal impulses of all contacts come first, then the tangential impulses. `tangential[k]` are the indices of the
    tangential impulses of contact k (empty if it has no friction), `mu[k]` is its coefficient of friction.
    """

    G: np.ndarray
    u: np.ndarray
    tangential: list[np.ndarray]
    mu: np.ndarray

    @property
    def count(self) -> int:
        """Number of contacts."""
        return len(self.tangential)

    def impulses(self, e: np.ndarray) -> np.ndarray | None:
        """Impulses Λ for the restitutions e of the contacts; None if no solution is found.

        If there is no solution for e, or if the energy would increase, all restitutions are lowered by one factor.
        """
        found = self._solve_dissipative(e)
        if found is not None or not e.any():
            return found
        low, high, best = 0.0, 1.0, self._solve_dissipative(0.0 * e)
        for _ in range(HALVINGS):
            part = (low + high) / 2
            tried = self._solve_dissipative(part * e)
            low, high, best = (part, high, tried) if tried is not None else (low, part, best)
        return best

    def loss(self, impulses: np.ndarray) -> float:
        """The energy that the impulses dissipate."""
        return -float(impulses @ (self.u + self.G @ impulses / 2))

    def _solve_dissipative(self, e: np.ndarray) -> np.ndarray | None:
        found = self._solve(e)
        if found is None or self.loss(found) < -ENERGY_ROUND_OFF * float(np.abs(found) @ np.abs(self.u)):
            return None
        return found

    def _solve(self, e: np.ndarray) -> np.ndarray | None:
        """Impulses Λ that satisfy Newton's law, with the restitutions e, and Coulomb's law; the iteration starts from
        the frictionless solution, which is found by pivoting."""
        n = self.count
        normal = solve_lcp(self.G[:n, :n], self.u[:n] * (1 + e))
        if not any(len(places) for places in self.tangential):
            return normal
        found = np.zeros(len(self.u))
        if normal is not None:
            found[:n] = normal
        for _ in range(ROUNDS):
            for _ in range(SWEEPS):
                found = self._sweep(found, e)
            polished = self._newton(found, e)
            if polished is not None:
                return polished
        return None

    def _weights(self) -> np.ndarray:
        """Step sizes r of the proximal steps: 1/G_kk with the rate change G_kk caused by a unit of impulse k, equal for
        the tangential impulses of one contact, and 0 for an impulse that changes no rate."""
        sizes = np.diag(self.G).copy()
        for places in self.tangential:
            sizes[places] = sizes[places].max(initial=0.0)
        least = 1e-12 * sizes.max(initial=0.0)
        return np.where(sizes > least, 1 / np.maximum(sizes, least + 1e-300), 0.0)

    def _sweep(self, impulses: np.ndarray, e: np.ndarray) -> np.ndarray:
        """The impulses after one proximal step of each contact in turn (Gauss–Seidel)."""
        found, r = impulses.copy(), self._weights()
        for k, places in enumerate(self.tangential):
            found[k] = max(0.0, found[k] - r[k] * (self.u[k] * (1 + e[k]) + self.G[k] @ found))
            if len(places):
                tried = found[places] - r[places] * (self.u[places] + self.G[places] @ found)
                size, most = float(np.linalg.norm(tried)), self.mu[k] * found[k]
                found[places] = tried if size <= most else tried * (most / size)
        return found

    def _newton(self, impulses: np.ndarray, e: np.ndarray) -> np.ndarray | None:
        """Newton's method on the proximal equations; None if it does not converge."""
        found = impulses.copy()
        for _ in range(STEPS):
            residual, slopes = self._proximal(found, e)
            size = np.abs(found).max(initial=0.0)
            if np.abs(residual).max(initial=0.0) <= RESIDUAL * max(size, self._impulse_scale):
                return found
            step, *_ = np.linalg.lstsq(slopes, -residual, rcond=1e-12)
            if not np.isfinite(step).all():
                return None
            found = found + step
        return None

    @property
    def _impulse_scale(self) -> float:
        """Characteristic size of the impulses."""
        return float((np.abs(self.u) * self._weights()).max(initial=0.0))

    def _proximal(self, impulses: np.ndarray, e: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The residual Λ − prox(Λ − r u⁺) and its Jacobian with respect to the impulses Λ.

        u⁺ are the rates after the impact, e the restitutions, r the step sizes, and prox is the nearest admissible
        impulse.
        """
        r, after = self._weights(), self.u + self.G @ impulses
        residual, slopes = impulses.copy(), np.eye(len(impulses))
        for k, places in enumerate(self.tangential):
            push = impulses[k] - r[k] * (after[k] + e[k] * self.u[k])
            row = -r[k] * self.G[k]
            row[k] += 1
            if push > 0:
                residual[k] -= push
                slopes[k] -= row
            if not len(places):
                continue
            tried = impulses[places] - r[places] * after[places]
            rows = -r[places, None] * self.G[places]
            rows[np.arange(len(places)), places] += 1
            size, most = float(np.linalg.norm(tried)), self.mu[k] * max(impulses[k], 0.0)
            if size > most:
                slip_direction = tried / size
                rows = most / size * (rows - np.outer(slip_direction, slip_direction @ rows))
                if impulses[k] > 0:
                    rows[:, k] += self.mu[k] * slip_direction
                tried = most * slip_direction
            residual[places] -= tried
            slopes[places] -= rows
        return residual, slopes


ROUND_OFF = 1e-10
"""Entries of w and z in the linear complementarity problem w = M z + q count as nonnegative if they are above minus
this fraction of the largest entry of z, or of the sum of the magnitudes of the terms of w."""

MOST_ENUMERATED = 12
"""Largest number of contacts for which all active sets are tried if pivoting does not terminate."""


def solve_lcp(M: np.ndarray, q: np.ndarray) -> np.ndarray | None:
    """The vector z that solves the linear complementarity problem w = M z + q, w ≥ 0, z ≥ 0, wᵀ z = 0.

    In an impact without friction the entries of z are the normal impulses of the contacts, and those of w the excess of
    their normal rates over the rates that restitution requires. If pivoting does not terminate, all sets of active
    contacts are tried. None is returned if there is no solution, or if pivoting does not terminate and there are more
    than MOST_ENUMERATED contacts.
    """
    n = len(q)
    active = np.zeros(n, bool)
    for _ in range(50 * (n + 1)):
        z, bad = _try_active(M, q, active)
        if not bad.any():
            return _share_among_closed(M, q, z)
        active[int(np.argmax(bad))] ^= True
    if n > MOST_ENUMERATED:
        return None
    for size in range(n + 1):
        for chosen in combinations(range(n), size):
            z, bad = _try_active(M, q, np.isin(np.arange(n), chosen))
            if not bad.any():
                return z
    return None


def _share_among_closed(M: np.ndarray, q: np.ndarray, z: np.ndarray) -> np.ndarray:
    """Impulses z of the complementarity problem w = M z + q, with the load shared among all contacts that have the rate
    required by restitution (w = 0); the given impulses z if the shared ones violate the complementarity conditions."""
    size = np.abs(M) @ np.abs(z) + np.abs(q)
    shared, bad = _try_active(M, q, np.abs(M @ z + q) <= 1e3 * ROUND_OFF * size)
    return z if bad.any() else np.where(shared > ROUND_OFF * np.abs(shared).max(initial=0.0), shared, 0.0)


def _try_active(M: np.ndarray, q: np.ndarray, active: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The solution z of w = M z + q = 0 for the `active` contacts, with z = 0 for all others, and the mask of the
    contacts that violate the complementarity conditions."""
    z = np.zeros(len(q))
    if active.any():
        z[active] = np.linalg.lstsq(M[np.ix_(active, active)], -q[active], rcond=1e-12)[0]
    w = M @ z + q
    size = np.abs(M) @ np.abs(z) + np.abs(q)
    push = np.abs(z).max(initial=0.0)
    held = np.abs(w) <= 1e3 * ROUND_OFF * size
    return z, np.where(active, (z < -ROUND_OFF * push) | ~held, w < -ROUND_OFF * size)
