"""A differential: the housing drives two shafts through bevel gears; the difference of their speeds is free."""

import multiloop as ml

SIDE, PLANET = 16, 10
OFFSET, CROSS = 0.025, 0.040
"""Distances of the side gears and of the planet gear from the common point of all axes, m."""

SPEED, INNER = 80.0, 71.0
"""Speeds (rad/s) of the housing and of the shaft of the wheel on the inside of the bend."""


def differential() -> ml.Mechanism:
    """Build a differential with one planet gear; all other bodies rotate about the ground's x axis."""
    axle = {"z": (1, 0, 0)}
    side = {"mass": 0.7, "inertia": (6e-4, 4e-4, 4e-4)}
    return ml.Mechanism(
        "differential",
        gravity=(0, 0, 0),
        bodies=[
            ml.ground(O=ml.marker((0, 0, 0), **axle)),
            ml.Body(
                "housing",
                mass=4.0,
                inertia=(0.012, 0.015, 0.015),
                markers={"O": ml.marker((0, 0, 0), **axle), "pin": ml.marker((0, CROSS, 0), z=(0, 1, 0))},
            ),
            ml.Body("left", **side, markers={"O": ml.marker((0, 0, 0), **axle), "gear": (-OFFSET, 0, 0)}),
            ml.Body("right", **side, markers={"O": ml.marker((0, 0, 0), **axle), "gear": (OFFSET, 0, 0)}),
            ml.Body("planet", mass=0.25, inertia=(9e-5, 9e-5, 1.5e-4)),
        ],
        joints=[
            ml.Revolute("crown", "ground.O", "housing.O"),
            ml.Revolute("left shaft", "ground.O", "left.O"),
            ml.Revolute("right shaft", "ground.O", "right.O"),
            ml.Revolute("pin", "housing.pin", "planet.origin"),
        ],
        pairs=[
            ml.Bevel("left mesh", "left.gear", "planet.origin", teeth=(SIDE, PLANET)),
            ml.Bevel("right mesh", "right.gear", "planet.origin", teeth=(SIDE, PLANET)),
        ],
        drives=[
            ml.Motion("crown", ml.motion_laws.constant_speed(SPEED)),
            ml.Motion("left shaft", ml.motion_laws.constant_speed(INNER)),
        ],
        loads=[ml.Torque("right wheel", "right", (-120.0, 0, 0))],
    )


def ask(mechanism: ml.Mechanism) -> ml.Result:
    """Compute speeds, torques and forces while the vehicle drives through a bend."""
    return ml.inverse(mechanism, t=[k / 600 for k in range(121)])


def answer(result: ml.Result) -> str:
    """Answer to the question of this example in a sentence, from the result of `ask`."""
    outer, torque = result["right shaft"].rate[-1], result["left shaft"].effort[-1]
    return f"The wheels turn at {INNER:.0f} and {outer:.0f} rad/s, and each takes {-torque:.0f} N·m."
