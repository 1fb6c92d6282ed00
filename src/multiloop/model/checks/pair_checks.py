"""Checks of pairs and couplings: lengths, rolling bodies, equations between joint coordinates, gears and belts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from math import degrees
from typing import TYPE_CHECKING

import casadi as ca

from multiloop.model.bodies import GROUND
from multiloop.model.checks.cam_checks import cam_faults, curve_faults
from multiloop.model.checks.joint_checks import (
    all_markers_valid,
    missing_joint_fault,
    reference_body,
    reference_faults,
)
from multiloop.model.checks.value_checks import length_faults, scalar_faults
from multiloop.model.expressions import (
    Expression,
    IntegralValue,
    Length,
    LengthRate,
    Position,
    Rate,
    nodes_of,
    trace,
)
from multiloop.model.expressions.expression_text import shortened_text
from multiloop.model.faults import Fault, count_text, short_repr, suggestion
from multiloop.model.gears.elastic_contact import elastic_faults
from multiloop.model.gears.gearing import Gearing
from multiloop.model.gears.mounting import NotMountedError, find_mounting
from multiloop.model.gears.toothed_gears import Gear
from multiloop.model.joints import Joint
from multiloop.model.markers import body_of, value_of
from multiloop.model.pairs import (
    Cam,
    Coupling,
    Distance,
    PointOnCurve,
    Relation,
    Rolling,
    RollingBall,
    RollingContact,
)

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism


def rolling_faults(mechanism: Mechanism, where: str, pair: RollingContact) -> Iterator[Fault]:
    """Errors of the values of a rolling wheel or ball, and of one whose first marker, its centre, is on the ground."""
    what = "ball" if isinstance(pair, RollingBall) else "wheel"
    yield from length_faults(where, "radius", pair.radius, f"Give the radius of the {what} in metres.")
    yield from _resistance_faults(where, pair)
    if isinstance(pair, Rolling):
        yield from _crown_faults(where, pair)
        yield from _choice_faults(mechanism, where, "sideways", pair.sideways, plain=False)
    elif isinstance(pair, RollingBall):
        yield from _choice_faults(mechanism, where, "pivots", pair.pivots, plain=True)
    if reference_body(pair.first) == GROUND != reference_body(pair.second):
        yield Fault(
            "P05",
            where,
            f"its first marker, the centre of the {what}, is '{pair.first}' on the ground.",
            f'Name the {what} first and the road second: "{pair.second}", "{pair.first}". For a fixed drum use '
            "a body with a Fixed joint.",
        )


def _resistance_faults(where: str, pair: RollingContact) -> Iterator[Fault]:
    """Errors of the fields `resistance` (lever arm of the rolling resistance, m) and `resistance_speed` (rad/s)."""
    yield from scalar_faults(where, "resistance", pair.resistance)
    if pair.resistance_speed is not None:
        yield from scalar_faults(where, "resistance_speed", pair.resistance_speed)
    arm, radius, speed = map(value_of, (pair.resistance, pair.radius, pair.resistance_speed))
    remedy = (
        "Give the lever arm in metres: coefficient of rolling resistance times radius; 0 for no resistance."
    )
    if arm is not None and arm < 0:
        yield Fault("M13", where, f"its resistance is {arm:g}.", remedy)
    elif arm is not None and radius is not None and 0 < radius <= arm:
        yield Fault(
            "M13",
            where,
            f"its resistance of {arm:g} m is not smaller than its radius of {radius:g} m.",
            remedy,
        )
    if speed is not None and speed <= 0:
        remedy = "Give a speed above zero, in rad/s, below which the wheel counts as at rest."
        yield Fault("M13", where, f"its resistance_speed is {speed:g}.", remedy)


def _crown_faults(where: str, pair: Rolling) -> Iterator[Fault]:
    """Errors of a `crown` (transverse radius of the tread) that is negative or not smaller than the wheel's radius."""
    yield from scalar_faults(where, "crown", pair.crown)
    crown, radius = value_of(pair.crown), value_of(pair.radius)
    remedy = "Give the transverse radius of the tread: 0 for a sharp rim, less than the radius of the wheel."
    if crown is not None and crown < 0:
        yield Fault("M13", where, f"its crown is {crown:g}.", remedy)
    elif crown is not None and radius is not None and 0 < radius <= crown:
        remedy += " For a ball use RollingBall."
        yield Fault(
            "M13", where, f"its crown of {crown:g} m is not smaller than its radius of {radius:g} m.", remedy
        )


