"""Python functions that the compiled loop calls where singular positions are passed."""

from __future__ import annotations

from typing import Any

import numpy as np

from multiloop.kernels.state_layout import StateLayout
from multiloop.questions.running.choice import Choice, choose
from multiloop.questions.running.forward_model import ForwardModel
from multiloop.questions.running.lightest_projection import lightest_projection


def python_callbacks(
    model: ForwardModel, layout: StateLayout, choice: Choice, p: np.ndarray
) -> dict[str, Any]:
    """Functions for the projection and for new penalties, starting from `choice`; empty for other methods."""
    if not model.passes_singular:
        return {}
    last = [choice]

    def projector(t: float, y: np.ndarray, at_once: bool) -> np.ndarray:
        return np.append(*lightest_projection(model, layout, t, y, p, at_once=at_once))

    def chooser(t: float, y: np.ndarray) -> tuple[dict[str, np.ndarray], float]:
        last[0] = choose(model, y[layout["q"]], p=p, before=last[0], t=t)
        return last[0].given, last[0].closeness

    return {"projector": projector, "chooser": chooser}
