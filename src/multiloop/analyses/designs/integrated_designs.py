"""Inverse dynamics of many designs whose motion is integrated forward in time, one after another.

Mechanisms with wheels that roll or skates that glide constrain rates, so that their positions depend on the motion.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from multiloop.analyses.designs.sweep import CANNOT_CLOSE, DEAD_POINT, INTERRUPTED, OK
from multiloop.analyses.progress import progress_display
from multiloop.analyses.results.result import Result
from multiloop.analyses.signals.efforts import effort_name
from multiloop.model import AssemblyError, Mechanism, MultiloopError
from multiloop.model.interrupts import accept_partial_result
from multiloop.plan import unknown_efforts


def integrate_designs(
    mechanism: Mechanism,
    values: Mapping[str, np.ndarray],
    times: np.ndarray,
    whole: bool,
    progress: bool | None,
    **asked: Any,
) -> dict[str, np.ndarray]:
    """The arrays of `Sweep.block`, with each design solved by `inverse`, which receives the `start` and `guess` in
    `asked`.

    Where rows constrain rates only, the position of a design depends on its path and cannot be closed at a later
    instant. The described design is solved first; if it fails, its error is raised.
    """
    _inverse_of_design(mechanism, {}, times, asked)
    count, names = len(next(iter(values.values()))), effort_names(mechanism)
    codes, failed_at = np.full(count, INTERRUPTED, np.int8), np.full(count, np.nan)
    effort = np.full((len(names), count, len(times)), np.nan)
    load = np.full((len(mechanism.connections), count, len(times)), np.nan)
    try:
        with progress_display(0.0, float(count), progress, "designs", "asking") as shown:
            for k in range(count):
                design = {name: float(given[k]) for name, given in values.items()}
                codes[k], failed_at[k], result = _design_outcome(mechanism, design, times, asked)
                if result is not None:
                    effort[:, k] = [result.effort_along(name) for name in names]
                    load[:, k] = [result[joint.name].load for joint in mechanism.connections]
                shown(k + 1)
    except KeyboardInterrupt:
        accept_partial_result()  # the remaining designs are marked as interrupted
    found = {"codes": codes, "failed_at": failed_at}
    found |= {"peak": np.abs(effort).max(axis=2), "rms": np.sqrt((effort**2).mean(axis=2))}
    found |= {"loads": load.max(axis=2)}
    return found | ({"effort": effort, "load": load} if whole else {})


def effort_names(mechanism: Mechanism) -> list[str]:
    """Names of the efforts of drives and actuators, as in results."""
    parts = {
        joint: mechanism.joint(joint).components(mechanism.planar) for joint, _ in unknown_efforts(mechanism)
    }
    return [
        effort_name(joint, component if len(parts[joint]) > 1 else None)
        for joint, component in unknown_efforts(mechanism)
    ]


def _design_outcome(
    mechanism: Mechanism, design: Mapping[str, float], times: np.ndarray, asked: Mapping[str, Any]
) -> tuple[int, float, Result | None]:
    """Status code of one design, the time of its failure, and its result unless it failed."""
    try:
        result = _inverse_of_design(mechanism, design, times, asked)
    except AssemblyError:
        return CANNOT_CLOSE, float(times[0]), None
    except MultiloopError:
        return DEAD_POINT, float("nan"), None
    if len(result.time) < len(times):
        return DEAD_POINT, float(result.time[-1]), None
    return OK, float("nan"), result


def _inverse_of_design(
    mechanism: Mechanism, design: Mapping[str, float], times: np.ndarray, asked: Mapping[str, Any]
) -> Result:
    from multiloop.analyses.inverse import inverse  # lazy: `inverse` imports this module

    return inverse(mechanism, parameters=design, t=times, progress=False, **asked)
