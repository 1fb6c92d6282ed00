"""Forces that satisfy a linear balance, sign constraints and friction cones: feasibility, minimum norm and ranges.

    A x = b,      low ≤ x ≤ high,      |x_T| ≤ μ x_N      for every friction cone

Where A has a null space the balance does not determine x. All admissible forces form a convex set; this module finds
whether it is empty, its point of minimum weighted norm, and the smallest and largest value of linear functions on it.

Method: x = x₀ + N z with an orthonormal basis N of null(A). Bounds and cones with one tangential component are linear
in z: the minimum-norm point is a least-distance problem, solved by nonnegative least squares, and a range is two linear
programs (HiGHS), or for one unknown z an interval. With spatial cones these are second-order cone programs, which are
solved by a logarithmic barrier and Newton's method.

Everything is solved in units of the forces themselves, so that no result depends on the unit of force, length or mass.

Source: [lawson], ch. 23, least-distance programming; [boyd], sec. 11.3 and 11.6, barrier method with cones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

RANK = 1e-9
"""Singular values of the balance below this part of the largest are zero."""

ZERO = 1e-12
"""Coefficients of z below this are round-off; forces are of order one there."""

TOLERANCE = 1e-9
"""How far, as a part of the forces, constraints may be violated by an admissible set."""

SOLVED = 1e-10
"""Violation at which linear programs end: the smallest that HiGHS accepts."""

GAP = 1e-11
"""Distance from the optimum, in units of the forces, at which the barrier method ends."""

LARGE = 1e6
"""Bound of |z|, in units of the forces: what reaches it is unbounded."""


@dataclass(frozen=True)
class FrictionCone:
    """|x_T| ≤ μ x_N, by the places of the normal and of one (planar) or more (spatial) tangential components in x."""

    normal: int
    tangential: tuple[int, ...]
    coefficient: float


@dataclass(frozen=True, eq=False)
class AdmissibleForces:
    """All forces x with A x = b, low ≤ x ≤ high and friction cones.

    Parameters
    ----------
    A : (m, n) array, b : (m,) array
        The balance. Rows may be dependent, as long as b agrees.
    low, high : (n,) arrays
        Bounds, ±inf where there are none. The normal components of cones are never negative.
    cones : sequence of FrictionCone
    weights : (n,) array, optional
        W of the norm xᵀ W x, positive; components of different units need weights that make them comparable.
    size : float, optional
        Forces √w |x| that are known to be larger than round-off, for balances that vanish up to round-off.
    """

    A: np.ndarray
    b: np.ndarray
    low: np.ndarray
    high: np.ndarray
    cones: Sequence[FrictionCone] = ()
    weights: np.ndarray | None = None
    size: float = 0.0

    # unknowns ---------------------------------------------------------------------------------------------------

    @property
    def count(self) -> int:
        """Number of components n."""
        return int(self.A.shape[1])

    @cached_property
    def _unit(self) -> np.ndarray:
        """1/√w: x = unit · y, and the norm is |y|."""
        return np.ones(self.count) if self.weights is None else 1 / np.sqrt(self.weights)

    @cached_property
    def _balanced(self) -> tuple[np.ndarray, np.ndarray, float]:
        """y₀ of minimum norm that satisfies the balance, an orthonormal basis N of null(A), and what y₀ leaves of b."""
        scaled = self.A * self._unit
        norms = np.linalg.norm(scaled, axis=1)
        norms[norms == 0] = 1.0
        rows, b = scaled / norms[:, None], self.b / norms
        U, sigma, Vt = np.linalg.svd(rows, full_matrices=True)
        rank = int(np.sum(sigma > RANK * sigma.max(initial=0.0)))
        y = Vt[:rank].T @ ((U[:, :rank].T @ b) / sigma[:rank])
        return y, Vt[rank:].T, float(np.abs(rows @ y - b).max(initial=0.0))

    @cached_property
    def _size(self) -> float:
        """The unit of force: that of the balanced solution, or else of the bounds."""
        found = max(float(np.abs(self._balanced[0]).max(initial=0.0)), self.size)
        ends = np.concatenate([self.low, self.high]) / np.tile(self._unit, 2)
        most = float(np.abs(ends[np.isfinite(ends)]).max(initial=0.0))
        return found or most or 1.0

    @cached_property
    def directions(self) -> np.ndarray:
        """Columns span the changes of x that keep the balance, (n, d); d = 0 where the balance determines x."""
        directions: np.ndarray = self._unit[:, None] * self._balanced[1]
        return directions

    # constraints ------------------------------------------------------------------------------------------------

    @cached_property
    def _region(self) -> _Region:
        """The admissible z, in units of `_size`."""
        y, N, _ = self._balanced
        low, unit = self.low.astype(float).copy(), self._unit
        rows, ends, cones = list[np.ndarray](), list[float](), list[_Cone]()
        for cone in self.cones:
            low[cone.normal] = max(low[cone.normal], 0.0)
            tangential = list(cone.tangential)
            push = np.zeros(self.count)
            push[cone.normal] = cone.coefficient * unit[cone.normal]
            across = np.zeros((len(tangential), self.count))
            across[np.arange(len(tangential)), tangential] = unit[tangential]
            scale = 1 / np.hypot(np.abs(push).max(), unit[tangential].max(initial=0.0))
            if len(tangential) == 1:
                rows += [scale * (push - across[0]), scale * (push + across[0])]
                ends += [0.0, 0.0]
            else:
                held = y / self._size
                cones.append(
                    _Cone(scale * push @ N, scale * push @ held, scale * across @ N, scale * across @ held)
                )
        for k in range(self.count):
            for end, sign in ((low[k], 1.0), (self.high[k], -1.0)):
                if np.isfinite(end):
                    rows.append(sign * np.eye(self.count)[k])
                    ends.append(sign * end / (unit[k] * self._size))
        R = np.array(rows).reshape(-1, self.count)
        G = R @ N
        G[np.abs(G) < ZERO] = 0.0
        return _Region(G, np.array(ends) - R @ (y / self._size), cones)

    @cached_property
    def margin(self) -> float:
        """The largest s for which forces exist that satisfy all constraints by s, as a part of the forces; at most 1.

        Negative: no forces are admissible. −inf: no forces satisfy the balance.
        """
        return self._region.margin if self._balanced[2] <= TOLERANCE * self._size else -np.inf

    @cached_property
    def feasible(self) -> bool:
        """Whether there are admissible forces."""
        left = self._balanced[2]
        if left <= TOLERANCE * self._size and self._region.slack(np.zeros(self._region.G.shape[1])) >= 0:
            return True
        return self.margin >= -TOLERANCE

    # answers ----------------------------------------------------------------------------------------------------

    def minimum_norm(self) -> np.ndarray:
        """The admissible x of smallest xᵀ W x."""
        self._require_feasible()
        y, N, _ = self._balanced
        z = self._region.relaxed.nearest()
        found: np.ndarray = self._unit * (y + self._size * (N @ z))
        return found

    def ranges(self, functions: np.ndarray | None = None) -> np.ndarray:
        """The smallest and the largest value of every component, or of the rows of `functions` times x: (k, 2).

        Both are the same to the last digit where the balance determines the value; ±inf where it is unbounded.
        """
        self._require_feasible()
        y, N, _ = self._balanced
        F = np.eye(self.count) if functions is None else np.atleast_2d(functions)
        F = F * self._unit
        region = self._region.relaxed
        values, slopes = F @ y, F @ N
        slopes[np.abs(slopes) < ZERO * np.abs(F).max(axis=1, initial=0.0)[:, None]] = 0.0
        found = np.column_stack([values, values])
        for k in np.flatnonzero(slopes.any(axis=1)):
            found[k] += self._size * np.array(region.range(slopes[k]))
        return found

    def _require_feasible(self) -> None:
        if not self.feasible:
            raise ValueError(f"no forces are admissible: the constraints are violated by {-self.margin:.3g}")


@dataclass(frozen=True, eq=False)
class _Cone:
    """|B z + b| ≤ a z + c."""

    a: np.ndarray
    c: float
    B: np.ndarray
    b: np.ndarray

    def slack(self, z: np.ndarray) -> float:
        """a z + c − |B z + b|."""
        return float(self.a @ z) + self.c - float(np.linalg.norm(self.B @ z + self.b))


@dataclass(frozen=True, eq=False)
class _Region:
    """All z with G z ≥ h and cones."""

    G: np.ndarray
    h: np.ndarray
    cones: Sequence[_Cone]

    @property
    def _unknowns(self) -> int:
        return int(self.G.shape[1])

    def slack(self, z: np.ndarray) -> float:
        """By how much a z satisfies all constraints, negative where it does not; at most 1."""
        linear = float((self.G @ z - self.h).min(initial=1.0))
        return min([linear, *(cone.slack(z) for cone in self.cones)])

    @cached_property
    def _inmost(self) -> tuple[np.ndarray, float]:
        """z and s ≤ 1 with the largest s for which G z ≥ h + s and |B z + b| + s ≤ a z + c."""
        n = self._unknowns
        if not n:
            return np.zeros(0), self.slack(np.zeros(0))
        cost = np.append(np.zeros(n), -1.0)
        rows = np.column_stack([self.G, -np.ones(len(self.h))])
        if not self.cones:
            found = _linear_program(cost, rows, self.h, [*[(-LARGE, LARGE)] * n, (None, 1.0)])
            return found[:-1], float(found[-1])
        most = np.append(np.zeros(n), -1.0)
        cones = [_Cone(np.append(k.a, -1.0), k.c, np.column_stack([k.B, 0 * k.b]), k.b) for k in self.cones]
        lifted = _Region(np.vstack([rows, most]), np.append(self.h, -1.0), cones)
        start = np.append(np.zeros(n), self.slack(np.zeros(n)) - 1.0)
        found = lifted.minimum(cost, start)
        return found[:-1], float(found[-1])

    @property
    def margin(self) -> float:
        """The largest s."""
        return self._inmost[1]

    @cached_property
    def relaxed(self) -> _Region:
        """The same, with constraints moved outward by the round-off by which they cannot be satisfied.

        Spatial cones always have an interior then: the barrier method starts there.
        """
        least = 10 * GAP if self.cones else 0.0
        by = max(0.0, least - (1.0 if self._plain else self.margin))
        if not by:
            return self
        cones = [_Cone(cone.a, cone.c + by, cone.B, cone.b) for cone in self.cones]
        return _Region(self.G, self.h - by, cones)

    @property
    def _plain(self) -> bool:
        """Whether z = 0 is admissible and constraints are linear: then nothing is to be moved."""
        return not self.cones and self.slack(np.zeros(self._unknowns)) >= 0

    def nearest(self) -> np.ndarray:
        """The z of smallest norm."""
        origin = np.zeros(self._unknowns)
        if self.slack(origin) >= 0:
            return origin
        if not self.cones:
            return _least_distance(self.G, self.h)
        return self.minimum(origin, self._inmost[0], quadratic=1.0)

    def range(self, slope: np.ndarray) -> tuple[float, float]:
        """The smallest and largest value of slope · z."""
        if self._unknowns == 1 and not self.cones:
            low, high = self._interval()
            ends = sorted((slope[0] * low, slope[0] * high))
            return ends[0], ends[1]
        return -self._largest(-slope), self._largest(slope)

    def _interval(self) -> tuple[float, float]:
        g = self.G[:, 0]
        low = float((self.h[g > 0] / g[g > 0]).max(initial=-np.inf))
        high = float((self.h[g < 0] / g[g < 0]).min(initial=np.inf))
        return (low, high) if low <= high else ((low + high) / 2, (low + high) / 2)

    def _largest(self, slope: np.ndarray) -> float:
        unit = float(np.linalg.norm(slope))
        if self.cones:
            z = self.minimum(-slope / unit, self._inmost[0])
        else:
            z = _linear_program(-slope / unit, self.G, self.h, [(-LARGE, LARGE)] * self._unknowns)
        value = float(slope @ z)
        return np.inf if value > unit * LARGE**0.5 and np.linalg.norm(z) > LARGE / 2 else value

    def minimum(self, cost: np.ndarray, start: np.ndarray, quadratic: float = 0.0) -> np.ndarray:
        """The z of smallest cost · z + quadratic |z|²/2, from a start at which no constraint is an equation.

        Newton's method on t (cost · z + …) − Σ log(slack), for growing t; the gap to the optimum is ν/t, with ν the
        number of constraints.
        """
        ball = _Cone(
            np.zeros(len(start)), LARGE + float(np.linalg.norm(start)), np.eye(len(start)), 0 * start
        )
        barrier = _Barrier(self.G[self.G.any(axis=1)], self.h[self.G.any(axis=1)], (*self.cones, ball))
        z, t = start, 1.0
        count = len(barrier.h) + 2 * len(barrier.cones)
        while True:
            z = barrier.centred(z, t, cost, quadratic)
            if count / t < GAP:
                return z
            t *= 20.0


@dataclass(frozen=True, eq=False)
class _Barrier:
    """−Σ log(G z − h) − Σ log((a z + c)² − |B z + b|²)."""

    G: np.ndarray
    h: np.ndarray
    cones: Sequence[_Cone]

    def value(self, z: np.ndarray) -> float:
        """Infinite outside."""
        slack, total = self.G @ z - self.h, 0.0
        if (slack <= 0).any():
            return np.inf
        for cone in self.cones:
            push, size = float(cone.a @ z) + cone.c, float(np.linalg.norm(cone.B @ z + cone.b))
            if push <= size:
                return np.inf
            total -= np.log((push - size) * (push + size))
        return float(total - np.log(slack).sum())

    def slopes(self, z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Gradient and Hessian."""
        part = self.G / (self.G @ z - self.h)[:, None]
        gradient, hessian = -part.sum(axis=0), part.T @ part
        for cone in self.cones:
            push, across = float(cone.a @ z) + cone.c, cone.B @ z + cone.b
            size = float(np.linalg.norm(across))
            q = (push - size) * (push + size)
            way = 2 * (push * cone.a - cone.B.T @ across) / q
            gradient = gradient - way
            hessian = hessian + np.outer(way, way)
            hessian -= 2 * (np.outer(cone.a, cone.a) - cone.B.T @ cone.B) / q
        return gradient, hessian

    def centred(self, z: np.ndarray, t: float, cost: np.ndarray, quadratic: float) -> np.ndarray:
        """The minimum of t (cost · z + quadratic |z|²/2) plus the barrier."""

        def whole(z: np.ndarray) -> float:
            return t * float(cost @ z + quadratic * (z @ z) / 2) + self.value(z)

        here = whole(z)
        for _ in range(100):
            gradient, hessian = self.slopes(z)
            gradient = gradient + t * (cost + quadratic * z)
            hessian = hessian + t * quadratic * np.eye(len(z))
            scale = 1 / np.sqrt(np.diag(hessian))
            step = -scale * np.linalg.lstsq(hessian * np.outer(scale, scale), scale * gradient, rcond=None)[0]
            decrement = -float(gradient @ step)
            if decrement < 1e-8:
                break
            length = 1.0
            while length > 1e-8 and (there := whole(z + length * step)) > here - 0.1 * length * decrement:
                length /= 2
            if length <= 1e-8:  # round-off of the value
                break
            z, here = z + length * step, there
        return z


