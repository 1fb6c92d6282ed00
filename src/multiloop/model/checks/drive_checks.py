"""Checks of motions, actuators, loads and initial guess: names must exist, and no coordinate may be driven twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from multiloop.model.bodies import GROUND
from multiloop.model.checks.joint_checks import missing_joint_fault, reference_body, reference_faults
from multiloop.model.checks.value_checks import (
    cam_angle_faults,
    choice_text,
    number_faults,
    reading_faults,
    scalar_faults,
    space_name,
)
from multiloop.model.drives import MOTION_COMPONENTS, Actuator, Motion
from multiloop.model.expressions import Expression, depends_on_state, depends_on_time
from multiloop.model.expressions.expression_text import shortened_text
from multiloop.model.faults import Fault, short_repr, suggestion
from multiloop.model.joints import Joint
from multiloop.model.loads import Load
from multiloop.model.markers import body_of, value_of
from multiloop.model.named_coordinates import component_names, degree_faults, request_faults

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism


def drive_faults(mechanism: Mechanism) -> Iterator[Fault]:
    """Errors of motions: they must prescribe existing coordinates as functions of time, and no coordinate twice."""
    joints = mechanism.joints_by_name
    moved: Counter[tuple[str, str]] = Counter()
    for motion in mechanism.drives:
        where = f"drive of '{motion.of}'"
        if not motion.named() and motion.orientation is None:
            yield Fault("D01", where, "has no profile.", "Give a profile, e.g. constant_speed(4.7).")
        for profile in motion.named().values():
            yield from _profile_faults(where, profile)
            yield from cam_angle_faults(where, "profile", profile)
        if motion.on_marker:
            yield from reference_faults(mechanism, where, "its", motion.of)
            yield from _marker_faults(mechanism, where, motion)
            moved.update((motion.of, component) for component in motion.named())
            moved.update([(motion.of, "orientation")] * (motion.orientation is not None))
        elif motion.of not in joints:
            yield missing_joint_fault(mechanism, "D01", where, motion.of)
        else:
            if motion.orientation is not None:
                what, remedy = "prescribes the orientation of a joint.", "Give the orientation of a marker."
                yield Fault("D03", where, what, remedy)
            for component in motion.named():
                found, faults = _coordinate(mechanism, where, joints[motion.of], component)
                yield from faults
                moved[(motion.of, found)] += 0 if faults else 1
    yield from _duplicate_faults("drive of", "motions", moved)


def actuator_faults(mechanism: Mechanism) -> Iterator[Fault]:
    """Errors of actuators: each must act on an existing coordinate, and no two on the same coordinate."""
    joints = mechanism.joints_by_name
    acting: Counter[tuple[str, str]] = Counter()
    for actuator in mechanism.actuators:
        where = f"actuator at '{actuator.joint}'"
        if actuator.joint not in joints:
            yield missing_joint_fault(mechanism, "D05", where, actuator.joint)
        else:
            found, faults = _coordinate(mechanism, where, joints[actuator.joint], actuator.component)
            yield from faults
            acting[(actuator.joint, found)] += 0 if faults else 1
        if actuator.effort is not None:
            yield from reading_faults(mechanism, where, "effort", actuator.effort)
        yield from limit_faults(mechanism, where, actuator)
        yield from rotor_faults(mechanism, where, actuator)
    yield from _duplicate_faults("actuator at", "actuators", acting)


def _profile_faults(where: str, profile: Any) -> Iterator[Fault]:
    if isinstance(profile, Expression) and depends_on_state(profile):
        yield Fault(
            "D04",
            where,
            f"its profile {shortened_text(profile)} depends on the state.",
            "Give a function of time, or use this expression as the effort of an Actuator.",
        )
    elif isinstance(profile, Expression) and not depends_on_time(profile):
        yield from scalar_faults(where, "its profile", profile)
    elif not isinstance(profile, Expression):
        yield from number_faults(where, "its profile", profile, "a number or an expression of time")


def _marker_faults(mechanism: Mechanism, where: str, motion: Motion) -> Iterator[Fault]:
    if reference_body(motion.of) == GROUND:
        yield Fault("D01", where, "is on the ground, which does not move.", "Name a marker of a moving body.")
        return
    allowed = ("x", "y", "angle") if mechanism.planar else ("x", "y", "z")
    for component in motion.named():
        if component not in allowed:
            said = f"'{component}'" if component else "a profile without a component"
            what = f"prescribes {said} for a marker of a {space_name(mechanism)} mechanism."
            yield Fault("D03", where, what, f"Give {choice_text(allowed)} as the component.")
    if motion.orientation is not None:
        yield from _orientation_faults(mechanism, where, motion.orientation)


def _orientation_faults(mechanism: Mechanism, where: str, given: Any) -> Iterator[Fault]:
    """Errors of the orientation `given`, which must be a quaternion or a rotation vector of a marker in space."""
    remedy = (
        "Give a quaternion (4 values, scalar first), a rotation vector (3 values), or ((x, y, z), angle)."
    )
    if mechanism.planar:
        yield Fault("D03", where, "prescribes an orientation in a planar mechanism.", "Give `angle` instead.")
    elif not isinstance(given, tuple) or len(given) not in (3, 4):
        yield Fault("D03", where, f"its orientation is {short_repr(given)}.", remedy)
    else:
        for part in given:
            yield from _profile_faults(where, part)
        if len(given) == 4 and all(value_of(part) == 0.0 for part in given):
            yield Fault("D03", where, "its orientation is a quaternion of zeros.", remedy)


def _coordinate(mechanism: Mechanism, where: str, joint: Joint, component: str) -> tuple[str, list[Fault]]:
    """The name of the joint coordinate that `component` denotes, and the errors of `component`; "" denotes the only
    coordinate of a joint."""
    names = joint.components(mechanism.planar)
    if not names:
        fault = Fault(
            "D01", where, f"a {type(joint).__name__} joint has no degree of freedom.", "Name another joint."
        )
        return component, [fault]
    if component == "" and len(names) == 1:
        return names[0], []
    if component in names and component in MOTION_COMPONENTS:
        return component, []
    usable = [name for name in names if name in MOTION_COMPONENTS]
    said = f"names no component, but the joint has {len(names)} coordinates"
    if component:
        said = f"there is no component '{component}'"
    elif not usable:
        said = f"the {len(names)} coordinates of the joint cannot be driven separately"
    remedy = (
        f"Give {choice_text(usable)} as the component."
        if usable
        else "Drive markers of its second body instead."
    )
    return component, [Fault("D03", where, f"{said}.", remedy)]


def _duplicate_faults(place: str, things: str, counts: Counter[tuple[str, str]]) -> Iterator[Fault]:
    for (name, component), count in counts.items():
        if count > 1:
            what = f"its {component or 'coordinate'} has {count} {things}."
            yield Fault("D02", f"{place} '{name}'", what, "Keep one of them.")


def limit_faults(mechanism: Mechanism, where: str, actuator: Actuator) -> Iterator[Fault]:
    """Errors of the limits of an actuator.

    The limit of its effort is a magnitude, or a lower and an upper bound with zero between them; the limit of its speed
    is positive.
    """
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
            remedy = "Give a magnitude, or (minimum, maximum) with zero between them, e.g. limit=(-5.0, 8.0)."
            yield Fault("D06", where, f"its limit is {short_repr(given)}.", remedy)
    elif (limit := value_of(given)) is not None and limit <= 0:
        yield Fault("D06", where, f"its limit is {limit:g}.", "Give a positive limit.")
    speed = actuator.speed_limit
    if speed is not None:
        yield from reading_faults(mechanism, where, "speed_limit", speed)
        if (most := value_of(speed)) is not None and most <= 0:
            yield Fault("D06", where, f"its speed_limit is {most:g}.", "Give a positive limit.")


def rotor_faults(mechanism: Mechanism, where: str, actuator: Actuator) -> Iterator[Fault]:
    """Errors of the motor of an actuator: a gear ratio of zero, a rotor inertia that is not positive, or a rotor at a
    joint with several coordinates."""
    yield from _constant_actuator_faults(where, "ratio", actuator.ratio)
    if value_of(actuator.ratio) == 0:
        yield Fault("D08", where, "its ratio is 0.", "Give the number of motor turns per turn of the joint.")
    inertia = actuator.rotor_inertia
    if inertia is None:
        return
    yield from _constant_actuator_faults(where, "rotor_inertia", inertia)
    value, joint = value_of(inertia), mechanism.joints_by_name.get(actuator.joint)
    if value is not None and value <= 0:
        remedy = "Give the inertia of the rotor in kg m², above zero."
        yield Fault("D08", where, f"its rotor_inertia is {value:g}.", remedy)
    if joint is not None and len(joint.components(mechanism.planar)) != 1:
        what = f"has a rotor, but joint '{joint.name}' is a {type(joint).__name__} with several coordinates."
        yield Fault("D08", where, what, "Give a rotor to a joint with a single axis.")


def _constant_actuator_faults(where: str, name: str, value: Any) -> Iterator[Fault]:
    """Errors of a field of an actuator that must be constant, such as its gear ratio."""
    if not isinstance(value, Expression):
        yield from number_faults(where, f"its {name}", value, "a number or a Parameter")
    elif depends_on_time(value) or depends_on_state(value):
        what = f"its {name} is {shortened_text(value)}, which changes as the mechanism moves."
        yield Fault("D08", where, what, "Give a number or a Parameter.")
    else:
        yield from scalar_faults(where, f"its {name}", value)


def guess_faults(mechanism: Mechanism) -> Iterator[Fault]:
    """Errors of the initial guess of a mechanism, which is checked like the argument `guess` of public functions."""
    known = component_names(mechanism) if mechanism.guess else {}
    asked = [
        fault for name, numbers in mechanism.guess for fault in request_faults(known, "guess", name, numbers)
    ]
    for fault in asked or degree_faults(mechanism, "guess", mechanism.guess):
        yield replace(fault, code="M11")


def load_faults(mechanism: Mechanism) -> Iterator[Fault]:
    """Errors of all loads."""
    for load in mechanism.loads:
        where = f"load '{load.name}'"
        references = list(_reference_faults(mechanism, where, load))
        yield from references
        if load.markers and not references and all(body_of(marker) == GROUND for marker in load.markers):
            what = "acts on the ground only, which does not move."
            yield Fault("L01", where, what, "Name a moving body, or a marker of one.")
        for joint, component in load.coordinates:
            yield from _coordinate_faults(mechanism, where, joint, component)
        yield from _shape_faults(where, load)
        for name in load.steady:
            value = getattr(load, name)
            for part in value if isinstance(value, tuple) else (value,):
                yield from _constant_load_faults(where, name, part)
        for name in load.varying:
            value = getattr(load, name)
            for part in value if isinstance(value, tuple) else () if value is None else (value,):
                yield from reading_faults(mechanism, where, name, part)
        yield from load.faults(where, mechanism.planar)
        yield from load.faults_in(where, mechanism)


def _reference_faults(mechanism: Mechanism, where: str, load: Load) -> Iterator[Fault]:
    sides = ("its first", "its second") if len(load.markers) == 2 else ("its",) * len(load.markers)
    for side, marker in zip(sides, load.markers, strict=True):
        yield from reference_faults(mechanism, where, side, marker)


def _coordinate_faults(mechanism: Mechanism, where: str, name: str, component: str) -> Iterator[Fault]:
    """Errors of a load on the coordinate `component` of the joint `name`, if the joint is unknown or has no such
    coordinate."""
    joints = mechanism.joints_by_name
    if name not in joints:
        yield missing_joint_fault(mechanism, "L01", where, name)
        return
    names = joints[name].components(mechanism.planar)
    usable = [known for known in names if known in MOTION_COMPONENTS]
    kind = type(joints[name]).__name__
    if not usable:
        what = f"joint '{name}' is a {kind}, which has no coordinate on which a load can act."
        yield Fault("L01", where, what, "Name another joint, or use a Torque or a Spring.")
    elif component == "" and len(names) > 1:
        what = f"joint '{name}' has {len(names)} coordinates."
        yield Fault("L01", where, what, f'Name {choice_text(usable)}, for instance component="{usable[0]}".')
    elif component and component not in usable:
        what = f"joint '{name}' has no component '{component}'."
        yield Fault("L01", where, what, suggestion(component, usable))


NUMBERS = {"Scalar", "Scalar | None", "Vector", "Scalar | Vector"}
"""Annotations of those fields of loads that contain numbers."""


def _shape_faults(where: str, load: Load) -> Iterator[Fault]:
    """Errors of fields of a load that contain a list instead of one number, or None without being optional."""
    for entry in fields(load):
        value, wanted = getattr(load, entry.name), str(entry.type)
        missing = value is None and "None" not in wanted
        if wanted in NUMBERS and (missing or (isinstance(value, tuple) and "Vector" not in wanted)):
            yield from number_faults(where, f"its {entry.name}", value, "a number or an expression")


def _constant_load_faults(where: str, name: str, value: Any) -> Iterator[Fault]:
    """Errors of a field of a load that must be constant because the potential energy of the load depends on it."""
    if value is None:
        return
    if not isinstance(value, Expression):
        yield from number_faults(where, f"its {name}", value, "a number or a Parameter")
    elif depends_on_time(value) or depends_on_state(value):
        what = f"its {name} is {shortened_text(value)}, which changes as the mechanism moves."
        remedy = "Give a number or a Parameter; use a `preload` or a Force for values that change."
        yield Fault("L05", where, what, remedy)
    else:
        yield from scalar_faults(where, f"its {name}", value)
