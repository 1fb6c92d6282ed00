"""Inputs of the equations of motion that are chosen at a position: independent rows, coordinates and penalties.

They are chosen outside the compiled functions and passed to them, because code without branches cannot pivot. A choice
is a value: a position is always evaluated with what was chosen for it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from multiloop.kernels.tolerances import SINGULAR_BELOW
from multiloop.kinematics.conditioning import closeness_of, independent_basis, pivoted_rows, row_pivots
from multiloop.model import SolveError
from multiloop.plan.massless import rate_weights
from multiloop.questions.refusal import refusal
from multiloop.questions.run_errors import NEARLY, singular_position, too_light
from multiloop.questions.running.forward_model import Answer, ForwardModel
from multiloop.questions.running.light_links import LIGHT, lightest_and_heaviest
from multiloop.questions.running.penalties import inertia_moved, part_missed

PENALTY = 3e6
"""Penalty of the augmented method for a row, relative to the inertia that the row moves."""

SIZE = 1e-2
"""Smallest size of scaled rows that counts as regular; where all rows are smaller, they vanish together."""

BESIDE = 0.1
"""Smallest size of a row at the start of a run, relative to the largest; smaller rows may be about to vanish."""

MET = 1e-7
"""Largest relative residual of the acceleration constraints that penalties may leave …"""

CLEAR = 1e-5
"""… at positions whose closeness to a singular one is larger than this."""

NOTHING = np.zeros((0, 0))


@dataclass(frozen=True, eq=False)
class Choice:
    """Quantities chosen at a position with closed loops, and the history needed for the next choice.

    `closeness` measures the distance from a singular position (`closeness_of`), `sizes` are the largest squared sizes
    of the rows so far, and `yielded` are the largest compliances of the rows so far (`inertia_moved`).
    """

    basis: np.ndarray  # independent combinations of the rows
    coordinates: np.ndarray  # independent combinations of the rates
    weights: np.ndarray  # of penalties
    closeness: float
    sizes: np.ndarray
    yielded: np.ndarray
    rate_weights: (
        np.ndarray
    )  # weights of the rates for the choice of coordinates, taken at the first position

    @property
    def given(self) -> dict[str, np.ndarray]:
        """The chosen inputs of the traced functions, by name."""
        found = {"basis": self.basis, "choice": self.coordinates, "c": self.weights}
        return {name: value for name, value in found.items() if value.size}


def choose(
    model: ForwardModel,
    q: np.ndarray,
    *,
    p: np.ndarray | None = None,
    before: Choice | None = None,
    t: float = 0.0,
) -> Choice:
    """The choice at a position with closed loops, following an earlier choice; a singular position is refused.

    `p` are the parameters of a design, by default those of the description.
    """
    p = model.p if p is None else p
    J, scale = model.rows_at(q, p, t), model.row_scale
    weight = before.rate_weights if before is not None else _rate_weights(model, q, p)
    closeness, sizes = judge_rows(model, J / weight, q, p, None if before is None else before.sizes, weight)
    if closeness < SINGULAR_BELOW and not model.passes_singular:
        raise lost_direction(model, closeness, t, q, p)
    basis, coordinates, weights = NOTHING, NOTHING, NOTHING
    yielded = np.zeros(len(J)) if before is None else before.yielded
    if model.redundant:
        basis = independent_basis(J, model.grouping) * scale
    if model.chooses:
        rows = model.functions.rows
        coordinates = np.linalg.svd(J[:rows] / weight, full_matrices=True)[2][model.solved :] * weight
    if model.passes_singular:
        moved, yielded = inertia_moved(model.equations, J / scale[:, None], q, p, yielded)
        weights = PENALTY * moved[: model.functions.rows]
    elif model.functions.stiff:
        total = float(np.sum((J / scale[:, None]) ** 2)) or 1.0
        weights = np.array([[float(np.trace(model.inertia(q, p))) / total]])
    return Choice(basis, coordinates, weights, closeness, sizes, yielded, weight)


def _rate_weights(model: ForwardModel, q: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Square roots of the inertia along the rates where independent coordinates are chosen, otherwise 1."""
    return rate_weights(model.equations, q, p) if model.chooses else np.ones(model.skeleton.rates)


