"""Operations of every kernel of a mechanism; the kernels are those that the functions use."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from multiloop import Mechanism, Plan, analyse
from multiloop.analyses.designs.driven_step import DrivenStep
from multiloop.analyses.prescribed_motion.driven_traces import DrivenTraces
from multiloop.analyses.prescribed_motion.inverse_solver import InverseSolver
from multiloop.analyses.run_models.forward_model import ForwardModel
from multiloop.analyses.run_models.run_model import RunModel
from multiloop.analyses.signals.signals import Signals
from multiloop.dynamics.forward import METHODS
from multiloop.dynamics.inverse import InverseFunctions, effort_columns, traced_inverse
from multiloop.dynamics.outputs import ReactionFunctions, recorded_outputs_of
from multiloop.kinematics import equations_of
from multiloop.plan import unknown_efforts
from multiloop.symbols import Traced

LARGE = 400
"""Squared rates above which methods with dense systems are omitted: tracing them takes minutes."""

DENSE = ("system", "embedding", "virtual_work", "augmented")


def counts(mechanism: Mechanism) -> dict[str, int]:
    """Operations of every kernel by name."""
    plan = analyse(mechanism)
    return {name: trace().tape().total for name, trace in kernels_of(plan)}


def kernels_of(plan: Plan) -> Iterator[tuple[str, Callable[[], Traced]]]:
    """Every kernel that the functions use, by name."""
    mechanism = plan.mechanism
    equations = equations_of(mechanism, plan.tree)
    large = equations.skeleton.rates**2 > LARGE
    for method in METHODS:
        if large and method in DENSE:
            continue
        model = ForwardModel(plan, plan.assembly, method, free=True)
        yield f"forward {method}", lambda model=model: model.functions.accelerations
    yield from _running(plan)
    yield "reactions", lambda: ReactionFunctions(equations).reactions
    yield "outputs", lambda: recorded_outputs_of(equations).traced
    efforts = unknown_efforts(mechanism)
    freedoms = plan.mobility - len(plan.idle)
    if len(efforts) == freedoms and freedoms:
        loads = InverseSolver(plan, equations, plan.assembly.p, "subsystem")
        B = effort_columns(equations, efforts)
        blocks = plan.determinacy.blocks
        yield "inverse", lambda: traced_inverse(equations, loads.method_used, B, loads.independent, blocks)
        if not large:
            functions = InverseFunctions(equations)
            for method in ("subsystem", "system", "virtual_work"):
                yield (
                    f"inverse {method}",
                    lambda method=method: functions.traced_solution(method, B, loads.independent, blocks),
                )
        steppable = not plan.idle and not plan.redundant and not any(m.on_marker for m in mechanism.drives)
        if steppable and mechanism.drives and not large:
            yield "step of many designs", lambda: DrivenStep(DrivenTraces(plan))._step()


def _running(plan: Plan) -> Iterator[tuple[str, Callable[[], Traced]]]:
    """The kernels of the time loop, with drives and without."""
    marker = any(motion.on_marker for motion in plan.mechanism.drives)
    for word, free in (("driven", False), ("free", True)):
        if (not free and (marker or not plan.mechanism.drives)) or not plan.assembly.q.size:
            continue
        held = plan if not free else analyse(plan.mechanism.without_drives(), cuts=plan.cuts)
        model = ForwardModel(held, held.assembly, "sslm", free=free)
        run = RunModel(model, Signals(model.equations))
        parts = {
            "rate": lambda x: x._rate,
            "project_positions": lambda x: x.projection.position_outputs(),
            "project_velocities": RunModel._velocity_outputs,
        }
        for name, outputs in parts.items():
            yield (
                f"{name}, {word}",
                lambda run=run, outputs=outputs, name=name: Traced(name, run.inputs, outputs(run)),
            )
