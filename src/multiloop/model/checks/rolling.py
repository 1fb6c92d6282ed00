"""Checks of rolling pairs: radii, rolling resistance, and the order of wheel and road."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from multiloop.model.bodies import GROUND
from multiloop.model.brief import brief
from multiloop.model.checks.joints import body_of
from multiloop.model.checks.numbers import scalar_faults
from multiloop.model.faults import Fault
from multiloop.model.markers import value_of
from multiloop.model.pairs import Rolling, RollingBall, RollingContact

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism


def rolling_faults(mechanism: Mechanism, where: str, pair: RollingContact) -> Iterator[Fault]:
    """Errors of radius, crown, options, and of a wheel on the ground; the first marker is on the wheel."""
    what = "ball" if isinstance(pair, RollingBall) else "wheel"
    yield from length_faults(where, "radius", pair.radius, f"Give the radius of the {what} in metres.")
    yield from _resistance_faults(where, pair)
    if isinstance(pair, Rolling):
        yield from _crown_faults(where, pair)
        yield from _choice_faults(mechanism, where, "sideways", pair.sideways, plain=False)
    elif isinstance(pair, RollingBall):
        yield from _choice_faults(mechanism, where, "pivots", pair.pivots, plain=True)
    if body_of(pair.first) == GROUND != body_of(pair.second):
        yield Fault(
            "P05",
            where,
            f"its first marker, the middle of the {what}, is '{pair.first}' on the ground.",
            f'Name the {what} first and the road second: "{pair.second}", "{pair.first}". A drum that stands still is '
            "a body with a Fixed joint.",
        )


def length_faults(where: str, what: str, value: object, remedy: str) -> Iterator[Fault]:
    """Error of a length that is not positive."""
    yield from scalar_faults(where, what, value)
    number = value_of(value)
    if number is not None and number <= 0:
        yield Fault("M13", where, f"its {what} is {number:g}.", remedy)


def _resistance_faults(where: str, pair: RollingContact) -> Iterator[Fault]:
    """Errors of the arm of rolling resistance and of the speed below which it vanishes."""
    yield from scalar_faults(where, "resistance", pair.resistance)
    if pair.resistance_speed is not None:
        yield from scalar_faults(where, "resistance_speed", pair.resistance_speed)
    arm, radius, speed = map(value_of, (pair.resistance, pair.radius, pair.resistance_speed))
    remedy = "Give the arm of the moment in metres, a coefficient of rolling resistance times the radius; 0 for none."
    if arm is not None and arm < 0:
        yield Fault("M13", where, f"its resistance is {arm:g}.", remedy)
    elif arm is not None and radius is not None and 0 < radius <= arm:
        yield Fault("M13", where, f"its resistance is {arm:g}, its radius {radius:g}.", remedy)
    if speed is not None and speed <= 0:
        remedy = "Give a number of rad/s above zero: below it the wheel counts as standing."
        yield Fault("M13", where, f"its resistance_speed is {speed:g}.", remedy)


def _crown_faults(where: str, pair: Rolling) -> Iterator[Fault]:
    """Error of a crown that is negative or not smaller than the radius of the wheel."""
    yield from scalar_faults(where, "crown", pair.crown)
    crown, radius = value_of(pair.crown), value_of(pair.radius)
    remedy = "Give the radius of its tread from side to side: 0 for a sharp rim, less than the radius of the wheel."
    if crown is not None and crown < 0:
        yield Fault("M13", where, f"its crown is {crown:g}.", remedy)
    elif crown is not None and radius is not None and 0 < radius <= crown:
        remedy += " A ball is a RollingBall."
        yield Fault("M13", where, f"its crown is {crown:g}, its radius {radius:g}.", remedy)


def _choice_faults(
    mechanism: Mechanism, where: str, name: str, value: object, *, plain: bool
) -> Iterator[Fault]:
    """Errors of an option that is not True or False, or that has no meaning in a planar mechanism."""
    if not isinstance(value, bool):
        yield Fault("M12", where, f"its `{name}` is {brief(value)}.", "Give True or False.")
    elif mechanism.planar and value != plain:
        what = f"its `{name}` is {value}, which a planar mechanism has no room for."
        yield Fault("M06", where, what, f"Leave `{name}` out, or make the mechanism spatial.")
