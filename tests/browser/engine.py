"""A four-stroke engine of one cylinder: gas pushes its piston once in two turns."""

from math import pi

import multiloop as ml

SPEED = 2 * pi * 25  # 1500 turns a minute


def engine():
    """Crank 40 mm, connecting rod 140 mm; the gas force rises to 6 kN after the second dead centre."""
    turn = SPEED * ml.time / (4 * pi)  # 0 to 1 over two turns
    burning = ml.expr.exp(-(((turn - 0.53) / 0.035) ** 2))
    return ml.Mechanism(
        "engine",
        planar=True,
        bodies=[
            ml.ground(main=(0, 0), bore=ml.marker((0, 0), angle=pi / 2)),
            ml.rod("crank", length=0.04, mass=1.2, inertia=1e-3, com=0.01),
            ml.rod("connecting rod", length=0.14, mass=0.5, inertia=1.2e-3, com=0.04),
            ml.Body("piston", mass=0.4, inertia=2e-4, markers={"pin": ml.marker((0, 0), angle=pi / 2)}),
        ],
        joints=[
            ml.Revolute("main bearing", "ground.main", "crank.a"),
            ml.Revolute("crank pin", "crank.b", "connecting rod.a"),
            ml.Revolute("wrist pin", "connecting rod.b", "piston.pin"),
            ml.Prismatic("cylinder", "ground.bore", "piston.pin"),
        ],
        drives=[ml.Motion("main bearing", ml.motion_laws.constant_speed(SPEED, start=pi / 2))],
        loads=[ml.Force("gas", "piston.pin", (0.0, -6000.0 * burning))],
        guess={"piston.pin": (0.0, 0.18)},
    )


def result(instants=361):
    """Two turns of it."""
    return ml.inverse(engine(), t=[4 * pi / SPEED * k / (instants - 1) for k in range(instants)])
