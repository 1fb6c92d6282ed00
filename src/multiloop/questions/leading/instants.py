"""The times at which a driven motion is evaluated: given ones, or a whole cycle."""

from __future__ import annotations

from typing import Any

import numpy as np

from multiloop.model import Mechanism
from multiloop.model.brief import brief
from multiloop.model.expressions.expression import is_number
from multiloop.questions.choices import MOST_INSTANTS, require_memory
from multiloop.questions.leading.cycle import cycle_time
from multiloop.questions.refusal import refusal


def instants(mechanism: Mechanism, t: Any, cycle: int | None, turns: float | None = None) -> np.ndarray:
    """The requested times: `t`, or `cycle` instants from 0 to the end of the cycle, both ends included."""
    if (t is None) == (cycle is None):
        what, remedy = "takes either `t` or `cycle`.", "Give times, or a number of instants."
        raise refusal(mechanism, "S02", "inverse dynamics", what, remedy)
    if cycle is not None:
        count = _count(mechanism, cycle)
        require_memory(mechanism, "cycle", count)
        return np.linspace(0.0, _length(mechanism, turns), count)
    if turns is not None:
        remedy = "Give `cycle`, the number of instants over these turns, in place of `t`."
        raise refusal(mechanism, "S02", "turns", "is given with `t`, which has its own end.", remedy)
    try:
        times = np.atleast_1d(np.asarray(t))
        times = times.astype(float) if times.dtype.kind in "fiu" else np.zeros(0)
    except (TypeError, ValueError):
        times = np.zeros(0)
    if times.size == 0 or times.ndim > 1 or not np.isfinite(times).all():
        said = f"has the shape {times.shape}." if times.ndim > 1 else f"is {brief(t)}."
        raise refusal(mechanism, "S02", "t", said, "Give one finite time, or a plain list of them.")
    require_memory(mechanism, "t", len(times))
    return times


def _count(mechanism: Mechanism, cycle: Any) -> int:
    """The number of instants."""
    if not isinstance(cycle, int | np.integer) or isinstance(cycle, bool) or not 2 <= cycle <= MOST_INSTANTS:
        remedy = f"Give a whole number of instants, at least 2 and at most {MOST_INSTANTS:,}."
        raise refusal(mechanism, "S02", "cycle", f"is {brief(cycle)}.", remedy)
    return int(cycle)


def _length(mechanism: Mechanism, turns: Any) -> float:
    """The duration of the cycle, or of the given number of turns of the first drive."""
    if turns is not None and not (is_number(turns) and 0 < turns < float("inf")):
        remedy = "Give how many turns of the first drive to take, e.g. turns=2."
        raise refusal(mechanism, "S02", "turns", f"is {brief(turns)}.", remedy)
    length = cycle_time(mechanism, turns)
    if not length < float("inf"):
        what = f"is {brief(turns)}, which takes longer than a number can tell."
        raise refusal(mechanism, "S02", "turns", what, "Give fewer turns of the first drive.")
    return length
