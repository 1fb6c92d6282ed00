"""Parts of a mechanism that follow from its description without being listed in it.

They are the joints of composite joints such as struts, the rotors of actuators with their bearings and gearboxes, the
Free joints of bodies that are connected to the ground by higher pairs only, and the default modes of flexible bodies.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from networkx.utils import UnionFind

from multiloop.model.bodies import GROUND, Body
from multiloop.model.drives import Actuator
from multiloop.model.expressions import Scalar, lift, position
from multiloop.model.joints import Composite, Free, Joint, Revolute
from multiloop.model.markers import body_of, value_of
from multiloop.model.pairs import Relation

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism


@dataclass(frozen=True)
class Rotor:
    """The rotor of a motor at a joint: a thin disc on the joint's first body, coupled to the joint by a gearbox.

        rotor angle = ratio q,      kinetic energy ½ J (Ω + ratio q̇)² + ½ (J/2) Ω_⊥²

    with the joint coordinate q, the rotor inertia J, and the components Ω along and Ω_⊥ across the joint's axis of the
    angular velocity of the first body, which carries the motor. The gyroscopic moment of the rotor on this body is
    therefore included. The rotor has no mass; include the mass of the motor in the first body.
    """

    body: Body
    joint: Revolute
    gearbox: Relation


def make_rotor(
    joint: Joint, names: tuple[str, str, str], inertia: Scalar, ratio: Scalar, planar: bool
) -> Rotor:
    """Create the rotor of a motor at a joint, with the given inertia and gear ratio.

    `names` are the names of the body, the bearing and the gearbox of the rotor.
    """
    body, bearing, gearbox = names
    half = lift(inertia) / 2
    disc: Any = inertia if planar else (half, half, inertia)
    return Rotor(
        Body(body, inertia=disc),
        Revolute(bearing, joint.first, f"{body}.origin"),
        Relation(gearbox, position(bearing) - ratio * position(joint.name)),
    )


def expanded_joints(mechanism: Mechanism) -> Iterator[Joint]:
    """The joints of a mechanism in the order of the description, with composite joints replaced by their joints."""
    for joint in mechanism.joints:
        yield from joint.binary_joints(mechanism.planar) if isinstance(joint, Composite) else [joint]


def actuator_rotors(mechanism: Mechanism) -> tuple[Rotor, ...]:
    """The rotors of all actuators; invalid actuators, which the checks report, are skipped."""
    joints, planar = {joint.name: joint for joint in expanded_joints(mechanism)}, mechanism.planar
    found = {}
    for actuator in mechanism.actuators:
        joint = joints.get(actuator.joint)
        if joint is not None and has_rotor(actuator) and len(joint.components(planar)) == 1:
            names = tuple(f"{joint.name}/{part}" for part in ("rotor", "motor", "gearbox"))
            found[joint.name] = make_rotor(joint, names, actuator.rotor_inertia, actuator.ratio, planar)  # type: ignore[arg-type]
    return tuple(found.values())


def has_rotor(actuator: Actuator) -> bool:
    """Whether an actuator has a rotor with positive inertia and a gear ratio other than zero."""
    inertia, ratio = value_of(actuator.rotor_inertia), value_of(actuator.ratio)
    return inertia is not None and inertia > 0 and bool(ratio)


def floating_bodies(mechanism: Mechanism) -> tuple[str, ...]:
    """Names of the bodies that need a Free joint to the ground.

    For every group of bodies that are connected to each other by joints, but to the ground by pairs only, this is the
    first body of the group.
    """
    joined = UnionFind()
    for joint in mechanism.described_joints:
        joined.union(body_of(joint.first), body_of(joint.second))
    reached = UnionFind()
    for group in joined.to_sets():
        reached.union(*group)
    for pair in mechanism.marker_pairs:
        reached.union(body_of(pair.first), body_of(pair.second))
    standing, found = {joined[GROUND]}, []
    for body in (body.name for body in mechanism.all_bodies):
        if reached[body] == reached[GROUND] and joined[body] not in standing:
            standing.add(joined[body])
            found.append(body)
    return tuple(found)


def floating_joint(body: str) -> Free:
    """The Free joint between the ground and a body that is connected to the ground by pairs only."""
    return Free(f"{body} floats", f"{GROUND}.origin", f"{body}.origin")


def bodies_with_defaults(mechanism: Mechanism) -> tuple[Body, ...]:
    """The bodies of a mechanism, in which fields with defaults that depend on the joints have their values."""
    return tuple(
        body.with_defaults(mechanism) if isinstance(body, Body) else body for body in mechanism.bodies
    )
