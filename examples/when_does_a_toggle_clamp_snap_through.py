"""At which load does a toggle clamp snap through?

Check: with bars l from an angle θ₀ and a spring k, equilibrium asks P = 4 k l (sin θ − tan θ cos θ₀). The load is
largest at cos³θ = cos θ₀, where P = 4 k l sin³θ; there the stable position ends.
Source: the von Mises truss, in every course on stability; dimensions are ours.
"""

from functools import cache
from math import acos, cos, sin

from matplotlib.figure import Figure

import multiloop as ml
from multiloop.cli.demonstration import demonstrate
from multiloop.examples.mechanisms.toggle_clamp import ANGLE, BAR, STIFFNESS

mechanism = ml.examples.toggle_clamp()

SNAP = acos(cos(ANGLE) ** (1 / 3))
EXPECTED = {
    "load": (4 * STIFFNESS * BAR * sin(SNAP) ** 3, 1e-10, "N"),
    "angle": (SNAP, 1e-7, "rad"),
    "stable": (1, 0, ""),
}

followed = cache(lambda: ml.equilibrium(mechanism, along={"P": (0.0, 500.0)}))
solve = cache(lambda: followed().folds[0].result)


def results():
    branch = followed()
    (fold,) = branch.folds
    before = branch.position("A") > SNAP + 1e-6
    return {
        "load": branch.value(fold),
        "angle": fold["A"].position,
        "stable": int(
            branch.stable[before].all() and not branch.stable[branch.position("A") < SNAP - 1e-6].any()
        ),
    }


def answer():
    return ml.examples.answer("toggle_clamp", solve())


def figure():
    page = Figure(figsize=(10, 4.2))
    followed().folds[0].draw(axes=page.add_axes((0, 0, 0.5, 1)))
    axes = page.add_axes(
        (0.58, 0.14, 0.4, 0.8), xlabel="load on the knee (N)", ylabel="angle of the left bar (rad)"
    )
    followed().plot(show="A", axes=axes)
    return page


def main():
    demonstrate(
        "clamp", mechanism, solve=solve, results=results, expected=EXPECTED, figure=figure, answer=answer
    )


if __name__ == "__main__":
    main()
