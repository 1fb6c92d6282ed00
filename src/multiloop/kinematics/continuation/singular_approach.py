"""Closest approaches of a motion to singular configurations, at which rates or forces grow without bound.

Theory: docs/theory/08-singular-configurations.md, eq. (8.1).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from multiloop.kinematics.assembly import Drive, close_loops
from multiloop.kinematics.conditioning import linearise_rows
from multiloop.kinematics.continuation.drive_continuation import Trajectory, most_sensitive_joint
from multiloop.kinematics.equations import Equations
from multiloop.model import earlier_attribute

NEAR_SINGULAR = 0.02
"""Local minima of the distance from singularity below this value are reported if they are prominent enough
(`MIN_PROMINENCE`)."""

MIN_PROMINENCE = 0.5
"""Smallest prominence of a reported minimum of the distance from singularity, in decades (see
`scipy.signal.find_peaks`)."""

SLOPE_FACTOR = 2.0
"""The rate of change of the distance from singularity between two instants is assumed to be at most this many times the
largest difference quotient of neighbouring instants."""


@dataclass(frozen=True)
class Nearness:
    """Distance of a position from a singular configuration (0 is singular), the joint that is most affected, and the
    effect on this joint as text."""

    singularity_distance: float
    joint: str
    what: str = "is nearly undetermined"


SingularityDistanceFunction = Callable[[float, np.ndarray], Nearness]
"""Type of functions of the time t and the coordinates q of a closed position that return the distance of this position
from a singular configuration, with the most affected joint (`Nearness`)."""


@dataclass(frozen=True)
class Singularity:
    """A closest approach to a singular configuration: time, drive values, distance from singularity, the joint that is
    most affected, and the effect on this joint as text."""

    time: float
    drive: tuple[float, ...]
    singularity_distance: float
    joint: str
    what: str = "is nearly undetermined"
    closeness = earlier_attribute("closeness", "singularity_distance")

    def __str__(self) -> str:
        values = ", ".join(f"{value:.6g}" for value in self.drive)
        place = f"joint '{self.joint}' {self.what} at the drive values {values} (t = {self.time:.6g} s)"
        return f"{place}: distance from singularity {self.singularity_distance:.2e}"


def drive_distance(equations: Equations, drive: Drive, p: np.ndarray) -> SingularityDistanceFunction:
    """A function that returns the distance of a position from a singular configuration of the constraints, drives
    included."""

    def nearness(t: float, q: np.ndarray) -> Nearness:
        linear = linearise_rows(equations, q, drive(t, 0), p)
        return Nearness(linear.singularity_distance, most_sensitive_joint(linear))

    return nearness


def closest_approaches(
    equations: Equations,
    motion: Trajectory,
    drive: Drive,
    p: np.ndarray,
    watch: SingularityDistanceFunction | None = None,
) -> tuple[Singularity, ...]:
    """Local minima of the distance from singularity along a motion, refined between the instants.

    `watch` is the function with which the distance from singularity of the instants was computed, by default
    `drive_distance`. A minimum is refined if, judging by its slope, the distance from singularity may fall below
    `NEAR_SINGULAR` between the instants.
    """
    watch = watch or drive_distance(equations, drive, p)
    found = {
        k: _refine_minimum(equations, motion, k, drive, p, watch)
        for k in _local_minima(motion.singularity_distance)
        if _may_become_singular(motion, k)
    }
    if not found:
        return ()
    from scipy.signal import find_peaks  # imported here because this takes a third of a second

    singularity_distance = motion.singularity_distance.copy()
    singularity_distance[list(found)] = [near.singularity_distance for near in found.values()]
    decades = -np.log10(np.maximum(singularity_distance, 1e-16))
    # minima at the ends of the motion are included
    padded = np.concatenate([[decades.min()], decades, [decades.min()]])
    peaks, _ = find_peaks(padded, height=-np.log10(NEAR_SINGULAR), prominence=MIN_PROMINENCE)
    return tuple(found[k - 1] for k in peaks.tolist() if k - 1 in found)


def _local_minima(singularity_distance: np.ndarray) -> list[int]:
    """Indices of the local minima of a sequence; of equal neighbouring values, the index of the first."""
    singularity_distance = np.array([np.inf, *singularity_distance, np.inf])
    lowest = (singularity_distance[1:-1] < singularity_distance[:-2]) & (
        singularity_distance[1:-1] <= singularity_distance[2:]
    )
    return np.flatnonzero(lowest).tolist()


def _may_become_singular(instants: Trajectory, k: int) -> bool:
    """Whether the distance from singularity may fall below `NEAR_SINGULAR` between the neighbours of an instant."""
    around = instants[max(k - 2, 0) : k + 3]
    slopes = [
        abs((b.singularity_distance - a.singularity_distance) / (b.t - a.t))
        for a, b in pairwise(around)
        if b.t != a.t
    ]
    reach = max((abs(other.t - instants[k].t) for other in instants[max(k - 1, 0) : k + 2]), default=0.0)
    return instants[k].singularity_distance - SLOPE_FACTOR * max(slopes, default=0.0) * reach < NEAR_SINGULAR


def _refine_minimum(
    equations: Equations,
    instants: Trajectory,
    k: int,
    drive: Drive,
    p: np.ndarray,
    watch: SingularityDistanceFunction,
) -> Singularity:
    before, at, after = instants[max(k - 1, 0)], instants[k], instants[min(k + 1, len(instants) - 1)]

    def position(t: float) -> np.ndarray:
        h = t - at.t
        guess = equations.chart.apply_step(at.q, h * at.v + 0.5 * h * h * at.a)
        return close_loops(equations, guess, drive(t, 0), p, limit=12).q

    def singularity_distance(t: float) -> float:
        return watch(t, position(t)).singularity_distance

    from scipy.optimize import minimize_scalar  # imported here because this takes a fifth of a second

    t, between = at.t, sorted((before.t, after.t))
    if between[1] > between[0]:
        search = {
            "bounds": between,
            "method": "bounded",
            "options": {"xatol": 1e-9 * (between[1] - between[0])},
        }
        lowest = minimize_scalar(singularity_distance, **search)
        t = float(lowest.x) if lowest.fun < at.singularity_distance else at.t
    found = watch(t, position(t))
    return Singularity(t, tuple(map(float, drive(t, 0))), found.singularity_distance, found.joint, found.what)
