"""A valve train: a cam lifts a valve through a bucket tappet, and a spring closes it."""

from math import pi, tau

import numpy as np

import multiloop as ml

LIFT, BASE = 0.007, 0.030
OPEN = 0.45 * tau
"""The cam angle over which the valve is open."""

MASS, STIFFNESS, PRELOAD = 0.12, 24e3, 220.0
"""Mass of valve, tappet and spring retainer together; stiffness and preload of the spring."""

RATED = ml.rpm(2500)
"""Speed of the camshaft, half the speed of the engine."""

TOP = 0.12
"""Position of the spring seat on the cylinder head, above the axis of the cam."""


def program(lift: float = LIFT) -> ml.Expression:
    """The lift l = L sin⁴(π u), u relative to the opening angle: the acceleration has no jump at the ends."""
    u = ml.expr.clip(ml.cam_angle / OPEN, 0.0, 1.0)
    return lift * ml.expr.sin(pi * u) ** 4


def valve_train(speed: float = RATED) -> ml.Mechanism:
    """The camshaft rotates at a constant speed, in rad/s."""
    rest = TOP - BASE
    return ml.Mechanism(
        "valve train",
        planar=True,
        bodies=[
            ml.ground(O=(0, 0), guide=ml.marker((0, 0), angle=pi / 2), head=(0, TOP)),
            ml.Body("camshaft", mass=1.2, inertia=2e-4),
            ml.Body(
                "valve",
                mass=MASS,
                com=(0, 0.03),
                markers={"face": (0, 0), "stem": ml.marker((0, 0), angle=pi / 2)},
            ),
        ],
        joints=[
            ml.Revolute("O", "ground.O", "camshaft.origin"),
            ml.Prismatic("guide", "ground.guide", "valve.stem"),
        ],
        pairs=[ml.Cam("cam", "camshaft.origin", "valve.face", lift=program(), base=BASE)],
        loads=[
            ml.Spring(
                "spring", "valve.face", "ground.head", stiffness=STIFFNESS, length=rest + PRELOAD / STIFFNESS
            )
        ],
        drives=[ml.Motion("O", ml.motion_laws.constant_speed(speed))],
        guess={"guide": BASE},
    )


def ask(mechanism: ml.Mechanism) -> ml.Result:
    """Contact force and torque over one revolution of the cam."""
    return ml.inverse(mechanism, cycle=721)


def answer(result: ml.Result) -> str:
    """The answer in a sentence, from the result of `ask`."""
    least = result["cam"].normal.min()
    return (
        f"Up to {floating_speed(result.mechanism) / ml.rpm(1):.0f} rpm of the camshaft; at {RATED / ml.rpm(1):.0f} rpm "
        f"at least {least:.0f} N are left."
    )


def floating_speed(mechanism: ml.Mechanism) -> float:
    """The camshaft speed, in rad/s, at which the contact force vanishes at one angle; the force is linear in ω²."""
    low, high = (
        ml.inverse(valve_train(speed), t=[k * tau / 3600 / speed for k in range(3600)])["cam"].normal
        for speed in (RATED / 2, RATED)
    )
    per_square = (high - low) / (0.75 * RATED**2)
    still = low - per_square * (RATED / 2) ** 2
    falling = per_square < 0
    return float(np.sqrt((still[falling] / -per_square[falling]).min()))
