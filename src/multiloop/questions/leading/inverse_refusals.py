"""Combinations of arguments that inverse dynamics does not accept: for many designs, free motions and single states."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from multiloop.model import Mechanism
from multiloop.model.brief import brief
from multiloop.model.expressions.expression import finite_number
from multiloop.questions.answers.state import State
from multiloop.questions.leading.loads import METHODS
from multiloop.questions.refusal import refusal


def require_plain(mechanism: Mechanism, method: str, **given: Any) -> None:
    """Refuse arguments that are not supported for many designs at once."""
    asked = [name for name, value in given.items() if value is not None]
    asked += [] if method == METHODS[0] else ["method"]
    if asked:
        what = f"`{asked[0]}` cannot be chosen for many designs at once."
        raise refusal(mechanism, "S10", "parameters", what, "Leave it out, or ask design by design.")


def require_free_motion(
    mechanism: Mechanism, times: np.ndarray, method: str, weights: Mapping[str, float] | None, why: str
) -> None:
    """Refuse arguments that are not supported for a motion that is integrated forward in time."""
    if times[0] < 0 or (np.diff(times) <= 0).any():
        what = f"the times do not rise from 0, but {why}."
        raise refusal(mechanism, "S02", "t", what, "Give times in rising order, none of them negative.")
    if method != METHODS[0]:
        remedy = "Leave it out, or ask for the first instant alone, with every freedom driven."
        raise refusal(mechanism, "S02", f"method '{method}'", f"cannot be used: {why}.", remedy)
    if weights:
        what = f"there is no choice among efforts: {why}."
        raise refusal(mechanism, "S02", "weights", what, "Leave them out.")


def state_alone(mechanism: Mechanism, state: Any, t: Any, **given: Any) -> State | Mapping[str, Any]:
    """The state; arguments that are not supported together with a state and its accelerations are refused."""
    if state is None:
        what = "are given without the state that they belong to."
        remedy = "Give it too, e.g. state={'A': 0.3} with rates={'A': 4.7}, or a State."
        raise refusal(mechanism, "S02", "accelerations", what, remedy)
    for name, value in given.items():
        if value is not None:
            what = "is given with a state, which is one instant by itself."
            raise refusal(mechanism, "S02", name, what, "Leave it out, or leave out state and accelerations.")
    if t is not None and finite_number(t) is None:
        raise refusal(mechanism, "S02", "t", f"is {brief(t)}.", "Give the one time of the state, in seconds.")
    known: State | Mapping[str, Any] = state
    return known
