"""Comparison of the efforts (forces or torques) and speeds of actuators with their limits, over a result."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from multiloop.analyses.errors import analysis_error
from multiloop.analyses.results.result import Result
from multiloop.kinematics.tree import LENGTH_COMPONENTS
from multiloop.model import Mechanism, ResultWarning
from multiloop.model.expressions import Scalar, evaluate

AT_LIMIT = 1.0 - 1e-9
"""An effort counts as being at its limit if its magnitude is at least this fraction of the limit."""


def effort_name(joint: str, component: str | None) -> str:
    """Name of the effort (force or torque) along a coordinate: "joint.component", or "joint" if `component` is None."""
    return f"{joint}.{component}" if component else joint


def effort_limits(result: Result) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Smallest and largest permitted effort at every instant, for each actuator with limits.

    The keys are names of joints, or "joint.component" for one coordinate of a joint.
    """
    limits = described_limits(result.mechanism)
    return {
        name: (
            evaluate_over_time(result, least, f"limit of '{name}'"),
            evaluate_over_time(result, most, f"limit of '{name}'"),
        )
        for name, (least, most) in limits.items()
    }


def evaluate_over_time(result: Result, value: Scalar, where: str) -> np.ndarray:
    """Values, at the instants of a result, of an expression in parameters, time and state.

    `where` is the text by which an error message identifies the expression, such as "limit of 'A'".
    """
    mechanism = result.mechanism
    state_functions: dict[str, Any] = {
        "position": lambda joint, k: result[joint].position.reshape(len(result.time), -1)[:, k],
        "rate": lambda joint, k: result[joint].rate.reshape(len(result.time), -1)[:, k],
        "integral": lambda integral: result.integrals[integral],
        "span": lambda load: (result[load].length, result[load].length_rate),
    }
    try:
        values = evaluate(value, time=result.time, parameters=mechanism.parameters, **state_functions)
    except ValueError as error:
        reason = f"{str(error).rstrip('.')}."
        raise analysis_error(
            mechanism, "S03", where, f"is undefined: {reason}", "Check the domain of the expression."
        ) from None
    return np.broadcast_to(values, result.time.shape)


def described_limits(mechanism: Mechanism) -> dict[str, tuple[Scalar, Scalar]]:
    """Smallest and largest effort of each actuator with limits, as given in the description.

    They are numbers, or expressions in parameters, time and state.

    The keys are names of joints, or "joint.component" for one coordinate of a joint.
    """
    return {
        effort_name(actuator.joint, actuator.component): actuator.limits
        for actuator in mechanism.actuators
        if actuator.limits is not None
    }


def rate_along(result: Result, name: str) -> np.ndarray:
    """Rate over time of the coordinate `name`: "joint", or "joint.component" if the joint has several coordinates."""
    joint, _, component = name.partition(".")
    rate: np.ndarray = result[joint].rate
    parts = result.mechanism.connection(joint).components(result.mechanism.planar)
    return rate if rate.ndim == 1 else rate[:, parts.index(component)]


def over_limit_warning(
    mechanism: Mechanism,
    name: str,
    needed: float,
    limit: float,
    time: float | None = None,
    *,
    varying: bool = False,
) -> ResultWarning:
    """The warning that the effort `needed` for a prescribed motion is larger than the `limit` of the actuator `name`.

    `time` is the instant of the effort; the text states it if the limit is `varying`.
    """
    unit = effort_unit(mechanism, name)
    when = f" at t = {time:.6g} s" if varying else ""
    text = f"the actuator at '{name}' needs {needed:.6g} {unit}, beyond its limit of {limit:g} {unit}{when}"
    return ResultWarning("W50", name, text, float(needed), unit, time)


def over_limit_warnings(result: Result) -> list[ResultWarning]:
    """Warnings for actuators whose required effort or speed exceeds its limit."""
    found = list[ResultWarning]()
    for name, (least, most) in effort_limits(result).items():
        if (least > most).any():
            continue
        effort, same = result.effort_along(name), np.array_equal(least, -most)
        over = np.maximum(effort - most, least - effort) - _slack(least, most)
        worst = int(np.argmax(over))
        if over[worst] > 0:
            limit = most[worst] if effort[worst] > most[worst] else least[worst]
            needed, limit = (abs(effort[worst]), abs(limit)) if same else (effort[worst], limit)
            steady = np.ptp(least) == 0 and np.ptp(most) == 0
            at = float(result.time[worst])
            found.append(over_limit_warning(result.mechanism, name, needed, limit, at, varying=not steady))
    return [*found, *_overspeed_warnings(result), *_invalid_limit_warnings(result)]


