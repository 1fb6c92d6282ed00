"""Controllers written in Python: the joint values passed to them, and the efforts that they return.

A controller is called with the time, positions and rates of all joints by name, and optionally integrals. Coordinates
of cut joints are computed only when the controller reads them. A controller must return efforts for the same joints at
every call.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol, runtime_checkable

import numpy as np

from multiloop.analyses.errors import analysis_error
from multiloop.kernels.runtime import StateLayout
from multiloop.kinematics import Equations, joint_coordinates, joint_motion
from multiloop.model import SolveError, UnknownNameError, short_repr, suggestion
from multiloop.model.expressions.expression import finite_number

Values = Mapping[str, np.ndarray]


class JointReader:
    """Reads positions and rates of all joints from the state of a mechanism.

    The angles of cut joints are continuous from one evaluation to the next.
    """

    def __init__(self, equations: Equations) -> None:
        self.equations = equations
        self.p = np.array(list(equations.skeleton.mechanism.parameters.values()))
        self._last: Values | None = None

    def at(self, q: np.ndarray, v: np.ndarray) -> tuple[JointValues, JointValues]:
        """Positions and rates of all joints by name, for coordinates q and rates v of the spanning tree."""
        q, v = np.array(q), np.array(v)
        links, mechanism = self.equations.skeleton.links, self.equations.skeleton.mechanism
        names = tuple(joint.name for joint in mechanism.binary_joints)
        positions = {link.joint.name: q[link.q] for link in links}
        rates = {link.joint.name: v[link.v] for link in links}
        return (
            JointValues(mechanism.name, names, positions, lambda: self._positions(q)),
            JointValues(mechanism.name, names, rates, lambda: self._rates(q, v)),
        )

    def _positions(self, q: np.ndarray) -> Values:
        self._last = joint_coordinates(self.equations, q, self.p, self._last)
        return self._last

    def _rates(self, q: np.ndarray, v: np.ndarray) -> Values:
        return joint_motion(self.equations, q, v, np.zeros_like(v), self.p)[0]


class JointValues(Mapping[str, Any]):
    """Mapping of joint names to values; the function `others` computes the values of all joints when a value is
    requested that `known` does not contain."""

    def __init__(
        self, mechanism: str, names: tuple[str, ...], known: Values, others: Callable[[], Values]
    ) -> None:
        self._mechanism, self._names, self._known, self._others = mechanism, names, known, others

    def __getitem__(self, joint: str) -> Any:
        if joint not in self._names:
            raise UnknownNameError(self._mechanism, "joint", joint, suggestion(joint, self._names))
        if joint not in self._known:
            self._known = self._others()
        value = self._known[joint]
        return float(value[0]) if len(value) == 1 else value

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return repr(dict(self))


Controller = Callable[..., Mapping[str, float]]
"""A function (t, positions, rates) or (t, positions, rates, integrals) that returns efforts by joint name.

Positions and rates are mappings by joint name, integrals by the name of the integral."""

SAMPLE_ROUND_OFF = 2e-12
"""Largest time by which a sampling instant may be later than the current time and still count as reached, as a fraction
of the elapsed time; at the start, as a fraction of the sampling period."""

CONTROLLER_ARGUMENTS = ("t", "positions", "rates", "integrals")
"""Names of the arguments with which a controller is called; "integrals" is omitted for a controller that
accepts three arguments."""


def argument_count(controller: Controller) -> int:
    """Number of arguments that a controller accepts, 3 (t, positions, rates) or 4 (also integrals); 0 if neither."""
    if not callable(controller):
        return 0
    try:
        signature = inspect.signature(controller)
    except ValueError:  # `inspect` finds no signature, as for some functions written in C
        return 3
    for count in (3, 4):
        try:
            signature.bind(*CONTROLLER_ARGUMENTS[:count])
        except TypeError:
            continue
        return count
    return 0


@runtime_checkable
class Sampler(Protocol):
    """An object that computes efforts from time and state; `names` are the names of the efforts."""

    names: tuple[str, ...]

    def efforts(self, t: float, y: np.ndarray) -> list[float]:
        """The efforts at time t and state y, in the order of `names`."""


class PythonController:
    """A controller written in Python for one mechanism; `names` are the efforts that its first call returned."""

    def __init__(
        self, equations: Equations, layout: StateLayout, controller: Controller, t: float, y: np.ndarray
    ) -> None:
        """Call the controller for the first time, with the state y at time t."""
        self.equations, self.layout, self.controller = equations, layout, controller
        self._sight, self._told = JointReader(equations), argument_count(controller)
        first = self._answer(t, y)
        self.names = tuple(first)
        for name, effort in first.items():
            self._number(name, effort, t)

    def efforts(self, t: float, y: np.ndarray) -> list[float]:
        """The efforts of the controller at time t and state y, in the order of `names`."""
        given = self._answer(t, y)
        if set(given) != set(self.names):
            names, first = (", ".join(found) or "nothing" for found in (given, self.names))
            what = f"returned efforts for {names} at t = {t:g} s, but for {first} at first."
            raise self.controller_error(
                what, "Return the same joints at every call, with effort 0 where none acts."
            )
        return [self._number(name, given[name], t) for name in self.names]

    def _answer(self, t: float, y: np.ndarray) -> Mapping[str, float]:
        q, v, x = (y[self.layout[block]] for block in ("q", "v", "x"))
        integrals = dict(zip(self.equations.skeleton.states, x.tolist(), strict=True))
        found = self.controller(*(t, *self._sight.at(q, v), integrals)[: self._told])
        if not isinstance(found, Mapping):
            raise self.controller_error(
                f"returned {short_repr(found)} at t = {t:g} s.", 'Return {"joint": effort}.'
            )
        for name in found:
            if not isinstance(name, str):
                what = (
                    f"returned {short_repr(found)} at t = {t:g} s, where {short_repr(name)} is not the "
                    "name of a joint."
                )
                raise self.controller_error(what, 'Return {"joint": effort}.')
        return found

    def _number(self, name: str, effort: Any, t: float) -> float:
        """An effort returned by the controller as a float; an error is raised unless it is a finite number."""
        number = finite_number(effort)
        if number is None:
            what = f"returned {short_repr(effort)} for '{name}' at t = {t:g} s."
            raise self.controller_error(what, "Return finite numbers.")
        return number

    def controller_error(self, what: str, remedy: str) -> SolveError:
        """The error for an invalid return value of the controller."""
        return analysis_error(self.equations.skeleton.mechanism, "S03", "control", what, remedy)


class SampledController:
    """A controller whose efforts are computed at the sampling instants and take effect `delay` samples later.

    The efforts of the first sample are applied from the start, without delay. Between two sampling instants the efforts
    do not change, even if they are requested again there, for example after an impact.
    """

    def __init__(
        self, ask: Callable[[float, np.ndarray], list[float]], sample: float, delay: int = 0
    ) -> None:
        self._ask, self._sample, self._delay = ask, sample, delay
        self._answers: list[list[float]] = []
        self._last = -np.inf

    def __call__(self, t: float, y: np.ndarray) -> list[float]:
        """The efforts in effect at time t; t must not precede the last sampling instant."""
        elapsed = t / self._sample
        index = float(np.floor(elapsed + SAMPLE_ROUND_OFF * max(1.0, abs(elapsed))))
        if index > self._last:
            self._answers.append(self._ask(t, y))
            self._answers = self._answers[-1 - self._delay :]
            self._last = index
        return self._answers[0]
