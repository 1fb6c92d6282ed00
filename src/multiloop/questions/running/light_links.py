"""Loss of digits by a light link next to heavy ones, estimated once at the start of a run.

Methods that solve J I⁻¹ Jᵀ λ = … for the multipliers lose digits where I⁻¹ of a light link dominates that of a heavy
one:

    relative error ≈ ε (s / s_I)²

with s and s_I the closeness of the rows to singular ones, by themselves and by the inertia that they move.

Differs: our own estimate, not a bound: with four-bar couplers from 1e-8 to 1e-14 kg, 0.02 to 1.5 times it was lost.
"""

from __future__ import annotations

import numpy as np

from multiloop.kinematics.conditioning import closeness_of, independent_basis, row_pivots
from multiloop.questions.round_off import LOST
from multiloop.questions.running.forward_model import ForwardModel

LIGHT = 1e-4
"""Mass ratio below which a link counts as light relative to the heaviest one."""

KEEPS = "embedding"
"""The method that does not lose digits to light links."""


def lightest_and_heaviest(
    model: ForwardModel, q: np.ndarray, p: np.ndarray
) -> tuple[tuple[float, str], tuple[float, str]]:
    """Masses (kg) and names of the lightest body that has mass and of the heaviest one."""
    masses = [float(M[5, 5]) for M in model.equations.masses(q, p)]
    bodies = [(mass, link.body) for mass, link in zip(masses, model.skeleton.links, strict=True) if mass > 0]
    return min(bodies), max(bodies)


def digits_lost(
    model: ForwardModel, t: float, q: np.ndarray | None = None, p: np.ndarray | None = None
) -> list[str]:
    """A warning where a light link costs more than six digits at the start of a run, otherwise an empty list.

    q and p are by default those of the described design.
    """
    if model.chooses or model.passes_singular or not model.weighs_masses or not model.rank:
        return []
    q = model.plan.assembly.on(model.equations) if q is None else q
    p = model.p if p is None else p
    (light, link), (heavy, other) = lightest_and_heaviest(model, q, p)
    if light > LIGHT * heavy:
        return []
    J = model.rows_at(q, p, t)
    J = independent_basis(J, model.grouping) @ J if model.redundant else J
    alone, moved = (
        closeness_of(*row_pivots(J, W)) for W in (np.diag(model.equations.chart.scale**2), model.metric(q, p))
    )
    part = float(np.finfo(float).eps * (alone / moved) ** 2) if moved else np.inf
    if part < LOST:
        return []
    return [
        f"'{link}' is light, {light:.1e} kg beside '{other}', {heavy:.1e} kg: round-off changes accelerations and "
        f'forces by a part {part:.0e}; method="{KEEPS}" keeps the digits'
    ]
