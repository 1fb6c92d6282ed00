"""Inputs of the equations of motion that are chosen at a position: independent rows, coordinates and penalties.

They are chosen outside the compiled functions and passed to these, because code without branches cannot pivot. A choice
is an immutable value: a position is always evaluated with the choice made for this position.

The module also computes the distance of a position from a singular one, the penalty factors of constraints relative to
the inertia that these constraints move, and the digits lost because of a light link next to heavy ones. Methods that
compute the multipliers from equations with the matrix J I⁻¹ Jᵀ, where J is the constraint Jacobian and I the mass
matrix, lose digits where I⁻¹ of a light link dominates that of a heavy link:

    relative error ≈ ε (s / s_I)²

with the machine precision ε, and the distances s and s_I of the constraint rows from singularity, without and with I⁻¹
as metric.

Derived here; it is an estimate, not a bound: with couplers of a four-bar linkage from 1e-8 to 1e-14 kg, the error was
0.02 to 1.5 times the estimate.
Theory: docs/theory/06-forward-dynamics.md, eq. (6.20); docs/theory/08-singular-configurations.md, eq. (8.6).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from multiloop.analyses.errors import (
    REPORTED_DISTANCE,
    analysis_error,
    mass_ratio_error,
    singular_position_error,
)
from multiloop.analyses.results import REPORTED_PART
from multiloop.analyses.run_models.forward_model import ForwardModel, ForwardSolution
from multiloop.kernels.runtime import SINGULAR_LIMIT
from multiloop.kinematics import CACHE_SIZE, Equations
from multiloop.kinematics.conditioning import independent_basis, pivot_distance, pivoted_rows, row_pivots
from multiloop.model import ResultWarning, SolveError
from multiloop.plan import carried_inertia_of_rates, rate_weights

PENALTY = 3e6
"""Penalty factor of the augmented method for a constraint row, relative to the inertia that this constraint moves."""

LEAST_ROW_SIZE = 1e-2
"""Smallest norm of the constraint rows (rows of lengths divided by the characteristic length) at a regular position; if
the norms of all rows are smaller, all rows count as vanishing."""

LEAST_RELATIVE_SIZE = 0.1
"""Smallest reference norm of a constraint row at the start of a simulation, as a fraction of the largest norm: a row
with a smaller norm may be about to vanish."""

PENALTY_RESIDUAL = 1e-7
"""Largest residual of the acceleration constraints, as a fraction of their right-hand side, that penalties may leave at
regular positions."""

REGULAR_DISTANCE = 1e-5
"""Distance from singularity from which on a position counts as regular, so that `PENALTY_RESIDUAL` applies."""

NO_MATRIX = np.zeros((0, 0))


@dataclass(frozen=True, eq=False)
class LocalChoice:
    """Quantities chosen at a position with closed loops, and quantities that the next choice requires.

    `singularity_distance` is the distance from a singular position (`pivot_distance`), `sizes` are the largest squared
    norms of the constraint rows since the start of the motion, and `largest_compliances` the largest compliances of the
    rows since then (`row_inertias`).
    """

    basis: np.ndarray  # matrix of independent linear combinations of the constraint rows
    coordinates: np.ndarray  # matrix of independent linear combinations of the joint rates
    weights: np.ndarray  # penalty factors of the constraint rows
    singularity_distance: float
    sizes: np.ndarray
    largest_compliances: np.ndarray
    rate_weights: (
        np.ndarray
    )  # weights of the rates for the choice of coordinates, taken at the first position

    @property
    def kernel_inputs(self) -> dict[str, np.ndarray]:
        """The chosen inputs of the traced functions, by name."""
        found = {"basis": self.basis, "choice": self.coordinates, "c": self.weights}
        return {name: value for name, value in found.items() if value.size}


def first_choice(model: ForwardModel, q: np.ndarray, t: float) -> LocalChoice:
    """The choice at the start of a motion of the described mechanism, from `make_local_choice`, cached."""
    return _first_choice(model, np.ascontiguousarray(q, float).tobytes(), t)


@lru_cache(maxsize=CACHE_SIZE)
def _first_choice(model: ForwardModel, q: bytes, t: float) -> LocalChoice:
    return make_local_choice(model, np.frombuffer(q), t=t)


def make_local_choice(
    model: ForwardModel,
    q: np.ndarray,
    *,
    p: np.ndarray | None = None,
    before: LocalChoice | None = None,
    t: float = 0.0,
) -> LocalChoice:
    """The choice at a position q with closed loops; raises an error if the position is singular.

    `before` is the previous choice of the same motion, None at its start. `p` are the parameter values, by default
    those of the described mechanism.
    """
    p = model.p if p is None else p
    J, scale = model.scaled_jacobian(q, p, t), model.row_scale
    weight = before.rate_weights if before is not None else _rate_weights(model, q, p)
    singularity_distance, sizes = rows_distance(
        model, J / weight, q, p, None if before is None else before.sizes, weight
    )
    if singularity_distance < SINGULAR_LIMIT and not model.passes_singular:
        raise singularity_error(model, singularity_distance, t, q, p)
    basis, coordinates, weights = NO_MATRIX, NO_MATRIX, NO_MATRIX
    yielded = np.zeros(len(J)) if before is None else before.largest_compliances
    if model.redundant:
        basis = independent_basis(J, model.grouping) * scale
    if model.uses_independent_coordinates:
        rows = model.functions.rows
        coordinates = np.linalg.svd(J[:rows] / weight, full_matrices=True)[2][model.solved_rows :] * weight
    if model.passes_singular:
        moved, yielded = row_inertias(model.equations, J / scale[:, None], q, p, yielded)
        weights = PENALTY * moved[: model.functions.rows]
    elif model.functions.stiff:
        total = float(np.sum((J / scale[:, None]) ** 2)) or 1.0
        weights = np.array([[float(np.trace(model.inertia(q, p))) / total]])
    return LocalChoice(basis, coordinates, weights, singularity_distance, sizes, yielded, weight)


def _rate_weights(model: ForwardModel, q: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Weights of the rates in the choice of independent coordinates: square roots of the inertia that each rate moves;
    all weights are 1 for methods without such coordinates."""
    return (
        rate_weights(model.equations, q, p)
        if model.uses_independent_coordinates
        else np.ones(model.skeleton.rates)
    )


