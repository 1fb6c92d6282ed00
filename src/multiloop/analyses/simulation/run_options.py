"""Options of a simulation, and errors for options and drives that it does not support.

If some degrees of freedom are free, drives whose position or speed jumps raise an error: a jump requires an impulse,
which would change the rates of the free degrees of freedom and cannot be represented by finite forces. If every degree
of freedom is driven, the whole motion is prescribed, and jumps are permitted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import floor, log10
from typing import Any

import numpy as np

from multiloop.analyses.errors import MOST_INSTANTS, analysis_error, require_choice, require_memory
from multiloop.analyses.results import Result, warnings_of_histories
from multiloop.analyses.run_models import ForwardModel
from multiloop.analyses.signals import Controller, argument_count
from multiloop.kernels.runtime import COMPILED_LOOP, INTEGRATORS, Backend
from multiloop.kinematics import CACHE_SIZE
from multiloop.kinematics.assembly import drive_values
from multiloop.kinematics.constraints import DrivenTarget, driven_targets
from multiloop.model import ControlLaw, Expression, Fault, Mechanism, SolveError, short_repr, suggestion
from multiloop.model.expressions import breakpoints, derivative, evaluate, lift
from multiloop.model.expressions.expression import finite_number

TARGETS = ("c", "interpreter")

MOST_SAMPLES = 1e8
"""Largest number of controller samples in one simulation; so many samples take hours."""

MOST_STEPS = 1e9
"""Largest number of steps of fixed length in one simulation; so many steps take hours."""


def run_instants(mechanism: Mechanism, begin: float, until: Any, samples: Any) -> np.ndarray:
    """The times to record: `samples` evenly spaced times, or the times that `samples` lists."""
    end = finite_number(until)
    if end is None or end < begin:
        raise _option_error(
            mechanism,
            "until",
            f"is {short_repr(until)}.",
            f"Give the end time in seconds, at least {begin:g}.",
        )
    if isinstance(samples, int | np.integer) and not isinstance(samples, bool):
        if not 1 <= samples <= MOST_INSTANTS:
            remedy = f"Give the number of instants to record, at most {MOST_INSTANTS:,}, or times."
            raise _option_error(mechanism, "samples", f"is {short_repr(samples)}.", remedy)
        require_memory(mechanism, "samples", int(samples))
        return np.unique(np.linspace(begin, end, int(samples))) if samples > 1 else np.array([end])
    try:
        times = np.asarray(samples, float)
    except (TypeError, ValueError, OverflowError):
        times = np.zeros((0, 0))
    if times.ndim != 1 or not len(times) or not np.isfinite(times).all():
        raise _option_error(
            mechanism,
            "samples",
            f"is {short_repr(samples)}.",
            "Give a whole number of instants, or a list of times.",
        )
    require_memory(mechanism, "samples", len(times))
    if (np.diff(times) <= 0).any() or times[0] < begin or times[-1] > end:
        what = f"{short_repr(samples)} do not increase from {begin:g} to until = {end:g} s."
        raise _option_error(
            mechanism, "samples", what, "Give times in increasing order within the simulation."
        )
    return times


@dataclass(frozen=True, eq=False)
class RunOptions:
    """Options of a simulation: arguments of `simulate`, with the same names."""

    integrator: str
    rtol: float
    step: float | None
    control: Controller | ControlLaw | None
    sample: float
    events: dict[str, Expression]
    stop: list[str]
    target: str
    progress: bool | None
    has_contact_events: bool = False
    """Whether there are set-valued forces (contacts, ropes, stiction, freewheels)."""

    @property
    def carriers(self) -> tuple[Backend, ...]:
        """The implementations that offer the chosen integrator: compiled loop, SciPy or SUNDIALS."""
        return INTEGRATORS[self.integrator].backends

    def needs_compiled_code(self, many: bool) -> bool:
        """Whether the options require compiled code; `many` states that many designs are simulated."""
        abilities = {
            "control": self.control is not None,
            "events": bool(self.events) or self.has_contact_events,
            "designs": many,
        }
        needed = [ability for ability, wanted in abilities.items() if wanted]
        return not any(carrier.supports(*needed) for carrier in self.carriers if carrier is not COMPILED_LOOP)

    def compiled_code_clause(self, mechanism: Mechanism, many: bool) -> str:
        """A clause for error messages that names the options that require compiled code."""
        holding = next((load.name for load in mechanism.all_loads if load.modes), "")
        abilities = [
            (self.has_contact_events, f"load '{holding}', a unilateral contact or stiction,", "needs"),
            (self.control is not None, "the control function", "needs"),
            (bool(self.events), "events", "need"),
            (many, "arrays of parameters", "need"),
            (self.carriers == (COMPILED_LOOP,), f"integrator {self.integrator}", "needs"),
        ]
        named = [(name, verb) for wanted, name, verb in abilities if wanted]
        verb = "need" if len(named) > 1 else named[0][1]
        *others, last = (name for name, _ in named)
        return f"{', '.join(others)}{' and ' if others else ''}{last} {verb} machine code"

    def require_usable(self, mechanism: Mechanism, begin: float, end: float, many: bool) -> None:
        """Raise an error for options that are invalid in a simulation between these times (of `many` designs or one),
        or that would have no effect in combination with others."""
        require_choice(mechanism, "integrator", self.integrator, INTEGRATORS)
        require_choice(mechanism, "target", self.target, TARGETS)
        self._require_numbers(mechanism)
        self._require_step(mechanism, begin, end)
        self._require_control(mechanism, end - begin)
        self._require_events(mechanism)
        if many and (self.events or self.control is not None):
            what = "events and control are not available for many designs."
            raise _option_error(
                mechanism,
                "parameters",
                what,
                "Omit `events` and `control`, or run the designs one at a time.",
            )
        if many and self.has_contact_events:
            name = next(load.name for load in mechanism.all_loads if load.modes)
            what = f"impacts and exact stiction, which '{name}' requires, are not available for many designs."
            raise _option_error(mechanism, "parameters", what, "Run the designs one at a time.")

    def _require_numbers(self, mechanism: Mechanism) -> None:
        rtol, step, fixed = self.rtol, self.step, INTEGRATORS[self.integrator].fixed
        if not isinstance(rtol, int | float | np.number) or not 0 < rtol < 1:
            remedy = "Give a relative tolerance above 0 and below 1, e.g. 1e-10."
            raise _option_error(mechanism, "rtol", f"is {short_repr(rtol)}.", remedy)
        if fixed and not (finite_number(step) or 0.0) > 0:
            remedy = f"{self.integrator} has a fixed step: give it in seconds, step=1e-3."
            raise _option_error(mechanism, "step", f"is {short_repr(step)}.", remedy)
        if step is not None and not fixed:
            remedy = 'Omit `step`, or use integrator="rk4".'
            raise _option_error(mechanism, "step", f"{self.integrator} chooses its own step.", remedy)

    def _require_step(self, mechanism: Mechanism, begin: float, end: float) -> None:
        """Raise an error for a fixed step that gives too many steps, or that is below the resolution of time."""
        step, span, latest = self.step, end - begin, max(abs(begin), abs(end))
        if step is None or not span:
            return
        if span > MOST_STEPS * step:
            what = f"is {step:g} s, {_quotient(span, step)} steps in total."
            remedy = f"Give at least {span / MOST_STEPS:.2g} s: at most {MOST_STEPS:.0e} steps are taken."
            raise _option_error(mechanism, "step", what, remedy)
        if latest + step == latest:
            what = f"is {step:g} s, too short to advance the time from t = {latest:g} s."
            raise _option_error(mechanism, "step", what, "Start at an earlier time, or give a longer step.")

    def _require_control(self, mechanism: Mechanism, span: float) -> None:
        sample, control = self.sample, self.control
        remedy = "Give the sample time of the control in seconds."
        if finite_number(sample) is None or sample < 0:
            raise _option_error(mechanism, "sample", f"is {short_repr(sample)}.", remedy)
        if span > MOST_SAMPLES * sample > 0:
            what = f"is {sample:g} s, too short: it gives {_quotient(span, sample)} samples."
            remedy = f"Give a sample time of at least {span / MOST_SAMPLES:.2g} s."
            raise _option_error(mechanism, "sample", what, remedy)
        if sample and control is None:
            remedy = "Give `control`, or omit `sample`."
            raise _option_error(mechanism, "sample", "is given without `control`.", remedy)
        if not (control is None or isinstance(control, ControlLaw) or argument_count(control)):
            remedy = (
                "Give a control law such as ml.PD, or a function (t, positions, rates) → efforts by "
                "joint name."
            )
            rule = (
                "which accepts neither the arguments (t, positions, rates) nor (t, positions, rates, integrals)"
                if callable(control)
                else "which is neither a control law nor a function"
            )
            raise _option_error(mechanism, "control", f"is {short_repr(control)}, {rule}.", remedy)

    def _require_events(self, mechanism: Mechanism) -> None:
        for name, event in self.events.items():
            if not isinstance(event, Expression):
                remedy = 'Give an expression, e.g. ml.position("A").'
                raise _option_error(mechanism, f"event '{name}'", f"is {short_repr(event)}.", remedy)
        for name in self.stop:
            if name not in self.events:
                described = f'Define it: events={{"{name}": ml.rate("A")}}.'
                remedy = suggestion(name, self.events) if self.events else described
                raise _option_error(mechanism, f"stop '{name}'", "there is no such event.", remedy)

    def require_supported(self, mechanism: Mechanism, method: str, many: bool, *, singular: bool) -> None:
        """Raise an error for options that the chosen implementation does not support.

        `many` states whether many designs are simulated, `singular` whether the method of forward dynamics passes
        singular positions.
        """
        if self.needs_compiled_code(many) and self.target == "interpreter":
            what = f'{self.compiled_code_clause(mechanism, many)}, and target="interpreter" builds none.'
            raise analysis_error(mechanism, "S08", "simulate", what, "Omit `target`.")
        if self.needs_compiled_code(many) and COMPILED_LOOP not in self.carriers:
            what = f"{self.compiled_code_clause(mechanism, many)}, but {self.integrator} runs without it."
            raise analysis_error(mechanism, "S08", "simulate", what, "Use dop853 or implicit.")
        if singular and not any(carrier.singular for carrier in self.carriers):
            what = f"{self.integrator} does not pass singular configurations, for which {method} is intended."
            raise analysis_error(mechanism, "S08", "simulate", what, "Use dop853.")


WHOLE_TOLERANCE = 1e-9
"""Largest difference of a delay from a whole number of samples, as a fraction of this number."""


def delay_in_samples(mechanism: Mechanism, delay: Any, sample: float) -> int:
    """A delay in seconds converted to a number of samples; raises an error for an invalid delay."""
    seconds = finite_number(delay)
    if seconds is None or seconds < 0:
        remedy = "Give the delay in seconds, as a multiple of `sample`."
        raise _option_error(mechanism, "delay", f"is {short_repr(delay)}.", remedy)
    if not seconds:
        return 0
    if not sample:
        raise _option_error(
            mechanism, "delay", f"is {seconds:g} s without a sample time.", "Give `sample` too."
        )
    count = round(seconds / sample)
    if abs(seconds / sample - count) > WHOLE_TOLERANCE * max(1, count) or not count:
        what = f"is {seconds:g} s, {seconds / sample:.6g} samples of {sample:g} s."
        raise _option_error(mechanism, "delay", what, "Give a whole multiple of the sample time.")
    return count


def stopping_events(mechanism: Mechanism, stop: Any) -> list[str]:
    """The names of the events that end a simulation, as a list."""
    if stop is None or isinstance(stop, str):
        return [stop] if stop else []
    if not isinstance(stop, Sequence) or not all(isinstance(name, str) for name in stop):
        raise _option_error(
            mechanism, "stop", f"is {short_repr(stop)}.", 'Give the name of an event, e.g. stop="top".'
        )
    return list(stop)


def require_usable_efforts(
    mechanism: Mechanism, exact: Sequence[str], controlled: bool, sample: float, integrator: str
) -> None:
    """Raise an error for efforts from Python functions if they would be sampled, or if the integrator needs their
    derivatives.

    `exact` names the joints with efforts that Python computes at every time, `controlled` states whether Python
    computes a control law.
    """
    if sample and exact:
        what = f"the effort at '{exact[0]}' is computed at every time and cannot be sampled."
        remedy = f"Omit `sample`, or the effort at '{exact[0]}'."
        raise _option_error(mechanism, "sample", what, remedy)
    if INTEGRATORS[integrator].implicit and (exact or (controlled and not sample)):
        what = f"{integrator} needs the derivatives of all efforts, which Python functions do not provide."
        remedy = "Sample the control with `sample`, give efforts as expressions or a Result, or use dop853."
        raise _option_error(mechanism, "integrator", what, remedy)


def _quotient(span: float, part: float) -> str:
    """span / part to one digit; computed with logarithms, because the quotient may overflow."""
    size = log10(span) - log10(part)
    return f"{10 ** (size - floor(size)):.0f}e+{floor(size):02d}"


def _option_error(mechanism: Mechanism, where: str, what: str, remedy: str) -> SolveError:
    return analysis_error(mechanism, "S09", where, what, remedy)


JUMP_OFFSET = 1e-7
"""Offset from a corner of a profile at which the values before and after the corner are taken, as a fraction of the
simulated time."""

JUMP_RATIO = 10.0
"""A change of a profile at a corner counts as a jump if it exceeds the changes over the same offset on both sides by
this factor."""

JUMP_ROUND_OFF = 1e-9
"""Smallest change that counts as a jump, relative to the values of the profile; smaller changes are round-off."""


@lru_cache(maxsize=CACHE_SIZE)  # of the runs in which no error is raised
def require_continuous_drives(model: ForwardModel, begin: float, until: float) -> None:
    """Raise an error for drives that are undefined within the simulated time and, if some degrees of freedom are free,
    for drives whose position or speed jumps."""
    mechanism = model.equations.skeleton.mechanism
    drive_values(mechanism, until)
    if model.rank == model.skeleton.rates:
        return
    faults = [
        fault
        for driven in driven_targets(mechanism)
        for fault in _jump_faults(mechanism, driven, begin, until)
    ]
    if faults:
        raise SolveError(f"mechanism '{mechanism.name}'", faults)


def _jump_faults(mechanism: Mechanism, driven: DrivenTarget, begin: float, until: float) -> Iterator[Fault]:
    """One fault for the first jump of every profile of a drive."""
    of, names = driven.target.of, list(driven.target.components)
    names += names[-1:] * (len(driven.profiles) - len(names))  # an orientation has four profiles
    for component, profile in zip(names, driven.profiles, strict=True):
        where = f"drive of '{of}.{component}'" if len(names) > 1 else f"drive of '{of}'"
        for what, expression in (("position", lift(profile)), ("speed", derivative(lift(profile)))):
            jump = _first_jump(mechanism, expression, begin, until)
            if jump is not None:
                t, before, after = jump
                yield Fault(
                    "S11",
                    where,
                    f"its {what} jumps from {before:.6g} to {after:.6g} at t = {t:.6g} s; the required "
                    "impulse would change the rates of all degrees of freedom that are not driven.",
                    (
                        'Give a smooth profile: a "cubic" table, `cycloidal`, or a function with continuous '
                        "derivative."
                    ),
                )
                break


def _first_jump(
    mechanism: Mechanism, expression: Expression, begin: float, until: float
) -> tuple[float, float, float] | None:
    """The time of the first jump of an expression within the simulated time, and the values before and after it; None
    if there is no jump."""
    step, values = JUMP_OFFSET * (until - begin), mechanism.parameters
    for t in breakpoints(expression, between=(begin, until), parameters=values):
        if not begin + 2 * step < t < until - 2 * step:
            continue
        try:
            far, before, after, beyond = (
                float(evaluate(expression, time=t + k * step, parameters=values)) for k in (-2, -1, 1, 2)
            )
        except ValueError:  # the profile ends at this time; the simulation reports this
            continue
        slow = JUMP_RATIO * (abs(before - far) + abs(beyond - after))
        if abs(after - before) > slow + JUMP_ROUND_OFF * max(abs(before), abs(after)):
            return t, before, after
    return None


LEAST_INSTANTS = 64
"""Smallest number of instants at which the state of every simulation is recorded."""


def sampling_times(begin: float, times: np.ndarray) -> np.ndarray:
    """The requested times; if there are fewer than LEAST_INSTANTS, evenly spaced times are added."""
    return (
        times
        if len(times) >= LEAST_INSTANTS
        else np.union1d(times, np.linspace(begin, times[-1], LEAST_INSTANTS))
    )


def select_instants(result: Result, times: np.ndarray) -> Result:
    """The result at the requested times only, with the energy drift and the warnings over all recorded times.

    The last instant is kept, also if the simulation stopped early.
    """
    kept = np.isin(result.time, times)
    kept[-1:] = True
    if kept.all():
        return result
    poses = _at(kept, result.poses)
    return replace(
        result,
        time=result.time[kept],
        joints={name: joint.at_instants(kept, poses) for name, joint in result.joints.items()},
        couplings={name: one.at_instants(kept) for name, one in result.couplings.items()},
        poses=poses,
        constraint_violation=result.constraint_violation[kept],
        kinetic_energy=result.kinetic_energy[kept],
        potential_energy=result.potential_energy[kept],
        momentum=result.momentum[kept],
        integrals=_at(kept, result.integrals),
        loads={name: load.at_instants(kept) for name, load in result.loads.items()},
        on_frame=None if result.on_frame is None else result.on_frame[kept],
        work=None if result.work is None else result.work[kept],
        item_work={item: energy[kept] for item, energy in result.item_work.items()},
        links={name: link.at(kept) for name, link in result.links.items()},
        recorded=None if result.recorded is None else result.recorded.subset(kept),
        whole_drift=result.energy_drift,
        whole_warnings=warnings_of_histories(result),
    )


def _at(kept: np.ndarray, histories: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    return {name: values[kept] for name, values in histories.items()}
