"""Checks of drives and actuators: each acts on an existing coordinate, and on each coordinate only one acts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from multiloop.model.bodies import GROUND
from multiloop.model.brief import brief
from multiloop.model.checks.actuators import limit_faults, rotor_faults
from multiloop.model.checks.joints import body_of, missing_joint, reference_faults
from multiloop.model.checks.numbers import number_faults, one_of, scalar_faults, space, value_of
from multiloop.model.checks.readings import cam_angle_faults, reading_faults
from multiloop.model.drives import COMPONENTS, Motion
from multiloop.model.expressions import Expression, depends_on_state, depends_on_time
from multiloop.model.expressions.text import shown
from multiloop.model.faults import Fault
from multiloop.model.joints import Joint

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism


def drive_faults(mechanism: Mechanism) -> Iterator[Fault]:
    """Errors of drives: each Motion must prescribe an existing coordinate as a function of time, each only once."""
    joints = mechanism.joints_by_name
    moved: Counter[tuple[str, str]] = Counter()
    for motion in mechanism.drives:
        where = f"drive of '{motion.of}'"
        if not motion.named() and motion.orientation is None:
            yield Fault("D01", where, "prescribes nothing.", "Give a profile, e.g. constant_speed(4.7).")
        for profile in motion.named().values():
            yield from _profile_faults(where, profile)
            yield from cam_angle_faults(where, "profile", profile)
        if motion.on_marker:
            yield from reference_faults(mechanism, where, "its", motion.of)
            yield from _marker_faults(mechanism, where, motion)
            moved.update((motion.of, component) for component in motion.named())
            moved.update([(motion.of, "orientation")] * (motion.orientation is not None))
        elif motion.of not in joints:
            yield missing_joint(mechanism, "D01", where, motion.of)
        else:
            if motion.orientation is not None:
                what, remedy = "gives an orientation of a joint.", "Give the orientation of a marker."
                yield Fault("D03", where, what, remedy)
            for component in motion.named():
                found, faults = _coordinate(mechanism, where, joints[motion.of], component)
                yield from faults
                moved[(motion.of, found)] += 0 if faults else 1
    yield from _twice("drive of", "motions", moved)


def actuator_faults(mechanism: Mechanism) -> Iterator[Fault]:
    """Errors of actuators: each must act on an existing coordinate, one on each."""
    joints = mechanism.joints_by_name
    acting: Counter[tuple[str, str]] = Counter()
    for actuator in mechanism.actuators:
        where = f"actuator at '{actuator.joint}'"
        if actuator.joint not in joints:
            yield missing_joint(mechanism, "D05", where, actuator.joint)
        else:
            found, faults = _coordinate(mechanism, where, joints[actuator.joint], actuator.component)
            yield from faults
            acting[(actuator.joint, found)] += 0 if faults else 1
        if actuator.effort is not None:
            yield from reading_faults(mechanism, where, "effort", actuator.effort)
        yield from limit_faults(mechanism, where, actuator)
        yield from rotor_faults(mechanism, where, actuator)
    yield from _twice("actuator at", "actuators", acting)


def _profile_faults(where: str, profile: Any) -> Iterator[Fault]:
    if isinstance(profile, Expression) and depends_on_state(profile):
        yield Fault(
            "D04",
            where,
            f"its profile {shown(profile)} depends on the state.",
            "Prescribe it in time; or give this expression to an Actuator as its effort.",
        )
    elif isinstance(profile, Expression) and not depends_on_time(profile):
        yield from scalar_faults(where, "its profile", profile)
    elif not isinstance(profile, Expression):
        yield from number_faults(where, "its profile", profile, "a number or an expression of time")


def _marker_faults(mechanism: Mechanism, where: str, motion: Motion) -> Iterator[Fault]:
    if body_of(motion.of) == GROUND:
        yield Fault("D01", where, "is on the ground, which does not move.", "Name a marker of a moving body.")
        return
    allowed = ("x", "y", "angle") if mechanism.planar else ("x", "y", "z")
    for component in motion.named():
        if component not in allowed:
            said = f"'{component}'" if component else "a bare profile"
            what = f"gives {said} for a marker of a {space(mechanism)} mechanism."
            yield Fault("D03", where, what, f"Name {one_of(allowed)}.")
    if motion.orientation is not None:
        yield from _orientation_faults(mechanism, where, motion.orientation)


def _orientation_faults(mechanism: Mechanism, where: str, given: Any) -> Iterator[Fault]:
    """Errors of an orientation, which must be a quaternion or a rotation vector of a marker in space."""
    remedy = "Give a quaternion (4, scalar first), a rotation vector (3), or ((x, y, z), angle)."
    if mechanism.planar:
        yield Fault("D03", where, "gives an orientation in a planar mechanism.", "Name `angle` instead.")
    elif not isinstance(given, tuple) or len(given) not in (3, 4):
        yield Fault("D03", where, f"its orientation is {brief(given)}.", remedy)
    else:
        for part in given:
            yield from _profile_faults(where, part)
        if len(given) == 4 and all(value_of(part) == 0.0 for part in given):
            yield Fault("D03", where, "its orientation is a quaternion of zeros.", remedy)


def _coordinate(mechanism: Mechanism, where: str, joint: Joint, component: str) -> tuple[str, list[Fault]]:
    """The coordinate of a joint given by a component, and its errors."""
    names = joint.components(mechanism.planar)
    if not names:
        fault = Fault("D01", where, f"a {type(joint).__name__} cannot move.", "Name a joint that can.")
        return component, [fault]
    if component == "" and len(names) == 1:
        return names[0], []
    if component in names and component in COMPONENTS:
        return component, []
    said = f"there is no component '{component}'" if component else f"the joint has {len(names)} coordinates"
    usable = [name for name in names if name in COMPONENTS]
    remedy = f"Name {one_of(usable)}." if usable else "Drive markers of its second body instead."
    return component, [Fault("D03", where, f"{said}.", remedy)]


def _twice(place: str, things: str, counts: Counter[tuple[str, str]]) -> Iterator[Fault]:
    for (name, component), count in counts.items():
        if count > 1:
            what = f"its {component or 'coordinate'} has {count} {things}."
            yield Fault("D02", f"{place} '{name}'", what, "Keep one of them.")
