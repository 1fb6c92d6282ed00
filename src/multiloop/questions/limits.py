"""Which actuators come to their limits: where more is needed than they can give, and where they give all they can."""

from __future__ import annotations

import numpy as np

from multiloop.kinematics.chart import LENGTHS
from multiloop.model import Mechanism
from multiloop.questions.answers.result import Result
from multiloop.questions.signals.efforts import effort_limits

FULL = 1.0 - 1e-9
"""Part of its limit from which on an effort is at it."""


def over_limit(mechanism: Mechanism, name: str, needed: float, limit: float) -> str:
    """That an effort found along a prescribed motion is more than its actuator can give."""
    unit = effort_unit(mechanism, name)
    return f"{name} needs {needed:.6g} {unit}, its limit is {limit:g} {unit}"


def over_limits(result: Result) -> list[str]:
    """The actuators that would have to give more than they can."""
    found = []
    for name, limits in effort_limits(result).items():
        needed = np.abs(result.effort_along(name))
        worst = int(np.argmax(needed - limits))
        if needed[worst] * FULL > limits[worst]:
            when = "" if np.ptp(limits) == 0 else f" at t = {result.time[worst]:.6g} s"
            found.append(over_limit(result.mechanism, name, needed[worst], limits[worst]) + when)
    return found


def at_limits(result: Result) -> list[str]:
    """The known efforts that were held at a limit, and for how long: the share of the instants recorded."""
    duration, found = float(np.ptp(result.time)), []
    for name, limits in effort_limits(result).items():
        given = np.abs(result.effort_along(name))
        share = float(np.mean(given >= FULL * limits))
        if share * duration > 0 and (given * FULL <= limits).all():
            steady = f" of {limits[0]:g} {effort_unit(result.mechanism, name)}" if np.ptp(limits) == 0 else ""
            found.append(f"{name} at its limit{steady} for {share * duration:.3g} s")
    return found


def effort_unit(mechanism: Mechanism, name: str) -> str:
    """The unit of an effort along "joint" or "joint.component"."""
    joint, _, component = name.partition(".")
    parts = mechanism.connection(joint).components(mechanism.planar)
    return "N" if (component or parts[0]) in LENGTHS else "N m"
