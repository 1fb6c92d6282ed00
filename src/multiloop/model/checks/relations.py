"""Checks of relations: equations between joint positions, or linear in joint rates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import casadi as ca

from multiloop.model.brief import brief
from multiloop.model.checks.joints import missing_joint
from multiloop.model.checks.numbers import counted
from multiloop.model.expressions import (
    Expression,
    Integrated,
    Length,
    LengthRate,
    Position,
    Rate,
    nodes_of,
    trace,
)
from multiloop.model.expressions.text import shown
from multiloop.model.faults import Fault
from multiloop.model.joints import Joint
from multiloop.model.pairs import Relation

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism

EXAMPLE = 'e.g. position("A") - 3 * position("B")'


def relation_faults(mechanism: Mechanism, where: str, relation: Relation) -> Iterator[Fault]:
    """Errors of an equation that reads no joint, unknown joints or other variables, or is not linear in rates."""
    equation = relation.equation
    if not isinstance(equation, Expression | float):
        what = f"its equation is {brief(equation)}, which is no expression."
        yield Fault("M12", where, what, f"Give an expression that stays zero, {EXAMPLE}.")
        return
    nodes = nodes_of(equation)
    if not any(isinstance(node, Position | Rate) for node in nodes):
        what = f"its equation is {shown(equation)}, which ties no joint."
        yield Fault("P01", where, what, f"Read positions of joints, {EXAMPLE}.")
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
    """Errors of one leaf of an equation that a relation cannot constrain."""
    joints = mechanism.joints_by_name
    if isinstance(node, Integrated | Length | LengthRate):
        what = f"reads {shown(node)}, but a relation holds coordinates of joints."
        remedy = "Read positions or rates of joints. Two points a fixed length apart are a Distance."
        yield Fault("P04", where, what, remedy)
    elif isinstance(node, Position | Rate) and node.joint not in joints:
        yield missing_joint(mechanism, "P02", where, node.joint, f"reads {shown(node)}, but")
    elif isinstance(node, Position | Rate):
        yield from _coordinate_faults(mechanism, where, node, joints[node.joint], relation.holds_rates)


def _coordinate_faults(
    mechanism: Mechanism, where: str, node: Position | Rate, joint: Joint, of_rates: bool
) -> Iterator[Fault]:
    """Errors of an unknown coordinate, and of a quaternion component in an equation of positions."""
    positions, rates = joint.positions(mechanism.planar), joint.freedoms(mechanism.planar)
    count = rates if isinstance(node, Rate) else positions
    if node.component >= count:
        kind = "rate" if isinstance(node, Rate) else "coordinate"
        what = f"reads {shown(node)}, but the joint has {counted(count, kind)}."
        remedy = f"Count its {kind}s 0, 1, 2, …" if count else "Read another joint."
        yield Fault("P02", where, what, remedy)
    elif (
        isinstance(node, Position) and positions != rates and node.component >= positions - 4 and not of_rates
    ):
        what = f"reads {shown(node)}, which is part of a quaternion."
        remedy = (
            "Tie slides, or angles of a joint that turns about axes: a Revolute, Cylindrical or Universal."
        )
        yield Fault("P03", where, what, remedy)


def _linear_faults(where: str, equation: Expression) -> Iterator[Fault]:
    """Errors if ∂Ψ/∂v is zero or depends on rates."""
    rates = {
        (node.joint, node.component): ca.SX.sym(shown(node))
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
        what = f"its equation is not linear in {shown(Rate(*curved[0]))}."
        yield Fault(
            "P04",
            where,
            what,
            "Read rates linearly, with factors of positions, parameters and time. An effort that depends on rates in "
            "another way belongs to an Actuator or a load.",
        )
    elif slopes.nnz() == 0:
        what = f"its equation is {shown(equation)}, in which every rate cancels."
        yield Fault("P01", where, what, f"Leave the rates out, {EXAMPLE}.")
