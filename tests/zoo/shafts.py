"""Rotating mechanisms in space: a Cardan shaft with its spline, and a pump driven by a swash plate."""

from __future__ import annotations

from math import cos, pi, radians, sin

import numpy as np

from multiloop import (
    Body,
    Marker,
    Mechanism,
    Motion,
    Planar,
    Prismatic,
    Revolute,
    Spherical,
    Universal,
    ground,
    marker,
)
from multiloop.model import constant_speed
from zoo.body_poses import along, assembled
from zoo.entry import Entry


def cardan_shaft() -> Mechanism:
    """Two parallel shafts connected by two universal joints and a spline; the forks on the spline lie in one plane.

    Every shaft's own axis is its z. With the forks in one plane the rotation of the output equals that of the input.
    """
    first, second = np.array([0.10, 0.0, 0.0]), np.array([0.60, 0.12, -0.08])
    last = second + np.array([0.1, 0, 0])
    d = (second - first) / np.linalg.norm(second - first)
    bearing = {"z": (1, 0, 0), "x": (0, 1, 0)}
    up = np.array([0.0, 0.0, 1.0])  # the input's fork at the start: its body's y
    fork, cross = {"z": (0, 1, 0), "x": (1, 0, 0)}, {"z": (1, 0, 0), "x": (0, 1, 0)}
    mechanism = Mechanism(
        "Cardan shaft",
        bodies=[
            ground(input=marker((0, 0, 0), **bearing), output=marker(last, **bearing)),
            _shaft("input", 1.2, 0.05, {"fork": marker((0, 0, 0.10), **fork)}),
            _shaft("sleeve", 0.9, 0.12, {"fork": marker((0, 0, 0), **fork)}),
            _shaft("spline", 0.8, -0.12, {"fork": marker((0, 0, 0), **cross)}),
            _shaft("output", 1.2, -0.05, {"fork": marker((0, 0, -0.10), **cross)}),
        ],
        joints=[
            Revolute("input bearing", "ground.input", "input.origin"),
            Universal("first cross", "input.fork", "sleeve.fork"),
            Prismatic("splined hub", "sleeve.origin", "spline.origin"),
            Universal("second cross", "spline.fork", "output.fork"),
            Revolute("output bearing", "ground.output", "output.origin"),
        ],
        drives=[Motion("input bearing", constant_speed(30.0))],
    )
    between = np.cross(up, d)
    poses = {
        "input": along((0, 0, 0), x=(0, 1, 0), z=(1, 0, 0)),
        "sleeve": along(first, x=between, z=d),
        "spline": along(second, x=between, z=d),
        "output": along(last, x=(0, 1, 0), z=(1, 0, 0)),
    }
    return assembled(mechanism, poses)


def swash_pump(pistons: int = 3) -> Mechanism:
    """A tilted plate rotates and moves pistons; each slipper slides on it and may spin freely."""
    radius, height, tilt = 0.04, 0.01, radians(15)
    normal = np.array([sin(tilt), 0.0, cos(tilt)])
    guides, bodies, joints = {}, [], []
    poses = {"plate": along((0, 0, 0), x=(1, 0, 0))}
    for k in range(1, pistons + 1):
        turn = 2 * pi * k / pistons + 0.3
        x, y = radius * cos(turn), radius * sin(turn)
        ball = np.array([x, y, (height - normal[0] * x) / normal[2]])
        guides[f"g{k}"] = marker((x, y, 0))
        bodies += [
            Body(
                f"slipper{k}",
                mass=0.03,
                com=(0, 0, -0.004),
                inertia=(9e-7, 9e-7, 1.4e-6),
                markers={"face": marker((0, 0, -height))},
            ),
            Body(f"piston{k}", mass=0.12, com=(0, 0, 0.03), inertia=(4e-5, 4e-5, 5e-6)),
        ]
        joints += [
            Planar(f"face{k}", "plate.face", f"slipper{k}.face"),
            Spherical(f"ball{k}", f"slipper{k}.origin", f"piston{k}.origin"),
            Prismatic(f"bore{k}", f"ground.g{k}", f"piston{k}.origin"),
        ]
        poses |= {f"slipper{k}": along(ball, z=normal), f"piston{k}": along(ball, x=(1, 0, 0))}
    face = marker((0, 0, 0), z=normal, x=(0, 1, 0))
    plate = Body("plate", mass=1.0, com=(0, 0, -0.02), inertia=(8e-4, 8e-4, 1.2e-3), markers={"face": face})
    mechanism = Mechanism(
        "swash plate pump",
        bodies=[ground(guides), plate, *bodies],
        joints=[Revolute("shaft", "ground.origin", "plate.origin"), *joints],
        drives=[Motion("shaft", constant_speed(60.0))],
    )
    return assembled(mechanism, poses)


def _shaft(name: str, mass: float, com: float, markers: dict[str, Marker]) -> Body:
    """A round shaft along z, 40 mm thick and 0.2 m long."""
    across = mass * (0.2**2 / 12 + 0.02**2 / 4)
    return Body(name, mass, (0, 0, com), (across, across, mass * 0.02**2 / 2), markers=markers)


SLIPPERS = ("slipper1", "slipper2", "slipper3")

FAMILY = (
    Entry("cardan-shaft", cardan_shaft, 4, 1, count=1, mobility=1, turns=True),
    Entry("swash-pump", swash_pump, 7, 3, count=4, mobility=4, idle=SLIPPERS, turns=True),
)
