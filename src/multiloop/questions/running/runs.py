"""Simulation of many designs: each is assembled from the described one and then integrated by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import dataclass, field, replace
from threading import Event
from typing import Any

import numpy as np

from multiloop.kernels.compiler import processors
from multiloop.kernels.loop import FINISHED, NOT_FINITE, OPEN, SINGULAR, STOPPED, STUCK, UNFINISHED, TimeLoop
from multiloop.kernels.run_kernels import RunKernels, Settings
from multiloop.model import Mechanism, MultiloopError, SolveError, UnknownNameError, suggestion
from multiloop.model.interrupts import keep_part, obeying_interrupts
from multiloop.model.own_states import start_values
from multiloop.plan.weighing import thin_joints, weighed_links
from multiloop.questions.answers.doubts import energy_lost, guess_far_off, with_doubts
from multiloop.questions.answers.result import Result
from multiloop.questions.answers.thinning import often_enough, thinned
from multiloop.questions.body_feasibility import (
    IMPOSSIBLE,
    LIMP,
    infeasible_designs,
    infeasible_links,
    require_kept,
)
from multiloop.questions.limits import at_limits, over_limits
from multiloop.questions.load_feasibility import NEGATIVE, infeasible_loads
from multiloop.questions.parameters import refused
from multiloop.questions.remembered import remembered_assembly
from multiloop.questions.running.approach import SUSPECT
from multiloop.questions.running.choice import choose
from multiloop.questions.running.light_links import digits_lost
from multiloop.questions.running.loop_kernels import loop_kernels
from multiloop.questions.running.progress import advancing
from multiloop.questions.running.python_callbacks import python_callbacks
from multiloop.questions.running.recording import recorded
from multiloop.questions.running.run_model import RunModel
from multiloop.questions.running.running_away import cut_where_away
from multiloop.questions.running.starting import Start, geometric_parameters
from multiloop.questions.signals.corners import movable

ENDS = {
    FINISHED: "ok",
    STOPPED: "stopped by an event",
    SINGULAR: "met a singular position",
    OPEN: "lost its loops",
    STUCK: "steps became too short",
    NOT_FINITE: "accelerations are not finite",
}
MASSLESS = "has a link without mass"
UNREACHED = "cannot be put together"
RAN_AWAY = "a link runs away"
RESTLESS = "links do not come to rest"
INTERRUPTED = "interrupted"

Relax = Callable[[np.ndarray, np.ndarray, np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray, np.ndarray]]
"""q, v and p of all designs, and a mask → q and v with relaxed links, and a mask of designs without equilibrium."""


@dataclass(frozen=True, eq=False)
class Runs:
    """Simulations of many designs over the same times; `runs[k]` is the Result of one of them.

    `states` holds [q, v, x, work] (designs, instants, entries), NaN after the end of a design. `status` states how
    each run ended, and `reason(k)` gives details; warnings about its numbers are in `runs[k].status`, which evaluates
    that design. Iterating gives one item for each design, in order: its Result, or None where it has no instant.
    `looks` and `seen` are the instants and states from which the energy drift is computed, more than those of `time`
    where these are few.
    """

    mechanism: Mechanism
    parameters: Mapping[str, np.ndarray]
    time: np.ndarray
    looks: np.ndarray
    seen: np.ndarray
    status: np.ndarray
    run: RunModel
    asked: Mapping[str, Any] = field(default_factory=dict)  # the other arguments of `simulate`
    closeness: np.ndarray | None = None  # to a singular position, the smallest at the steps of every design
    begun: tuple[Any, ...] = (0.0, None, None)  # the time, start and rates at which all begin
    startup: Callable[[Result], Callable[[Result], list[str]]] | None = None  # gives `startup` of a Result

    @property
    def states(self) -> np.ndarray:
        """[q, v, x, work] at the times of `time`, (designs, instants, entries)."""
        return self.seen[:, np.isin(self.looks, self.time)]

    @property
    def ok(self) -> np.ndarray:
        """Which designs ran to the end."""
        ok: np.ndarray = self.status == "ok"
        return ok

    @obeying_interrupts()
    def position(self, joint: str) -> np.ndarray:
        """Coordinates of a joint of the tree, (designs, instants) or (designs, instants, coordinates)."""
        carrier = self.run.model.skeleton.carrier
        if joint not in carrier:
            raise UnknownNameError(
                self.mechanism.name, "joint of the tree", joint, suggestion(joint, carrier)
            )
        found = self.states[:, :, carrier[joint].q]
        return found[:, :, 0] if found.shape[2] == 1 else found

    def reason(self, design: int) -> str:
        """The error or the status of a simulation of this design alone."""
        from multiloop.questions.simulate import simulate

        values = {name: float(given[design]) for name, given in self.parameters.items()}
        try:
            said = str(simulate(self.mechanism, parameters=values, **self.asked).status)
            return (
                f"{self.status[design]}; it runs by itself" if said == "ok" and not self.ok[design] else said
            )
        except MultiloopError as error:
            return str(error)

    def __len__(self) -> int:
        return len(self.status)

    @obeying_interrupts()
    def __getitem__(self, design: int) -> Result:
        """Everything about one design, up to where it ended."""
        count = self._instants(design)
        if not count:
            raise refused(
                self.mechanism, f"design {design}", f"{self.status[design]}.", "Look at `status` first."
            )
        values = {name: float(array[design]) for name, array in self.parameters.items()}
        p = np.array([values[name] for name in self.run.model.skeleton.names])
        result = recorded(self.run, self.looks[:count], self.seen[design, :count], np.zeros((count, 0)), p)
        described = self.mechanism.with_parameters(values)
        said = [str(self.status[design])] if self.status[design] != "ok" else []
        result = with_doubts(replace(result, mechanism=described), said)
        if self.startup is not None:
            result = replace(result, startup=self.startup(result))
        result = thinned(result, self.time)
        return with_doubts(result, self._said(design, result, p))

    def _said(self, design: int, result: Result, p: np.ndarray) -> list[str]:
        """The warnings of a run of this design alone.

        A design with steps near a singular position is simulated alone, which checks the states there.
        """
        if self.ok[design] and self.closeness is not None and self.closeness[design] < SUSPECT:
            said = self.reason(design)
            return [] if said == "ok" else [said]
        model, (begin, start, rates), guess = self.run.model, self.begun, self.asked.get("guess")
        found = list(self.run.signals.known.doubts)
        assembly = model.plan.assembly
        if geometric_parameters(model.equations).any():
            with suppress(MultiloopError):
                assembly, _ = remembered_assembly(result.mechanism, start, guess, rates, begin)
        found += guess_far_off(assembly)
        first = self.seen[design, 0, self.run.layout["q"]]
        found += digits_lost(model, begin, first, p)
        return [*found, *at_limits(result), *over_limits(result), *energy_lost(result)]

    def __iter__(self) -> Iterator[Result | None]:
        return (self[k] if self._instants(k) else None for k in range(len(self)))

    def _instants(self, design: int) -> int:
        """How many instants of a design were reached."""
        return int(np.isfinite(self.seen[design, :, 0]).sum())

    def __repr__(self) -> str:
        ends = [f"{int(np.sum(self.status == word))} {word}" for word in dict.fromkeys(self.status.tolist())]
        over = f"over {len(self.time)} instants"
        return f"{len(self)} runs of '{self.mechanism.name}' {over}: {', '.join(ends)}."


@dataclass(frozen=True, eq=False)
class Ensemble:
    """Designs of one mechanism with the same start, rates and efforts; setting `halt` ends all runs."""

    run: RunModel
    settings: Settings
    times: np.ndarray
    until: float
    progress: bool | None = None
    halt: Event = field(default_factory=Event)

    def over(
        self,
        values: Mapping[str, np.ndarray],
        begin: float,
        start: Mapping[str, Any],
        rates: Mapping[str, Any],
        integrals: Mapping[str, float] | None = None,
        relax: Relax | None = None,
    ) -> Runs:
        """Integrate all designs, on as many threads as processors; after an interruption, finished designs are kept."""
        model = self.run.model
        mechanism = model.plan.mechanism
        if exact := self.run.signals.known.exact:
            what = "is worked out in Python for one run at a time."
            remedy = "Give a number, an expression or a Result, or run design by design."
            raise refused(mechanism, f"effort at '{exact[0]}'", what, remedy)
        require_kept(mechanism, values)
        q, v = Start(model, begin, start, rates).of_all(values)
        p = np.array([values[name] for name in model.skeleton.names])
        looks = often_enough(begin, self.times)
        seen = np.full((p.shape[1], len(looks), self.run.layout.size), np.nan)
        cannot = {
            NEGATIVE: infeasible_loads(mechanism, values),
            LIMP: infeasible_links(mechanism, values),
            IMPOSSIBLE: infeasible_designs(model.equations, p),
        }
        reached = np.isfinite(q).all(axis=0) & ~np.any(list(cannot.values()), axis=0)
        if relax is not None:
            q, v, cannot[RESTLESS] = relax(q, v, p, reached)
            reached &= ~cannot[RESTLESS]
        status, closeness = np.where(reached, INTERRUPTED, UNREACHED).astype("<U64"), np.ones(p.shape[1])
        for word, which in cannot.items():
            status[which] = word
        ends = self._ends(values, begin)
        choice = choose(model, model.plan.assembly.on(model.equations), t=begin)
        system = loop_kernels(self.run, choice, self.settings.integrator)

        def one(k: int) -> None:
            own_start = start_values(mechanism, {name: float(x[k]) for name, x in values.items()})
            x = list((integrals or own_start).values())
            y = self.run.layout.pack(q=q[:, k], v=v[:, k], x=x)
            own = self._own(system, p[:, k], begin, q[:, k])
            if isinstance(own, str):
                status[k] = own
            elif not self.halt.is_set():
                seen[k], status[k], closeness[k] = self._carried(own, begin, y, looks, ends(k))
            if status[k] in (ENDS[SINGULAR], ENDS[NOT_FINITE]) and self._massless(q[:, k], p[:, k]):
                status[k] = MASSLESS

        self._all(one, np.flatnonzero(reached).tolist())
        status[cut_where_away(model.skeleton, values, looks, seen, self.run.layout["q"])] = RAN_AWAY
        found = Runs(mechanism, dict(values), self.times, looks, seen, status, self.run, closeness=closeness)
        return replace(found, begun=(begin, start, rates))

    def _all(self, one: Callable[[int], None], designs: Sequence[int]) -> None:
        """Run every design once, until an interruption."""
        with ThreadPoolExecutor(processors()) as pool:
            try:
                with advancing(0.0, float(len(designs)), self.progress, "designs") as shown:
                    asked = [pool.submit(one, k) for k in designs]
                    for done, found in enumerate(as_completed(asked), 1):
                        found.result()
                        shown(float(done))
            except BaseException as stopped:
                self.halt.set()
                if isinstance(stopped, KeyboardInterrupt):
                    keep_part()
                pool.shutdown(cancel_futures=True)
                if not isinstance(stopped, KeyboardInterrupt):
                    raise

    def _ends(self, values: Mapping[str, np.ndarray], begin: float) -> Callable[[int], Sequence[float]]:
        """A function that returns the times at which steps of a design must end."""
        signals = self.run.signals
        shared = signals.ends(begin, self.until)
        if not movable(signals.mechanism, signals.known.sources):
            return lambda k: shared
        return lambda k: signals.ends(begin, self.until, {name: float(x[k]) for name, x in values.items()})

    def _own(self, system: RunKernels, p: np.ndarray, begin: float, q: np.ndarray) -> RunKernels | str:
        """The kernels with the parameters of a design and its choice; the status where no choice is possible."""
        if not set(system.given) - {"p"}:
            return replace(system, given={"p": p})
        try:
            choice = choose(self.run.model, q, p=p, t=begin)
        except (SolveError, np.linalg.LinAlgError):  # rows, or the inertia that they move, are singular
            return ENDS[SINGULAR]
        asked = python_callbacks(self.run.model, self.run.layout, choice, p)
        return replace(system, given=choice.given | {"p": p}, **asked)

    def _massless(self, q: np.ndarray, p: np.ndarray) -> bool:
        """Whether some joint of a design moves no mass, unlike in the described one; its equations are not solvable."""
        return bool(thin_joints(weighed_links(self.run.model.equations, q, p)))

    def _carried(
        self, system: RunKernels, begin: float, y: np.ndarray, looks: np.ndarray, ends: Sequence[float]
    ) -> tuple[np.ndarray, str, float]:
        """States and status of one design, and the smallest closeness to a singular position at its steps."""
        loop = TimeLoop(system, self.settings, begin, y, looks, ends, self.until)
        status = loop.begin()
        while status == UNFINISHED and not self.halt.is_set():
            status = loop.advance()
        ended = INTERRUPTED if status == UNFINISHED else ENDS[status]
        return loop.outputs, ended, float(loop.nearest[0])
