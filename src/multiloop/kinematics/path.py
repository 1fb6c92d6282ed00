"""Following a drive: the same assembly mode from one instant to the next, and where it cannot go on.

Each step predicts with rate and acceleration and closes the loops again. A prediction that is far from what
Newton's method finds means that the step was too long; it is halved until both agree. Where no step is short
enough the drive has reached a dead point: the rows are singular there and a joint would have to jump.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from multiloop.kinematics.equations import Equations
from multiloop.kinematics.newton import close
from multiloop.kinematics.rates import Linear, linearised
from multiloop.model import AssemblyError, Fault

Drive = Callable[[float, int], np.ndarray]
"""Values of the targets at a time: drive(t, 0) positions, drive(t, 1) rates, drive(t, 2) accelerations."""

AGREED = 0.02
"""Prediction and closure may differ by this much (radians or characteristic lengths) in one step."""

CONTRADICTED = 1e-6
"""Drives may miss one another by this part of their rates."""

CLEAR = 1e-5
"""Away from singular positions by this closeness, rates that cannot be met are the drives' own fault."""

SHORTEST = 1e-9
"""Shortest part of the asked interval that is still tried before a dead point is reported."""


@dataclass(frozen=True, eq=False)
class Instant:
    """Position, rate and acceleration of the tree's coordinates at one time."""

    t: float
    q: np.ndarray
    v: np.ndarray
    a: np.ndarray
    closeness: float  # to a singular position, see Linear.closeness


def instant_at(equations: Equations, t: float, q: np.ndarray, drive: Drive, p: np.ndarray) -> Instant:
    """Rates and accelerations at a closed position."""
    linear = linearised(equations, q, drive(t, 0), p)
    return _instant(equations, linear, t, q, drive, p)


def _instant(
    equations: Equations, linear: Linear, t: float, q: np.ndarray, drive: Drive, p: np.ndarray
) -> Instant:
    loops, spins = np.zeros(equations.skeleton.rows), np.zeros(len(equations.spins))
    right = np.concatenate([loops, drive(t, 1), spins])
    if linear.closeness > CLEAR and linear.contradiction(right) > CONTRADICTED:
        raise _contradicting(equations, t, linear.contradiction(right))
    v = linear.solve(right)
    a = linear.solve(equations.gamma(q, v, p) + np.concatenate([loops, drive(t, 2), spins]))
    return Instant(t, q, v, a, linear.closeness)


def follow(
    equations: Equations, q: np.ndarray, times: Sequence[float], drive: Drive, p: np.ndarray
) -> list[Instant]:
    """Instants at the given times, from a position q that is closed at the first of them."""
    start = close(equations, q, drive(times[0], 0), p)
    found = [instant_at(equations, times[0], start.q, drive, p)]
    for t in times[1:]:
        found.append(advance(equations, found[-1], t, drive, p))
    return found


def advance(equations: Equations, before: Instant, t: float, drive: Drive, p: np.ndarray) -> Instant:
    """The instant at time t, before or after, in as many steps as it takes to stay in the same assembly mode."""
    whole, at, step = t - before.t, before, t - before.t
    while at.t != t:
        ahead = t if abs(t - at.t) <= abs(step) * (1 + 1e-12) else at.t + step
        h = ahead - at.t
        predicted = equations.chart.moved(at.q, h * at.v + 0.5 * h * h * at.a)
        closing = close(equations, predicted, drive(ahead, 0), p, limit=12)
        if closing.closed and equations.chart.distance(predicted, closing.q) <= AGREED:
            at = instant_at(equations, ahead, closing.q, drive, p)
            step = 2 * step if abs(2 * step) <= abs(whole) else step
        else:
            step = step / 2
            if abs(step) < SHORTEST * abs(whole):
                raise _dead_point(equations, at, drive, p)
    return at


def _contradicting(equations: Equations, t: float, part: float) -> AssemblyError:
    """The error of drives that cannot all be obeyed."""
    names = " and ".join(f"'{target.of}'" for target in equations.targets)
    fault = Fault(
        "K09",
        f"drives of {names}",
        f"contradict each other at t = {t:.6g} s: a part {part:.2g} of their rates cannot be met.",
        "Prescribe as many motions as there are freedoms, or motions that belong together.",
    )
    return AssemblyError(f"mechanism '{equations.skeleton.mechanism.name}'", [fault], gap=part)


def _dead_point(equations: Equations, at: Instant, drive: Drive, p: np.ndarray) -> AssemblyError:
    """The error of a drive that can go no further: where it is, how near, and which joint runs away."""
    skeleton = equations.skeleton
    linear = linearised(equations, at.q, drive(at.t, 0), p)
    runaway = np.abs(linear.Vt[max(linear.rank - 1, 0)])
    joint = max(skeleton.links, key=lambda link: runaway[link.v].max(initial=0.0)).joint.name
    names = [f"{t.of} = {v:.9g}" for t, v in zip(equations.targets, drive(at.t, 0), strict=False)]
    fault = Fault(
        "K06",
        f"drive of '{equations.targets[0].of if equations.targets else ''}'",
        f"reaches a dead point at {', '.join(names)} (t = {at.t:.6g} s): joint '{joint}' would have to jump "
        f"(closeness to singular {at.closeness:.1e}).",
        "Drive another joint, shorten the stroke, or start in the assembly that passes.",
    )
    best = {link.joint.name: tuple(map(float, at.q[link.q])) for link in skeleton.links}
    return AssemblyError(f"mechanism '{skeleton.mechanism.name}'", [fault], gap=0.0, best=best)
