"""Controllers written in Python: called with the state, they return efforts by joint name, always for the same
joints.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, Protocol, runtime_checkable

import numpy as np

from multiloop.kernels.state_layout import StateLayout
from multiloop.kinematics.equations import Equations
from multiloop.model import SolveError
from multiloop.model.brief import brief
from multiloop.model.expressions.expression import finite_number
from multiloop.questions.refusal import refusal
from multiloop.questions.signals.controller_view import Sight

Controller = Callable[..., Mapping[str, float]]
"""(t, positions, rates) by joint name, or also integrals by name → efforts by joint name."""

TOLD = ("t", "positions", "rates", "integrals")
"""Arguments of a controller; the last is omitted if the controller does not take it."""


def told_of(controller: Controller) -> int:
    """How many of these arguments a controller takes, 3 or 4; 0 if it takes neither number."""
    if not callable(controller):
        return 0
    try:
        signature = inspect.signature(controller)
    except ValueError:  # a function without a signature
        return 3
    for count in (3, 4):
        try:
            signature.bind(*TOLD[:count])
        except TypeError:
            continue
        return count
    return 0


@runtime_checkable
class Sampler(Protocol):
    """An object that computes efforts: their `names`, and their values in a state."""

    names: tuple[str, ...]

    def efforts(self, t: float, y: np.ndarray) -> list[float]:
        """The efforts in the order of `names`."""


class Control:
    """One controller of one mechanism; `names` are the efforts of its first call."""

    def __init__(
        self, equations: Equations, layout: StateLayout, controller: Controller, t: float, y: np.ndarray
    ) -> None:
        """Call the controller for the first time, in the state y at t."""
        self.equations, self.layout, self.controller = equations, layout, controller
        self._sight, self._told = Sight(equations), told_of(controller)
        first = self._answer(t, y)
        self.names = tuple(first)
        for name, effort in first.items():
            self._number(name, effort, t)

    def efforts(self, t: float, y: np.ndarray) -> list[float]:
        """Its efforts in a state, in the order of `names`."""
        given = self._answer(t, y)
        if set(given) != set(self.names):
            names, first = (", ".join(found) or "nothing" for found in (given, self.names))
            what = f"answered for {names} at t = {t:g} s, for {first} at first."
            raise self.refused(what, "Let it give the same efforts every time, 0 where there is none.")
        return [self._number(name, given[name], t) for name in self.names]

    def _answer(self, t: float, y: np.ndarray) -> Mapping[str, float]:
        q, v, x = (y[self.layout[block]] for block in ("q", "v", "x"))
        integrals = dict(zip(self.equations.skeleton.states, x.tolist(), strict=True))
        found = self.controller(*(t, *self._sight.at(q, v), integrals)[: self._told])
        if not isinstance(found, Mapping):
            raise self.refused(f"answered {brief(found)} at t = {t:g} s.", 'Let it return {"joint": effort}.')
        for name in found:
            if not isinstance(name, str):
                what = f"answered {brief(found)} at t = {t:g} s, where {brief(name)} is no name of a joint."
                raise self.refused(what, 'Let it return {"joint": effort}.')
        return found

    def _number(self, name: str, effort: Any, t: float) -> float:
        """An effort of the controller as a number."""
        number = finite_number(effort)
        if number is None:
            what = f"answered {brief(effort)} for '{name}' at t = {t:g} s."
            raise self.refused(what, "Let it give finite numbers.")
        return number

    def refused(self, what: str, remedy: str) -> SolveError:
        """The error for an invalid return value."""
        return refusal(self.equations.skeleton.mechanism, "S03", "control", what, remedy)


class Delayed:
    """A controller whose efforts take effect some samples later; until then its first efforts apply."""

    def __init__(self, ask: Callable[[float, np.ndarray], list[float]], samples: int) -> None:
        self._ask, self._samples = ask, samples
        self._answers: list[list[float]] = []
        self._last = -np.inf

    def __call__(self, t: float, y: np.ndarray) -> list[float]:
        """The efforts in effect at a sample; a repeated call at the same time returns the same."""
        if t > self._last:
            self._answers.append(self._ask(t, y))
            self._answers = self._answers[-1 - self._samples :]
            self._last = t
        return self._answers[0]
