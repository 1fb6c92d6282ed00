"""A thin disc that leans and rolls round in a circle on a level floor."""

from math import cos, pi, radians, sin
from typing import Any

import multiloop as ml

MASS, RADIUS, LEAN, AROUND = 1.2, 0.3, radians(25.0), 1.0
"""The centre goes round on a circle of one metre."""
DIAMETER_INERTIA, AXLE_INERTIA = MASS * RADIUS**2 / 4, MASS * RADIUS**2 / 2
PLACE = (AROUND, 0.0, RADIUS * cos(LEAN), cos(pi / 4 - LEAN / 2), 0.0, sin(pi / 4 - LEAN / 2), 0.0)
"""On the x axis; the axle points outward and up."""


def rolling_disc() -> ml.Mechanism:
    """The axle is z of the disc."""
    inertia = (DIAMETER_INERTIA, DIAMETER_INERTIA, AXLE_INERTIA)
    return ml.Mechanism(
        "rolling disc",
        bodies=[ml.ground(), ml.Body("disc", mass=MASS, inertia=inertia)],
        pairs=[ml.Rolling("contact", "disc.origin", "ground.origin", radius=RADIUS)],
        guess={"disc": PLACE},
    )


def start(precession: float) -> dict[str, Any]:
    """`start` and `rates` of going round so fast: ω = Ω k + s a, a the axle, and no slip, Ω ρ = −(s + Ω sin α) R."""
    spin = -precession * (AROUND + RADIUS * sin(LEAN)) / RADIUS
    omega = (spin * cos(LEAN), 0.0, precession + spin * sin(LEAN))
    return {"start": {"disc": PLACE}, "rates": {"disc": (None, None, None, *omega)}}


def ask(mechanism: ml.Mechanism) -> ml.Result:
    """Four seconds at a rate that is near the steady one: it sways."""
    return ml.simulate(mechanism, **start(1.9), until=4.0, outputs=201, rtol=1e-10)
