"""The hexapod under computed-torque control: released off its path, it converges to the path."""

import numpy as np

import multiloop as ml
from multiloop.examples.mechanisms.hexapod import HEIGHT, RADIUS, hexapod

OMEGA = 20.0
BESIDE = (0.006, -0.008, 0.0)
"""Initial displacement of the platform from the path (m); it is initially horizontal and at rest."""

LAW = ml.ComputedTorque(kp=OMEGA**2, kd=2 * OMEGA)


def stewart_platform() -> ml.Mechanism:
    """Build the hexapod with six controlled leg actuators; the desired path is a circle."""
    return hexapod()


def ask(mechanism: ml.Mechanism) -> ml.Result:
    """Simulate the return of the platform to its path."""
    x, y, z = BESIDE
    start = {"platform": (RADIUS + x, y, HEIGHT + z, 1.0, 0.0, 0.0, 0.0)}
    return ml.simulate(mechanism, control=LAW, start=start, until=1.0, samples=101)


def answer(result: ml.Result) -> str:
    """Answer to the question of this example in a sentence, from the result of `ask`."""
    off = 1e3 * np.linalg.norm([result.errors[f"platform.origin.{axis}"] for axis in "xyz"], axis=0)
    back = result.time[np.flatnonzero(off > 0.1)[-1]]
    return f"It is {off.max():.1f} mm off at most, and within 0.1 mm of its path after {back:.2f} s."
