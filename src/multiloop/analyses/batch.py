"""The function `batch`: inverse dynamics of many designs at once, each with its own parameters and status."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from multiloop.analyses.designs import (
    NO_BODY,
    NO_LOAD,
    OK,
    OVER_LIMIT,
    SEPARATED,
    Designs,
    DrivenStep,
    Sweep,
    effort_names,
    infeasible_bodies,
    infeasible_loads,
    integrate_designs,
    require_step_count,
)
from multiloop.analyses.errors import require_rigid
from multiloop.analyses.load_checks import require_covered_loads
from multiloop.analyses.prescribed_motion import (
    DrivenMotion,
    DrivenTraces,
    driven_plan,
    requested_times,
    require_one_period,
)
from multiloop.analyses.progress import progress_display
from multiloop.kinematics.assembly import StateValues, drive_of
from multiloop.model import (
    Mechanism,
    accept_partial_result,
    design_arrays,
    name_text,
    parameter_error,
    public_function,
    short_repr,
    suggestion,
    value_of,
)
from multiloop.model.expressions import evaluate
from multiloop.plan import Plan, unknown_efforts

BLOCK = 16_384
"""Number of designs that are evaluated together in one kernel call."""


@public_function
def batch(
    mechanism: Mechanism,
    parameters: Mapping[str, Any],
    *,
    t: float | Sequence[float] | np.ndarray | None = None,
    cycle: int | None = None,
    turns: float | None = None,
    start: StateValues | None = None,
    guess: Mapping[str, Any] | None = None,
    keep: str = "extremes",
    threads: int | None = None,
    progress: bool | None = None,
) -> Designs:
    """Inverse dynamics of many designs along the mechanism's drives.

    `parameters` gives arrays of one length, or numbers that all designs share. The design with the described parameter
    values is assembled first, with `start` and `guess`; the other designs are reached from it by steps in the
    parameters, so that all designs are in the same assembly mode. keep="all" keeps efforts and loads over time. A
    design that cannot be assembled, whose drive reaches a dead-centre position, that is evaluated at a singular
    position, or whose efforts do not control every degree of freedom has a status that states the reason, and NaN as
    its values; the others are not affected. A design that exceeds the limit of an actuator, or in which a contact that
    can only push would separate, keeps its values and has the warning of `inverse`. Where a pair or relation constrains
    rates only, as a wheel that rolls without slip, designs are solved one after another as by `inverse`. Ctrl-C keeps
    the designs that are finished. A long analysis shows its `progress` on a terminal.

    `start`, where the motion begins, is a mapping from joints to coordinates, a State or an Equilibrium; it describes
    the position at the first of the times.
    """
    require_rigid(mechanism, "inverse dynamics of many designs")
    values = design_arrays(mechanism, parameters)
    count = len(next(iter(values.values())))
    if not isinstance(keep, str) or keep not in ("extremes", "all"):
        known = suggestion(keep, ("extremes", "all"))
        raise parameter_error(mechanism, f"keep '{name_text(keep)}'", "does not exist.", known)
    if threads is not None and (not isinstance(threads, int | np.integer) or threads < 1):
        raise parameter_error(
            mechanism, "threads", f"is {short_repr(threads)}.", "Give a number of threads, at least 1."
        )
    times = requested_times(mechanism, t, cycle, turns)
    if cycle is not None:
        require_one_period(mechanism, values, turns)
    if (np.diff(times) <= 0).any():
        raise parameter_error(mechanism, "t", "is not increasing.", "Give the times in increasing order.")
    require_covered_loads(mechanism, times.tolist())
    _require_steady_limits(mechanism)
    given: Any = {"start": start, "guess": guess}
    closed_at = 0.0 if start is None and guess is None else float(times[0])
    plan = driven_plan(mechanism, start, guess, closed_at)
    if plan.rank.rates_alone:
        pairs, part = integrate_designs(mechanism, values, times, keep == "all", progress, **given)
        return replace(
            _collect_designs(mechanism, values, times, [part], pairs, {}), **given
        )  # each design is solved by `inverse`, which rejects invalid values
    driven, first = _described_design(plan, closed_at, float(times[0]))
    drive = drive_of(driven.traces.equations)
    looks = np.unique(
        np.concatenate([np.linspace(one, next_, 9) for one, next_ in pairwise([*times, times[-1]])])
    )
    speed = max(float(np.abs(drive(at, 1)).max(initial=0.0)) for at in looks.tolist())
    require_step_count(mechanism, times, speed)
    sweep = Sweep(driven, times, first, speed, keep == "all", threads)
    answered = _evaluate_blocks(sweep, values, count, progress)
    p = np.array([values[name] for name in driven.traces.equations.skeleton.parameter_names])
    infeasible = {
        NO_LOAD: infeasible_loads(mechanism, values),
        NO_BODY: infeasible_bodies(driven.traces.equations, p),
    }
    return replace(
        _collect_designs(mechanism, values, times, answered, driven.one_sided, infeasible), **given
    )


def _evaluate_blocks(
    sweep: Sweep, values: Mapping[str, np.ndarray], count: int, progress: bool | None
) -> list[dict[str, np.ndarray]]:
    """The results of `Sweep.block` for successive blocks of at most BLOCK designs, one item per block.

    `values` are the parameter values by name, one entry for each of the `count` designs. After an interruption, the
    designs that were not computed have the status "interrupted".
    """
    parts: list[dict[str, np.ndarray]] = []
    done = 0
    try:
        with progress_display(0.0, float(count), progress, "designs", "asking") as shown:
            while done < count:
                block = slice(done, min(done + BLOCK, count))
                p = np.array(
                    [values[name][block] for name in sweep.driven.traces.equations.skeleton.parameter_names]
                )
                parts.append(sweep.block(p, partial(_report_progress, shown, block)))
                done = block.stop
    except KeyboardInterrupt:
        accept_partial_result()
        parts.append(sweep.interrupted_block(count - done))
    return parts


def _report_progress(display: Callable[[float], None], block: slice, part: float) -> None:
    """Call `display` with the number of designs that are finished when the fraction `part` of the designs in the slice
    `block` is done."""
    display(block.start + part * (block.stop - block.start))


def _described_design(plan: Plan, closed_at: float, begin: float) -> tuple[DrivenStep, np.ndarray]:
    """The `DrivenStep` of the mechanism, and its coordinates q at the time `begin`, with the parameter values of the
    description.

    `closed_at` is the time at which the loops of the plan are closed. The same errors are raised as by `inverse` for
    these parameter values.
    """
    mechanism, motion = plan.mechanism, DrivenMotion(plan, closed_at, "subsystem")
    (first,) = motion.trajectory_at([begin])
    motion.solve(first)
    if plan.idle or plan.redundant or len(unknown_efforts(mechanism)) != plan.mobility:
        what = (
            "the mechanism has idle degrees of freedom, redundant constraints or more efforts "
            "than degrees of freedom."
        )
        raise parameter_error(mechanism, "batch", what, "Call `inverse` for each design.")
    return DrivenStep(DrivenTraces(plan)), first.q


def _collect_designs(
    mechanism: Mechanism,
    values: dict[str, np.ndarray],
    times: np.ndarray,
    parts: list[dict[str, np.ndarray]],
    one_sided: Sequence[str],
    infeasible: Mapping[int, np.ndarray],
) -> Designs:
    """Join the results of all blocks, `parts`, as Designs.

    `one_sided` are the names of the pairs that can only push. `infeasible` maps a status code to the mask of the
    designs with infeasible bodies or loads; these designs get this code, and NaN as values.
    """
    along = {name: min(part.ndim - 1, 1) for name, part in parts[0].items()}
    found = {name: np.concatenate([part[name] for part in parts], axis=axis) for name, axis in along.items()}
    for code, which in infeasible.items():
        found["codes"][which] = code
        for part in found.values():
            if part.ndim > 1:
                part[:, which] = np.nan
    efforts = effort_names(mechanism)
    joints = [joint.name for joint in mechanism.connections]
    whole = "effort" in found
    peak = dict(zip(efforts, found["peak"], strict=True))
    limit = _effort_limits(mechanism, values, efforts)
    for name, most in limit.items():
        found["codes"][(found["codes"] == OK) & (peak[name] > most)] = OVER_LIMIT
    separated = np.isfinite(found["separated_at"]).any(axis=0)
    found["codes"][(found["codes"] == OK) & separated] = SEPARATED
    return Designs(
        mechanism=mechanism,
        parameters=values,
        time=times,
        codes=found["codes"],
        failed_at=found["failed_at"],
        peak_effort=peak,
        rms_effort=dict(zip(efforts, found["rms"], strict=True)),
        peak_load=dict(zip(joints, found["loads"], strict=True)),
        effort=dict(zip(efforts, found["effort"], strict=True)) if whole else {},
        load=dict(zip(joints, found["load"], strict=True)) if whole else {},
        limit=limit,
        least_normal=dict(zip(one_sided, found["normal"], strict=True)),
        separated_at=dict(zip(one_sided, found["separated_at"], strict=True)),
    )


def _require_steady_limits(mechanism: Mechanism) -> None:
    """Raise an error for effort limits that vary with the motion, since only peak efforts are stored."""
    for actuator in mechanism.actuators:
        limit = actuator.limit
        if actuator.effort is None and limit is not None and value_of(limit) is None:
            what = "depends on the direction or on the motion, but only peak values are stored here."
            remedy = "Give one number or Parameter, or call `inverse` for each design."
            raise parameter_error(mechanism, f"the limit of '{actuator.joint}'", what, remedy)


def _effort_limits(
    mechanism: Mechanism, values: Mapping[str, np.ndarray], efforts: Sequence[str]
) -> dict[str, np.ndarray]:
    """Effort limits of the actuators whose efforts are computed, by the name of the effort; one value per design."""
    count = len(next(iter(values.values())))
    unknown = [actuator for actuator in mechanism.actuators if actuator.effort is None]
    return {
        name: np.broadcast_to(np.asarray(evaluate(actuator.limits[1], parameters=values), float), count)
        for name, actuator in zip(efforts, unknown, strict=False)
        if actuator.limits is not None
    }
