"""How hard does an over-centre clamp hold, and what opens it again?

Check: with bars l at the angle φ beyond the dead point, a workpiece of stiffness k that is reached at θ₁ is pressed
with N = 2 k l (cos φ − cos θ₁), and the moment of the bars on the stop is M = 2 l N sin φ. The stop deflects to
φ = φ₀ + M/k_s. The force on the knee that lifts the bars off it is P = 2 N tan φ₀.
Source: statics of the toggle; dimensions are ours.
"""

from functools import cache
from math import cos, sin, tan

import numpy as np
from matplotlib.figure import Figure
from scipy.optimize import brentq

import multiloop as ml
from multiloop.cli.demonstration import demonstrate
from multiloop.examples.mechanisms.over_centre_clamp import BAR, BEYOND, RELEASE, STOP, TOUCH, WORKPIECE

mechanism = ml.examples.over_centre_clamp()


def pressed(phi):
    """Clamping force N by hand."""
    return 2 * WORKPIECE * BAR * (cos(phi) - cos(TOUCH))


AT_REST = brentq(
    lambda phi: STOP * (phi - BEYOND) - 2 * BAR * pressed(phi) * sin(phi), BEYOND, 0.2, xtol=1e-14
)
EXPECTED = {
    "force": (pressed(AT_REST), 1e-6, "N"),
    "stop": (2 * BAR * pressed(AT_REST) * sin(AT_REST), 1e-6, "N m"),
    "opening": (2 * pressed(BEYOND) * tan(BEYOND), 1e-9, "N"),
}

solve = cache(lambda: ml.examples.ask("over_centre_clamp"))


def results():
    rest = ml.equilibrium(mechanism, start={"A": float(solve()["A"].position[-1])}, t=0.5).result
    lifted = ml.inverse(mechanism, state={"A": -BEYOND}, accelerations={"A": 0.0}, t=0.5)
    return {
        "force": -rest["workpiece"].effort[0],
        "stop": rest["stop"].effort[0],
        "opening": lifted["A"].effort[0] / (BAR * cos(BEYOND)),
    }


def answer():
    return ml.examples.answer("over_centre_clamp", solve())


def figure():
    page, run = Figure(figsize=(10, 4.2)), solve()
    mechanism.draw(start={"A": float(run["A"].position[-1])}, axes=page.add_axes((0, 0, 0.5, 1)))
    axes = page.add_axes((0.58, 0.14, 0.4, 0.8), xlabel="time (s)", ylabel="force on the workpiece (N)")
    axes.plot(run.time, -run["workpiece"].effort)
    axes.axvline(RELEASE, color="0.6", lw=0.8)
    axes.axhline(EXPECTED["force"][0], color="0.6", lw=0.8)
    axes.set_xlim(0.0, float(np.max(run.time)))
    return page


def main():
    demonstrate(
        "clamp", mechanism, solve=solve, results=results, expected=EXPECTED, figure=figure, answer=answer
    )


if __name__ == "__main__":
    main()
