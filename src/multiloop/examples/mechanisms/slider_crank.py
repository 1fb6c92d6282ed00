"""A slider-crank with a vertical bore: crank, connecting rod and piston, with a counterweight as in an engine."""

from math import pi

import multiloop as ml

CRANK, ROD = 0.05, 0.20
SPEED = 1500 * 2 * pi / 60
ROD_MASS, PISTON_MASS, CRANK_MASS = 0.9, 0.5, 4.0


def slider_crank() -> ml.Mechanism:
    """Build a slider-crank whose crank angle is zero at top dead centre.

    The rod is dynamically equivalent to two point masses: with its mass centre at a third of its length l and an
    inertia of 2 m l²/9 (mass m) it corresponds to two thirds of its mass at the crank pin and one third at the piston
    (m a b = 2 m l²/9 with a = l/3, b = 2l/3). The crank's counterweight balances the two thirds.
    """
    balance = ROD_MASS * 2 / 3 * CRANK / CRANK_MASS
    return ml.Mechanism(
        "slider-crank",
        planar=True,
        bodies=[
            ml.ground(O=ml.marker((0, 0), angle=pi / 2)),
            ml.rod("crank", length=CRANK, mass=CRANK_MASS, com=-balance, inertia=8e-3),
            ml.rod("rod", length=ROD, mass=ROD_MASS, com=ROD / 3, inertia=ROD_MASS * 2 * ROD**2 / 9),
            ml.Body("piston", mass=PISTON_MASS),
        ],
        joints=[
            ml.Revolute("O", "ground.O", "crank.a"),
            ml.Revolute("crank pin", "crank.b", "rod.a"),
            ml.Revolute("wrist pin", "rod.b", "piston.origin"),
            ml.Prismatic("bore", "ground.O", "piston.origin"),
        ],
        drives=[ml.Motion("O", ml.motion_laws.constant_speed(SPEED))],
        guess={"bore": CRANK + ROD},
    )


def ask(mechanism: ml.Mechanism) -> ml.Result:
    """Compute torque and loads over one revolution."""
    return ml.inverse(mechanism, cycle=361)


def answer(result: ml.Result) -> str:
    """Answer to the question of this example in a sentence, from the result of `ask`."""
    torque, bore = result["O"].effort, result["bore"]
    return f"Up to {abs(torque).max():.2f} N m; the piston presses on the bore with up to {bore.load.max():.1f} N."
