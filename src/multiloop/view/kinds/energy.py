"""Plot of kinetic energy, potential energy and their sum, with the supplied work where it was integrated."""

from __future__ import annotations

from multiloop.questions import Result
from multiloop.questions.answers.extremes import ROUND_OFF
from multiloop.view.kinds.chosen import Chosen
from multiloop.view.kinds.panel import Line, Panel

SUM, POTENTIAL, WORK = "sum", "potential energy", "work done on it"

FROM_START = f"{POTENTIAL}, 0 at the start"
"""Label of the potential energy over a motion; only its changes are meaningful."""


def energy(result: Result, _: Chosen) -> list[Panel]:
    """All energies in one panel; the sum minus the work is constant."""
    moving = len(result.time) > 1
    potential = result.potential_energy - result.potential_energy[0] * moving
    curves = {
        "kinetic energy": result.kinetic_energy,
        POTENTIAL: potential,
        SUM: result.kinetic_energy + potential,
    }
    if result.work is not None:
        curves[WORK] = result.work
    labels = {POTENTIAL: FROM_START} if moving else {}
    lines = [
        Line(name, labels.get(name, name), values, 2 if name == SUM else 0) for name, values in curves.items()
    ]
    floor = ROUND_OFF * max(line.largest for line in lines)
    lines = [line for line in lines if line.of != WORK or line.largest > floor]
    return [Panel("energy", "energy", "energy", lines, floor, whole=True)]
