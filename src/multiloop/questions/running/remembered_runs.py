"""Cached forward models and run models, with their traces and compiled functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from multiloop.model import Expression
from multiloop.plan import Plan
from multiloop.questions.remembered import remembered
from multiloop.questions.running.forward_model import ForwardModel
from multiloop.questions.running.run_model import RunModel
from multiloop.questions.signals.signals import Signals


def remembered_model(plan: Plan, method: str, given: Sequence[str]) -> ForwardModel:
    """The cached forward model of a plan; `given` are the joints whose efforts are known."""
    return remembered(
        lambda: ForwardModel(plan, plan.assembly, method, given=given), "model", plan, method, given
    )


def remembered_run(
    model: ForwardModel, efforts: Mapping[str, Any] | None, events: Mapping[str, Expression]
) -> RunModel:
    """The cached run model of a forward model without a controller."""
    return remembered(
        lambda: RunModel(model, Signals(model.equations, efforts, None, events)),
        "run",
        model,
        efforts,
        events,
    )
