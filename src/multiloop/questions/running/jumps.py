"""Detection of drives whose position or speed is discontinuous.

Where every degree of freedom is driven, the motion is prescribed, including its jumps. Where some are free, a jump
requires an impulse through the joints that changes their rates, and forces over time do not contain it.
"""

from __future__ import annotations

from collections.abc import Iterator

from multiloop.kinematics.prescribed import drive_values
from multiloop.kinematics.targets import DrivenTarget, driven_targets
from multiloop.model import Expression, Fault, Mechanism, SolveError
from multiloop.model.expressions import breakpoints, derivative, evaluate, lift
from multiloop.questions.running.forward_model import ForwardModel

BESIDE = 1e-7
"""Offset from a corner at which the values before and after it are taken, as a fraction of the run."""

JUMPS = 10.0
"""A jump is this many times larger than the change over the same offset away from the corner …"""

ROUND_OFF = 1e-9
"""… and larger than this fraction of the values."""


def require_steady(model: ForwardModel, begin: float, until: float) -> None:
    """Refuse drives undefined within the run, and, where degrees of freedom are free, those that jump."""
    mechanism = model.equations.skeleton.mechanism
    drive_values(mechanism, until)
    if model.rank == model.skeleton.rates:
        return
    faults = [
        fault for driven in driven_targets(mechanism) for fault in _faults(mechanism, driven, begin, until)
    ]
    if faults:
        raise SolveError(f"mechanism '{mechanism.name}'", faults)


def _faults(mechanism: Mechanism, driven: DrivenTarget, begin: float, until: float) -> Iterator[Fault]:
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
                    f"its {what} jumps from {before:.6g} to {after:.6g} at t = {t:.6g} s; the impulse that this "
                    "takes would throw what is free.",
                    'Give a smooth profile: a "cubic" table, `cycloidal`, or functions without corners.',
                )
                break


def _first_jump(
    mechanism: Mechanism, expression: Expression, begin: float, until: float
) -> tuple[float, float, float] | None:
    """The time of the first jump within the run, and the values before and after."""
    step, values = BESIDE * (until - begin), mechanism.parameters
    for t in breakpoints(expression, between=(begin, until), parameters=values):
        if not begin + 2 * step < t < until - 2 * step:
            continue
        try:
            far, before, after, beyond = (
                float(evaluate(expression, time=t + k * step, parameters=values)) for k in (-2, -1, 1, 2)
            )
        except ValueError:  # the profile ends here, which the run reports
            continue
        slow = JUMPS * (abs(before - far) + abs(beyond - after))
        if abs(after - before) > slow + ROUND_OFF * max(abs(before), abs(after)):
            return t, before, after
    return None
