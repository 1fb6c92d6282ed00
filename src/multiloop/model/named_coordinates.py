"""Values given by name for joints, bodies and markers: their components, and checks of the values.

The same rules hold for the `guess` of a mechanism and for the arguments `start`, `guess` and `rates` of the public
functions. The values of a joint are its coordinates q (for `rates` its rates v), those of a marker "body.marker" or of
a body (for its origin) are the position, or position and orientation, and those of "body.eta" are the elastic
coordinates of a body. None leaves a component undetermined. The orientation is an angle in a planar mechanism, and a
quaternion (scalar first) in a spatial one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import isfinite, tau
from typing import TYPE_CHECKING, Any

from multiloop.model.bodies import GROUND
from multiloop.model.connection import Connection
from multiloop.model.expressions import Expression, joints_of
from multiloop.model.faults import Fault, count_text, short_repr, suggestion
from multiloop.model.markers import ETA, MAX_MAGNITUDE, body_of, elastic_names

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism

ComponentNames = tuple[str, ...]
"""Names of the components of given values, in order, such as ("x", "y", "angle")."""

MAX_TURNS = 2
"""Number of turns above which an angle given in radians, if a multiple of 0.5, is assumed to be meant in degrees."""

MAX_DEGREES = 720
"""Largest given number that is assumed to be an angle in degrees where radians are expected."""

QUATERNION: ComponentNames = ("quaternion 0", "quaternion 1", "quaternion 2", "quaternion 3")

FULL_QUATERNION = "Give all four, scalar first, (1, 0, 0, 0) for no rotation, or four None."


def component_names(mechanism: Mechanism, *, rates: bool = False) -> dict[str, tuple[ComponentNames, ...]]:
    """For every joint, body, marker and "body.eta", by name, the possible lists of components of its values, the
    shorter list first.

    With `rates` the lists contain the components of velocities.
    """
    point: ComponentNames = ("x", "y") if mechanism.planar else ("x", "y", "z")
    turn: ComponentNames = ("turn_x", "turn_y", "turn_z") if rates else QUATERNION
    placed = (point, (*point, *(("angle",) if mechanism.planar else turn)))
    found: dict[str, tuple[ComponentNames, ...]] = {}
    for body in mechanism.all_bodies:
        found |= dict.fromkeys(
            (body.name, *(f"{body.name}.{marker}" for marker in body.marker_names)), placed
        )
        if body.elastic:
            found[f"{body.name}.{ETA}"] = (elastic_names(body.elastic),)
    return found | {
        joint.name: (_joint_components(joint, mechanism.planar, rates),) for joint in mechanism.connections
    }


def _joint_components(joint: Connection, planar: bool, rates: bool) -> ComponentNames:
    names = joint.components(planar)
    if rates or joint.positions(planar) == len(names):
        return names
    return (*(name for name in names if not name.startswith("turn_")), *QUATERNION)


def request_faults(
    known: Mapping[str, tuple[ComponentNames, ...]], role: str, name: str, numbers: tuple[Any, ...]
) -> Iterator[Fault]:
    """Faults of the values `numbers` given for a name; `role` is the argument with the values ("guess", "start" or
    "rates").

    `known` is the result of `component_names`.
    """
    where = f"{role} '{name}'"
    wrong = [number for number in numbers if not _is_valid_entry(number)]
    if name not in known and name.endswith(f".{ETA}") and body_of(name) in known:
        what = f"body '{body_of(name)}' is rigid and has no elastic coordinates."
        yield Fault("K07", where, what, "Remove this value, or make the body flexible by `beam`.")
    elif name not in known:
        what = "there is no joint, body or marker of that name."
        yield Fault("K07", where, what, suggestion(name, known))
    elif body_of(name) == GROUND:
        yield Fault("K07", where, "is on the ground, which does not move.", "Remove it.")
    elif wrong:
        what = f"contains {short_repr(wrong[0])}"
        remedy = "Give finite numbers, or None for an unknown value."
        if isinstance(wrong[0], float) and isfinite(wrong[0]):
            what = f"{what}, which is too large to compute with"
            remedy = f"Give numbers up to {MAX_MAGNITUDE:g}, or None for an unknown value."
        yield Fault("K08", where, f"{what}.", remedy)
    elif all(len(numbers) != len(slots) for slots in known[name]):
        sizes = " or ".join(str(len(slots)) for slots in known[name])
        what = f"has {count_text(len(numbers), 'value')}, expected {sizes}."
        yield Fault("K08", where, what, _count_remedy(known[name]))
    else:
        slots = next(slots for slots in known[name] if len(slots) == len(numbers))
        turn = [number for slot, number in zip(slots, numbers, strict=True) if slot in QUATERNION]
        if None in turn and any(number is not None for number in turn):
            yield Fault("K08", where, "its quaternion is incomplete.", FULL_QUATERNION)
        elif turn and None not in turn and not any(turn):
            yield Fault("K08", where, "its quaternion is zero.", "Give (1, 0, 0, 0) for no rotation.")


def _is_valid_entry(number: Any) -> bool:
    return number is None or (isinstance(number, float) and abs(number) <= MAX_MAGNITUDE)


def _count_remedy(choices: Sequence[ComponentNames]) -> str:
    """The remedy for a wrong number of values; it states all possible lists of components, `choices`."""
    if not choices[-1]:
        return "Remove it: the joint has no coordinates."
    listed = [_component_text(slots) for slots in choices]
    given = " or ".join(f"({text})" if len(listed) > 1 else text for text in listed)
    return f"Give {given}; None for an unknown value."


def _component_text(slots: ComponentNames) -> str:
    names = [slot for slot in slots if slot not in QUATERNION]
    names += ["quaternion (4 values, scalar first)"] if QUATERNION[0] in slots else []
    return ", ".join(names)


def joint_with_coordinates(joint: Connection, planar: bool) -> str:
    """The name of a joint, followed by the names of its coordinates in order if it has several."""
    slots = _joint_components(joint, planar, False)
    return joint.name if len(slots) < 2 else f"{joint.name} ({_component_text(slots)})"


def degree_faults(
    mechanism: Mechanism, role: str, values: Iterable[tuple[str, Sequence[Any]]]
) -> Iterator[Fault]:
    """Faults of values of `guess` or `start` that are probably in degrees, since in radians they would be many turns.

    `role` is the argument, "guess" or "start", and `values` are its pairs of name and values. Joints whose number of
    turns affects the mechanism are excluded: gear shafts, rolling wheels, torsion springs.
    """
    joints = {joint.name: joint for joint in mechanism.connections}
    for name, numbers in values:
        for angle in _angles(mechanism, joints.get(name), name, numbers):
            if looks_like_degrees(angle) and name not in joints_with_counted_turns(mechanism):
                what = f"contains {angle:g} rad, which is {angle / tau:.3g} turns."
                yield Fault("K08", f"{role} '{name}'", what, radians_remedy(angle))


def looks_like_degrees(angle: Any) -> bool:
    """Whether a number given for an angle in radians is probably an angle in degrees.

    True for a multiple of 0.5 whose magnitude is more than MAX_TURNS turns in radians, and at most MAX_DEGREES.
    """
    return (
        isinstance(angle, float) and MAX_TURNS * tau < abs(angle) <= MAX_DEGREES and (2 * angle).is_integer()
    )


def joints_with_counted_turns(mechanism: Mechanism) -> set[str]:
    """Names of the joints whose number of turns affects the mechanism.

    These are the joints of couplings, the joints of bodies that mesh or roll, and the joints on whose position a load
    or an effort depends.
    """
    rolling = [pair for pair in mechanism.marker_pairs if _counts_turns(pair, mechanism.planar)]
    ends = [end for pair in (*mechanism.couplings, *rolling) for end in _ends(pair)]
    winding = {body_of(end) for end in ends} - {GROUND}
    found = {
        joint.name
        for joint in mechanism.binary_joints
        if not winding.isdisjoint((body_of(joint.first), body_of(joint.second)))
    }
    found |= {joint for coupling in mechanism.couplings for joint in coupling.joints}
    found |= {joint for load in mechanism.all_loads if not load.dissipates for joint in load.joints}
    efforts = [actuator.effort for actuator in mechanism.actuators if isinstance(actuator.effort, Expression)]
    return found | {joint for effort in efforts for joint in joints_of(effort)}


def _counts_turns(pair: Connection, planar: bool) -> bool:
    """Whether the constraint of a pair depends on how far one body has rolled on the other."""
    return pair.counts_turns(planar) or pair.position_rows(planar) < pair.rows(planar)


def _ends(pair: Any) -> tuple[str, ...]:
    """The names of the two markers of a pair; empty strings for a coupling without markers."""
    return tuple(getattr(pair, end, "") for end in ("first", "second"))


def radians_remedy(angle: float) -> str:
    """The remedy for an angle that was given in degrees."""
    return f"Angles are in radians: for {angle:g}° write `ml.deg({angle:g})`."


def _angles(mechanism: Mechanism, joint: Connection | None, name: str, numbers: Sequence[Any]) -> list[Any]:
    """Those of the values `numbers` that are angles with the period 2π; the angle of a screw joint is not one of
    them."""
    if joint is not None:
        turning = joint.turning(mechanism.planar)
        return [number for number, turns in zip(numbers, turning, strict=False) if turns]
    return list(numbers[2:]) if mechanism.planar and not name.endswith(f".{ETA}") else []
