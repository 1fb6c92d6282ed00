"""What a motor can give at the speed at which it turns: stall torque, no-load speed, power, and a gearbox."""

from __future__ import annotations

from multiloop.model.brief import brief
from multiloop.model.expressions import (
    Expression,
    Scalar,
    depends_on_state,
    depends_on_time,
    evaluate,
    lift,
    rate,
)
from multiloop.model.expressions.functions import abs as magnitude
from multiloop.model.expressions.functions import maximum, minimum

LEAST = 1e-9
"""Speed below which power limits nothing, as a part of 1 rad/s or 1 m/s."""


def motor_limit(
    joint: str,
    *,
    stall: Scalar,
    no_load: Scalar | None = None,
    power: Scalar | None = None,
    ratio: Scalar = 1.0,
    component: int = 0,
) -> Expression:
    """The largest effort of a motor at a joint, as the `limit` of its Actuator.

        |τ| ≤ n stall (1 − |n q̇| / no_load),      |τ q̇| ≤ power

    `stall`, `no_load` and `power` are those of the motor itself (a DC motor has no_load = V / k), `ratio` n is how many
    turns it makes for one of the joint. Braking is limited as driving is. The inertia of the rotor is no part of it:
    give it a body and tie it by a Relation.
    """
    for name, value in {"stall": stall, "no_load": no_load, "power": power, "ratio": ratio}.items():
        if value is not None:
            _require_positive(joint, name, value)
    speed, most = magnitude(rate(joint, component)), stall * lift(ratio)
    if no_load is not None:
        most = most * maximum(0.0, 1 - ratio * speed / no_load)
    return most if power is None else minimum(most, power / maximum(speed, LEAST))


def _require_positive(joint: str, name: str, value: Scalar) -> None:
    if depends_on_time(value) or depends_on_state(value):
        raise ValueError(f"motor_limit of '{joint}': its {name} changes. Give a number or a Parameter.")
    if not evaluate(value) > 0:
        raise ValueError(f"motor_limit of '{joint}': its {name} is {brief(value)}. Give one above zero.")
