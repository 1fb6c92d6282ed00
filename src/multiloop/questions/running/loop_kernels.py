"""Compiled functions that the time loop calls during a run."""

from __future__ import annotations

from multiloop.kernels import Kernel, Recipe
from multiloop.kernels.integrators import INTEGRATORS
from multiloop.kernels.run_kernels import Places, RunKernels
from multiloop.questions.running.choice import Choice
from multiloop.questions.running.python_callbacks import python_callbacks
from multiloop.questions.running.run_model import RunModel
from multiloop.questions.running.traced_outputs import elastic_places
from multiloop.questions.signals.cache_keys import identifying_keys
from multiloop.symbols import Traced


def loop_kernels(run: RunModel, choice: Choice, integrator: str) -> RunKernels:
    """All functions and constants of the time loop; `choice` is the choice at the start."""
    model, signals, asked = run.model, run.signals, INTEGRATORS[integrator]
    places = elastic_places(model.skeleton)
    return RunKernels(
        layout=run.layout,
        rate=_kernel(run, "rate"),
        close=None if model.passes_singular else _kernel(run, "close"),
        straighten=None if model.passes_singular else _kernel(run, "straighten"),
        given=choice.given | {"p": model.p},
        sizes=choice.sizes,
        rate_weights=choice.rate_weights,
        rank=model.rank,
        solved=model.solved,
        grouping=model.grouping,
        row_scale=model.row_scale,
        choices=model.chooses,
        matrix=_kernel(run, "matrix") if run.chooses else None,
        slope=_kernel(run, "slope") if asked.implicit else None,
        stiffness=_kernel(run, "stiffness") if asked.bending and len(places[0]) else None,
        places=Places(*places, *model.equations.chart.plain),
        watch=_kernel(run, "watch") if signals.events or run.grips else None,
        tables=signals.tables.curves,
        controlled=signals.u.shape[0],
        control=signals.known.control,
        **python_callbacks(model, run.layout, choice, model.p),
    )


def _kernel(run: RunModel, name: str) -> Kernel:
    if name not in run.built:
        words = identifying_keys(run.model.skeleton, name, *run.words)
        trace = run.pieces[name]
        recipe = Recipe(
            lambda: Traced(name, run.inputs, trace()), words, as_written=run.model.passes_singular
        )
        run.built[name] = Kernel(recipe)
    return run.built[name]
