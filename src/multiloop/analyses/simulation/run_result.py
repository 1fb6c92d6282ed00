"""The Result of a simulation: accelerations, efforts and reactions of all recorded states, evaluated together."""

from __future__ import annotations

from collections.abc import Callable, Set
from dataclasses import dataclass, field, replace

import numpy as np

from multiloop.analyses.contact_events import SetValuedForces, SharedInstant, share_forces
from multiloop.analyses.results import (
    Recorder,
    Result,
    penetration_warnings,
    penetrations,
    stiction_limit_warnings,
    with_warnings,
)
from multiloop.analyses.run_models import (
    ForwardSolution,
    LocalChoice,
    RunModel,
    SingularityCheck,
    make_local_choice,
    require_constraints_met,
)
from multiloop.model import ResultWarning, accept_partial_result

BLOCK = 512
"""Number of instants evaluated between two checks for an interruption."""


def build_result(
    run: RunModel,
    times: np.ndarray,
    states: np.ndarray,
    u: np.ndarray,
    p: np.ndarray | None = None,
    singularity_check: SingularityCheck | None = None,
    interrupted: Callable[[], bool] | None = None,
    first_choice: LocalChoice | None = None,
    sharing_modes: Set[tuple[float, ...]] = frozenset(),
) -> Result:
    """The Result computed from recorded states and values u of the control, one row for each time.

    `p` are the parameter values, by default those of the described mechanism. `singularity_check` recomputes states of
    the described mechanism near singular configurations. `first_choice` is the `LocalChoice` at the start of the
    simulation, by default it is made at the first state. With `interrupted` the evaluation can end early: when this
    function returns True, or on an interruption, the Result has the states evaluated so far. `sharing_modes` are the
    contact modes in which forces of unilateral loads are statically indeterminate.
    """
    model, p = run.model, run.model.p if p is None else p
    recorder, ending = Recorder(model.equations, model.plan, p), interrupted or (lambda: False)
    chosen, shares = [] if first_choice is None else [first_choice], _ForceSharing(run, sharing_modes)
    try:
        for begin in range(0, len(times), BLOCK):
            if begin and ending():
                break
            block = slice(begin, begin + BLOCK)
            if not chosen or _choice_changes(run):
                chosen = _choices(run, times[block], states[block], p)
            _record(
                recorder, run, times[block], states[block], u[block], p, singularity_check, chosen, shares
            )
    except KeyboardInterrupt:
        if interrupted is None or not recorder.times:
            raise
        accept_partial_result()
    recorder.works, recorder.items = run.layout.blocks(states)["work"].tolist(), run.items
    result = recorder.result(model.method_used, rule=model.effort_rule, interrupted=ending)
    messages = list(shares.warnings.values())
    if run.set_valued_count:
        messages += [*stiction_limit_warnings(result), *_penetration_warnings(run, result, states)]
    return with_warnings(result, messages)


def _penetration_warnings(run: RunModel, result: Result, states: np.ndarray) -> list[ResultWarning]:
    """Warnings about penetrations that are larger than the initial penetration and integration errors together."""
    within = SetValuedForces(run).penetrations(states[0])
    for load in result.mechanism.all_loads:
        if load.name in within:
            within[load.name] += max(
                (max(float(way[0]), 0.0) for way, _ in penetrations(result, load)), default=0.0
            )
    return penetration_warnings(result, within)


@dataclass(frozen=True, eq=False)
class _ForceSharing:
    """Minimum-norm solutions in the contact `modes` in which forces of unilateral loads are statically indeterminate.

    `warnings` contains each warning by its code and place, with the first time at which it applies.
    """

    run: RunModel
    modes: Set[tuple[float, ...]]
    warnings: dict[tuple[str, str], ResultWarning] = field(default_factory=dict)

    def instants(self, states: np.ndarray) -> list[int]:
        """Indices of the states in which forces are statically indeterminate."""
        set_valued = SetValuedForces(self.run)
        return (
            [k for k, y in enumerate(states) if tuple(set_valued.modes(y)) in self.modes]
            if self.modes
            else []
        )

    def at(
        self, t: float, y: np.ndarray, choice: LocalChoice, answer: ForwardSolution, wrenches: np.ndarray
    ) -> SharedInstant | None:
        """The solution with minimum-norm forces at one instant; None if no force is indeterminate."""
        found = share_forces(SetValuedForces(self.run), t, y, choice, answer, wrenches)
        for what in () if found is None else found.warnings:
            begun = replace(what, text=f"from t = {t:.6g} s on, {what}", time=t)
            self.warnings.setdefault((what.code, what.place), begun)
        return found