ROUND_OFF = 1e-12
"""Fraction of the largest limit over time, below which a contradiction between the two limits of an effort, or a
negative limit of friction, is attributed to round-off."""


def _invalid_limit_warnings(result: Result) -> Iterator[ResultWarning]:
    """Warnings for invalid limits.

    Limits of an actuator are invalid where the smallest effort exceeds the largest one. A limit of friction is invalid
    where it is negative, since friction would then drive the motion.
    """
    for name, (least, most) in effort_limits(result).items():
        if k := _first_beyond(least - most, np.abs(least) + np.abs(most)):
            unit, t, low = effort_unit(result.mechanism, name), float(result.time[k[0]]), float(least[k[0]])
            text = (
                f"the limits of {name} exclude each other from t = {t:.6g} s on: "
                f"at least {low:.6g} {unit}, at most {most[k[0]]:.6g} {unit}"
            )
            yield ResultWarning("W52", name, text, low, unit, t)
    for load in result.loads.values():
        limit = load.values.get("limit") if load.dissipates else None
        if limit is not None and (k := _first_beyond(-limit, np.abs(limit))):
            t, lowest, unit = float(result.time[k[0]]), float(limit.min()), load.units["limit"]
            text = (
                f"the limit of friction '{load.name}' is negative from t = {t:.6g} s on (down to "
                f"{lowest:.6g} {unit}), so that it drives the motion: use maximum(…, 0)"
            )
            yield ResultWarning("W53", load.name, text, lowest, unit, t)


def _first_beyond(excess: np.ndarray, size: np.ndarray) -> list[int]:
    """The first index at which `excess` is above `ROUND_OFF` times the largest entry of `size`; an empty list if there
    is none."""
    return [int(k) for k in np.flatnonzero(excess > ROUND_OFF * size.max(initial=0.0))[:1]]


def _overspeed_warnings(result: Result) -> Iterator[ResultWarning]:
    """Warnings for actuators that move faster than their speed limit, each with the worst instant."""
    for actuator in result.mechanism.actuators:
        if actuator.speed_limit is None:
            continue
        name = effort_name(actuator.joint, actuator.component)
        speed = np.abs(rate_along(result, name))
        most = evaluate_over_time(result, actuator.speed_limit, f"speed limit of '{name}'")
        worst = int(np.argmax(speed - most))
        if speed[worst] * AT_LIMIT > most[worst]:
            unit = "m/s" if effort_unit(result.mechanism, name) == "N" else "rad/s"
            value, t = float(speed[worst]), float(result.time[worst])
            limit_text = f"above its speed limit of {most[worst]:g} {unit}"
            text = f"{name} moves at {value:.6g} {unit} at t = {t:.6g} s, {limit_text}"
            yield ResultWarning("W51", name, text, value, unit, t)


def at_limit_warnings(result: Result) -> list[ResultWarning]:
    """Warnings for actuators whose efforts are known and were limited, with the duration of the limitation.

    The duration is estimated as the fraction of the recorded instants at which the effort equals its limit, times the
    duration of the run.
    """
    duration, found = float(np.ptp(result.time)), list[ResultWarning]()
    for name, (least, most) in effort_limits(result).items():
        effort = result.effort_along(name)
        slack = _slack(least, most)
        fraction = float(np.mean((effort >= most - slack) | (effort <= least + slack)))
        if fraction * duration > 0 and ((effort <= most + slack) & (effort >= least - slack)).all():
            same = np.ptp(most) == 0 and np.array_equal(least, -most)
            steady = f" of {most[0]:g} {effort_unit(result.mechanism, name)}" if same else ""
            text = f"the effort at '{name}' is at its limit{steady} for {fraction * duration:.3g} s"
            found.append(ResultWarning("W54", name, text, fraction * duration, "s"))
    return found


def _slack(least: np.ndarray, most: np.ndarray) -> np.ndarray:
    """Distance from a limit within which an effort counts as at the limit, at every instant."""
    found: np.ndarray = (1.0 - AT_LIMIT) * np.maximum(np.abs(least), np.abs(most))
    return found


def effort_unit(mechanism: Mechanism, name: str) -> str:
    """Unit of the effort along the coordinate `name` ("joint" or "joint.component"): "N" or "N m"."""
    joint, _, component = name.partition(".")
    parts = mechanism.connection(joint).components(mechanism.planar)
    return "N" if (component or parts[0]) in LENGTH_COMPONENTS else "N m"
