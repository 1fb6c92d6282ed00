"""Loads that grow without bound near a singular position, where a largest value depends on the chosen instants.

At a singular position the constraint rows lose rank. Reactions along the lost direction have a pole, unless no
force acts along it: some mechanisms pass smoothly. The loads at instants close to the position show which case it
is.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from multiloop.kinematics.course import Course, Instant
from multiloop.kinematics.singularity import Singularity
from multiloop.model import MultiloopError
from multiloop.questions.leading.driven import DrivenMotion

REACHED = 1e-5
"""Closest approaches below this closeness pass the singular position itself, within the accuracy of the search."""

ON_THE_WAY = (1e-3, 1e-4)
"""Values of closeness at which the loads are compared: at a pole a tenth of the distance gives ten times the load."""

GROWING = 1.1
"""Growth from one to the other above which loads are unbounded; bounded loads change by parts in a thousand."""


def without_bound(motion: DrivenMotion, course: Course, near: Sequence[Singularity]) -> tuple[str, ...]:
    """The warning that lists singular positions at which loads are unbounded; empty if there are none."""
    times = [s.time for s in near if s.closeness < REACHED and _grows(motion, course, s)]
    if not times:
        return ()
    listed = ", ".join(f"{t:.4g}" for t in times)
    return (f"loads near t = {listed} s have no bound: singular position{'s' if len(times) > 1 else ''}",)


def _grows(motion: DrivenMotion, course: Course, singular: Singularity) -> bool:
    """Whether the loads increase towards the singular position, where closeness is proportional to the distance
    in time.
    """
    at = course[int(np.abs(course.t - singular.time).argmin())]
    slope = (at.t - singular.time) / motion.closeness(at)
    try:
        far, close = (_largest(motion, motion.at(singular.time + slope * c, at)) for c in ON_THE_WAY)
    except MultiloopError:  # the motion cannot be followed there: assume no bound
        return True
    return close > GROWING * far


def _largest(motion: DrivenMotion, instant: Instant) -> float:
    found = motion.solve(instant)
    tau, wrenches = found.tau, found.wrenches
    return float(max(np.abs(tau).max(initial=0.0), np.abs(wrenches).max(initial=0.0)))
