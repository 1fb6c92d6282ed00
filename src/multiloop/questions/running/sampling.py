"""A sampled control law: evaluated at every sample, held until the next one, and applied after a delay."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from multiloop.model import Mechanism, SolveError
from multiloop.model.brief import brief
from multiloop.model.expressions.expression import finite_number
from multiloop.questions.refusal import refusal
from multiloop.questions.running.choice import Choice, choose
from multiloop.questions.running.commanding import acting_efforts
from multiloop.questions.running.run_model import RunModel
from multiloop.questions.signals.signals import Signals
from multiloop.symbols import Traced

WHOLE = 1e-9
"""Relative tolerance within which a delay must be a whole number of samples."""


class SampledLaw:
    """Numerical efforts of a control law, evaluated by the run under continuous control."""

    def __init__(self, run: RunModel, names: tuple[str, ...], t: float, q: np.ndarray) -> None:
        self.run, self.names = run, names
        order = list(run.signals.known.sources)
        self._places = [order.index(name) for name in names]
        self._choice: Choice = choose(run.model, q, t=t)
        efforts, _ = acting_efforts(run.model, run.signals, run.inputs)
        self._commands = Traced("commands", run.inputs, {"efforts": efforts})

    def efforts(self, t: float, y: np.ndarray) -> list[float]:
        """Efforts of the law in a state, in the order of `names`."""
        model, signals = self.run.model, self.run.signals
        if self.run.chooses:
            self._choice = choose(model, y[self.run.layout["q"]], before=self._choice, t=t)
        given = signals.inputs_at(t, y) | self._choice.given
        (found,) = self._commands(**given, p=model.p)
        signals.require_values(t, y, model.p, found)
        return [float(found[place]) for place in self._places]


def sampled(run: RunModel, names: tuple[str, ...], others: Mapping[str, Any], **given: Any) -> RunModel:
    """The run in which the named efforts of a run under continuous control are held between samples."""
    t, y = given["at"]
    law = SampledLaw(run, names, t, y[run.layout["q"]])
    return RunModel(run.model, Signals(run.model.equations, others, law, **given))


def delay_in_samples(mechanism: Mechanism, delay: Any, sample: float) -> int:
    """A delay in seconds as a number of samples; an invalid delay is refused."""
    seconds = finite_number(delay)
    if seconds is None or seconds < 0:
        raise _refused(mechanism, f"is {brief(delay)}.", "Give seconds, a whole number of samples.")
    if not seconds:
        return 0
    if not sample:
        raise _refused(mechanism, f"is {seconds:g} s without samples.", "Give `sample` too.")
    count = round(seconds / sample)
    if abs(seconds / sample - count) > WHOLE * max(1, count) or not count:
        what = f"is {seconds:g} s, {seconds / sample:.6g} samples of {sample:g} s."
        raise _refused(mechanism, what, "Give a whole number of samples.")
    return count


def _refused(mechanism: Mechanism, what: str, remedy: str) -> SolveError:
    return refusal(mechanism, "S09", "delay", what, remedy)
