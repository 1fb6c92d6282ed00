"""Options of a simulation, and errors for options that it cannot honour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, log10
from typing import Any

import numpy as np

from multiloop.kernels.integrators import INTEGRATORS, LOOP, Carrier
from multiloop.model import Expression, Mechanism, SolveError, suggestion
from multiloop.model.brief import brief
from multiloop.model.control import ControlLaw
from multiloop.model.expressions.expression import finite_number
from multiloop.questions.choices import MOST_INSTANTS, require, require_memory
from multiloop.questions.refusal import refusal
from multiloop.questions.signals.controllers import Controller, told_of

TARGETS = ("c", "interpreter")

MOST_SAMPLES = 1e8
"""Largest number of controller samples in one run, which take hours."""

MOST_STEPS = 1e9
"""Largest number of steps of fixed length in one run, which take hours."""


def run_instants(mechanism: Mechanism, begin: float, until: Any, outputs: Any) -> np.ndarray:
    """The times to record: evenly spaced, or the given ones."""
    end = finite_number(until)
    if end is None or end < begin:
        raise _refused(
            mechanism,
            "until",
            f"is {brief(until)}.",
            f"Give an end of the run in seconds, not before {begin:g}.",
        )
    if isinstance(outputs, int | np.integer) and not isinstance(outputs, bool):
        if not 1 <= outputs <= MOST_INSTANTS:
            remedy = f"Give the number of instants to record, at most {MOST_INSTANTS:,}, or times."
            raise _refused(mechanism, "outputs", f"is {brief(outputs)}.", remedy)
        require_memory(mechanism, "outputs", int(outputs))
        return np.unique(np.linspace(begin, end, int(outputs))) if outputs > 1 else np.array([end])
    try:
        times = np.asarray(outputs, float)
    except (TypeError, ValueError, OverflowError):
        times = np.zeros((0, 0))
    if times.ndim != 1 or not len(times) or not np.isfinite(times).all():
        raise _refused(
            mechanism,
            "outputs",
            f"is {brief(outputs)}.",
            "Give a whole number of instants, or a list of times.",
        )
    require_memory(mechanism, "outputs", len(times))
    if (np.diff(times) <= 0).any() or times[0] < begin or times[-1] > end:
        what = f"{brief(outputs)} do not rise from {begin:g} to until = {end:g} s."
        raise _refused(mechanism, "outputs", what, "Give times in rising order within the run.")
    return times


@dataclass(frozen=True, eq=False)
class Options:
    """Integrator, control, events and other options of a run, as given by the caller."""

    integrator: str
    rtol: float
    step: float | None
    control: Controller | ControlLaw | None
    sample: float
    events: dict[str, Expression]
    stop: list[str]
    target: str
    progress: bool | None
    switches: bool = False
    """Whether there are set-valued forces (contacts, ropes, stiction, freewheels)."""

    @property
    def carriers(self) -> tuple[Carrier, ...]:
        """The implementations that offer the integrator."""
        return INTEGRATORS[self.integrator].carriers

    def special(self, many: bool) -> bool:
        """Whether the options require compiled code; `many` for many designs."""
        asked = {
            "control": self.control is not None,
            "events": bool(self.events) or self.switches,
            "designs": many,
        }
        needed = [ability for ability, wanted in asked.items() if wanted]
        return not any(carrier.has(*needed) for carrier in self.carriers if carrier is not LOOP)

    def needs_code(self, mechanism: Mechanism, many: bool) -> str:
        """A clause for error messages that names the options that require compiled code."""
        holding = next((load.name for load in mechanism.all_loads if load.modes), "")
        asked = [
            (self.switches, f"load '{holding}', which holds and lets go,", "needs"),
            (self.control is not None, "the control function", "needs"),
            (bool(self.events), "events", "need"),
            (many, "arrays of parameters", "need"),
            (self.carriers == (LOOP,), f"integrator {self.integrator}", "needs"),
        ]
        named = [(name, verb) for wanted, name, verb in asked if wanted]
        verb = "need" if len(named) > 1 else named[0][1]
        *others, last = (name for name, _ in named)
        return f"{', '.join(others)}{' and ' if others else ''}{last} {verb} machine code"

    def require_usable(self, mechanism: Mechanism, begin: float, end: float, many: bool) -> None:
        """Refuse options that are invalid, or that would be ignored in combination with others, between these times."""
        require(mechanism, "integrator", self.integrator, INTEGRATORS)
        require(mechanism, "target", self.target, TARGETS)
        self._require_numbers(mechanism)
        self._require_step(mechanism, begin, end)
        self._require_control(mechanism, end - begin)
        self._require_events(mechanism)
        if many and (self.events or self.control is not None):
            what = "many designs have neither events nor control."
            raise _refused(mechanism, "parameters", what, "Leave these out, or run design by design.")
        if many and self.switches:
            name = next(load.name for load in mechanism.all_loads if load.modes)
            what = f"many designs at once have no impacts and no exact stiction, which '{name}' asks for."
            raise _refused(mechanism, "parameters", what, "Run design by design.")

    def _require_numbers(self, mechanism: Mechanism) -> None:
        rtol, step, fixed = self.rtol, self.step, INTEGRATORS[self.integrator].fixed
        if not isinstance(rtol, int | float | np.number) or not 0 < rtol < 1:
            remedy = "Give a relative tolerance above 0 and below 1, as 1e-10."
            raise _refused(mechanism, "rtol", f"is {brief(rtol)}.", remedy)
        if fixed and not (finite_number(step) or 0.0) > 0:
            remedy = f"{self.integrator} has a fixed step: give it in seconds, step=1e-3."
            raise _refused(mechanism, "step", f"is {brief(step)}.", remedy)
        if step is not None and not fixed:
            remedy = 'Leave it out, or take integrator="rk4".'
            raise _refused(mechanism, "step", f"{self.integrator} chooses its own.", remedy)

    def _require_step(self, mechanism: Mechanism, begin: float, end: float) -> None:
        """Refuse a fixed step that gives too many steps, or that is below the resolution of time."""
        step, span, latest = self.step, end - begin, max(abs(begin), abs(end))
        if step is None or not span:
            return
        if span > MOST_STEPS * step:
            what = f"is {step:g} s, {_quotient(span, step)} steps in all."
            remedy = f"Give at least {span / MOST_STEPS:.2g} s: at most {MOST_STEPS:.0e} steps are taken."
            raise _refused(mechanism, "step", what, remedy)
        if latest + step == latest:
            what = f"is {step:g} s, too short to go on from t = {latest:g} s."
            raise _refused(mechanism, "step", what, "Begin at an earlier time, or give a longer step.")

    def _require_control(self, mechanism: Mechanism, span: float) -> None:
        sample, control = self.sample, self.control
        remedy = "Give the seconds over which control is held."
        if finite_number(sample) is None or sample < 0:
            raise _refused(mechanism, "sample", f"is {brief(sample)}.", remedy)
        if span > MOST_SAMPLES * sample > 0:
            what = f"is {sample:g} s, {_quotient(span, sample)} samples in all."
            raise _refused(mechanism, "sample", what, remedy)
        if sample and control is None:
            remedy = "Give `control`, or leave it out."
            raise _refused(mechanism, "sample", "there is no control to hold.", remedy)
        if not (control is None or isinstance(control, ControlLaw) or told_of(control)):
            remedy = "Give a law as ml.PD, or a function (t, positions, rates) → efforts by joint name."
            raise _refused(mechanism, "control", f"is {brief(control)}.", remedy)

    def _require_events(self, mechanism: Mechanism) -> None:
        for name, event in self.events.items():
            if not isinstance(event, Expression):
                remedy = 'Give an expression, e.g. ml.position("A").'
                raise _refused(mechanism, f"event '{name}'", f"is {brief(event)}.", remedy)
        for name in self.stop:
            if name not in self.events:
                described = f'Describe it: events={{"{name}": ml.rate("A")}}.'
                remedy = suggestion(name, self.events) if self.events else described
                raise _refused(mechanism, f"stop '{name}'", "there is no such event.", remedy)

    def require_carried(self, mechanism: Mechanism, method: str, many: bool, *, singular: bool) -> None:
        """Refuse options that the chosen implementation lacks.

        `singular` states whether the method passes singular positions.
        """
        if self.special(many) and self.target == "interpreter":
            what = f'{self.needs_code(mechanism, many)}, and target="interpreter" builds none.'
            raise refusal(mechanism, "S08", "simulate", what, "Leave `target` out.")
        if self.special(many) and LOOP not in self.carriers:
            what = f"{self.needs_code(mechanism, many)}, and {self.integrator} runs without it."
            raise refusal(mechanism, "S08", "simulate", what, "Take dop853 or implicit.")
        if singular and not any(carrier.singular for carrier in self.carriers):
            what = f"{self.integrator} does not pass singular positions, which {method} is for."
            raise refusal(mechanism, "S08", "simulate", what, "Take dop853.")


def stopping_events(mechanism: Mechanism, stop: Any) -> list[str]:
    """The names of the events that end a run."""
    if stop is None or isinstance(stop, str):
        return [stop] if stop else []
    if not isinstance(stop, Sequence) or not all(isinstance(name, str) for name in stop):
        raise _refused(mechanism, "stop", f"is {brief(stop)}.", 'Name events: stop="top".')
    return list(stop)


def require_honoured(
    mechanism: Mechanism, exact: Sequence[str], controlled: bool, sample: float, integrator: str
) -> None:
    """Refuse efforts from Python functions where they would be sampled, or where their derivatives are needed."""
    if sample and exact:
        what = f"the effort at '{exact[0]}' is worked out at every time and cannot be held."
        raise _refused(mechanism, "sample", what, "Leave one of them out.")
    if INTEGRATORS[integrator].implicit and (exact or (controlled and not sample)):
        what = f"{integrator} needs the derivatives of all efforts, which Python does not give."
        remedy = "Hold control with `sample`, give efforts as expressions or a Result, or take dop853."
        raise _refused(mechanism, "integrator", what, remedy)


def _quotient(span: float, part: float) -> str:
    """span / part to one digit; computed with logarithms, because the quotient may overflow."""
    size = log10(span) - log10(part)
    return f"{10 ** (size - floor(size)):.0f}e+{floor(size):02d}"


def _refused(mechanism: Mechanism, where: str, what: str, remedy: str) -> SolveError:
    return refusal(mechanism, "S09", where, what, remedy)
