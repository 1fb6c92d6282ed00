"""Registry of the plots of a result; a new plot is one function and one line in `PLOT_KINDS`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from multiloop.analyses import Result
from multiloop.view.plots.joint_force_plots import efforts, forces, loads, moments, polar
from multiloop.view.plots.link_plots import deflection, moment, stress
from multiloop.view.plots.marker_path_plots import hodograph, paths
from multiloop.view.plots.motion_plots import accelerations, energy, positions, power, speeds
from multiloop.view.plots.plot_data import Diagram, Panel, Selection


@dataclass(frozen=True)
class PlotKind:
    """The function that makes the panels of a plot, their quantities, and its objects (`of`).

    `of` is "joints", "markers", "links", or "" for the whole mechanism. A `diagram` needs several instants.
    """

    panels: Callable[[Result, Selection], Sequence[Panel] | Sequence[Diagram]]
    quantities: tuple[str, ...]
    of: str = "joints"
    diagram: bool = False


PLOT_KINDS: dict[str, PlotKind] = {
    "positions": PlotKind(positions, ("angle", "length")),
    "speeds": PlotKind(speeds, ("angular speed", "speed")),
    "accelerations": PlotKind(accelerations, ("angular acceleration", "acceleration")),
    "efforts": PlotKind(efforts, ("moment", "force")),
    "loads": PlotKind(loads, ("force",)),
    "moments": PlotKind(moments, ("moment",)),
    "forces": PlotKind(forces, ("force",)),
    "polar": PlotKind(polar, ("force",), diagram=True),
    "energy": PlotKind(energy, ("energy",), ""),
    "power": PlotKind(power, ("power",)),
    "hodograph": PlotKind(hodograph, ("speed",), "markers", diagram=True),
    "paths": PlotKind(paths, ("length",), "markers", diagram=True),
    "deflection": PlotKind(deflection, ("length",), "links"),
    "moment": PlotKind(moment, ("moment", "length"), "links"),
    "stress": PlotKind(stress, ("stress", "length"), "links"),
}
