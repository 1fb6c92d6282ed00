"""Drift of the energy balance of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from multiloop.questions.refusal import refusal

if TYPE_CHECKING:
    from multiloop.questions.answers.result import Result

STILL = 1e-7
"""A peak kinetic energy below this part of the potential energy belongs to a mechanism at rest."""


def energy_drift(result: Result) -> float:
    """Largest change of kinetic and potential energy less work, relative to the peak kinetic energy."""
    if result.work is None:
        what = "the work was not integrated."
        raise refusal(result.mechanism, "R04", "energy_drift", what, "Ask it of a Result of `simulate`.")
    balance = result.kinetic_energy + result.potential_energy - result.work
    stored = STILL * float(np.abs(result.potential_energy).max(initial=0.0))
    peak = max(float(result.kinetic_energy.max(initial=0.0)), stored) or 1.0
    return float(np.abs(balance - balance[0]).max() / peak)
