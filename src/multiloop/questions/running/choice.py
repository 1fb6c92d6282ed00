"""What the equations of motion take as given near a position: independent rows, coordinates, penalties.

Chosen outside the kernels and handed to them, since straight code cannot pivot; a value, so that a position is
always answered with what was chosen for it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from multiloop.kernels.tolerances import SINGULAR_BELOW
from multiloop.plan.massless import rate_weights
from multiloop.questions.refusal import refusal
from multiloop.questions.run_errors import singular_position
from multiloop.questions.running.forward_model import Answer, ForwardModel
from multiloop.questions.running.penalties import inertia_moved, part_missed

PENALTY = 3e6
"""Penalty of the augmented method for a row, relative to the inertia that the row moves."""

SIZE = 1e-2
"""The least size of scaled rows: where all are smaller at once they vanish together."""

MET = 1e-7
"""Part of the accelerations along a row that penalties may leave over …"""

CLEAR = 1e-5
"""… at positions farther than this from a singular one."""

NOTHING = np.zeros((0, 0))


@dataclass(frozen=True, eq=False)
class Choice:
    """What was chosen at a closed position, and what is remembered on the way to the next one.

    `closeness` is the least singular value of the scaled rows over `size`, the largest so far; `yielded` is the most
    that every row has yielded so far, see `inertia_moved`.
    """

    basis: np.ndarray  # independent combinations of the rows
    coordinates: np.ndarray  # independent combinations of the rates
    weights: np.ndarray  # of penalties
    closeness: float
    size: float
    yielded: np.ndarray

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
    J, scale = model.rows_at(q, p), model.row_scale
    U, sigma, _ = np.linalg.svd(J, full_matrices=True)
    size = max(SIZE if before is None else before.size, float(sigma.max(initial=0.0)))
    closeness = float(sigma[model.rank - 1] / size) if model.rank else 1.0
    if closeness < SINGULAR_BELOW and not model.passes_singular:
        raise singular_position(model.plan.mechanism, t, closeness)
    basis, coordinates, weights = NOTHING, NOTHING, NOTHING
    yielded = np.zeros(len(J)) if before is None else before.yielded
    if model.functions.independent is not None:
        basis = U[:, : model.rank].T * scale
    if model.chooses:
        weight = rate_weights(model.equations, q, p)
        coordinates = np.linalg.svd(J / weight, full_matrices=True)[2][model.rank :] * weight
    if model.passes_singular:
        moved, yielded = inertia_moved(model.equations, J / scale[:, None], q, p, yielded)
        weights = PENALTY * moved
    elif model.functions.stiff:
        total = float(np.sum((J / scale[:, None]) ** 2)) or 1.0
        weights = np.array([[float(np.trace(model.inertia(q, p))) / total]])
    return Choice(basis, coordinates, weights, closeness, size, yielded)


def closeness_at(model: ForwardModel, q: np.ndarray, choice: Choice, p: np.ndarray) -> float:
    """How near a closed position is to a singular one: the least singular value of its rows over the largest.

    The largest is no less than that of the positions before: a single row, or all of them, may vanish.
    """
    sigma = np.linalg.svd(model.rows_at(q, p), compute_uv=False)
    return float(sigma[model.rank - 1] / max(choice.size, sigma.max(initial=0.0))) if model.rank else 1.0


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
    if not model.passes_singular or choice.closeness < CLEAR:
        return
    rows, driven, scale = model.skeleton.rows, list(model.driven), model.row_scale
    J, gamma = model.rows_at(q, p), model.equations.gamma(q, v, p)
    gamma[rows:] += model.drive(t, 2)
    lam = np.concatenate([answer.lam, answer.tau[driven]])
    pushed = np.linalg.lstsq(model.inertia(q, p), (J / scale[:, None]).T @ lam, rcond=None)[0]
    part = part_missed(J, scale * gamma, answer.a, pushed)
    if part > MET and closeness_at(model, q, choice, p) >= CLEAR:  # inside a step the position may be nearer
        what = f"the penalties do not meet the constraints at t = {t:.6g} s: a part {part:.1e} stays over."
        remedy = "Use another method than augmented."
        raise refusal(model.plan.mechanism, "S12", "forward dynamics", what, remedy)
