"""Comparison of the mobility and the number of redundant constraints of a design with those for the parameter values in
the description of the mechanism.

Redundant constraints exist only for special dimensions. With other values of parameters they may contradict each other,
so that the loops do not close or do not move, or the number of degrees of freedom changes. The design is planned anew
and its results satisfy the constraints that it has; a change is reported with the names of the parameters.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

import casadi as ca

from multiloop.analyses.analysis_cache import cached_value
from multiloop.analyses.results import Result, with_warnings
from multiloop.kinematics import Equations
from multiloop.model import AssemblyError, Fault, Mechanism, MultiloopError, ResultWarning, count_text
from multiloop.plan import Plan, analyse, redundancy_parameters

MOST_NAMED = 3
"""Largest number of parameters that a message names."""

REMEDY = (
    "Change the dimensions together so that the redundant constraints remain compatible, or replace joints by others "
    "with more degrees of freedom."
)


def with_mobility_check(
    described: Mechanism, design: Mechanism, solve: Callable[[], Result], guess: Mapping[str, Any] | None
) -> Result:
    """The result that `solve` returns for a design, with a warning if the parameters change redundancy or mobility.

    `described` is the mechanism with the parameter values of the description. `guess` is the argument of the analysis;
    the argument `start` is not used, since the position that it gives may not exist for the described values. An error
    of `solve` is raised with a further fault that names the parameters if they change redundancy or mobility.
    Parameters that the loop constraints do not contain, such as masses, are not tested.
    """
    try:
        result = solve()
    except MultiloopError as error:
        if said := _failed_design_text(described, design, guess, isinstance(error, AssemblyError)):
            error.faults += (Fault("S10", "parameters", f"{said}.", REMEDY),)
        raise
    changed = _changed_parameters(described, design, result.plan.assembly.equations)
    if not changed:
        return result
    with suppress(MultiloopError):
        before = _cached_plan(described, guess)
        if _counts(before) != _counts(result.plan):
            after = _cached_plan(
                design, guess
            )  # from the same guess as `before`, unlike the plan of the result
            if said := _change_text(changed, before, after):
                place = _deciding_parameters(changed, before)[0]
                return with_warnings(result, [ResultWarning("W21", place, said, design.parameters[place])])
    return result


def warn_redundancy_parameters(plan: Plan) -> None:
    """Warn of parameters that compiled functions accept as inputs, although redundant constraints are consistent only
    with the described values of these parameters."""
    if names := redundancy_parameters(plan):
        warnings.warn(
            f"mechanism '{plan.mechanism.name}': its {count_text(plan.redundant, 'redundant constraint')} "
            f"{'are' if plan.redundant > 1 else 'is'} consistent only with the described values of "
            f"{_names_text(names)}. If {'one of these values' if len(names) > 1 else 'this value'} changes alone, "
            "the functions are not valid: compile them again.",
            stacklevel=4,
        )


def _cached_plan(mechanism: Mechanism, guess: Mapping[str, Any] | None) -> Plan:
    return cached_value(lambda: analyse(mechanism, guess=guess), "mobility", mechanism, guess)


def _counts(plan: Plan) -> tuple[int, int, int]:
    """Degrees of freedom, redundant constraints and idle degrees of freedom."""
    return plan.mobility, plan.redundant, len(plan.idle)


def _changed_parameters(described: Mechanism, design: Mechanism, equations: Equations) -> list[str]:
    """Names of the parameters on which the constraints depend and whose values differ between `described` and
    `design`."""
    before, skeleton = described.parameters, equations.skeleton
    changed = [
        k for k, name in enumerate(skeleton.parameter_names) if design.parameters[name] != before[name]
    ]
    if not changed:
        return []
    rows = ca.veccat(equations.phi, equations.loop_jacobian)
    symbols = ca.vertsplit(skeleton.parameter_symbols)
    return [skeleton.parameter_names[k] for k in changed if ca.depends_on(rows, symbols[k])]


def _failed_design_text(
    described: Mechanism, design: Mechanism, guess: Mapping[str, Any] | None, stays_open: bool
) -> str:
    """Text on the change of redundancy or mobility of a design whose analysis failed; empty if there is none.

    `stays_open` states that its loops could not be closed.
    """
    try:
        before = _cached_plan(described, guess)
    except MultiloopError:
        return ""
    changed = _changed_parameters(described, design, before.assembly.equations)
    with suppress(MultiloopError):
        if changed and (said := _change_text(changed, before, _cached_plan(design, guess))):
            return said
    deciding = [name for name in redundancy_parameters(before) if name in changed] if stays_open else []
    if not deciding:
        return ""
    constraints = count_text(before.redundant, "redundant constraint")
    contradict = "contradict" if before.redundant > 1 else "contradicts"
    return (
        f"with {_values_text(deciding, before, design)} the loops do not close: {constraints} of the described "
        f"dimensions {contradict} the others"
    )


def _change_text(changed: list[str], before: Plan, after: Plan) -> str:
    """Text that compares the counts of two plans; empty if they are equal."""
    if _counts(before) == _counts(after):
        return ""
    parts = [
        f"{what} from {old} to {new}"
        for what, old, new in zip(
            ("the mobility", "the number of redundant constraints", "the number of idle degrees of freedom"),
            _counts(before),
            _counts(after),
            strict=True,
        )
        if old != new
    ]
    named = _deciding_parameters(changed, before)
    change = "change" if len(named) > 1 else "changes"
    text = _values_text(named, before, after.mechanism)
    return f"{text} {change} {' and '.join(parts)}, compared with the described values"


def _deciding_parameters(changed: list[str], before: Plan) -> list[str]:
    """Those of the changed parameters on which redundant constraints rest or, if there are none, all of them."""
    return [name for name in redundancy_parameters(before) if name in changed] or changed


def _values_text(names: list[str], before: Plan, design: Mechanism) -> str:
    """The parameters with their values: "parameter 'L' = 0.16 (described: 0.15)"."""
    listed = [
        f"'{name}' = {design.parameters[name]:.6g} (described: {before.values[name]:.6g})"
        for name in names[:MOST_NAMED]
    ]
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return f"{'parameters' if len(names) > 1 else 'parameter'} {', '.join(listed)}{more}"


def _names_text(names: tuple[str, ...]) -> str:
    listed = ", ".join(f"'{name}'" for name in names[:MOST_NAMED])
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return f"{'parameters' if len(names) > 1 else 'parameter'} {listed}{more}"
