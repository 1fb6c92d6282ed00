"""Known efforts over time: numbers, expressions, efforts of other analyses, actuators and controllers, with their
limits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from multiloop.analyses.errors import analysis_error
from multiloop.analyses.results import Result, effort_name
from multiloop.analyses.signals.controllers import Controller, PythonController, SampledController, Sampler
from multiloop.analyses.signals.effort_inputs import (
    CommandedEffort,
    Curve,
    EffortFunction,
    JointEffort,
    curve_through,
    effort_error,
    profile_corners,
    varies_in_time,
)
from multiloop.dynamics.outputs import output_entry, state_entry, traced_outputs
from multiloop.kernels.runtime import StateLayout
from multiloop.kinematics import Equations, loads_with_length, traced_lengths
from multiloop.kinematics.tree import coordinate_index
from multiloop.model import (
    Expression,
    Mechanism,
    ResultWarning,
    SolveError,
    overshoot_warnings,
    short_repr,
    suggestion,
)
from multiloop.model.expressions import (
    IntegralValue,
    Length,
    LengthRate,
    NormalForce,
    OutputValue,
    Position,
    Rate,
    evaluate,
    joints_of,
    nodes_of,
)
from multiloop.model.expressions.expression import finite_number


def require_values(
    equations: Equations,
    sources: Mapping[str, Any],
    t: float,
    state: Mapping[str, np.ndarray],
    p: np.ndarray,
) -> None:
    """Raise an error, with name and reason, for the first known effort that is undefined at a time and state.

    `sources` maps names of efforts to numbers, expressions, curves or functions of time; `state` contains the
    coordinates "q", the rates "v" and the further state variables "x".
    """
    skeleton = equations.skeleton
    mechanism, values = skeleton.mechanism, dict(zip(skeleton.parameter_names, p, strict=True))

    def span(load: str) -> tuple[float, float]:
        lengths, rates = traced_lengths(equations)(q=state["q"], v=state["v"], p=p)
        k = loads_with_length(skeleton).index(load)
        return float(lengths[k]), float(rates[k])

    readers: dict[str, Any] = {
        "position": lambda joint, k: float(state["q"][skeleton.link_of_joint[joint].q.start + k]),
        "rate": lambda joint, k: float(state["v"][skeleton.link_of_joint[joint].v.start + k]),
        "integral": lambda integral: float(state["x"][skeleton.states.index(integral)]),
        "span": span,
        "output": lambda name: float(np.ravel(traced_outputs(equations, [name])(**state, t=t, p=p)[0])[0]),
    }
    for where, part in _effort_expressions(sources):
        try:
            evaluate(part, time=t, parameters=values, **readers)
        except ValueError as problem:
            reason = str(problem).partition(". Give")[0].rstrip(".") + "."
            raise undefined_value_error(mechanism, where, t, reason) from None


def _effort_expressions(sources: Mapping[str, Any]) -> Iterator[tuple[str, Expression]]:
    """The expressions in the known efforts `sources`, each preceded by a text that identifies it in error messages."""
    for name, source in sources.items():
        if isinstance(source, Expression):
            yield f"effort at '{name}'", source
        elif isinstance(source, CommandedEffort):
            yield f"effort at '{name}'", source.expression
            yield from source.desired_values


def undefined_value_error(mechanism: Mechanism, where: str, t: float, reason: str) -> SolveError:
    """The error for a value that is undefined at time t; `where` is the name of the value."""
    what = f"is undefined at t = {t:.6g} s: {reason}"
    return analysis_error(mechanism, "S03", where, what, "Check the domain of the expression.", time=t)


def effort_sources(equations: Equations, efforts: Mapping[str, Any] | None) -> dict[str, Any]:
    """Known efforts by joint (or "joint.component"): numbers, expressions, curves, or functions of time.

    The `efforts` replace the effort in the description of an actuator along the same coordinate.
    """
    mechanism = equations.skeleton.mechanism
    own = {
        effort_name(actuator.joint, actuator.component): actuator.effort
        for actuator in mechanism.actuators
        if actuator.effort is not None
    }
    found: dict[int, tuple[str, Any]] = {}
    for name, value in own.items():
        found[effort_place(equations, name)] = (name, _effort_source(equations, name, value))
    taken: dict[int, str] = {}
    for name, value in (efforts or {}).items():
        place = effort_place(equations, name)
        if place in taken:
            raise effort_error(mechanism, name, f"is given twice, as '{taken[place]}' too.", "Give it once.")
        require_undriven(equations, name, place)
        taken[place] = name
        found[place] = (name, _effort_source(equations, name, value))
    return dict(found.values())


def require_undriven(equations: Equations, name: str, place: int) -> None:
    """Raise an error if a drive prescribes the rate with index `place`, along which the effort `name` would act."""
    if place in equations.driven_rates:
        what = "a drive prescribes the motion of this coordinate."
        remedy = "Omit this effort: the effort of the drive is computed."
        raise effort_error(equations.skeleton.mechanism, name, what, remedy)


def joints_in_efforts(mechanism: Mechanism, efforts: Mapping[str, Any] | None = None) -> list[str]:
    """Names of the joints at which efforts act, or on which efforts, limits or integrals depend.

    These joints must belong to the spanning tree and cannot be cut.
    """
    found = []
    acting = [(actuator.joint, actuator.effort) for actuator in mechanism.actuators]
    limits = [
        (one.joint, limit) for one in mechanism.actuators for limit in (*(one.limits or ()), one.speed_limit)
    ]
    for name, value in (*(efforts or {}).items(), *acting, *limits):
        found.append(name.partition(".")[0])
        if isinstance(value, Expression):
            found += list(joints_of(value))
        elif isinstance(value, CommandedEffort):
            found += value.joints
    return found + [joint for integral in mechanism.integrals for joint in joints_of(integral.of)]


def effort_place(equations: Equations, name: str) -> int:
    """Index, in the rates of the spanning tree, of the rate along which the effort `name` acts.

    `name` is "joint", or "joint.component" if the joint has several coordinates. An error is raised for a joint that is
    unknown or cut.
    """
    skeleton = equations.skeleton
    mechanism = skeleton.mechanism
    joint, _, component = name.partition(".")
    if joint not in skeleton.link_of_joint:
        raise effort_error(mechanism, name, *_missing_joint(equations, joint))
    names = skeleton.link_of_joint[joint].joint.components(skeleton.planar)
    if component == "" and len(names) != 1:
        example = f"{joint}.{names[0]}" if names else joint
        raise effort_error(
            mechanism, name, f"the joint has {len(names)} coordinates.", f"Name one, e.g. '{example}'."
        )
    if component and component not in names:
        raise effort_error(
            mechanism, name, f"there is no component '{component}'.", suggestion(component, names)
        )
    return coordinate_index(skeleton, joint, component or names[0])


def _missing_joint(equations: Equations, joint: str) -> tuple[str, str]:
    """Texts of error and remedy for a joint that does not belong to the spanning tree."""
    skeleton = equations.skeleton
    if joint in {pair.name for pair in skeleton.mechanism.binary_joints}:
        return f"joint '{joint}' is a cut joint.", "Choose other cut joints with `cuts=`."
    return "there is no such joint.", suggestion(joint, [link.joint.name for link in skeleton.links])


def _effort_source(equations: Equations, name: str, value: Any) -> Any:
    """The effort `value` as a number, an expression, a smooth curve (for a Result), or a function of time."""
    mechanism = equations.skeleton.mechanism
    if isinstance(value, Result):
        own, span = value.mechanism, (float(value.time[0]), float(value.time[-1]))
        return curve_through(mechanism, name, value, profile_corners(own, *span, own.parameters))
    if isinstance(value, Curve):
        return value
    if isinstance(value, EffortFunction):
        return JointEffort(value, name)
    if isinstance(value, CommandedEffort):
        require_readable(equations, f"effort at '{name}'", value.expression)
        return value
    if isinstance(value, Expression):
        require_readable(equations, f"effort at '{name}'", value)
        return value
    if (number := finite_number(value)) is not None:
        return number
    raise effort_error(
        mechanism, name, f"is {short_repr(value)}.", "Give a number, an expression or a Result."
    )


def require_readable(equations: Equations, where: str, value: Expression) -> None:
    """Raise an error if an expression reads a joint, coordinate, integral or spring that does not exist."""
    skeleton = equations.skeleton
    integrals = [integral.name for integral in skeleton.mechanism.integrals]
    springs = loads_with_length(skeleton)
    for node in nodes_of(value):
        if isinstance(node, IntegralValue) and node.integral not in integrals:
            what = f"it reads the integral '{node.integral}', which does not exist."
            remedy = suggestion(node.integral, integrals) if integrals else "List it in `integrals`."
            raise analysis_error(skeleton.mechanism, "S03", where, what, remedy)
        if isinstance(node, Length | LengthRate) and node.spring not in springs:
            what = f"it reads the length of '{node.spring}', but there is no such spring."
            raise analysis_error(skeleton.mechanism, "S03", where, what, suggestion(node.spring, springs))
        if isinstance(node, OutputValue):
            (output_entry if where.startswith("event") else state_entry)(equations, node.output)
        if isinstance(node, NormalForce):
            _require_contact(skeleton.mechanism, where, node.pair)
        if not isinstance(node, Position | Rate):
            continue
        link = skeleton.link_of_joint.get(node.joint)
        if link is None:
            what, remedy = _missing_joint(equations, node.joint)
            raise analysis_error(skeleton.mechanism, "S03", where, f"it reads '{node.joint}': {what}", remedy)
        place = link.q if isinstance(node, Position) else link.v
        count = place.stop - place.start
        if not 0 <= node.component < count:
            what = (
                f"it reads coordinate {node.component} of '{node.joint}', which has {count}, counted from 0."
            )
            raise analysis_error(skeleton.mechanism, "S03", where, what, "Read an existing coordinate.")


def _require_contact(mechanism: Mechanism, where: str, name: str) -> None:
    """Raise an error for an expression that reads the normal force of the pair `name` if the expression does not define
    an event, or if the pair has no contact."""
    touching = [pair.name for pair in mechanism.marker_pairs if pair.touches]
    if not where.startswith("event"):
        what = f"it reads the normal force of '{name}', which is allowed in events only."
        raise analysis_error(
            mechanism, "S03", where, what, 'Define an event: events={"parts": ml.normal(...)}.'
        )
    if name not in touching:
        what = f"it reads the normal force of '{name}', but there is no such contact."
        remedy = suggestion(name, touching) if touching else "List a Cam in `pairs`."
        raise analysis_error(mechanism, "S03", where, what, remedy)


@dataclass(frozen=True, eq=False)
class KnownEfforts:
    """The known efforts of one run, from the description, the user and a controller.

    `at` is (t, y), the time and state at the start, with which a controller is called for the first time. With a
    `sample` time (s) the efforts of the controller are constant between samples, and take effect `delay` samples later.
    """

    equations: Equations
    efforts: Mapping[str, Any] | None = None
    controller: Controller | Sampler | None = None
    at: tuple[float, np.ndarray] | None = None
    sample: float = 0.0
    delay: int = 0

    @property
    def mechanism(self) -> Mechanism:
        """The mechanism on which the efforts act."""
        return self.equations.skeleton.mechanism

    @cached_property
    def layout(self) -> StateLayout:
        """The index ranges of coordinates, rates, further states and work in the state vector y of a run."""
        return StateLayout.of(self.equations.skeleton)

    @cached_property
    def sources(self) -> dict[str, Any]:
        """Known efforts by name, without those of a controller: numbers, expressions, curves, or functions of time.

        The effort of a controller replaces the effort in the description of an actuator.
        """
        taken: dict[int, str] = {}
        for name in self.controlled:
            place = effort_place(self.equations, name)
            require_undriven(self.equations, name, place)
            if place in taken:
                what = f"returns efforts for '{name}' and '{taken[place]}', which are the same coordinate."
                raise analysis_error(self.mechanism, "S03", "control", what, "Return one of them.")
            taken[place] = name
        for name in self.efforts or {}:
            place = effort_place(self.equations, name)
            if place in taken:
                what = f"gives an effort at '{taken[place]}', and so do the `efforts`."
                raise analysis_error(
                    self.mechanism,
                    "S03",
                    "control",
                    what,
                    "Give this effort in `control` or in `efforts`, not in both.",
                )
        known = effort_sources(self.equations, self.efforts)
        return {name: f for name, f in known.items() if effort_place(self.equations, name) not in taken}

    @cached_property
    def functions(self) -> dict[str, Callable[[float], float]]:
        """Efforts that are computed by Python functions of time, by name."""
        return {n: f for n, f in self.sources.items() if callable(f) and not isinstance(f, Curve)}

    @cached_property
    def commanded(self) -> dict[str, CommandedEffort]:
        """Efforts of control laws with inverse dynamics, by name."""
        return {name: f for name, f in self.sources.items() if isinstance(f, CommandedEffort)}

    @property
    def python_efforts(self) -> tuple[str, ...]:
        """Names of the efforts that are computed by Python functions of time."""
        return tuple(self.functions)

    @cached_property
    def _control(self) -> Sampler | None:
        if self.controller is None or isinstance(self.controller, Sampler):
            return self.controller
        t, y = self.at or (0.0, self.layout.pack(q=self.equations.skeleton.neutral_position))
        return PythonController(self.equations, self.layout, self.controller, t, y)

    @property
    def controlled(self) -> tuple[str, ...]:
        """Names of the efforts that the controller returns."""
        return () if self._control is None else self._control.names

    @cached_property
    def control(self) -> Callable[[float, np.ndarray], list[float]] | None:
        """The function of time t and state vector y that returns all efforts computed by Python; None if there are
        none."""
        control = self._control
        if not self.functions and control is None:
            return None

        def held(t: float, y: np.ndarray) -> list[float]:
            given = [] if control is None else control.efforts(t, y)
            return [*(float(function(t)) for function in self.functions.values()), *given]

        return SampledController(held, self.sample, self.delay) if self.sample else held

    @cached_property
    def varies_in_time(self) -> bool:
        """Whether an effort may change over time while all coordinates are constant."""
        return self.controller is not None or varies_in_time(self.mechanism, self.sources)

    @property
    def warnings(self) -> list[ResultWarning]:
        """Warnings about tables in efforts whose interpolation overshoots the tabulated values."""
        expressions = [(name, f) for name, f in self.sources.items() if isinstance(f, Expression)]
        return [one for name, f in expressions for one in overshoot_warnings("the effort at", name, f)]

    def require_covered(self, begin: float, until: float) -> None:
        """Raise an error if the curve of an effort does not cover the time span from `begin` to `until`."""
        for curve in self.sources.values():
            if isinstance(curve, Curve):
                curve.require_covered(begin)
                curve.require_covered(until)