def _choice_faults(
    mechanism: Mechanism, where: str, name: str, value: object, *, plain: bool
) -> Iterator[Fault]:
    """Errors of the option `name` if its value is not True or False, or not allowed in a planar mechanism.

    `plain` is the only value that is allowed in planar mechanisms.
    """
    if not isinstance(value, bool):
        yield Fault("M12", where, f"its `{name}` is {short_repr(value)}.", "Give True or False.")
    elif mechanism.planar and value != plain:
        what = f"its `{name}` is {value}, which is for spatial mechanisms only."
        yield Fault("M06", where, what, f"Remove `{name}`, or make the mechanism spatial.")


EXAMPLE = 'e.g. position("A") - 3 * position("B")'


def relation_faults(mechanism: Mechanism, where: str, relation: Relation) -> Iterator[Fault]:
    """Errors of the equation of a relation.

    It must contain at least one joint coordinate, no unknown joints and no other state variables, and be linear in the
    joint rates.
    """
    equation = relation.equation
    if not isinstance(equation, Expression | float):
        what = f"its equation is {short_repr(equation)}, which is not an expression."
        yield Fault("M12", where, what, f"Give an expression that is to be zero, {EXAMPLE}.")
        return
    nodes = nodes_of(equation)
    if not any(isinstance(node, Position | Rate) for node in nodes):
        what = f"its equation is {shortened_text(equation)}, which contains no joint coordinate."
        yield Fault("P01", where, what, f"Use positions of joints, {EXAMPLE}.")
    reads_wrongly = False
    for node in nodes:
        for fault in _reading_faults(mechanism, where, relation, node):
            reads_wrongly = True
            yield fault
    if isinstance(equation, Expression) and relation.holds_rates and not reads_wrongly:
        yield from _linear_faults(where, equation)


def _reading_faults(
    mechanism: Mechanism, where: str, relation: Relation, node: Expression
) -> Iterator[Fault]:
    """Error if the variable `node` in the equation of a relation is not a position or rate of a known joint."""
    joints = mechanism.joints_by_name
    if isinstance(node, IntegralValue | Length | LengthRate):
        what = f"reads {shortened_text(node)}, but a relation is between joint coordinates."
        remedy = "Use positions or rates of joints. For a fixed distance between two points use a Distance."
        yield Fault("P04", where, what, remedy)
    elif isinstance(node, Position | Rate) and node.joint not in joints:
        yield missing_joint_fault(mechanism, "P02", where, node.joint, f"reads {shortened_text(node)}, but")
    elif isinstance(node, Position | Rate):
        yield from _coordinate_faults(mechanism, where, node, joints[node.joint], relation.holds_rates)


def _coordinate_faults(
    mechanism: Mechanism, where: str, node: Position | Rate, joint: Joint, of_rates: bool
) -> Iterator[Fault]:
    """Errors of a joint coordinate that does not exist, or is part of a quaternion in an equation without rates.

    `of_rates` states whether the equation contains rates.
    """
    positions, rates = joint.positions(mechanism.planar), joint.degrees_of_freedom(mechanism.planar)
    count = rates if isinstance(node, Rate) else positions
    if node.component >= count:
        kind = "rate" if isinstance(node, Rate) else "coordinate"
        what = f"reads {shortened_text(node)}, but the joint has {count_text(count, kind)}."
        remedy = f"Count its {kind}s 0, 1, 2, …" if count else "Read another joint."
        yield Fault("P02", where, what, remedy)
    elif (
        isinstance(node, Position) and positions != rates and node.component >= positions - 4 and not of_rates
    ):
        what = f"reads {shortened_text(node)}, which is part of a quaternion."
        remedy = "Use displacements, or angles of a Revolute, Cylindrical or Universal joint."
        yield Fault("P03", where, what, remedy)


