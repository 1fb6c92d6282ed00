"""How hard does a toggle press push near its dead point?

Check: by virtual work, with s² = (c − l sin α)² + (l − l cos α)² of the cylinder, the ram at rest pushes with
P (c cos α − l sin α) / (2 s sin α) + g (m + M), m of a link and M of the ram; near α = 0 with P / (2 tan α). At α = 0
no force of the ram holds against the cylinder: the question is refused.
Source: the toggle of every course on statics; dimensions and masses are ours.
"""

from functools import cache
from math import cos, sin

import numpy as np
from matplotlib.figure import Figure

import multiloop as ml
from multiloop.cli.demonstration import demonstrate
from multiloop.examples.mechanisms.toggle_press import BARREL, FOOT, FROM, LINK, PUSH, TO, reach

mechanism = ml.examples.toggle_press()


def by_hand(angle):
    pushed = PUSH * (FOOT * cos(angle) - LINK * sin(angle)) / (2 * reach(angle) * sin(angle))
    return pushed + 9.81 * (mechanism.body("upper").mass + mechanism.body("ram").mass)


EXPECTED = {"at 30°": (by_hand(FROM), 1e-6, "N"), "at 0.5°": (by_hand(TO), 0.1, "N"), "refused": (1, 0, "")}

solve = cache(lambda: ml.inverse(mechanism, t=np.linspace(0.0, 1.0, 201)))


def refused():
    """Whether the question is refused where the knee is straight."""
    straight = mechanism.replace(drives=[ml.Motion("cylinder", reach(0.0) - BARREL)])
    try:
        ml.inverse(straight, t=0.0, guess={"upper.b": (0, -LINK), "lower.b": (0, -2 * LINK)})
    except ml.SolveError:
        return 1
    return 0


def results():
    force = -solve()["guide"].effort
    return {"at 30°": force[0], "at 0.5°": force[-1], "refused": refused()}


def answer():
    return ml.examples.answer("toggle_press", solve())


def figure():
    page = Figure(figsize=(10, 4.6))
    mechanism.draw(axes=page.add_axes((0, 0, 0.48, 1)))
    labels = {"xlabel": "angle of the knee (°)", "ylabel": "force of the ram (kN)", "yscale": "log"}
    axes, knee = page.add_axes((0.57, 0.13, 0.41, 0.8), **labels), solve().marker("upper.b")
    angle = np.arctan2(-knee[:, 0], -knee[:, 1])
    axes.plot(np.degrees(angle), -solve()["guide"].effort / 1e3, label="multiloop")
    axes.plot(np.degrees(angle), PUSH / 2e3 / np.tan(angle), "--", color="0.4", label="P / (2 tan α)")
    axes.set_xlim(30, 0)
    axes.legend(frameon=False)
    return page


def main():
    demonstrate(
        "press", mechanism, solve=solve, results=results, expected=EXPECTED, figure=figure, answer=answer
    )


if __name__ == "__main__":
    main()
