"""Value of an expression of the description at one instant, as a function of time, state and parameters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import casadi as ca

from multiloop.kinematics.markers import load_span
from multiloop.kinematics.snapshot import Snapshot
from multiloop.model.expressions import Scalar, trace
from multiloop.model.expressions.tables import Table
from multiloop.spatial import Matrix


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
    symbols = ca.vertsplit(skeleton.parameter_symbols) if skeleton.parameter_names else []

    def span(load: str) -> tuple[Matrix, Matrix]:
        found = load_span(at, load)
        return found.length, found.length_rate

    return trace(
        value,
        time=at.t,
        position=lambda joint, component: at.q[skeleton.link_of_joint[joint].q.start + component],
        rate=lambda joint, component: at.v[skeleton.link_of_joint[joint].v.start + component],
        integral=lambda name: at.x[skeleton.states.index(name)],
        span=span,
        parameters=dict(zip(skeleton.parameter_names, symbols, strict=True)),
        table=table,
        normal=normal,
    )