def _record(
    recorder: Recorder,
    run: RunModel,
    times: np.ndarray,
    states: np.ndarray,
    u: np.ndarray,
    p: np.ndarray,
    singularity_check: SingularityCheck | None,
    chosen: list[LocalChoice],
    shares: _ForceSharing,
) -> None:
    """Evaluate and record accelerations, efforts and reactions of a block of states."""
    model, blocks = run.model, run.layout.blocks(states)
    motion = {name: blocks[name].T for name in ("q", "v", "x")}
    known = {"t": times[None, :], **motion, "u": u.T, "z": run.signals.tables.read(times)}
    a, lam, tau, _, *dependent_force_rows = run.solve.evaluate_many(
        **known, **_choice_inputs(run, chosen), p=p
    )
    rows = np.concatenate(dependent_force_rows) if dependent_force_rows else np.zeros((len(times), 0, 2))
    rows = rows.reshape(len(times), model.dependent_force_count, model.dependent_force_count + 2).copy()
    lam = lam[:, : model.equations.loop_constraints.count].copy()
    q, v = blocks["q"].copy(), blocks["v"].copy()
    for k, t in enumerate(times.tolist() if singularity_check or _checks_each_instant(run) else ()):
        choice, answer = chosen[min(k, len(chosen) - 1)], ForwardSolution(a[k], lam[k], tau[k], rows[k])
        model.require_reachable(t, q[k], p)
        if singularity_check is None:
            require_constraints_met(model, choice, t, q[k], v[k], answer, p)
        else:
            y, better = singularity_check.refine(t, states[k], answer, choice, u[k])
            if better is not answer:
                q[k], v[k], a[k], tau[k] = y[run.layout["q"]], y[run.layout["v"]], better.a, better.tau
                rows[k], lam[k] = (
                    better.dependent_force_rows.reshape(rows[k].shape),
                    better.lam[: lam.shape[1]],
                )
    sharing = shares.instants(states)
    if not (sharing or model.plan.redundant):
        recorder.add_many(times, q, v, a, tau, blocks["x"], rows, lam=lam)
        return
    found = {"a": a.T, "lam": lam.T, "tau": tau.T, "dependent_forces": rows[:, :, 0].T}
    (wrenches,) = model.reaction_functions.reactions.evaluate_many(
        **known | {"q": q.T, "v": v.T}, **found, p=p
    )
    wrenches = model.minimum_norm(times, q, p, wrenches.reshape(len(times), 6, -1).copy(), lam)
    for k in sharing:
        choice, answer = chosen[min(k, len(chosen) - 1)], ForwardSolution(a[k], lam[k], tau[k], rows[k])
        shared = shares.at(float(times[k]), states[k], choice, answer, wrenches[k])
        if shared is not None:
            tau[k], rows[k], wrenches[k] = (
                shared.answer.tau,
                shared.answer.dependent_force_rows,
                shared.wrenches,
            )
            recorder.shared[len(recorder.times) + k] = shared.forces
    recorder.add_many(times, q, v, a, tau, blocks["x"], rows, wrenches=wrenches)


def _checks_each_instant(run: RunModel) -> bool:
    """Whether each recorded state must be checked individually, because constraints may lose rank or the efforts may be
    unable to produce the prescribed motion."""
    return bool(run.model.servo_rates) or run.model.passes_singular or bool(run.model.plan.redundant)


def _choice_changes(run: RunModel) -> bool:
    """Whether a `LocalChoice` must be made at every state, and not only at the first."""
    return run.changes_choice or run.model.passes_singular


def _choices(run: RunModel, times: np.ndarray, states: np.ndarray, p: np.ndarray) -> list[LocalChoice]:
    """The `LocalChoice` at every state or, if it does not change during the simulation, at the first state only."""
    q, found = run.layout.blocks(states)["q"], list[LocalChoice]()
    for k, t in enumerate(times.tolist() if _choice_changes(run) else times[:1].tolist()):
        found.append(make_local_choice(run.model, q[k], p=p, before=found[-1] if found else None, t=t))
    return found


def _choice_inputs(run: RunModel, chosen: list[LocalChoice]) -> dict[str, np.ndarray]:
    """Inputs of the traced functions by name: `basis` and `choice` (the independent combinations of constraint rows and
    of rates) and `c` (penalty factors), with a last axis over the states unless one `LocalChoice` is used for all
    states."""
    found = {}
    for name in ("basis", "choice", "c"):
        shape = run.inputs[name].shape
        lanes = [one.kernel_inputs.get(name, np.zeros(shape)).reshape(shape) for one in chosen]
        found[name] = np.stack(lanes, axis=-1) if len(lanes) > 1 else lanes[0]
    return found
