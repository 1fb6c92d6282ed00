"""A four-bar whose lengths, mass and speed are parameters."""

from __future__ import annotations

import multiloop as ml


def four_bar(**values: float) -> ml.Mechanism:
    """Grashof with these values; others may not close or turn."""
    sizes = {"L1": 0.3, "L2": 0.9, "L3": 0.8, "m2": 2.0, "speed": 4.712} | values
    p = {name: ml.Parameter(name, value) for name, value in sizes.items()}
    return ml.Mechanism(
        "four-bar",
        planar=True,
        gravity=(0, -9.81),
        bodies=[
            ml.ground(A=(0, 0), D=(1.0, 0)),
            ml.rod("crank", length=p["L1"], mass=1.0),
            ml.rod("coupler", length=p["L2"], mass=p["m2"]),
            ml.rod("rocker", length=p["L3"], mass=1.5),
        ],
        joints=[
            ml.Revolute("A", "ground.A", "crank.a"),
            ml.Revolute("B", "crank.b", "coupler.a"),
            ml.Revolute("C", "coupler.b", "rocker.b"),
            ml.Revolute("D", "ground.D", "rocker.a"),
        ],
        drives=[ml.Motion("A", p["speed"] * ml.time)],
        guess={"coupler.b": (0.8, 0.7)},
    )
