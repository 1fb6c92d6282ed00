"""Checks of gears, racks, worms and belts: teeth, radii, angles, carrier, and position of the axes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from math import degrees
from typing import TYPE_CHECKING

from multiloop.model.bodies import GROUND
from multiloop.model.brief import brief
from multiloop.model.checks.joints import reference_faults
from multiloop.model.checks.markers import marker_faults
from multiloop.model.checks.numbers import scalar_faults
from multiloop.model.faults import Fault, suggestion
from multiloop.model.markers import value_of
from multiloop.model.names import body_of
from multiloop.model.pairs.gearing import Gearing
from multiloop.model.pairs.mounting import NotMountedError, find_mounting

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism


def gearing_faults(mechanism: Mechanism, where: str, gearing: Gearing) -> Iterator[Fault]:
    """Errors of its values and names; if these are valid, of the position of its wheels on the carrier."""
    faults = list(_flag_faults(where, gearing))
    faults += faults or [*_number_faults(where, gearing), *_name_faults(mechanism, where, gearing)]
    yield from faults
    if faults or not all_there(mechanism):
        return
    try:
        mounting = find_mounting(mechanism, gearing)  # not cached: the mechanism may have other errors
    except NotMountedError as problem:
        yield problem.fault
        return
    bending = [
        body
        for body in (mounting.carrier, body_of(gearing.first), body_of(gearing.second))
        if body in mechanism.bodies_by_name and mechanism.bodies_by_name[body].elastic
    ]
    if bending:
        what = f"'{bending[0]}' bends, so that its pitch circles have no fixed place."
        yield Fault("G09", where, what, "Make wheels and carrier rigid bodies, fixed to what bends.")
    else:
        yield from gearing.axis_faults(where, *mounting.axes(mechanism))


def _flag_faults(where: str, gearing: Gearing) -> Iterator[Fault]:
    for entry in fields(gearing):
        value = getattr(gearing, entry.name)
        if isinstance(entry.default, bool) and not isinstance(value, bool):
            yield Fault("M12", where, f"its `{entry.name}` is {brief(value)}.", "Give True or False.")


def _number_faults(where: str, gearing: Gearing) -> Iterator[Fault]:
    yield from gearing.number_faults(where)
    for what, value in gearing.scalars.items():
        yield from scalar_faults(where, what, value)
    for what, value in gearing.lengths.items():
        yield from scalar_faults(where, what, value)
        number = value_of(value)
        if number is not None and number <= 0:
            yield Fault("M13", where, f"its {what} is {number:g}.", "Give a length above zero, in metres.")
    for what, (value, low, high) in gearing.angles.items():
        yield from scalar_faults(where, what, value)
        number = value_of(value)
        if number is not None and not low <= number < high:
            said = f"its {what} is {number:g} rad, {degrees(number):.6g}°."
            bounds = f"between {degrees(low):.4g}° and {degrees(high):.4g}°"
            remedy = f"Give an angle {bounds}, in radians: `deg(20)` is 20°."
            yield Fault("G05", where, said, remedy)


def _name_faults(mechanism: Mechanism, where: str, gearing: Gearing) -> Iterator[Fault]:
    for side in ("first", "second"):
        yield from reference_faults(mechanism, where, f"its {side}", getattr(gearing, side))
    body = body_of(gearing.first)
    if body == body_of(gearing.second):
        yield Fault(
            "T01", where, f"connects body '{body}' with itself.", "Give markers of two different bodies."
        )
    bodies = mechanism.bodies_by_name
    if gearing.carrier and gearing.carrier not in bodies:
        what = f"its carrier '{gearing.carrier}' does not exist."
        yield Fault("T02", where, what, suggestion(gearing.carrier, bodies))


def all_there(mechanism: Mechanism) -> bool:
    """Whether all joints have existing markers, and all markers have valid positions and axes."""
    bodies = mechanism.bodies_by_name
    for joint in mechanism.binary_joints:
        for reference in (joint.first, joint.second):
            body, _, marker = reference.partition(".")
            if body not in bodies or not bodies[body].has_marker(marker):
                return False
    return GROUND in bodies and next(marker_faults(mechanism), None) is None