def rows_distance(
    model: ForwardModel,
    J: np.ndarray,
    q: np.ndarray,
    p: np.ndarray,
    before: np.ndarray | None,
    weight: np.ndarray,
) -> tuple[float, np.ndarray]:
    """The distance of the constraint rows J (rows of lengths divided by the characteristic length) from linear
    dependence, and their largest squared norms so far, computed as in the compiled loop.

    The rows of J are divided by the weights of the rates. At the first position (`before` is None), where some or all
    rows may vanish, the norm of a row counts as at least `LEAST_ROW_SIZE`, and at least the fraction
    `LEAST_RELATIVE_SIZE` of the largest norm.
    """
    if model.rank < len(J):
        pivots, found, order = pivoted_rows(J, model.grouping)
    else:
        order = model.equations.rows.row_order(model.functions.order or ())
        pivots, found = row_pivots((J * weight)[order], model.metric(q, p))
    sizes = found if model.rank == len(J) else np.sum(J * J, axis=1)
    if before is None:
        lengths = np.linalg.norm(J * weight * model.equations.chart.rate_units, axis=1)
        least = max(LEAST_ROW_SIZE, LEAST_RELATIVE_SIZE * float(lengths.max(initial=0.0)))
        floor = np.maximum(1.0, least / np.where(lengths > 0, lengths, 1.0)) ** 2
        largest = sizes * (floor[order] if model.rank == len(J) else floor)
    else:
        largest = np.maximum(before, sizes)
    return pivot_distance(pivots, largest if model.rank == len(J) else largest[order]), largest


def geometric_distance(model: ForwardModel, J: np.ndarray, size: float = LEAST_ROW_SIZE) -> float:
    """The distance of the constraint rows J (rows of lengths divided by the characteristic length) from linear
    dependence, without regard to inertia.

    It follows from the pivots of an elimination of the rows (`pivot_distance`), and is relative to the largest norm of
    a row or, if larger, to `size`.
    """
    J = J * model.equations.chart.rate_units
    pivots, _, _ = pivoted_rows(J, model.grouping)
    largest = max(size, float(np.linalg.norm(J, axis=1).max(initial=0.0)))
    return pivot_distance(pivots, np.full(len(pivots), largest**2))