def _linear_faults(where: str, equation: Expression) -> Iterator[Fault]:
    """Errors of an equation that is not linear in the joint rates, or in which all rates cancel.

    Its derivatives with respect to the rates must not all be zero, and must not depend on rates.
    """
    rates = {
        (node.joint, node.component): ca.SX.sym(shortened_text(node))
        for node in nodes_of(equation)
        if isinstance(node, Rate)
    }
    psi = trace(
        equation,
        time=ca.SX.sym("t"),
        position=lambda joint, component: ca.SX.sym("q"),
        rate=lambda joint, component: rates[joint, component],
    )
    slopes = ca.jacobian(ca.SX(psi), ca.vertcat(*rates.values()))
    curved = [node for node, rate in rates.items() if ca.depends_on(slopes, rate)]
    if curved:
        what = f"its equation is not linear in {shortened_text(Rate(*curved[0]))}."
        yield Fault(
            "P04",
            where,
            what,
            "Use rates linearly, with factors that depend on positions, parameters and time. For an effort that "
            "depends nonlinearly on rates use an Actuator or a load.",
        )
    elif slopes.nnz() == 0:
        what = f"its equation is {shortened_text(equation)}, in which all rates cancel."
        yield Fault("P01", where, what, f"Remove the rates, {EXAMPLE}.")


def gearing_faults(mechanism: Mechanism, where: str, gearing: Gearing) -> Iterator[Fault]:
    """Errors of the values and names of a gear pair or belt; if these are valid, of the axes of its wheels."""
    faults = list(_flag_faults(where, gearing))
    faults += faults or [*_number_faults(where, gearing), *_name_faults(mechanism, where, gearing)]
    yield from faults
    if faults or not all_markers_valid(mechanism):
        return
    try:
        mounting = find_mounting(mechanism, gearing)  # without cache, as the mechanism may have other errors
    except NotMountedError as problem:
        yield problem.fault
        return
    bending = [
        body
        for body in (mounting.carrier, body_of(gearing.first), body_of(gearing.second))
        if body in mechanism.bodies_by_name and mechanism.bodies_by_name[body].elastic
    ]
    if bending:
        what = f"'{bending[0]}' is a flexible body, on which pitch circles have no fixed position."
        yield Fault(
            "G09",
            where,
            what,
            "Make wheels and carrier rigid bodies, connected to the flexible body by Fixed joints.",
        )
    else:
        yield from gearing.axis_faults(where, *mounting.axes(mechanism))


def _flag_faults(where: str, gearing: Gearing) -> Iterator[Fault]:
    for entry in fields(gearing):
        value = getattr(gearing, entry.name)
        if isinstance(entry.default, bool) and not isinstance(value, bool):
            yield Fault("M12", where, f"its `{entry.name}` is {short_repr(value)}.", "Give True or False.")


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


def _line_contact_faults(where: str, pair: Cam | Gear) -> Iterator[Fault]:
    """Errors of the width and the elastic constants of a cam or gear pair."""
    if pair.width is not None:
        yield from length_faults(
            where, "width", pair.width, "Give the width of the contact in metres, above zero."
        )
    for name in ("E", "nu"):
        value = getattr(pair, name)
        for part in value if isinstance(value, tuple) else (value,):
            if part is not None:
                yield from scalar_faults(where, f"its {name}", part)
    yield from elastic_faults(where, pair.E, pair.nu)


def pair_faults(mechanism: Mechanism) -> Iterator[Fault]:
    """Errors of all pairs and couplings."""
    for pair in mechanism.pairs:
        where = f"{pair.called} '{pair.name}'"
        if isinstance(pair, Cam | Gear):
            yield from _line_contact_faults(where, pair)
        if isinstance(pair, Distance):
            remedy = "for coincident points use a Spherical or Revolute joint."
            yield from length_faults(where, "length", pair.length, f"Give the distance in metres; {remedy}")
        elif isinstance(pair, RollingContact):
            yield from rolling_faults(mechanism, where, pair)
        elif isinstance(pair, Cam):
            yield from cam_faults(mechanism, where, pair)
        elif isinstance(pair, PointOnCurve):
            yield from curve_faults(where, pair.curve)
        elif isinstance(pair, Relation):
            yield from relation_faults(mechanism, where, pair)
        elif isinstance(pair, Gearing):
            yield from gearing_faults(mechanism, where, pair)
        elif isinstance(pair, Coupling):
            known = mechanism.joints_by_name
            yield from (
                missing_joint_fault(mechanism, "P02", where, joint, "it reads")
                for joint in pair.joints
                if joint not in known
            )
