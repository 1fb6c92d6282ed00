"""Efforts and speeds of actuators compared with their limits, over the instants of a result."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from multiloop.analyses.errors import analysis_error
from multiloop.analyses.results.result import Result
from multiloop.kinematics.tree import LENGTH_COMPONENTS
from multiloop.model import Mechanism
from multiloop.model.expressions import Scalar, evaluate

AT_LIMIT = 1.0 - 1e-9
"""Fraction of its limit from which on an effort counts as being at the limit."""


def effort_name(joint: str, component: str | None) -> str:
    """Name of an effort, "joint" or "joint.component"."""
    return f"{joint}.{component}" if component else joint


def effort_limits(result: Result) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """The limited actuators by joint (or "joint.component"): smallest and largest effort over time."""
    limits = described_limits(result.mechanism)
    return {
        name: (
            evaluate_over_time(result, least, f"limit of '{name}'"),
            evaluate_over_time(result, most, f"limit of '{name}'"),
        )
        for name, (least, most) in limits.items()
    }


def evaluate_over_time(result: Result, value: Scalar, where: str) -> np.ndarray:
    """Values of an expression of parameters, time and state at the instants of a result.

    `where` describes its place in errors.
    """
    mechanism = result.mechanism
    readers: dict[str, Any] = {
        "position": lambda joint, k: result[joint].position.reshape(len(result.time), -1)[:, k],
        "rate": lambda joint, k: result[joint].rate.reshape(len(result.time), -1)[:, k],
        "integral": lambda integral: result.integrals[integral],
        "span": lambda load: (result[load].length, result[load].length_rate),
    }
    try:
        found = evaluate(value, time=result.time, parameters=mechanism.parameters, **readers)
    except ValueError as error:
        reason = f"{str(error).rstrip('.')}."
        raise analysis_error(
            mechanism, "S03", where, f"is undefined: {reason}", "Check its domain."
        ) from None
    return np.broadcast_to(found, result.time.shape)


def described_limits(mechanism: Mechanism) -> dict[str, tuple[Scalar, Scalar]]:
    """Limits as described: numbers, or expressions of parameters, time and state."""
    return {
        effort_name(actuator.joint, actuator.component): actuator.limits
        for actuator in mechanism.actuators
        if actuator.limits is not None
    }


def rate_along(result: Result, name: str) -> np.ndarray:
    """Rate of a coordinate, "joint" or "joint.component"."""
    joint, _, component = name.partition(".")
    rate: np.ndarray = result[joint].rate
    parts = result.mechanism.connection(joint).components(result.mechanism.planar)
    return rate if rate.ndim == 1 else rate[:, parts.index(component)]


def over_limit_text(mechanism: Mechanism, name: str, needed: float, limit: float) -> str:
    """Text stating that an effort along a prescribed motion exceeds the limit of its actuator."""
    unit = effort_unit(mechanism, name)
    return f"{name} needs {needed:.6g} {unit}, its limit is {limit:g} {unit}"


def over_limit_warnings(result: Result) -> list[str]:
    """Warnings for actuators whose required effort or speed exceeds its limit."""
    found = []
    for name, (least, most) in effort_limits(result).items():
        if (least > most).any():
            continue
        effort, same = result.effort_along(name), np.array_equal(least, -most)
        over = np.maximum(effort - most, least - effort)
        worst = int(np.argmax(over))
        limit = most[worst] if effort[worst] >= 0 else least[worst]
        if abs(effort[worst]) * AT_LIMIT > abs(limit):
            needed, limit = (abs(effort[worst]), abs(limit)) if same else (effort[worst], limit)
            steady = np.ptp(least) == 0 and np.ptp(most) == 0
            when = "" if steady else f" at t = {result.time[worst]:.6g} s"
            found.append(over_limit_text(result.mechanism, name, needed, limit) + when)
    return [*found, *_overspeed_warnings(result), *_invalid_limit_warnings(result)]


ROUND_OFF = 1e-12
"""Part of its largest value below which a negative limit is round-off."""


def _invalid_limit_warnings(result: Result) -> Iterator[str]:
    """Warnings for limits that are invalid: a smallest effort above the largest one, and limits of friction below zero,
    which drives the motion."""
    for name, (least, most) in effort_limits(result).items():
        if k := _first_beyond(least - most, np.abs(least) + np.abs(most)):
            unit = effort_unit(result.mechanism, name)
            yield (
                f"the limits of {name} exclude each other from t = {result.time[k[0]]:.6g} s on: "
                f"at least {least[k[0]]:.6g} {unit}, at most {most[k[0]]:.6g} {unit}"
            )
    for load in result.loads.values():
        limit = load.values.get("limit") if load.dissipates else None
        if limit is not None and (k := _first_beyond(-limit, np.abs(limit))):
            yield (
                f"the limit of friction '{load.name}' is negative from t = {result.time[k[0]]:.6g} s on (down to "
                f"{limit.min():.6g} {load.units['limit']}), so that it drives the motion: "
                "use maximum(…, 0)"
            )


def _first_beyond(excess: np.ndarray, size: np.ndarray) -> list[int]:
    """The first place at which an excess is positive beyond round-off, in a list that may be empty."""
    return [int(k) for k in np.flatnonzero(excess > ROUND_OFF * size.max(initial=0.0))[:1]]


def _overspeed_warnings(result: Result) -> Iterator[str]:
    """Warnings for actuators whose joints move faster than the speed limit."""
    for actuator in result.mechanism.actuators:
        if actuator.speed_limit is None:
            continue
        name = effort_name(actuator.joint, actuator.component)
        speed = np.abs(rate_along(result, name))
        most = evaluate_over_time(result, actuator.speed_limit, f"speed limit of '{name}'")
        worst = int(np.argmax(speed - most))
        if speed[worst] * AT_LIMIT > most[worst]:
            unit = "m/s" if effort_unit(result.mechanism, name) == "N" else "rad/s"
            yield (
                f"{name} moves at {speed[worst]:.6g} {unit} at t = {result.time[worst]:.6g} s, its speed limit is "
                f"{most[worst]:g} {unit}"
            )


def at_limit_warnings(result: Result) -> list[str]:
    """Warnings for known efforts that were held at a limit, with the duration from the share of recorded instants."""
    duration, found = float(np.ptp(result.time)), []
    for name, (least, most) in effort_limits(result).items():
        given = result.effort_along(name)
        limit = np.where(given >= 0, most, -least)
        share = float(np.mean(np.abs(given) >= AT_LIMIT * limit))
        if share * duration > 0 and (np.abs(given) * AT_LIMIT <= limit).all():
            same = np.ptp(most) == 0 and np.array_equal(least, -most)
            steady = f" of {most[0]:g} {effort_unit(result.mechanism, name)}" if same else ""
            found.append(f"{name} at its limit{steady} for {share * duration:.3g} s")
    return found


def effort_unit(mechanism: Mechanism, name: str) -> str:
    """The unit of an effort along "joint" or "joint.component"."""
    joint, _, component = name.partition(".")
    parts = mechanism.connection(joint).components(mechanism.planar)
    return "N" if (component or parts[0]) in LENGTH_COMPONENTS else "N m"
