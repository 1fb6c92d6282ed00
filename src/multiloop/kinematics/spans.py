"""Motion of markers at one instant, distances between two markers, and values of expressions of the description."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import casadi as ca

from multiloop.kinematics.equations import KEPT, Equations
from multiloop.kinematics.motion import AT_REST, Moving, marker_twist
from multiloop.kinematics.skeleton import Skeleton
from multiloop.kinematics.snapshot import Snapshot
from multiloop.kinematics.targets import marker_in_space
from multiloop.model.expressions import Scalar, trace
from multiloop.model.expressions.tables import Table
from multiloop.spatial import Matrix, Pose
from multiloop.symbols import Traced

TINY = 1e-300
"""Avoids a division by zero in the rate of a length that is zero."""


@dataclass(frozen=True)
class Span:
    """Vector d from the origin of one marker to that of another, and its rate, in inertial axes."""

    d: Matrix
    rate: Matrix

    @property
    def length(self) -> Matrix:
        """L = √(d·d)."""
        return ca.sqrt(ca.dot(self.d, self.d))

    @property
    def length_rate(self) -> Matrix:
        """L̇ = d·ḋ / L."""
        return ca.dot(self.d, self.rate) / ca.fmax(self.length, TINY)


def marker_motion(at: Snapshot, reference: str) -> tuple[Pose, Moving]:
    """Pose and twist of a marker "body.marker" in the inertial frame, the twist at the origin of the marker."""
    skeleton, (body, _, marker) = at.skeleton, reference.partition(".")
    pose, k = marker_in_space(skeleton, reference, at.q, at.placed), skeleton.index[body]
    if k < 0:
        return pose, AT_REST
    r = pose.p - at.placed[k].pose.p
    return pose, marker_twist(skeleton, at.placed, k, marker, r, at.moving[k], at.v)


def span_between(at: Snapshot, first: str, second: str) -> Span:
    """From the origin of the first marker to that of the second."""
    (one, one_moves), (other, other_moves) = (marker_motion(at, marker) for marker in (first, second))
    return Span(other.p - one.p, other_moves.v - one_moves.v)


def span_of(at: Snapshot, load: str) -> Span:
    """The span of a load that has a length, by its name."""
    ends = next(other.span for other in at.skeleton.mechanism.all_loads if other.name == load)
    assert ends is not None, f"load '{load}' has no length"
    return span_between(at, *ends)


def expression_value(
    at: Snapshot,
    value: Scalar,
    table: Callable[[Table], Any] | None = None,
    normal: Callable[[str], Any] | None = None,
) -> Any:
    """Value of an expression at an instant; it may depend on time, state, integrals, spring lengths and parameters.

    `table` evaluates tables over time and `normal` normal forces, where they are given.
    """
    skeleton = at.skeleton
    symbols = ca.vertsplit(skeleton.symbols) if skeleton.names else []

    def span(load: str) -> tuple[Matrix, Matrix]:
        found = span_of(at, load)
        return found.length, found.length_rate

    return trace(
        value,
        time=at.t,
        position=lambda joint, component: at.q[skeleton.carrier[joint].q.start + component],
        rate=lambda joint, component: at.v[skeleton.carrier[joint].v.start + component],
        integral=lambda name: at.x[skeleton.states.index(name)],
        span=span,
        parameters=dict(zip(skeleton.names, symbols, strict=True)),
        table=table,
        normal=normal,
    )


@lru_cache(maxsize=KEPT)
def lengths_of(equations: Equations) -> Traced:
    """(q, v, p) → lengths of all loads that have one, and their rates, in the order of the loads."""
    spans = [span_of(equations, load) for load in loads_with_length(equations.skeleton)]
    outputs = {
        "lengths": ca.vertcat(ca.SX(0, 1), *[span.length for span in spans]),
        "rates": ca.vertcat(ca.SX(0, 1), *[span.length_rate for span in spans]),
    }
    return equations.function("lengths", "qv", **outputs)


def loads_with_length(skeleton: Skeleton) -> tuple[str, ...]:
    """The names of the loads between two markers."""
    return tuple(load.name for load in skeleton.mechanism.all_loads if load.span)
