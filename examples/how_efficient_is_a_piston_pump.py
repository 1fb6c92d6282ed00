"""How efficient is a piston pump, what does its motor give, and how long does its wrist pin last?

Check: over a turn it delivers 2 r p A, and its seal takes 4 r f: the efficiency is pA / (pA + 2 f), and the mean torque
of the motor their sum over 2π n. A massless rod pushes with (m ẍ + f ± pA) / cos β; with it the load that wears the
needles of the wrist pin, (∫ |F|^p |β̇| dt / ∫ |β̇| dt)^(1/p) with p = 10/3, is a quadrature over the angle.
Source: ISO 281 for the load; dimensions are ours.
"""

from functools import cache
from math import pi

import numpy as np
from scipy.integrate import quad

import multiloop as ml
from multiloop.cli.demonstration import demonstrate
from multiloop.examples.mechanisms.piston_pump import CRANK, NEEDLES, PISTON, PUSH, RATIO, ROD, SEAL, SPEED

mechanism = ml.examples.piston_pump()
WORK, HEAT = 2 * CRANK * PUSH, 4 * CRANK * SEAL


def rod_at(angle):
    """Rate of the rod relative to the piston, and its force, by hand."""
    s, c = CRANK / ROD * np.sin(angle), CRANK / ROD * np.cos(angle)
    k = np.sqrt(1 - s**2)
    speed = -CRANK * np.sin(angle) - ROD * s * c / k
    second = -CRANK * np.cos(angle) - ROD * ((c**2 - s**2) / k + (s * c) ** 2 / k**3)
    held = PUSH + SEAL if speed > 0 else -SEAL
    return SPEED * abs(c / k), abs(PISTON * SPEED**2 * second + held) / k


def around(p):
    quarters = [(k * pi / 2, (k + 1) * pi / 2) for k in range(4)]
    return sum(quad(lambda x: rod_at(x)[0] * rod_at(x)[1] ** p, *part)[0] for part in quarters)


LOAD = (around(NEEDLES) / around(0)) ** (1 / NEEDLES)
EXPECTED = {
    "efficiency": (PUSH / (PUSH + 2 * SEAL), 1e-6, ""),
    "mean torque of the motor": ((WORK + HEAT) / (2 * pi * RATIO), 1e-5, "N m"),
    "load of the wrist pin": (LOAD, 1.0, "N"),  # the force jumps at the dead centres
}
solve = cache(lambda: ml.examples.ask("piston_pump"))


def results():
    cycle = solve()
    return {
        "efficiency": cycle.energy_balance().efficiency,
        "mean torque of the motor": cycle["shaft"].mean_power / SPEED / RATIO,
        "load of the wrist pin": cycle["wrist pin"].equivalent_load(NEEDLES),
    }


def answer():
    return ml.examples.answer("piston_pump", solve())


def figure():
    return solve().plot(show=["efforts", "loads"])


def main():
    demonstrate(
        "pump", mechanism, solve=solve, results=results, expected=EXPECTED, figure=figure, answer=answer
    )


if __name__ == "__main__":
    main()
