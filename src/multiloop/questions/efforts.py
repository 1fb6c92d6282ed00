"""Known efforts over time: numbers, expressions of time and state, or the efforts found by another question."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from scipy.interpolate import CubicSpline, PPoly

from multiloop.kinematics.equations import Equations
from multiloop.kinematics.targets import coordinate_index
from multiloop.model import Expression, Fault, Mechanism, SolveError, suggestion
from multiloop.model.expressions import evaluate, joints_of
from multiloop.questions.result import Result


@runtime_checkable
class Exact(Protocol):
    """Efforts that are worked out at every time asked for."""

    def effort(self, joint: str, t: float) -> float:
        """The effort at a joint at time t."""


@dataclass(frozen=True, eq=False)
class Curve:
    """A piecewise polynomial of time, breaks and coefficients as SciPy's PPoly; beyond its times there is none."""

    mechanism: Mechanism
    name: str
    breaks: np.ndarray
    coefficients: np.ndarray

    def __call__(self, t: float) -> float:
        self.require_covered(t)
        inside = min(max(t, float(self.breaks[0])), float(self.breaks[-1]))
        return float(PPoly(self.coefficients, self.breaks)(inside))

    def require_covered(self, t: float) -> None:
        """Refuse a time outside."""
        begin, end = float(self.breaks[0]), float(self.breaks[-1])
        slack = 1e-9 * max(1.0, abs(end))
        if not begin - slack <= t <= end + slack:
            what = f"the Result covers {begin:g} to {end:g} s, asked at {t:g} s."
            fault = Fault(
                "S03", f"effort at '{self.name}'", what, "Ask the inverse question for all of the time."
            )
            raise SolveError(f"mechanism '{self.mechanism.name}'", [fault], time=t)


Forces = Callable[[float, np.ndarray, np.ndarray], np.ndarray]
"""(t, q, v) → forces along all rates of the tree."""


def known_efforts(equations: Equations, efforts: Mapping[str, Any] | None) -> Forces:
    """Forces along the rates from the actuators' known efforts and the `efforts` given by joint name."""
    skeleton = equations.skeleton
    mechanism = skeleton.mechanism
    given = effort_sources(mechanism, efforts)
    sources = [(effort_place(equations, name), source) for name, source in given.items()]
    values = mechanism.parameters
    limits = {effort_place(equations, joint): limit for joint, limit in effort_limits(mechanism).items()}

    def forces(t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        tau = np.zeros(skeleton.rates)

        def position(joint: str, component: int = 0) -> float:
            return float(q[skeleton.carrier[joint].q.start + component])

        def rate(joint: str, component: int = 0) -> float:
            return float(v[skeleton.carrier[joint].v.start + component])

        for place, source in sources:
            if isinstance(source, Expression):
                effort = float(evaluate(source, time=t, position=position, rate=rate, parameters=values))
            else:
                effort = float(source(t)) if callable(source) else float(source)
            tau[place] += np.clip(effort, -limits.get(place, np.inf), limits.get(place, np.inf))
        return tau

    return forces


def effort_sources(mechanism: Mechanism, efforts: Mapping[str, Any] | None) -> dict[str, Any]:
    """Known efforts by joint (or "joint.component"): numbers, expressions, curves, or functions of time."""
    given: dict[str, Any] = {
        actuator.joint
        if not actuator.component
        else f"{actuator.joint}.{actuator.component}": actuator.effort
        for actuator in mechanism.actuators
        if actuator.effort is not None
    } | dict(efforts or {})
    return {name: _source(mechanism, name, value) for name, value in given.items()}


def effort_limits(mechanism: Mechanism) -> dict[str, float]:
    """The actuators that are limited, by joint (or "joint.component"), with their limits."""
    return {
        actuator.joint if not actuator.component else f"{actuator.joint}.{actuator.component}": float(
            evaluate(actuator.limit, parameters=mechanism.parameters)
        )
        for actuator in mechanism.actuators
        if actuator.limit is not None
    }


def joints_in(mechanism: Mechanism, efforts: Mapping[str, Any] | None = None) -> list[str]:
    """Joints that efforts, given or of actuators, act at or read: they should stay in the tree."""
    found = []
    acting = [(actuator.joint, actuator.effort) for actuator in mechanism.actuators]
    for name, value in (*(efforts or {}).items(), *acting):
        found.append(name.partition(".")[0])
        if isinstance(value, Expression):
            found += list(joints_of(value))
    return found


def effort_place(equations: Equations, name: str) -> int:
    """The rate along which an effort acts; a joint that is cut, unknown or of several coordinates is refused."""
    skeleton = equations.skeleton
    joint, _, component = name.partition(".")
    if joint not in skeleton.carrier:
        known = [link.joint.name for link in skeleton.links]
        exists = joint in {pair.name for pair in skeleton.mechanism.pairs}
        what = "its joint is cut." if exists else "there is no such joint."
        remedy = "Give other cuts with `cuts=`." if exists else suggestion(joint, known)
        fault = Fault("S03", f"effort at '{name}'", what, remedy)
        raise SolveError(f"mechanism '{skeleton.mechanism.name}'", [fault])
    names = skeleton.carrier[joint].joint.components(skeleton.planar)
    if component == "" and len(names) != 1:
        example = f"{joint}.{names[0]}" if names else joint
        fault = Fault(
            "S03",
            f"effort at '{name}'",
            f"the joint has {len(names)} coordinates.",
            f"Name one, e.g. '{example}'.",
        )
        raise SolveError(f"mechanism '{skeleton.mechanism.name}'", [fault])
    if component and component not in names:
        fault = Fault(
            "S03",
            f"effort at '{name}'",
            f"there is no component '{component}'.",
            suggestion(component, names),
        )
        raise SolveError(f"mechanism '{skeleton.mechanism.name}'", [fault])
    return coordinate_index(skeleton, joint, component or names[0])


def _source(mechanism: Mechanism, name: str, value: Any) -> Any:
    """A number, an expression, or a smooth curve through the efforts of a Result."""
    if isinstance(value, Result):
        return _curve(mechanism, name, value)
    if isinstance(value, Exact):
        return lambda t: value.effort(name.partition(".")[0], t)
    if isinstance(value, Expression) or (isinstance(value, int | float | np.number) and np.isfinite(value)):
        return value
    fault = Fault("S03", f"effort at '{name}'", f"is {value!r}.", "Give a number, an expression or a Result.")
    raise SolveError(f"mechanism '{mechanism.name}'", [fault])


def _curve(mechanism: Mechanism, name: str, result: Result) -> Curve:
    """A smooth curve through the efforts of a Result."""
    joint, _, component = name.partition(".")
    effort = result[joint].effort
    if effort.ndim == 2:
        effort = effort[:, mechanism.joint(joint).components(mechanism.planar).index(component)]
    spline = CubicSpline(result.time, effort)
    return Curve(mechanism, name, spline.x, spline.c)
