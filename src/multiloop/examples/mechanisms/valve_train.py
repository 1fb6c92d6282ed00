"""A valve train: a cam lifts a valve through a bucket tappet, and a spring closes it."""

from math import pi, tau

import numpy as np

import multiloop as ml

LIFT, BASE = 0.007, 0.030
OPEN = 0.45 * tau
"""Cam angle (rad) over which the valve is open."""

MASS, STIFFNESS, PRELOAD = 0.12, 24e3, 220.0
"""Total mass of valve, tappet and spring retainer (kg); stiffness (N/m) and preload (N) of the spring."""

RATED = ml.rpm(2500)
"""Rated speed of the camshaft (rad/s), half the speed of the engine."""

TOP = 0.12
"""Height of the spring seat on the cylinder head above the axis of the cam, m."""


def program(lift: float = LIFT) -> ml.Expression:
    """Lift law l = L sin⁴(π u) with the largest lift L (`lift`, m) and u = (cam angle) / (opening angle); its
    acceleration is continuous."""
    u = ml.expr.clip(ml.cam_angle / OPEN, 0.0, 1.0)
    return lift * ml.expr.sin(pi * u) ** 4


def valve_train(speed: float = RATED) -> ml.Mechanism:
    """Build a valve train whose camshaft rotates at a constant speed (rad/s)."""
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
    """Compute contact force and torque over one revolution of the cam."""
    return ml.inverse(mechanism, cycle=721)


def answer(result: ml.Result) -> str:
    """Answer to the question of this example in a sentence, from the result of `ask`."""
    least = result["cam"].normal.min()
    return (
        f"Up to {floating_speed(result.mechanism) / ml.rpm(1):.0f} rpm of the camshaft; at {RATED / ml.rpm(1):.0f} rpm "
        f"the contact force is at least {least:.0f} N."
    )


def floating_speed(mechanism: ml.Mechanism) -> float:
    """Camshaft speed ω (rad/s) above which the contact force, linear in ω², becomes zero at some angle."""
    low, high = (
        ml.inverse(valve_train(speed), t=[k * tau / 3600 / speed for k in range(3600)])["cam"].normal
        for speed in (RATED / 2, RATED)
    )
    per_square = (high - low) / (0.75 * RATED**2)
    still = low - per_square * (RATED / 2) ** 2
    falling = per_square < 0
    return float(np.sqrt((still[falling] / -per_square[falling]).min()))
