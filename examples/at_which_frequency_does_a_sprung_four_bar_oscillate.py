"""At which frequency does a four-bar with a spring at its coupler point oscillate?

Check: about equilibrium, V'(θ) = 0, the frequency is √(V'' / I) / 2π. V(θ) of weights and spring and the inertia I(θ)
reduced to the crank are written by hand from the intersection of two circles; for 0.01 rad this holds to 1e-4.
Source: Lagrange's equation of one coordinate, linearised; the linkage is ours.
"""

from functools import cache

import numpy as np

import multiloop as ml
from multiloop.cli.demonstration import demonstrate
from multiloop.examples.mechanisms import sprung_four_bar as bar

STEP, MASS = 1e-3, np.array(list(bar.MASSES.values()))
INERTIA = [MASS[0] * bar.CRANK**2 / 12, bar.COUPLER_INERTIA, MASS[2] * bar.ROCKER**2 / 12]


def place(theta):
    """Mass centres of crank, coupler and rocker (complex numbers), their angles, and the length of the spring."""
    B, D = bar.CRANK * np.exp(1j * theta), bar.BASE
    way = abs(D - B)
    near = (bar.COUPLER**2 - bar.ROCKER**2 + way**2) / (2 * way)
    C = B + (D - B) / way * (near - 1j * np.sqrt(bar.COUPLER**2 - near**2))
    x = (C - B) / bar.COUPLER
    centres = np.array([B / 2, B + x * complex(*bar.CENTRE), (C + D) / 2])
    return centres, np.angle([B, x, C - D]), abs(B + x * complex(*bar.POINT) - complex(*bar.ANCHOR))


def potential(theta):
    centres, _, length = place(theta)
    return 9.81 * MASS @ centres.imag + bar.STIFFNESS / 2 * (length - bar.FREE_LENGTH) ** 2


@cache
def by_hand(theta=bar.START["A"]):
    """Equilibrium angle of the crank, by Newton's method, and the frequency of oscillation about it in Hz."""
    for _ in range(30):
        low, here, high = (potential(theta + step) for step in (-STEP, 0.0, STEP))
        bend = (high - 2 * here + low) / STEP**2
        theta -= (high - low) / (2 * STEP) / bend
    (low, turned, _), (high, turned_on, _) = place(theta - STEP), place(theta + STEP)
    inertia = (MASS @ abs(high - low) ** 2 + INERTIA @ (turned_on - turned) ** 2) / (2 * STEP) ** 2
    return theta, np.sqrt(bend / inertia) / (2 * np.pi)


EXPECTED = {"frequency": (by_hand()[1], 1e-4 * by_hand()[1], "Hz")}

mechanism = ml.examples.sprung_four_bar()
given = {"start": {"A": by_hand()[0] + 0.01}, "until": 5.0, "events": {"turns": ml.rate("A")}}
solve = cache(lambda: ml.simulate(mechanism, **given))


def results():
    turns = solve().events["turns"]
    return {"frequency": (len(turns) - 1) / (turns[-1] - turns[0]) / 2}


def answer():
    return ml.examples.answer("sprung_four_bar", solve())


def figure():
    return solve().plot(drawing=True, traces=["coupler.p"])


def main():
    demonstrate(
        "swing", mechanism, solve=solve, results=results, expected=EXPECTED, figure=figure, answer=answer
    )


if __name__ == "__main__":
    main()
