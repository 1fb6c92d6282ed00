"""Admissible forces, minimum norm and ranges where friction limits depend on reactions that friction itself changes.

    |f x + f₀| ≤ Σ |Vᵢ x + vᵢ|      for every limit

The friction torque of a pin is at most μ r |F|, and F depends on the torques of all pins of the loop. The right-hand
side is convex in x, so that the admissible set is not convex. The right-hand side is never smaller than its tangents,

    |f x + f₀| ≤ Σ eᵢ (Vᵢ x + vᵢ),      |eᵢ| = 1

so that these linear inequalities, together with balance, bounds and cones, describe a convex set whose points are all
admissible. With eᵢ along Vᵢ x₀ + vᵢ it contains x₀ if x₀ is admissible. Optima are found by a sequence of such sets,
each with the tangents at the optimum of the one before: every iterate is admissible, and none is worse than the last.

The optima are local. The forces found are connected to the first x₀ by admissible forces; where the set has several
parts, the others are not examined.

Source: [lipp], convex–concave procedure; applied here to the limits of dry friction.
Theory: docs/theory/09-redundancy.md, section 9.5.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice, product

import numpy as np

from multiloop.dynamics.admissible_forces import AdmissibleForces

ROUNDS = 100
"""Largest number of sets of tangents in a sequence."""

CHANGE_TOLERANCE = 1e-11
"""Relative change of forces below which the sequence of sets of tangents ends."""

MIN_IMPROVEMENT = 1e-6
"""Smallest relative reduction of the violation by one more set of tangents."""

MAX_DIRECTIONS = 64
"""Number of combinations of initial directions eᵢ that are tried if forces may rotate these directions."""


@dataclass(frozen=True, eq=False)
class ReactionLimit:
    """|f x + f₀| ≤ Σ |Vᵢ x + vᵢ|: `force` f (n,), `offset` f₀, and `vectors`, pairs of Vᵢ (m, n) and vᵢ (m,)."""

    force: np.ndarray
    offset: float
    vectors: tuple[tuple[np.ndarray, np.ndarray], ...]

    def in_unknowns(self, S: np.ndarray, s: np.ndarray) -> ReactionLimit:
        """The limit in other unknowns u, with x = S u + s."""
        vectors = tuple((V @ S, V @ s + v) for V, v in self.vectors)
        return ReactionLimit(self.force @ S, self.offset + float(self.force @ s), vectors)

    def slack(self, x: np.ndarray) -> float:
        """Difference between the limit and the force."""
        most = sum(float(np.linalg.norm(V @ x + v)) for V, v in self.vectors)
        return most - abs(float(self.force @ x) + self.offset)

    def size(self, unit: np.ndarray) -> float:
        """Largest change of the force and its limit by unknowns of these units."""
        parts = [self.force, *(V for V, _ in self.vectors)]
        return sum(float(np.linalg.norm(part * unit)) for part in parts)

    def directions(self, x: np.ndarray) -> list[np.ndarray]:
        """Directions eᵢ of the tangents at x; zero for a vector that vanishes there."""
        found = [V @ x + v for V, v in self.vectors]
        return [along / (float(np.linalg.norm(along)) or 1.0) for along in found]

    def tangents(self, directions: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        """Rows R and right-hand sides r of the two inequalities R x ≥ r that imply the limit."""
        parts = list(zip(directions, self.vectors, strict=True))
        most = sum((e @ V for e, (V, _) in parts), np.zeros(len(self.force)))
        end = sum(float(e @ v) for e, (_, v) in parts)
        return np.array([most - self.force, most + self.force]), np.array(
            [self.offset - end, -self.offset - end]
        )


def within_tangents(
    forces: AdmissibleForces, limits: Sequence[ReactionLimit], directions: Sequence[Sequence[np.ndarray]]
) -> AdmissibleForces:
    """The convex set of admissible forces that is defined by tangents of all limits."""
    unit = np.ones(forces.count) if forces.weights is None else 1 / np.sqrt(forces.weights)
    rows, ends = [np.zeros((0, forces.count))], [np.zeros(0)]
    for limit, e in zip(limits, directions, strict=True):
        R, r = limit.tangents(e)
        rows.append(R / limit.size(unit))
        ends.append(r / limit.size(unit))
    return replace(forces, inequalities=(np.vstack(rows), np.concatenate(ends)))


def admissible_set_near(
    forces: AdmissibleForces, limits: Sequence[ReactionLimit], start: np.ndarray
) -> AdmissibleForces | None:
    """A convex set of admissible forces, searched from forces that need not be admissible; None if none is found.

    Each set of tangents is taken at the point that violates the last ones least. Where forces may rotate the vectors of
    the limits, tangents in many directions are also tried, since the admissible set may have parts far from the start.
    """
    for directions in _starts(forces, limits, start):
        violated = np.inf
        for _ in range(ROUNDS if limits else 1):
            near = within_tangents(forces, limits, directions)
            if near.feasible:
                return near
            if not -near.margin < (1 - MIN_IMPROVEMENT) * violated:
                break
            violated, x = -near.margin, near.interior_point()
            directions = [limit.directions(x) for limit in limits]
    return None


def _starts(
    forces: AdmissibleForces, limits: Sequence[ReactionLimit], start: np.ndarray
) -> Iterator[list[list[np.ndarray]]]:
    """Directions of the first tangents."""
    yield [limit.directions(start) for limit in limits]
    if not limits or not may_turn(forces, limits):
        return
    diagonals = [
        np.array(list(product((1.0, -1.0), repeat=len(v)))) for limit in limits for _, v in limit.vectors
    ]
    combinations = list(islice(product(*(range(len(one)) for one in diagonals)), MAX_DIRECTIONS + 1))
    if len(combinations) > MAX_DIRECTIONS:
        sizes, some = [len(one) for one in diagonals], np.random.default_rng(0)
        combinations = [tuple(some.integers(sizes).tolist()) for _ in range(MAX_DIRECTIONS)]
    for chosen in combinations:
        left = (one[k] / np.sqrt(one.shape[1]) for one, k in zip(diagonals, chosen, strict=True))
        yield [[next(left) for _ in limit.vectors] for limit in limits]


def may_turn(forces: AdmissibleForces, limits: Sequence[ReactionLimit]) -> bool:
    """Whether admissible forces may rotate a vector of a limit by 90° or more from its direction at zero force.

    The forces are bounded by |xⱼ| ≤ βⱼ, with given bounds, or for forces with limits by β = c + K β, where K bounds the
    change of limits by unit forces. For ρ(K) ≥ 1 friction is self-locking: the mechanism can jam, and the forces are
    not bounded.
    """
    ends = np.maximum(np.abs(forces.low), np.abs(forces.high))
    own = [int(np.abs(limit.force).argmax()) for limit in limits]
    K, c = np.zeros((len(limits), forces.count)), np.zeros(len(limits))
    for row, (limit, k) in enumerate(zip(limits, own, strict=True)):
        K[row] = np.abs(limit.force) + sum(np.linalg.norm(V, axis=0) for V, _ in limit.vectors)
        K[row, k] -= abs(limit.force[k])
        most = sum(float(np.linalg.norm(v)) for _, v in limit.vectors)
        K[row], c[row] = K[row] / abs(limit.force[k]), (most + abs(limit.offset)) / abs(limit.force[k])
    others = np.setdiff1d(np.arange(forces.count), own)
    others = others[K[:, others].any(axis=0)]
    if np.isinf(ends[others]).any() or not np.abs(np.linalg.eigvals(K[:, own])).max() < 1:
        return True
    beta = np.zeros(forces.count)
    beta[others] = ends[others]
    beta[own] = np.linalg.solve(np.eye(len(own)) - K[:, own], c + K[:, others] @ ends[others])
    vectors = [vector for limit in limits for vector in limit.vectors]
    return any(np.linalg.norm(V, axis=0) @ beta >= np.linalg.norm(v) for V, v in vectors)


@dataclass(frozen=True, eq=False)
class StictionForces:
    """Admissible forces with limits that depend on these forces, from the admissible forces `start`.

    It has the methods of `AdmissibleForces`, to which it is equivalent without such limits.
    """

    forces: AdmissibleForces
    limits: Sequence[ReactionLimit]
    start: np.ndarray

    def _tangent_set(self, x: np.ndarray) -> AdmissibleForces:
        return within_tangents(self.forces, self.limits, [limit.directions(x) for limit in self.limits])

    @property
    def feasible(self) -> bool:
        """Whether the start, or other forces within its tangents, are admissible within round-off."""
        return self._tangent_set(self.start).feasible

    def minimum_norm(self) -> np.ndarray:
        """The admissible x of smallest xᵀ W x."""
        x = self.start
        for _ in range(ROUNDS):
            last, x = x, self._tangent_set(x).minimum_norm()
            if np.abs(x - last).max(initial=0.0) <= CHANGE_TOLERANCE * np.abs(x).max(initial=0.0):
                break
        return x

    def ranges(self, functions: np.ndarray | None = None) -> np.ndarray:
        """The smallest and the largest value of every component, or of the rows of `functions` times x: (k, 2)."""
        rows = np.eye(self.forces.count) if functions is None else np.atleast_2d(functions)
        found: np.ndarray = np.empty((len(rows), 2))
        for k, row in enumerate(rows):
            found[k] = -self._maximise(-row), self._maximise(row)
        return found

    def _maximise(self, function: np.ndarray) -> float:
        """Largest value found from the start, and from the extreme forces along all directions."""
        return max(self._maximise_from(function, x)[0] for x in (self.start, *self._extreme_forces))

    @cached_property
    def _extreme_forces(self) -> list[np.ndarray]:
        """Extreme forces along ± each direction of undetermined forces, where these are bounded."""
        slopes = [way * row for row in np.linalg.pinv(self.forces.directions) for way in (1.0, -1.0)]
        found = [self._maximise_from(row, self.start) for row in slopes]
        return [x for most, x in found if np.isfinite(most)]

    def _maximise_from(self, function: np.ndarray, x: np.ndarray) -> tuple[float, np.ndarray]:
        """The largest value of function · x found from x, and the x at which it is attained."""
        most = -np.inf
        for _ in range(ROUNDS):
            last = most
            most, x = self._tangent_set(x).maximise(function)
            if not most - last > CHANGE_TOLERANCE * np.abs(function * x).sum() or np.isinf(most):
                break
        return most, x

    def undetermined(self, functions: np.ndarray | None = None) -> np.ndarray:
        """Whether the range of every component, or of the rows of `functions` times x, contains more than one value."""
        return self._tangent_set(self.start).undetermined(functions)
