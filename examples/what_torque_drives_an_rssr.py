"""What torque drives an RSSR linkage with skew axes?

Check: the largest torque is 0.55384 N·m, with the crank at 286.5°; the same comes out with seven revolutes.
Source: H. Chaudhary and S. K. Saha, J. Mech. Design 129 (2007) 1234, §6.2; dimensions and masses are ours.
"""

from functools import cache

import multiloop as ml
from multiloop.cli.demonstration import demonstrate

EXPECTED = {"peak": (0.55384, 5e-6, "N m"), "angle": (286.5, 1e-6, "°"), "idle spins": (1, 0, "")}

mechanism = ml.examples.rssr()
solve = cache(lambda: ml.inverse(mechanism, cycle=241))


def results():
    torque = solve()["A"].effort
    idle = len(solve().plan.idle)
    return {"peak": max(torque, key=abs), "angle": abs(torque).argmax() * 1.5, "idle spins": idle}


def answer():
    return ml.examples.answer("rssr", solve())


def figure():
    return solve().plot(drawing=True, traces=["rocker.b"])


def main():
    demonstrate(
        "rssr", mechanism, solve=solve, results=results, expected=EXPECTED, figure=figure, answer=answer
    )


if __name__ == "__main__":
    main()
