"""Check that every reported stiction force is within its limit."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from multiloop.model import GROUND, Contact, Friction, Helical
from multiloop.model.markers import value_of
from multiloop.model.names import body_of
from multiloop.questions.answers.result import Result

BEYOND = 1e-6
"""Relative tolerance by which a force may exceed its limit."""

UNLOADED = 1e-8
"""Contact forces below this part of the largest one on the same body are round-off of that one."""


def beyond_limits(result: Result) -> Iterator[str]:
    """Warnings for loads that stick with a force beyond their limit, each at its first instant.

    Every force is compared with its own limit; for a contact that carries a negligible load, the contacts that carry
    its body set the tolerance. The limit of a screw depends on the direction and is reported for sliding: it is not
    examined.
    """
    for load in result.mechanism.all_loads:
        if isinstance(load, Contact | Friction) and load.modes and load.exact:
            force, limit, unit = (
                _of_contact(result, load) if isinstance(load, Contact) else _of_joint(result, load)
            )
            beyond = np.flatnonzero(result.loads[load.name].sticking & (force > limit))
            for k in beyond[:1].tolist():
                what = f"'{load.name}' sticks with {force[k]:.6g} {unit}"
                yield f"at t = {result.time[k]:.6g} s {what}, beyond its limit of {limit[k]:.6g} {unit}"


def _of_joint(result: Result, load: Friction) -> tuple[np.ndarray, np.ndarray, str]:
    """Size of the effort, its limit with tolerance, and their unit."""
    told = result.loads[load.name]
    screw = any(
        isinstance(joint, Helical) and joint.name == load.joint for joint in result.mechanism.connections
    )
    limit = np.full_like(told.limit, np.inf) if screw else (1 + BEYOND) * told.limit
    return np.abs(told.effort), limit, told.units["effort"]


def _of_contact(result: Result, load: Contact) -> tuple[np.ndarray, np.ndarray, str]:
    """Size of the friction force, its limit with tolerance, and their unit."""
    told, mu = result.loads[load.name], value_of(load.coefficient)
    across = np.linalg.norm(told.force, axis=1) ** 2 - told.normal**2
    if mu is None:
        return across, np.full_like(across, np.inf), "N"
    floor = UNLOADED * min(_largest_on(result, body_of(marker)) for marker in (load.first, load.second))
    return np.sqrt(np.maximum(across, 0.0)), (1 + BEYOND) * mu * np.maximum(told.normal, 0.0) + floor, "N"


def _largest_on(result: Result, body: str) -> float:
    """The largest normal force of all contacts of a body; infinite for the ground."""
    if body == GROUND:
        return np.inf
    contacts = [load for load in result.mechanism.all_loads if isinstance(load, Contact)]
    found = [
        np.abs(result.loads[load.name].normal).max(initial=0.0)
        for load in contacts
        if body in (body_of(load.first), body_of(load.second))
    ]
    return float(max(found, default=0.0))
