"""A four-bar linkage suspended from a spring at its coupler point: free oscillation."""

from math import degrees, tau

import multiloop as ml

BASE, CRANK, COUPLER, ROCKER = 1.0, 0.5, 0.8, 0.6
POINT, ANCHOR = (0.4, 0.3), (0.5, 0.5)
MASSES = {"crank": 2.0, "coupler": 5.0, "rocker": 2.5}
CENTRE, COUPLER_INERTIA = (0.4, 0.1), 0.35
STIFFNESS, FREE_LENGTH = 400.0, 0.45
START = {"A": -0.9}


def sprung_four_bar() -> ml.Mechanism:
    """Build a hanging four-bar linkage whose coupler point, away from the coupler's line, is pulled up by a spring."""
    return ml.Mechanism(
        "four-bar on a spring",
        planar=True,
        bodies=[
            ml.ground(A=(0, 0), D=(BASE, 0), S=ANCHOR),
            ml.rod("crank", length=CRANK, mass=MASSES["crank"]),
            ml.plate(
                "coupler",
                corners={"b": (0, 0), "c": (COUPLER, 0), "p": POINT},
                mass=MASSES["coupler"],
                com=CENTRE,
                inertia=COUPLER_INERTIA,
            ),
            ml.rod("rocker", length=ROCKER, mass=MASSES["rocker"]),
        ],
        joints=[
            ml.Revolute("A", "ground.A", "crank.a"),
            ml.Revolute("B", "crank.b", "coupler.b"),
            ml.Revolute("C", "coupler.c", "rocker.b"),
            ml.Revolute("D", "ground.D", "rocker.a"),
        ],
        loads=[ml.Spring("spring", "coupler.p", "ground.S", stiffness=STIFFNESS, length=FREE_LENGTH)],
        guess={"coupler.b": (0.3, -0.4), "coupler.c": (0.95, -0.6)},
    )


def ask(mechanism: ml.Mechanism) -> ml.Result:
    """Simulate the free oscillation over five seconds."""
    return ml.simulate(mechanism, start=START, until=5.0)


def answer(result: ml.Result) -> str:
    """Answer to the question of this example in a sentence, from the result of `ask`."""
    mechanism = result.mechanism
    rest = ml.equilibrium(mechanism, start=START)
    often = ml.eigenmodes(mechanism, rest).frequencies[0] / tau
    return f"{often:.3f} Hz, about an equilibrium at a crank angle of {degrees(rest['A'].position):.1f}°."
