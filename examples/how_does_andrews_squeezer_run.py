"""How does Andrews' squeezing mechanism run: seven bodies, three loops, a spring, and a motor of constant torque?

Check: all seven angles at 0.03 s, two and a half turns of the crank later, to nine digits; and the energy balance.
Source: E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, §VII.7; test set for IVP solvers.
"""

from functools import cache

import multiloop as ml
from multiloop.cli.demonstration import demonstrate
from multiloop.examples.mechanisms.andrews_squeezer import ANGLES, START

PUBLISHED = (15.81077120, -15.75637106, 0.04082224013, -0.5347301163, 0.5244099659, 0.5347301163, 1.048080741)
EXPECTED = {joint: (angle, 1e-9 * abs(angle), "rad") for joint, angle in zip(ANGLES, PUBLISHED, strict=True)}
EXPECTED |= {"energy drift": (0.0, 1e-10, "")}

mechanism = ml.examples.andrews_squeezer()
solve = cache(lambda: ml.simulate(mechanism, start=START, until=0.03, rtol=1e-12))


def results():
    return {joint: solve()[joint].position[-1] for joint in ANGLES} | {"energy drift": solve().energy_drift}


def answer():
    return ml.examples.answer("andrews_squeezer", solve())


def figure():
    return mechanism.draw(start=START, traces=[solve().marker("K2.e")])


def main():
    demonstrate(
        "squeezer", mechanism, solve=solve, results=results, expected=EXPECTED, figure=figure, answer=answer
    )


if __name__ == "__main__":
    main()
