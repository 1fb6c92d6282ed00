"""A flexible arm with a motor at its root, whose tip follows a prescribed motion."""

import numpy as np

import multiloop as ml

LENGTH, MASS, EI = 1.0, 0.5, 4.0
WAY, DURATION = 0.04, 0.5
E, DENSITY = 70e9, 2700.0


def flexible_arm() -> ml.Mechanism:
    """Build an arm of aluminium in a horizontal plane, 1 m long, 0.5 kg; its tip moves by 40 mm in half a second."""
    section = ml.Section(A=MASS / LENGTH / DENSITY, Iz=EI / E)
    return ml.Mechanism(
        "flexible arm",
        planar=True,
        gravity=(0, 0),
        bodies=[
            ml.ground(),
            ml.beam("arm", length=LENGTH, E=E, density=DENSITY, section=section, modes=1, frame="a"),
        ],
        joints=[ml.Revolute("motor", "ground.origin", "arm.a")],
        drives=[ml.Motion("arm.b", y=ml.motion_laws.cycloidal(-WAY / 2, WAY / 2, duration=DURATION))],
        actuators=[ml.Actuator("motor")],
        guess={"motor": 0.0},
    )


def ask(mechanism: ml.Mechanism) -> ml.Result:
    """Compute the motor torque for the motion of the tip, from before the motion starts until after it ends."""
    return ml.inverse(mechanism, t=np.linspace(0.0, DURATION, 251), elastic="stable")


def answer(result: ml.Result) -> str:
    """Answer to the question of this example in a sentence, from the result of `ask`."""
    effort = abs(result["motor"].effort)
    first = result.time[(effort > 0.01 * effort.max()).argmax()]
    return f"{-1e3 * first:.0f} ms before the tip moves, the torque exceeds 1 % of its peak."
