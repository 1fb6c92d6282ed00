"""Plots of loads and moments: the magnitudes of the reaction force and moment of every joint."""

from __future__ import annotations

import numpy as np

from multiloop.questions import Result
from multiloop.questions.answers.extremes import noise_floor
from multiloop.view.histories import loads_of, moments_of, named
from multiloop.view.kinds.chosen import Chosen
from multiloop.view.kinds.panel import Line, Panel


def loads(result: Result, chosen: Chosen) -> list[Panel]:
    """The magnitude of the force in every joint, largest first."""
    return _carried(result, chosen, "loads", "force", loads_of(result), noise_floor(result)["N"])


def moments(result: Result, chosen: Chosen) -> list[Panel]:
    """The magnitude of the moment in every joint that transmits one, largest first."""
    return _carried(result, chosen, "moments", "moment", moments_of(result), noise_floor(result)["N m"])


def _carried(
    result: Result, chosen: Chosen, name: str, quantity: str, carried: dict[str, np.ndarray], floor: float
) -> list[Panel]:
    wanted = {joint: values for joint, values in carried.items() if joint in (chosen.joints or carried)}
    strong = wanted if chosen.joints else named(carried)
    lines = [
        Line(joint, joint, values, strong=joint in strong, doubtful=not result[joint].determined)
        for joint, values in wanted.items()
    ]
    if not lines:
        return []
    return [Panel(name, f"{name[:-1]} of the joints", quantity, lines, floor, peaks=True)]
