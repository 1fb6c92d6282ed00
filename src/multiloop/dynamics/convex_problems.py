"""Convex problems: linear programs, least-distance problems, and minimisation over second-order cones with a
logarithmic barrier.

    min k z + κ |z|²/2      with G z ≥ h,      |B z + b| ≤ a z + c      for every cone

k is the cost vector and κ a factor of the quadratic cost. Newton's method minimises t (k z + κ |z|²/2) − Σ log(slack)
for increasing weights t; the cost then exceeds the minimum by at most ν/t, with ν the number of constraints (2 for each
cone). The problem must be scaled such that the unknowns z have magnitudes near 1. SciPy has no solver for second-order
cones.

A least-distance problem is solved as a nonnegative least-squares problem. Linear programs are solved by HiGHS.

Source: [lawson], ch. 23, least-distance programming; [boyd], sec. 11.3 and 11.6, barrier method with cones.
Theory: docs/theory/09-redundancy.md, eqs. (9.9)–(9.11).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

STEPS, DECREMENT_TOLERANCE, SHORTEST = 50, 1e-6, 1e-6
"""Parameters of Newton's method for one weight t: largest number of steps, decrement gᵀ H⁻¹ g (gradient g, Hessian H)
below which the iteration ends, and smallest step length of the line search, as a fraction of the full step."""

GAP = 1e-11
"""The barrier method ends when the cost exceeds its minimum by at most this; the unknowns are scaled to magnitudes near
1."""

LARGE = 1e6
"""Bound of the magnitudes of the unknowns z, which are scaled to magnitudes near 1; a solution that reaches the bound
may be unbounded."""


@dataclass(frozen=True, eq=False)
class Cones:
    """k second-order cones |B z + b| ≤ a z + c: arrays a (k, d), c (k,), B (k, m, d) and b (k, m), for d unknowns z."""

    a: np.ndarray
    c: np.ndarray
    B: np.ndarray
    b: np.ndarray

    def __len__(self) -> int:
        return len(self.c)

    def subset(self, kept: np.ndarray) -> Cones:
        """The cones selected by the Boolean array `kept`."""
        return Cones(self.a[kept], self.c[kept], self.B[kept], self.b[kept])

    def sides(self, z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The right-hand sides a z + c, and the vectors B z + b whose norms are bounded, of all cones."""
        return self.a @ z + self.c, self.B @ z + self.b

    def slack(self, z: np.ndarray) -> np.ndarray:
        """Slack a z + c − |B z + b| of every cone; it is negative if the cone is violated."""
        push, across = self.sides(z)
        slack: np.ndarray = push - np.linalg.norm(across, axis=1)
        return slack

    def relaxed_by(self, by: float) -> Cones:
        """The cones with the number `by` added to all slacks."""
        return Cones(self.a, self.c + by, self.B, self.b)

    def planes(self, z: np.ndarray, which: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Tangent planes (a − uᵀ B) z ≥ uᵀ b − c of the cones |B z + b| ≤ a z + c selected by `which`, as rows and
        right-hand sides; u is the unit vector along B z + b."""
        across = self.sides(z)[1][which]
        u = across / np.linalg.norm(across, axis=1)[:, None]
        rows = self.a[which] - np.einsum("km,kmd->kd", u, self.B[which])
        return rows, np.einsum("km,km->k", u, self.b[which]) - self.c[which]


def minimum_by_barrier(
    G: np.ndarray, h: np.ndarray, cones: Cones, cost: np.ndarray, start: np.ndarray, quadratic: float = 0.0
) -> np.ndarray:
    """The point z that minimises cost · z + quadratic |z|²/2 subject to G z ≥ h and the cones.

    `start` must lie in the interior of the region. Entries of z are bounded by `LARGE` plus the magnitudes of the
    entries of `start`.
    """
    box = LARGE + np.abs(start)
    G = np.vstack([G, np.eye(len(start)), -np.eye(len(start))])
    barrier = _Barrier(G, np.concatenate([h, -box, -box]), cones)
    z, t, count = start, 1.0, len(G) + 2 * len(cones)
    while True:
        z = barrier.minimise(z, t, cost, quadratic)
        if count / t < GAP:
            return z
        t *= 20.0


@dataclass(frozen=True, eq=False)
class _Barrier:
    """The logarithmic barrier −Σ log(G z − h) − Σ log((a z + c)² − |B z + b|²) of the region G z ≥ h with cones |B z +
    b| ≤ a z + c."""

    G: np.ndarray
    h: np.ndarray
    cones: Cones

    def value(self, z: np.ndarray) -> float:
        """Value of the barrier function at z; infinite outside the region."""
        slack = self.G @ z - self.h
        push, across = self.cones.sides(z)
        size = np.sqrt(np.einsum("km,km->k", across, across))
        if slack.min() <= 0 or (push <= size).any():
            return np.inf
        return -float(np.log(slack).sum() + np.log((push - size) * (push + size)).sum())

    def gradient_and_hessian(self, z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Gradient and Hessian matrix of the barrier function at z."""
        part = self.G / (self.G @ z - self.h)[:, None]
        push, across = self.cones.sides(z)
        size = np.sqrt(np.einsum("km,km->k", across, across))
        q = (push - size) * (push + size)
        a, B = self.cones.a, self.cones.B
        slopes = 2 * (push[:, None] * a - np.einsum("km,kmd->kd", across, B)) / q[:, None]
        curved = np.einsum("kmd,kme,k->de", B, B, 2 / q) - (a * (2 / q)[:, None]).T @ a
        return -part.sum(axis=0) - slopes.sum(axis=0), part.T @ part + slopes.T @ slopes + curved

    def largest_step(self, z: np.ndarray, step: np.ndarray) -> float:
        """The fraction of a step from z at which the first boundary of the region is reached; infinite if none is
        reached."""
        slack, change = self.G @ z - self.h, self.G @ step
        found = float((slack[change < 0] / -change[change < 0]).min(initial=np.inf))
        push, across = self.cones.sides(z)
        along, aside = self.cones.a @ step, self.cones.B @ step
        second = along**2 - np.einsum("km,km->k", aside, aside)
        first = push * along - np.einsum("km,km->k", across, aside)
        q = push**2 - np.einsum("km,km->k", across, across)
        for c2, c1, c0 in zip(second.tolist(), first.tolist(), q.tolist(), strict=True):
            root = c1 * c1 - c2 * c0
            if root >= 0:
                ends = (
                    c0 / -(c1 + np.copysign(np.sqrt(root), c1) or 1e-300),
                    (-(c1 + np.copysign(np.sqrt(root), c1)) / c2 if c2 else np.inf),
                )
                found = min([found, *(end for end in ends if end > 0)])
        return found

    def minimise(self, z: np.ndarray, t: float, cost: np.ndarray, quadratic: float) -> np.ndarray:
        """The point that minimises t (cost · z + quadratic |z|²/2) plus the barrier function, with the weight t of the
        cost, by Newton's method with line search from z."""
        here = self.value(z)
        for _ in range(STEPS):
            gradient, hessian = self.gradient_and_hessian(z)
            slope = t * (cost + quadratic * z)
            gradient = gradient + slope
            hessian = hessian + t * quadratic * np.eye(len(z))
            scale = 1 / np.sqrt(np.diag(hessian))
            step = -scale * np.linalg.lstsq(hessian * np.outer(scale, scale), scale * gradient, rcond=None)[0]
            decrement = -float(gradient @ step)
            if decrement < DECREMENT_TOLERANCE:
                break
            rises, curved = float(slope @ step), t * quadratic * float(step @ step) / 2
            length = min(1.0, 0.99 * self.largest_step(z, step))
            while length > SHORTEST:
                there = self.value(z + length * step)
                if there - here + length * (rises + length * curved) <= -0.1 * length * decrement:
                    break
                length /= 2
            else:  # no decrease beyond round-off is possible
                break
            z, here = z + length * step, there
        return z


SOLVED = 1e-10
"""Largest violation of a constraint in the solution of a linear program: the smallest tolerance that HiGHS accepts."""


def linear_program(
    cost: np.ndarray, G: np.ndarray, h: np.ndarray, bounds: list[tuple[float | None, float | None]]
) -> np.ndarray:
    """The point z that minimises cost · z subject to G z ≥ h and `bounds` of its entries."""
    from scipy.optimize import linprog  # imported here because this takes a fifth of a second

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


def least_distance(G: np.ndarray, h: np.ndarray) -> np.ndarray | None:
    """The point z of smallest norm |z| with G z ≥ h; None if the inequalities contradict each other.

    The solution u ≥ 0 of the nonnegative least-squares problem [Gᵀ; hᵀ] u ≈ [0; 1] determines the active inequalities.
    """
    from scipy.optimize import nnls

    n = G.shape[1]
    if (h <= 0).all():
        return np.zeros(n)
    E = np.vstack([G.T, h])
    u, left = nnls(E, np.append(np.zeros(n), 1.0))
    if left < SOLVED:
        return None
    active = u > 0
    z: np.ndarray = np.linalg.lstsq(G[active], h[active], rcond=1e-13)[0]
    rest = E @ u - np.append(np.zeros(n), 1.0)
    other = -rest[:n] / rest[n]
    return z if (G @ z - h).min() >= (G @ other - h).min() else other
