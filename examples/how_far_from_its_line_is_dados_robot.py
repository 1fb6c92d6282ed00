"""How far from its line is Dado's robot under PD control?

Check: 13.18 mm after 0.486 s, torques of the motors up to 1.873, 4.703 and 2.485 N m, by the procedure of the paper
written out in plain NumPy, RK4 with steps of 1 ms; the paper itself reads 12 mm off its figure.
Source: M. H. F. Dado, A general multi-rigid body dynamic modeling procedure, University of Jordan; (B-2) with r₃.
"""

from functools import cache

import multiloop as ml
from multiloop.cli.demonstration import demonstrate
from multiloop.examples.mechanisms import dado_robot as robot

EXPECTED = {
    "largest distance": (13.18, 0.01, "mm"),
    "at": (0.486, 1e-9, "s"),
    "torque of motor 1": (1.873, 5e-4, "N m"),
    "torque of motor 2": (4.703, 5e-4, "N m"),
    "torque of motor 3": (2.485, 5e-4, "N m"),
}

mechanism = ml.examples.dado_robot()
solve = cache(lambda: robot.ask(mechanism))


def distance():
    return robot.off_line(solve())


def results():
    far = distance()
    torques = {f"torque of motor {k}": abs(solve()[f"psi{k}"].effort).max() for k in (1, 2, 3)}
    return {"largest distance": far.max(), "at": solve().time[far.argmax()], **torques}


def answer():
    return ml.examples.answer("dado_robot", solve())


def figure():
    return solve().plot(show=["efforts"], of=["psi1", "psi2", "psi3"], drawing=True, traces=["link 3.origin"])


def main():
    demonstrate(
        "dado_robot", mechanism, solve=solve, results=results, expected=EXPECTED, figure=figure, answer=answer
    )


if __name__ == "__main__":
    main()
