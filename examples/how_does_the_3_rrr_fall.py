"""How does the 3-RRR manipulator fall when its motors are switched off?

Check: θ₁ = −0.877378237 rad after 1 s, on which six forward methods agree to 2e-9; the energy is constant.
Source: M. Koul, S. V. Shah, S. K. Saha, M. Manivannan, Multibody Syst. Dyn., doi 10.1007/s11044-013-9379-2, §4.2.
"""

from functools import cache

import multiloop as ml
from multiloop.cli.demonstration import demonstrate
from multiloop.examples.mechanisms.three_rrr import LEGS, START

EXPECTED = {"θ₁(1 s)": (-0.877378237, 5e-9, "rad"), "energy drift": (0.0, 1e-9, "")}

mechanism = ml.examples.three_rrr()
solve = cache(lambda: ml.simulate(mechanism, until=1.0, start=START, samples=101, rtol=1e-11))


def results():
    fall = solve()
    return {"θ₁(1 s)": fall["A1"].position[-1], "energy drift": fall.energy_drift}


def answer():
    return ml.examples.answer("three_rrr", solve())


def figure():
    fall = solve()
    return mechanism.draw(start=START, traces=[fall.marker(f"platform.c{k}") for k in LEGS])


def main():
    demonstrate(
        "three_rrr", mechanism, solve=solve, results=results, expected=EXPECTED, figure=figure, answer=answer
    )


if __name__ == "__main__":
    main()
