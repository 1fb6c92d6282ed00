"""Do the drives and actuators take hold of something, and only once?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from multiloop.model.checks.joints import reference_faults
from multiloop.model.drives import COMPONENTS, Motion
from multiloop.model.expressions import Expression, depends_on_state, evaluate
from multiloop.model.faults import Fault, suggestion
from multiloop.model.joints import Joint

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism


def drive_faults(mechanism: Mechanism) -> Iterator[Fault]:
    """Every Motion moves an existing coordinate, once, as a function of time."""
    joints = {joint.name: joint for joint in mechanism.pairs}
    moved: Counter[tuple[str, str]] = Counter()
    for motion in mechanism.drives:
        where = f"drive of '{motion.of}'"
        if not motion.named():
            yield Fault("D01", where, "prescribes nothing.", "Give a profile, e.g. constant_speed(4.7).")
        for component, profile in motion.named().items():
            yield from _profile_faults(where, profile)
            if motion.on_marker:
                yield from _marker_component_faults(mechanism, where, motion, component)
                moved[(motion.of, component)] += 1
            elif motion.of in joints:
                found, faults = _coordinate(mechanism, where, joints[motion.of], component)
                yield from faults
                moved[(motion.of, found)] += 1
        if motion.on_marker:
            yield from reference_faults(mechanism, where, "its", motion.of)
        elif motion.of not in joints:
            yield Fault("D01", where, f"there is no joint '{motion.of}' to drive.", suggestion(motion.of, joints))
    yield from _twice("drive", moved)


def actuator_faults(mechanism: Mechanism) -> Iterator[Fault]:
    """Every Actuator acts on an existing coordinate, once."""
    joints = {joint.name: joint for joint in mechanism.pairs}
    acting: Counter[tuple[str, str]] = Counter()
    for actuator in mechanism.actuators:
        where = f"actuator at '{actuator.joint}'"
        if actuator.joint not in joints:
            yield Fault(
                "D05", where, f"there is no joint '{actuator.joint}'.", suggestion(actuator.joint, joints)
            )
            continue
        found, faults = _coordinate(mechanism, where, joints[actuator.joint], actuator.component)
        yield from faults
        acting[(actuator.joint, found)] += 1
        for name in ("effort", "limit"):
            value = getattr(actuator, name)
            if value is not None and not isinstance(value, float | int | Expression):
                yield Fault("M05", where, f"its {name} is {value!r}.", "Give a number or an expression.")
        if isinstance(actuator.limit, float) and not actuator.limit > 0:
            yield Fault("D06", where, f"its limit is {actuator.limit:g}.", "Give a positive limit.")
    yield from _twice("actuator", acting)


def _profile_faults(where: str, profile: Any) -> Iterator[Fault]:
    if not isinstance(profile, float | int | Expression) or isinstance(profile, bool):
        yield Fault("M05", where, f"its profile is {profile!r}.", "Give a number or an expression of time.")
    elif isinstance(profile, Expression) and depends_on_state(profile):
        yield Fault(
            "D04",
            where,
            f"its profile `{profile}` depends on the state.",
            "A Motion is prescribed in time; use an Actuator with this expression as its effort.",
        )
    elif not isinstance(profile, Expression) and evaluate(profile) != evaluate(profile):
        yield Fault("M05", where, "its profile is nan.", "Give a finite number.")


def _marker_component_faults(
    mechanism: Mechanism, where: str, motion: Motion, component: str
) -> Iterator[Fault]:
    allowed = ("x", "y", "angle") if mechanism.planar else ("x", "y", "z")
    if component not in allowed:
        said = f"component '{component}'" if component else "a bare profile"
        yield Fault(
            "D03", where, f"gives {said} for a marker.", f"Name the component: one of {', '.join(allowed)}."
        )


def _coordinate(
    mechanism: Mechanism, where: str, joint: Joint, component: str
) -> tuple[str, list[Fault]]:
    """The coordinate of a joint that a component means, and what is wrong with it."""
    names = joint.components(mechanism.planar)
    if not names:
        fault = Fault("D01", where, f"a {type(joint).__name__} cannot move.", "Name a joint that can.")
        return component, [fault]
    if component == "" and len(names) == 1:
        return names[0], []
    if component in names and component in (*COMPONENTS, ""):
        return component, []
    said = f"there is no component '{component}'" if component else f"the joint has {len(names)} coordinates"
    usable = [name for name in names if name in COMPONENTS]
    remedy = f"Name one of {', '.join(usable)}." if usable else "Drive a marker of its second body instead."
    return component, [Fault("D03", where, f"{said}.", remedy)]


def _twice(kind: str, counts: Counter[tuple[str, str]]) -> Iterator[Fault]:
    for (name, component), count in counts.items():
        if count > 1:
            yield Fault(
                "D02",
                f"{kind} of '{name}'",
                f"its {component or 'coordinate'} has {count} {kind}s.",
                "Keep one of them.",
            )
