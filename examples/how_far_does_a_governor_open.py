"""How far does a fly-ball governor open, and at which frequency does it oscillate?

Check: with arms l, balls m and a sleeve M, cos φ = (m + M) g / (m Ω² l), and small swings have
ω² = Ω² sin²φ / (1 + 2 (M/m) sin²φ). Below Ω² = (m + M) g / (m l) it hangs closed.
Source: Porter's governor, in every course on the theory of machines; dimensions are ours.
"""

from functools import cache
from math import acos, pi, sin, sqrt

from matplotlib.figure import Figure

import multiloop as ml
from multiloop.cli.demonstration import demonstrate
from multiloop.examples.mechanisms.governor import ARM, BALL, SLEEVE, SPEED

mechanism = ml.examples.governor()


def opened(speed):
    return acos((BALL + SLEEVE) * 9.81 / (BALL * speed**2 * ARM))


def swing(speed):
    half = sin(opened(speed)) ** 2
    return speed * sqrt(half / (1 + 2 * SLEEVE / BALL * half))


CLOSED = sqrt((BALL + SLEEVE) * 9.81 / (BALL * ARM))
EXPECTED = {
    "open": (opened(SPEED), 1e-12, "rad"),
    "swing": (swing(SPEED), 1e-11, "rad/s"),
    "opens at": (CLOSED, 1e-8, "rad/s"),
}

steady = cache(lambda: ml.equilibrium(mechanism))
followed = cache(lambda: ml.equilibrium(mechanism, along={"Omega": (20.0, CLOSED - 0.5)}))
solve = cache(lambda: steady().result)


def results():
    return {
        "open": pi / 2 - steady()["arm pin 1"].position,
        "swing": ml.eigenmodes(mechanism, steady()).frequencies[0],
        "opens at": followed().value(followed().folds[0]),
    }


def answer():
    return ml.examples.answer("governor", solve())


def figure():
    page = Figure(figsize=(10, 4.8))
    steady().draw(axes=page.add_axes((0, 0, 0.42, 1), projection="3d"))
    axes = page.add_axes((0.55, 0.13, 0.43, 0.8), xlabel="speed (rad/s)", ylabel="height of the sleeve (m)")
    followed().plot(show="slide", axes=axes)
    return page


def main():
    demonstrate(
        "governor", mechanism, solve=solve, results=results, expected=EXPECTED, figure=figure, answer=answer
    )


if __name__ == "__main__":
    main()
