"""The motion from rest by multiloop: the compiled loop alone is timed, as for the other programs; `simulate` checks
it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

import multiloop as ml
from benchmarks.peers.motions import TIMES, TOLERANCES, Motion, Ran
from benchmarks.peers.opened import Opened
from benchmarks.peers.states import Moment
from multiloop.analyses.run_models.forward_model import ForwardModel
from multiloop.analyses.run_models.local_choice import make_local_choice
from multiloop.analyses.run_models.loop_kernels import loop_kernels
from multiloop.analyses.run_models.run_model import RunModel
from multiloop.analyses.signals.signals import Signals
from multiloop.kernels.runtime.time_loop import FINISHED, UNFINISHED, LoopSettings, TimeLoop
from multiloop.kinematics.assembly.assembly_mode_search import find_assembly_modes
from multiloop.kinematics.joint_coordinates import joint_coordinates
from multiloop.plan import plan_at

INTEGRATORS = ("dop853", "rk45")


def reference(
    mechanism: ml.Mechanism, opened: Opened, start: Moment, rtol: float
) -> tuple[np.ndarray, ml.Result]:
    """Angles of all links at TIMES, and the whole result with 501 samples."""
    result = ml.simulate(mechanism, until=TIMES[-1], start=start.positions, rtol=rtol, samples=501)
    states = [result.at(t).positions for t in TIMES]
    return opened.angles(np.array([opened.positions(positions) for positions in states])), result


def our_motions(mechanism: ml.Mechanism, opened: Opened, start: Moment) -> Iterator[Motion]:
    """The compiled loop with several tolerances; positions and rates are projected onto the constraints after every
    step."""
    assembly = find_assembly_modes(mechanism, start=start.positions)[0]
    model = ForwardModel(plan_at(assembly), assembly, "sslm")
    run = RunModel(model, Signals(model.equations))
    q = assembly.coordinates_on(model.equations)
    system = loop_kernels(run, make_local_choice(model, q), "dop853")
    y = run.layout.pack(q=q)
    angles = partial(_angles, model, opened)
    for integrator in INTEGRATORS:
        for rtol in TOLERANCES:
            settings = LoopSettings(integrator, rtol, rtol * run.sizes)
            made = partial(TimeLoop, system, settings, 0.0, y, np.array(TIMES), ())
            yield Motion("multiloop", integrator, rtol, partial(_run, made, angles))


def _run(made: Callable[[], TimeLoop], angles: Callable[[np.ndarray], np.ndarray]) -> Ran:
    loop = made()
    began = time.thread_time()
    status = loop.begin()
    while status == UNFINISHED:
        status = loop.advance()
    took = time.thread_time() - began
    if status != FINISHED:
        raise ValueError(f"our run ended with status {status} at t = {loop.t:g} s")
    return angles(loop.samples), took


def _angles(model: ForwardModel, opened: Opened, outputs: np.ndarray) -> np.ndarray:
    equations, n = model.equations, model.skeleton.positions
    found = [joint_coordinates(equations, row[:n], model.p, None) for row in outputs]
    return opened.angles(np.array([opened.positions(values) for values in found]))
