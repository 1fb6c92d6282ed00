"""How far from its line is Dado's robot under PD control?

Check: 13.18 mm after 0.486 s, torques of the motors up to 1.873, 4.703 and 2.485 N m, by the procedure of the paper
written out in plain NumPy, RK4 with steps of 1 ms; the paper itself reads 12 mm off its figure.
Source: M. H. F. Dado, A general multi-rigid body dynamic modeling procedure, University of Jordan; (B-2) with r₃.
"""

from functools import cache

import numpy as np

import multiloop as ml
from multiloop.cli.demonstration import demonstrate
from multiloop.examples.mechanisms import dado_robot as robot
from multiloop.model.expressions import evaluate

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
    """Of the end effector from where it is to be, in mm."""
    wanted = np.transpose([evaluate(part, time=solve().time) for part in robot.line()])
    return 1e3 * np.linalg.norm(solve().marker("link 3.origin") - wanted, axis=1)


def results():
    far = distance()
    torques = {f"torque of motor {k}": abs(solve()[f"psi{k}"].effort).max() for k in (1, 2, 3)}
    return {"largest distance": far.max(), "at": solve().time[far.argmax()], **torques}


def answer():
    far = distance()
    return f"Up to {far.max():.1f} mm, after {solve().time[far.argmax()]:.2f} s of one; {far[-1]:.1f} mm at the end."


def figure():
    return solve().plot(show=["efforts"], of=["psi1", "psi2", "psi3"], drawing=True, traces=["link 3.origin"])


def main():
    demonstrate(
        "dado_robot", mechanism, solve=solve, results=results, expected=EXPECTED, figure=figure, answer=answer
    )


if __name__ == "__main__":
    main()
