"""Creep speed of smooth (regularised) friction; the default follows from the size of the mechanism.

    speed = √(g ℓ)/3000,      of an angle √(g/ℓ)/3000

ℓ is the characteristic length and g the magnitude of gravity: in a mechanism of 1 m on earth 1.04 mm/s. Without gravity
the description contains no time scale, and it is ℓ/1000 per second, of an angle 1/1000 rad/s.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from multiloop.kinematics.geometry import characteristic_length
from multiloop.kinematics.snapshot import Snapshot
from multiloop.kinematics.spans import expression_value
from multiloop.model import Mechanism
from multiloop.model.expressions import Scalar
from multiloop.model.geometry import at_values

FALLS, WEIGHTLESS = 1 / 3000, 1 / 1000
"""The default speed relative to √(g ℓ), and to ℓ per second without gravity."""


def creep_speed(at: Snapshot, given: Scalar | None, turns: bool = False) -> Any:
    """The given creep speed, or the default; `turns` states that it is an angular speed."""
    if given is not None:
        return expression_value(at, given)
    return usual_creep_speed(at.skeleton.mechanism, turns)


def usual_creep_speed(mechanism: Mechanism, turns: bool = False) -> float:
    """The default creep speed, in m/s or rad/s."""
    size = characteristic_length(mechanism)
    fall = float(np.linalg.norm([at_values(g) for g in mechanism.gravity or ()]))
    found = FALLS * float(np.sqrt(fall * size)) if fall > 0 else WEIGHTLESS * size
    return found / size if turns else found
