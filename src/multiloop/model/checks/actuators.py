"""Checks of actuators: limits, gear ratio and rotor inertia."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from multiloop.model.brief import brief
from multiloop.model.checks.numbers import number_faults, scalar_faults, value_of
from multiloop.model.checks.readings import reading_faults
from multiloop.model.drives import Actuator
from multiloop.model.expressions import Expression, depends_on_state, depends_on_time
from multiloop.model.expressions.text import shown
from multiloop.model.faults import Fault

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism


def limit_faults(mechanism: Mechanism, where: str, actuator: Actuator) -> Iterator[Fault]:
    """Errors of a limit, which is a magnitude, or a lower and an upper bound with zero between them."""
    given = actuator.limit
    for part in given if isinstance(given, tuple) else [given] * (given is not None):
        yield from reading_faults(mechanism, where, "limit", part)
    if isinstance(given, tuple):
        ends = [value_of(end) for end in given]
        least, largest = ends if len(ends) == 2 else (1.0, -1.0)
        if (
            (least is not None and least > 0)
            or (largest is not None and largest < 0)
            or least == largest == 0
        ):
            remedy = "Give a magnitude, or (least, largest) with zero between them, e.g. limit=(-5.0, 8.0)."
            yield Fault("D06", where, f"its limit is {brief(given)}.", remedy)
    elif (limit := value_of(given)) is not None and limit <= 0:
        yield Fault("D06", where, f"its limit is {limit:g}.", "Give a positive limit.")
    speed = actuator.speed_limit
    if speed is not None:
        yield from reading_faults(mechanism, where, "speed_limit", speed)
        if (most := value_of(speed)) is not None and most <= 0:
            yield Fault("D06", where, f"its speed_limit is {most:g}.", "Give a positive limit.")


def rotor_faults(mechanism: Mechanism, where: str, actuator: Actuator) -> Iterator[Fault]:
    """Errors of a zero gear ratio, and of a rotor inertia that is not positive or at a joint with several axes."""
    yield from _steady_faults(where, "ratio", actuator.ratio)
    if value_of(actuator.ratio) == 0:
        yield Fault(
            "D08", where, "its ratio is 0.", "Give how many turns the motor makes for one of the joint."
        )
    inertia = actuator.rotor_inertia
    if inertia is None:
        return
    yield from _steady_faults(where, "rotor_inertia", inertia)
    value, joint = value_of(inertia), mechanism.joints_by_name.get(actuator.joint)
    if value is not None and value <= 0:
        remedy = "Give the inertia of the rotor in kg m², or leave it out."
        yield Fault("D08", where, f"its rotor_inertia is {value:g}.", remedy)
    if joint is not None and len(joint.components(mechanism.planar)) != 1:
        what = f"has a rotor, but joint '{joint.name}' is a {type(joint).__name__} with several coordinates."
        yield Fault("D08", where, what, "Give a rotor to a joint with a single axis.")


def _steady_faults(where: str, name: str, value: Any) -> Iterator[Fault]:
    """Errors of a value that must not depend on time or state."""
    if not isinstance(value, Expression):
        yield from number_faults(where, f"its {name}", value, "a number or a Parameter")
    elif depends_on_time(value) or depends_on_state(value):
        what = f"its {name} is {shown(value)}, which changes as the mechanism moves."
        yield Fault("D08", where, what, "Give a number or a Parameter.")
    else:
        yield from scalar_faults(where, f"its {name}", value)
