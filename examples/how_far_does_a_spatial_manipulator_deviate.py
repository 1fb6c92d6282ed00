"""How far does a spatial manipulator with flexible legs deviate, and does it come to rest?

Check: 0.279 N m, the peak of the rigid torque by an independent computation. Where a leg begins, its section carries
the torque of its motor, whatever the leg does further on.
Source: [fattah], §6.5, with 3 % damping; the path is one cycloid of 12 s, since the printed motion is infeasible.
"""

from functools import cache

import numpy as np
from matplotlib.figure import Figure

import multiloop as ml
from multiloop.cli.demonstration import demonstrate
from multiloop.examples.mechanisms import spatial_manipulator as spatial

mechanism = ml.examples.spatial_manipulator()
solve = cache(lambda: ml.examples.ask("spatial_manipulator"))
rigid = cache(lambda: spatial.rigid_torques(mechanism))

EXPECTED = {"torque": (0.279, 6e-4, "N m"), "moment less torque": (0.0, 1e-9, "N m")}  # its digits; round-off


def deviation():
    return np.linalg.norm(solve().marker("platform.com") - rigid().marker("platform.com"), axis=1)


def results():
    moment = solve().link("lower 1").moment(0.0)[:, 1]
    return {
        "torque": np.abs(rigid()["A1"].effort).max(),
        "moment less torque": np.abs(moment + solve()["A1"].effort).max(),
    }


def answer():
    return ml.examples.answer("spatial_manipulator", solve())


def figure():
    page = Figure(figsize=(11, 5))
    worst = solve().at(float(solve().time[deviation().argmax()]))
    worst.draw(axes=page.add_axes((0, 0, 0.52, 1), projection="3d"), scale=10.0)
    axes = [page.add_axes((0.61, y, 0.37, 0.36)) for y in (0.58, 0.1)]
    shown = {
        "torques (N m)": [solve()[j].effort for j in spatial.PATHS],
        "deviation of the platform (mm)": [1e3 * deviation()],
    }
    for panel, (what, curves) in zip(axes, shown.items(), strict=True):
        for curve in curves:
            panel.plot(solve().time, curve)
        panel.set(xlabel="t (s)", ylabel=what, xlim=(0, spatial.DURATION))
    return page


def main():
    demonstrate(
        "spatial_manipulator",
        mechanism,
        solve=solve,
        results=results,
        expected=EXPECTED,
        figure=figure,
        answer=answer,
    )


if __name__ == "__main__":
    main()
