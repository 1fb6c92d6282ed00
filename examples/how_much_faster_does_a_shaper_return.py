"""How much faster does the ram of a shaper return than it cuts?

Check: the lever turns back where the crank stands across it, 30° = arcsin(r/c) off the middle; so the crank has
180° + 60° for the cut and 180° − 60° for the way back, 2 : 1. The stroke is 2 L r/c, and over a turn the torque does
the work of the cutting force along it.
Source: the crank and slotted lever of every course on mechanisms; dimensions and masses are ours.
"""

from functools import cache
from math import pi

import numpy as np
from matplotlib.figure import Figure
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
    return ml.examples.answer("shaper", solve())


def figure():
    page, angle, speed = Figure(figsize=(10, 4.6)), np.degrees(solve()["O"].position), solve()["guide"].rate
    mechanism.draw(axes=page.add_axes((0, 0, 0.5, 1)), traces=[solve().marker("ram.tool")])
    axes = page.add_axes(
        (0.58, 0.13, 0.4, 0.8), xlabel="angle of the crank (°)", ylabel="speed of the ram (m/s)"
    )
    axes.plot(angle, speed)
    axes.fill_between(angle, speed, where=speed < 0, alpha=0.25, label="cut")
    axes.fill_between(angle, speed, where=speed > 0, alpha=0.25, label="return")
    axes.set(xlim=(0, 360), xticks=range(0, 361, 45))
    axes.legend(frameon=False, loc="upper left")
    return page


def main():
    demonstrate(
        "shaper", mechanism, solve=solve, results=results, expected=EXPECTED, figure=figure, answer=answer
    )


if __name__ == "__main__":
    main()
