"""What torque does a planetary gearbox take, and what do its teeth and pins carry?

Check: Willis, ω_C = ω_S z_S / (z_S + z_R) and M_S = M_C z_S / (z_S + z_R); the teeth of the sun carry M_S / (3 r_S)
each, a pin twice that and the centrifugal force m a ω_C² across it, m of a planet and a the distance of its axis.
With one planet all is determined. Three planets share by the stiffness of their pins: the least forces are equal, and
are marked.
Source: R. Willis, Principles of Mechanism; teeth and masses are ours.
"""

from functools import cache
from math import hypot, pi

import numpy as np

import multiloop as ml
from multiloop.cli.demonstration import demonstrate
from multiloop.examples.mechanisms.planetary_gearbox import AXES, LOAD, MODULE, RING, SPEED, SUN

mechanism = ml.examples.planetary_gearbox()
RATIO = SUN / (SUN + RING)
TOOTH = LOAD * RATIO / (3 * MODULE * SUN / 2)
EXPECTED = {
    "speed of the carrier": (SPEED * RATIO, 1e-12, "rad/s"),
    "torque of the sun": (LOAD * RATIO, 1e-9, "N m"),
    "tooth force": (TOOTH, 1e-8, "N"),
    "pushes apart": (TOOTH * np.tan(pi / 9), 1e-8, "N"),
    "pin": (hypot(2 * TOOTH, 0.6 * AXES * (SPEED * RATIO) ** 2), 1e-8, "N"),
    "marked as shared": (1, 0, ""),
    "with one planet": (3 * TOOTH, 1e-7, "N"),
}

solve = cache(lambda: ml.inverse(mechanism, t=np.linspace(0.0, 2 * pi / SPEED, 61)))
alone = cache(lambda: ml.inverse(ml.examples.planetary_gearbox(planets=1), t=[0.0]))


def results():
    found, mesh = solve(), solve()["sun mesh 1"]
    return {
        "speed of the carrier": found["output"].rate[7],
        "torque of the sun": found["input"].effort[7],
        "tooth force": abs(mesh.tangential[7]),
        "pushes apart": mesh.radial[7],
        "pin": found["pin 1"].load[7],
        "marked as shared": int(not mesh.determined and alone()["sun mesh 0"].determined),
        "with one planet": abs(alone()["sun mesh 0"].tangential[0]),
    }


def answer():
    return ml.examples.answer("planetary_gearbox", solve())


def figure():
    return mechanism.draw()


def main():
    demonstrate(
        "gearbox", mechanism, solve=solve, results=results, expected=EXPECTED, figure=figure, answer=answer
    )


if __name__ == "__main__":
    main()
