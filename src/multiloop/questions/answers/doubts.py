"""What is to be known before the numbers of a result are used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from multiloop.kinematics.assembly import Assembly
from multiloop.model.markers import value_of
from multiloop.questions.answers.result import Result
from multiloop.questions.answers.state import missed_guess


def with_doubts(result: Result, doubts: Sequence[str]) -> Result:
    """The result with more to be known about it, nothing twice.

    Compared with its notes alone: reading the status would estimate the truncation error of all flexible links.
    """
    doubts = [doubt for doubt in dict.fromkeys(doubts) if doubt not in result.notes]
    if not doubts:
        return result
    known = [] if result.notes == "ok" else [result.notes]
    return replace(result, notes="; ".join([*known, *doubts]))


LOST = 1e-3
"""Part of the peak kinetic energy beyond which a ledger that does not close is told."""

RESTING = 1e-6
"""Rates, in lengths of the mechanism over the duration of the run, below which nothing is said to move."""


def energy_lost(result: Result) -> list[str]:
    """That the ledger of energy does not close: steps were too long for what moves."""
    if result.work is None or result.energy_drift <= LOST:
        return []
    mass = sum(value_of(body.mass) or 0.0 for body in result.mechanism.moving)
    slow = RESTING * result.plan.length / (float(np.ptp(result.time)) or np.inf)
    if result.kinetic_energy.max(initial=0.0) < mass * slow**2 / 2:
        return []
    part = f"{result.energy_drift:.2g} of the peak kinetic energy is unaccounted for"
    return [f"{part}: give a smaller rtol or step, or another integrator"]


def guess_far_off(assembly: Assembly) -> list[str]:
    """That a motion begins far from guessed values; one within 0.5 rad or a tenth of the size is not mentioned."""
    return [missed_guess(assembly.missed)] if assembly.missed else []
