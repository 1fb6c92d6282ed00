"""Warnings that a motion passes through a stop, rope, contact or freewheel.

Along a prescribed motion such loads are assumed open, and `inverse` reports where this is impossible. In a
simulation they are unilateral constraints, and every result is checked for penetration.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from multiloop.model import Contact, Freewheel, Load, Rope, Stop
from multiloop.model.markers import value_of
from multiloop.questions.answers.result import Result

WITHIN = 1e-6
"""Penetrations below this, in m, rad or their rates, are not reported."""


def passes_through(result: Result, within: Mapping[str, float] | None = None) -> list[str]:
    """Warnings for unilateral constraints that are violated, with the first instant of violation.

    `within` are the largest penetrations that are not reported, in m or rad; with it, rates are not examined.
    """
    said = []
    for load in result.mechanism.all_loads:
        examined = within is None or (load.name in within and not isinstance(load, Freewheel))
        for way, unit in beyond(result, load) if examined else ():
            past = np.flatnonzero(way > (WITHIN if within is None else within[load.name]))
            if past.size:
                kind, most = type(load).__name__.lower(), f"{way.max():.3g} {unit}"
                when = f"from t = {result.time[past[0]]:.6g} s on"
                said.append(f"the motion goes through {kind} '{load.name}' {when}, by up to {most}")
    return said


def beyond(result: Result, load: Load) -> Iterator[tuple[np.ndarray, str]]:
    """Penetration of a load over time and its unit, for each of its limits."""
    if isinstance(load, Rope):
        yield result[load.name].length - (value_of(load.length) or 0.0), "m"
    elif isinstance(load, Contact):
        yield -result[load.name].gap, "m"
    elif isinstance(load, Freewheel):
        rate, unit = _along(result, load, "rate")
        yield (-rate if load.free == "forward" else rate), f"{unit}/s"
    elif isinstance(load, Stop) and load.modes:
        q, unit = _along(result, load, "position")
        for sign, end in ((-1, value_of(load.low)), (1, value_of(load.high))):
            if end is not None:
                yield sign * (q - end), unit


def _along(result: Result, load: Stop | Freewheel, of: str) -> tuple[np.ndarray, str]:
    """Position or rate along the coordinate of a load, and the unit of the coordinate."""
    joint = result.joints[load.joint]
    names = result.mechanism.connection(load.joint).components(result.mechanism.planar)
    k = names.index(load.component) if load.component else 0
    values: np.ndarray = getattr(joint, of)
    return (values if values.ndim == 1 else values[:, k]), ("rad" if joint.turning[k] else "m")
