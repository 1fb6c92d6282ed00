"""Plot of the power supplied by every drive, effort and load, and of their sum."""

from __future__ import annotations

import numpy as np

from multiloop.questions import Result
from multiloop.questions.answers.extremes import ROUND_OFF, noise_floor
from multiloop.view.kinds.chosen import Chosen
from multiloop.view.kinds.energy import SUM
from multiloop.view.kinds.panel import Line, Panel


def power(result: Result, chosen: Chosen) -> list[Panel]:
    """The power of each supplier, and the sum where there are several; springs store energy and are not included."""
    suppliers = {name: joint.power for name, joint in result.joints.items()}
    if chosen.joints is None:
        suppliers |= {name: load.power for name, load in result.loads.items()}
        suppliers |= {name: coupling.power for name, coupling in result.couplings.items()}
        suppliers = {name: values for name, values in suppliers.items() if np.any(values)}
    else:
        suppliers = {name: suppliers[name] for name in chosen.joints}
    if not suppliers:
        return []
    lines = [Line(name, name, values) for name, values in suppliers.items()]
    if len(lines) > 1 and chosen.joints is None:
        lines.append(Line(SUM, SUM, result.power, 2))
    return [Panel("power", "power", "power", lines, _floor(result, lines), zero=True)]


def _floor(result: Result, lines: list[Line]) -> float:
    """Round-off level: that of moments times the fastest rate, or that of the largest power."""
    fastest = max(
        (float(np.abs(joint.rate).max(initial=0.0)) for joint in result.joints.values()), default=0.0
    )
    return max(noise_floor(result)["N m"] * fastest, ROUND_OFF * max(line.largest for line in lines))
