"""Compiled functions and Python callbacks that the compiled time loop calls during a simulation."""

from __future__ import annotations

from typing import Any

import numpy as np

from multiloop.analyses.run_models.forward_model import ForwardModel
from multiloop.analyses.run_models.integrator_inputs import mass_orthogonal_projection
from multiloop.analyses.run_models.local_choice import LocalChoice, make_local_choice
from multiloop.analyses.run_models.run_model import RunModel
from multiloop.analyses.signals import identifying_keys
from multiloop.dynamics.outputs import SOURCES, is_built_in
from multiloop.kernels import Kernel, Recipe
from multiloop.kernels.runtime import INTEGRATORS, RunKernels, StateLayout
from multiloop.symbols import Traced


def loop_kernels(run: RunModel, choice: LocalChoice, integrator: str) -> RunKernels:
    """All compiled functions and constants that the time loop needs.

    `choice` gives the independent rows and coordinates, and the penalty weights, at the start of the run.
    """
    model, signals, integration = run.model, run.signals, INTEGRATORS[integrator]
    return RunKernels(
        layout=run.layout,
        rate=_kernel(run, "rate"),
        project_positions=None if model.passes_singular else _kernel(run, "project_positions"),
        project_velocities=None if model.passes_singular else _kernel(run, "project_velocities"),
        given=choice.kernel_inputs | {"p": model.p},
        sizes=choice.sizes,
        rate_weights=choice.rate_weights,
        rank=model.rank,
        solved=model.solved_rows,
        grouping=model.grouping,
        row_scale=model.row_scale,
        choices=model.uses_independent_coordinates,
        matrix=_kernel(run, "matrix") if run.changes_choice else None,
        slope=_kernel(run, "slope") if integration.implicit else None,
        stiffness=_kernel(run, "stiffness")
        if integration.needs_stiffness and model.skeleton.is_flexible
        else None,
        places=run.places,
        events=_kernel(run, "events") if signals.events or run.set_valued_count else None,
        tables=signals.tables.curves,
        controlled=signals.u.shape[0],
        control=signals.known.control,
        **python_callbacks(model, run.layout, choice, model.p),
    )


def _kernel(run: RunModel, name: str) -> Kernel:
    if name not in run.kernels:
        words = identifying_keys(run.model.skeleton, name, *run.cache_keys)
        if run.signals.reads_outputs and not all(map(is_built_in, SOURCES)):
            words = ()  # the text of functions that yield further outputs is not tracked
        trace = run.traces[name]
        recipe = Recipe(
            lambda: Traced(name, run.inputs, trace()), words, as_written=run.model.passes_singular
        )
        run.kernels[name] = Kernel(recipe)
    return run.kernels[name]


def python_callbacks(
    model: ForwardModel, layout: StateLayout, choice: LocalChoice, p: np.ndarray
) -> dict[str, Any]:
    """Python functions that the time loop calls to project a state onto the constraints and to update penalty weights.

    The first weights are those of `choice`. The result is empty for methods that do not pass singular
    configurations.
    """
    if not model.passes_singular:
        return {}
    last = [choice]

    def projector(t: float, y: np.ndarray, at_once: bool) -> np.ndarray:
        return np.append(*mass_orthogonal_projection(model, layout, t, y, p, at_once=at_once))

    def chooser(t: float, y: np.ndarray) -> tuple[dict[str, np.ndarray], float]:
        last[0] = make_local_choice(model, y[layout["q"]], p=p, before=last[0], t=t)
        return last[0].kernel_inputs, last[0].singularity_distance

    return {"projector": projector, "chooser": chooser}
