"""Known efforts that are neither numbers nor plain expressions: commands of control laws and curves of time.

A `Curve` is a piecewise polynomial through the efforts of a Result, and a `CommandedEffort` the effort of a control
law; a `JointEffort` calls an object that computes the effort at any time.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any, Protocol, runtime_checkable

import numpy as np

from multiloop.analyses.errors import analysis_error
from multiloop.analyses.results import Result
from multiloop.kinematics import CACHE_SIZE
from multiloop.kinematics.constraints import drive_profiles, drive_targets, driven_targets
from multiloop.model import ControlLaw, Expression, Mechanism, SolveError
from multiloop.model.expressions import (
    Scalar,
    breakpoints,
    depends_on_time,
    derivative,
    joints_of,
    lift,
    parameters_of,
)
from multiloop.model.expressions.expression_text import to_text


@dataclass(frozen=True)
class CommandedEffort:
    """The effort of a control law at one joint; the drives of the mechanism `desired` prescribe the desired motion."""

    law: ControlLaw
    desired: Mechanism
    name: str
    expression: Expression

    @property
    def joints(self) -> list[str]:
        """Names of the joints that the expression of the effort reads, and of the joints with a desired motion."""
        moved = [target.of for target in drive_targets(self.desired) if not target.on_marker]
        return [*joints_of(self.expression), *moved]

    @property
    def expressions(self) -> list[Expression]:
        """Expressions that determine at which times the effort is not smooth: that of the effort, and those of the
        desired accelerations."""
        return [
            self.expression,
            *(derivative(derivative(lift(profile))) for profile in drive_profiles(self.desired)),
        ]

    @property
    def desired_values(self) -> Iterator[tuple[str, Expression]]:
        """Desired positions, rates and accelerations, each with a text that identifies it in error messages."""
        for one in driven_targets(self.desired):
            for profile in map(lift, one.profiles):
                for _ in range(3):
                    yield f"desired motion of '{one.target.of}'", profile
                    profile = derivative(profile)

    @property
    def cache_text(self) -> str:
        """Text that contains all data on which the traced effort depends, as a key for the kernel cache."""
        law, model = self.law, self.law.model
        gains = [(name, repr(getattr(law, name))) for name in law.gains]
        believed = model.fingerprint if model is not None else ""
        return repr((law.inverse_terms, gains, believed, self.desired.fingerprint, to_text(self.expression)))


@runtime_checkable
class EffortFunction(Protocol):
    """An object that computes efforts at any time."""

    def effort(self, joint: str, t: float) -> float:
        """The effort (N or N m) at a joint at time t."""


@dataclass(frozen=True, eq=False)
class JointEffort:
    """The effort at the joint `name` as a function of time, computed by the object `source`."""

    source: EffortFunction
    name: str

    def __call__(self, t: float) -> float:
        return self.source.effort(self.name, t)

    def corners(self, begin: float, until: float) -> set[float]:
        """Times between `begin` and `until` at which the effort is not smooth; empty if the source has no `corners`."""
        source_corners = getattr(self.source, "corners", None)
        return set() if source_corners is None else set(source_corners(begin, until))


@dataclass(frozen=True, eq=False)
class Curve:
    """A piecewise polynomial of time with breaks and coefficients as in SciPy's PPoly; it is not extrapolated."""

    mechanism: Mechanism
    name: str
    breaks: np.ndarray
    coefficients: np.ndarray
    kinks: tuple[float, ...] | None = None  # times at which the curve is not smooth; None means all breaks

    def __call__(self, t: float) -> float:
        self.require_covered(t)
        from scipy.interpolate import PPoly  # imported only here, since the import takes 0.2 s

        inside = min(max(t, float(self.breaks[0])), float(self.breaks[-1]))
        return float(PPoly(self.coefficients, self.breaks)(inside))

    def require_covered(self, t: float) -> None:
        """Raise an error if the time t is outside the time span of the curve."""
        begin, end = float(self.breaks[0]), float(self.breaks[-1])
        slack = 1e-9 * max(1.0, abs(end))
        if not begin - slack <= t <= end + slack:
            what = f"the Result covers {begin:g} to {end:g} s, but t = {t:g} s is required."
            raise analysis_error(
                self.mechanism,
                "S03",
                f"effort at '{self.name}'",
                what,
                "Compute `inverse` over the whole time span.",
                time=t,
            )


