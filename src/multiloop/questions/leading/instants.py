"""The times at which a driven motion is asked about: given ones, or a cycle of the first drive."""

from __future__ import annotations

from typing import Any

import numpy as np

from multiloop.kinematics.targets import driven_targets
from multiloop.model import Expression, Mechanism, period_of
from multiloop.model.brief import brief
from multiloop.questions.choices import MOST_INSTANTS
from multiloop.questions.refusal import refusal


def instants(mechanism: Mechanism, t: Any, cycle: int | None) -> np.ndarray:
    """The times asked for."""
    if (t is None) == (cycle is None):
        what, remedy = "takes either `t` or `cycle`.", "Give times, or a number of instants."
        raise refusal(mechanism, "S02", "inverse dynamics", what, remedy)
    if t is None:
        return _cycle(mechanism, cycle)
    try:
        times = np.atleast_1d(np.asarray(t))
        times = times.astype(float) if times.dtype.kind in "fiu" else np.zeros(0)
    except (TypeError, ValueError):
        times = np.zeros(0)
    if times.size == 0 or times.ndim > 1 or not np.isfinite(times).all():
        said = f"has the shape {times.shape}." if times.ndim > 1 else f"is {brief(t)}."
        raise refusal(mechanism, "S02", "t", said, "Give one finite time, or a plain list of them.")
    return times


def _cycle(mechanism: Mechanism, cycle: int | None) -> np.ndarray:
    """Instants over one turn of the first drive."""
    if not isinstance(cycle, int | np.integer) or isinstance(cycle, bool) or not 2 <= cycle <= MOST_INSTANTS:
        remedy = f"Give a whole number of instants, at least 2 and at most {MOST_INSTANTS:,}."
        raise refusal(mechanism, "S02", "cycle", f"is {brief(cycle)}.", remedy)
    if not mechanism.drives:
        what = "there is no drive that could make one."
        raise refusal(mechanism, "S02", "cycle", what, "Add a Motion, or give t=.")
    first = driven_targets(mechanism)[0]
    motion, profile = first.target, first.profiles[0]
    turns = not motion.on_marker and mechanism.joint(motion.of).turning(mechanism.planar)[:1] == (True,)
    period = period_of(profile, 2 * np.pi if turns else 0.0)
    if period is None:
        what, remedy = f"the drive of '{motion.of}' is not periodic.", "Give the times with t=."
        if not isinstance(profile, Expression):
            what = f"the drive of '{motion.of}' stands still at {profile:g}."
            remedy = f"Give the times with t=; for a speed write constant_speed({profile:g})."
        raise refusal(mechanism, "S02", "cycle", what, remedy)
    return np.linspace(0.0, period, int(cycle))
