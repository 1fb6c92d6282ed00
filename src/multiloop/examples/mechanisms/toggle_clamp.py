"""A toggle clamp: two bars with a pinned end and an end on a spring-loaded slide, loaded at their common joint."""

from math import cos, degrees, sin

import multiloop as ml

BAR, STIFFNESS = 0.5, 1000.0
ANGLE = 0.3
"""Angle (rad) of the bars to the line of the slide at which the spring is unstressed."""


def toggle_clamp() -> ml.Mechanism:
    """Build a clamp in a horizontal plane; the load P on the knee joint is a parameter above the snap-through load."""
    out = 2 * BAR * cos(ANGLE)
    return ml.Mechanism(
        "toggle clamp",
        planar=True,
        gravity=(0, 0),
        bodies=[
            ml.ground(A=(0, 0), guide=(0, 0)),
            ml.rod("left", length=BAR, mass=0.4),
            ml.rod("right", length=BAR, mass=0.4),
            ml.Body("slide", mass=0.6),
        ],
        joints=[
            ml.Revolute("A", "ground.A", "left.a"),
            ml.Revolute("knee", "left.b", "right.a"),
            ml.Revolute("C", "right.b", "slide.origin"),
            ml.Prismatic("guide", "ground.guide", "slide.origin"),
        ],
        loads=[
            ml.JointSpring("spring", "guide", stiffness=STIFFNESS, rest=out, damping=20.0),
            ml.Force("push", "left.b", (0, -ml.Parameter("P", 11.0))),
        ],
        guess={"left.b": (BAR * cos(ANGLE), BAR * sin(ANGLE)), "right.b": (out, 0)},
    )


def ask(mechanism: ml.Mechanism) -> ml.Result:
    """Simulate the snap-through motion."""
    return ml.simulate(mechanism, start={"A": ANGLE}, until=1.5)


def answer(result: ml.Result) -> str:
    """Answer to the question of this example in a sentence, from the result of `ask`."""
    branch = ml.equilibrium(result.mechanism, along={"P": (0.0, 500.0)})
    load, left = branch.value(branch.folds[0]), degrees(branch.folds[0]["A"].position)
    return f"At {load:.3f} N, when the angle of its bars has decreased from {degrees(ANGLE):.1f}° to {left:.2f}°."
