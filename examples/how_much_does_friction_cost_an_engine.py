"""How much of its work does friction cost an engine?

Check: the rod, two masses at its ends, pushes along itself with S; across and along the bore
S (cos β ∓ μ sin β) = m (ẍ + g) − F ± R, the torque is S cos β dx/dθ + μ r |F_O|, the bearing carrying S and the weight.
Source: the engine is ours; the friction of pins and slides is that of every course on machines.
"""

from functools import cache

import numpy as np
from matplotlib.figure import Figure

import multiloop as ml
from multiloop.cli.demonstration import demonstrate
from multiloop.examples.mechanisms.engine_with_friction import BEARING, JOURNAL, RINGS, SKIRT, work
from multiloop.examples.mechanisms.slider_crank import CRANK, CRANK_MASS, PISTON_MASS, ROD, ROD_MASS, SPEED

EXPECTED = {"torque less by hand": (0.0, 1e-7, "N m"), "efficiency": (0.904, 5e-5, "")}
EXPECTED |= {"heat less than work lost": (0.0, 1e-2, "J")}

mechanism = ml.examples.engine_with_friction()
solve = cache(lambda: ml.inverse(mechanism, cycle=1441))
smooth = cache(lambda: ml.inverse(ml.examples.four_stroke_engine(), cycle=1441))


def by_hand():
    c, s = np.cos(solve()["O"].position), np.sin(solve()["O"].position)
    root = np.sqrt(ROD**2 - (CRANK * s) ** 2)
    slope = -CRANK * s * (1 + CRANK * c / root)
    bend = -CRANK * c - CRANK**2 * (c * c - s * s) / root - (CRANK**2 * s * c) ** 2 / root**3
    sine, cosine, way = CRANK * s / ROD, root / ROD, np.sign(solve()["bore"].rate)
    pushed = (PISTON_MASS + ROD_MASS / 3) * (bend * SPEED**2 + 9.81) - solve()["bore"].effort + way * RINGS
    S = pushed / (cosine - way * np.sign(pushed) * SKIRT * np.abs(sine))
    held = np.hypot(S * sine, S * cosine + (CRANK_MASS + ROD_MASS * 2 / 3) * 9.81)
    return S * cosine * slope + BEARING * JOURNAL * held


def results():
    moving, heat = ~solve()["rings"].creeping, sum(load.heat[-1] for load in solve().loads.values())
    return {
        "torque less by hand": abs(solve()["O"].effort - by_hand())[moving].max(),
        "efficiency": work(solve()) / work(smooth()),
        "heat less than work lost": heat - (work(smooth()) - work(solve())),
    }


def answer():
    return ml.examples.answer("engine_with_friction", solve())


def figure():
    page, angle = Figure(figsize=(10, 4.6)), np.degrees(solve()["O"].position)
    mechanism.without_drives().draw(start={"O": 0.8}, axes=page.add_axes((0, 0, 0.42, 1)))
    axes = page.add_axes((0.5, 0.13, 0.48, 0.8), xlabel="angle of the crank (°)", ylabel="power lost (W)")
    for name, load in solve().loads.items():
        axes.plot(angle, -load.power, label=name)
    axes.set(xlim=(0, 720), ylim=(0, None), xticks=range(0, 721, 90))
    axes.legend(frameon=False)
    return page


def main():
    told = {"expected": EXPECTED, "figure": figure, "answer": answer}
    demonstrate("friction", mechanism, solve=solve, results=results, **told)


if __name__ == "__main__":
    main()
