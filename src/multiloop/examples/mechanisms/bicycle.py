"""A bicycle with a passive rider: two wheels that roll without slip, a tilted steering axis; data of [meijaard]."""

from functools import cache
from math import cos, pi, sin
from typing import Any

import numpy as np
from scipy.optimize import brentq

import multiloop as ml

WHEELBASE, TRAIL, TILT = 1.02, 0.08, pi / 10
REAR, FRONT = 0.3, 0.35
"""Radii of the rear and front wheel, m."""
HEAD, SADDLE = 0.95, 0.65
"""Distance of the steering head from the road along the steering axis, and height of the saddle above the rear axle, in
m; neither affects the motion."""
SPEED = 5.0


def bicycle() -> ml.Mechanism:
    """Build the bicycle: x ahead, y left, z up; frame and fork have their origins at the rear and front wheel
    centres."""
    up, ahead = (-sin(TILT), 0.0, cos(TILT)), (cos(TILT), 0.0, sin(TILT))
    x, z = (
        WHEELBASE + TRAIL - HEAD * sin(TILT),
        HEAD * cos(TILT),
    )  # position of the steering head relative to the contact point of the rear wheel
    axle = ml.marker((0, 0, 0), z=(0, 1, 0), x=(1, 0, 0))
    frame = ml.Body(
        "frame",
        mass=85.0,
        com=(0.3, 0, 0.9 - REAR),
        inertia=[[9.2, 0, -2.4], [0, 11.0, 0], [-2.4, 0, 2.8]],
        markers={
            "axle": axle,
            "head": ml.marker((x, 0, z - REAR), z=up, x=ahead),
            "saddle": (0, 0, SADDLE),
            "peg": (0, 0.1, 0),
        },
    )
    fork = ml.Body(
        "fork",
        mass=4.0,
        com=(0.9 - WHEELBASE, 0, 0.7 - FRONT),
        inertia=[[0.05892, 0, 0.00756], [0, 0.06, 0], [0.00756, 0, 0.00708]],
        markers={"axle": axle, "head": ml.marker((x - WHEELBASE, 0, z - FRONT), z=up, x=ahead)},
    )
    return ml.Mechanism(
        "bicycle",
        bodies=[
            ml.ground(),
            frame,
            fork,
            ml.Body("rear", mass=2.0, inertia=(0.0603, 0.0603, 0.12)),
            ml.Body("front", mass=3.0, inertia=(0.1405, 0.1405, 0.28)),
        ],
        joints=[
            ml.Revolute("head", "frame.head", "fork.head"),
            ml.Revolute("rear axle", "frame.axle", "rear.origin"),
            ml.Revolute("front axle", "fork.axle", "front.origin"),
        ],
        pairs=[
            ml.Rolling("rear contact", "rear.origin", "ground.origin", radius=REAR),
            ml.Rolling("front contact", "front.origin", "ground.origin", radius=FRONT),
        ],
        guess={"frame": (0, 0, REAR, 1, 0, 0, 0), "head": 0.0, "rear axle": 0.0, "front axle": 0.0},
    )


def placed(lean: float = 0.0, steer: float = 0.0) -> dict[str, Any]:
    """Initial position with heading along x, a small lean angle to the right and a steering angle to the left (rad).

    The pitch angle follows from these values, because both wheels are on the road.
    """
    heading = {"frame.origin": (0, 0, None), "frame.peg": (0, None, None)}
    leaning = {"frame.saddle": (None, -SADDLE * sin(lean), None)}
    return {**heading, **leaning, "head": steer, "rear axle": 0.0, "front axle": 0.0}


def moving(speed: float, leaning: float = 0.0, steering: float = 0.0) -> dict[str, Any]:
    """Initial rates: forward speed (m/s), lean rate and steering rate (rad/s)."""
    return {"frame": (speed, None, None, leaning, None, None), "head": steering}


def ask(mechanism: ml.Mechanism) -> ml.Result:
    """Simulate five seconds after a push from the left."""
    return ml.simulate(
        mechanism, start=placed(), rates=moving(SPEED, 0.5), until=5.0, samples=251, rtol=1e-10
    )


def answer(result: ml.Result) -> str:
    """Answer to the question of this example in a sentence, from the result of `ask`."""
    low, high = (
        brentq(lambda v: eigenvalues(v).real.max(), *between) for between in ((4.0, 5.0), (5.0, 7.0))
    )
    weave = max(eigenvalues(SPEED), key=lambda value: value.imag)
    decay = f"each time with {np.exp(2 * np.pi * weave.real / weave.imag):.0%} of the previous amplitude"
    return f"From {low:.2f} to {high:.2f} m/s; pushed at 5 m/s, it sways, {decay}."


def eigenvalues(speed: float) -> np.ndarray:
    """Eigenvalues (1/s) of small motions of lean and steer at a forward speed (m/s).

    The stiffness depends on the square of the speed, and the damping is proportional to the speed.
    """
    part, standing, going = speed / SPEED, slopes(0.0), slopes(SPEED)
    stiffness = standing[:, :2] + (going - standing)[:, :2] * part**2
    return np.linalg.eigvals(np.vstack([np.eye(4)[2:], np.hstack([stiffness, going[:, 2:] * part])]))


@cache
def slopes(speed: float, h: float = 5e-4) -> np.ndarray:
    """Derivatives ∂ÿ/∂y and ∂ÿ/∂ẏ of the accelerations of y = (lean, steer), 2 × 4.

    They are computed at y = ẏ = 0 and the forward speed `speed` (m/s) by central differences with the step h (rad and
    rad/s).
    """
    pairs = [(_second_rates(speed, *way), _second_rates(speed, *-way)) for way in h * np.eye(4)]
    return np.transpose([(high - low) / (2 * h) for high, low in pairs])


def _second_rates(speed: float, lean: float, steer: float, leaning: float, steering: float) -> np.ndarray:
    found = ml.forward(bicycle(), placed(lean, steer), rates=moving(speed, leaning, steering))
    return np.array([found["frame floats"].acceleration[0, 3], found["head"].acceleration[0]])
