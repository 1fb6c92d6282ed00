"""What friction turns into heat over a known motion."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from multiloop.questions.answers.load_history import LoadHistory
from multiloop.questions.answers.result import Result


def with_heat(result: Result) -> Result:
    """The result with −∫ power dt of everything that tells of heat, by Simpson's rule from the first instant on.

    A run integrates it with its own steps; a motion that is known at its instants alone has only these.
    """
    found = {name: _heated(load, result.time) for name, load in result.loads.items()}
    return replace(result, loads=found) if any(load.heats for load in found.values()) else result


def _heated(load: LoadHistory, t: np.ndarray) -> LoadHistory:
    if not load.heats or len(t) < 2:
        return load
    from scipy.integrate import (
        cumulative_simpson,
        cumulative_trapezoid,
    )  # takes a fifth of a second to import

    rising = len(t) > 2 and bool((np.diff(t) > 0).all())
    rule = cumulative_simpson if rising else cumulative_trapezoid
    return replace(load, values={**load.values, "heat": -rule(load.power, x=t, initial=0.0)})
