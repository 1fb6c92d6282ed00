"""Fattah's spatial manipulator with rods or beams of any modes, on any base: that of the gallery, driven.

Data: [fattah], Table 6.1; no gravity. The base is recovered from Tables 6.2 and 6.3, see `test_spatial_manipulator.py`.
Elbow axes are inclined by 25° about their links. The printed manoeuvre (6.34) covers a ninth of the way from θ(0) to c,
t_f/1.35, in t_f = 0.15 s, and needs 803 N m in this assembly mode (`test_printed_manoeuvre`); here the same path is one
cycloid of 12 s.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import multiloop as ml
from multiloop.examples.mechanisms.spatial_manipulator import DURATION, LEGS, PART, PATHS

BASE, TURNED = (tuple(leg[k] for leg in LEGS.values()) for k in (0, 1))
"""Feet, to a millimetre, and b of the legs: X₀ = (sin b, 0, cos b), Y₀ = Y."""

MOTORS, BEGIN = tuple(PATHS), tuple(begin for begin, _ in PATHS.values())
"""The motors, and θ(0) of (6.34)."""


def manipulator(
    modes: object = None, *, base: object = BASE, turned: tuple[float, ...] = TURNED, **more: object
) -> ml.Mechanism:
    """With rods, or with modes beams of the same mass; its motors cover a part of the path in one cycloid."""
    made, feet = ml.examples.spatial_manipulator(), {}
    for k, b in zip(LEGS, turned, strict=True):
        x = np.array([np.sin(b), 0.0, np.cos(b)])
        feet[f"O{k}"] = ml.marker(tuple(base[k - 1]), z=tuple(np.cross(x, (0, 1, 0))), x=tuple(x))
    shapes = {"modes": modes or 1, "frame": "auto", "damping": 0.0} | more
    links = [replace(body, **shapes) for body in made.bodies if isinstance(body, ml.Beam)]
    spans = [(joint, one, one + PART * (other - one)) for joint, (one, other) in PATHS.items()]
    return made.replace(
        bodies=[ml.ground(feet), *(one if modes else one.rigid() for one in links), made.body("platform")],
        actuators=(),
        drives=[
            ml.Motion(joint, ml.motion_laws.cycloidal(one, other, duration=DURATION))
            for joint, one, other in spans
        ],
    )
