"""What is to be known before the numbers of a result are used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from multiloop.kinematics.assembly import Assembly
from multiloop.model.markers import value_of
from multiloop.questions.answers.result import Result
from multiloop.questions.answers.state import FAR


def with_doubts(result: Result, doubts: Sequence[str]) -> Result:
    """The result with more to be known about it."""
    if not doubts:
        return result
    known = [] if result.status == "ok" else [result.status]
    return replace(result, status="; ".join([*known, *doubts]))


LOST = 1e-3
"""Part of the peak kinetic energy beyond which a ledger that does not close is told."""

RESTING = 1e-6
"""Rates, in lengths of the mechanism a second, below which nothing is said to move."""


def energy_lost(result: Result) -> list[str]:
    """That the ledger of energy does not close: steps were too long for what moves."""
    if result.work is None or result.energy_drift <= LOST:
        return []
    mass = sum(value_of(body.mass) or 0.0 for body in result.mechanism.moving)
    if result.kinetic_energy.max(initial=0.0) < RESTING**2 * mass * result.plan.length**2 / 2:
        return []
    part = f"{result.energy_drift:.2g} of the peak kinetic energy is unaccounted for"
    return [f"{part}: give a smaller rtol or step, or another integrator"]


def guess_far_off(
    assembly: Assembly, start: Mapping[str, Any] | None, guess: Mapping[str, Any] | None
) -> list[str]:
    """That a motion begins far from a guess of every body: the verb's own, or the mechanism's, which is for t = 0.

    A guess of some bodies is rough by intent, and a mechanism's guess says little of another start or time. The parts
    of a strut are where its ends are, whatever is guessed of them.
    """
    meant = (guess is not None or not (start or assembly.t)) and "/" not in assembly.farthest
    if not (meant and assembly.full and assembly.distance > FAR):
        return []
    return [
        f"'{assembly.farthest}' begins {assembly.distance:.2g} of the mechanism's size away from its guess"
    ]
