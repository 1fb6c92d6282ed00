"""How does computed-torque control return a hexapod to its path?

Check: released at rest 10 mm off the path, every error obeys e″ + 2ω e′ + ω² e = 0 independently of the others; on
the path, up to e⁻²⁰ of the error, the leg forces are those of Newton's and Euler's equations of the platform.
Source: J. J. Craig, Introduction to Robotics (1986), ch. 9; the platform is that of Gough and Stewart.
"""

from functools import cache

import numpy as np
from what_forces_do_the_legs_of_a_hexapod_exert import LEGS, by_hand

import multiloop as ml
from multiloop.cli.demonstration import demonstrate
from multiloop.examples.mechanisms import hexapod as six
from multiloop.examples.mechanisms.stewart_platform import BESIDE, OMEGA, ask

EXPECTED = {
    "errors less those by hand": (0.0, 1e-7, "m"),
    "forces at the end less those by hand": (0.0, 1e-4, "N"),
}

mechanism = ml.examples.stewart_platform()
solve = cache(lambda: ask(mechanism))


def results():
    run, t, w = solve(), solve().time, 2 * np.pi / six.PERIOD
    rates = (0.0, six.RADIUS * w, 0.0)  # of the path where it begins
    off = [
        run.errors[f"platform.origin.{axis}"] - (-e + (v - OMEGA * e) * t) * np.exp(-OMEGA * t)
        for axis, e, v in zip("xyz", BESIDE, rates, strict=True)
    ]
    forces = np.array([run[leg].effort[-1] for leg in LEGS])
    far = abs(forces - by_hand(run.time[-1])[1]).max()
    return {
        "errors less those by hand": abs(np.array(off)).max(),
        "forces at the end less those by hand": far,
    }


def answer():
    return ml.examples.answer("stewart_platform", solve())


def figure():
    return solve().plot(show=["efforts"], drawing=True, traces=["platform.origin"])


def main():
    demonstrate(
        "stewart_platform",
        mechanism,
        solve=solve,
        results=results,
        expected=EXPECTED,
        figure=figure,
        answer=answer,
    )


if __name__ == "__main__":
    main()
