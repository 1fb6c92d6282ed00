"""Motors with a gearbox: torque limits that depend on speed, and the inertia of rotors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from multiloop.model.expressions import (
    Expression,
    Scalar,
    depends_on_state,
    depends_on_time,
    evaluate,
    lift,
    rate,
)
from multiloop.model.expressions.functions import abs as magnitude, maximum, minimum
from multiloop.model.faults import short_repr
from multiloop.model.implied_parts import make_rotor

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism

LEAST_SPEED = 1e-9
"""Joint speed below which the limit of power is not applied, divided by the speed at which the largest effort has this
power."""


def motor_limit(
    joint: str,
    *,
    stall: Scalar,
    no_load: Scalar | None = None,
    power: Scalar | None = None,
    ratio: Scalar = 1.0,
    component: int = 0,
) -> Expression:
    """The largest effort (torque or force) of a motor at a joint, for the `limit` of its Actuator.

        |τ| ≤ n stall (1 − |n q̇| / no_load),      |τ q̇| ≤ power

    τ is the effort at the joint and q̇ its rate. `stall` (torque, N m), `no_load` (speed, rad/s) and `power` (W) are
    those of the motor (for a DC motor, no_load is the voltage divided by the motor constant); `ratio` n is the number
    of turns of the motor for one turn of the joint. `component` is the index of the driven coordinate of a joint with
    several. Braking is limited like driving, in contrast to `motor_envelope`. The inertia of the rotor is not included;
    see `Actuator`.
    """
    for name, value in {"stall": stall, "no_load": no_load, "power": power, "ratio": ratio}.items():
        if value is not None:
            _require_positive("motor_limit", joint, name, value)
    speed, most = magnitude(rate(joint, component)), stall * lift(ratio)
    if no_load is not None:
        most = most * maximum(0.0, 1 - ratio * speed / no_load)
    return (
        most
        if power is None
        else minimum(most, power / maximum(speed, LEAST_SPEED * power / (stall * lift(ratio))))
    )


def motor_envelope(
    joint: str,
    *,
    stall: Scalar,
    no_load: Scalar,
    peak: Scalar | None = None,
    power: Scalar | None = None,
    ratio: Scalar = 1.0,
    component: int = 0,
) -> tuple[Expression, Expression]:
    """The torque–speed curve of a DC motor in four quadrants, for the (least, largest) `limit` of its Actuator.

        largest = n min(peak, stall (1 − n q̇ / no_load)) ≥ 0,      least = −n min(peak, stall (1 + n q̇ / no_load)) ≤ 0

    When driving, the torque decreases with speed and vanishes at the no-load speed; when braking, the back-EMF adds to
    it, up to `peak` (the current limit; by default `stall`). `power` limits the delivered and the absorbed power,
    |τ q̇| ≤ power. `stall`, `no_load`, `peak` and `power` are those of the motor; `ratio` n is the number of turns of
    the motor for one turn of the joint.

    Source: derived here from V = R i + k ω, τ = k i, with voltage V, resistance R, current i, motor constant k and
    speed ω. Zero effort is always within the limits, since the supply can be switched off.
    """
    numbers = {"stall": stall, "no_load": no_load, "peak": peak, "power": power, "ratio": ratio}
    for name, value in numbers.items():
        if value is not None:
            _require_positive("motor_envelope", joint, name, value)
    speed, most = rate(joint, component), lift(stall if peak is None else peak)
    bound = None if power is None else power / maximum(magnitude(speed), LEAST_SPEED * power / (most * ratio))
    ends = []
    for sign in (-1, 1):
        end = ratio * maximum(0.0, minimum(most, stall * (1 - sign * ratio * speed / no_load)))
        ends.append(sign * (end if bound is None else minimum(end, bound)))
    return ends[0], ends[1]


def motor_ratios(mechanism: Mechanism, values: Mapping[str, float]) -> dict[str, float]:
    """The gear ratio of every actuator, by joint, for given values of the parameters."""
    return {one.joint: float(evaluate(one.ratio, parameters=values)) for one in mechanism.actuators}


def with_rotor(mechanism: Mechanism, joint: str, *, inertia: Scalar, ratio: Scalar) -> Mechanism:
    """The mechanism with the rotor of a motor at a joint; a gearbox rotates it `ratio` times as far as the joint.

        rotor angle = ratio q,      kinetic energy ½ inertia (Ω + ratio q̇)²

    q is the joint coordinate and Ω the angular velocity of the joint's first body, which carries the motor, about the
    joint axis. The rotor is a thin disc: in a spatial mechanism its moment of inertia about a diameter is inertia/2. It
    is added as the body "rotor of A" on the joint "motor of A", coupled by the relation "gearbox of A". It has no mass;
    include the mass of the motor in the first body. Efforts at the joint are those on the joint's side of the gearbox,
    and efforts at "motor of A" are those of the motor. For a sliding joint the ratio is in rad/m.
    `Actuator("A", rotor_inertia=, ratio=)` describes the same rotor within a mechanism.
    """
    carried = mechanism.joint(joint)
    if len(carried.components(mechanism.planar)) != 1:
        raise ValueError(
            f"with_rotor of '{joint}': the joint has several coordinates. Name a joint with a single axis."
        )
    _require_positive("with_rotor", joint, "inertia", inertia)
    if depends_on_time(ratio) or depends_on_state(ratio) or not evaluate(ratio):
        raise ValueError(
            f"with_rotor of '{joint}': its ratio is {short_repr(ratio)}. Give a number other than zero."
        )
    names = (f"rotor of {joint}", f"motor of {joint}", f"gearbox of {joint}")
    rotor = make_rotor(carried, names, inertia, ratio, mechanism.planar)
    return mechanism.replace(
        bodies=(*mechanism.bodies, rotor.body),
        joints=(*mechanism.joints, rotor.joint),
        pairs=(*mechanism.pairs, rotor.gearbox),
    )


def _require_positive(of: str, joint: str, name: str, value: Scalar) -> None:
    if depends_on_time(value) or depends_on_state(value):
        raise ValueError(f"{of} of '{joint}': its {name} is not constant. Give a number or a Parameter.")
    if not evaluate(value) > 0:
        raise ValueError(f"{of} of '{joint}': its {name} is {short_repr(value)}. Give a number above zero.")
