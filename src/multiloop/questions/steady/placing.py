"""Steady states at a given position: choice of the rates, and displaced positions with closed loops."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from multiloop.kinematics.independence import null_space
from multiloop.kinematics.newton import close
from multiloop.kinematics.rates import rate_rows
from multiloop.kinematics.requests import Request
from multiloop.kinematics.targets import target_lengths
from multiloop.model import AssemblyError, Fault
from multiloop.questions.steady.balance import Balance
from multiloop.questions.steady.coordinates import independent_places, mattering, spinning
from multiloop.questions.steady.standing import Place, Standing, scaled_rows

CONTRADICTED = 1e-9
"""Largest error of requested rates, relative to their size."""


def first_place(balance: Balance, t: float) -> Place:
    """The position of the plan's assembly, with state variables at their initial values."""
    eq, p = balance.equations, balance.plan.assembly.p
    return Place(float(t), balance.plan.assembly.on(eq), eq.skeleton.initial(p), p)


def stand(balance: Balance, place: Place, requests: Sequence[Request] = ()) -> Standing:
    """Steady state at a position: with the requested rates, and all other degrees of freedom at rest if possible."""
    eq = balance.equations
    J = scaled_rows(balance, balance.rows(t=place.t, q=place.q, x=place.x, p=place.p))
    targets = [request.target for request in requests]
    rows = rate_rows(eq, place.q, place.p, targets).toarray() * eq.chart.scale
    lengths = [flag for target in targets for flag in target_lengths(target)]
    unit = np.where(lengths, 1 / eq.skeleton.length, 1.0) if lengths else np.zeros(0)
    rows = unit[:, None] * rows
    values = unit * np.array([value for request in requests for value in request.values])
    ways = null_space(np.vstack([J, rows]))
    u = np.concatenate([values, np.zeros(ways.shape[1])])
    found = Standing(balance, place, np.vstack([rows, ways.T]), u)
    _require_met(found, rows, values)
    if found.v.any() and ways.shape[1]:  # coordinates that forces depend on are at rest
        matter, rest = mattering(found), ~spinning(found)
        places = independent_places(ways, [matter & rest, rest])
        found = Standing(balance, place, np.vstack([rows, np.eye(len(found.v))[places]]), u)
    return found


def _require_met(standing: Standing, rows: np.ndarray, values: np.ndarray) -> None:
    """Raise an error if requested rates contradict the constraints or drives."""
    v = standing.v / standing.scale
    missed = [rows @ v - values, standing.row_scale * standing._moving["rates"]]
    size = max(float(np.abs(v).max(initial=0.0)), float(np.abs(values).max(initial=0.0)))
    miss = float(np.abs(np.concatenate(missed)).max(initial=0.0))
    if miss > CONTRADICTED * max(size, 1e-12):
        what = f"they contradict the loops or the drives: a part {miss / max(size, 1e-12):.3g} of them stays over."
        remedy = "Give rates of freedoms that nothing drives, no more than there are."
        raise AssemblyError(
            f"mechanism '{standing.balance.mechanism.name}'", [Fault("K05", "rates", what, remedy)]
        )


def moved(balance: Balance, place: Place, way: np.ndarray, **changes: object) -> Place | None:
    """Configuration after a scaled step, with closed loops and other fields as given; None if they do not close."""
    eq = balance.equations
    other = replace(place, q=eq.chart.moved(place.q, eq.chart.scale * way), **changes)  # type: ignore[arg-type]
    closing = close(eq, other.q, balance.prescribed(other.t, other.p), other.p)
    return replace(other, q=closing.q) if closing.closed else None
