"""A thin inclined disc that rolls in a circle on a horizontal floor."""

from math import cos, hypot, pi, radians, sin
from typing import Any

from scipy.optimize import brentq

import multiloop as ml

MASS, RADIUS, LEAN, AROUND = 1.2, 0.3, radians(25.0), 1.0
"""Mass (kg) and radius (m) of the disc, its inclination (rad), and the radius (m) of the circle of its centre."""
DIAMETER_INERTIA, AXLE_INERTIA = MASS * RADIUS**2 / 4, MASS * RADIUS**2 / 2
PLACE = (AROUND, 0.0, RADIUS * cos(LEAN), cos(pi / 4 - LEAN / 2), 0.0, sin(pi / 4 - LEAN / 2), 0.0)
"""Initial position and quaternion of the disc on the x axis; its axle points outward and up."""


def rolling_disc() -> ml.Mechanism:
    """Build a disc that rolls on a floor; the axle is the z axis of the disc."""
    inertia = (DIAMETER_INERTIA, DIAMETER_INERTIA, AXLE_INERTIA)
    return ml.Mechanism(
        "rolling disc",
        bodies=[ml.ground(), ml.Body("disc", mass=MASS, inertia=inertia)],
        pairs=[ml.Rolling("contact", "disc.origin", "ground.origin", radius=RADIUS)],
        guess={"disc": PLACE},
    )


def start(precession: float) -> dict[str, Any]:
    """Initial state of rolling without slip at the precession rate Ω.

    ω = Ω k + s a with the vertical k, the axle a and the spin s; Ω ρ = −(s + Ω sin α) R, with ρ = AROUND, α = LEAN and
    the radius R of the disc.
    """
    spin = -precession * (AROUND + RADIUS * sin(LEAN)) / RADIUS
    omega = (spin * cos(LEAN), 0.0, precession + spin * sin(LEAN))
    return {"start": {"disc": PLACE}, "rates": {"disc": (None, None, None, *omega)}}


def ask(mechanism: ml.Mechanism) -> ml.Result:
    """Simulate four seconds from a precession rate near that of steady motion: the disc oscillates."""
    return ml.simulate(mechanism, **start(1.9), until=4.0, samples=201, rtol=1e-10)


def answer(result: ml.Result) -> str:
    """Answer to the question of this example in a sentence, from the result of `ask`."""
    rate = steady_rate(result.mechanism)
    held = ml.forward(result.mechanism, start(rate)["start"], rates=start(rate)["rates"])["contact"].force[0]
    grip = hypot(*held[:2]) / (MASS * 9.81)
    return f"{rate:.4f} rad/s, one turn in {2 * pi / rate:.2f} s; the friction force is {grip:.3f} of its weight."


def steady_rate(mechanism: ml.Mechanism) -> float:
    """Precession rate Ω (rad/s) at which the vertical acceleration of the disc's centre is zero."""

    def rising(precession: float) -> float:
        at, rates = start(precession).values()
        return float(ml.forward(mechanism, at, rates=rates)["disc floats"].acceleration[0, 2])

    return float(brentq(rising, 1.0, 4.0, xtol=1e-13))
