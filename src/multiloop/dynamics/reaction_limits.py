"""Admissible forces, their minimum norm and ranges, if friction limits depend on reactions that friction itself
changes.

    |f x + f₀| ≤ Σ |Vᵢ x + vᵢ|      for every limit

x are the undetermined forces. For example, the friction torque of a pin is at most μ r |F|, and the reaction F depends
on the friction torques of all pins of the loop. The right-hand side is a convex function of x, so that the admissible
set is not convex. The right-hand side is never smaller than its tangents,

    |f x + f₀| ≤ Σ eᵢ (Vᵢ x + vᵢ),      |eᵢ| = 1

so that these linear inequalities, together with equilibrium, bounds and cones, describe a convex set whose points are
all admissible. If the unit vectors eᵢ are along Vᵢ x₀ + vᵢ, this set contains x₀ if x₀ is admissible. Optima are
computed by a sequence of such convex sets, each with the tangents at the optimum of the previous set: every iterate is
admissible, and none is worse than its predecessor. The optima are local: they are connected to the first x₀ by
admissible forces, and other connected parts of the admissible set are not examined.

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
"""Largest number of convex sets, each with new tangents, in a sequence."""

CHANGE_TOLERANCE = 1e-11
"""Relative change of the forces or of the optimum up to which the sequence of convex sets ends."""

MIN_IMPROVEMENT = 1e-6
"""Relative reduction of the constraint violation below which no further convex set is tried."""

MAX_DIRECTIONS = 64
"""Largest number of combinations of initial directions eᵢ that are tried if admissible forces may rotate these
directions far."""


@dataclass(frozen=True, eq=False)
class ReactionLimit:
    """A limit |f x + f₀| ≤ Σ |Vᵢ x + vᵢ| of forces x (n,): `force` is f (n,), `offset` is f₀, and `vectors` are tuples
    (Vᵢ, vᵢ) of shapes (m, n) and (m,)."""

    force: np.ndarray
    offset: float
    vectors: tuple[tuple[np.ndarray, np.ndarray], ...]

    def in_unknowns(self, S: np.ndarray, s: np.ndarray) -> ReactionLimit:
        """The limit as a condition on other unknowns u, with x = S u + s."""
        vectors = tuple((V @ S, V @ s + v) for V, v in self.vectors)
        return ReactionLimit(self.force @ S, self.offset + float(self.force @ s), vectors)

    def slack(self, x: np.ndarray) -> float:
        """Slack Σ |Vᵢ x + vᵢ| − |f x + f₀|; negative if x violates the limit."""
        most = sum(float(np.linalg.norm(V @ x + v)) for V, v in self.vectors)
        return most - abs(float(self.force @ x) + self.offset)

    def size(self, unit: np.ndarray) -> float:
        """Upper bound of the sum of the changes of |f x + f₀| and of all |Vᵢ x + vᵢ| if the norm of the change of x,
        divided by the scales `unit` of its entries, is 1."""
        parts = [self.force, *(V for V, _ in self.vectors)]
        return sum(float(np.linalg.norm(part * unit)) for part in parts)

    def directions(self, x: np.ndarray) -> list[np.ndarray]:
        """Unit vectors eᵢ along the vectors Vᵢ x + vᵢ of the limit, which define the tangents at x; zero for a vector
        that vanishes at x."""
        found = [V @ x + v for V, v in self.vectors]
        return [along / (float(np.linalg.norm(along)) or 1.0) for along in found]

    def tangents(self, directions: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        """Rows R (2, n) and right-hand sides r (2,) of the inequalities R x ≥ r that are equivalent to |f x + f₀| ≤
        Σ eᵢ (Vᵢ x + vᵢ), with the unit vectors eᵢ in `directions`; they imply the limit."""
        parts = list(zip(directions, self.vectors, strict=True))
        most = sum((e @ V for e, (V, _) in parts), np.zeros(len(self.force)))
        end = sum(float(e @ v) for e, (_, v) in parts)
        return np.array([most - self.force, most + self.force]), np.array(
            [self.offset - end, -self.offset - end]
        )


def within_tangents(
    forces: AdmissibleForces, limits: Sequence[ReactionLimit], directions: Sequence[Sequence[np.ndarray]]
) -> AdmissibleForces:
    """The convex set of admissible forces in which all limits are replaced by their tangents in the given
    directions."""
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
    """A nonempty convex set of admissible forces, found from forces `start` that need not be admissible; None if none
    is found.

    The tangents are taken successively at the point that violates the previous inequalities least. If admissible forces
    may rotate the vectors of the limits far, tangents in many other directions are also tried, since the admissible set
    may have parts far from `start`.
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
    """Sets of initial tangent directions, for all limits, from which the search starts one after another."""
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

    The forces are bounded by |xⱼ| ≤ βⱼ: βⱼ is given for forces with bounds, and follows from β = c + K β for forces
    with friction limits, where K bounds the change of the limits due to unit forces and c the limits at zero forces. If
    the spectral radius ρ(K) ≥ 1, friction is self-locking: the mechanism can jam, and the forces are unbounded.
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
    """Admissible forces with friction limits that depend on these forces; optimisation starts at the admissible forces
    `start`.

    The class has the methods of `AdmissibleForces`, and is equivalent to that class if `limits` is empty.
    """

    forces: AdmissibleForces
    limits: Sequence[ReactionLimit]
    start: np.ndarray

    def _tangent_set(self, x: np.ndarray) -> AdmissibleForces:
        return within_tangents(self.forces, self.limits, [limit.directions(x) for limit in self.limits])

    @property
    def feasible(self) -> bool:
        """Whether admissible forces exist, up to round-off, if the limits are replaced by their tangents at `start`."""
        return self._tangent_set(self.start).feasible

    def minimum_norm(self) -> np.ndarray:
        """Admissible forces x with a locally smallest weighted norm xᵀ W x, starting from `start`."""
        x = self.start
        for _ in range(ROUNDS):
            last, x = x, self._tangent_set(x).minimum_norm()
            if np.abs(x - last).max(initial=0.0) <= CHANGE_TOLERANCE * np.abs(x).max(initial=0.0):
                break
        return x

    def ranges(self, functions: np.ndarray | None = None) -> np.ndarray:
        """The smallest and the largest value found, (k, 2), of every component of the forces x, or of every entry of
        `functions` @ x."""
        rows = np.eye(self.forces.count) if functions is None else np.atleast_2d(functions)
        found: np.ndarray = np.empty((len(rows), 2))
        for k, row in enumerate(rows):
            found[k] = -self._maximise(-row), self._maximise(row)
        return found

    def _maximise(self, function: np.ndarray) -> float:
        """The largest value of function · x found in searches from `start` and from the extreme forces."""
        return max(self._maximise_from(function, x)[0] for x in (self.start, *self._extreme_forces))

    @cached_property
    def _extreme_forces(self) -> list[np.ndarray]:
        """For each direction in which the forces are undetermined, the admissible forces with the largest and with the
        smallest component along it; unbounded components are omitted."""
        slopes = [sign * row for row in np.linalg.pinv(self.forces.directions) for sign in (1.0, -1.0)]
        found = [self._maximise_from(row, self.start) for row in slopes]
        return [x for most, x in found if np.isfinite(most)]

    def _maximise_from(self, function: np.ndarray, x: np.ndarray) -> tuple[float, np.ndarray]:
        """The locally largest value of function · x, found from the start x, and the forces at which it is attained."""
        most = -np.inf
        for _ in range(ROUNDS):
            last = most
            most, x = self._tangent_set(x).maximise(function)
            if not most - last > CHANGE_TOLERANCE * np.abs(function * x).sum() or np.isinf(most):
                break
        return most, x

    def undetermined(self, functions: np.ndarray | None = None) -> np.ndarray:
        """For every component of the forces x, or every entry of `functions` @ x, whether it can have more than one
        value."""
        return self._tangent_set(self.start).undetermined(functions)
