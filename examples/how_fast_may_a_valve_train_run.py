"""How fast may a valve train run before its valve leaves the cam?

Check: the spring must slow the valve down, m (g + ω² l″) + F₀ + k l > 0 all round; the speed at which that fails first
is the least of √((m g + F₀ + k l) / (−m l″)), from l = L sin⁴(π u) and its l″ written down by hand.
Source: Newton's law; lift, masses and spring are ours.
"""

from functools import cache

import numpy as np

import multiloop as ml
from multiloop.cli.demonstration import demonstrate
from multiloop.examples.mechanisms.valve_train import BASE, LIFT, MASS, OPEN, PRELOAD, STIFFNESS

u = np.linspace(0.0, 1.0, 200_001)
lift = LIFT * np.sin(np.pi * u) ** 4
bend = (
    LIFT
    * (np.pi / OPEN) ** 2
    * (12 * np.sin(np.pi * u) ** 2 * np.cos(np.pi * u) ** 2 - 4 * np.sin(np.pi * u) ** 4)
)
held = (MASS * 9.81 + PRELOAD + STIFFNESS * lift)[bend < 0] / (-MASS * bend[bend < 0])
FLOATS = np.sqrt(held.min()) * 60 / (2 * np.pi)
"""Turns of the camshaft a minute."""

EXPECTED = {
    "floats": (FLOATS, 0.3, "rpm"),
    "least force at 2500 rpm": (
        (MASS * (9.81 + (2500 * np.pi / 30) ** 2 * bend) + PRELOAD + STIFFNESS * lift).min(),
        0.01,
        "N",
    ),
    "sharpest bend": (1e3 * (BASE + lift + bend).min(), 1e-3, "mm"),
}

mechanism = ml.examples.valve_train()
solve = cache(lambda: ml.inverse(mechanism, cycle=1441))


@cache
def run_up():
    """From just below that speed, by 0.2 rpm a turn, until the contact force is nothing."""
    begin = 0.9995 * FLOATS * 2 * np.pi / 60
    faster = mechanism.replace(drives=[ml.Motion("O", begin * ml.time + 0.5 * ml.time**2)])
    return ml.simulate(faster, until=1.0, events={"floats": ml.normal("cam")}, stop="floats", samples=2)


def results():
    contact = solve()["cam"]
    radius = mechanism.pairs[0].profile_table(7201).radius.min()
    return {
        "floats": run_up()["O"].rate[-1] * 60 / (2 * np.pi),
        "least force at 2500 rpm": contact.normal.min(),
        "sharpest bend": 1e3 * radius,
    }


def answer():
    return ml.examples.answer("valve_train", solve())


def figure():
    return solve().plot(drawing=True)


def main():
    demonstrate(
        "valves", mechanism, solve=solve, results=results, expected=EXPECTED, figure=figure, answer=answer
    )


if __name__ == "__main__":
    main()
