"""Requested values of coordinates and rates: start values, guesses, and the values that drives prescribe at a time.

`multiloop.model.named_coordinates` lists the values that can be requested for a joint, a body or a marker.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import casadi as ca
import numpy as np

from multiloop.kinematics.constraints import Target, driven_targets, quaternion_angular_velocity
from multiloop.kinematics.equations import Equations
from multiloop.model import ETA, AssemblyError, Expression, Fault, Mechanism, elastic_names, short_repr
from multiloop.model.expressions import Scalar, derivative, evaluate, lift
from multiloop.model.markers import as_mapping, vector
from multiloop.model.named_coordinates import QUATERNION, ComponentNames, component_names, request_faults
from multiloop.spatial import numeric


@dataclass(frozen=True)
class Request:
    """Values requested for a target, which is a joint, a marker or a flexible body with some of its components."""

    target: Target
    values: tuple[float, ...]

    def by_component(self) -> Iterator[tuple[str, tuple[float, ...]]]:
        """Components of the target with their values; the component "turn" (orientation) has the four values of a
        quaternion."""
        at = 0
        for component in self.target.components:
            width = 4 if component == "turn" else 1
            yield component, self.values[at : at + width]
            at += width

    def without(self, excluded: Collection[tuple[str, str]]) -> Request | None:
        """The request without the components in `excluded`, which are tuples (name of the target, component); None if
        no component remains."""
        of = self.target.of
        left = {c: values for c, values in self.by_component() if (of, c) not in excluded}
        if not left:
            return None
        return Request(Target(of, tuple(left)), tuple(x for values in left.values() for x in values))


def values_of(requests: tuple[Request, ...]) -> np.ndarray:
    """The values of several requests in one vector."""
    return np.array([value for request in requests for value in request.values])


def position_requests(mechanism: Mechanism, asked: Mapping[str, Any], role: str) -> tuple[Request, ...]:
    """Requests for positions from the user's mapping `asked`; `role` is the name of the argument in messages ("start"
    or "guess")."""
    return _requests(mechanism, asked, role, rates=False)


def rate_requests(mechanism: Mechanism, asked: Mapping[str, Any], role: str = "rates") -> tuple[Request, ...]:
    """Requests for the rates of joints or markers, or for the velocity of the origin and the angular velocity of
    bodies.

    Accelerations have the same component names and are requested in the same way; `role` is the name of the argument in
    messages.
    """
    return _requests(mechanism, asked, role, rates=True)


def _requests(
    mechanism: Mechanism, asked: Mapping[str, Any], role: str, *, rates: bool
) -> tuple[Request, ...]:
    given = {name: vector(value) for name, value in values_by_name(mechanism, asked, role).items()}
    known = component_names(mechanism, rates=rates) if given else {}
    faults = [
        fault for name, numbers in given.items() for fault in request_faults(known, role, name, numbers)
    ]
    if faults:
        raise AssemblyError(f"mechanism '{mechanism.name}'", faults)
    bodies = {body.name for body in mechanism.all_bodies}
    found = []
    for name, numbers in given.items():
        slots = next(slots for slots in known[name] if len(slots) == len(numbers))
        found.append(_request_from_numbers(f"{name}.origin" if name in bodies else name, slots, numbers))
    return tuple(request for request in found if request is not None)


def elastic_requests(
    mechanism: Mechanism, start: Sequence[Request], guessed: Sequence[Request]
) -> tuple[Request, ...]:
    """Requests that prescribe every elastic coordinate for which the `start` values contain no value: its value is the
    one in `guessed`, otherwise zero (undeformed).

    The loops are thus closed by motion of the joints and not by deformation of the links.
    """
    given = {(r.target.of, component) for r in start for component in r.target.components}
    guesses = {
        (r.target.of, c): x for r in guessed for c, x in zip(r.target.components, r.values, strict=False)
    }
    found = []
    for body in mechanism.all_bodies:
        of = f"{body.name}.{ETA}"
        left = tuple(name for name in elastic_names(body.elastic) if (of, name) not in given)
        if left:
            found.append(Request(Target(of, left), tuple(guesses.get((of, name), 0.0) for name in left)))
    return tuple(found)


def requests_not_held(guessed: Sequence[Request], held: Sequence[Request]) -> tuple[Request, ...]:
    """The requests `guessed` without the components that the requests `held` prescribe."""
    prescribed = {(r.target.of, component) for r in held for component in r.target.components}
    left = (request.without(prescribed) for request in guessed)
    return tuple(request for request in left if request is not None)


def held_elastic_coordinates(mechanism: Mechanism, held: Sequence[Request]) -> dict[str, np.ndarray]:
    """The prescribed elastic coordinates of every flexible body, by body name."""
    found = {body.name: np.zeros(body.elastic) for body in mechanism.all_bodies if body.elastic}
    for request in held:
        body = request.target.of.removesuffix(f".{ETA}")
        if request.target.of.endswith(f".{ETA}") and body in found:
            names = elastic_names(len(found[body]))
            for component, values in request.by_component():
                found[body][names.index(component)] = values[0]
    return found


def values_by_name(mechanism: Mechanism, asked: Any, role: str) -> Mapping[str, Any]:
    """Requested values by name, from a mapping, an object with `keys`, a State (its positions), or a sequence of tuples
    (name, values). `role` is the name of the argument in messages."""
    asked = as_mapping(getattr(asked, "positions", asked))
    if isinstance(asked, Mapping):
        return asked
    if hasattr(asked, "keys"):
        return dict(asked)
    fault = Fault(
        "K08", role, f"is {short_repr(asked)}.", f'Give names with values, e.g. {role}={{"A": 0.5}}.'
    )
    raise AssemblyError(f"mechanism '{mechanism.name}'", [fault])


def _request_from_numbers(of: str, slots: ComponentNames, numbers: tuple[Any, ...]) -> Request | None:
    """The request for those components `slots` of the target `of` whose number is not None; None if all numbers are
    None. A quaternion is normalised."""
    given = [(slot, number) for slot, number in zip(slots, numbers, strict=True) if number is not None]
    components = dict.fromkeys("turn" if slot in QUATERNION else slot for slot, _ in given)
    values = [number for _, number in given]
    if "turn" in components:
        values[-4:] = list(np.array(values[-4:]) / np.linalg.norm(values[-4:]))
    return Request(Target(of, tuple(components)), tuple(values)) if components else None


Drive = Callable[[float, int], np.ndarray]
"""A function of time t that returns all prescribed values s, drive(t, 0), their rates, drive(t, 1), or their
accelerations, drive(t, 2)."""


def drive_values(mechanism: Mechanism, t: float, order: int = 0) -> tuple[Request, ...]:
    """Values that the drives prescribe at time t, or the time derivatives of the given order of these values."""
    found = []
    for driven in driven_targets(mechanism):
        of = driven.target.of
        values = tuple(
            _profile_value(mechanism, of, _profile_derivative(profile, order), t)
            for profile in driven.profiles
        )
        found.append(Request(driven.target, values))
    return tuple(found)


def drive_rates(mechanism: Mechanism, t: float) -> tuple[Request, ...]:
    """Rates that the drives prescribe at time t; for an orientation, the angular velocity."""
    found = []
    for asked, moving in zip(drive_values(mechanism, t), drive_values(mechanism, t, 1), strict=True):
        if "turn" not in asked.target.components:
            found.append(moving)
            continue
        components = (*asked.target.components[:-1], "turn_x", "turn_y", "turn_z")
        omega = numeric(quaternion_angular_velocity(ca.DM(asked.values[-4:]), ca.DM(moving.values[-4:])))
        found.append(Request(Target(asked.target.of, components), (*moving.values[:-4], *omega.tolist())))
    return tuple(found)


def drive_of(equations: Equations) -> Drive:
    """All prescribed values as a function of time and order of derivative. The targets of the equations must be those
    of the drives, or the equations must have no targets."""
    mechanism = equations.skeleton.mechanism

    def drive(t: float, order: int) -> np.ndarray:
        asked = drive_values(mechanism, t, order) if equations.targets else ()
        return np.concatenate([equations.time_values(t, order), values_of(asked)])

    return drive


@lru_cache(maxsize=256)
def _profile_derivative(profile: Scalar, order: int) -> Expression:
    """A profile, or its time derivative of the given order."""
    return lift(profile) if order == 0 else derivative(_profile_derivative(profile, order - 1))


def _profile_value(mechanism: Mechanism, of: str, profile: Expression, t: float) -> float:
    """Value of a profile at a time; raises an error that names the drive if the profile is undefined at this time."""
    try:
        return float(evaluate(profile, time=t, parameters=mechanism.parameters))
    except ValueError as problem:
        reason = str(problem).partition(". Give")[0].rstrip(".")
        fault = Fault(
            "K10",
            f"drive of '{of}'",
            f"has no value at t = {t:g} s: {reason}.",
            "Give times within the range of the drive.",
        )
        raise AssemblyError(f"mechanism '{mechanism.name}'", [fault]) from None
