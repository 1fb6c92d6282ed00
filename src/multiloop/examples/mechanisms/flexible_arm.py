"""A slender arm that bends, with a motor at its root, whose tip is to go by a program."""

import numpy as np

import multiloop as ml

LENGTH, MASS, EI = 1.0, 0.5, 4.0
WAY, DURATION = 0.04, 0.5
E, DENSITY = 70e9, 2700.0


def flexible_arm() -> ml.Mechanism:
    """One metre of aluminium, half a kilogram, that turns in a level plane; its tip crosses 40 mm in half a second."""
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
        drives=[ml.Motion("arm.b", y=ml.cycloidal(-WAY / 2, WAY / 2, duration=DURATION))],
        actuators=[ml.Actuator("motor")],
        guess={"motor": 0.0},
    )


def ask(mechanism: ml.Mechanism) -> ml.Result:
    """The torque that leads the tip, from before it moves until after it has come to rest."""
    return ml.inverse(mechanism, t=np.linspace(0.0, DURATION, 251), elastic="stable")


def answer(result: ml.Result) -> str:
    """The answer in a sentence, from what `ask` gives."""
    effort = abs(result["motor"].effort)
    first = result.time[(effort > 0.01 * effort.max()).argmax()]
    return f"{-1e3 * first:.0f} ms before the tip moves it gives a hundredth of its peak, and ever more until then."
