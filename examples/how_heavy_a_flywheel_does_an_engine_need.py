"""How heavy a flywheel does a four-stroke engine need?

Check: by the power of gas, piston and weight the torque is (m (ẍ + g) − F) dx/dθ, with x = r cos θ + √(l² − r² sin² θ)
and a third of the rod on the piston; the work of a cycle is that of Otto's, up to the 4° in which the charge burns.
Source: I = ΔE / (Cs ω²), as every course on machine dynamics has it; the engine is ours.
"""

from functools import cache
from math import pi

import numpy as np
from matplotlib.figure import Figure
from scipy.integrate import trapezoid

import multiloop as ml
from multiloop.cli.demonstration import demonstrate
from multiloop.examples.mechanisms import four_stroke_engine as engine
from multiloop.examples.mechanisms.slider_crank import CRANK, PISTON_MASS, ROD, ROD_MASS, SPEED

AREA, ATMOSPHERE, RATIO = engine.AREA, engine.ATMOSPHERE, engine.RATIO
GAP, MORE = 2 * CRANK / (RATIO - 1), engine.EXPONENT - 1
OTTO = AREA * GAP / MORE * (engine.FIRED * (1 - RATIO**-MORE) - ATMOSPHERE * RATIO * (RATIO**MORE - 1))
EXPECTED = {"torque less by hand": (0.0, 1e-7, "N m"), "flywheel": (0.887, 5e-5, "kg m²")}
EXPECTED |= {"mean torque": (OTTO / (4 * pi), 0.01 * OTTO / (4 * pi), "N m")}

mechanism = ml.examples.four_stroke_engine()
solve = cache(lambda: ml.inverse(mechanism, cycle=1441))


def course():
    """Angle of the crank, torque of the engine (the drive that keeps the speed takes it up), its mean, the flywheel."""
    angle, torque = solve()["O"].position, -solve()["O"].effort
    mean = trapezoid(torque, angle) / (4 * pi)
    return angle, torque, mean, solve().flywheel(Cs=engine.VARIATION).inertia


def by_hand():
    c, s = np.cos(solve()["O"].position), np.sin(solve()["O"].position)
    root = np.sqrt(ROD**2 - (CRANK * s) ** 2)
    slope = -CRANK * s * (1 + CRANK * c / root)
    bend = -CRANK * c - CRANK**2 * (c * c - s * s) / root - (CRANK**2 * s * c) ** 2 / root**3
    return ((PISTON_MASS + ROD_MASS / 3) * (bend * SPEED**2 + 9.81) - solve()["bore"].effort) * slope


def results():
    _, torque, mean, inertia = course()
    return {"torque less by hand": abs(torque + by_hand()).max(), "flywheel": inertia, "mean torque": mean}


def answer():
    return ml.examples.answer("four_stroke_engine", solve())


def figure():
    page, (angle, torque, mean, _) = Figure(figsize=(10, 4.6)), course()
    mechanism.without_drives().draw(start={"O": 0.8}, axes=page.add_axes((0, 0, 0.42, 1)))
    axes = page.add_axes((0.5, 0.13, 0.48, 0.8), xlabel="angle of the crank (°)", ylabel="torque (N m)")
    axes.plot(np.degrees(angle), torque, label="engine")
    axes.axhline(mean, color="0.4", ls="--", label=f"mean, {mean:.1f} N m")
    axes.fill_between(np.degrees(angle), torque, mean, alpha=0.2, label="exchanged with the flywheel")
    axes.set(xlim=(0, 720), xticks=range(0, 721, 90))
    axes.legend(frameon=False)
    return page


def main():
    demonstrate(
        "engine", mechanism, solve=solve, results=results, expected=EXPECTED, figure=figure, answer=answer
    )


if __name__ == "__main__":
    main()
