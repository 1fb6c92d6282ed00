"""The hexapod once more, under control: let go beside its path, computed torque draws it back."""

import multiloop as ml
from multiloop.examples.mechanisms.hexapod import HEIGHT, RADIUS, hexapod

OMEGA = 20.0
BESIDE = (0.006, -0.008, 0.0)
"""How far from the path the platform begins, at rest and level, in m."""

LAW = ml.ComputedTorque(kp=OMEGA**2, kd=2 * OMEGA)


def stewart_platform() -> ml.Mechanism:
    """The path round the circle is what is desired; the six actuators in the legs are commanded."""
    return hexapod()


def ask(mechanism: ml.Mechanism) -> ml.Result:
    """The way back onto the path."""
    x, y, z = BESIDE
    start = {"platform": (RADIUS + x, y, HEIGHT + z, 1.0, 0.0, 0.0, 0.0)}
    return ml.simulate(mechanism, control=LAW, start=start, until=1.0, outputs=101)
