"""When does a belt slip that accelerates a fan?

Check: it pulls with (J α + k ω²) / r₂ at the fan; under the pretension T₀ it holds up to Euler's limit,
2 T₀ (e^μβ − 1) / (e^μβ + 1), β = π − 2 asin((r₂ − r₁)/a) on the smaller pulley. Both tensions add up to 2 T₀ and load
the bearings even at rest. Run up in half the time it slips.
Source: L. Euler on the rope around a drum; dimensions are ours.
"""

from functools import cache
from math import asin, cos, exp, pi

import numpy as np
from matplotlib.figure import Figure

import multiloop as ml
from multiloop.cli.demonstration import demonstrate
from multiloop.examples.mechanisms.belt_drive import AXES, DRAG, FAN, FRICTION, PRETENSION, RADII, SPEED, TIME

mechanism = ml.examples.belt_drive()
DELTA, RATIO = asin((RADII[1] - RADII[0]) / AXES), RADII[0] / RADII[1]
GROWTH = exp(FRICTION * (pi - 2 * DELTA))


def pull(t):
    """Belt force at the rim, by hand."""
    acceleration = SPEED / TIME * (1 - np.cos(2 * pi * t / TIME)) * RATIO
    rate = SPEED / TIME * (t - TIME / 2 / pi * np.sin(2 * pi * t / TIME)) * RATIO
    return (FAN * acceleration + DRAG * rate**2) / RADII[1]


EXPECTED = {
    "pull halfway": (pull(TIME / 2), 1e-8, "N"),
    "limit": (2 * PRETENSION * (GROWTH - 1) / (GROWTH + 1), 1e-9, "N"),
    "tight span": (PRETENSION + pull(TIME / 2) / 2, 1e-8, "N"),
    "bearing at rest": (2 * PRETENSION * cos(DELTA), 1e-8, "N"),
    "slips in half the time": (1, 0, ""),
}

solve = cache(lambda time=TIME: ml.inverse(ml.examples.belt_drive(time), t=np.linspace(0.0, time, 121)))


def slips(belt):
    return bool((np.abs(belt.tangential) > belt.limit).any())


def results():
    belt, rest = solve()["belt"], solve()["fan shaft"].force[0, 0]
    slipping = slips(solve(TIME / 2)["belt"]) and not slips(belt)
    numbers = (abs(belt.tangential[60]), belt.limit[0], belt.tight[60], rest, int(slipping))
    return dict(zip(EXPECTED, numbers, strict=True))


def answer():
    return ml.examples.answer("belt_drive", solve())


def figure():
    page = Figure(figsize=(10, 4.2))
    mechanism.draw(axes=page.add_axes((0, 0, 0.56, 1)))
    axes = page.add_axes((0.63, 0.14, 0.35, 0.78), xlabel="time (s)", ylabel="belt force (N)")
    for time in (TIME, TIME / 2):
        axes.plot(solve(time).time, np.abs(solve(time)["belt"].tangential), label=f"run up in {time:g} s")
    axes.axhline(solve()["belt"].limit[0], color="0.4", ls="--", label="limit")
    axes.legend(frameon=False, loc="lower right")
    return page


def main():
    told = {"expected": EXPECTED, "figure": figure, "answer": answer}
    demonstrate("belt", mechanism, solve=solve, results=results, **told)


if __name__ == "__main__":
    main()
