"""Where loads have no value: tables that end too soon, springs whose ends meet."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from multiloop.kinematics.equations import Equations
from multiloop.kinematics.spans import lengths_of, loads_with_length
from multiloop.model import Mechanism, SolveError
from multiloop.model.expressions import Time, nodes_of
from multiloop.model.expressions.tables import Table, check_covered
from multiloop.questions.refusal import refusal
from multiloop.questions.running.stops import not_finite

MET = 1e-9
"""A spring shorter than this part of the characteristic length has no direction."""


def require_covered_loads(mechanism: Mechanism, times: Sequence[float]) -> None:
    """Refuse a load with a table of the time that does not reach over all the times."""
    for load in mechanism.loads:
        for node in (node for value in load.expressions for node in nodes_of(value)):
            if isinstance(node, Table) and isinstance(node.argument, Time) and not node.periodic:
                try:
                    check_covered(node, np.array([min(times), max(times)]))
                except ValueError as problem:
                    what = str(problem).partition(". Give")[0] + "."
                    remedy = "Run within its times, or make the table longer."
                    raise refusal(mechanism, "S03", f"load '{load.name}'", what, remedy) from None


def require_distances(equations: Equations, t: float, q: np.ndarray, v: np.ndarray, p: np.ndarray) -> None:
    """Refuse a position in which the ends of a spring meet whose force needs a direction."""
    if any(load.needs_distance for load in equations.skeleton.mechanism.loads) and _met(equations, q, v, p):
        raise without_value(equations, t, q, v, p)


def _met(equations: Equations, q: np.ndarray, v: np.ndarray, p: np.ndarray) -> list[str]:
    """The springs whose ends meet, of those that need a direction."""
    skeleton = equations.skeleton
    names = loads_with_length(skeleton)
    lengths = lengths_of(equations)(q=q, v=v, p=p)[0] if names else np.zeros(0)
    short = [name for name, length in zip(names, lengths, strict=True) if length < MET * skeleton.length]
    return [load.name for load in skeleton.mechanism.loads if load.name in short and load.needs_distance]


def without_value(equations: Equations, t: float, q: np.ndarray, v: np.ndarray, p: np.ndarray) -> SolveError:
    """The error of forces that are no numbers: a spring whose ends meet is named."""
    mechanism = equations.skeleton.mechanism
    for name in _met(equations, q, v, p):
        what = f"its two ends meet at t = {t:.6g} s, where its force has no direction."
        remedy = "Move one of its markers, or keep the motion away from there."
        return refusal(mechanism, "S13", f"load '{name}'", what, remedy, time=t)
    return not_finite(mechanism, t)
