"""Weights of efforts, which decide how more efforts than degrees of freedom share a task."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from multiloop.model import Mechanism
from multiloop.model.brief import brief
from multiloop.model.expressions.expression import finite_number
from multiloop.questions.choices import require
from multiloop.questions.refusal import refusal


def effort_weights(
    mechanism: Mechanism, efforts: tuple[tuple[str, str], ...], weights: Mapping[str, float]
) -> np.ndarray:
    """The weight of every effort, given by joint or "joint.component"; 1 where not given."""
    names = [(f"{joint}.{component}", joint) for joint, component in efforts]
    for name, weight in weights.items():
        require(mechanism, "weight of joint", name, [known for pair in names for known in pair])
        if not (finite_number(weight) or 0.0) > 0:
            remedy = "Give a positive number: a large one lets it take more, a small one spares it."
            raise refusal(mechanism, "S09", f"weight of '{name}'", f"is {brief(weight)}.", remedy)
    return np.array([float(weights.get(whole, weights.get(joint, 1.0))) for whole, joint in names])
