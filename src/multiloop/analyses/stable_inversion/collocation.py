"""Gauss collocation of second-order equations in time: rule, linear maps across intervals, and the collocated motion.

Within an interval of length h the accelerations w_i at the Gauss points c_i are unknown, and

    u_i = u₀ + h Σ a_ij w_j,      ζ_i = ζ₀ + c_i h u₀ + h² Σ (a²)_ij w_j,      g(t_i, ζ_i, u_i, w_i) = 0
    u₁ = u₀ + h Σ b_j w_j,        ζ₁ = ζ₀ + h u₀ + h² Σ b_j (1 − c_j) w_j

∂g/∂w may be singular. The equations are not evaluated at the ends of intervals, where drives may have corners.

With a² the amplitude of an oscillation is conserved from node to node for every h ω. The second integral of w
agrees with a² to the order of the method, but amplifies oscillations for some h ω above 9, tenfold per interval at
h ω = 23.

Source: [ascher_mattheij_russell], collocation at Gauss points; superconvergent at the nodes, of order 2s.
Differs: the second order is kept; between the points rates are the derivatives of coordinates.
Theory: docs/theory/11-stable-inversion.md, eqs. (11.5), (11.6).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

import numpy as np

from multiloop.analyses.stable_inversion.internal_dynamics import LinearisedResidual

STAGES = 6
"""Number of Gauss points of an interval; for odd numbers there is a step length at which growing motions have no
solution."""


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
class IntervalMap:
    """Linear maps across many intervals: z₁ = A z₀ + d, with w = P + Q z₀ at the points; all quantities are changes."""

    A: np.ndarray
    d: np.ndarray
    P: np.ndarray
    Q: np.ndarray


def interval_maps(h: np.ndarray, slopes: LinearisedResidual, rule: Gauss) -> IntervalMap:
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
    return IntervalMap(A, change[:, :, 0], found[..., 0], found[..., 1:])


INTERVAL_GROWTH, MOST_INTERVALS = 3.0, 200
"""Ratio of lengths of successive intervals outside the motion, and the approximate largest number of intervals
outside."""

MOST_SPLITS = 4
"""Largest number of parts into which an interval is split at once."""


@dataclass(frozen=True, eq=False)
class NewtonStep:
    """A Newton step: changes of z at the nodes and of w at the Gauss points."""

    z: np.ndarray
    w: np.ndarray


@dataclass(frozen=True, eq=False)
class CollocatedMotion:
    """Nodes in time, z = (ζ, u) there, and w at the Gauss points: intervals × points × coordinates.

    `defect` is the relative residual of the equations of motion between the points, where it is known.
    """

    rule: Gauss
    nodes: np.ndarray
    z: np.ndarray
    w: np.ndarray
    defect: float = 0.0

    @cached_property
    def h(self) -> np.ndarray:
        """Lengths of the intervals."""
        return np.diff(self.nodes)

    @property
    def size(self) -> int:
        """The number of coordinates."""
        return int(self.z.shape[1]) // 2

    @cached_property
    def times(self) -> np.ndarray:
        """Times of all Gauss points."""
        return np.asarray((self.nodes[:-1, None] + self.h[:, None] * self.rule.c).ravel())

    def interpolate(
        self, x: np.ndarray, which: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """ζ, u, w at places x of [0, 1]: of every interval, or one place for each of the intervals `which`."""
        e = self.size
        if which is None:
            w_x, u_x, z_x = (part[None] for part in self.rule.weights(x))
            h, z, w, at = self.h[:, None, None], self.z[:-1, None], self.w, x[None, :, None]
        else:
            w_x, u_x, z_x = (part[:, None] for part in self.rule.weights(x))
            h, z, w = self.h[which, None, None], self.z[which, None], self.w[which]
            at = x[:, None, None]
        u = z[..., e:] + h * (u_x @ w)
        zeta = z[..., :e] + at * h * z[..., e:] + h**2 * (z_x @ w)
        parts = (zeta, u, np.broadcast_to(w_x @ w, u.shape))
        return tuple(part.reshape(part.shape[0] * part.shape[1], e) for part in parts)  # type: ignore[return-value]

    @property
    def points(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """ζ, u, w at the Gauss points, where the equations are evaluated."""
        h, e = self.h[:, None, None], self.size
        zeta, rate = self.z[:-1, None, :e], self.z[:-1, None, e:]
        u = rate + h * (self.rule.a[None] @ self.w)
        zeta = zeta + self.rule.c[None, :, None] * h * rate + h**2 * (self.rule.second[None] @ self.w)
        return tuple(part.reshape(len(self.times), e) for part in (zeta, u, self.w))  # type: ignore[return-value]

    def at(self, t: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """ζ, u, w at given times."""
        which = np.clip(np.searchsorted(self.nodes, t, side="right") - 1, 0, len(self.h) - 1)
        return self.interpolate((t - self.nodes[which]) / self.h[which], which)

    @property
    def interval_ends(self) -> np.ndarray:
        """z at the end of every interval."""
        zeta, u, _ = self.interpolate(np.array([1.0]))
        return np.hstack([zeta, u])

    @property
    def gap(self) -> float:
        """Largest discontinuity between successive intervals, relative to the largest value of each entry."""
        size = np.maximum(np.abs(self.z).max(axis=0), 1e-300)
        return float((np.abs(self.interval_ends - self.z[1:]) / size).max(initial=0.0))

    def after_step(self, step: NewtonStep, part: float = 1.0) -> CollocatedMotion:
        """The motion after a part of a Newton step."""
        return CollocatedMotion(self.rule, self.nodes, self.z + part * step.z, self.w + part * step.w)

    def split(self, parts: np.ndarray) -> CollocatedMotion:
        """The same motion on finer intervals, each split into the given number of equal parts."""
        inner = [
            np.linspace(a, b, k, endpoint=False)
            for a, b, k in zip(self.nodes[:-1], self.nodes[1:], parts.tolist(), strict=True)
        ]
        nodes = np.append(np.concatenate(inner), self.nodes[-1])
        h = np.diff(nodes)
        times = (nodes[:-1, None] + h[:, None] * self.rule.c).ravel()
        zeta, u, _ = self.at(nodes)
        _, _, w = self.at(times)
        return CollocatedMotion(self.rule, nodes, np.hstack([zeta, u]), w.reshape(len(h), -1, self.size))


def interval_splits(defect: np.ndarray, allowed: float, stages: int) -> np.ndarray:
    """Number of parts for every interval: the defect is proportional to its length to the power `stages`."""
    asked = np.ceil((np.maximum(defect, 1e-300) / allowed) ** (1 / stages))
    return np.where(defect > allowed, np.clip(asked, 2, MOST_SPLITS), 1).astype(int)


def first_nodes(corners: list[float], before: float, after: float, parts: int) -> np.ndarray:
    """Nodes at all corners and evenly spaced between them; outside, intervals become longer away from the motion."""
    begin, end = corners[0], corners[-1]
    step = (end - begin) / parts
    inner = [
        np.linspace(a, b, max(1, int(np.ceil((b - a) / step - 1e-9))), endpoint=False)
        for a, b in pairwise(corners)
    ]
    early, late = (_growing_intervals(step, length) for length in (before, after))
    return np.concatenate([begin - early[::-1], *inner, [end], end + late])


def _growing_intervals(step: float, length: float) -> np.ndarray:
    """Distances from an end of the motion, each interval a tenth longer than the last, up to a largest length."""
    found, at, h, longest = list[float](), 0.0, step, max(INTERVAL_GROWTH * step, length / MOST_INTERVALS)
    while length - at > 1e-12:
        at = length if at + 1.5 * h > length else at + h
        found.append(at)
        h = min(1.1 * h, longest)
    return np.array(found)
