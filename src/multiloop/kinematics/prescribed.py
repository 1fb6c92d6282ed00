"""Values that the drives prescribe at a time: positions, rates and accelerations."""

from __future__ import annotations

from functools import lru_cache

import casadi as ca
import numpy as np

from multiloop.kinematics.constraints.target import turning_rate
from multiloop.kinematics.equations import Equations
from multiloop.kinematics.path import Drive
from multiloop.kinematics.requests import Request, values_of
from multiloop.kinematics.targets import Target, driven_targets
from multiloop.model import AssemblyError, Expression, Fault, Mechanism
from multiloop.model.expressions import Scalar, derivative, evaluate, lift
from multiloop.spatial import numeric


def drive_values(mechanism: Mechanism, t: float, order: int = 0) -> tuple[Request, ...]:
    """Values that the drives prescribe at time t, or their derivatives of the given order."""
    found = []
    for driven in driven_targets(mechanism):
        of = driven.target.of
        values = tuple(_value(mechanism, of, _derived(profile, order), t) for profile in driven.profiles)
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
        omega = numeric(turning_rate(ca.DM(asked.values[-4:]), ca.DM(moving.values[-4:])))
        found.append(Request(Target(asked.target.of, components), (*moving.values[:-4], *omega.tolist())))
    return tuple(found)


def drive_of(equations: Equations) -> Drive:
    """All prescribed values as a function of time and order of derivative; targets must be the drives, or none."""
    mechanism = equations.skeleton.mechanism

    def drive(t: float, order: int) -> np.ndarray:
        asked = drive_values(mechanism, t, order) if equations.targets else ()
        return np.concatenate([equations.own_values(t, order), values_of(asked)])

    return drive


@lru_cache(maxsize=256)
def _derived(profile: Scalar, order: int) -> Expression:
    """A profile, or its time derivative of the given order."""
    return lift(profile) if order == 0 else derivative(_derived(profile, order - 1))


def _value(mechanism: Mechanism, of: str, profile: Expression, t: float) -> float:
    """Value of a profile at a time; raises an error that names the drive where there is no value."""
    try:
        return float(evaluate(profile, time=t, parameters=mechanism.parameters))
    except ValueError as problem:
        reason = str(problem).partition(". Give")[0].rstrip(".")
        fault = Fault(
            "K10", f"drive of '{of}'", f"has no value at t = {t:g} s: {reason}.", "Ask within its times."
        )
        raise AssemblyError(f"mechanism '{mechanism.name}'", [fault]) from None
