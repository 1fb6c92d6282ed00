"""Numbers of every test model, by the names of its joints."""

from __future__ import annotations

from typing import Any

import numpy as np

import multiloop as ml

INSTANT = 0.05
"""Seconds after the assembly at which numbers are taken; drives are under way there."""


def numbers(mechanism: ml.Mechanism) -> dict[str, Any]:
    """Efforts and determined loads of the driven motion, and accelerations of the released mechanism in that state."""
    found: dict[str, Any] = {}
    if mechanism.drives:
        loads = ml.inverse(mechanism, t=[0.0, INSTANT])
        found["effort"] = {name: _list(loads[name].effort[-1]) for name in loads if loads[name].effort.any()}
        found["load"] = {name: float(loads[name].load[-1]) for name in loads if loads[name].determined}
        positions, rates = loads.final.positions, loads.final.rates
    else:
        positions, rates = ml.analyse(mechanism).assembly.coordinates(), {}
    held, moving = ({name: x for name, x in values.items() if len(x)} for values in (positions, rates))
    released = ml.forward(mechanism.without_drives(), held, rates=moving)
    found["acceleration"] = {name: _list(released[name].acceleration[0]) for name in released}
    return found


def _list(value: Any) -> list[float]:
    return np.atleast_1d(value).tolist()
