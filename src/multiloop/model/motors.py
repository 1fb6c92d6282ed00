"""Motors with a gearbox: what they can give at the speed at which they turn, and the inertia of their rotors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from multiloop.model.bodies import Body
from multiloop.model.brief import brief
from multiloop.model.expressions import (
    Expression,
    Scalar,
    depends_on_state,
    depends_on_time,
    evaluate,
    lift,
    position,
    rate,
)
from multiloop.model.expressions.functions import abs as magnitude
from multiloop.model.expressions.functions import maximum, minimum
from multiloop.model.joints import Revolute
from multiloop.model.pairs import Relation

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism

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
    turns it makes for one of the joint. Braking is limited as driving is. The inertia of the rotor is no part of it,
    see `with_rotor`.
    """
    for name, value in {"stall": stall, "no_load": no_load, "power": power, "ratio": ratio}.items():
        if value is not None:
            _require_positive("motor_limit", joint, name, value)
    speed, most = magnitude(rate(joint, component)), stall * lift(ratio)
    if no_load is not None:
        most = most * maximum(0.0, 1 - ratio * speed / no_load)
    return most if power is None else minimum(most, power / maximum(speed, LEAST))


def with_rotor(mechanism: Mechanism, joint: str, *, inertia: Scalar, ratio: Scalar) -> Mechanism:
    """The mechanism with the rotor of a motor at a joint, turned `ratio` times as far by a gearbox.

        rotor angle = ratio q,      kinetic energy ½ inertia (Ω + ratio q̇)²

    Ω is how fast the joint's first body, which carries the motor, turns about the axis itself. The rotor is a thin
    disc, the body "rotor of A" on the joint "motor of A", tied by the relation "gearbox of A"; its mass counts as that
    of the body that carries it. Efforts stay on the joint's side of the gearbox, those at "motor of A" are the motor's
    own. At a slide the ratio is in rad/m.
    """
    carried = mechanism.joint(joint)
    if len(carried.components(mechanism.planar)) != 1:
        raise ValueError(
            f"with_rotor of '{joint}': the joint has several coordinates. Name one with a single axis."
        )
    _require_positive("with_rotor", joint, "inertia", inertia)
    if depends_on_time(ratio) or depends_on_state(ratio) or not evaluate(ratio):
        raise ValueError(
            f"with_rotor of '{joint}': its ratio is {brief(ratio)}. Give a number other than zero."
        )
    half = lift(inertia) / 2
    disc: Any = inertia if mechanism.planar else (half, half, inertia)
    name, motor = f"rotor of {joint}", f"motor of {joint}"
    return mechanism.replace(
        bodies=(*mechanism.bodies, Body(name, inertia=disc)),
        joints=(*mechanism.joints, Revolute(motor, carried.first, f"{name}.origin")),
        pairs=(*mechanism.pairs, Relation(f"gearbox of {joint}", position(motor) - ratio * position(joint))),
    )


def _require_positive(of: str, joint: str, name: str, value: Scalar) -> None:
    if depends_on_time(value) or depends_on_state(value):
        raise ValueError(f"{of} of '{joint}': its {name} changes. Give a number or a Parameter.")
    if not evaluate(value) > 0:
        raise ValueError(f"{of} of '{joint}': its {name} is {brief(value)}. Give one above zero.")
