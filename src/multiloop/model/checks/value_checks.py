"""Checks of numbers, parameters, gravity, and of the joints, integrals and springs that expressions read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from multiloop.model.checks.type_checks import distinct_faults, usable_faults
from multiloop.model.expressions import (
    CamAngle,
    Expression,
    IntegralValue,
    Length,
    LengthRate,
    NormalForce,
    OutputValue,
    Position,
    Rate,
    depends_on_state,
    depends_on_time,
    nodes_of,
)
from multiloop.model.expressions.expression import is_number
from multiloop.model.expressions.expression_text import number_text, shortened_text
from multiloop.model.faults import Fault, count_text, short_repr, suggestion
from multiloop.model.markers import MAX_MAGNITUDE, finite_value_of, scalar, value_of
from multiloop.model.parameters import parameters_in

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism


def values_of(vector: Any, length: int = 3) -> list[float] | None:
    """The numerical components of a vector, padded with zeros to `length`; None if they are invalid or too many."""
    numbers = [number for number in map(value_of, vector) if number is not None]
    if len(numbers) < len(vector) or len(numbers) > length:
        return None
    return numbers + [0.0] * (length - len(numbers))


def scalar_faults(where: str, what: str, value: Any) -> Iterator[Fault]:
    """Errors of a value that must be a finite number, or an expression of parameters with a finite value.

    `what` names the value in messages.
    """
    if isinstance(value, Expression):
        if depends_on_time(value) or depends_on_state(value):
            yield Fault(
                "M07",
                where,
                f"{what} is {shortened_text(value)}, which changes as the mechanism moves.",
                "Use numbers and parameters only for geometry, inertia and gravity.",
            )
        elif finite_value_of(value) is None:
            yield Fault(
                "M05",
                where,
                f"{what} is {shortened_text(value)}, which has no finite value.",
                "Change the values of its parameters.",
            )
        else:
            yield from _size_faults(where, what, value)
    else:
        yield from number_faults(where, what, value, "a number or a Parameter")


def length_faults(where: str, what: str, value: object, remedy: str) -> Iterator[Fault]:
    """Error of a length that is not positive; `what` names the length in the message."""
    yield from scalar_faults(where, what, value)
    number = value_of(value)
    if number is not None and number <= 0:
        yield Fault("M13", where, f"its {what} is {number:g}.", remedy)


def number_faults(where: str, what: str, value: Any, wanted: str) -> Iterator[Fault]:
    """Errors of a value that must be a finite number; `what` names the value, and `wanted` the valid values in the
    remedy."""
    if not is_number(value):
        yield Fault("M05", where, f"{what} is {short_repr(value)}, which is not a number.", f"Give {wanted}.")
    elif finite_value_of(value) is None:
        yield Fault("M05", where, f"{what} is {scalar(value)}.", "Give a finite number.")
    else:
        yield from _size_faults(where, what, value)


def _size_faults(where: str, what: str, value: Any) -> Iterator[Fault]:
    """Error if a number exceeds MAX_MAGNITUDE in magnitude; `what` names the number."""
    number = finite_value_of(value)
    if number is not None and abs(number) > MAX_MAGNITUDE:
        said = f"{what} is {number:g}, too large to compute with."
        yield Fault("M05", where, said, "Give it in SI units: metres, kilograms, seconds.")


def gravity_faults(mechanism: Mechanism) -> Iterator[Fault]:
    """Errors of gravity, which must have two components in a planar and three in a spatial mechanism."""
    expected = 2 if mechanism.planar else 3
    gravity = mechanism.gravity or ()
    faults = [
        fault
        for axis, component in zip("xyz", gravity, strict=False)
        for fault in scalar_faults("gravity", f"its {axis} component", component)
    ]
    yield from faults
    if len(gravity) != expected and not faults:
        yield Fault(
            "M06",
            "gravity",
            f"has {count_text(len(gravity), 'component')} in a {space_name(mechanism)} mechanism.",
            f"Give {expected}.",
        )


def parameter_faults(mechanism: Mechanism) -> Iterator[Fault]:
    """Errors of parameters with invalid names, or with several values for one name."""
    values: dict[str, set[float]] = {}
    for parameter in parameters_in(mechanism):
        values.setdefault(parameter.name, set()).add(parameter.value)
    for name, found in values.items():
        yield from usable_faults("parameter", name, forbidden="")
        if len(found) > 1:
            yield Fault(
                "M01",
                f"parameter '{name}'",
                f"has different values: {' and '.join(map(number_text, sorted(found)))}.",
                "Make one Parameter and use it everywhere, or give them different names.",
            )


def choice_text(names: Sequence[str]) -> str:
    """Text that offers a choice of names in a message: "a" for one name, "one of a, b, c" for several."""
    return names[0] if len(names) == 1 else f"one of {', '.join(names)}"


def space_name(mechanism: Mechanism) -> str:
    """The adjective for the dimension of a mechanism, "planar" or "spatial"."""
    return "planar" if mechanism.planar else "spatial"


def reading_faults(mechanism: Mechanism, where: str, what: str, value: Any) -> Iterator[Fault]:
    """Errors of an expression that reads unknown joints, coordinates, integrals or springs; `what` names the
    expression."""
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
        if isinstance(node, IntegralValue) and node.integral not in known:
            said = f"its {what} reads {shortened_text(node)}, but there is no integral '{node.integral}'."
            remedy = suggestion(node.integral, known) if known else "List it in `integrals`."
            yield Fault("D07", where, said, remedy)
        if isinstance(node, NormalForce):
            said = f"its {what} reads {shortened_text(node)}, which is allowed in events only."
            yield Fault(
                "D07", where, said, 'Use it as an event: simulate(..., events={"parts": normal(...)}).'
            )
        if isinstance(node, OutputValue):
            said = f"its {what} reads {shortened_text(node)}, but a description cannot read outputs."
            yield Fault("D07", where, said, "Read positions, rates or lengths, or give it as an effort.")
        if isinstance(node, Length | LengthRate) and node.spring not in springs:
            yield _missing_spring_fault(
                mechanism, where, f"its {what} reads {shortened_text(node)}", node.spring, springs
            )
        if not isinstance(node, Position | Rate):
            continue
        reads, joint = f"its {what} reads {shortened_text(node)}", joints.get(node.joint)
        if joint is None:
            remedy = suggestion(node.joint, joints)
            yield Fault("D07", where, f"{reads}, but there is no joint '{node.joint}'.", remedy)
            continue
        count = (joint.positions if isinstance(node, Position) else joint.degrees_of_freedom)(
            mechanism.planar
        )
        if node.component >= count:
            remedy = "Count its coordinates 0, 1, 2, …"
            yield Fault(
                "D07", where, f"{reads}, but the joint has {count_text(count, 'coordinate')}.", remedy
            )


def cam_angle_faults(where: str, what: str, value: Any) -> Iterator[Fault]:
    """Error if an expression outside cam laws and curves contains the cam angle; `what` names the expression."""
    if isinstance(value, Expression) and any(isinstance(node, CamAngle) for node in nodes_of(value)):
        said = f"its {what} is {shortened_text(value)}, but `cam_angle` is for cams and curves only."
        yield Fault("D07", where, said, "Use `time`, or the position of a joint.")


def _missing_spring_fault(
    mechanism: Mechanism, where: str, reads: str, name: str, springs: list[str]
) -> Fault:
    """The error of an expression that reads the length of an unknown spring, or the length of a load that has none.

    `reads` is the beginning of the message, which states the expression; `springs` are the names that the remedy lists.
    """
    other = next((type(load).__name__ for load in mechanism.all_loads if load.name == name), "")
    said = f"'{name}' is a {other}, which has no length." if other else f"there is no spring '{name}'."
    remedy = suggestion(name, springs)
    if other or not springs:
        remedy = f"Use the name of a Spring: {', '.join(springs)}." if springs else "Add a Spring to `loads`."
    return Fault("D07", where, f"{reads}, but {said}", remedy)


def integral_faults(mechanism: Mechanism) -> Iterator[Fault]:
    """Errors of names, integrands and initial values of integrals."""
    yield from distinct_faults("integral", [integral.name for integral in mechanism.integrals])
    for integral in mechanism.integrals:
        where = f"integral '{integral.name}'"
        yield from usable_faults("integral", integral.name)
        yield from reading_faults(mechanism, where, "expression", integral.of)
        yield from scalar_faults(where, "its start", integral.start)
