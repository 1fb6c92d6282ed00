"""Gauss collocation of second-order equations in time: rule, linear maps across intervals, and the collocated motion.

The equations g(t, ζ, u, w) = 0 contain coordinates ζ, rates u and accelerations w. Within an interval of length h that
begins with ζ₀ and u₀ and ends with ζ₁ and u₁, the accelerations w_i at the Gauss points c_i (fractions of h) are
unknown, and

    u_i = u₀ + h Σ a_ij w_j,      ζ_i = ζ₀ + c_i h u₀ + h² Σ (a²)_ij w_j,      g(t_i, ζ_i, u_i, w_i) = 0
    u₁ = u₀ + h Σ b_j w_j,        ζ₁ = ζ₀ + h u₀ + h² Σ b_j (1 − c_j) w_j

with the weights a_ij and b_j of Gauss's rule. ∂g/∂w may be singular. The equations are not evaluated at the ends of
intervals, where drives may have corners.

a² is the square of the matrix a = (a_ij). With a² the amplitude of an oscillation of frequency ω is conserved from node
to node for every h ω. The exact second integral of the interpolated w agrees with a² to the order of the method, but
amplifies oscillations for some h ω above 9, tenfold per interval at h ω = 23.

Source: [ascher_mattheij_russell], collocation at Gauss points; superconvergent at the nodes, of order 2s with s points.
Differs: the equations are not reduced to first order; between the points rates are the derivatives of coordinates.
Theory: docs/theory/11-stable-inversion.md, eqs. (11.5), (11.6).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

import numpy as np

from multiloop.analyses.stable_inversion.internal_dynamics import LinearisedResidual

STAGES = 6
"""Number of Gauss points per interval; with an odd number there is an interval length at which the equations of a
growing motion are singular."""


@dataclass(frozen=True, eq=False)
class Gauss:
    """Points c and weights a, b of the Gauss rule on [0, 1], and the weights of second integrals: `second` is a²,
    `b_second` is b (1 − c)."""

    c: np.ndarray
    a: np.ndarray
    b: np.ndarray
    second: np.ndarray
    b_second: np.ndarray

    def weights(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Weights of the accelerations w_j at the Gauss points, for positions x in [0, 1] of an interval of length h.

        They are the contributions of w_j to the accelerations w, to the rates u divided by h, and to the coordinates ζ
        divided by h², each an array of positions × Gauss points.
        """
        # coefficients of the Lagrange polynomials at the points c, one row per polynomial
        basis = np.linalg.inv(np.vander(self.c, increasing=True)).T
        power = np.arange(len(self.c))
        at = np.asarray(x)[:, None]
        once = at ** (power + 1) / (power + 1)
        twice = at ** (power + 2) / ((power + 1) * (power + 2))
        return (at**power) @ basis.T, once @ basis.T, twice @ basis.T


@lru_cache(maxsize=8)
def gauss(stages: int = STAGES) -> Gauss:
    """The Gauss rule on [0, 1] with the given number of points."""
    x, b = np.polynomial.legendre.leggauss(stages)
    c, b = (x + 1) / 2, b / 2
    none = np.zeros((stages, stages))
    _, a, _ = Gauss(c, none, b, none, b * (1 - c)).weights(c)
    return Gauss(c, a, b, a @ a, b * (1 - c))


@dataclass(frozen=True, eq=False)
class IntervalMap:
    """Linear maps of changes across many intervals: z₁ = A z₀ + d, and w = P + Q z₀ at the Gauss points.

    z₀ and z₁ are the changes of the state (coordinates ζ, rates u) at both ends of an interval, w those of the
    accelerations.
    """

    A: np.ndarray
    d: np.ndarray
    P: np.ndarray
    Q: np.ndarray


