"""Warnings that are added to a Result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from multiloop.kinematics.assembly import Assembly
from multiloop.model.markers import value_of
from multiloop.questions.answers.result import Result
from multiloop.questions.answers.state import missed_guess


def with_doubts(result: Result, doubts: Sequence[str]) -> Result:
    """The result with further warnings, none of them twice.

    They are compared with its notes only: reading the status would estimate the truncation error of all flexible links.
    """
    doubts = [doubt for doubt in dict.fromkeys(doubts) if doubt not in result.notes]
    if not doubts:
        return result
    known = [] if result.notes == "ok" else [result.notes]
    return replace(result, notes="; ".join([*known, *doubts]))


LOST = 1e-3
"""Part of the peak kinetic energy above which an error of the energy balance is reported."""

RESTING = 1e-6
"""Rates, in characteristic lengths per duration of the run, below which the mechanism counts as being at rest."""


def energy_lost(result: Result) -> list[str]:
    """The warning that the energy balance does not close: steps were too long."""
    if result.work is None or result.energy_drift <= LOST:
        return []
    mass = sum(value_of(body.mass) or 0.0 for body in result.mechanism.moving)
    slow = RESTING * result.plan.length / (float(np.ptp(result.time)) or np.inf)
    if result.kinetic_energy.max(initial=0.0) < mass * slow**2 / 2:
        return []
    part = f"{result.energy_drift:.2g} of the peak kinetic energy is unaccounted for"
    return [f"{part}: give a smaller rtol or step, or another integrator"]


def guess_far_off(assembly: Assembly) -> list[str]:
    """The warning that a motion begins far from guessed values, by more than 0.5 rad or a tenth of the size."""
    return [missed_guess(assembly.missed)] if assembly.missed else []