def judge_rows(
    model: ForwardModel,
    J: np.ndarray,
    q: np.ndarray,
    p: np.ndarray,
    before: np.ndarray | None,
    weight: np.ndarray,
) -> tuple[float, np.ndarray]:
    """The closeness of scaled rows to a singular set, and their largest squared sizes so far, as in the compiled loop.

    J are the rows divided by the weights of the rates. At the first position, where some or all rows may vanish, the
    size of a row is at least `SIZE` and at least a fraction of the largest.
    """
    if model.rank < len(J):
        pivots, found, order = pivoted_rows(J, model.grouping)
    else:
        order = model.equations.rows.in_order(model.functions.order or ())
        pivots, found = row_pivots((J * weight)[order], model.metric(q, p))
    sizes = found if model.rank == len(J) else np.sum(J * J, axis=1)
    if before is None:
        lengths = np.linalg.norm(J * weight * model.equations.chart.scale, axis=1)
        least = max(SIZE, BESIDE * float(lengths.max(initial=0.0)))
        floor = np.maximum(1.0, least / np.where(lengths > 0, lengths, 1.0)) ** 2
        largest = sizes * (floor[order] if model.rank == len(J) else floor)
    else:
        largest = np.maximum(before, sizes)
    return closeness_of(pivots, largest if model.rank == len(J) else largest[order]), largest


def held_by_rows(model: ForwardModel, J: np.ndarray, size: float = SIZE) -> float:
    """The closeness of scaled rows to a singular set without inertia, relative to the largest row or to `size`."""
    J = J * model.equations.chart.scale
    pivots, _, _ = pivoted_rows(J, model.grouping)
    largest = max(size, float(np.linalg.norm(J, axis=1).max(initial=0.0)))
    return closeness_of(pivots, np.full(len(pivots), largest**2))


def lost_direction(
    model: ForwardModel, closeness: float, t: float, q: np.ndarray, p: np.ndarray
) -> SolveError:
    """The error where rows are numerically dependent: the position is singular, or a link is too light."""
    if held_by_rows(model, model.rows_at(q, p, t)) < NEARLY:
        return singular_position(model.plan.mechanism, t, closeness)
    (light, link), (heavy, other) = lightest_and_heaviest(model, q, p)
    if light > LIGHT * heavy:  # a run stops at a state near, and not at, the singular position
        return singular_position(model.plan.mechanism, t, closeness)
    return too_light(model.plan.mechanism, t, (light, link), (heavy, other))


def pushed(model: ForwardModel, answer: Answer, t: float, q: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Accelerations of the tree caused by all multipliers, I⁻¹ Jᵀ λ."""
    J = model.equations.rows_jacobian(q, p, t)
    lam = np.concatenate([answer.lam, J[model.equations.own.count :] @ answer.tau])
    found: np.ndarray = np.linalg.lstsq(model.inertia(q, p), J.T @ lam, rcond=None)[0]
    return found


def require_met(
    model: ForwardModel,
    choice: Choice,
    t: float,
    q: np.ndarray,
    v: np.ndarray,
    answer: Answer,
    p: np.ndarray,
) -> None:
    """Refuse accelerations of the penalty method that violate the constraints at a regular position."""
    if not model.passes_singular:
        return
    J = model.rows_at(q, p, t)
    gamma = model.row_scale * model.equations.gamma(q, v, model.prescribed(t), p)
    part = part_missed(J, gamma, answer.a, pushed(model, answer, t, q, p))
    if part > MET and held_by_rows(model, J) >= CLEAR:  # light links make no position singular
        if choice.closeness < SINGULAR_BELOW:
            raise lost_direction(model, choice.closeness, t, q, p)
        what = f"the penalties do not meet the constraints at t = {t:.6g} s: a part {part:.1e} stays over."
        remedy = "Use another method than augmented."
        raise refusal(model.plan.mechanism, "S12", "forward dynamics", what, remedy)
