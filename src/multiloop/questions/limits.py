"""Warnings about actuator limits: efforts and speeds beyond them, and known efforts that were held at a limit."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from multiloop.kinematics.chart import LENGTHS
from multiloop.model import Mechanism
from multiloop.questions.answers.result import Result
from multiloop.questions.answers.summary import rate_along
from multiloop.questions.signals.efforts import effort_limits, effort_name, over_time

FULL = 1.0 - 1e-9
"""Fraction of its limit from which on an effort counts as being at the limit."""


def over_limit(mechanism: Mechanism, name: str, needed: float, limit: float) -> str:
    """Text that an effort along a prescribed motion exceeds the limit of its actuator."""
    unit = effort_unit(mechanism, name)
    return f"{name} needs {needed:.6g} {unit}, its limit is {limit:g} {unit}"


def over_limits(result: Result) -> list[str]:
    """Warnings for actuators whose required effort or speed exceeds its limit."""
    found = []
    for name, (least, most) in effort_limits(result).items():
        effort, same = result.effort_along(name), np.array_equal(least, -most)
        over = np.maximum(effort - most, least - effort)
        worst = int(np.argmax(over))
        limit = most[worst] if effort[worst] >= 0 else least[worst]
        if abs(effort[worst]) * FULL > abs(limit):
            needed, limit = (abs(effort[worst]), abs(limit)) if same else (effort[worst], limit)
            steady = np.ptp(least) == 0 and np.ptp(most) == 0
            when = "" if steady else f" at t = {result.time[worst]:.6g} s"
            found.append(over_limit(result.mechanism, name, needed, limit) + when)
    return found + list(_too_fast(result))


def _too_fast(result: Result) -> Iterator[str]:
    """Warnings for actuators whose joints move faster than the speed limit."""
    for actuator in result.mechanism.actuators:
        if actuator.speed_limit is None:
            continue
        name = effort_name(actuator.joint, actuator.component)
        speed, most = np.abs(rate_along(result, name)), over_time(result, actuator.speed_limit)
        worst = int(np.argmax(speed - most))
        if speed[worst] * FULL > most[worst]:
            unit = "m/s" if effort_unit(result.mechanism, name) == "N" else "rad/s"
            yield (
                f"{name} moves at {speed[worst]:.6g} {unit} at t = {result.time[worst]:.6g} s, its speed limit is "
                f"{most[worst]:g} {unit}"
            )


def at_limits(result: Result) -> list[str]:
    """Warnings for known efforts that were held at a limit, with the duration from the share of recorded instants."""
    duration, found = float(np.ptp(result.time)), []
    for name, (least, most) in effort_limits(result).items():
        given = result.effort_along(name)
        limit = np.where(given >= 0, most, -least)
        share = float(np.mean(np.abs(given) >= FULL * limit))
        if share * duration > 0 and (np.abs(given) * FULL <= limit).all():
            same = np.ptp(most) == 0 and np.array_equal(least, -most)
            steady = f" of {most[0]:g} {effort_unit(result.mechanism, name)}" if same else ""
            found.append(f"{name} at its limit{steady} for {share * duration:.3g} s")
    return found


def effort_unit(mechanism: Mechanism, name: str) -> str:
    """The unit of an effort along "joint" or "joint.component"."""
    joint, _, component = name.partition(".")
    parts = mechanism.connection(joint).components(mechanism.planar)
    return "N" if (component or parts[0]) in LENGTHS else "N m"
