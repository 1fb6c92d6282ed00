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
    peaks = {name: _peak(result, name) for name in effort_limits(result.mechanism)}
    limits = effort_limits(result.mechanism).items()
    return [over_limit(result.mechanism, n, peaks[n], limit) for n, limit in limits if peaks[n] > limit]


def at_limits(result: Result) -> list[str]:
    """The known efforts that were held at a limit, and for how long: the share of the instants recorded."""
    duration, found = float(np.ptp(result.time)), []
    for name, limit in effort_limits(result.mechanism).items():
        share = float(np.mean(np.abs(result.effort_along(name)) >= FULL * limit))
        if share * duration > 0 and _peak(result, name) * FULL <= limit:
            unit = effort_unit(result.mechanism, name)
            found.append(f"{name} at its limit of {limit:g} {unit} for {share * duration:.3g} s")
    return found


def effort_unit(mechanism: Mechanism, name: str) -> str:
    """The unit of an effort along "joint" or "joint.component"."""
    joint, _, component = name.partition(".")
    parts = mechanism.connection(joint).components(mechanism.planar)
    return "N" if (component or parts[0]) in LENGTHS else "N m"


def _peak(result: Result, name: str) -> float:
    return float(np.abs(result.effort_along(name)).max(initial=0.0))
