"""Arguments of `inverse`: the requested times, weights and settling times, and checks of their combinations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from multiloop.analyses.errors import MOST_INSTANTS, analysis_error, require_choice, require_memory
from multiloop.analyses.prescribed_motion.cycle import cycle_time
from multiloop.kinematics.assembly import StateValues
from multiloop.model import Mechanism, short_repr
from multiloop.model.expressions.expression import finite_number, is_number

METHODS = ("subsystem", "system", "virtual_work", "traditional")


def requested_times(
    mechanism: Mechanism, t: Any, cycle: int | None, turns: float | None = None
) -> np.ndarray:
    """The requested times: `t`, or `cycle` instants from 0 to the end of the cycle, both ends included.

    The cycle is one period of the motion, or, with `turns`, that number of turns of the first drive.
    """
    if (t is None) == (cycle is None):
        what = "neither `t` nor `cycle` is given." if t is None else "both `t` and `cycle` are given."
        remedy = "Give either times, `t`, or the number of instants of one cycle, `cycle`."
        raise analysis_error(mechanism, "S02", "inverse dynamics", what, remedy)
    if cycle is not None:
        count = _instant_count(mechanism, cycle)
        require_memory(mechanism, "cycle", count)
        return np.linspace(0.0, _cycle_duration(mechanism, turns), count)
    if turns is not None:
        remedy = "Give `cycle`, the number of instants over these turns, in place of `t`."
        raise analysis_error(
            mechanism, "S02", "turns", "is given together with `t`, which already defines the end.", remedy
        )
    try:
        times = np.atleast_1d(np.asarray(t))
        times = times.astype(float) if times.dtype.kind in "fiu" else np.zeros(0)
    except (TypeError, ValueError):
        times = np.zeros(0)
    if times.size == 0 or times.ndim > 1 or not np.isfinite(times).all():
        said = f"has the shape {times.shape}." if times.ndim > 1 else f"is {short_repr(t)}."
        raise analysis_error(
            mechanism, "S02", "t", said, "Give one finite time, or a one-dimensional list of times."
        )
    require_memory(mechanism, "t", len(times))
    return times


def _instant_count(mechanism: Mechanism, cycle: Any) -> int:
    """The number of instants in a cycle; raises an error if it is invalid."""
    if not isinstance(cycle, int | np.integer) or isinstance(cycle, bool) or not 2 <= cycle <= MOST_INSTANTS:
        remedy = f"Give a whole number of instants, at least 2 and at most {MOST_INSTANTS:,}."
        raise analysis_error(mechanism, "S02", "cycle", f"is {short_repr(cycle)}.", remedy)
    return int(cycle)


def _cycle_duration(mechanism: Mechanism, turns: Any) -> float:
    """The duration in seconds of the cycle, or of the given number of turns of the first drive."""
    if turns is not None and not (is_number(turns) and 0 < turns < float("inf")):
        remedy = "Give a positive number of turns of the first drive, e.g. turns=2."
        raise analysis_error(mechanism, "S02", "turns", f"is {short_repr(turns)}.", remedy)
    length = _described_cycle_time(mechanism, turns)
    if not length < float("inf"):
        what = f"is {short_repr(turns)}, whose duration is not finite."
        raise analysis_error(mechanism, "S02", "turns", what, "Give fewer turns of the first drive.")
    return length


_described_cycle_time = lru_cache(maxsize=64)(cycle_time)
"""The `cycle_time` for the parameter values of the description, cached."""


def require_batch_arguments(mechanism: Mechanism, method: str, **given: Any) -> None:
    """Raise an error if arguments are `given` that are not supported for many designs at once."""
    asked = [name for name, value in given.items() if value is not None]
    asked += [] if method == METHODS[0] else ["method"]
    if asked:
        what = f"arrays (many designs at once) cannot be combined with `{asked[0]}`."
        raise analysis_error(
            mechanism, "S10", "parameters", what, f"Omit `{asked[0]}`, or run the designs one at a time."
        )


def require_forward_arguments(
    mechanism: Mechanism, times: np.ndarray, method: str, weights: Mapping[str, float] | None, why: str
) -> None:
    """Raise an error for arguments that are not supported for a motion that is integrated forward in time.

    `why` states in the message why this motion is integrated.
    """
    if times[0] < 0 or (np.diff(times) <= 0).any():
        what = f"the times do not increase from 0 or later, as required because {why}."
        raise analysis_error(mechanism, "S02", "t", what, "Give times ≥ 0 in increasing order.")
    if method != METHODS[0]:
        remedy = "Omit `method`, or give the first instant only, with every degree of freedom driven."
        raise analysis_error(mechanism, "S02", f"method '{method}'", f"cannot be used: {why}.", remedy)
    if weights:
        what = f"the efforts cannot be weighted: {why}."
        raise analysis_error(mechanism, "S02", "weights", what, "Omit `weights`.")


def require_state(mechanism: Mechanism, state: Any, t: Any, **given: Any) -> StateValues:
    """The argument `state`; raises an error if it is missing, or if arguments are `given` that are not supported
    together with a state and its accelerations."""
    if state is None:
        what = "are given without a state."
        remedy = "Give a state too, e.g. state={'A': 0.3} with rates={'A': 4.7}, or a State."
        raise analysis_error(mechanism, "S02", "accelerations", what, remedy)
    for name, value in given.items():
        if value is not None:
            what = "is given together with a state, but a state describes a single instant."
            raise analysis_error(
                mechanism, "S02", name, what, f"Omit `{name}`, or omit `state` and `accelerations`."
            )
    if t is not None and finite_number(t) is None:
        raise analysis_error(
            mechanism, "S02", "t", f"is {short_repr(t)}.", "Give the time of the state, in seconds."
        )
    known: StateValues = state
    return known


def effort_weights(
    mechanism: Mechanism, efforts: tuple[tuple[str, str], ...], weights: Mapping[str, float]
) -> np.ndarray:
    """The weight of every effort, as an array; weights are given by joint or "joint.component" and are 1 by default."""
    names = [(f"{joint}.{component}", joint) for joint, component in efforts]
    for name, weight in weights.items():
        require_choice(mechanism, "weight of joint", name, [known for pair in names for known in pair])
        if not (finite_number(weight) or 0.0) > 0:
            remedy = "Give a positive number: the larger the weight, the larger the effort."
            raise analysis_error(mechanism, "S09", f"weight of '{name}'", f"is {short_repr(weight)}.", remedy)
    return np.array([float(weights.get(whole, weights.get(joint, 1.0))) for whole, joint in names])


ELASTIC_CHOICES = ("stable",)
"""Permitted values of the argument `elastic`, which requests inverse dynamics of flexible links."""


Settling = float | Sequence[float] | None
"""Seconds before and after the motion: one number for both, two numbers, or None for the computed settling time."""


def requires_stable_inversion(mechanism: Mechanism, elastic: Any, settling: Any) -> bool:
    """Whether inverse dynamics of flexible links is requested and the mechanism has flexible links."""
    if elastic is not None and not (isinstance(elastic, str) and elastic in ELASTIC_CHOICES):
        remedy = 'Give elastic="stable" for the bounded motion of flexible links, or omit `elastic` for rigid links.'
        raise analysis_error(mechanism, "S02", "elastic", f"is {short_repr(elastic)}.", remedy)
    if settling is not None and elastic is None:
        what = 'is given without elastic="stable".'
        raise analysis_error(
            mechanism, "S02", "settling", what, 'Omit `settling`, or give elastic="stable" too.'
        )
    return elastic is not None and any(body.elastic for body in mechanism.all_bodies)


def require_stable_arguments(mechanism: Mechanism, method: str, designs: Any, **given: Any) -> None:
    """Raise an error if arguments are `given` that are not supported for mechanisms with flexible links."""
    if designs is not None:
        what = "are arrays, but flexible links are solved for one design at a time."
        raise analysis_error(mechanism, "S14", "parameters", what, "Run the designs one at a time.")
    asked = [name for name, value in given.items() if value is not None]
    asked += [] if method == METHODS[0] else ["method"]
    if asked:
        what = 'cannot be chosen with elastic="stable".'
        raise analysis_error(mechanism, "S02", f"`{asked[0]}`", what, f"Omit `{asked[0]}`.")


def settling_times(mechanism: Mechanism, settling: Any, cycle: bool) -> tuple[float | None, float | None]:
    """Settling times before and after the motion, in seconds; None if they are to be computed.

    `settling` is the argument of `inverse`; an error is raised if it is given for a periodic motion (`cycle`).
    """
    if settling is None:
        return None, None
    if cycle:
        what = "is given together with `cycle`, but a periodic motion has no settling time."
        raise analysis_error(mechanism, "S02", "settling", what, "Omit `settling` or `cycle`.")
    given = list(settling) if isinstance(settling, list | tuple | np.ndarray) else [settling, settling]
    numbers = [finite_number(one) for one in given]
    if len(numbers) != 2 or any(one is None or one < 0 for one in numbers):
        remedy = (
            "Give seconds, settling=0.2, or the seconds before and after the motion, settling=(0.2, 0.4)."
        )
        raise analysis_error(mechanism, "S02", "settling", f"is {short_repr(settling)}.", remedy)
    return numbers[0], numbers[1]
