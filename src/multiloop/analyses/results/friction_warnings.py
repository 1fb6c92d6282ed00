"""Warnings about friction and unilateral constraints: smooth friction at rest, stiction beyond its limit,
penetration.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from multiloop.analyses.results.extremes import noise_floor
from multiloop.analyses.results.histories import LoadHistory
from multiloop.analyses.results.result import Result
from multiloop.model import (
    GROUND,
    Contact,
    Freewheel,
    Friction,
    Helical,
    Load,
    ResultWarning,
    Rope,
    Stop,
    body_of,
    value_of,
)
from multiloop.model.expressions.units import quantity_text

REST_FRICTION = 1e-2
"""Fraction of the friction limit below which smooth friction at a joint counts as that of bodies at rest, and fraction
of the creep speed below which the bodies of a contact count as at rest."""


def smooth_friction_warnings(result: Result) -> Iterator[ResultWarning]:
    """Warnings for smooth friction that vanishes because bodies are at rest, whereas stiction would hold them.

    There are no warnings if all joint accelerations are round-off.
    """
    if not _accelerates(result):
        return
    for history in _idle_friction(result):
        slow, unit = float(history.creep_speed[0]), history.units["creep_speed"]
        what = "is smooth: it vanishes at rest, and instead of sticking the bodies creep at less than"
        text = f"friction '{history.name}' {what} {slow:.3g} {unit}; stiction=\"exact\" models stiction"
        yield ResultWarning("W70", history.name, text, slow, unit)


def equilibrium_friction_warnings(result: Result) -> Iterator[ResultWarning]:
    """Warnings for smooth friction, which vanishes at an equilibrium: stiction would allow a range of equilibria."""
    for history in _idle_friction(result):
        what = (
            "is smooth and vanishes at rest; with stiction a range of positions and efforts "
            "would be in equilibrium"
        )
        yield ResultWarning("W71", history.name, f"friction '{history.name}' {what}")


REST_RATE = 1e-3
"""Fraction of the largest rate of a joint over the run, below which this joint counts as at rest."""

RANGE_TOLERANCE = 1e-6
"""Width of the range of admissible efforts, as a fraction of the largest effort, below which the range counts as a
single value."""

MOST_RESTS = 3
"""Largest number of separate intervals of rest that one warning lists."""


def rest_friction_warnings(result: Result) -> Iterator[ResultWarning]:
    """Warnings for efforts that static friction leaves undetermined while their joints are at rest.

    There is one warning per joint. It contains the times of rest, and the range of the effort at the instant at which
    this range is widest.
    """
    for name, joint in result.joints.items():
        if joint.holding is None:
            continue
        ends = joint.holding.reshape(len(result.time), -1, 2)
        rates = np.abs(joint.rate.reshape(ends.shape[:2]))
        width = ends[:, :, 1] - ends[:, :, 0]
        width[rates > REST_RATE * rates.max(axis=0, initial=0.0)] = 0.0
        size = np.abs(ends).max(initial=0.0)
        resting = (width > RANGE_TOLERANCE * size).any(axis=1)
        if resting.any():
            k, component = np.unravel_index(int(width.argmax()), width.shape)
            unit = "N m" if joint.turning[component] else "N"
            low, high = (quantity_text(float(end), unit) for end in ends[k, component])
            times = _times_text(result.time, resting)
            t = float(result.time[k])
            text = (
                f"'{name}' is at rest {times}, where static friction allows every effort from {low} to {high}"
                f"{'' if resting.sum() == 1 else f' (t = {t:.6g} s)'}, see `effort_range`"
            )
            yield ResultWarning("W72", name, text, float(width[k, component]), unit, t)


def _times_text(time: np.ndarray, marked: np.ndarray) -> str:
    """Text with the times of the marked instants; for consecutive marked instants only the first and last time."""
    places = np.flatnonzero(marked)
    runs = np.split(places, np.flatnonzero(np.diff(places) > 1) + 1)
    spans = [(f"{time[run[0]]:.6g}", f"{time[run[-1]]:.6g}") for run in runs]
    parts = [f"at t = {a} s" if a == b else f"from t = {a} s to {b} s" for a, b in spans[:MOST_RESTS]]
    if len(spans) > MOST_RESTS:
        parts.append(f"at {len(spans) - MOST_RESTS} further times")
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def _idle_friction(result: Result) -> Iterator[LoadHistory]:
    """Histories of loads with smooth friction that could exert a force but is nearly zero because nothing slides."""
    for load in result.mechanism.all_loads:
        history = result.loads[load.name]
        if (
            not isinstance(load, Contact | Friction)
            or not history.values.get("creeping", np.zeros(1, bool)).any()
        ):
            continue
        if isinstance(load, Contact):
            idle = (history.sliding < REST_FRICTION * history.creep_speed) & (history.normal > 0)
        else:
            idle = (np.abs(history.effort) < REST_FRICTION * history.limit) & history.creeping
        if idle.any():
            yield history


def _accelerates(result: Result) -> bool:
    """Whether any joint acceleration exceeds the acceleration that round-off of the forces can cause."""
    mass = sum(value_of(body.mass) or 0.0 for body in result.mechanism.moving)
    least = noise_floor(result)["N"]
    for joint in result.joints.values():
        a = np.abs(joint.acceleration.reshape(len(result.time), -1))
        turning = joint.turning if len(joint.turning) == a.shape[1] else (False,) * a.shape[1]
        lengths = np.where(turning, result.plan.length, 1.0)
        if mass * (a * lengths).max(initial=0.0) > least:
            return True
    return False


LIMIT_TOLERANCE = 1e-6
"""Largest excess of a friction force over its limit, relative to the limit, for which no warning is given."""

UNLOADED_CONTACT = 1e-8
"""Fraction of the largest contact force on the same body below which a contact force counts as round-off."""


def stiction_limit_warnings(result: Result) -> Iterator[ResultWarning]:
    """Warnings for friction that sticks with a force beyond its limit, each with the first such instant.

    Every force is compared with its own limit, increased by a tolerance. For a contact the tolerance includes the
    round-off of the largest normal force on the same body. Friction in a screw is not examined: its limit depends on
    the direction of motion, and the history contains the limit in the direction of sliding only.
    """
    for load in result.mechanism.all_loads:
        if isinstance(load, Contact | Friction) and load.modes and load.exact:
            force, limit, unit = (
                _contact_friction(result, load)
                if isinstance(load, Contact)
                else _joint_friction(result, load)
            )
            beyond = np.flatnonzero(result.loads[load.name].sticking & (force > limit))
            for k in beyond[:1].tolist():
                kind = "force" if unit == "N" else "torque"
                what = f"'{load.name}' sticks with a friction {kind} of {force[k]:.6g} {unit}"
                t = float(result.time[k])
                text = (
                    f"at t = {t:.6g} s {what}, beyond its limit of {limit[k]:.6g} {unit}: sliding would begin"
                )
                yield ResultWarning("W73", load.name, text, float(force[k]), unit, t)


def _joint_friction(result: Result, load: Friction) -> tuple[np.ndarray, np.ndarray, str]:
    """Magnitude of the friction effort over time, its limit increased by the tolerance, and their unit; the limit is
    infinite for a screw."""
    history = result.loads[load.name]
    screw = any(
        isinstance(joint, Helical) and joint.name == load.joint for joint in result.mechanism.connections
    )
    limit = np.full_like(history.limit, np.inf) if screw else (1 + LIMIT_TOLERANCE) * history.limit
    return np.abs(history.effort), limit, history.units["effort"]


def _contact_friction(result: Result, load: Contact) -> tuple[np.ndarray, np.ndarray, str]:
    """Magnitude of the friction force over time, its limit increased by the tolerance, and their unit; the limit is
    infinite if the coefficient of friction is not a constant."""
    history, mu = result.loads[load.name], value_of(load.coefficient)
    across = np.linalg.norm(history.force, axis=1) ** 2 - history.normal**2
    if mu is None:
        return across, np.full_like(across, np.inf), "N"
    floor = UNLOADED_CONTACT * min(
        _largest_on(result, body_of(marker)) for marker in (load.first, load.second)
    )
    return (
        np.sqrt(np.maximum(across, 0.0)),
        (1 + LIMIT_TOLERANCE) * mu * np.maximum(history.normal, 0.0) + floor,
        "N",
    )


def _largest_on(result: Result, body: str) -> float:
    """The largest normal force of all contacts of a body; infinite for the ground."""
    if body == GROUND:
        return np.inf
    contacts = [load for load in result.mechanism.all_loads if isinstance(load, Contact)]
    found = [
        np.abs(result.loads[load.name].normal).max(initial=0.0)
        for load in contacts
        if body in (body_of(load.first), body_of(load.second))
    ]
    return float(max(found, default=0.0))


PENETRATION_TOLERANCE = 1e-6
"""Largest violation of a unilateral constraint that is not reported, in m, rad, m/s or rad/s."""


def penetration_warnings(result: Result, within: Mapping[str, float] | None = None) -> list[ResultWarning]:
    """Warnings for unilateral constraints that are violated, each with the first instant of violation.

    `within` maps loads to the largest penetration that is not reported, in m or rad. If it is given, only these loads
    are examined, and freewheels, whose constraint is on the rate, are not.
    """
    found = []
    for load in result.mechanism.all_loads:
        examined = within is None or (load.name in within and not isinstance(load, Freewheel))
        ways = list(penetrations(result, load)) if examined else []
        if not ways:
            continue
        way, unit = np.max([one for one, _ in ways], axis=0), ways[0][1]  # all limits of a load have one unit
        past = np.flatnonzero(way > (PENETRATION_TOLERANCE if within is None else within[load.name]))
        if past.size:
            kind, most = type(load).__name__.lower(), f"{way.max():.3g} {unit}"
            t = float(result.time[past[0]])
            text = f"the motion violates {kind} '{load.name}' from t = {t:.6g} s on, by up to {most}"
            found.append(ResultWarning("W66", load.name, text, float(way.max()), unit, t))
    return found


def penetrations(result: Result, load: Load) -> Iterator[tuple[np.ndarray, str]]:
    """Violation of every limit of a unilateral load over time, positive where the limit is violated, and its unit."""
    if isinstance(load, Rope):
        yield result[load.name].length - (value_of(load.length) or 0.0), "m"
    elif isinstance(load, Contact):
        yield -result[load.name].gap, "m"
    elif isinstance(load, Freewheel):
        rate, unit = _load_coordinate(result, load, "rate")
        yield (-rate if load.free == "forward" else rate), f"{unit}/s"
    elif isinstance(load, Stop) and load.modes:
        q, unit = _load_coordinate(result, load, "position")
        for sign, end in ((-1, value_of(load.low)), (1, value_of(load.high))):
            if end is not None:
                yield sign * (q - end), unit


def _load_coordinate(result: Result, load: Stop | Freewheel, of: str) -> tuple[np.ndarray, str]:
    """Position or rate of the joint coordinate on which a load acts, over time, and the unit of the coordinate."""
    joint = result.joints[load.joint]
    names = result.mechanism.connection(load.joint).components(result.mechanism.planar)
    k = names.index(load.component) if load.component else 0
    values: np.ndarray = getattr(joint, of)
    return (values if values.ndim == 1 else values[:, k]), ("rad" if joint.turning[k] else "m")
