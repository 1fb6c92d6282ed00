"""A belt drive: a motor accelerates a fan through an open belt with pretension."""

from math import pi

import multiloop as ml

RADII, AXES = (0.06, 0.15), 0.5
PRETENSION, FRICTION = 250.0, 0.35
MOTOR, FAN, DRAG = 4e-3, 0.12, 1.2e-3
SPEED, TIME = 300.0, 1.2
"""Final speed of the motor (rad/s) and run-up time (s); the speed follows a cycloidal law."""


def belt_drive(time: float = TIME) -> ml.Mechanism:
    """Build a belt drive with a fan whose torque is proportional to the square of its speed.

    `time` is the run-up time of the motor (s).
    """
    t, turn = ml.time, 2 * pi / time
    running_up = SPEED / time * (t**2 / 2 + (ml.expr.cos(turn * t) - 1) / turn**2)
    return ml.Mechanism(
        "belt drive",
        planar=True,
        bodies=[
            ml.ground(A=(0, 0), B=(AXES, 0)),
            ml.Body("motor", mass=6.0, inertia=MOTOR),
            ml.Body("fan", mass=15.0, inertia=FAN),
        ],
        joints=[
            ml.Revolute("motor shaft", "ground.A", "motor.origin"),
            ml.Revolute("fan shaft", "ground.B", "fan.origin"),
        ],
        pairs=[
            ml.Belt(
                "belt", "motor.origin", "fan.origin", radii=RADII, pretension=PRETENSION, friction=FRICTION
            )
        ],
        drives=[ml.Motion("motor shaft", running_up)],
        loads=[ml.Torque("air", "fan", -DRAG * ml.rate("fan shaft") ** 2)],
    )


def ask(mechanism: ml.Mechanism) -> ml.Result:
    """Compute belt tensions and bearing loads during the run-up."""
    return ml.inverse(mechanism, t=[k * TIME / 120 for k in range(121)])


def answer(result: ml.Result) -> str:
    """Answer to the question of this example in a sentence, from the result of `ask`."""
    most, limit = abs(result["belt"].tangential).max(), result["belt"].limit[0]
    half = TIME / 2
    belt = ml.inverse(belt_drive(half), t=[k * half / 120 for k in range(121)])["belt"]
    then = "slips" if (abs(belt.tangential) > belt.limit).any() else "does not slip"
    return f"It pulls with up to {most:.0f} N and slips above {limit:.0f} N; with half the run-up time it {then}."
