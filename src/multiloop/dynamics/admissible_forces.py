"""Forces that satisfy linear equilibrium equations, bounds and friction cones: feasibility, minimum norm and ranges.

    A x = b,      low ≤ x ≤ high,      R x ≥ r,      |x_T| ≤ μ x_N      for every friction cone

x are the forces, A x = b is the equilibrium (the balance); R x ≥ r are further inequalities; x_N and x_T are the normal
and tangential components of a cone, μ is its coefficient of friction. If A has a null space, the balance does not
determine x. All admissible forces form a convex set; this module determines whether the set is empty, its point of
minimum weighted norm, and the smallest and largest value of linear functions on the set.

Method: x = x₀ + N z with an orthonormal basis N of null(A). Bounds and cones with one tangential component are linear
inequalities in z: the minimum-norm point is the solution of a least-distance problem, computed by nonnegative least
squares, and each range requires two linear programs (HiGHS), or is an interval if z is scalar. For spatial cones the
minimum-norm point is computed with tangent planes, which are added for each cone that a solution violates, and ranges
with a logarithmic barrier (`convex_problems`). All problems are scaled by the magnitude of the forces, so that no
result depends on the units of force, length or mass.

Source: [lawson], ch. 23, least-distance programming.
Theory: docs/theory/09-redundancy.md, eqs. (9.9)–(9.11).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from multiloop.dynamics.convex_problems import (
    GAP,
    LARGE,
    SOLVED,
    Cones,
    least_distance,
    linear_program,
    minimum_by_barrier,
)

RANK = 1e-9
"""Singular values of the scaled matrix A below this fraction of the largest count as zero."""

ZERO = 1e-12
"""Coefficients of the unknowns z below this magnitude are round-off and are set to zero; they refer to forces that are
divided by their magnitude (`AdmissibleForces._size`)."""

TOLERANCE = 1e-9
"""Largest violation of a constraint, relative to the magnitude of the forces, that counts as satisfied."""

SMALL_FORCE = 1e-6
"""If all forces of the minimum-norm solution are below this fraction of the largest bound, they may be round-off;
forces are then divided by this fraction of the bound instead of by the largest of these forces."""

FLAT_SLOPE = 1e-9
"""The slope of a linear function along a direction in which the admissible region is unbounded counts as zero below
this fraction of the norm of the gradient."""

MAX_TANGENT_PLANES = 60
"""Largest number of times that tangent planes are added; each time the angle between plane and cone is at least
halved."""


@dataclass(frozen=True)
class FrictionCone:
    """A friction cone |x_T| ≤ μ x_N, given by the indices in x of its normal component and of its tangential
    components, one in the plane, several in space; `coefficient` is μ."""

    normal: int
    tangential: tuple[int, ...]
    coefficient: float


@dataclass(frozen=True, eq=False)
class AdmissibleForces:
    """All forces x with A x = b, low ≤ x ≤ high, R x ≥ r and friction cones.

    Parameters
    ----------
    A : (m, n) array, b : (m,) array
        The equilibrium equations A x = b. Rows may be linearly dependent if b is consistent.
    low, high : (n,) arrays
        Bounds of x; ±inf means no bound. The normal components of cones are always nonnegative.
    cones : sequence of FrictionCone
    weights : (n,) array, optional
        Positive diagonal entries w of W in the squared norm xᵀ W x; components with different units need weights that
        make them comparable.
    size : float, optional
        Known magnitude of the weighted forces √w |x|. It is required if b vanishes up to round-off, since the magnitude
        of the forces cannot then be estimated from b.
    inequalities : (k, n) array R and (k,) array r, optional
        R x ≥ r. In each row of R the largest entry, after division of the entries by √w, must have a magnitude near 1;
        violations r − R x are compared with the magnitude of the forces.
    """

    A: np.ndarray
    b: np.ndarray
    low: np.ndarray
    high: np.ndarray
    cones: Sequence[FrictionCone] = ()
    weights: np.ndarray | None = None
    size: float = 0.0
    inequalities: tuple[np.ndarray, np.ndarray] | None = None

    # unknowns z of x = x₀ + N z ---------------------------------------------------------------------------------

    @property
    def count(self) -> int:
        """Number n of force components."""
        return int(self.A.shape[1])

    @cached_property
    def _unit(self) -> np.ndarray:
        """Scale 1/√w of each force component with the weight w: with x = scale · y the weighted norm of the forces x is
        |y|."""
        return np.ones(self.count) if self.weights is None else 1 / np.sqrt(self.weights)

    @cached_property
    def _balanced(self) -> tuple[np.ndarray, np.ndarray, float]:
        """The minimum-norm solution y₀ of the scaled equilibrium equations, an orthonormal basis N of the null space of
        these equations, and their largest residual at y₀."""
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
        """Magnitude by which scaled forces are divided: the largest entry of the minimum-norm solution y₀, or a
        fraction of the largest bound if y₀ may be round-off."""
        found = max(float(np.abs(self._balanced[0]).max(initial=0.0)), self.size)
        ends = np.concatenate([self.low, self.high]) / np.tile(self._unit, 2)
        most = float(np.abs(ends[np.isfinite(ends)]).max(initial=0.0))
        return (max(found, SMALL_FORCE * most) if found else most) or 1.0

    @cached_property
    def directions(self) -> np.ndarray:
        """Basis (n, d), as columns, of the changes of x that do not affect the equilibrium; d = 0 if the equilibrium
        determines x."""
        directions: np.ndarray = self._unit[:, None] * self._balanced[1]
        return directions

    # constraints in the unknowns z ------------------------------------------------------------------------------

    @cached_property
    def _constraints(self) -> tuple[float, _Region]:
        """Smallest slack of the constraints that do not depend on the unknowns z, and the admissible region of z; both
        for forces divided by `_size`."""
        y, N, _ = self._balanced
        held, low, unit = y / self._size, self.low.astype(float).copy(), self._unit
        rows, ends, cones = list[np.ndarray](), list[float](), list[tuple[np.ndarray, np.ndarray]]()
        for cone in self.cones:
            low[cone.normal] = max(low[cone.normal], 0.0)
            tangential = list(cone.tangential)
            push = np.zeros(self.count)
            push[cone.normal] = cone.coefficient * unit[cone.normal]
            across = np.zeros((len(tangential), self.count))
            across[np.arange(len(tangential)), tangential] = unit[tangential]
            scale = 1 / np.hypot(np.abs(push).max(), unit[tangential].max(initial=0.0))
            push, across = scale * push, scale * across
            if len(tangential) == 1:
                rows += [push - across[0], push + across[0]]
                ends += [0.0, 0.0]
            else:
                cones.append((push, across))
        for k in range(self.count):
            for end, sign in ((low[k], 1.0), (self.high[k], -1.0)):
                if np.isfinite(end):
                    rows.append(sign * np.eye(self.count)[k])
                    ends.append(sign * end / (unit[k] * self._size))
        for row, end in zip(*(self.inequalities or ((), ())), strict=True):
            rows.append(row * unit)
            ends.append(end / self._size)
        R = np.array(rows).reshape(-1, self.count)
        G, h = _without_round_off(R @ N), np.array(ends) - R @ held
        moving, round_ones = G.any(axis=1), _cones(cones, held, N)
        turning = np.asarray(round_ones.a.any(axis=1) | round_ones.B.any(axis=(1, 2)))
        still = _Region(G[~moving], h[~moving], round_ones.subset(~turning))
        return still.slack(np.zeros(N.shape[1])), _Region(G[moving], h[moving], round_ones.subset(turning))

    @cached_property
    def margin(self) -> float:
        """The largest number s ≤ 1 such that some forces satisfy all inequalities with a margin s, relative to the
        magnitude of the forces.

        It is negative if no forces are admissible, and −inf if no forces satisfy the equilibrium.
        """
        if self._balanced[2] > TOLERANCE * self._size:
            return -np.inf
        fixed, region = self._constraints
        return min(fixed, region.margin)

    @cached_property
    def feasible(self) -> bool:
        """Whether admissible forces exist, up to `TOLERANCE`."""
        fixed, region = self._constraints
        if self._balanced[2] > TOLERANCE * self._size or fixed < -TOLERANCE:
            return False
        return region.minimum_norm is not None or region.margin >= -TOLERANCE

    # optimal forces and ranges ----------------------------------------------------------------------------------

    def minimum_norm(self) -> np.ndarray:
        """The admissible forces x with the smallest weighted norm xᵀ W x."""
        self._require_feasible()
        region = self._constraints[1]
        z = region.minimum_norm if region.minimum_norm is not None else region.relaxed.minimum_norm
        return self._forces(region.minimum_norm_by_barrier if z is None else z)

    def interior_point(self) -> np.ndarray:
        """The forces x that satisfy all inequalities with the largest margin, or violate them least if none are
        admissible."""
        return self._forces(self._constraints[1].interior_point)

    def maximise(self, function: np.ndarray) -> tuple[float, np.ndarray]:
        """The largest value of function · x over all admissible forces, and forces x at which it is attained; if it is
        unbounded, inf and arbitrary forces."""
        self._require_feasible()
        (value,), (slope,) = self._functions(function)
        region = self._constraints[1].relaxed
        more, z = region.maximise(slope) if slope.any() else (0.0, region.interior_point)
        return float(value + self._size * more), self._forces(z)

    def _forces(self, z: np.ndarray) -> np.ndarray:
        """The forces x for given values of the unknowns z, the coordinates of x in the null space of the equilibrium
        equations."""
        y, N, _ = self._balanced
        found: np.ndarray = self._unit * (y + self._size * (N @ z))
        return found

    def ranges(self, functions: np.ndarray | None = None) -> np.ndarray:
        """The smallest and the largest value, (k, 2), of every component of the forces x, or of every entry of
        `functions` @ x.

        The two values are identical if the equilibrium determines the quantity; they are ∓inf if it is unbounded.
        """
        self._require_feasible()
        values, slopes = self._functions(functions)
        region = self._constraints[1].relaxed
        found = np.column_stack([values, values])
        for k in np.flatnonzero(slopes.any(axis=1)):
            found[k] += self._size * np.array(region.range(slopes[k]))
        return found

    def undetermined(self, functions: np.ndarray | None = None) -> np.ndarray:
        """For every component of the forces x, or every entry of `functions` @ x, whether its range contains more than
        one value."""
        self._require_feasible()
        _, slopes = self._functions(functions)
        varying = np.asarray(slopes.any(axis=1))
        region = self._constraints[1]
        if varying.any() and not region.has_interior:
            for k in np.flatnonzero(varying):
                low, high = region.relaxed.range(slopes[k])
                varying[k] = high - low > TOLERANCE * np.linalg.norm(slopes[k])
        return varying

    def _functions(self, functions: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
        """Values of linear functions of the forces x at z = 0, and their slopes with respect to the unknowns z; None
        for `functions` means the components of x."""
        y, N, _ = self._balanced
        F = self._unit * (np.eye(self.count) if functions is None else np.atleast_2d(functions))
        slopes = F @ N
        slopes[np.abs(slopes) < ZERO * np.abs(F).max(axis=1, initial=0.0)[:, None]] = 0.0
        return F @ y, slopes

    def _require_feasible(self) -> None:
        if not self.feasible:
            part = f"{-self.margin:.3g} times the magnitude of the forces"
            raise ValueError(f"no forces are admissible: a constraint is violated by at least {part}")


def _without_round_off(coefficients: np.ndarray) -> np.ndarray:
    """A copy of the matrix `coefficients` in which entries of magnitude below `ZERO` are set to zero as round-off;
    entries that are not round-off have magnitudes near 1."""
    return np.where(np.abs(coefficients) < ZERO, 0.0, coefficients)


def _cones(pairs: Sequence[tuple[np.ndarray, np.ndarray]], y0: np.ndarray, N: np.ndarray) -> Cones:
    """The cones |C y| ≤ p y of the scaled forces y, given by `pairs` of a row p and a matrix C, as cones of the
    unknowns z by substitution of y = y₀ + N z (N: null space of the equilibrium equations); the matrices C are padded
    with zeros to a common size."""
    count, most = len(pairs), max((len(C_k) for _, C_k in pairs), default=2)
    p, C = np.zeros((count, len(y0))), np.zeros((count, most, len(y0)))
    for k, (p_k, C_k) in enumerate(pairs):
        p[k], C[k, : len(C_k)] = p_k, C_k
    return Cones(_without_round_off(p @ N), p @ y0, _without_round_off(C @ N), C @ y0)


@dataclass(frozen=True, eq=False)
class _Region:
    """The admissible region of the unknowns z: G z ≥ h, and z in all cones."""

    G: np.ndarray
    h: np.ndarray
    cones: Cones

    @property
    def _unknowns(self) -> int:
        return int(self.G.shape[1])

    def slack(self, z: np.ndarray) -> float:
        """Smallest slack of all constraints at z, but at most 1; it is negative if a constraint is violated."""
        linear = float((self.G @ z - self.h).min(initial=1.0))
        return min(linear, float(self.cones.slack(z).min(initial=1.0)))

    @cached_property
    def _interior(self) -> tuple[np.ndarray, float]:
        """The point z and the largest margin s ≤ 1 for which G z ≥ h + s and |B z + b| + s ≤ a z + c (for every
        cone)."""
        n = self._unknowns
        if not n:
            return np.zeros(0), self.slack(np.zeros(0))
        cost = np.append(np.zeros(n), -1.0)
        rows = np.column_stack([self.G, -np.ones(len(self.h))])
        if not len(self.cones):
            found = linear_program(cost, rows, self.h, [*[(-LARGE, LARGE)] * n, (None, 1.0)])
            return found[:-1], float(found[-1])
        most = np.append(np.zeros(n), -1.0)
        k = self.cones
        cones = Cones(
            np.column_stack([k.a, -np.ones(len(k))]),
            k.c,
            np.concatenate([k.B, 0 * k.b[:, :, None]], axis=2),
            k.b,
        )
        lifted = _Region(np.vstack([rows, most]), np.append(self.h, -1.0), cones)
        start = np.append(np.zeros(n), self.slack(np.zeros(n)) - 1.0)
        found = minimum_by_barrier(lifted.G, lifted.h, lifted.cones, cost, start)
        return found[:-1], float(found[-1])

    @property
    def interior_point(self) -> np.ndarray:
        """The point z with the largest margin to all constraints."""
        return self._interior[0]

    @property
    def margin(self) -> float:
        """The largest margin to all constraints that a point z can have, at most 1; negative if the region is empty."""
        return self._interior[1]

    def relaxed_by(self, by: float) -> _Region:
        """The region with all constraints moved outward by the slack `by`."""
        return _Region(self.G, self.h - by, self.cones.relaxed_by(by))

    @cached_property
    def relaxed(self) -> _Region:
        """The region with its constraints moved outward by the smallest amount that makes it non-empty; if it is not
        empty, the region itself.

        If there are spatial cones, the relaxed region always has an interior, in which the barrier method starts.
        """
        least = 10 * GAP if len(self.cones) else 0.0
        by = 0.0 if not least and self.has_origin else max(0.0, least - self.margin)
        return self.relaxed_by(by) if by else self

    @property
    def has_origin(self) -> bool:
        """Whether z = 0 is admissible."""
        return self.slack(np.zeros(self._unknowns)) >= 0

    @cached_property
    def has_interior(self) -> bool:
        """Whether a point z satisfies all constraints with a margin larger than `TOLERANCE`."""
        if self.slack(np.zeros(self._unknowns)) > TOLERANCE:
            return True
        if len(self.cones) and self.relaxed_by(-2 * TOLERANCE).minimum_norm is not None:
            return True
        return self.margin > TOLERANCE

    @cached_property
    def minimum_norm(self) -> np.ndarray | None:
        """The point z of smallest norm; None if it was not found, or if the constraints can be satisfied only up to
        round-off.

        Cones are replaced by tangent planes; after each solution a plane is added for every cone that the solution
        violates. The norms of these solutions increase towards the minimum norm.
        """
        G, h = self.G, self.h
        for _ in range(MAX_TANGENT_PLANES):
            z = least_distance(G, h)
            if z is None:
                return None
            beyond = -self.cones.slack(z) > SOLVED * (1 + float(np.abs(z).max(initial=0.0)))
            if not beyond.any():
                return z
            rows, ends = self.cones.planes(z, beyond)
            G, h = np.vstack([G, rows]), np.concatenate([h, ends])
        return None

    @cached_property
    def minimum_norm_by_barrier(self) -> np.ndarray:
        """The point z of smallest norm in the relaxed region, computed by the barrier method."""
        region, cost = self.relaxed, np.zeros(self._unknowns)
        return minimum_by_barrier(
            region.G, region.h, region.cones, cost, region.interior_point, quadratic=1.0
        )

    def range(self, slope: np.ndarray) -> tuple[float, float]:
        """The smallest and the largest value of slope · z over the region."""
        return -self.maximise(-slope)[0], self.maximise(slope)[0]

    def maximise(self, slope: np.ndarray) -> tuple[float, np.ndarray]:
        """The largest value of slope · z over the region, and a point z at which it is attained; if it is unbounded,
        inf and an arbitrary point."""
        if self._unknowns == 1 and not len(self.cones):
            z = np.array(self._interval()[1 if slope[0] > 0 else 0])[None]
            return float(slope @ z), z
        unit = float(np.linalg.norm(slope))
        if len(self.cones):
            z = minimum_by_barrier(self.G, self.h, self.cones, -slope / unit, self._interior[0])
        else:
            z = linear_program(-slope / unit, self.G, self.h, [(-LARGE, LARGE)] * self._unknowns)
        value = float(slope @ z)
        if value < unit * LARGE**0.5 or np.linalg.norm(z) < LARGE / 2:
            return value, z
        if self._grows_without_bound(slope / unit):
            return np.inf, z
        # the optimum may be finite but beyond ±LARGE, for instance if one limit is far above the forces
        if not len(self.cones):
            z = linear_program(-slope / unit, self.G, self.h, [(None, None)] * self._unknowns)
        return float(slope @ z), z

    def _grows_without_bound(self, slope: np.ndarray) -> bool:
        """Whether slope · d > 0 for some direction d in which the region is unbounded: G d ≥ 0 and |B d| ≤ a d (for
        every cone).

        Cones are replaced by tangent planes; a plane is added for every cone that a direction violates.
        """
        cones = Cones(self.cones.a, 0 * self.cones.c, self.cones.B, 0 * self.cones.b)
        G = self.G
        for _ in range(MAX_TANGENT_PLANES):
            d = linear_program(-slope, G, np.zeros(len(G)), [(-1.0, 1.0)] * self._unknowns)
            if slope @ d < FLAT_SLOPE:
                return False
            beyond = -cones.slack(d) > TOLERANCE
            if not beyond.any():
                break
            G = np.vstack([G, cones.planes(d, beyond)[0]])
        return True

    def _interval(self) -> tuple[float, float]:
        g = self.G[:, 0]
        low = float((self.h[g > 0] / g[g > 0]).max(initial=-np.inf))
        high = float((self.h[g < 0] / g[g < 0]).min(initial=np.inf))
        return (low, high) if low <= high else ((low + high) / 2, (low + high) / 2)