def interval_maps(h: np.ndarray, slopes: LinearisedResidual, rule: Gauss) -> IntervalMap:
    """The Newton step within every interval as a linear function of the change of state at the first node.

    h are the interval lengths. `slopes` contains the linearised residual at all Gauss points of all intervals; its
    derivatives K, D and M are arrays of (intervals · points) × e × e for e coordinates.
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
"""Largest length of an interval in the settling periods, in intervals of the motion, and the approximate largest number
of intervals in a settling period, which permits longer ones."""

MOST_SPLITS = 4
"""Largest number of parts into which one refinement of the mesh splits an interval."""


@dataclass(frozen=True, eq=False)
class NewtonStep:
    """A Newton step: changes of the states z at the nodes and of the accelerations w at the Gauss points."""

    z: np.ndarray
    w: np.ndarray


@dataclass(frozen=True, eq=False)
class CollocatedMotion:
    """A motion by collocation: times of the nodes, states z at the nodes, and accelerations w at the Gauss points.

    A state z = (ζ, u) consists of independent coordinates ζ and their rates u. `w` is intervals × points × coordinates.
    `defect` is the residual of the equations of motion between the points, relative to the acting forces, if it has
    been computed.
    """

    rule: Gauss
    nodes: np.ndarray
    z: np.ndarray
    w: np.ndarray
    defect: float = 0.0

    @cached_property
    def h(self) -> np.ndarray:
        """Lengths of the intervals, in s."""
        return np.diff(self.nodes)

    @property
    def size(self) -> int:
        """The number of independent coordinates ζ."""
        return int(self.z.shape[1]) // 2

    @cached_property
    def times(self) -> np.ndarray:
        """Times of the Gauss points of all intervals."""
        return np.asarray((self.nodes[:-1, None] + self.h[:, None] * self.rule.c).ravel())

    def interpolate(
        self, x: np.ndarray, which: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Coordinates ζ, rates u and accelerations w at positions x in [0, 1] of every interval.

        If the interval indices `which` are given, x contains one position for each of them.
        """
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
        """Coordinates ζ, rates u and accelerations w at the Gauss points of all intervals."""
        h, e = self.h[:, None, None], self.size
        zeta, rate = self.z[:-1, None, :e], self.z[:-1, None, e:]
        u = rate + h * (self.rule.a[None] @ self.w)
        zeta = zeta + self.rule.c[None, :, None] * h * rate + h**2 * (self.rule.second[None] @ self.w)
        return tuple(part.reshape(len(self.times), e) for part in (zeta, u, self.w))  # type: ignore[return-value]

    def at(self, t: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Coordinates ζ, rates u and accelerations w at the given times."""
        which = np.clip(np.searchsorted(self.nodes, t, side="right") - 1, 0, len(self.h) - 1)
        return self.interpolate((t - self.nodes[which]) / self.h[which], which)

    @property
    def interval_ends(self) -> np.ndarray:
        """States z (coordinates ζ and rates u) at the end of every interval, integrated from its first node."""
        zeta, u, _ = self.interpolate(np.array([1.0]))
        return np.hstack([zeta, u])

    @property
    def gap(self) -> float:
        """Largest discontinuity of a component of the state z between successive intervals, relative to the largest
        magnitude of the component."""
        size = np.maximum(np.abs(self.z).max(axis=0), 1e-300)
        return float((np.abs(self.interval_ends - self.z[1:]) / size).max(initial=0.0))

    def after_step(self, step: NewtonStep, part: float = 1.0) -> CollocatedMotion:
        """The motion after the fraction `part` of a Newton step."""
        return CollocatedMotion(self.rule, self.nodes, self.z + part * step.z, self.w + part * step.w)

    def split(self, parts: np.ndarray) -> CollocatedMotion:
        """The same motion on a finer mesh; `parts` is the number of equal parts into which each interval is split."""
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
    """Number of parts into which every interval is to be split, so that its `defect` is reduced to `allowed`.

    The defect is proportional to the length of the interval to the power `stages`.
    """
    asked = np.ceil((np.maximum(defect, 1e-300) / allowed) ** (1 / stages))
    return np.where(defect > allowed, np.clip(asked, 2, MOST_SPLITS), 1).astype(int)


def first_nodes(corners: list[float], before: float, after: float, parts: int) -> np.ndarray:
    """Times of the nodes of the first mesh: all corners, and evenly spaced times between the corners.

    Intervals are not longer than the duration of the motion divided by `parts`.

    In the settling periods of lengths `before` and `after`, the intervals become longer away from the motion.
    """
    begin, end = corners[0], corners[-1]
    step = (end - begin) / parts
    inner = [
        np.linspace(a, b, max(1, int(np.ceil((b - a) / step - 1e-9))), endpoint=False)
        for a, b in pairwise(corners)
    ]
    early, late = (_growing_intervals(step, length) for length in (before, after))
    return np.concatenate([begin - early[::-1], *inner, [end], end + late])


def _growing_intervals(step: float, length: float) -> np.ndarray:
    """Distances in time of nodes from an end of the motion, for a settling period of the given length.

    The first interval is about as long as `step`. Each interval is a tenth longer than the previous one, up to a
    largest length.
    """
    found, at, h, longest = list[float](), 0.0, step, max(INTERVAL_GROWTH * step, length / MOST_INTERVALS)
    while length - at > 1e-12:
        at = length if at + 1.5 * h > length else at + h
        found.append(at)
        h = min(1.1 * h, longest)
    return np.array(found)
