"""Checks of the variables that expressions read: joint coordinates, integrals and lengths of springs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from multiloop.model.checks.numbers import counted, number_faults, scalar_faults
from multiloop.model.expressions import (
    CamAngle,
    Expression,
    Integrated,
    Length,
    LengthRate,
    Normal,
    Position,
    Rate,
    depends_on_state,
    depends_on_time,
    nodes_of,
)
from multiloop.model.expressions.text import shown
from multiloop.model.faults import Fault, suggestion

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism


def reading_faults(mechanism: Mechanism, where: str, what: str, value: Any) -> Iterator[Fault]:
    """Errors of an expression that reads unknown joints, coordinates, integrals or springs."""
    if not isinstance(value, Expression):
        yield from number_faults(where, f"its {what}", value, "a number or an expression")
        return
    if not depends_on_time(value) and not depends_on_state(value):
        yield from scalar_faults(where, f"its {what}", value)
    joints = mechanism.joints_by_name
    known = [integral.name for integral in mechanism.integrals]
    yield from cam_angle_faults(where, what, value)
    springs = [load.name for load in mechanism.all_loads if load.span]
    for node in nodes_of(value):
        if isinstance(node, Integrated) and node.integral not in known:
            said = f"its {what} reads {shown(node)}, but there is no integral '{node.integral}'."
            remedy = suggestion(node.integral, known) if known else "List it in `integrals`."
            yield Fault("D07", where, said, remedy)
        if isinstance(node, Normal):
            said = f"its {what} reads {shown(node)}, which only events of a run may."
            yield Fault("D07", where, said, 'Watch it: simulate(..., events={"parts": normal(...)}).')
        if isinstance(node, Length | LengthRate) and node.spring not in springs:
            yield _no_spring(mechanism, where, f"its {what} reads {shown(node)}", node.spring, springs)
        if not isinstance(node, Position | Rate):
            continue
        reads, joint = f"its {what} reads {shown(node)}", joints.get(node.joint)
        if joint is None:
            remedy = suggestion(node.joint, joints)
            yield Fault("D07", where, f"{reads}, but there is no joint '{node.joint}'.", remedy)
            continue
        count = (joint.positions if isinstance(node, Position) else joint.freedoms)(mechanism.planar)
        if node.component >= count:
            remedy = "Count its coordinates 0, 1, 2, …"
            yield Fault("D07", where, f"{reads}, but the joint has {counted(count, 'coordinate')}.", remedy)


def cam_angle_faults(where: str, what: str, value: Any) -> Iterator[Fault]:
    """Error if the cam angle is used outside cam laws and curves."""
    if isinstance(value, Expression) and any(isinstance(node, CamAngle) for node in nodes_of(value)):
        said = f"its {what} is {shown(value)}, but the cam angle is known to cams and curves alone."
        yield Fault("D07", where, said, "Write `time`, or the position of a joint.")


def _no_spring(mechanism: Mechanism, where: str, reads: str, name: str, springs: list[str]) -> Fault:
    """The error of reading the length of an unknown spring or of a load that has none."""
    other = next((type(load).__name__ for load in mechanism.all_loads if load.name == name), "")
    said = f"'{name}' is a {other}, which has no length." if other else f"there is no spring '{name}'."
    remedy = suggestion(name, springs)
    if other or not springs:
        remedy = "Read the length of a Spring by its name"
        remedy += f", of {', '.join(springs)}." if springs else "; there is none in `loads`."
    return Fault("D07", where, f"{reads}, but {said}", remedy)
