"""Initial conditions of overconstrained and massless test models, each with a run without singular positions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from laws.closed_positions import built
from zoo import ZOO, chains

import multiloop as ml

REDUNDANT_OR_MASSLESS = [name for name, entry in ZOO.items() if entry.redundant or entry.massless]


@dataclass(frozen=True)
class FreeRun:
    """Initial conditions: their description, and the arguments of `simulate`."""

    words: str
    given: Mapping[str, Any] = field(default_factory=dict)


HANGING = {"base1": -1.2, "knee1": -0.742, "top1": 1.942, "base2": -1.2, "knee2": -0.742, "top2": 1.942}
"""The Sarrus linkage with its platform below the base."""

REGULAR = {
    "four-bar-space": FreeRun("from rest", {"start": {"A": 1.0}}),
    "RSSR-revolutes": FreeRun("thrown, turns over", {"start": {"A": 0.3}, "rates": {"A": 3.0}}),
    # Without loads it falls onto its flat position. A constant moment makes a potential well:
    # V = 13.7 J sin θ − 7.42 θ.
    "sarrus": FreeRun(
        "hanging, steady moment", {"start": {"base1": -1.2}, "guess": HANGING, "efforts": {"base1": 7.42}}
    ),
    "double-parallelogram": FreeRun(
        "thrown, turns over", {"start": {"base a": 0.5}, "rates": {"base a": 12.0}}
    ),
    "two-bearings": FreeRun("unbalanced, from rest", {"start": {"left": 0.0}}),
    "screw-jack": FreeRun("runs down", {"start": {"bearing": 0.0}}),
    "geared-arm": FreeRun(
        "thrown", {"start": {"turn": 0.2, "lift": 0.4}, "rates": {"turn": 2.0, "lift": -1.0}}
    ),
    "bennett": FreeRun("from rest", {"start": {"B": 0.8}}),
    "bricard": FreeRun("from rest", {"start": {"J2": -0.8}}),
    # Without springs it falls into a singular position after 1.33 s; springs at the base keep it near the middle.
    "spherical-wrist": FreeRun(
        "on springs",
        {
            "start": {f"A{k}": 0.0 for k in (1, 2, 3)},
            "rates": {"A1": 2.0, "A2": -1.0, "A3": 0.5},
            "efforts": {f"A{k}": -5.0 * ml.position(f"A{k}") for k in (1, 2, 3)},
        },
    ),
}

SINGULAR = {
    "N-four-bar": FreeRun("swings through flat", {"start": {"P0": -0.3}, "rates": {"P0": 4.0}}),
    "sarrus": FreeRun("falls through flat", {"start": {"base1": 1.0472}}),
    "spherical-wrist": FreeRun("falls from rest", {"start": {f"A{k}": 0.0 for k in (1, 2, 3)}}),
}
"""Runs through singular positions, for the method that passes them."""


def regular_run(name: str, **asked: Any) -> ml.Result:
    """A run of an overconstrained or massless mechanism without singular positions."""
    return ml.simulate(built(name).without_drives(), **REGULAR[name].given, **asked)


def singular_run(name: str, windows: int = 5, **asked: Any) -> ml.Result:
    """A run that passes singular positions; the N-four-bar has this number of windows."""
    mechanism = chains.ladder(windows) if name == "N-four-bar" else built(name)
    return ml.simulate(mechanism.without_drives(), method="augmented", **SINGULAR[name].given, **asked)
