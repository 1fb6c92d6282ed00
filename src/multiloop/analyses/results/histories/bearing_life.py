"""Bearing life: the equivalent constant load of a run, and the basic rating life."""

from __future__ import annotations

from math import tau
from typing import TYPE_CHECKING

import numpy as np

from multiloop.analyses.results.averages import time_mean
from multiloop.model import Fault, SolveError, short_repr
from multiloop.model.expressions.expression import is_number

if TYPE_CHECKING:
    from multiloop.analyses.results.histories.joint_history import JointHistory

BALL, ROLLER = 3.0, 10.0 / 3.0
"""Exponents p of the life equation of ball bearings and of roller bearings."""

REVOLUTIONS = 1e6
"""Number of revolutions that a bearing lasts, as basic rating life, under a load equal to its dynamic load rating."""


def equivalent_load(joint: JointHistory, exponent: float = BALL) -> float:
    """The constant load P (N) that gives the same bearing life over the same rotation as the joint's `load` |F|.

        P = (∫ |F|^p |ω| dt / ∫ |ω| dt)^(1/p),      p = 3 for balls, 10/3 for rollers

    ω is the relative angular speed of the two bodies of the joint; for a guide it is their sliding speed.

    Source: [iso_bearings], the mean load of varying speed and load. Differs: |F| is the magnitude of the whole
    constraint force of the joint. The factors X and Y for axial load, and the distribution of a moment between two
    bearings, are not included; use the catalogue of the manufacturer.
    """
    if not (is_number(exponent) and exponent >= 1):
        raise _bearing_error(
            joint, f"the exponent is {short_repr(exponent)}.", "Give 3 for balls, 10/3 for rollers."
        )
    slid, most = joint.travel_rate, float(joint.load.max(initial=0.0))
    if most <= joint.least:
        return 0.0
    if not slid.any():
        what = "its bodies do not move relative to each other."
        raise _bearing_error(
            joint, what, "Choose a bearing at rest by the largest `load` and its static load rating."
        )
    part = time_mean(joint.time, (joint.load / most) ** exponent * slid) / time_mean(joint.time, slid)
    return float(most * part ** (1 / exponent))


def rated_life(joint: JointHistory, capacity: float, exponent: float = BALL) -> float:
    """Time in hours that 90 % of bearings last if the run is repeated; infinite without load or rotation.

        L₁₀ = 10⁶ (C / P)^p turns,      hours = L₁₀ / (3600 mean |ω| / 2π)

    C is the `capacity`, the dynamic load rating from a catalogue, in N; P is the `equivalent_load`, p the `exponent`
    and ω the relative angular speed of the joint. Oscillations are counted by the total angle that they cover.

    Source: [iso_bearings], basic rating life.
    """
    if not (is_number(capacity) and capacity > 0):
        raise _bearing_error(
            joint,
            f"the capacity is {short_repr(capacity)}.",
            "Give the dynamic load rating C of the bearing, in N.",
        )
    if not joint.turns:
        raise _bearing_error(
            joint, "it does not rotate.", "Use a joint that rotates about one axis or about a point."
        )
    load, speed = equivalent_load(joint, exponent), time_mean(joint.time, joint.travel_rate)
    if not load or not speed:
        return float("inf")
    return float(REVOLUTIONS * (capacity / load) ** exponent / (3600 * speed / tau))


def travel_rate(rates: np.ndarray, turning: tuple[bool, ...]) -> np.ndarray:
    """Relative angular speed of two bodies over time, or their sliding speed if no coordinate is an angle.

    `turning` states for each column of `rates` whether the coordinate is an angle.
    """
    columns = rates.reshape(len(rates), -1)
    chosen = [k for k in range(columns.shape[1]) if not any(turning) or turning[k]]
    found: np.ndarray = np.linalg.norm(columns[:, chosen], axis=1)
    return found


def _bearing_error(joint: JointHistory, what: str, remedy: str) -> SolveError:
    return SolveError(
        f"mechanism '{joint.mechanism}'", [Fault("R06", f"the bearing load of '{joint.name}'", what, remedy)]
    )
