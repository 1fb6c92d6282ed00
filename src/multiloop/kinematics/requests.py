"""What a user asks of positions and rates, by name: starts that are held, guesses that choose.

A joint takes its q (a number when it has one; None leaves a component open), a marker "body.marker" its
point and, if given, its orientation, a body the same of its origin. Orientation is an angle in the plane
and a quaternion, scalar first, in space.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from multiloop.kinematics.targets import Target
from multiloop.model import AssemblyError, Fault, Mechanism, suggestion


@dataclass(frozen=True)
class Request:
    """A target with the values asked of it."""

    target: Target
    values: tuple[float, ...]


def position_requests(mechanism: Mechanism, asked: Mapping[str, Any], role: str) -> tuple[Request, ...]:
    """Requests for positions; `role` ("start", "guess") is how messages call them."""
    return tuple(
        request
        for name, value in _mapping(mechanism, asked, role).items()
        if (request := _request(mechanism, name, value, role, rates=False)) is not None
    )


def rate_requests(mechanism: Mechanism, asked: Mapping[str, Any]) -> tuple[Request, ...]:
    """Requests for rates: v of a joint, velocity of a marker or of a body's origin with its angular velocity."""
    return tuple(
        request
        for name, value in _mapping(mechanism, asked, "rates").items()
        if (request := _request(mechanism, name, value, "rates", rates=True)) is not None
    )


def _mapping(mechanism: Mechanism, asked: Any, role: str) -> Mapping[str, Any]:
    """What was asked, by name; a State stands for its positions."""
    asked = getattr(asked, "positions", asked)
    if isinstance(asked, Mapping):
        return {name: value for name, value in asked.items() if not (isinstance(value, tuple) and not value)}
    fault = Fault("K08", role, f"is {asked!r}.", f'Give names with values, e.g. {role}={{"A": 0.5}}.')
    raise AssemblyError(f"mechanism '{mechanism.name}'", [fault])


def _request(mechanism: Mechanism, name: str, value: Any, role: str, *, rates: bool) -> Request | None:
    where = f"{role} '{name}'"
    numbers = _numbers(mechanism, where, value)
    joints = {joint.name: joint for joint in mechanism.pairs}
    bodies = {body.name: body for body in mechanism.bodies}
    markers = {f"{body.name}.{marker}" for body in mechanism.bodies for marker in body.marker_names}
    if name in joints:
        of = name
        allowed = [_joint_slots(joints[name], mechanism.planar, rates)]
    elif name in bodies or name in markers:
        of = name if name in markers else f"{name}.origin"
        allowed = _marker_slots(mechanism.planar, rates)
    else:
        known = set(joints) | set(bodies) | markers
        fault = Fault(
            "K07", where, "there is no joint, body or marker of that name.", suggestion(name, known)
        )
        raise AssemblyError(f"mechanism '{mechanism.name}'", [fault])
    slots = next((s for s in allowed if len(s) == len(numbers)), None)
    if slots is None:
        sizes = " or ".join(str(len(s)) for s in allowed)
        what = f"has {len(numbers)} value{'s' if len(numbers) != 1 else ''}, expected {sizes}."
        listed = ", ".join(allowed[-1]) or "nothing: it cannot move"
        fault = Fault("K08", where, what, f"Give {listed}; None leaves one open.")
        raise AssemblyError(f"mechanism '{mechanism.name}'", [fault])
    turn = [number for slot, number in zip(slots, numbers, strict=True) if slot in QUATERNION]
    if turn and any(number is not None for number in turn) and (None in turn or not any(turn)):
        fault = Fault(
            "K08", where, "its quaternion is not whole.", "Give four numbers, not all zero, or four None."
        )
        raise AssemblyError(f"mechanism '{mechanism.name}'", [fault])
    return _chosen(of, slots, numbers)


def _chosen(of: str, slots: tuple[str, ...], numbers: list[float | None]) -> Request | None:
    components: list[str] = []
    values: list[float] = []
    for slot, number in zip(slots, numbers, strict=True):
        if number is None:
            continue
        component = "turn" if slot.startswith("quaternion") else slot
        if component != "turn" or "turn" not in components:
            components.append(component)
        values.append(number)
    if "turn" in components:
        values[-4:] = list(np.array(values[-4:]) / np.linalg.norm(values[-4:]))
    return Request(Target(of, tuple(components)), tuple(values)) if components else None


QUATERNION = ("quaternion 0", "quaternion 1", "quaternion 2", "quaternion 3")


def _joint_slots(joint: Any, planar: bool, rates: bool) -> tuple[str, ...]:
    names = joint.components(planar)
    if rates or joint.positions(planar) == joint.freedoms(planar):
        return names
    return (*(name for name in names if not name.startswith("turn_")), *QUATERNION)


def _marker_slots(planar: bool, rates: bool) -> list[tuple[str, ...]]:
    if planar:
        return [("x", "y"), ("x", "y", "angle")]
    if rates:
        return [("x", "y", "z"), ("x", "y", "z", "turn_x", "turn_y", "turn_z")]
    return [("x", "y", "z"), ("x", "y", "z", *QUATERNION)]


def _numbers(mechanism: Mechanism, where: str, value: Any) -> list[float | None]:
    given = list(value) if isinstance(value, list | tuple | np.ndarray) else [value]
    for number in given:
        if number is not None and not (isinstance(number, int | float | np.number) and np.isfinite(number)):
            fault = Fault(
                "K08", where, f"holds {number!r}.", "Give finite numbers, or None to leave one open."
            )
            raise AssemblyError(f"mechanism '{mechanism.name}'", [fault])
    return [None if number is None else float(number) for number in given]
