"""Periodic drives: a time many periods ahead is reached in one step, by whole turns of the coordinates."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from multiloop.kinematics.course import Instant
from multiloop.kinematics.equations import Equations
from multiloop.kinematics.newton import close
from multiloop.kinematics.path import AGREED, Drive, advance, instant_at
from multiloop.kinematics.targets import driven_targets
from multiloop.model import AssemblyError, Fault, Mechanism, period_of
from multiloop.model.expressions import Scalar, line_in_time
from multiloop.model.expressions.periods import common_period
from multiloop.questions.leading.cycle import driven_numbers

TURNS = 2
"""Number of periods up to which a motion is followed without such a step."""

BACK = 1e-7
"""Tolerance for coordinates that return, or advance by whole turns, in a period."""

FADED = 1e-3
"""Resolution in radians beyond which an angle is too coarse to determine the position within a turn."""


@lru_cache(maxsize=64)
def drives_period(mechanism: Mechanism) -> float:
    """The common period of all drives, after which they return or have made whole turns; infinite if there is none."""
    periods = [
        period_of(profile, turn)
        for driven in driven_targets(mechanism)
        for _, profile, turn in driven_numbers(mechanism, driven)
        if not _constant(profile)
    ]
    known = [period for period in periods if period]
    return (common_period(known) or np.inf) if len(known) == len(periods) else np.inf


def _constant(profile: Scalar) -> bool:
    line = line_in_time(profile)
    return line is not None and line[1] == 0.0


def periods_on(
    equations: Equations, before: Instant, t: float, drive: Drive, p: np.ndarray
) -> Instant | None:
    """The instant advanced by as many whole periods as lie between it and t; None if the motion is not periodic.

    q(t + n T) = q(t) + n Δq,      Δq of one period: whole turns, zero for coordinates that do not turn
    """
    period = drives_period(equations.skeleton.mechanism)
    count = np.trunc((t - before.t) / period)
    if not np.isfinite(period) or equations.times or abs(count) < TURNS:
        return None
    _require_digits(equations, t, drive)
    later = before.t + count * period
    change = _change(equations, before.q, advance(equations, before, before.t + period, drive, p).q)
    if change is None:
        return None
    guess = before.q + count * change
    found = close(equations, guess, drive(later, 0), p)
    if not found.closed or equations.chart.distance(guess, found.q) > AGREED:
        return None
    return instant_at(equations, later, found.q, drive, p)


def _change(equations: Equations, q: np.ndarray, after: np.ndarray) -> np.ndarray | None:
    """Δq of one period; None if a coordinate neither returns nor advances by whole turns."""
    skeleton, change, off = equations.skeleton, np.zeros(len(q)), after - q
    for place, _ in equations.chart.quaternions:
        off[place] = after[place] - np.sign(after[place] @ q[place]) * q[place]
    for link in skeleton.links:
        turning = [*link.joint.turning(skeleton.planar), *[False] * (link.q.stop - link.q.start)]
        for entry, turns in zip(range(link.q.start, link.q.stop), turning, strict=False):
            change[entry] = 2 * np.pi * np.round(off[entry] / (2 * np.pi)) if turns else 0.0
    return change if np.abs(off - change).max(initial=0.0) <= BACK else None


def _require_digits(equations: Equations, t: float, drive: Drive) -> None:
    """Refuse a time at which a drive's angle is too large to resolve the position within a turn."""
    values = drive(t, 0)
    digits = np.spacing(np.abs(values))
    worst = int(np.argmax(digits))
    if digits[worst] > FADED:
        owners = [target.of for target in equations.targets for _ in range(target.values())]
        what = f"is at {values[worst]:.3g} at t = {t:g} s, known to {digits[worst]:.1g} only: too coarse within a turn."
        fault = Fault("K10", f"drive of '{owners[worst]}'", what, "Ask at times nearer to its beginning.")
        raise AssemblyError(f"mechanism '{equations.skeleton.mechanism.name}'", [fault])
