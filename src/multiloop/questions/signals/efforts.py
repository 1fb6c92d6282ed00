"""Known efforts: numbers, expressions of time and state, or efforts of another analysis; their places and limits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from multiloop.kinematics.equations import Equations
from multiloop.kinematics.spans import lengths_of, loads_with_length
from multiloop.kinematics.targets import coordinate_index
from multiloop.model import Expression, Mechanism, SolveError, suggestion
from multiloop.model.brief import brief
from multiloop.model.expressions import (
    Integrated,
    Length,
    LengthRate,
    Normal,
    Position,
    Rate,
    Scalar,
    evaluate,
    joints_of,
    nodes_of,
)
from multiloop.model.expressions.expression import finite_number
from multiloop.questions.answers.result import Result
from multiloop.questions.refusal import refusal
from multiloop.questions.signals.commanded import Commanded
from multiloop.questions.signals.corners import profile_corners
from multiloop.questions.signals.curves import Curve, Exact, Known, curve_through, refused_effort


def require_values(
    equations: Equations,
    sources: Mapping[str, Any],
    t: float,
    state: Mapping[str, np.ndarray],
    p: np.ndarray,
) -> None:
    """Refuse the first known effort that is undefined in a state, with its name and the reason."""
    skeleton = equations.skeleton
    mechanism, values = skeleton.mechanism, dict(zip(skeleton.names, p, strict=True))

    def span(load: str) -> tuple[float, float]:
        lengths, rates = lengths_of(equations)(q=state["q"], v=state["v"], p=p)
        k = loads_with_length(skeleton).index(load)
        return float(lengths[k]), float(rates[k])

    readers: dict[str, Any] = {
        "position": lambda joint, k: float(state["q"][skeleton.carrier[joint].q.start + k]),
        "rate": lambda joint, k: float(state["v"][skeleton.carrier[joint].v.start + k]),
        "integral": lambda integral: float(state["x"][skeleton.states.index(integral)]),
        "span": span,
    }
    for where, part in _parts(sources):
        try:
            evaluate(part, time=t, parameters=values, **readers)
        except ValueError as problem:
            reason = str(problem).partition(". Give")[0].rstrip(".") + "."
            raise valueless(mechanism, where, t, reason) from None


def _parts(sources: Mapping[str, Any]) -> Iterator[tuple[str, Expression]]:
    """The expressions in efforts, each with a description."""
    for name, source in sources.items():
        if isinstance(source, Expression):
            yield f"effort at '{name}'", source
        elif isinstance(source, Commanded):
            yield f"effort at '{name}'", source.own
            yield from source.wanted


def valueless(mechanism: Mechanism, where: str, t: float, reason: str) -> SolveError:
    """The error for an undefined value at a time."""
    what = f"has no value at t = {t:.6g} s: {reason}"
    return refusal(mechanism, "S03", where, what, "Look at its range.", time=t)


def effort_sources(equations: Equations, efforts: Mapping[str, Any] | None) -> dict[str, Any]:
    """Known efforts by joint (or "joint.component"): numbers, expressions, curves, or functions of time.

    Efforts given here replace an actuator's own effort along the same coordinate.
    """
    mechanism = equations.skeleton.mechanism
    own = {
        effort_name(actuator.joint, actuator.component): actuator.effort
        for actuator in mechanism.actuators
        if actuator.effort is not None
    }
    found: dict[int, tuple[str, Any]] = {}
    for name, value in own.items():
        found[effort_place(equations, name)] = (name, _source(equations, name, value))
    taken: dict[int, str] = {}
    for name, value in (efforts or {}).items():
        place = effort_place(equations, name)
        if place in taken:
            raise refused_effort(
                mechanism, name, f"is given twice, as '{taken[place]}' too.", "Give it once."
            )
        require_free(equations, name, place)
        taken[place] = name
        found[place] = (name, _source(equations, name, value))
    return dict(found.values())


def require_free(equations: Equations, name: str, place: int) -> None:
    """Refuse an effort along a rate that a drive prescribes."""
    if place in equations.driven:
        what, remedy = "its motion is prescribed.", "Leave it out: its drive gives what is needed."
        raise refused_effort(equations.skeleton.mechanism, name, what, remedy)


def effort_name(joint: str, component: str | None) -> str:
    """ "joint" or "joint.component"."""
    return f"{joint}.{component}" if component else joint


def effort_limits(result: Result) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """The limited actuators by joint (or "joint.component"): smallest and largest effort over time."""
    limits = described_limits(result.mechanism)
    return {
        name: (over_time(result, least), over_time(result, most)) for name, (least, most) in limits.items()
    }


def over_time(result: Result, value: Scalar) -> np.ndarray:
    """Values of an expression of parameters, time and state at the instants of a result."""
    mechanism = result.mechanism
    readers: dict[str, Any] = {
        "position": lambda joint, k: result[joint].position.reshape(len(result.time), -1)[:, k],
        "rate": lambda joint, k: result[joint].rate.reshape(len(result.time), -1)[:, k],
        "integral": lambda integral: result.integrals[integral],
        "span": lambda load: (result[load].length, result[load].length_rate),
    }
    found = evaluate(value, time=result.time, parameters=mechanism.parameters, **readers)
    return np.broadcast_to(found, result.time.shape)


def described_limits(mechanism: Mechanism) -> dict[str, tuple[Scalar, Scalar]]:
    """Limits as described: numbers, or expressions of parameters, time and state."""
    return {
        effort_name(actuator.joint, actuator.component): actuator.limits
        for actuator in mechanism.actuators
        if actuator.limits is not None
    }


def joints_in(mechanism: Mechanism, efforts: Mapping[str, Any] | None = None) -> list[str]:
    """Joints at which efforts act, or which efforts, limits or integrals read: these stay in the tree."""
    found = []
    acting = [(actuator.joint, actuator.effort) for actuator in mechanism.actuators]
    limits = [
        (one.joint, limit) for one in mechanism.actuators for limit in (*(one.limits or ()), one.speed_limit)
    ]
    for name, value in (*(efforts or {}).items(), *acting, *limits):
        found.append(name.partition(".")[0])
        if isinstance(value, Expression):
            found += list(joints_of(value))
        elif isinstance(value, Commanded):
            found += value.joints
    return found + [joint for integral in mechanism.integrals for joint in joints_of(integral.of)]


def effort_place(equations: Equations, name: str) -> int:
    """The index of the rate along which an effort acts.

    A joint that is cut, unknown or has several coordinates is refused.
    """
    skeleton = equations.skeleton
    mechanism = skeleton.mechanism
    joint, _, component = name.partition(".")
    if joint not in skeleton.carrier:
        raise refused_effort(mechanism, name, *_absent(equations, joint))
    names = skeleton.carrier[joint].joint.components(skeleton.planar)
    if component == "" and len(names) != 1:
        example = f"{joint}.{names[0]}" if names else joint
        raise refused_effort(
            mechanism, name, f"the joint has {len(names)} coordinates.", f"Name one, e.g. '{example}'."
        )
    if component and component not in names:
        raise refused_effort(
            mechanism, name, f"there is no component '{component}'.", suggestion(component, names)
        )
    return coordinate_index(skeleton, joint, component or names[0])


def _absent(equations: Equations, joint: str) -> tuple[str, str]:
    """Description and remedy for a joint that is not in the tree."""
    skeleton = equations.skeleton
    if joint in {pair.name for pair in skeleton.mechanism.binary_joints}:
        return f"joint '{joint}' is cut.", "Give other cuts with `cuts=`."
    return "there is no such joint.", suggestion(joint, [link.joint.name for link in skeleton.links])


def _source(equations: Equations, name: str, value: Any) -> Any:
    """A number, an expression, a smooth curve through the efforts of a Result, or a function of time."""
    mechanism = equations.skeleton.mechanism
    if isinstance(value, Result):
        own, span = value.mechanism, (float(value.time[0]), float(value.time[-1]))
        return curve_through(mechanism, name, value, profile_corners(own, *span, own.parameters))
    if isinstance(value, Curve):
        return value
    if isinstance(value, Exact):
        return Known(value, name)
    if isinstance(value, Commanded):
        require_readable(equations, f"effort at '{name}'", value.own)
        return value
    if isinstance(value, Expression):
        require_readable(equations, f"effort at '{name}'", value)
        return value
    if (number := finite_number(value)) is not None:
        return number
    raise refused_effort(mechanism, name, f"is {brief(value)}.", "Give a number, an expression or a Result.")


def require_readable(equations: Equations, where: str, value: Expression) -> None:
    """Refuse an expression that reads joints, coordinates, integrals or springs that do not exist."""
    skeleton = equations.skeleton
    integrals = [integral.name for integral in skeleton.mechanism.integrals]
    springs = loads_with_length(skeleton)
    for node in nodes_of(value):
        if isinstance(node, Integrated) and node.integral not in integrals:
            what = f"it reads the integral '{node.integral}', which is not there."
            remedy = suggestion(node.integral, integrals) if integrals else "List it in `integrals`."
            raise refusal(skeleton.mechanism, "S03", where, what, remedy)
        if isinstance(node, Length | LengthRate) and node.spring not in springs:
            what = f"it reads the length of '{node.spring}', but there is no such spring."
            raise refusal(skeleton.mechanism, "S03", where, what, suggestion(node.spring, springs))
        if isinstance(node, Normal):
            _require_contact(skeleton.mechanism, where, node.pair)
        if not isinstance(node, Position | Rate):
            continue
        link = skeleton.carrier.get(node.joint)
        if link is None:
            what, remedy = _absent(equations, node.joint)
            raise refusal(skeleton.mechanism, "S03", where, f"it reads '{node.joint}': {what}", remedy)
        place = link.q if isinstance(node, Position) else link.v
        count = place.stop - place.start
        if not 0 <= node.component < count:
            what = f"it reads coordinate {node.component} of '{node.joint}', which has {count}, from 0 on."
            raise refusal(skeleton.mechanism, "S03", where, what, "Read one that exists.")


def _require_contact(mechanism: Mechanism, where: str, name: str) -> None:
    """Refuse the normal force of a pair without contact, and its use outside of events."""
    touching = [pair.name for pair in mechanism.marker_pairs if pair.touches]
    if not where.startswith("event"):
        what = f"it reads the normal force of '{name}', which only events may."
        raise refusal(mechanism, "S03", where, what, 'Watch it: events={"parts": ml.normal(...)}.')
    if name not in touching:
        what = f"it reads the normal force of '{name}', but no such pair touches."
        remedy = suggestion(name, touching) if touching else "List a Cam in `pairs`."
        raise refusal(mechanism, "S03", where, what, remedy)
