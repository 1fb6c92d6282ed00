"""How far does a light manipulator deviate if its controller neglects its flexibility?

Check: 2.054 N m, the peak of the rigid torque by an independent computation. Under it the platform nearly keeps its
path, but an arm is a cantilever with a force at its tip, which bends it by τ L²/3EI: its motor runs ahead by τ L/3EI.
Source: [fattah], §5.3.2, the planar manipulator in joint space; base and platform angle are chosen.
"""

from functools import cache

import numpy as np
from matplotlib.figure import Figure

import multiloop as ml
from multiloop.cli.demonstration import demonstrate
from multiloop.examples.mechanisms import light_manipulator as light

mechanism = ml.examples.light_manipulator()
solve = cache(lambda: ml.examples.ask("light_manipulator"))
rigid = cache(lambda: light.rigid_torques(mechanism))

TORQUE, AHEAD = 2.054, 2.054 * light.ARM / (3 * light.EI)
EXPECTED = {  # the arm's own inertia and its swing are 2 % of what its motor is ahead
    "torque": (TORQUE, 6e-4, "N m"),
    "lead": (AHEAD, 2e-3, "rad"),
}


def lead():
    return solve()["A1"].position - rigid()["A1"].position


def deviation():
    return np.linalg.norm(solve().marker("platform.origin") - rigid().marker("platform.origin"), axis=1)


def results():
    return {"torque": np.abs(rigid()["A1"].effort).max(), "lead": np.abs(lead()).max()}


def answer():
    return ml.examples.answer("light_manipulator", solve())


def figure():
    page = Figure(figsize=(11, 5))
    worst = solve().at(float(solve().time[np.abs(lead()).argmax()]))
    worst.draw(axes=page.add_axes((0, 0, 0.52, 1)), scale=4.0)
    axes = [page.add_axes((0.61, y, 0.37, 0.36)) for y in (0.58, 0.1)]
    shown = {"lead of motor A1 (°)": np.degrees(lead()), "deviation of the platform (mm)": 1e3 * deviation()}
    for panel, (what, curve) in zip(axes, shown.items(), strict=True):
        panel.plot(solve().time, curve)
        panel.set(xlabel="t (s)", ylabel=what, xlim=(0, 1))
    return page


def main():
    demonstrate(
        "light_manipulator",
        mechanism,
        solve=solve,
        results=results,
        expected=EXPECTED,
        figure=figure,
        answer=answer,
    )


if __name__ == "__main__":
    main()
