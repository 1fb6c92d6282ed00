"""Linearised motions about an equilibrium agree with `forward`: M, D and K against differences.

The matrices come from derivatives of the residual, the differences from the formulations; they share the rows alone.
"""

from __future__ import annotations

import numpy as np
import pytest
from zoo import ZOO

import multiloop as ml
from multiloop.analyses.run_models.forward_model import ForwardModel
from multiloop.analyses.run_models.local_choice import make_local_choice
from multiloop.analyses.run_models.run_model import RunModel
from multiloop.analyses.steady_states.equilibrium_search import displaced_configuration
from multiloop.analyses.steady_states.steady_state import SteadyState

QUICK = ("four-bar-offsets", "RSUR", "five-bar-braced", "rolling-disc")
STUDIED = (
    "four-bar", "four-bar-space", "parallelogram", "slider-crank", "scotch-yoke", "watt", "3-RRR", "five-bar",
    "excavator", "RSSR", "double-parallelogram", "two-bearings", "RCCC", "four-bar-rod", "delta-rods",
    "five-bar-geared", "differential",
)  # fmt: skip
"""Test models that have a regular equilibrium position under their weight without drives."""

WEIGHTS = {1: 4 / 5, 2: -1 / 5, 3: 4 / 105, 4: -1 / 280}


@pytest.mark.parametrize("name", [*QUICK, *(pytest.param(name, marks=pytest.mark.slow) for name in STUDIED)])
def test_matrices_are_slopes_of_the_accelerations(name: str) -> None:
    mechanism = ZOO[name].build().replace(drives=(), actuators=())
    found = ml.equilibrium(mechanism)
    at, pencil = found.steady_state, found.pencil
    balance, n, f = at.balance, len(at.B_q), len(at.B)
    model = ForwardModel(balance.plan, balance.plan.assembly, "sslm")
    run = RunModel(model, balance.signals)

    def accelerated(z: np.ndarray) -> np.ndarray:
        place = displaced_configuration(balance, at.configuration, at.C_q @ z[:n])
        assert place is not None
        rates = SteadyState(balance, place, at.B, at.u + z[n:], at.B_q).v
        y = run.layout.pack(q=place.q, v=rates, x=place.x)
        rate = run.rate_at(place.t, y, make_local_choice(model, place.q, t=place.t))
        return at.B @ (rate[run.layout["v"]] / at.scale)

    assert np.abs(accelerated(np.zeros(n + f))).max() < 1e-8  # it is at rest
    h, ways = 1e-3, np.eye(n + f)
    slopes = [
        sum(w * (accelerated(k * h * way) - accelerated(-k * h * way)) for k, w in WEIGHTS.items()) / h
        for way in ways
    ]
    E, A = pencil.scaled
    exact = np.linalg.solve(E, A)[n : n + f, : n + f]
    np.testing.assert_allclose(exact, np.column_stack(slopes), atol=1e-9 * np.abs(exact).max())
