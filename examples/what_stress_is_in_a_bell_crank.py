"""How far does a bell crank deflect, and what is the stress in its arms?

Check: the corner on its pin is rigid; each arm is a bar clamped there, of its clear length (less half the height). The
force of the spring is R = F l/k. The loaded end is displaced by F l'³/3EI, and by the rotation of the corner, due to
the deflections of the other arm, R k'³/3EI, and of the spring, R/s. In the middle the stress is M h/2I, M = F l/2.
Source: bars in any course on strength; dimensions are ours.
"""

from functools import cache

from matplotlib.figure import Figure

import multiloop as ml
from multiloop.cli.demonstration import demonstrate
from multiloop.examples.mechanisms import bell_crank as crank

mechanism = ml.examples.bell_crank()
solve = cache(lambda: ml.examples.ask("bell_crank"))

F, K, L, H = crank.PUSH, crank.ARM, crank.UPRIGHT, crank.HIGH
I = crank.THICK * H**3 / 12
TIP, ARM = (F * (L - H / 2) ** 3 / (3 * crank.E * I), F * L / K * (K - H / 2) ** 3 / (3 * crank.E * I))
GIVEN = TIP + L / K * (ARM + F * L / K / crank.STIFFNESS)
EXPECTED = {  # the corner is slightly flexible, and nodes are not exactly in the middle
    "shift": (GIVEN, 0.02 * GIVEN, "m"),
    "stress": (F * L / 2 * H / (2 * I), 0.02 * F * L / 2 * H / (2 * I), "Pa"),
    "spring": (F * L / K, 0.002 * F * L / K, "N"),
}


def results():
    run = solve()
    return {
        "shift": run.marker("crank.b")[-1, 0],
        "stress": crank.half_way_up(run),
        "spring": -run["spring"].force[-1],
    }


def answer():
    return ml.examples.answer("bell_crank", solve())


def figure():
    page = Figure(figsize=(10, 5.2))
    solve().at(0.0).draw(axes=page.add_axes((0, 0, 0.5, 1)), scale=20.0)
    link, axes = solve().link("crank"), page.add_axes((0.56, 0.12, 0.36, 0.74))
    x, y, _ = link.position()[0].T
    dots = axes.scatter(x, y, c=link.stress(times=0.0)[0] / 1e6, s=26, cmap="viridis")
    axes.set(aspect="equal", xlabel="x / m", ylabel="y / m", title="von Mises stress at the nodes / MPa")
    page.colorbar(dots, ax=axes)
    return page


def main():
    question = {"solve": solve, "results": results, "expected": EXPECTED, "figure": figure, "answer": answer}
    demonstrate("bell_crank", mechanism, **question)


if __name__ == "__main__":
    main()
