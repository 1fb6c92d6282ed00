"""A toggle press: a cylinder straightens two links, and the force of the ram grows towards the dead centre."""

from math import cos, hypot, pi, radians, sin

import multiloop as ml

LINK, FOOT = 0.4, 1.0
BARREL = 0.5
PUSH = 20e3
FROM, TO = radians(30.0), radians(0.5)
"""Initial and final angle (rad) between the upper link and the line of the ram."""


def reach(angle: float) -> float:
    """Length of the cylinder (m) at a given angle (rad) between the upper link and the line of the ram."""
    return hypot(FOOT - LINK * sin(angle), LINK - LINK * cos(angle))


def toggle_press() -> ml.Mechanism:
    """Build a press whose cylinder pushes with 20 kN; the workpiece force is an unknown effort at the ram's guide."""
    knee = (-LINK * sin(FROM), -LINK * cos(FROM))
    stroke = [reach(angle) - BARREL for angle in (FROM, TO)]
    return ml.Mechanism(
        "toggle press",
        planar=True,
        bodies=[
            ml.ground(A=(0, 0), guide=ml.marker((0, 0), angle=-pi / 2), foot=(-FOOT, -LINK)),
            ml.rod("upper", length=LINK, mass=20.0),
            ml.rod("lower", length=LINK, mass=20.0),
            ml.Body("ram", mass=80.0, com=(0.1, 0)),
            ml.rod("barrel", length=BARREL, mass=0.0),
            ml.rod("piston", length=BARREL, mass=0.0),
        ],
        joints=[
            ml.Revolute("A", "ground.A", "upper.a"),
            ml.Pin("knee", carrier="upper.b", others=["lower.a", "piston.b"]),
            ml.Revolute("ram pin", "lower.b", "ram.origin"),
            ml.Prismatic("guide", "ground.guide", "ram.origin"),
            ml.Revolute("foot", "ground.foot", "barrel.a"),
            ml.Prismatic("cylinder", "barrel.a", "piston.a"),
        ],
        drives=[ml.Motion("cylinder", ml.motion_laws.cycloidal(*stroke, duration=1.0))],
        actuators=[ml.Actuator("cylinder", effort=PUSH), ml.Actuator("guide")],
        guess={"upper.b": knee, "lower.b": (0, 2 * knee[1])},
    )


def ask(mechanism: ml.Mechanism) -> ml.Result:
    """Compute the force of the ram over its stroke."""
    return ml.inverse(mechanism, t=[k / 200 for k in range(201)])


def answer(result: ml.Result) -> str:
    """Answer to the question of this example in a sentence, from the result of `ask`."""
    last = -result["guide"].effort[-1]
    return f"With {last / 1e6:.2f} MN at 0.5° from it, {last / PUSH:.0f} times the {PUSH / 1e3:.0f} kN of its cylinder."
