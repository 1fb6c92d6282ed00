"""Do seven revolutes replace the spherical joints of an RSSR linkage?

Check: the largest torque is 0.55384 N·m with the crank at 286.5°, and torque and rocker are those of the RSSR linkage
with two spherical joints at every angle of the crank.
Source: H. Chaudhary and S. K. Saha, J. Mech. Design 129 (2007) 1234, §6.2, Fig. 10; dimensions and masses are ours.
"""

from functools import cache

import numpy as np

import multiloop as ml
from multiloop.cli.demonstration import demonstrate

EXPECTED = {
    "largest torque": (0.55384, 5e-6, "N m"),
    "angle": (286.5, 1e-6, "°"),
    "torque of the RSSR": (0.0, 1e-11, "N m"),
    "rocker of the RSSR": (0.0, 1e-11, "rad"),
    "idle spins": (0, 0, ""),
}

mechanism = ml.examples.rssr_of_revolutes()
solve = cache(lambda: ml.inverse(mechanism, cycle=241))


def results():
    found, spherical = solve(), ml.inverse(ml.examples.rssr(), cycle=241)
    torque = found["A"].effort
    return {
        "largest torque": max(torque, key=abs),
        "angle": abs(torque).argmax() * 1.5,
        "torque of the RSSR": np.abs(torque - spherical["A"].effort).max(),
        "rocker of the RSSR": np.abs(found["D"].position - spherical["D"].position).max(),
        "idle spins": len(found.plan.idle),
    }


def answer():
    return ml.examples.answer("rssr_of_revolutes", solve())


def figure():
    return solve().plot(
        show=["positions"], of=["B1", "B2", "B3", "C1", "C2"], drawing=True, traces=["rocker.b"]
    )


def main():
    demonstrate(
        "rssr_of_revolutes",
        mechanism,
        solve=solve,
        results=results,
        expected=EXPECTED,
        figure=figure,
        answer=answer,
    )


if __name__ == "__main__":
    main()
