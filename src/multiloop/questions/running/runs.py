"""Many designs let go at once: each put together from the described one, then carried through time by itself."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from multiloop.kernels.loop import FINISHED, NOT_FINITE, OPEN, SINGULAR, STOPPED, STUCK, UNFINISHED, TimeLoop
from multiloop.kernels.system import Settings, System
from multiloop.model import Mechanism, Motion, UnknownNameError, suggestion, time
from multiloop.plan import Plan, plan_at
from multiloop.questions.answers.result import Result
from multiloop.questions.assembling import chosen_closure
from multiloop.questions.leading.led import Led
from multiloop.questions.leading.sweep import Sweep
from multiloop.questions.parameters import refused
from multiloop.questions.running.looping import Looping
from multiloop.questions.running.recording import recorded

ENDS = {
    FINISHED: "ok",
    STOPPED: "stopped by an event",
    SINGULAR: "met a singular position",
    OPEN: "lost its loops",
    STUCK: "steps became too short",
    NOT_FINITE: "accelerations are not finite",
}
UNREACHED = "cannot be put together"


@dataclass(frozen=True, eq=False)
class Runs:
    """Simulations of many designs over the same times; `runs[k]` is the Result of one of them.

    `states` holds [q, v, work] (designs, instants, entries), not a number from where a design ended; `status`
    tells how.
    """

    mechanism: Mechanism
    parameters: Mapping[str, np.ndarray]
    time: np.ndarray
    states: np.ndarray
    status: np.ndarray
    looping: Looping

    @property
    def ok(self) -> np.ndarray:
        """Which designs ran to the end."""
        return self.status == "ok"

    def position(self, joint: str) -> np.ndarray:
        """Coordinates of a joint of the tree, (designs, instants) or (designs, instants, coordinates)."""
        carrier = self.looping.motions.skeleton.carrier
        if joint not in carrier:
            raise UnknownNameError(
                self.mechanism.name, "joint of the tree", joint, suggestion(joint, carrier)
            )
        found = self.states[:, :, carrier[joint].q]
        return found[:, :, 0] if found.shape[2] == 1 else found

    def __len__(self) -> int:
        return len(self.status)

    def __getitem__(self, design: int) -> Result:
        """Everything about one design, up to where it ended."""
        count = int(np.isfinite(self.states[design, :, 0]).sum())
        if not count:
            raise refused(
                self.mechanism, f"design {design}", f"{self.status[design]}.", "Look at `status` first."
            )
        values = {name: float(array[design]) for name, array in self.parameters.items()}
        p = np.array([values[name] for name in self.looping.motions.skeleton.names])
        u = np.zeros((count, 0))
        result = recorded(self.looping, self.time[:count], self.states[design, :count], u, p)
        described = self.mechanism.with_parameters(values)
        return replace(result, mechanism=described, status=str(self.status[design]))

    def __iter__(self) -> Iterator[Result]:
        return (self[k] for k in np.flatnonzero(self.status != UNREACHED).tolist())

    def __repr__(self) -> str:
        ends = [f"{int(np.sum(self.status == word))} {word}" for word in dict.fromkeys(self.status.tolist())]
        return (
            f"{len(self)} runs of '{self.mechanism.name}' over {len(self.time)} instants: {', '.join(ends)}."
        )


@dataclass(frozen=True, eq=False)
class Ensemble:
    """Designs of one mechanism with the same start, rates and efforts."""

    looping: Looping
    settings: Settings
    times: np.ndarray
    ends: list[float]

    def run(
        self,
        values: Mapping[str, np.ndarray],
        begin: float,
        start: Mapping[str, Any],
        rates: Mapping[str, Any],
    ) -> Runs:
        """All designs, on as many threads as there are processors."""
        motions = self.looping.motions
        skeleton = motions.skeleton
        p = np.array([values[name] for name in skeleton.names])
        q, v = self._started(p, begin, start, rates)
        states = np.full((p.shape[1], len(self.times), q.shape[0] + v.shape[0] + 1), np.nan)
        status = np.full(p.shape[1], UNREACHED, dtype="<U32")
        system = self.looping.system(motions.plan.assembly.on(motions.equations), implicit=self._implicit)

        def one(k: int) -> None:
            if np.isfinite(q[:, k]).all():
                states[k], status[k] = self._carried(
                    system, p[:, k], begin, np.concatenate([q[:, k], v[:, k], [0.0]])
                )

        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            list(pool.map(one, range(p.shape[1])))
        return Runs(motions.plan.mechanism, dict(values), self.times, states, status, self.looping)

    @property
    def _implicit(self) -> bool:
        return self.settings.integrator == "implicit"

    def _carried(self, system: System, p: np.ndarray, begin: float, y: np.ndarray) -> tuple[np.ndarray, str]:
        """One design through time."""
        own = replace(system, given=system.given | {"p": p})
        loop = TimeLoop(own, self.settings, begin, y, self.times, self.ends)
        status = loop.begin()
        while status == UNFINISHED:
            status = loop.advance(100_000)
        return loop.outputs, ENDS[status]

    def _started(
        self, p: np.ndarray, begin: float, start: Mapping[str, Any], rates: Mapping[str, Any]
    ) -> tuple[np.ndarray, np.ndarray]:
        """Closed positions and consistent rates of all designs: the held values as drives that pass through them."""
        plan = self._locked(begin, start, rates)
        led = Led(plan)
        sweep = Sweep(led, np.array([begin]), plan.assembly.on(led.equations), 0.0, False)
        q = sweep.assembled(p)
        v, *_ = led.rates.batch(np.array([begin]), np.zeros(0), q, p)
        return q, v

    def _locked(self, begin: float, start: Mapping[str, Any], rates: Mapping[str, Any]) -> Plan:
        motions = self.looping.motions
        mechanism = motions.plan.mechanism
        joints = {pair.name for pair in mechanism.pairs}
        if other := [name for name in start if name not in joints]:
            what = f"it names '{other[0]}'."
            raise refused(
                mechanism, "start", what, "For many designs hold joints, as many as there are freedoms."
            )
        if len(start) > motions.plan.mobility:
            what = f"it holds {len(start)} joints, for {motions.plan.mobility} freedoms."
            raise refused(
                mechanism, "start", what, "For many designs hold as many joints as there are freedoms."
            )
        if unheld := [joint for joint in rates if joint not in start]:
            what = f"there is one for '{unheld[0]}', which is not in `start`."
            raise refused(
                mechanism, "rates", what, "For many designs give the rates of the joints that are held."
            )
        held = [self._passing(joint, value, rates.get(joint), begin) for joint, value in start.items()]
        locked = mechanism.replace(drives=(*mechanism.drives, *held), actuators=())
        near = {name: tuple(q) for name, q in motions.plan.assembly.coordinates().items() if len(q)}
        return plan_at(chosen_closure(locked, {}, near, begin), motions.plan.cuts)

    def _passing(self, joint: str, value: Any, rate: Any, begin: float) -> Motion:
        """A Motion through a held value with a given rate."""
        mechanism = self.looping.motions.plan.mechanism
        names = mechanism.joint(joint).components(mechanism.planar)
        values, speeds = np.atleast_1d(value), np.atleast_1d(0.0 if rate is None else rate)
        profiles = [float(q) + float(w) * (time - begin) for q, w in zip(values, speeds, strict=True)]
        return (
            Motion(joint, profiles[0])
            if len(names) == 1
            else Motion(joint, **dict(zip(names, profiles, strict=True)))
        )