def singularity_error(
    model: ForwardModel, singularity_distance: float, t: float, q: np.ndarray, p: np.ndarray
) -> SolveError:
    """The error for constraint rows that are numerically dependent, because the position is singular or a link is too
    light."""
    if geometric_distance(model, model.scaled_jacobian(q, p, t)) < REPORTED_DISTANCE:
        return singular_position_error(model.plan.mechanism, t, singularity_distance)
    (light, link), (heavy, other) = lightest_and_heaviest(model, q, p)
    if light > LIGHT_RATIO * heavy:  # no link is light, so that the position is nearly singular
        return singular_position_error(model.plan.mechanism, t, singularity_distance)
    return mass_ratio_error(model.plan.mechanism, t, (light, link), (heavy, other))


def multiplier_accelerations(
    model: ForwardModel, answer: ForwardSolution, t: float, q: np.ndarray, p: np.ndarray
) -> np.ndarray:
    """Joint accelerations I⁻¹ Jᵀ λ of the tree caused by the multipliers λ of loops and drives, with the mass matrix I
    and the constraint Jacobian J."""
    J = model.equations.rows_jacobian(q, p, t)
    lam = np.concatenate([answer.lam, J[model.equations.loop_constraints.count :] @ answer.tau])
    found: np.ndarray = np.linalg.lstsq(model.inertia(q, p), J.T @ lam, rcond=None)[0]
    return found


def require_constraints_met(
    model: ForwardModel,
    choice: LocalChoice,
    t: float,
    q: np.ndarray,
    v: np.ndarray,
    answer: ForwardSolution,
    p: np.ndarray,
) -> None:
    """Raise an error if accelerations of the penalty method violate the constraints at a regular position."""
    if not model.passes_singular:
        return
    J = model.scaled_jacobian(q, p, t)
    gamma = model.row_scale * model.equations.gamma(q, v, model.prescribed(t), p)
    part = relative_residual(J, gamma, answer.a, multiplier_accelerations(model, answer, t, q, p))
    if (
        part > PENALTY_RESIDUAL and geometric_distance(model, J) >= REGULAR_DISTANCE
    ):  # light links do not make a position singular
        if choice.singularity_distance < SINGULAR_LIMIT:
            raise singularity_error(model, choice.singularity_distance, t, q, p)
        what = (
            f"the penalty iteration does not satisfy the constraints at t = {t:.6g} s (relative "
            f"residual {part:.1e})."
        )
        remedy = 'Use a method other than "augmented".'
        raise analysis_error(model.plan.mechanism, "S12", "forward dynamics", what, remedy)


FLAT_SLOPE = 1e-2
"""Smallest compliance J_r I⁻¹ J_rᵀ of the constraint rows J_r of a cut joint, with the mass matrix I, as a fraction of
the largest compliance since the start of the motion; rows with a smaller compliance count as vanishing."""


