"""Gauss collocation of second-order equations in time: linear maps from the state at one node to that at the next.

Within an interval of length h the accelerations w_i at the Gauss points c_i are unknown, and

    u_i = u₀ + h Σ a_ij w_j,      ζ_i = ζ₀ + c_i h u₀ + h² Σ (a²)_ij w_j,      g(t_i, ζ_i, u_i, w_i) = 0
    u₁ = u₀ + h Σ b_j w_j,        ζ₁ = ζ₀ + h u₀ + h² Σ b_j (1 − c_j) w_j

∂g/∂w may be singular. The equations are not evaluated at the ends of intervals, where drives may have corners.

With a² the amplitude of an oscillation is conserved from node to node for every h ω. The second integral of w
agrees with a² to the order of the method, but amplifies oscillations for some h ω above 9, tenfold per interval at
h ω = 23.

Source: [ascher_mattheij_russell], collocation at Gauss points; superconvergent at the nodes, of order 2s.
Differs: the second order is kept; between the points rates are the derivatives of coordinates.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from multiloop.questions.inversion.internal_dynamics import Slopes

STAGES = 6
"""Gauss points of an interval; with an odd number there is a step length at which growing motions have no solution."""


@dataclass(frozen=True, eq=False)
class Gauss:
    """Points c and weights a, b of the Gauss rule on [0, 1], with a² and b (1 − c) for the second integral."""

    c: np.ndarray
    a: np.ndarray
    b: np.ndarray
    second: np.ndarray
    b_second: np.ndarray

    def weights(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Contributions of w_j at places x of the interval: to w, to u over h, and to ζ over h²; places × points."""
        basis = np.linalg.inv(np.vander(self.c, increasing=True)).T  # powers of x → Lagrange polynomials
        power = np.arange(len(self.c))
        at = np.asarray(x)[:, None]
        once = at ** (power + 1) / (power + 1)
        twice = at ** (power + 2) / ((power + 1) * (power + 2))
        return (at**power) @ basis.T, once @ basis.T, twice @ basis.T


@lru_cache(maxsize=8)
def gauss(stages: int = STAGES) -> Gauss:
    """The Gauss rule on [0, 1]."""
    x, b = np.polynomial.legendre.leggauss(stages)
    c, b = (x + 1) / 2, b / 2
    none = np.zeros((stages, stages))
    _, a, _ = Gauss(c, none, b, none, b * (1 - c)).weights(c)
    return Gauss(c, a, b, a @ a, b * (1 - c))


@dataclass(frozen=True, eq=False)
class Passage:
    """Linear maps across many intervals: z₁ = A z₀ + d, with w = P + Q z₀ at the points; all quantities are changes."""

    A: np.ndarray
    d: np.ndarray
    P: np.ndarray
    Q: np.ndarray


def passages(h: np.ndarray, slopes: Slopes, rule: Gauss) -> Passage:
    """Newton step within every interval as a function of the change at its first node.

    `slopes` have intervals × points instants; K, D, M are (intervals · points) × e × e.
    """
    count, s, e = len(h), len(rule.c), slopes.g.shape[1]
    K, D, M = (part.reshape(count, s, e, e) for part in (slopes.K, slopes.D, slopes.M))
    step = h[:, None, None, None]
    system = np.zeros((count, s, e, s, e))
    for i in range(s):
        for j in range(s):
            system[:, i, :, j, :] = rule.a[i, j] * h[:, None, None] * D[:, i]
            system[:, i, :, j, :] += rule.second[i, j] * (h**2)[:, None, None] * K[:, i]
        system[:, i, :, i, :] += M[:, i]
    by_zeta = K.reshape(count, s * e, e)
    by_u = (rule.c[None, :, None, None] * step * K + D).reshape(count, s * e, e)
    right = -np.concatenate([slopes.g.reshape(count, s * e, 1), by_zeta, by_u], axis=2)
    found = np.linalg.solve(system.reshape(count, s * e, s * e), right).reshape(count, s, e, 1 + 2 * e)
    to_u = h[:, None, None] * np.einsum("j,kjem->kem", rule.b, found)
    to_zeta = (h**2)[:, None, None] * np.einsum("j,kjem->kem", rule.b_second, found)
    change = np.concatenate([to_zeta, to_u], axis=1)
    A = change[:, :, 1:].copy()
    A[:, range(2 * e), range(2 * e)] += 1.0
    A[:, range(e), range(e, 2 * e)] += h[:, None]
    return Passage(A, change[:, :, 0], found[..., 0], found[..., 1:])
