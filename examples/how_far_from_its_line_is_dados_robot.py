"""How far from its line is Dado's robot under PD control?

Check: 13.18 mm after 0.486 s, torques of the motors up to 1.873, 4.703 and 2.485 N m, by the procedure of the paper
written out in plain NumPy, RK4 with steps of 1 ms; the paper itself reads 12 mm off its figure.
Source: M. H. F. Dado, A general multi-rigid body dynamic modeling procedure, University of Jordan, Figs. 1 to 5; (B-2)
with r₃.
"""

from functools import cache

import multiloop as ml
from multiloop.cli.demonstration import demonstrate
from multiloop.examples.mechanisms import dado_robot as robot
from multiloop.view.figure import BODIES

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
    """Figs. 2 to 5: position, velocity and acceleration of the end effector, desired and actual, and torques."""
    desired = robot.desired_motion(solve().time)
    shown, motors = [*desired, "efforts"], ["psi1", "psi2", "psi3"]
    page = solve().plot(show=shown, of=motors, drawing=True, traces=["link 3.origin"])
    for axes, curves in zip(page.axes[1:4], desired.values(), strict=True):
        for line, curve, colour, name in zip(axes.lines, curves.T, BODIES, "xyz", strict=False):
            line.set(color=colour, linestyle="-", label=name)
            axes.plot(solve().time, curve, "--", lw=1.1, color=colour, label=f"{name}, desired")
        axes.legend(fontsize=8, frameon=False, ncols=6, loc="lower right", bbox_to_anchor=(1.0, 0.96))
    return page


def main():
    demonstrate(
        "dado_robot", mechanism, solve=solve, results=results, expected=EXPECTED, figure=figure, answer=answer
    )


if __name__ == "__main__":
    main()
