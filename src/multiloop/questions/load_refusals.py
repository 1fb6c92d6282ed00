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


def without_value(equations: Equations, t: float, q: np.ndarray, v: np.ndarray, p: np.ndarray) -> SolveError:
    """The error of forces that are no numbers: a spring whose ends meet is named."""
    skeleton = equations.skeleton
    lengths = lengths_of(equations)(q=q, v=v, p=p)[0] if loads_with_length(skeleton) else np.zeros(0)
    for name, length in zip(loads_with_length(skeleton), lengths, strict=True):
        if length < MET * skeleton.length:
            what = f"its two ends meet at t = {t:.6g} s, where its force has no direction."
            remedy = "Move one of its markers, or keep the motion away from there."
            return refusal(skeleton.mechanism, "S13", f"load '{name}'", what, remedy, time=t)
    return not_finite(skeleton.mechanism, t)
