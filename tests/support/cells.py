"""The verdict on every method, integrator and backend for an item: the same motion, or an error with its code.

A run is compared with the reference twice: at its first instant, where accelerations, efforts and reactions depend on
the method alone, and at its end, where positions and rates depend on the integrator too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

import multiloop as ml
from multiloop.analyses.prescribed_motion.inverse_arguments import METHODS as INVERSE
from multiloop.dynamics.forward import METHODS
from multiloop.kernels.runtime import INTEGRATORS
from support.items import Item

UNTIL = 0.02
"""Seconds of every run."""

AT_ONCE = {method: 1e-7 if method == "augmented" else 1e-9 for method in METHODS}
"""Accelerations, efforts and reactions of the first instant agree to this part of the largest of their kind.

Multipliers of `augmented` are iterated, those of the others are found by elimination.
"""

IN_THE_END = 2e-6
"""Positions and rates at the end agree to this part: differences are 9e-7 for vibrating links, 3e-7 for Gear's
method."""

GIVEN_BACK = 1e-8
"""`inverse` recovers the efforts of `forward` up to this part of the largest."""

OK, NOT_ASKED = "ok", "–"
Cell = tuple[str, str]
"""A forward method and a column: an integrator, compiled or interpreted."""

COLUMNS: dict[str, dict[str, Any]] = {
    f"{name}{of}": {"integrator": name, "target": target}
    | ({"step": 1e-4} if one.fixed else {})
    | ({"rtol": 1e-9} if name == "gear" else {})
    for target, of in (("c", ""), ("interpreter", ", interpreted"))
    for name, one in INTEGRATORS.items()
    if (name, target) != ("gear", "interpreter")  # SUNDIALS integrates it in both cases
}
"""Arguments of `simulate`, by the column of the table."""

FORWARD: tuple[Cell, ...] = tuple((method, column) for method in METHODS for column in COLUMNS)


def forward_cells(item: Item, asked: Iterable[Cell] = FORWARD) -> dict[Cell, str]:
    """The verdict on every method with every integrator."""
    mechanism = item.build()
    reference = _run(mechanism, item, {"method": "system", "rtol": 1e-12})
    return {cell: _alike(mechanism, item, reference, cell) for cell in asked}


def _run(mechanism: ml.Mechanism, item: Item, how: Mapping[str, Any]) -> ml.Result:
    return ml.simulate(mechanism, until=UNTIL, samples=3, **item.asked, **how)


def _alike(mechanism: ml.Mechanism, item: Item, reference: ml.Result, cell: Cell) -> str:
    """Whether a run begins and ends as the reference does, or the code of its error."""
    method, column = cell
    try:
        found = _run(mechanism, item, {"method": method} | COLUMNS[column])
    except ml.MultiloopError as error:
        return error.faults[0].code
    for kind in ("acceleration", "effort", "force", "moment"):
        _require_alike(reference, found, kind, 0, AT_ONCE[method], (item.name, *cell))
    for kind in ("position", "rate"):
        _require_alike(reference, found, kind, -1, IN_THE_END, (item.name, *cell))
    return OK


def _require_alike(
    reference: ml.Result, found: ml.Result, kind: str, at: int, tolerance: float, cell: tuple[str, ...]
) -> None:
    """Fail where a quantity of a joint differs; its size is that of the largest, 1 at least."""
    names = list(reference.joints)
    one, other = (
        np.concatenate([np.ravel(getattr(result[name], kind)[at]) for name in names])
        for result in (reference, found)
    )
    size = max(1.0, float(np.abs(one).max(initial=0.0)))
    assert np.abs(one - other).max(initial=0.0) < tolerance * size, (*cell, kind)


def inverse_cells(item: Item, asked: Iterable[str] = INVERSE) -> dict[str, str]:
    """The verdict on every inverse method: it recovers the efforts from their motion."""
    if not item.pushed:
        return dict.fromkeys(asked, NOT_ASKED)
    mechanism = item.build()
    told = {name: value for name, value in item.asked.items() if name in ("start", "rates")}
    state = ml.assemble(mechanism, told.get("start"), rates=told.get("rates"))
    named = dict.fromkeys(address.partition(".")[0] for address in item.pushed)
    actuators = [ml.Actuator(*address.split(".")) for address in item.pushed]
    pushed = mechanism.without_drives().replace(actuators=actuators)
    moved = ml.forward(pushed, state, efforts=dict(item.pushed))
    second = {name: tuple(map(float, np.atleast_1d(moved[name].acceleration[0]))) for name in named}
    return {method: _given_back(pushed, state, second, item, method) for method in asked}


def _given_back(
    mechanism: ml.Mechanism, state: ml.State, second: Mapping[str, Any], item: Item, method: str
) -> str:
    try:
        found = ml.inverse(mechanism, state=state, accelerations=second, method=method)
    except ml.MultiloopError as error:
        return error.faults[0].code
    efforts = np.array([found.effort_along(address)[0] for address in item.pushed])
    given = np.array(list(item.pushed.values()))
    assert np.abs(efforts - given).max() < GIVEN_BACK * np.abs(given).max(), (item.name, method)
    return OK
