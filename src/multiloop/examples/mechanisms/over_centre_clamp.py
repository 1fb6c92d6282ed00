"""An over-centre clamp: a toggle linkage is pushed past its dead-centre position onto a stop, and stays closed."""

from math import cos, sin

import multiloop as ml

BAR = 0.1
TOUCH, BEYOND = ml.deg(8), ml.deg(3)
"""Angles of the bars (rad) at which the pad touches the workpiece, and at the stop beyond the dead-centre position."""
WORKPIECE, STOP = 5e5, 4e3
"""Stiffness of workpiece and frame along the slide (N/m), and of the stop about the pin (N m/rad)."""
PUSH, RELEASE = 150.0, 0.3
"""Force of the hand at the knee joint (N), and time of its release (s)."""


def over_centre_clamp() -> ml.Mechanism:
    """Build a clamp in a horizontal plane; the force of the hand acts on the knee joint."""
    hand = -PUSH * ml.expr.clip((RELEASE - ml.time) / 0.02, 0.0, 1.0)
    return ml.Mechanism(
        "over-centre clamp",
        planar=True,
        gravity=(0, 0),
        bodies=[
            ml.ground(A=(0, 0), guide=(0, 0)),
            ml.rod("left", length=BAR, mass=0.2),
            ml.rod("right", length=BAR, mass=0.2),
            ml.Body("pad", mass=0.3),
        ],
        joints=[
            ml.Revolute("A", "ground.A", "left.a"),
            ml.Revolute("knee", "left.b", "right.a"),
            ml.Revolute("C", "right.b", "pad.origin"),
            ml.Prismatic("guide", "ground.guide", "pad.origin"),
        ],
        loads=[
            ml.Force("hand", "left.b", (0, hand)),
            ml.Stop("workpiece", "guide", high=2 * BAR * cos(TOUCH), stiffness=WORKPIECE, damping=400.0),
            ml.Stop("stop", "A", low=-BEYOND, stiffness=STOP, damping=4.0),
            ml.JointSpring("grease", "A", damping=4.0),
        ],
        guess={"left.b": (BAR * cos(0.4), BAR * sin(0.4)), "right.b": (2 * BAR * cos(0.4), 0)},
    )


def ask(mechanism: ml.Mechanism) -> ml.Result:
    """Simulate the closing motion."""
    return ml.simulate(mechanism, start={"A": 0.4}, until=0.5)


def answer(result: ml.Result) -> str:
    """Answer to the question of this example in a sentence, from the result of `ask`."""
    mechanism, closed = result.mechanism, float(result.time[-1])
    rest = ml.equilibrium(mechanism, start={"A": float(result["A"].position[-1])}, t=closed).result
    lifted = ml.inverse(mechanism, state={"A": -BEYOND}, accelerations={"A": 0.0}, t=closed)
    opening = lifted["A"].effort[0] / (BAR * cos(BEYOND))
    return (
        f"With {-rest['workpiece'].effort[0]:.1f} N ({-result['workpiece'].effort.min():.0f} N while it closes); "
        f"a force of {opening:.1f} N at the knee opens it."
    )
