"""The four-stroke engine with friction: the skirt of the piston, its rings, and the main bearing."""

from scipy.integrate import trapezoid

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


def answer(result: ml.Result) -> str:
    """The answer in a sentence, from what `ask` gives."""
    smooth = ml.inverse(ml.examples.four_stroke_engine(), cycle=len(result.time))
    parts = [f"{name} {load.heat[-1]:.1f} J" for name, load in result.loads.items()]
    lost = 100 * (1 - work(result) / work(smooth))
    return f"{lost:.1f} % of {work(smooth):.0f} J a cycle: {', '.join(parts)}."


def work(result: ml.Result) -> float:
    """What the engine gives over its cycle, which the drive that keeps its speed takes up."""
    return -float(trapezoid(result["O"].effort, result["O"].position))
