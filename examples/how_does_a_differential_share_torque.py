"""How does a differential share torque and speed between two wheels in a bend?

Check: Willis, ω_L + ω_R = 2 ω_H; turning steadily, both wheels get half the torque of the housing, however their speeds
differ. The teeth carry M / ρ, ρ the pitch radius of a side gear, and push each gear away from the middle by
(M / ρ) tan α sin γ, tan γ = z_side / z_planet.
Source: R. Willis, Principles of Mechanism; dimensions are ours.
"""

from functools import cache
from math import atan2, pi, sin, tan

import numpy as np

import multiloop as ml
from multiloop.cli.demonstration import demonstrate
from multiloop.examples.mechanisms.differential import CROSS, INNER, PLANET, SIDE, SPEED

mechanism = ml.examples.differential()
TOOTH = 120.0 / CROSS
EXPECTED = {
    "speed of the outer wheel": (2 * SPEED - INNER, 1e-10, "rad/s"),
    "speed of the planet": ((INNER - SPEED) * SIDE / PLANET, 1e-10, "rad/s"),
    "torque of the inner wheel": (-120.0, 1e-8, "N m"),
    "torque of the housing": (240.0, 1e-8, "N m"),
    "tooth force": (TOOTH, 1e-6, "N"),
    "thrust of a side gear": (TOOTH * tan(pi / 9) * sin(atan2(SIDE, PLANET)), 1e-6, "N"),
}

solve = cache(lambda: ml.inverse(mechanism, t=np.linspace(0.0, 0.2, 41)))


def results():
    found, mesh = solve(), solve()["right mesh"]
    return {
        "speed of the outer wheel": found["right shaft"].rate[-1],
        "speed of the planet": found["pin"].rate[-1],
        "torque of the inner wheel": found["left shaft"].effort[-1],
        "torque of the housing": found["crown"].effort[-1],
        "tooth force": abs(mesh.tangential[-1]),
        "thrust of a side gear": mesh.axial[-1],
    }


def answer():
    return ml.examples.answer("differential", solve())


def figure():
    return mechanism.draw()


def main():
    demonstrate(
        "differential",
        mechanism,
        solve=solve,
        results=results,
        expected=EXPECTED,
        figure=figure,
        answer=answer,
    )


if __name__ == "__main__":
    main()
