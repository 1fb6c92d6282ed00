"""Feasibility of loads in many designs at once: parameters may make a stiffness or another constant negative."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from multiloop.model import Mechanism
from multiloop.model.expressions import Expression, depends_on_state, depends_on_time, evaluate

NEGATIVE = "has a load with a negative number"


def infeasible_loads(mechanism: Mechanism, values: Mapping[str, np.ndarray]) -> np.ndarray:
    """Which designs have a load with a negative constant that must not be negative.

    A single design is refused (L06).
    """
    found = np.zeros(len(next(iter(values.values()))), bool)
    for load in mechanism.all_loads:
        for number in load.unsigned_numbers(mechanism.planar):
            if isinstance(number, Expression) and not (depends_on_time(number) or depends_on_state(number)):
                found |= np.asarray(evaluate(number, parameters=values), float) < 0
    return found