def _linear_program(
    cost: np.ndarray, G: np.ndarray, h: np.ndarray, bounds: list[tuple[float | None, float | None]]
) -> np.ndarray:
    """min cost · z with G z ≥ h within bounds."""
    from scipy.optimize import linprog  # takes a fifth of a second to import

    found = linprog(
        cost,
        A_ub=-G,
        b_ub=-h,
        bounds=bounds,
        method="highs-ds",
        options={"primal_feasibility_tolerance": SOLVED, "dual_feasibility_tolerance": SOLVED},
    )
    if found.x is None:
        raise ArithmeticError(f"a linear program of {len(h)} constraints was not solved: {found.message}")
    solution: np.ndarray = found.x
    return solution


def _least_distance(G: np.ndarray, h: np.ndarray) -> np.ndarray:
    """min |z| with G z ≥ h: the nonnegative least-squares problem [Gᵀ; hᵀ] u ≈ [0; 1] tells the active rows."""
    from scipy.optimize import nnls

    n, moving = G.shape[1], G.any(axis=1)
    G, h = G[moving], h[moving]
    if (h <= 0).all():
        return np.zeros(n)
    u, _ = nnls(np.vstack([G.T, h]), np.append(np.zeros(n), 1.0))
    active = u > 0
    z: np.ndarray = np.linalg.lstsq(G[active], h[active], rcond=1e-13)[0]
    return z
