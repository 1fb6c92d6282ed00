"""Text on forces that equilibrium does not determine, the same wherever results are printed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from multiloop.model.unit_table import unsigned_zero

if TYPE_CHECKING:
    from multiloop.questions.answers.load_history import LoadHistory
    from multiloop.questions.answers.result import Result

MOST = 10
"""Names of a kind that are listed; large mechanisms have hundreds."""


def undetermined_note(result: Result) -> str:
    """A sentence that lists the forces which equilibrium does not determine; empty where there are none."""
    left = undetermined_forces(result)
    return f"Not determined by equilibrium, the minimum norm is shown: {left}" if left else ""


def undetermined_forces(result: Result) -> str:
    """The reactions and forces of loads that equilibrium does not determine, by name; empty where there are none."""
    alike: dict[tuple[str, ...], list[str]] = {}
    for name, joint in result.joints.items():
        if joint.undetermined:
            alike.setdefault(joint.undetermined, []).append(name)
    for name, coupling in result.couplings.items():
        if not coupling.determined:
            alike.setdefault(tuple(word for word, _ in result.plan.unique[name]), []).append(name)
    left = [f"{_few(names, ', ')} ({', '.join(parts)})" for parts, names in alike.items()]
    loads = [load for load in result.loads.values() if load.undetermined]
    left += [f"{load.name} ({_bounds(load, result.time)})" for load in loads[:MOST]]
    left += [f"{len(loads) - MOST} more loads"] if len(loads) > MOST else []
    return "; ".join(left)


def _bounds(load: LoadHistory, time: np.ndarray) -> str:
    """The first quantity of a load that is not determined, with its range where its reported value is largest.

    The range of one instant is computed, not that of all, which would take two linear programs each.
    """
    name = load.undetermined[0]
    k = load.largest_undetermined(name)
    ends = load.at_instants(np.array([k])).range(name)
    if ends.ndim > 2:  # a vector has no single range
        return name
    low, high = (f"{unsigned_zero(float(end), 9):.6g}" for end in ends[0])
    when = "" if len(time) == 1 else f" at t = {time[k]:.6g} s"
    return f"{name} {low} to {high} {load.units.get(name, '')}{when}"


def _few(words: list[str], between: str) -> str:
    """The first MOST of many names, and the number of the others."""
    more = [f"{len(words) - MOST} more"] if len(words) > MOST else []
    return between.join([*words[:MOST], *more])
