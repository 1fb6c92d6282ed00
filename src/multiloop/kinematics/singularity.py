"""How near a motion comes to a position where a joint runs away or a force grows without bound."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize_scalar

from multiloop.kinematics.equations import Equations
from multiloop.kinematics.newton import close
from multiloop.kinematics.path import Drive, Instant, runaway
from multiloop.kinematics.rates import linearised

NEAR = 0.02
"""Closest approaches below this closeness are reported …"""

PROMINENT = 0.5
"""… when they stand out from the rest of the motion by this many decades."""


@dataclass(frozen=True)
class Singularity:
    """A closest approach: when, at which drive values, how near (0 is singular), and which joint runs away."""

    time: float
    drive: tuple[float, ...]
    closeness: float
    joint: str

    def __str__(self) -> str:
        values = ", ".join(f"{value:.6g}" for value in self.drive)
        return f"joint '{self.joint}' nearly runs away at drive {values} (t = {self.time:.6g} s): {self.closeness:.2e}"


def closest_approaches(
    equations: Equations, instants: Sequence[Instant], drive: Drive, p: np.ndarray
) -> tuple[Singularity, ...]:
    """Local minima of the closeness along a followed motion, refined between the instants."""
    from scipy.signal import find_peaks  # takes a third of a second to import

    decades = -np.log10([max(instant.closeness, 1e-16) for instant in instants])
    padded = np.concatenate([[decades.min()], decades, [decades.min()]])  # the ends count too
    peaks, _ = find_peaks(padded, height=-np.log10(NEAR), prominence=PROMINENT)
    return tuple(_refined(equations, instants, int(k) - 1, drive, p) for k in peaks)


def _refined(
    equations: Equations, instants: Sequence[Instant], k: int, drive: Drive, p: np.ndarray
) -> Singularity:
    before, after = instants[max(k - 1, 0)], instants[min(k + 1, len(instants) - 1)]
    at = instants[k]

    def position(t: float) -> np.ndarray:
        h = t - at.t
        guess = equations.chart.moved(at.q, h * at.v + 0.5 * h * h * at.a)
        return close(equations, guess, drive(t, 0), p, limit=12).q

    def closeness(t: float) -> float:
        return linearised(equations, position(t), drive(t, 0), p).closeness

    t = at.t
    if after.t > before.t:
        t = float(
            minimize_scalar(
                closeness, bounds=(before.t, after.t), method="bounded", options={"xatol": 1e-9}
            ).x
        )
    linear = linearised(equations, position(t), drive(t, 0), p)
    return Singularity(t, tuple(map(float, drive(t, 0))), linear.closeness, runaway(linear))
