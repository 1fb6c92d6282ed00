"""At which rate must an inclined disc roll around a circle, so that its inclination is constant?

Check: moments about the point of contact, (C + m R²) ω₃ Ω cos α = A Ω² sin α cos α − m g R sin α, with the spin
ω₃ = −Ω ρ/R of a disc that does not slip; α is the lean, ρ the radius of the circle of its centre. Then it goes round
ten times at the same height, and presses with its weight.
Source: the rolling disc of every course on dynamics; its size is ours.
"""

from functools import cache
from math import cos, pi, sin, sqrt

import numpy as np
from matplotlib.figure import Figure

import multiloop as ml
from multiloop.cli.demonstration import demonstrate
from multiloop.examples.mechanisms.rolling_disc import AROUND, LEAN, MASS, RADIUS, start, steady_rate

A, C = MASS * RADIUS**2 / 4, MASS * RADIUS**2 / 2
STIFF = A * sin(LEAN) + (C + MASS * RADIUS**2) * AROUND / RADIUS
EXPECTED = {
    "rate of going round": (sqrt(MASS * 9.81 * RADIUS * sin(LEAN) / (cos(LEAN) * STIFF)), 1e-9, "rad/s"),
    "rise or fall in ten turns": (0.0, 1e-8, "m"),
    "force on the floor": (MASS * 9.81, 1e-7, "N"),
}

mechanism = ml.examples.rolling_disc()
steady = cache(lambda: steady_rate(mechanism))


@cache
def solve():
    turns = {"until": 10 * 2 * pi / steady(), "samples": 601, "rtol": 1e-11}
    return ml.simulate(mechanism, **start(steady()), **turns)


def results():
    height, force = solve().marker("disc.origin")[:, 2], -solve()["contact"].force[-1, 2]
    return dict(zip(EXPECTED, (steady(), np.ptp(height), force), strict=True))


def answer():
    return ml.examples.answer("rolling_disc", solve())


def figure():
    page, faster = Figure(figsize=(7, 5)), start(1.08 * steady())
    runs = solve(), ml.simulate(mechanism, **faster, until=6.0, samples=601)
    axes = page.add_axes((0, 0, 1, 1), projection="3d")
    mechanism.draw(axes=axes, traces=[run.marker("disc.origin") for run in runs])
    page.text(0.5, 0.93, "paths of the centre: steady (solid), and started 8 % faster (dashed)", ha="center")
    return page


def main():
    told = {"expected": EXPECTED, "figure": figure, "answer": answer}
    demonstrate("rolling_disc", mechanism, solve=solve, results=results, **told)


if __name__ == "__main__":
    main()
