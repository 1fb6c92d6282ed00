"""Times at which steps must end: corners at which a drive, an effort or a load is not smooth.

A step across a corner loses its order of accuracy, and may miss a short force that begins after a period of rest.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from multiloop.kinematics.targets import drive_profiles
from multiloop.model import Expression, Mechanism
from multiloop.model.expressions import Scalar, breakpoints, depends_on_time, derivative, lift, parameters_of
from multiloop.questions.signals.commanded import Commanded
from multiloop.questions.signals.curves import Curve, Known

LONGEST = 1 / 200
"""Largest part of a run that a step may take where efforts may change at times that no corner marks."""


def corners(
    mechanism: Mechanism,
    sources: Mapping[str, Any],
    begin: float,
    until: float,
    parameters: Mapping[str, float] | None = None,
) -> list[float]:
    """Times within the run at which a profile, an effort, a load or a table has a corner or a knot.

    `sources` are known efforts by name; `parameters` are the values of one design, else the described ones.
    """
    values = mechanism.parameters if parameters is None else parameters
    found = profile_corners(mechanism, begin, until, values)
    for source in (*sources.values(), *_described(mechanism)):
        for expression in _expressions(source):
            found |= set(breakpoints(expression, between=(begin, until), parameters=values, knots=True))
        if isinstance(source, Curve):
            found |= set(source.breaks.tolist() if source.kinks is None else source.kinks)
        elif isinstance(source, Known):
            found |= source.corners(begin, until)
    return sorted(t for t in found if begin < t < until)


def profile_corners(
    mechanism: Mechanism, begin: float, until: float, parameters: Mapping[str, float]
) -> set[float]:
    """Corners of the positions, speeds and accelerations that the drives prescribe."""
    found: set[float] = set()
    for profile in map(lift, drive_profiles(mechanism)):
        speed = derivative(profile)
        for expression in (profile, speed, derivative(speed)):
            found |= set(breakpoints(expression, between=(begin, until), parameters=parameters))
    return found


def movable(mechanism: Mechanism, sources: Mapping[str, Any]) -> bool:
    """Whether corners differ between designs: a profile, effort, integral or load depends on a parameter."""
    efforts = [part for source in sources.values() for part in _expressions(source)]
    described = (*drive_profiles(mechanism), *efforts, *_described(mechanism))
    return any(parameters_of(value) for value in described)


def unsteady(mechanism: Mechanism, sources: Mapping[str, Any]) -> bool:
    """Whether an effort, an integral or a load depends explicitly on time."""
    return any(
        callable(source) or any(map(depends_on_time, _expressions(source)))
        for source in (*sources.values(), *_described(mechanism))
    )


def _expressions(source: Any) -> list[Expression]:
    """The expressions of an effort."""
    if isinstance(source, Commanded):
        return source.expressions
    return [source] if isinstance(source, Expression) else []


def _described(mechanism: Mechanism) -> list[Scalar]:
    """Integrands of integrals, and expressions in loads."""
    integrals = [integral.of for integral in mechanism.integrals]
    return [*integrals, *(value for load in mechanism.all_loads for value in load.expressions)]
