"""Warnings about smooth friction, which vanishes at rest: accelerations and equilibria there are frictionless."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from multiloop.model import Contact, Friction
from multiloop.model.markers import value_of
from multiloop.questions.answers.extremes import noise_floor
from multiloop.questions.answers.load_history import LoadHistory
from multiloop.questions.answers.result import Result

REST = 1e-2
"""Friction below this part of its limit is that of a joint or contact at rest."""


def creeping_at_rest(result: Result) -> Iterator[str]:
    """Warnings for smooth friction at rest in a mechanism that accelerates."""
    if not _accelerates(result):
        return
    for told in _idle_friction(result):
        slow = f"{told.creep_speed[0]:.3g} {told.units['creep_speed']}"
        what = "is smooth: it vanishes at rest, and what should stick creeps more slowly than"
        yield f"friction '{told.name}' {what} {slow}; stiction=\"exact\" sticks"


def friction_absent_at_rest(result: Result) -> Iterator[str]:
    """Warnings for smooth friction at an equilibrium: stiction would allow a range of equilibria."""
    for told in _idle_friction(result):
        what = "is smooth and vanishes at rest: stiction would allow a range of positions and efforts"
        yield f"friction '{told.name}' {what}"


def _idle_friction(result: Result) -> Iterator[LoadHistory]:
    """Smooth friction that could exert a force but is nearly zero because nothing slides."""
    for load in result.mechanism.all_loads:
        told = result.loads[load.name]
        if (
            not isinstance(load, Contact | Friction)
            or not told.values.get("creeping", np.zeros(1, bool)).any()
        ):
            continue
        if isinstance(load, Contact):
            idle = (told.sliding < REST * told.creep_speed) & (told.normal > 0)
        else:
            idle = (np.abs(told.effort) < REST * told.limit) & told.creeping
        if idle.any():
            yield told


def _accelerates(result: Result) -> bool:
    """Whether some acceleration exceeds that caused by round-off of the forces."""
    mass = sum(value_of(body.mass) or 0.0 for body in result.mechanism.moving)
    least = noise_floor(result)["N"]
    for joint in result.joints.values():
        a = np.abs(joint.acceleration.reshape(len(result.time), -1))
        turning = joint.turning if len(joint.turning) == a.shape[1] else (False,) * a.shape[1]
        lengths = np.where(turning, result.plan.length, 1.0)
        if mass * (a * lengths).max(initial=0.0) > least:
            return True
    return False
