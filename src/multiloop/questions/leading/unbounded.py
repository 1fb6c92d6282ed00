"""Where loads grow without bound: a largest value there would only tell how near the instants came.

At a singular position the constraints lose a direction. Reactions along it are forces divided by nothing, unless
nothing asks for any: some mechanisms pass smoothly. Which it is shows in the loads on the way there.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from multiloop.kinematics.course import Course, Instant
from multiloop.kinematics.singularity import Singularity
from multiloop.model import MultiloopError
from multiloop.questions.leading.driven import DrivenMotion

REACHED = 1e-5
"""Closest approaches below this closeness pass the singular position itself, to the accuracy of its search."""

ON_THE_WAY = (1e-3, 1e-4)
"""Closenesses at which the loads are compared: a tenth of the distance makes a pole ten times as large."""

GROWING = 1.1
"""Growth from one to the other from which on there is no bound; bounded loads change by parts in a thousand."""


def without_bound(motion: DrivenMotion, course: Course, near: Sequence[Singularity]) -> tuple[str, ...]:
    """A line on the singular positions at which the loads have no bound; none where there are no such positions."""
    times = [s.time for s in near if s.closeness < REACHED and _grows(motion, course, s)]
    if not times:
        return ()
    listed = ", ".join(f"{t:.4g}" for t in times)
    return (f"loads near t = {listed} s have no bound: singular position{'s' if len(times) > 1 else ''}",)


def _grows(motion: DrivenMotion, course: Course, singular: Singularity) -> bool:
    """Whether the loads rise on the last steps towards it; closeness is proportional to the distance there."""
    at = course[int(np.abs(course.t - singular.time).argmin())]
    slope = (at.t - singular.time) / motion.closeness(at)
    try:
        far, close = (_largest(motion, motion.at(singular.time + slope * c, at)) for c in ON_THE_WAY)
    except MultiloopError:  # the way there is lost: nothing shows that there is a bound
        return True
    return close > GROWING * far


def _largest(motion: DrivenMotion, instant: Instant) -> float:
    found = motion.solve(instant)
    tau, wrenches = found.tau, found.wrenches
    return float(max(np.abs(tau).max(initial=0.0), np.abs(wrenches).max(initial=0.0)))