def row_inertias(
    equations: Equations, J: np.ndarray, q: np.ndarray, p: np.ndarray, most: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The inertia that every constraint row J_r moves, 1 / (J_r I⁻¹ J_rᵀ), with the mass matrix I approximated by the
    diagonal matrix of the inertia that each joint rate moves.

    J has the rows of the loops, followed by others. Rows of one cut joint that all constrain lengths, or all angles,
    get the mean of their compliances J_r I⁻¹ J_rᵀ, because one of these rows may vanish at a singular position. Since
    all of them may vanish, a compliance is at least `FLAT_SLOPE` times its largest value so far, which is in `most`.
    Rows that constrain massless links only get the largest inertia of all rows. Returns the inertias, rows × 1, and the
    updated `most`.
    """
    carried = carried_inertia_of_rates(equations, q, p)
    yielding = J**2 @ np.where(carried > 0, 1 / np.where(carried > 0, carried, 1.0), 0.0)
    for constraint, place in zip(
        equations.loop_constraints.constraints, equations.loop_constraints.slices, strict=True
    ):
        lengths = np.array([row.is_length for row in constraint.rows], bool)
        for alike in (lengths, ~lengths):
            rows = np.arange(place.start, place.stop)[alike]
            yielding[rows] = yielding[rows].mean() if len(rows) else 0.0
    most = np.maximum(most, yielding)
    yielding = np.maximum(yielding, FLAT_SLOPE * most)
    known = yielding > 0
    found = np.full((len(J), 1), float((1 / yielding[known]).max(initial=0.0)) or 1.0)
    found[known, 0] = 1 / yielding[known]
    return found, most


def relative_residual(J: np.ndarray, gamma: np.ndarray, a: np.ndarray, pushed: np.ndarray) -> float:
    """The largest residual of the acceleration constraints J a = γ, relative to the magnitude of their terms.

    The magnitude includes the accelerations a, the accelerations `pushed` that all multipliers together cause, and γ.
    """
    size = float((np.abs(J) @ (np.abs(a) + np.abs(pushed)) + np.abs(gamma)).max(initial=0.0))
    return float(np.abs(J @ a - gamma).max(initial=0.0)) / size if size else 0.0


LIGHT_RATIO = 1e-4
"""Mass ratio below which a link counts as light compared with the heaviest one."""

ACCURATE_METHOD = "embedding"
"""Name of the method whose accuracy does not suffer from light links."""


def lightest_and_heaviest(
    model: ForwardModel, q: np.ndarray, p: np.ndarray
) -> tuple[tuple[float, str], tuple[float, str]]:
    """Masses (kg) and names of the lightest body that has mass and of the heaviest one."""
    masses = [float(M[5, 5]) for M in model.equations.tree_functions.mass_matrices(q, p)]
    bodies = [(mass, link.body) for mass, link in zip(masses, model.skeleton.links, strict=True) if mass > 0]
    return min(bodies), max(bodies)


def light_link_warnings(
    model: ForwardModel, t: float, q: np.ndarray | None = None, p: np.ndarray | None = None
) -> list[ResultWarning]:
    """The warning that a light link costs more than six digits at the start of a simulation; otherwise an empty list.

    The limit of the error, as a fraction of accelerations and forces, is `REPORTED_PART`. The coordinates q and
    parameters p are by default those of the described mechanism, for which the warning is cached.
    """
    if q is None and p is None:
        return list(_light_link_warnings_at_start(model, t))
    q = model.plan.assembly.coordinates_on(model.equations) if q is None else q
    return _light_link_warnings(model, t, q, model.p if p is None else p)


@lru_cache(maxsize=CACHE_SIZE)
def _light_link_warnings_at_start(model: ForwardModel, t: float) -> tuple[ResultWarning, ...]:
    q = model.plan.assembly.coordinates_on(model.equations)
    return tuple(_light_link_warnings(model, t, q, model.p))


def _light_link_warnings(model: ForwardModel, t: float, q: np.ndarray, p: np.ndarray) -> list[ResultWarning]:
    if (
        model.uses_independent_coordinates
        or model.passes_singular
        or not model.uses_mass_metric
        or not model.rank
    ):
        return []
    (light, link), (heavy, other) = lightest_and_heaviest(model, q, p)
    if light > LIGHT_RATIO * heavy:
        return []
    J = model.scaled_jacobian(q, p, t)
    J = independent_basis(J, model.grouping) @ J if model.redundant else J
    alone, moved = (
        pivot_distance(*row_pivots(J, W))
        for W in (np.diag(model.equations.chart.rate_units**2), model.metric(q, p))
    )
    part = float(np.finfo(float).eps * (alone / moved) ** 2) if moved else np.inf
    if part < REPORTED_PART:
        return []
    text = (
        f"'{link}' is light, {light:.1e} kg compared with '{other}', {heavy:.1e} kg: "
        f"round-off changes accelerations and forces by a relative amount of {part:.0e}; "
        f'method="{ACCURATE_METHOD}" is more accurate'
    )
    return [ResultWarning("W40", link, text, part, "1", t)]
