"""Which cam profile gives a rocker a prescribed swing, and what is the pressure angle?

Check: the rocker swings by the 3-4-5 polynomial of the cam angle, evaluated here. During the dwell the distance of the
roller from the axis of the cam is base + roller, which gives the angle by the law of cosines. At mid-rise the slope l′
is 15/8 of the mean slope. The pressure angle is that between the normal n ~ g + l′ a (cos ψ, sin ψ) of the profile and
the direction in which the roller moves, and the torque of the shaft is l′ times that on the rocker.
Source: the law of cosines and virtual work; dimensions are ours.
"""

from functools import cache
from math import acos, atan2, cos, hypot, radians, sin

import numpy as np

import multiloop as ml
from multiloop.cli.demonstration import demonstrate
from multiloop.examples.mechanisms.rocker_cam import ARM, BASE, MASS, PIVOT, REACH, ROLLER, SWING

mechanism = ml.examples.rocker_cam()
solve = cache(lambda: ml.examples.ask("rocker_cam"))

d, RISE = hypot(*PIVOT), radians(100)
at_rest = acos((ARM**2 + d**2 - (BASE + ROLLER) ** 2) / (2 * ARM * d))
slope, psi = 15 / 8 * SWING / RISE, at_rest + SWING / 2
g = d - ARM * cos(psi), -ARM * sin(psi)
normal = g[0] + slope * ARM * cos(psi), g[1] + slope * ARM * sin(psi)
way = sin(psi), -cos(psi)
steep = atan2(way[0] * normal[1] - way[1] * normal[0], way[0] * normal[0] + way[1] * normal[1])
angle = atan2(-PIVOT[1], -PIVOT[0]) + psi
moment = MASS * 9.81 * REACH * cos(angle) + 8.0 * (angle + 0.3)  # at mid-rise l″ is zero
EXPECTED = {
    "error of the swing": (0.0, 1e-12, "rad"),
    "pressure angle at mid-rise": (np.degrees(abs(steep)), 1e-9, "°"),
    "torque at mid-rise": (slope * moment, 1e-9, "N m"),
}


def results():
    turn, u = solve(), np.linspace(0.0, 360.0, 361)
    s, t = np.clip((u - 20) / 100, 0, 1), np.clip((u - 160) / 120, 0, 1)
    by_hand = SWING * sum(sign * x**3 * (10 - 15 * x + 6 * x**2) for sign, x in ((1, s), (-1, t)))
    return {
        "error of the swing": np.abs(np.diff(turn["P"].position - by_hand)).max(),
        "pressure angle at mid-rise": np.degrees(turn["cam"].pressure_angle[70]),
        "torque at mid-rise": turn["O"].effort[70],
    }


def answer():
    return ml.examples.answer("rocker_cam", solve())


def figure():
    return solve().plot(drawing=True)


def main():
    demonstrate(
        "rocker", mechanism, solve=solve, results=results, expected=EXPECTED, figure=figure, answer=answer
    )


if __name__ == "__main__":
    main()
