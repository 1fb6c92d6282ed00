"""Sharing of impulses between simultaneous contacts where the rates after the impact do not determine them.

    G Λ = u⁺ − u⁻,      Λₙ ≥ 0,      |Λₜ| ≤ μ Λₙ where a contact sticks,  Λₜ = −μ Λₙ uₜ⁺/|uₜ⁺| where it slides

Contacts that open, uₙ⁺ + e uₙ⁻ > 0, exert no impulse. The impulses of contacts and joints of minimum norm are
reported, as in `shared_loads` for forces. With regularised friction the impulses of the joints are not linear in those
of the contacts, and the norm is that of the contacts alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from multiloop.dynamics.admissible_forces import FrictionCone
from multiloop.questions.answers.shared_forces import SharedForces
from multiloop.questions.running.switching.grips import Grips
from multiloop.questions.running.switching.impulses import Strike
from multiloop.questions.running.switching.shared_loads import REPEATS, Layout, admissible_along, on_touched

IMPULSE = "impulse"
"""The name of the reported quantity of a load."""

AFTER = 1e-9
"""A rate after an impact below this fraction of its summands counts as zero."""

NONE = 1e-10
"""Impulses below this fraction of the largest count as zero."""

Response = tuple[np.ndarray, np.ndarray, np.ndarray]
"""Impulses of the joints, 6 × joints, of the constraint rows, and of efforts along rates."""


@dataclass(frozen=True, eq=False)
class Together:
    """Impulses of closed contacts at one instant, first the normal and then the tangential ones.

    `rates` are their rows Jᵍ, `e` the restitutions of the contacts. `response` gives the joint impulses caused by
    contact impulses; it is None where they are not linear in them.
    """

    grips: Grips
    t: float
    y: np.ndarray
    strike: Strike
    closed: np.ndarray
    rates: np.ndarray
    e: np.ndarray
    response: Callable[[np.ndarray], Response] | None

    def shared(self, found: np.ndarray) -> tuple[np.ndarray, SharedForces | None]:
        """The minimum-norm impulses and their ranges; the given impulses and None where they are unique."""
        if len(found) == 1 and self.strike.G[0, 0] > 0:
            return found, None
        ways = self._ways(found)
        if not ways.shape[1]:
            return found, None
        layout = Layout(self.grips, self.t, self.y)
        scale = np.ones(len(found))
        scale[: len(self.closed)] = layout.of_grip[self.closed]
        u = self._stacked(layout, found, scale)
        place = len(u) - len(found)
        low, high = np.full(len(u), -np.inf), np.full(len(u), np.inf)
        low[place : place + len(self.closed)] = 0.0
        cones = [
            FrictionCone(place + k, tuple((place + across).tolist()), float(self.strike.mu[k]))
            for k, across in enumerate(self.strike.across)
            if len(across) and not self._speed(k, found)
        ]
        columns = [self._stacked(layout, way, scale) for way in ways.T]
        admissible, touched = admissible_along(u, layout.directions(columns), low, high, cones)
        if not admissible.feasible:
            return found, None
        least = u.copy()
        least[touched] = admissible.minimum_norm()
        quantities = layout.of_joints(len(u))
        for k, grip in enumerate(self.closed):
            rows = quantities.setdefault(self.grips.names[grip], {}).setdefault(
                IMPULSE, np.zeros((1, len(u)))
            )
            rows[0, place + k] = 1 / scale[k]
        seen = on_touched(quantities, touched)
        shared = SharedForces(admissible, least[touched], seen, layout.components(touched))
        return self._rounded(least[place:] / scale), shared

    def _rounded(self, impulses: np.ndarray) -> np.ndarray:
        """Impulses with round-off of contacts without an impulse set to zero."""
        found, n = impulses.copy(), len(self.closed)
        for k in np.flatnonzero(impulses[:n] <= NONE * np.abs(impulses).max(initial=0.0)):
            found[[k, *self.strike.across[k]]] = 0.0
        return found

    def _after(self, found: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Rates after the impact, and the sums of magnitudes of their terms."""
        G, u = self.strike.G, self.strike.u
        return u + G @ found, np.abs(u) + np.abs(G) @ np.abs(found)

    def _opens(self, k: int, found: np.ndarray) -> bool:
        """Whether a contact opens faster than by its restitution: then it exerts no impulse."""
        after, size = self._after(found)
        return bool(found[k] <= 0 and after[k] + self.e[k] * self.strike.u[k] > AFTER * size[k])

    def _speed(self, k: int, found: np.ndarray) -> float:
        """The sliding speed of a contact after the impact; 0 where it sticks or has no friction."""
        (after, size), across = self._after(found), self.strike.across[k]
        speed = float(np.linalg.norm(after[across]))
        return speed if speed > AFTER * float(size[across].max(initial=0.0)) else 0.0

    def _ways(self, found: np.ndarray) -> np.ndarray:
        """Changes of the impulses, one for each column, that change no rate and satisfy the laws of all contacts."""
        inertia = self.grips.run.model.inertia(self.y[self.grips.run.layout["q"]])
        yields = np.sqrt(np.einsum("ki,ij,kj->k", self.rates, np.linalg.pinv(inertia), self.rates))
        yields[yields == 0] = 1.0
        rows, after = [self.strike.G / np.outer(yields, yields)], self._after(found)[0]
        for k, across in enumerate(self.strike.across):
            if self._opens(k, found):
                rows.append(np.eye(len(found))[[k, *across]])
            elif speed := self._speed(k, found):
                slides = np.zeros((len(across), len(found)))
                slides[range(len(across)), across] = 1 / yields[across]
                slides[:, k] = self.strike.mu[k] * after[across] / speed / yields[k]
                rows.append(slides / np.linalg.norm(slides, axis=1)[:, None])
        _, sigma, Vt = np.linalg.svd(np.vstack(rows))
        ways: np.ndarray = Vt[int(np.sum(sigma > REPEATS)) :].T / yields[:, None]
        return ways

    def _stacked(self, layout: Layout, impulses: np.ndarray, scale: np.ndarray) -> np.ndarray:
        """The vector u of joint impulses and contact impulses."""
        if self.response is None:
            rows, rates = layout.model.equations.own.count, layout.model.skeleton.rates
            nothing = np.zeros((6, len(layout.reactions.bases))), np.zeros(rows), np.zeros(rates)
            return layout.stacked(*nothing, scale * impulses)
        return layout.stacked(*self.response(impulses), scale * impulses)
