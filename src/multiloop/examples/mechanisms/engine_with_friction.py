"""The four-stroke engine with friction: the skirt of the piston, its rings, and the main bearing."""

import multiloop as ml

SKIRT, RINGS = 0.08, 45.0
"""Coefficient between piston and bore, and the force (N) with which the rings rub whatever the gas does."""

BEARING, JOURNAL = 0.01, 0.03
"""Coefficient in the main bearing, and the radius (m) of its journal."""


def engine_with_friction() -> ml.Mechanism:
    """The gas presses the piston against the bore by way of the leaning rod, and the crank into its bearing."""
    return ml.examples.four_stroke_engine().replace(
        name="engine with friction",
        loads=[
            ml.Friction("skirt", "bore", coefficient=SKIRT),
            ml.Friction("rings", "bore", effort=RINGS),
            ml.Friction("main bearing", "O", coefficient=BEARING, radius=JOURNAL),
        ],
    )


def ask(mechanism: ml.Mechanism) -> ml.Result:
    """Torque, loads and losses over the two turns of a cycle."""
    return ml.inverse(mechanism, cycle=1441)
