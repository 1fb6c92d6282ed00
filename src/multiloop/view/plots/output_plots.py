"""Panels of outputs that the user names, such as "C.load" or "coupler.b.velocity"."""

from __future__ import annotations

from multiloop.analyses import Result
from multiloop.analyses.results import OutputCurve, output_curves
from multiloop.model.expressions.units import UNITS, find_unit
from multiloop.view.plots.plot_data import Line, Panel


def output_panels(result: Result, name: str) -> list[Panel]:
    """The panels of an output, one for every unit of its entries."""
    curves: dict[str, list[OutputCurve]] = {}
    for curve in output_curves(result, name):
        curves.setdefault(axis_quantity(curve.unit), []).append(curve)
    return [_panel(result, name, quantity, own) for quantity, own in curves.items()]


def _panel(result: Result, name: str, quantity: str, curves: list[OutputCurve]) -> Panel:
    lines = [Line(one.output.owner, one.label, one.values, one.part) for one in curves]
    return Panel(name, name.replace("_", " "), quantity, lines, keeps_zero_lines=True)


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
