"""Panels of outputs that the user names, such as "C.load" or "coupler.b.velocity"."""

from __future__ import annotations

import numpy as np

from multiloop.analyses import Result
from multiloop.analyses.results import OutputCurve, output_curves
from multiloop.dynamics.outputs import Output
from multiloop.model.expressions.units import UNITS, find_unit
from multiloop.view.plots.plot_data import Line, Panel

REACTIONS = ("force", "moment", "load", "moment_size", "normal", "tangential", "mean_pressure")
"""Outputs of joints and pairs that follow from their reactions."""


def output_panels(result: Result, name: str) -> list[Panel]:
    """The panels of an output, one for every unit of its entries."""
    curves: dict[str, list[OutputCurve]] = {}
    for curve in output_curves(result, name):
        curves.setdefault(axis_quantity(curve.unit), []).append(curve)
    return [_panel(result, name, quantity, own) for quantity, own in curves.items()]


def _panel(result: Result, name: str, quantity: str, curves: list[OutputCurve]) -> Panel:
    open_ = is_undetermined(result, curves[0].output)
    lines = [
        Line(one.output.owner, one.label, _finite(one.values), one.part, undetermined=open_) for one in curves
    ]
    return Panel(name, name.replace("_", " "), quantity, lines, keeps_zero_lines=True)


def _finite(values: np.ndarray) -> np.ndarray:
    """The values with gaps (NaN) where they are infinite, as a mechanical advantage is at a dead centre."""
    return np.where(np.isfinite(values), values, np.nan)


def is_undetermined(result: Result, output: Output) -> bool:
    """Whether equilibrium does not determine an output at some instant."""
    owner, quantity = output.owner, output.quantity
    if owner in result.joints:
        undetermined = result.joints[owner].undetermined
        return (
            "effort" in undetermined if quantity == "effort" else bool(undetermined) and quantity in REACTIONS
        )
    if owner in result.loads:
        return quantity in result.loads[owner].undetermined
    return owner in result.couplings and not result.couplings[owner].determined


def quantities_of_output(result: Result, name: str) -> tuple[str, ...]:
    """Physical quantities on the vertical axes of the panels of an output."""
    return tuple(dict.fromkeys(axis_quantity(curve.unit) for curve in output_curves(result, name)))


def axis_quantity(unit: str) -> str:
    """The physical quantity that is measured in an SI unit, such as "force" for "N"; the unit itself if the quantity
    has no other units."""
    found = find_unit(unit) if unit else None
    if found is None or UNITS[found[0]][found[1]] != 1.0:
        return unit
    return found[0]
