"""Outputs of a run's traces that integrators ask for besides its rate: rates made consistent, and slopes."""

from __future__ import annotations

import casadi as ca

from multiloop.dynamics.inertia import generalized_inertia
from multiloop.dynamics.projection import Projection
from multiloop.questions.running.forward_model import ForwardModel
from multiloop.spatial import Matrix


def straightening(model: ForwardModel, projection: Projection) -> dict[str, Matrix]:
    """Consistent rates, with the work of the drives' push, (v + δ/2)ᵀ I δ: not small where a drive jumps."""
    v, rows = projection.straightened()
    eq, work = model.equations, ca.SX(0)
    if eq.drives.count or eq.own.rheonomic:
        push = v - eq.v
        work = ca.dot(eq.v + push / 2, generalized_inertia(eq) @ push)
    return {"v_next": v, "rows": rows, "work": work}


def slopes(rate: dict[str, Matrix], x: dict[str, Matrix]) -> dict[str, Matrix]:
    """Derivatives of the rate by the state, by time, and by what tables give."""
    f = ca.vertcat(*rate.values())
    by_state = ca.jacobian(f, ca.vertcat(x["q"], x["v"], x["x"]))
    return {"J": by_state, "by_time": ca.jacobian(f, x["t"]), "by_table": ca.jacobian(f, x["z"])}
