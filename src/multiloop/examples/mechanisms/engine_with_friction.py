"""The four-stroke engine with friction: the skirt of the piston, its rings, and the main bearing."""

from scipy.integrate import trapezoid

import multiloop as ml

SKIRT, RINGS = 0.08, 45.0
"""Friction coefficient between piston and bore, and constant friction force (N) of the rings."""

BEARING, JOURNAL = 0.01, 0.03
"""Friction coefficient of the main bearing, and radius (m) of its journal."""


def engine_with_friction() -> ml.Mechanism:
    """Build the engine with friction: the gas force presses the piston against the bore, and the crank into its
    bearing."""
    return ml.examples.four_stroke_engine().replace(
        name="engine with friction",
        loads=[
            ml.Friction("skirt", "bore", coefficient=SKIRT),
            ml.Friction("rings", "bore", effort=RINGS),
            ml.Friction("main bearing", "O", coefficient=BEARING, radius=JOURNAL),
        ],
    )


def ask(mechanism: ml.Mechanism) -> ml.Result:
    """Compute torque, loads and losses over the two revolutions of a cycle."""
    return ml.inverse(mechanism, cycle=1441)


def answer(result: ml.Result) -> str:
    """Answer to the question of this example in a sentence, from the result of `ask`."""
    smooth = ml.inverse(ml.examples.four_stroke_engine(), cycle=len(result.time))
    parts = [f"{name} {load.heat[-1]:.1f} J" for name, load in result.loads.items()]
    lost = 100 * (1 - work(result) / work(smooth))
    return f"{lost:.1f} % of {work(smooth):.0f} J per cycle: {', '.join(parts)}."


def work(result: ml.Result) -> float:
    """Work (J) of the engine over a cycle, which the drive that keeps its speed constant absorbs."""
    return -float(trapezoid(result["O"].effort, result["O"].position))
