"""How much faster does the ram of a shaper return than it cuts?

Check: the lever turns back where the crank stands across it, 30° = arcsin(r/c) off the middle; so the crank has
180° + 60° for the cut and 180° − 60° for the way back, 2 : 1. The stroke is 2 L r/c, and over a turn the torque does
the work of the cutting force along it.
Source: the crank and slotted lever of every course on mechanisms; dimensions and masses are ours.
"""

from functools import cache
from math import pi

import numpy as np
from scipy.integrate import trapezoid

import multiloop as ml
from multiloop.cli.demonstration import demonstrate
from multiloop.examples.mechanisms.shaper import CRANK, CUTTING_FORCE, HEIGHT, LEVER

STROKE = 2 * LEVER * CRANK / HEIGHT
EXPECTED = {
    "time of the cut to that of the return": (2.0, 0.01, ""),
    "stroke": (STROKE, 1e-9, "m"),
    "mean torque": (CUTTING_FORCE * STROKE / (2 * pi), 0.02, "N m"),
}

mechanism = ml.examples.shaper()
solve = cache(lambda: ml.inverse(mechanism, cycle=1441))


def results():
    ram, crank = solve()["guide"], solve()["O"]
    cuts = ram.rate[:-1] < 0
    return {
        "time of the cut to that of the return": cuts.sum() / (~cuts).sum(),
        "stroke": np.ptp(ram.position),
        "mean torque": trapezoid(crank.effort, crank.position) / (2 * pi),
    }


def answer():
    found, speed = results(), abs(solve()["guide"].rate)
    cutting = speed[solve()["guide"].rate < 0].max()
    return (
        f"In half the time: {found['time of the cut to that of the return']:.2f} to 1. It cuts at up to {cutting:.2f} m/s, "
        f"returns at up to {speed.max():.2f} m/s, and takes up to {abs(solve()['O'].effort).max():.0f} N m."
    )


def figure():
    return solve().plot(drawing=True, traces=["ram.tool"])


def main():
    demonstrate(
        "shaper", mechanism, solve=solve, results=results, expected=EXPECTED, figure=figure, answer=answer
    )


if __name__ == "__main__":
    main()
