"""Results of the simulations of many designs, `Runs`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from multiloop.analyses.analysis_cache import cached_assembly
from multiloop.analyses.results import (
    Result,
    at_limit_warnings,
    energy_warnings,
    guess_warnings,
    over_limit_warnings,
    with_warnings,
)
from multiloop.analyses.run_models import SUSPECT_DISTANCE, RunModel, light_link_warnings
from multiloop.analyses.simulation.design_starts import geometric_parameters
from multiloop.analyses.simulation.run_options import select_instants
from multiloop.analyses.simulation.run_result import build_result
from multiloop.model import (
    Mechanism,
    MultiloopError,
    ResultWarning,
    SuggestsAttributes,
    UnknownNameError,
    guard_interrupts,
    parameter_error,
    status_text,
    suggestion,
)


@dataclass(frozen=True, eq=False)
class Runs(SuggestsAttributes):
    """Simulations of many designs over the same times; `runs[k]` is the Result of one of them.

    `states` is an array (designs, instants, entries) of the state vectors [q, v, x, work], NaN after the end of a
    design. `status` states how each simulation ended, and `reason(k)` gives details; `runs[k].status` also contains the
    warnings about a design, whose Result is evaluated for this. Iterating gives one item for each design, in order: its
    Result, or None if its simulation reached no instant. `looks` and `seen` are the times and states from which the
    energy drift is computed; `looks` contains more instants than `time` if `time` has few.
    """

    mechanism: Mechanism
    parameters: Mapping[str, np.ndarray]
    time: np.ndarray
    looks: np.ndarray
    seen: np.ndarray
    status: np.ndarray
    run: RunModel
    asked: Mapping[str, Any] = field(default_factory=dict)  # the other arguments of `simulate`
    closeness: np.ndarray | None = (
        None  # for every design, the smallest distance from a singular position at the ends of its steps
    )
    begun: tuple[Any, ...] = (0.0, None, None)  # initial time, start and rates of all designs
    # function that returns the attribute `startup` of the Result of a design
    startup: Callable[[Result], Callable[[Result], list[ResultWarning]]] | None = None

    @property
    def states(self) -> np.ndarray:
        """State vectors [q, v, x, work] at the times of `time`, an array (designs, instants, entries)."""
        return self.seen[:, np.isin(self.looks, self.time)]

    @property
    def ok(self) -> np.ndarray:
        """Mask of the designs whose simulation reached the end time."""
        ok: np.ndarray = self.status == "ok"
        return ok

    @guard_interrupts()
    def position(self, joint: str) -> np.ndarray:
        """Coordinates of a joint of the spanning tree, an array (designs, instants) or (designs, instants,
        coordinates)."""
        carrier = self.run.model.skeleton.link_of_joint
        if joint not in carrier:
            raise UnknownNameError(
                self.mechanism.name, "joint of the tree", joint, suggestion(joint, carrier)
            )
        found = self.states[:, :, carrier[joint].q]
        return found[:, :, 0] if found.shape[2] == 1 else found

    def reason(self, design: int) -> str:
        """Text of the error, or the status, that a separate simulation of this design alone gives.

        If this simulation succeeds although that of the design in the sweep failed, the text states both.
        """
        try:
            found = self._alone(design).warnings
        except MultiloopError as error:
            return str(error)
        if not found and not self.ok[design]:
            return (
                f"{self.status[design]} in the sweep, which solves the equations of the described mechanism for all "
                "designs; `simulate` with the parameters of this design alone succeeds: use its result"
            )
        return status_text(found)

    def _alone(self, design: int) -> Result:
        """The Result of a separate simulation of one design."""
        from multiloop.analyses.simulate import simulate

        values = {name: float(given[design]) for name, given in self.parameters.items()}
        result: Result = simulate(self.mechanism, parameters=values, **self.asked)
        return result

    def __len__(self) -> int:
        return len(self.status)

    @guard_interrupts()
    def __getitem__(self, design: int) -> Result:
        """The Result of one design, up to the time at which it ended."""
        count = self._instants(design)
        if not count:
            raise parameter_error(
                self.mechanism, f"design {design}", f"{self.status[design]}.", "Check `status` first."
            )
        values = {name: float(array[design]) for name, array in self.parameters.items()}
        p = np.array([values[name] for name in self.run.model.skeleton.parameter_names])
        result = build_result(
            self.run, self.looks[:count], self.seen[design, :count], np.zeros((count, 0)), p
        )
        described = self.mechanism.with_parameters(values)
        said = [] if self.ok[design] else [self._ended_early(design, str(self.status[design]))]
        result = with_warnings(replace(result, mechanism=described), said)
        if self.startup is not None:
            result = replace(result, startup=self.startup(result))
        return select_instants(with_warnings(result, self._warnings(design, result, p)), self.time)

    def _ended_early(self, design: int, text: str) -> ResultWarning:
        """The warning that the simulation of a design did not reach the end time, or fails separately."""
        reached = float(self.looks[self._instants(design) - 1])
        return ResultWarning("W34", f"design {design}", text, time=reached)

    def _warnings(self, design: int, result: Result, p: np.ndarray) -> list[ResultWarning]:
        """The warnings that a separate simulation of this design alone gives.

        A design with steps near a singular position is simulated again, which checks the states near this position.
        """
        if self.ok[design] and self.closeness is not None and self.closeness[design] < SUSPECT_DISTANCE:
            try:
                return list(self._alone(design).warnings)
            except MultiloopError as error:
                return [self._ended_early(design, str(error))]
        model, (begin, start, rates), guess = self.run.model, self.begun, self.asked.get("guess")
        found = list(self.run.signals.known.warnings)
        assembly = model.plan.assembly
        if geometric_parameters(model.equations).any():
            with suppress(MultiloopError):
                assembly, _ = cached_assembly(result.mechanism, start, guess, rates, begin)
        found += guess_warnings(assembly)
        first = self.seen[design, 0, self.run.layout["q"]]
        found += light_link_warnings(model, begin, first, p)
        return [*found, *at_limit_warnings(result), *over_limit_warnings(result), *energy_warnings(result)]

    def __iter__(self) -> Iterator[Result | None]:
        return (self[k] if self._instants(k) else None for k in range(len(self)))

    def _instants(self, design: int) -> int:
        """Number of instants that the simulation of a design reached."""
        return int(np.isfinite(self.seen[design, :, 0]).sum())

    def __repr__(self) -> str:
        ends = [f"{int(np.sum(self.status == word))} {word}" for word in dict.fromkeys(self.status.tolist())]
        over = f"over {len(self.time)} instants"
        return f"{len(self)} runs of '{self.mechanism.name}' {over}: {', '.join(ends)}."
