"""Gearings of all types on fixed or moving carriers, for the laws that apply to all of them."""

from __future__ import annotations

from math import cos, pi, sin

import numpy as np

import multiloop as ml


def wheel(name, k=1.0, planar=False, **markers):
    """An unbalanced wheel, so that gravity and rotation load its teeth."""
    if planar:
        return ml.Body(name, mass=0.5 * k, inertia=2e-3 * k, com=(0.004, 0.002), markers=markers)
    tensor = (1.2e-3 * k, 1.1e-3 * k, 2e-3 * k)
    return ml.Body(name, mass=0.5 * k, inertia=tensor, com=(0.004, 0.002, 0.003), markers=markers)


def on_arm(name, first, second, pairs, joint=ml.Revolute, guess=None):
    """Two wheels at markers of an arm that is hinged to the ground by a tilted axis."""
    arm = ml.Body(
        "arm",
        mass=1.0,
        inertia=(0.02, 0.03, 0.025),
        com=(0.05, 0.02, 0.01),
        markers={"a": first, "b": second},
    )
    return ml.Mechanism(
        name,
        bodies=[ml.ground(H=ml.marker((0.1, 0.2, 0.3), z=(1, 2, 2))), arm, wheel("one"), wheel("two", 1.7)],
        joints=[
            ml.Revolute("H", "ground.H", "arm.origin"),
            ml.Revolute("A", "arm.a", "one.origin"),
            joint("B", "arm.b", "two.origin"),
        ],
        pairs=pairs,
        guess=guess or {},
    )


def helical():
    """On a moving arm, the second bearing with reversed axis, in which the second wheel is named first."""
    mechanism = on_arm(
        "helical",
        ml.marker((0.1, 0.0, 0.02), z=(0, 0, 1)),
        ml.marker((0.1, 0.09, 0.02), z=(0, 0, -1)),
        [ml.Gear("mesh", "one.origin", "two.origin", teeth=(18, 27), helix_angle=ml.deg(25), phase=0.4)],
    )
    joints = list(mechanism.joints)
    joints[2] = ml.Revolute("B", "two.origin", "arm.b")
    return mechanism.replace(joints=joints)


def ring(first_is_ring=False):
    """A wheel that rolls inside a ring; the ring is itself carried."""
    sizes, ends = ((18, 60), ("one.origin", "two.origin"))
    if first_is_ring:
        sizes, ends = (60, 18), ("two.origin", "one.origin")
    z = (1, 0, 1)
    return on_arm(
        "ring",
        ml.marker((0.1, 0.05, 0.0), z=z),
        ml.marker((0.1, 0.12, 0.0), z=z),
        [ml.Gear("mesh", *ends, teeth=sizes, internal=True, helix_angle=ml.deg(-12))],
    )


def bevel():
    """Axes at 70°, the second bearing against its cone."""
    angle, h1 = ml.deg(70), 0.08
    gamma = np.arctan2(sin(angle), 30 / 20 + cos(angle))
    h2 = h1 / cos(gamma) * cos(angle - gamma)
    b2 = np.array([cos(angle), sin(angle), 0.0])
    return on_arm(
        "bevel",
        ml.marker((h1, 0, 0), z=(1, 0, 0)),
        ml.marker(tuple(h2 * b2), z=tuple(-b2)),
        [ml.Bevel("mesh", "one.origin", "two.origin", teeth=(20, 30), pressure_angle=ml.deg(25))],
    )


def worm(lead=0.2):
    return on_arm(
        "worm",
        ml.marker((0.0, 0.0, 0.0), z=(1, 0, 0)),
        ml.marker((0.0, 0.09, 0.0), z=(0, 0, 1)),
        [ml.Worm("mesh", "one.origin", "two.origin", teeth=(2, 31), lead_angle=lead)],
    )


def rack():
    return on_arm(
        "rack",
        ml.marker((0.0, 0.0, 0.0), z=(0, 0, 1)),
        ml.marker((0.02, 0.05, 0.0), z=(1, 0.0, 0)),
        [ml.Rack("mesh", "one.origin", "two.origin", radius=0.05, helix_angle=ml.deg(15), phase=-0.2)],
        joint=ml.Prismatic,
    )


def belt(kind=ml.Belt, **given):
    if kind is ml.Belt:
        given = {"radii": (0.03, 0.05), "pretension": 40.0, "friction": 0.3} | given
    return on_arm(
        kind.__name__,
        ml.marker((0.1, 0.0, 0.02), z=(0, 0, 1)),
        ml.marker((0.1, 0.2, 0.02), z=(0, 0, -1)),
        [kind("mesh", "one.origin", "two.origin", **given)],
    )


def chain():
    return belt(ml.Chain, teeth=(18, 30), pitch=0.0127)


def planetary(planets=1, at=None, planar=True, **changes):
    """Sun and carrier on the ground, of which the ring is a part."""
    sun, planet, ring_teeth, module = 20, 16, 52, 0.002
    a = module * (sun + planet) / 2
    at = [2 * pi * k / planets for k in range(planets)] if at is None else at
    spots = {f"P{k}": (a * cos(angle), a * sin(angle)) for k, angle in enumerate(at)}
    given = {
        "planar": True,
        "bodies": [
            ml.ground(O=(0, 0)),
            ml.Body("sun", mass=0.5, inertia=1e-4),
            ml.Body("carrier", mass=1.0, inertia=1e-3, markers=spots),
            *(ml.Body(f"planet {k}", mass=0.2, inertia=4e-5) for k in range(len(at))),
        ],
        "joints": [
            ml.Revolute("S", "ground.O", "sun.origin"),
            ml.Revolute("C", "ground.O", "carrier.origin"),
            *(ml.Revolute(f"P{k}", f"carrier.P{k}", f"planet {k}.origin") for k in range(len(at))),
        ],
        "pairs": [
            pair
            for k in range(len(at))
            for pair in (
                ml.Gear(
                    f"sun mesh {k}", "sun.origin", f"planet {k}.origin", teeth=(sun, planet), module=module
                ),
                ml.Gear(
                    f"ring mesh {k}",
                    f"planet {k}.origin",
                    "ground.O",
                    teeth=(planet, ring_teeth),
                    module=module,
                    internal=True,
                ),
            )
        ],
        "drives": [ml.Motion("S", 100 * ml.time + 300 * ml.time**2)],
        "loads": [ml.Torque("load", "carrier", -10.0)],
    }
    return ml.Mechanism("planetary", **(given | changes))


KINDS = {
    "helical": helical,
    "ring": ring,
    "ring first": lambda: ring(first_is_ring=True),
    "bevel": bevel,
    "worm": worm,
    "left-handed worm": lambda: worm(ml.deg(-9)),
    "rack": rack,
    "open belt": belt,
    "crossed belt": lambda: belt(crossed=True),
    "belt without pretension": lambda: belt(pretension=None, friction=None),
    "chain": chain,
    "planetary": planetary,
}
