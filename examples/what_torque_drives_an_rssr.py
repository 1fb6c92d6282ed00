"""What torque drives an RSSR, whose coupler turns in two balls between axes that cross?

Check: the largest torque is 0.55384 N·m, with the crank at 286.5°; the same comes out with seven revolutes.
Source: H. Chaudhary and S. K. Saha, J. Mech. Design 129 (2007) 1234, §6.2; dimensions and masses are ours.
"""

from functools import cache
from math import pi

import multiloop as ml
from multiloop.cli.demonstration import demonstrate

EXPECTED = {"peak": (0.55384, 5e-6, "N m"), "angle": (286.5, 1e-6, "°"), "idle spins": (1, 0, "")}

mechanism = ml.Mechanism(
    "RSSR",
    bodies=[
        ml.ground(A=(0, 0, 0), D=ml.marker((0.25, 0.05, 0.10), z=(0, 1, 0), x=(1, 0, 0))),
        ml.rod("crank", length=0.10, mass=0.8),
        ml.rod("coupler", length=0.32, mass=1.2),
        ml.rod("rocker", length=0.22, mass=1.0),
    ],
    joints=[
        ml.Revolute("A", "ground.A", "crank.a"),
        ml.Spherical("B", "crank.b", "coupler.a"),
        ml.Spherical("C", "coupler.b", "rocker.b"),
        ml.Revolute("D", "ground.D", "rocker.a"),
    ],
    drives=[ml.Motion("A", ml.constant_speed(2 * pi / 0.6))],
    guess={"rocker.b": (0.2, 0.0, 0.3)},
)

solve = cache(lambda: ml.inverse(mechanism, cycle=241))


def results():
    torque = solve()["A"].effort
    idle = len(solve().plan.idle)
    return {"peak": max(torque, key=abs), "angle": abs(torque).argmax() * 1.5, "idle spins": idle}


def figure():
    return solve().plot(drawing=True, traces=["rocker.b"])


def main():
    demonstrate("rssr", mechanism, solve=solve, results=results, expected=EXPECTED, figure=figure)


if __name__ == "__main__":
    main()
