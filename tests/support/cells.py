"""What each method, integrator and carrier makes of an item: the same motion, or a refusal by its code."""

from __future__ import annotations

from typing import Any

import numpy as np

import multiloop as ml
from multiloop.dynamics.forward import METHODS
from multiloop.kernels.integrators import INTEGRATORS
from multiloop.questions.leading.loads import METHODS as INVERSE
from support.items import Item

UNTIL = 0.02
"""Seconds of every run."""

ALIKE = 1e-5
"""Positions and rates at the end agree to this part: Gear's method, the coarsest, is 1e-6 off where a link vibrates."""

YES, NOT_ASKED = "yes", "–"


def columns() -> dict[str, dict[str, Any]]:
    """What `simulate` is asked with for every column but those of `inverse`."""
    methods = {name: {"method": name} for name in METHODS}
    integrators = {
        name: {"integrator": name}
        | ({"step": 1e-4} if one.fixed else {})
        | ({"rtol": 1e-9} if name == "gear" else {})
        for name, one in INTEGRATORS.items()
    }
    return methods | integrators | {"interpreter": {"target": "interpreter"}}


COLUMNS = (*columns(), *(f"inverse, {name}" for name in INVERSE))


def row(item: Item, asked: tuple[str, ...] = COLUMNS) -> dict[str, str]:
    """Every cell of an item by its column."""
    mechanism = item.build()
    reference = _run(mechanism, item, {})
    found = {
        name: _alike(mechanism, item, reference, how) for name, how in columns().items() if name in asked
    }
    led = bool(mechanism.drives) and "control" not in item.asked
    for name in INVERSE:
        if f"inverse, {name}" in asked:
            found[f"inverse, {name}"] = _inverse(mechanism, name) if led else NOT_ASKED
    return found


def _run(mechanism: ml.Mechanism, item: Item, how: dict[str, Any]) -> ml.Result:
    return ml.simulate(mechanism, until=UNTIL, outputs=3, **item.asked, **how)


def _alike(mechanism: ml.Mechanism, item: Item, reference: ml.Result, how: dict[str, Any]) -> str:
    """Whether a run ends where the reference does, or the code with which it is refused."""
    try:
        found = _run(mechanism, item, how)
    except ml.MultiloopError as error:
        return error.faults[0].code
    for name, joint in reference.joints.items():
        for one, other in ((joint.position, found[name].position), (joint.rate, found[name].rate)):
            size = max(1.0, float(np.abs(one).max(initial=0.0)))
            assert np.abs(one[-1] - other[-1]).max(initial=0.0) < ALIKE * size, (item.name, how, name)
    return YES


def _inverse(mechanism: ml.Mechanism, method: str) -> str:
    try:
        ml.inverse(mechanism, t=0.0, method=method)
    except ml.MultiloopError as error:
        return error.faults[0].code
    return YES
