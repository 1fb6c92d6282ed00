"""Mechanisms with teeth: a planetary train on a swinging arm in the plane, and bevel gears with a crank in space."""

from __future__ import annotations

from math import cos, sin

from multiloop import Bevel, Body, Gear, Marker, Mechanism, Motion, Revolute, deg, ground, marker, rod
from zoo.entry import Entry, swinging


def planetary_linkage() -> Mechanism:
    """One planet between sun and ring; the planet's rim drives a rocker through a rod, so that a loop is closed too."""
    sun, planet = 24, 18
    a = 0.002 * (sun + planet) / 2
    return Mechanism(
        "planetary linkage",
        planar=True,
        bodies=[
            ground(O=(0, 0), R=(0.25, 0.02)),
            Body("sun", mass=0.6, inertia=3e-4, com=(0.004, 0.002)),
            Body("carrier", mass=0.9, inertia=1e-3, com=(0.01, 0.0), markers={"P": (a, 0)}),
            Body("planet", mass=0.4, inertia=1e-4, com=(0.002, -0.003), markers={"e": (0.012, 0)}),
            rod("rod", length=0.21, mass=0.5),
            rod("rocker", length=0.16, mass=0.7),
        ],
        joints=[
            Revolute("S", "ground.O", "sun.origin"),
            Revolute("C", "ground.O", "carrier.origin"),
            Revolute("P", "carrier.P", "planet.origin"),
            Revolute("E", "planet.e", "rod.a"),
            Revolute("F", "rod.b", "rocker.b"),
            Revolute("R", "ground.R", "rocker.a"),
        ],
        pairs=[
            Gear("sun mesh", "sun.origin", "planet.origin", teeth=(sun, planet)),
            Gear(
                "ring mesh",
                "planet.origin",
                "ground.O",
                teeth=(planet, sun + 2 * planet),
                internal=True,
                phase=0.3,
            ),
        ],
        drives=[Motion("C", swinging(0.4, 0.5))],
        guess={"S": 1.175, "C": 0.4, "P": -1.0333, "E": 1.4835, "F": 1.1258, "R": 1.976},
    )


def bevel_linkage() -> Mechanism:
    """Bevel gears at 80°, on a frame that swings about an oblique pivot, all unbalanced."""
    angle, h1 = deg(80), 0.06
    ratio = 30 / 20
    tangent = sin(angle) / (ratio + cos(angle))
    h2 = h1 * (cos(angle) + sin(angle) * tangent)
    b2 = (cos(angle), sin(angle), 0.0)
    return Mechanism(
        "bevel linkage",
        bodies=[
            ground(H=marker((0.1, 0.0, 0.2), z=(0, 1, 1))),
            Body(
                "frame",
                mass=1.5,
                inertia=(0.01, 0.012, 0.015),
                com=(0.03, 0.02, 0.01),
                markers={"a": Marker((h1, 0, 0), z=(1, 0, 0)), "b": Marker(tuple(h2 * c for c in b2), z=b2)},
            ),
            Body("pinion", mass=0.3, inertia=(2e-4, 2e-4, 3e-4), com=(0.003, 0.0, 0.004)),
            Body("crown", mass=0.5, inertia=(5e-4, 5e-4, 9e-4), com=(0.002, -0.004, 0.0)),
        ],
        joints=[
            Revolute("H", "ground.H", "frame.origin"),
            Revolute("A", "frame.a", "pinion.origin"),
            Revolute("B", "crown.origin", "frame.b"),
        ],
        pairs=[Bevel("mesh", "pinion.origin", "crown.origin", teeth=(20, 30))],
        drives=[Motion("H", swinging(0.3, 0.4)), Motion("A", swinging(0.2, 0.6, 5.0))],
        guess={"H": 0.3, "A": 0.2, "B": 0.1333},
    )


FAMILY = (
    Entry("planetary", planetary_linkage, 5, 1, count=1, mobility=1),
    Entry("bevel", bevel_linkage, 3, 0, count=2, mobility=2),
)