def curve_through(mechanism: Mechanism, name: str, result: Result, corners: Collection[float] = ()) -> Curve:
    """A cubic spline through the efforts that a Result contains for the joint or coordinate `name`.

    The spline is divided at the `corners`, the times at which the motion of the Result is not smooth.
    """
    from scipy.interpolate import CubicSpline

    joint, _, component = name.partition(".")
    effort = result[joint].effort
    if effort.ndim == 2:
        effort = effort[:, mechanism.joint(joint).components(mechanism.planar).index(component)]
    if len(result.time) < 2 or (np.diff(result.time) <= 0).any():
        what = f"the Result has {len(result.time)} instants" + (
            " that are not increasing." if len(result.time) > 1 else "."
        )
        raise effort_error(
            mechanism, name, what, "Compute the Result at several instants in increasing order."
        )
    inner = [k for t in sorted(corners) for k in _instant_at(result.time, t) if 0 < k < len(effort) - 1]
    ends = [0, *dict.fromkeys(inner), len(effort) - 1]
    pieces = [CubicSpline(result.time[a : b + 1], effort[a : b + 1]) for a, b in pairwise(ends)]
    return Curve(mechanism, name, result.time, np.hstack([piece.c for piece in pieces]))


def _instant_at(time: np.ndarray, t: float) -> list[int]:
    """A list with the index of the instant at time t; an empty list if there is no instant at this time."""
    k = int(np.argmin(np.abs(time - t)))
    return [k] if abs(time[k] - t) <= 1e-9 * (time[-1] - time[0]) else []


def effort_error(mechanism: Mechanism, name: str, what: str, remedy: str) -> SolveError:
    """The error for an invalid effort at the joint or coordinate `name`."""
    return analysis_error(mechanism, "S03", f"effort at '{name}'", what, remedy)


LONGEST = 1 / 200
"""Longest integration step, as a fraction of the duration of a run, if efforts may change abruptly at unknown times."""


def corners(
    mechanism: Mechanism,
    sources: Mapping[str, Any],
    begin: float,
    until: float,
    parameters: Mapping[str, float] | None = None,
) -> list[float]:
    """Times between `begin` and `until` at which a profile of a drive, an effort, a load or a table is not smooth.

    `sources` maps names of known efforts to numbers, expressions, curves or functions of time. `parameters` are the
    values of the parameters, by default those in the description of the mechanism.
    """
    values = mechanism.parameters if parameters is None else parameters
    found = profile_corners(mechanism, begin, until, values)
    for source in (*sources.values(), *_described_expressions(mechanism)):
        for expression in _expressions(source):
            found |= set(breakpoints(expression, between=(begin, until), parameters=values, knots=True))
        if isinstance(source, Curve):
            found |= set(source.breaks.tolist() if source.kinks is None else source.kinks)
        elif isinstance(source, JointEffort):
            found |= source.corners(begin, until)
    return sorted(t for t in found if begin < t < until)


def profile_corners(
    mechanism: Mechanism, begin: float, until: float, parameters: Mapping[str, float]
) -> set[float]:
    """Times between `begin` and `until` at which a position, speed or acceleration prescribed by a drive is not
    smooth; they are cached."""
    return set(_profile_corners(mechanism, begin, until, tuple(parameters.items())))


@lru_cache(maxsize=CACHE_SIZE)
def _profile_corners(
    mechanism: Mechanism, begin: float, until: float, values: tuple[tuple[str, float], ...]
) -> frozenset[float]:
    found: set[float] = set()
    parameters = dict(values)
    for profile in map(lift, drive_profiles(mechanism)):
        speed = derivative(profile)
        for expression in (profile, speed, derivative(speed)):
            found |= set(breakpoints(expression, between=(begin, until), parameters=parameters))
    return frozenset(found)


def corners_depend_on_parameters(mechanism: Mechanism, sources: Mapping[str, Any]) -> bool:
    """Whether the times at which profiles, the known efforts `sources`, integrals or loads are not smooth may differ
    between designs, because one of these depends on a parameter."""
    efforts = [part for source in sources.values() for part in _expressions(source)]
    described = (*drive_profiles(mechanism), *efforts, *_described_expressions(mechanism))
    return any(parameters_of(value) for value in described)


def varies_in_time(mechanism: Mechanism, sources: Mapping[str, Any]) -> bool:
    """Whether one of the known efforts `sources`, an integral or a load depends explicitly on time."""
    return any(
        callable(source) or any(map(depends_on_time, _expressions(source)))
        for source in (*sources.values(), *_described_expressions(mechanism))
    )


def _expressions(source: Any) -> list[Expression]:
    """The expressions that determine the known effort `source`; an empty list if it is a number, curve or function."""
    if isinstance(source, CommandedEffort):
        return source.expressions
    return [source] if isinstance(source, Expression) else []


def _described_expressions(mechanism: Mechanism) -> list[Scalar]:
    """Integrands of the integrals, and expressions in the loads, of a mechanism."""
    integrals = [integral.of for integral in mechanism.integrals]
    return [*integrals, *(value for load in mechanism.all_loads for value in load.expressions)]
