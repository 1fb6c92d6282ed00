"""Do the pairs hold something that can be held?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from multiloop.model.bodies import GROUND
from multiloop.model.brief import brief
from multiloop.model.checks.gears import gearing_faults
from multiloop.model.checks.joints import body_of, missing_joint
from multiloop.model.checks.numbers import counted, scalar_faults
from multiloop.model.expressions import Expression, Position, Rate, nodes_of
from multiloop.model.expressions.text import shown
from multiloop.model.faults import Fault
from multiloop.model.joints import Joint
from multiloop.model.markers import value_of
from multiloop.model.pairs import Coupling, Distance, Gearing, Relation, Rolling

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism

EXAMPLE = 'e.g. position("A") - 3 * position("B")'


def pair_faults(mechanism: Mechanism) -> Iterator[Fault]:
    """Lengths are more than nothing, and equations tie joints that exist."""
    for pair in mechanism.pairs:
        where = f"{pair.called} '{pair.name}'"
        if isinstance(pair, Distance):
            remedy = "for points that coincide take a Spherical joint, or a Revolute."
            yield from _length_faults(where, "length", pair.length, f"Give the distance in metres; {remedy}")
        elif isinstance(pair, Rolling):
            yield from _length_faults(where, "radius", pair.radius, "Give the radius of the wheel in metres.")
            yield from _wheel_faults(where, pair)
        elif isinstance(pair, Relation):
            yield from _relation_faults(mechanism, where, pair)
        elif isinstance(pair, Gearing):
            yield from gearing_faults(mechanism, where, pair)
        elif isinstance(pair, Coupling):
            known = mechanism.joints_by_name
            yield from (
                missing_joint(mechanism, "P02", where, joint, "it reads")
                for joint in pair.joints
                if joint not in known
            )


def _length_faults(where: str, what: str, value: object, remedy: str) -> Iterator[Fault]:
    """At no distance there is no line along which to push, at no radius nothing that rolls."""
    yield from scalar_faults(where, what, value)
    number = value_of(value)
    if number is not None and number <= 0:
        yield Fault("M13", where, f"its {what} is {number:g}.", remedy)


def _wheel_faults(where: str, pair: Rolling) -> Iterator[Fault]:
    """The wheel comes first, then what it rolls on: a wheel that is the ground itself is rather the road."""
    if body_of(pair.first) == GROUND != body_of(pair.second):
        yield Fault(
            "P05",
            where,
            f"its first marker, the middle of the wheel, is '{pair.first}' on the ground.",
            f'Name the wheel first and the road second: "{pair.second}", "{pair.first}". A drum that stands still is a '
            "body with a Fixed joint.",
        )


def _relation_faults(mechanism: Mechanism, where: str, relation: Relation) -> Iterator[Fault]:
    """An equation reads positions of joints that exist, and nothing but positions and time."""
    equation = relation.equation
    if not isinstance(equation, Expression | float):
        what = f"its equation is {brief(equation)}, which is no expression."
        yield Fault("M12", where, what, f"Give an expression that stays zero, {EXAMPLE}.")
        return
    nodes = nodes_of(equation)
    if not any(isinstance(node, Position | Rate) for node in nodes):
        what = f"its equation is {shown(equation)}, which ties no joint."
        yield Fault("P01", where, what, f"Read positions of joints, {EXAMPLE}.")
    joints = mechanism.joints_by_name
    for node in nodes:
        if isinstance(node, Rate):
            yield Fault(
                "P04",
                where,
                f"reads {shown(node)}, but a relation holds positions.",
                "Tie positions: their rates are then tied too. A wheel that does not slip is a Rolling; an effort that "
                "depends on rates belongs to an Actuator.",
            )
        elif isinstance(node, Position) and node.joint not in joints:
            yield missing_joint(mechanism, "P02", where, node.joint, f"reads {shown(node)}, but")
        elif isinstance(node, Position):
            yield from _coordinate_faults(mechanism, where, node, joints[node.joint])


def _coordinate_faults(mechanism: Mechanism, where: str, node: Position, joint: Joint) -> Iterator[Fault]:
    """The coordinate is there, and is one: no part of a quaternion, which means nothing by itself."""
    count, rates = joint.positions(mechanism.planar), joint.freedoms(mechanism.planar)
    if node.component >= count:
        what = f"reads {shown(node)}, but the joint has {counted(count, 'coordinate')}."
        yield Fault(
            "P02", where, what, "Count its coordinates 0, 1, 2, …" if count else "Read another joint."
        )
    elif count != rates and node.component >= count - 4:
        what = f"reads {shown(node)}, which is part of a quaternion."
        remedy = (
            "Tie slides, or angles of a joint that turns about axes: a Revolute, Cylindrical or Universal."
        )
        yield Fault("P03", where, what, remedy)
