"""What force does the cylinder of a scissor lift need?

Check: at rest, before and after the way up, it is the change of the weights' potential energy by the length of the
cylinder, F = (dV/dφ) / (ds/dφ), with both written down by hand over the angle φ of the beams.
Source: the principle of virtual work; dimensions and masses are ours.
"""

from functools import cache
from math import sin

import numpy as np

import multiloop as ml
from multiloop.cli.demonstration import demonstrate
from multiloop.examples.mechanisms.scissor_lift import BARREL, BEAM, HIGH, LOW, MASSES, reach, slope


def potential(angle):
    """Both beams' mass centres stand at half the height of the platform; those of the cylinder on its line."""
    top, tilt, m = BEAM * sin(angle), slope(angle), MASSES
    lifted = (2 * m["beam"] / 2 + m["platform"] + m["block"]) * top
    return 9.81 * (
        lifted + (m["barrel"] * BARREL / 2 + m["piston"] * (reach(angle) - BARREL / 2)) * sin(tilt)
    )


def by_hand(angle, step=1e-5):
    below, above = angle - step, angle + step
    return (potential(above) - potential(below)) / (reach(above) - reach(below))


EXPECTED = {"lowest": (by_hand(LOW), 0.01, "N"), "highest": (by_hand(HIGH), 0.01, "N")}

mechanism = ml.examples.scissor_lift()
solve = cache(lambda: ml.inverse(mechanism, t=np.linspace(0.0, 5.0, 201)))


def results():
    force = solve()["cylinder"].effort
    return {"lowest": force[0], "highest": force[-1]}


def answer():
    return ml.examples.answer("scissor_lift", solve())


def figure():
    return solve().plot(drawing=True, traces=["platform.b"])


def main():
    demonstrate(
        "lift", mechanism, solve=solve, results=results, expected=EXPECTED, figure=figure, answer=answer
    )


if __name__ == "__main__":
    main()
