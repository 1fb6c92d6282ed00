"""The coupling rod of a locomotive: a parallelogram linkage whose flexible coupler bends under inertia forces."""

from math import cos, pi, radians, sin

import numpy as np

import multiloop as ml

LENGTH, THROW, SPEED = 1.8, 0.3, 32.0
WIDTH, HEIGHT, E, DENSITY = 0.04, 0.09, 210e9, 7850.0
BEGIN, END = radians(-155), radians(-25)


def coupling_rod() -> ml.Mechanism:
    """Build two wheels with crank pins at a radius of 0.3 m, which turn five times per second, and their rod."""
    rod = ml.beam(
        "rod",
        length=LENGTH,
        E=E,
        density=DENSITY,
        section=ml.rectangle(WIDTH, HEIGHT),
        modes=3,
        damping=0.05,
    )
    return ml.Mechanism(
        "coupling rod",
        planar=True,
        bodies=[
            ml.ground(A=0.0, D=LENGTH),
            ml.rod("first crank", length=THROW, mass=30.0, com=0.0, inertia=2.0),
            rod,
            ml.rod("second crank", length=THROW, mass=30.0, com=0.0, inertia=2.0),
        ],
        joints=[
            ml.Revolute("A", "ground.A", "first crank.a"),
            ml.Revolute("B", "first crank.b", "rod.a"),
            ml.Revolute("C", "rod.b", "second crank.b"),
            ml.Revolute("D", "ground.D", "second crank.a"),
        ],
        drives=[ml.Motion("A", ml.motion_laws.constant_speed(SPEED, start=BEGIN))],
        guess={"A": BEGIN, "B": -BEGIN, "D": BEGIN},
    )


def turned(angle: float) -> float:
    """Time (s) at which the cranks have a given angle (rad)."""
    return (angle - BEGIN) / SPEED


def ask(mechanism: ml.Mechanism) -> ml.Result:
    """Simulate the lower half of a revolution; the rod is initially deformed as in steady rotation."""
    softness = (
        4 * LENGTH**4 / (pi**5 * E * WIDTH * HEIGHT**3 / 12)
    )  # deflection of the middle in the first mode per uniform load of 1 N/m
    whirl = DENSITY * WIDTH * HEIGHT * THROW * SPEED**2
    weight = DENSITY * WIDTH * HEIGHT * 9.81
    bent, bending = (whirl * sin(BEGIN) - weight) * softness, whirl * cos(BEGIN) * SPEED * softness
    start, rates = {"rod.eta": (bent, 0.0, 0.0)}, {"rod.eta": (bending, 0.0, 0.0)}
    return ml.simulate(mechanism, start=start, rates=rates, until=turned(END), samples=131)


def answer(result: ml.Result) -> str:
    """Answer to the question of this example in a sentence, from the result of `ask`."""
    lowest, link = int(np.argmin(np.abs(result["A"].position + pi / 2))), result.link("rod")
    left_out = link.truncation.relative if link.truncation is not None else 0.0
    deflection, moment = -link.deflection(LENGTH / 2)[lowest, 1], link.moment(LENGTH / 2)[lowest]
    return (
        f"Its middle by {1e3 * deflection:.2f} mm; there the bending moment is {moment / 1e3:.2f} kN m and the stress "
        f"{link.stress(LENGTH / 2)[lowest] / 1e6:.0f} MPa. The truncation error of its modes is {100 * left_out:.1f} %."
    )
