"""How far does the coupling rod of a locomotive deflect, and what is its stress?

Check: all points of the rod move on circles of the crank's throw r. At the lowest point its distributed load is
q = ρA (r Ω²/(1 − Ω²/ω²) + g), with the frequency ω = π² √(EI/ρA)/L² of the rod on its two pins: a bar on two
supports, with the moment M = q L²/8, the deflection 5 q L⁴/384 EI and the stress M h/2I in the middle.
Source: coupling rods are in every course on strength; dimensions are ours.
"""

from functools import cache
from math import pi, sqrt

import numpy as np
from matplotlib.figure import Figure

import multiloop as ml
from multiloop.cli.demonstration import demonstrate
from multiloop.examples.mechanisms import coupling_rod as rod

mechanism = ml.examples.coupling_rod()
solve = cache(lambda: ml.examples.ask("coupling_rod"))

L, LINE, I = rod.LENGTH, rod.DENSITY * rod.WIDTH * rod.HEIGHT, rod.WIDTH * rod.HEIGHT**3 / 12
OWN = pi**2 * sqrt(rod.E * I / LINE) / L**2
LOAD = LINE * (rod.THROW * rod.SPEED**2 / (1 - (rod.SPEED / OWN) ** 2) + 9.81)
EXPECTED = {  # to half a percent: the run begins bent as statics has it, and what is left of that swings on
    "moment": (LOAD * L**2 / 8, 0.005 * LOAD * L**2 / 8, "N m"),
    "deflection": (5 * LOAD * L**4 / (384 * rod.E * I), 1.2e-5, "m"),
    "stress": (LOAD * L**2 / 8 * rod.HEIGHT / (2 * I), 3.4e5, "Pa"),
}


def results():
    run = solve()
    lowest, link = int(np.argmin(np.abs(run["A"].position + pi / 2))), run.link("rod")
    return {
        "moment": link.moment(L / 2)[lowest],
        "deflection": -link.deflection(L / 2)[lowest, 1],
        "stress": link.stress(L / 2)[lowest],
    }


def answer():
    return ml.examples.answer("coupling_rod", solve())


def figure():
    page = Figure(figsize=(10, 6.4))
    solve().at(rod.turned(-pi / 2)).draw(axes=page.add_axes((0, 0.5, 1, 0.5)), scale=60.0)
    axes = [page.add_axes((x, 0.1, 0.38, 0.3)) for x in (0.09, 0.59)]
    solve().plot(show=["moment", "stress"], of="rod", axes=axes, units="kN m")
    return page


def main():
    demonstrate(
        "coupling_rod",
        mechanism,
        solve=solve,
        results=results,
        expected=EXPECTED,
        figure=figure,
        answer=answer,
    )


if __name__ == "__main__":
    main()
