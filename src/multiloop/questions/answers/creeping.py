"""Smooth friction vanishes at rest: where forward dynamics asks it there, the acceleration is that without friction."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from multiloop.model import Contact, Friction
from multiloop.questions.answers.result import Result

REST = 1e-2
"""Friction below this part of its limit is that of a joint or contact at rest."""

MOVES = 1e-9
"""Accelerations below this, in m/s² or rad/s², leave it at rest."""


def creeping_at_rest(result: Result) -> Iterator[str]:
    """What is to be said of smooth friction at rest in a mechanism that accelerates."""
    if not any(np.abs(joint.acceleration).max(initial=0.0) > MOVES for joint in result.joints.values()):
        return
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
            slow = f"{told.creep_speed[0]:.3g} {told.units['creep_speed']}"
            what = "is smooth: it vanishes at rest, and what should stick creeps more slowly than"
            yield f"friction '{load.name}' {what} {slow}; stiction=\"exact\" sticks"
