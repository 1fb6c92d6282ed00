"""Simulation of many designs: the initial position of each is computed from that of the described mechanism, and each
is then integrated separately."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field, replace
from threading import Event
from typing import Any

import numpy as np

from multiloop.analyses.designs import (
    INFEASIBLE_BODY,
    INFEASIBLE_LINK,
    INFEASIBLE_LOAD,
    infeasible_bodies,
    infeasible_links,
    infeasible_loads,
    require_shared_reduction,
)
from multiloop.analyses.progress import progress_display
from multiloop.analyses.run_models import (
    RunModel,
    discard_excessive,
    loop_kernels,
    make_local_choice,
    python_callbacks,
)
from multiloop.analyses.signals import corners_depend_on_parameters
from multiloop.analyses.simulation.design_starts import DesignStarts, parameter_values
from multiloop.analyses.simulation.run_options import sampling_times
from multiloop.analyses.simulation.runs import Runs
from multiloop.kernels import processor_count
from multiloop.kernels.runtime import (
    FINISHED,
    NOT_FINITE,
    OPEN,
    SINGULAR,
    STOPPED,
    STUCK,
    UNFINISHED,
    LoopSettings,
    RunKernels,
    TimeLoop,
)
from multiloop.model import SolveError, accept_partial_result, initial_states, parameter_error
from multiloop.plan import massless_joints, tree_links

ENDS = {
    FINISHED: "ok",
    STOPPED: "stopped by an event",
    SINGULAR: "stopped at a singular configuration",
    OPEN: "stopped by loops that cannot be kept closed",
    STUCK: "stopped by steps that became too short",
    NOT_FINITE: "stopped by accelerations that are not finite",
}
MASSLESS = "stopped by a massless link"
UNREACHED = "cannot be assembled"
RAN_AWAY = "with unbounded deflection of a link"
RESTLESS = "without static equilibrium of the links"
INTERRUPTED = "interrupted"

Relax = Callable[[np.ndarray, np.ndarray, np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray, np.ndarray]]
"""Function that takes q, v and p of all designs and the mask of the designs to relax, and returns q and v with flexible
links in equilibrium, and the mask of the designs without an equilibrium."""


@dataclass(frozen=True, eq=False)
class Ensemble:
    """Simulation of many designs of one mechanism with the same start, rates and efforts; setting `halt` ends all
    simulations."""

    run: RunModel
    settings: LoopSettings
    times: np.ndarray
    until: float
    progress: bool | None = None
    halt: Event = field(default_factory=Event)

    def integrate(
        self,
        values: Mapping[str, np.ndarray],
        begin: float,
        start: Mapping[str, Any],
        rates: Mapping[str, Any],
        integrals: Mapping[str, float] | None = None,
        relax: Relax | None = None,
    ) -> Runs:
        """Integrate all designs, with as many threads as there are processors; after an interruption, finished designs
        are kept."""
        model = self.run.model
        mechanism = model.plan.mechanism
        if exact := self.run.signals.known.python_efforts:
            what = "is computed by Python code, which is not available for many designs."
            remedy = "Give a number, an expression or a Result, or run the designs one at a time."
            raise parameter_error(mechanism, f"effort at '{exact[0]}'", what, remedy)
        require_shared_reduction(mechanism, values)
        q, v = DesignStarts(model, begin, start, rates).states(values)
        p = parameter_values(model.skeleton, values)
        sample_times = sampling_times(begin, self.times)
        seen = np.full((p.shape[1], len(sample_times), self.run.layout.size), np.nan)
        cannot = {
            INFEASIBLE_LOAD: infeasible_loads(mechanism, values),
            INFEASIBLE_LINK: infeasible_links(mechanism, values),
            INFEASIBLE_BODY: infeasible_bodies(model.equations, p),
        }
        reached = np.isfinite(q).all(axis=0) & ~np.any(list(cannot.values()), axis=0)
        if relax is not None:
            q, v, cannot[RESTLESS] = relax(q, v, p, reached)
            reached &= ~cannot[RESTLESS]
        status, singularity_distance = (
            np.where(reached, INTERRUPTED, UNREACHED).astype("<U64"),
            np.ones(p.shape[1]),
        )
        for word, which in cannot.items():
            status[which] = word
        ends = self._ends(values, begin)
        choice = make_local_choice(model, model.plan.assembly.coordinates_on(model.equations), t=begin)
        system = loop_kernels(self.run, choice, self.settings.integrator)

        def one(k: int) -> None:
            own_start = initial_states(mechanism, {name: float(x[k]) for name, x in values.items()})
            x = list((integrals or own_start).values())
            y = self.run.layout.pack(q=q[:, k], v=v[:, k], x=x)
            own = self._design_kernels(system, p[:, k], begin, q[:, k])
            if isinstance(own, str):
                status[k] = own
            elif not self.halt.is_set():
                seen[k], status[k], singularity_distance[k] = self._run_design(
                    own, begin, y, sample_times, ends(k)
                )
            if status[k] in (ENDS[SINGULAR], ENDS[NOT_FINITE]) and self._has_massless_joint(q[:, k], p[:, k]):
                status[k] = MASSLESS

        self._run_all(one, np.flatnonzero(reached).tolist())
        status[discard_excessive(model.skeleton, values, sample_times, seen, self.run.layout["q"])] = RAN_AWAY
        found = Runs(
            mechanism,
            dict(values),
            self.times,
            sample_times,
            seen,
            status,
            self.run,
            closeness=singularity_distance,
        )
        return replace(found, begun=(begin, start, rates))

    def _run_all(self, one: Callable[[int], None], designs: Sequence[int]) -> None:
        """Call `one` for the index of every design, in several threads; an interruption ends all calls."""
        with ThreadPoolExecutor(processor_count()) as pool:
            try:
                with progress_display(0.0, float(len(designs)), self.progress, "designs") as shown:
                    asked = [pool.submit(one, k) for k in designs]
                    for done, found in enumerate(as_completed(asked), 1):
                        found.result()
                        shown(float(done))
            except BaseException as stopped:
                self.halt.set()
                if isinstance(stopped, KeyboardInterrupt):
                    accept_partial_result()
                pool.shutdown(cancel_futures=True)
                if not isinstance(stopped, KeyboardInterrupt):
                    raise

    def _ends(self, values: Mapping[str, np.ndarray], begin: float) -> Callable[[int], Sequence[float]]:
        """A function that returns, for the index of a design, the times at which integration steps of this design must
        end."""
        signals = self.run.signals
        shared = signals.corner_times(begin, self.until)
        if not corners_depend_on_parameters(signals.mechanism, signals.known.sources):
            return lambda k: shared
        return lambda k: signals.corner_times(
            begin, self.until, {name: float(x[k]) for name, x in values.items()}
        )

    def _design_kernels(
        self, system: RunKernels, p: np.ndarray, begin: float, q: np.ndarray
    ) -> RunKernels | str:
        """The kernels with the parameters and the `LocalChoice` of a design; if its position is singular, the status of
        the design instead."""
        if not set(system.given) - {"p"}:
            return replace(system, given={"p": p})
        try:
            choice = make_local_choice(self.run.model, q, p=p, t=begin)
        except (SolveError, np.linalg.LinAlgError):  # the constraint rows or the mass matrix are singular
            return ENDS[SINGULAR]
        asked = python_callbacks(self.run.model, self.run.layout, choice, p)
        return replace(system, given=choice.kernel_inputs | {"p": p}, **asked)

    def _has_massless_joint(self, q: np.ndarray, p: np.ndarray) -> bool:
        """Whether some joint moves no mass in a design, unlike in the described mechanism, so that the equations of
        this design cannot be solved."""
        return bool(massless_joints(tree_links(self.run.model.equations, q, p)))

    def _run_design(
        self, system: RunKernels, begin: float, y: np.ndarray, sample_times: np.ndarray, ends: Sequence[float]
    ) -> tuple[np.ndarray, str, float]:
        """States and status of one design, and the smallest distance from a singular position at the ends of its
        steps."""
        loop = TimeLoop(system, self.settings, begin, y, sample_times, ends, self.until)
        status = loop.begin()
        while status == UNFINISHED and not self.halt.is_set():
            status = loop.advance()
        ended = INTERRUPTED if status == UNFINISHED else ENDS[status]
        return loop.samples, ended, float(loop.closest_to_singular[0])
