"""A five-bar whose middle joint follows a path, with motors at its cranks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import multiloop as ml


def five_bar(path: Mapping[str, Any]) -> ml.Mechanism:
    """Two cranks, two rods, and a prescribed motion of the pin between the rods."""
    return ml.Mechanism(
        "five-bar",
        planar=True,
        bodies=[
            ml.ground(A=0.0, E=0.3),
            ml.rod("left crank", length=0.25, mass=0.6),
            ml.rod("left rod", length=0.38, mass=0.5),
            ml.rod("right crank", length=0.25, mass=0.6),
            ml.rod("right rod", length=0.38, mass=0.5),
        ],
        joints=[
            ml.Revolute("A", "ground.A", "left crank.a"),
            ml.Revolute("B", "left crank.b", "left rod.a"),
            ml.Revolute("C", "left rod.b", "right rod.b"),
            ml.Revolute("D", "right crank.b", "right rod.a"),
            ml.Revolute("E", "ground.E", "right crank.a"),
        ],
        drives=[ml.Motion("left rod.b", **path)],
        actuators=[ml.Actuator("A"), ml.Actuator("E")],
        guess={"left crank.b": (-0.1, 0.2), "right crank.b": (0.4, 0.2)},
    )
