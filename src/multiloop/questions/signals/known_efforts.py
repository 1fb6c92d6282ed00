"""Known efforts of one run and their sources: numbers, expressions, other analyses, actuators, a controller."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from multiloop.kernels.state_layout import StateLayout
from multiloop.kinematics.equations import Equations
from multiloop.model import Expression, Mechanism
from multiloop.model.sources import swung_out
from multiloop.questions.refusal import refusal
from multiloop.questions.signals.commanded import Commanded
from multiloop.questions.signals.controllers import Control, Controller, Delayed, Sampler
from multiloop.questions.signals.corners import unsteady
from multiloop.questions.signals.curves import Curve
from multiloop.questions.signals.efforts import effort_place, effort_sources, require_free


@dataclass(frozen=True, eq=False)
class KnownEfforts:
    """The efforts of one run by name; `at` is (t, y) at the start, where a controller is called for the first time.

    Its efforts take effect `delay` samples later.
    """

    equations: Equations
    efforts: Mapping[str, Any] | None = None
    controller: Controller | Sampler | None = None
    at: tuple[float, np.ndarray] | None = None
    delay: int = 0

    @property
    def mechanism(self) -> Mechanism:
        """The mechanism on which the efforts act."""
        return self.equations.skeleton.mechanism

    @cached_property
    def layout(self) -> StateLayout:
        """The layout of the state of a run."""
        return StateLayout.of(self.equations.skeleton)

    @cached_property
    def sources(self) -> dict[str, Any]:
        """Known efforts by name: numbers, expressions, curves, or functions of time.

        A controller replaces an actuator's own effort.
        """
        taken: dict[int, str] = {}
        for name in self.controlled:
            place = effort_place(self.equations, name)
            require_free(self.equations, name, place)
            if place in taken:
                what = f"answers for '{name}' and '{taken[place]}', which are one."
                raise refusal(self.mechanism, "S03", "control", what, "Answer once.")
            taken[place] = name
        for name in self.efforts or {}:
            place = effort_place(self.equations, name)
            if place in taken:
                what = f"gives an effort at '{taken[place]}', and so do the `efforts`."
                raise refusal(self.mechanism, "S03", "control", what, "Give it in one of them.")
        known = effort_sources(self.equations, self.efforts)
        return {name: f for name, f in known.items() if effort_place(self.equations, name) not in taken}

    @cached_property
    def functions(self) -> dict[str, Callable[[float], float]]:
        """Efforts that Python computes at every time, by name."""
        return {n: f for n, f in self.sources.items() if callable(f) and not isinstance(f, Curve)}

    @cached_property
    def commanded(self) -> dict[str, Commanded]:
        """Efforts of control laws with inverse dynamics, by name."""
        return {name: f for name, f in self.sources.items() if isinstance(f, Commanded)}

    @property
    def exact(self) -> tuple[str, ...]:
        """Names of the efforts that Python computes at every time."""
        return tuple(self.functions)

    @cached_property
    def _control(self) -> Sampler | None:
        if self.controller is None or isinstance(self.controller, Sampler):
            return self.controller
        t, y = self.at or (0.0, self.layout.pack(q=self.equations.skeleton.neutral))
        return Control(self.equations, self.layout, self.controller, t, y)

    @property
    def controlled(self) -> tuple[str, ...]:
        """Names of the efforts that the controller gives."""
        return () if self._control is None else self._control.names

    @property
    def control(self) -> Callable[[float, np.ndarray], list[float]] | None:
        """The function u(t, y), or None if there is none."""
        control = self._control
        if not self.functions and control is None:
            return None

        def held(t: float, y: np.ndarray) -> list[float]:
            given = [] if control is None else control.efforts(t, y)
            return [*(float(function(t)) for function in self.functions.values()), *given]

        return Delayed(held, self.delay) if self.delay else held

    @property
    def unsteady(self) -> bool:
        """Whether an effort may change within a step although nothing moves."""
        return self.controller is not None or unsteady(self.mechanism, self.sources)

    @property
    def doubts(self) -> list[str]:
        """Warnings about the efforts: tables whose interpolation overshoots their points."""
        expressions = [(name, f) for name, f in self.sources.items() if isinstance(f, Expression)]
        return [said for name, f in expressions for said in swung_out(f"the effort at '{name}'", f)]

    def require_covered(self, begin: float, until: float) -> None:
        """Refuse curves that do not cover a time span."""
        for curve in self.sources.values():
            if isinstance(curve, Curve):
                curve.require_covered(begin)
                curve.require_covered(until)
