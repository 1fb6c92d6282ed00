"""A slider-crank engine with its gas force: names are close together at the piston."""

from math import pi

import multiloop as ml


def engine(gas=-2500.0):
    """Crank 40 mm, connecting rod 150 mm, the gas presses on the crown along the cylinder."""
    return ml.Mechanism(
        "engine",
        planar=True,
        bodies=[
            ml.ground(shaft=(0, 0), bore=ml.marker((0, 0), angle=pi / 2)),
            ml.rod("crank", length=0.04, mass=1.2, com=0.0, inertia=2e-3),
            ml.rod("connecting rod", length=0.15, mass=0.6, com=0.045),
            ml.Body(
                "piston", 0.4, com=(0.012, 0), inertia=2e-4, markers={"wrist": (0, 0), "crown": (0.03, 0)}
            ),
        ],
        joints=[
            ml.Revolute("main bearing", "ground.shaft", "crank.a"),
            ml.Revolute("crank pin", "crank.b", "connecting rod.a"),
            ml.Revolute("wrist pin", "connecting rod.b", "piston.wrist"),
            ml.Prismatic("cylinder", "ground.bore", "piston.wrist"),
        ],
        drives=[ml.Motion("main bearing", ml.motion_laws.constant_speed(300.0, start=0.6))],
        loads=[ml.Force("gas", "piston.crown", (gas, 0), frame="body")],
        guess={"piston": (0.0, 0.18)},
    )
