"""A four-bar whose lengths, mass and speed are parameters."""

from __future__ import annotations

import multiloop as ml
from zoo.plain import planar_four_bar


def four_bar(**values: float) -> ml.Mechanism:
    """It satisfies Grashof's condition with these values; others may not close or make full turns."""
    sizes = {"L1": 0.3, "L2": 0.9, "L3": 0.8, "m2": 2.0, "speed": 4.712} | values
    p = {name: ml.Parameter(name, value) for name, value in sizes.items()}
    return planar_four_bar(
        lengths=(p["L1"], p["L2"], p["L3"], 1.0),
        masses=(1.0, p["m2"], 1.5),
        gravity=(0, -9.81),
        drives=[ml.Motion("A", p["speed"] * ml.time)],
    )
