"""Andrews' squeezing mechanism: seven bodies and a spring, driven by a motor of constant torque."""

from math import tau

import multiloop as ml

ANGLES = {
    "beta": -0.0617138900142764496,
    "Theta": 0.0,
    "gamma": 0.455279819163070380,
    "Phi": 0.222668390165885885,
    "delta": 0.487364979543842550,
    "Omega": -0.222668390165885885,
    "epsilon": 1.230547444549821192,
}
"""Initial angles (rad) of the seven bodies, as published."""

START = {"beta": ANGLES["beta"]}

BODIES = {
    "K1": (0.04325, 2.194e-6, (0.00092, 0), {"e": (0.007, 0)}),
    "K2": (0.00365, 4.410e-7, (-0.0115, 0), {"e": (-0.028, 0)}),
    "K3": (0.02373, 5.255e-6, (0.01874, 0.01043), {"e": (0, -0.035), "d": (0.02, -0.018)}),
    "K4": (0.00706, 5.667e-7, (0, -0.00579), {"e": (0, -0.02)}),
    "K5": (0.07050, 1.169e-5, (0.02308, 0.00916), {"e": (0.04, 0)}),
    "K6": (0.00706, 5.667e-7, (0.00579, 0), {"e": (0.02, 0)}),
    "K7": (0.05498, 1.912e-5, (0.01228, 0.00449), {"e": (0, -0.04)}),
}
"""Mass (kg), inertia (kg m²), mass centre and markers (m) of each body, in a frame at the pin that connects it to the
previous body of its chain."""

PINS = ("ground.O", "K1.e", "ground.B", "K5.e", "ground.A", "K7.e", "ground.A")


def andrews_squeezer() -> ml.Mechanism:
    """Build Andrews' squeezing mechanism; the joint coordinates are the angles of the seven bodies.

    Source: E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, §VII.7.
    """
    inboard = zip(ANGLES, PINS, BODIES, strict=True)
    return ml.Mechanism(
        "squeezer",
        planar=True,
        gravity=(0, 0),
        bodies=[
            ml.ground(O=(0, 0), A=(-0.06934, -0.00227), B=(-0.03635, 0.03273), C=(0.014, 0.072)),
            *(
                ml.Body(name, mass=m, inertia=i, com=c, markers=at, outline=("origin", *at))
                for name, (m, i, c, at) in BODIES.items()
            ),
        ],
        joints=[
            *(ml.Revolute(angle, pin, f"{body}.origin") for angle, pin, body in inboard),
            ml.Pin("P", "K2.e", ["K3.e", "K4.e", "K6.e"]),
        ],
        loads=[
            ml.Torque("motor", "K1", 0.033),
            ml.Spring("spring", "ground.C", "K3.d", stiffness=4530.0, length=0.07785),
        ],
        guess=ANGLES,
    )


def ask(mechanism: ml.Mechanism) -> ml.Result:
    """Simulate the motion over the 0.03 s of the published test."""
    return ml.simulate(mechanism, start=START, until=0.03, rtol=1e-12)


def answer(result: ml.Result) -> str:
    """Answer to the question of this example in a sentence, from the result of `ask`."""
    turned = (result["beta"].position[-1] - START["beta"]) / tau
    push = -result["spring"].force
    force = f"{push.min():.0f} to {push.max():.0f} N"
    return f"Its crank makes {turned:.2f} turns in 0.03 s; the spring pushes with {force}."
