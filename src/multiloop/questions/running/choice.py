"""What the equations of motion take as given near a position: independent rows, coordinates, penalties.

Chosen outside the kernels and handed to them, since straight code cannot pivot; a value, so that a position is
always answered with what was chosen for it.
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
"""The least size of scaled rows: where all are smaller at once they vanish together."""

BESIDE = 0.1
"""The least size of a row where a run begins, beside the largest: smaller ones may be about to vanish."""

MET = 1e-7
"""Part of the accelerations along a row that penalties may leave over …"""

CLEAR = 1e-5
"""… at positions farther than this from a singular one."""

NOTHING = np.zeros((0, 0))


@dataclass(frozen=True, eq=False)
class Choice:
    """What was chosen at a closed position, and what is remembered on the way to the next one.

    `closeness` tells how near the position is to a singular one (`closeness_of`), `sizes` the largest squared sizes
    of the rows so far; `yielded` is the most that every row has yielded so far, see `inertia_moved`.
    """

    basis: np.ndarray  # independent combinations of the rows
    coordinates: np.ndarray  # independent combinations of the rates
    weights: np.ndarray  # of penalties
    closeness: float
    sizes: np.ndarray
    yielded: np.ndarray
    rate_weights: (
        np.ndarray
    )  # by which rates are compared where coordinates are chosen, as at the first position

    @property
    def given(self) -> dict[str, np.ndarray]:
        """The inputs of the traced functions that were chosen, by name."""
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
    """The choice at a closed position, coming from an earlier one; a singular position is refused with its time.

    `p` are the parameters of a design, else the described ones.
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
    """Roots of what the rates carry where independent ones are chosen among them, else 1."""
    return rate_weights(model.equations, q, p) if model.chooses else np.ones(model.skeleton.rates)


def judge_rows(
    model: ForwardModel,
    J: np.ndarray,
    q: np.ndarray,
    p: np.ndarray,
    before: np.ndarray | None,
    weight: np.ndarray,
) -> tuple[float, np.ndarray]:
    """How near scaled rows are to singular, and the largest squared sizes so far, as the compiled loop has them.

    J are the rows over the rates' weights. At the first position, where a row may vanish or all of them, none counts
    for less than SIZE, nor than a part of the largest.
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
    """How near scaled rows are to singular by themselves, whatever they move: beside the largest, or one of a size."""
    J = J * model.equations.chart.scale
    pivots, _, _ = pivoted_rows(J, model.grouping)
    largest = max(size, float(np.linalg.norm(J, axis=1).max(initial=0.0)))
    return closeness_of(pivots, np.full(len(pivots), largest**2))


def lost_direction(
    model: ForwardModel, closeness: float, t: float, q: np.ndarray, p: np.ndarray
) -> SolveError:
    """The error where rows cannot be told apart by what they move: the position is singular, or a link too light."""
    if held_by_rows(model, model.rows_at(q, p, t)) < NEARLY:
        return singular_position(model.plan.mechanism, t, closeness)
    (light, link), (heavy, other) = lightest_and_heaviest(model, q, p)
    if light > LIGHT * heavy:  # the state of a run that stops is beside the position that stopped it
        return singular_position(model.plan.mechanism, t, closeness)
    return too_light(model.plan.mechanism, t, (light, link), (heavy, other))


def pushed(model: ForwardModel, answer: Answer, t: float, q: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Accelerations that the multipliers together give to the tree, I⁻¹ Jᵀ λ."""
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
    """Refuse accelerations by penalties that miss the rows where nothing is singular."""
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
