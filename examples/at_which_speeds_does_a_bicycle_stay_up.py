"""At which speeds does a bicycle stay up by itself?

Check: the bicycle of the benchmark is stable from 4.292 m/s, where its weave dies out, to 6.024 m/s, where it begins to
fall into ever tighter circles; at 5 m/s its weave is −0.77534188 ± 4.46486771 i. Here small motions of lean and steer,
ÿ = (a + b v²) y + c v ẏ, come from differences of accelerations at two speeds.
Source: Meijaard, Papadopoulos, Ruina and Schwab (2007), doi:10.1098/rspa.2007.1857, Tables 1 and 2.
"""

from functools import cache

import numpy as np
from matplotlib.figure import Figure
from scipy.optimize import brentq

import multiloop as ml
from multiloop.cli.demonstration import demonstrate
from multiloop.examples.mechanisms.bicycle import SPEED, eigenvalues

EXPECTED = {
    "stays up from": (4.29238253634111, 1e-5, "m/s"),
    "stays up to": (6.02426201538837, 1e-5, "m/s"),
    "weave at 5 m/s": (4.46486771378823, 1e-5, "rad/s"),
    "its growth": (-0.77534188219585, 1e-5, "1/s"),
}

mechanism, solve = ml.examples.bicycle(), cache(lambda: ml.examples.ask("bicycle"))


def results():
    bounds = [brentq(lambda v: eigenvalues(v).real.max(), *between) for between in ((4, 5), (5, 7))]
    weave = max(eigenvalues(SPEED), key=lambda value: value.imag)
    return dict(zip(EXPECTED, (*bounds, weave.imag, weave.real), strict=True))


def answer():
    return ml.examples.answer("bicycle", solve())


def figure():
    page, speeds = Figure(figsize=(10, 4.6)), np.linspace(0, 10, 201)
    mechanism.draw(axes=page.add_axes((0, 0, 0.5, 1), projection="3d"))
    axes = page.add_axes(
        (0.58, 0.13, 0.4, 0.78), xlabel="speed (m/s)", ylabel="real part of the eigenvalues (1/s)"
    )
    axes.plot(speeds, [np.sort(eigenvalues(v).real) for v in speeds], "k.", ms=2)
    axes.axvspan(*[results()[name] for name in ("stays up from", "stays up to")], alpha=0.2)
    axes.set(
        xlim=(0, 10), ylim=(-4, 6), title="weave (falling) and capsize (rising); stable in the blue range"
    )
    return page


def main():
    asked = {"solve": solve, "results": results, "expected": EXPECTED, "figure": figure, "answer": answer}
    demonstrate("bicycle", mechanism, **asked)


if __name__ == "__main__":
    main()
