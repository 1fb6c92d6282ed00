"""What torques take a vehicle on two driven wheels and a castor along a lane change?

Check: when it speeds up most, by 2π L/T², it still goes straight, and each motor gives half of (m + Σ I/r²) a r, the
castor among them. The driven wheels follow the nose as a trailer does, ψ̇ = (ẏ cos ψ − ẋ sin ψ) / l, and stay on the
path that this gives. The nose is on its path, and no wheel slips.
Source: the three-wheeled vehicles of Saha's papers; dimensions and masses are ours.
"""

from functools import cache
from math import pi

import numpy as np
from matplotlib.figure import Figure
from scipy.integrate import solve_ivp

import multiloop as ml
from multiloop.cli.demonstration import demonstrate
from multiloop.examples.mechanisms import automatic_guided_vehicle as agv

MASS = agv.PLATFORM_MASS + 2 * agv.WHEEL_MASS + agv.FORK_MASS + agv.CASTOR_MASS
MASS += 2 * agv.WHEEL_INERTIA / agv.RADIUS**2 + agv.CASTOR_INERTIA / agv.CASTOR**2
TORQUE = MASS * 2 * pi * agv.LENGTH / agv.DURATION**2 * agv.RADIUS / 2
EXPECTED = {
    "torque of each motor after 1 s": (TORQUE, 1e-6, "N m"),
    "heading at the end, less that by hand": (0.0, 1e-7, "rad"),
    "nose off its path": (0.0, 1e-12, "m"),
    "constraints open by": (0.0, 1e-12, ""),
}

mechanism = ml.examples.automatic_guided_vehicle()
solve = cache(lambda: ml.examples.ask("automatic_guided_vehicle"))


def nose(t):
    """By hand: where it is, and its velocity."""
    u = np.clip([t / agv.DURATION, 2 * t / agv.DURATION - 0.5], 0, 1)
    way, T = np.array([agv.LENGTH, agv.LANE]), np.array([agv.DURATION, agv.DURATION / 2])
    return way * (u - np.sin(2 * pi * u) / (2 * pi)) + (agv.NOSE, 0), way / T * (1 - np.cos(2 * pi * u))


def turning(t, psi):
    return (nose(t)[1][1] * np.cos(psi) - nose(t)[1][0] * np.sin(psi)) / agv.NOSE


def results():
    found, after = solve(), np.searchsorted(solve().time, agv.DURATION / 4)
    by_hand = solve_ivp(turning, (0, agv.DURATION), [0.0], rtol=1e-11, atol=1e-12, max_step=0.05).y[0, -1]
    side = found.marker("platform.left")[-1] - found.marker("platform.right")[-1]
    off = found.marker("platform.nose")[:, :2] - [nose(t)[0] for t in found.time]
    torque, heading = found["right motor"].effort[after], np.arctan2(-side[0], side[1])
    numbers = (torque, heading - by_hand, np.abs(off).max(), found.constraint_violation.max())
    return dict(zip(EXPECTED, numbers, strict=True))


def answer():
    return ml.examples.answer("automatic_guided_vehicle", solve())


def figure():
    page = Figure(figsize=(10, 6.4))
    mechanism.draw(axes=page.add_axes((0, 0.38, 0.52, 0.62), projection="3d"))
    solve().plot(show=["efforts", "loads"], axes=[page.add_axes((0.58, y, 0.4, 0.37)) for y in (0.57, 0.08)])
    points = ["platform.nose", "platform.origin", "castor.origin"]
    solve().plot(show="paths", of=points, axes=page.add_axes((0.07, 0.08, 0.43, 0.2)))
    return page


def main():
    told = {"expected": EXPECTED, "figure": figure, "answer": answer}
    demonstrate("vehicle", mechanism, solve=solve, results=results, **told)


if __name__ == "__main__":
    main()
