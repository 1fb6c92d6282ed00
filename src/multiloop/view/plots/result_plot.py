"""Plots of a result: panels of curves over the motion, diagrams, and optionally a drawing of the mechanism.

A new type of plot is one function and one line in `PLOT_KINDS`; outputs are plotted by their names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from multiloop.analyses import Result
from multiloop.model import UnknownNameError, count_text, suggestion
from multiloop.view.figure import GREY, drawing_error, save_figure
from multiloop.view.label_placement import escape_dollars
from multiloop.view.plots.axis_scales import (
    UNKNOWN,
    Abscissa,
    Units,
    abscissa_of,
    require_units_used,
    units_of,
)
from multiloop.view.plots.diagrams import draw_diagram, draw_profile
from multiloop.view.plots.joint_force_plots import efforts, forces, loads, moments, polar
from multiloop.view.plots.joint_histories import free_positions
from multiloop.view.plots.link_plots import deflection, moment, stress
from multiloop.view.plots.motion_plots import (
    accelerations,
    energy,
    hodograph,
    paths,
    positions,
    power,
    speeds,
)
from multiloop.view.plots.output_plots import output_panels, quantities_of_output
from multiloop.view.plots.page_layout import PageLayout, label_time, style_axes
from multiloop.view.plots.panel_curves import draw_bars_at_instant, draw_curves, line_colours
from multiloop.view.plots.plot_data import Diagram, Panel, Profile, Selection, as_names, selection_of
from multiloop.view.symbols.marker_symbols import traces_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Drawn = Panel | Diagram

SELECTED = {
    "joints": ("joint", "joints"),
    "markers": ("marker", "markers"),
    "links": ("flexible body", "flexible bodies"),
}
"""Names, singular and plural, of the objects that a user may select, by the field of `Selection`; used in messages."""


def plot_result(
    result: Result,
    *,
    show: str | Sequence[str] | None = None,
    of: str | Sequence[str] = (),
    over: str | None = None,
    frame: str | None = None,
    units: str | Sequence[str] | Mapping[str, str] | None = None,
    drawing: bool = False,
    traces: str | Sequence[str] = (),
    path: str | Path | None = None,
    axes: Sequence[Any] | None = None,
) -> Figure:
    """Plot quantities of a result over the motion; the arguments are described in `Result.plot`."""
    wished, chosen = units_of(result.mechanism, units), selection_of(result, of, frame, over)
    panels, left_out = plotted_panels(result, show, chosen)
    markers = as_names(result, "traces", traces)
    paths = traces_of(result.mechanism, {name: result.marker(name) for name in markers})
    x = abscissa_of(result, over, wished)
    _require_units(result, wished, panels, x, _kinds(result, show, chosen))
    given = _check_axes(result, axes, panels, drawing or bool(paths))
    found = given or PageLayout(result, panels).axes(paths if drawing or paths else None)
    _draw(result, panels, found, x, wished)
    if left_out:
        _note_left_out(found, left_out, own=not given)
    figure: Figure = found[0].figure
    if path is not None:
        save_figure(figure, path)
    return figure


def _require_units(
    result: Result, units: Units, panels: Sequence[Drawn], x: Abscissa, kinds: Sequence[str]
) -> None:
    """Raise an error for a requested unit that no axis uses.

    Units of plots that were left out, because their values are round-off, raise no error.
    """
    drawn = {panel.quantity for panel in panels}
    counted_in = [plot_kind(result, kind).quantities for kind in kinds]
    absent = [quantity for of in counted_in if drawn.isdisjoint(of) for quantity in of]
    axes = [quantity for panel in panels for quantity in panel.quantities] + (
        [x.quantity] if len(result.time) > 1 else []
    )
    require_units_used(result.mechanism, units, axes, [*absent, x.quantity])


def plotted_panels(
    result: Result, show: str | Sequence[str] | None, chosen: Selection
) -> tuple[list[Drawn], list[str]]:
    """Panels to be drawn, curves first, and the names of panels that are left out because their values are
    round-off."""
    made: list[Drawn] = []
    left_out: list[str] = []
    for kind in _kinds(result, show, chosen):
        panels = plot_kind(result, kind).panels(result, chosen)
        made += panels
        left_out += [kind] if show is not None and not panels else []
    if not made:
        names = ", ".join("bending moment" if kind == "moment" else kind for kind in left_out)
        what = f"the result has no {names}."
        others = [
            name
            for name, kind in PLOT_KINDS.items()
            if name not in left_out and (result.links or kind.of != "links")
        ]
        rigid = not result.links and any(plot_kind(result, kind).of == "links" for kind in left_out)
        what += " All bodies of the mechanism are rigid." if rigid else ""
        begin = "Replace a rigid body by `ml.beam(…)` with `with_body`, or choose" if rigid else "Choose"
        raise drawing_error(result.mechanism, "V01", "show", what, f"{begin} among: {', '.join(others)}.")
    seen = [panel for panel in made if panel.is_significant]
    if not seen or chosen.joints is not None:  # selected joints are shown even if their values are zero
        made = [panel if panel.is_significant else panel.without_round_off() for panel in made]
    else:
        left_out += [panel.name for panel in made if panel not in seen]
        made = [_without_round_off(panel) for panel in seen]
    return sorted(made, key=lambda panel: isinstance(panel, Diagram)), left_out


def _without_round_off(panel: Drawn) -> Drawn:
    """The panel without lines at the level of round-off; panels of loads and moments keep all lines."""
    if isinstance(panel, Diagram) or panel.peaks or panel.keeps_zero_lines:
        return panel
    return replace(panel, lines=[line for line in panel.lines if line.largest > panel.floor])


def _kinds(result: Result, show: str | Sequence[str] | None, chosen: Selection) -> list[str]:
    """Names of the requested types of plots, or of the default types; raises an error for an invalid request."""
    if show is None:
        kinds = ["positions"] if free_positions(result) and len(result.time) > 1 else []
        kinds += ["efforts", "loads", "moments"]
    else:
        kinds = list(dict.fromkeys(as_names(result, "show", show)))
    for kind in kinds:
        if plot_kind(result, kind).diagram and len(result.time) == 1:
            what = "needs several instants, but the result has one."
            raise drawing_error(result.mechanism, "V01", f"show '{kind}'", what, "Request more instants.")
    if not kinds:
        raise drawing_error(
            result.mechanism, "V01", "show", "is empty.", f"Choose among: {', '.join(PLOT_KINDS)}."
        )
    for things, names in (("joints", chosen.joints), ("markers", chosen.markers), ("links", chosen.links)):
        if names and not any(plot_kind(result, kind).of == things for kind in kinds):
            able = [kind for kind in PLOT_KINDS if PLOT_KINDS[kind].of == things]
            singular, plural = SELECTED[things]
            plots = " and ".join([", ".join(kinds[:-1]), kinds[-1]] if len(kinds) > 1 else kinds)
            what = f"selects a {singular}, but plots of {plots} show no {plural}."
            raise drawing_error(
                result.mechanism, "V01", f"of '{names[0]}'", what, f"Choose show= among: {', '.join(able)}."
            )
    return kinds


def _check_axes(
    result: Result, axes: Sequence[Any] | None, panels: Sequence[Drawn], drawing: bool
) -> list[Any]:
    """List of the axes that the user has given, one for each panel; empty if a figure is to be created."""
    if axes is None:
        return []
    if drawing:
        what = "are given together with `drawing` or `traces`, but given axes show curves only."
        remedy = (
            "Leave out `axes`, or leave out `drawing` and `traces`; `State.draw(axes=)` draws the mechanism."
        )
        raise drawing_error(result.mechanism, "V02", "axes", what, remedy)
    found = list(np.ravel(np.asarray(axes, dtype=object)))
    if len(found) != len(panels):
        names = ", ".join(panel.name for panel in panels)
        what = f"{len(found)} axes are given, but the result has {count_text(len(panels), 'panel')}: {names}"
        raise drawing_error(
            result.mechanism, "V02", "axes", f"{what}.", "Give one axes object for each panel."
        )
    return found


def _draw(result: Result, panels: Sequence[Drawn], axes: Sequence[Any], over: Abscissa, units: Units) -> None:
    """Draw every panel into its axes."""
    single = len(result.time) == 1
    colours = line_colours(result, panels, bars=single)
    curves = [each for each, panel in zip(axes, panels, strict=True) if isinstance(panel, Panel)]
    for each, panel in zip(axes, panels, strict=True):
        if isinstance(panel, Profile):
            style_axes(each)
            draw_profile(each, panel, colours, units)
        elif isinstance(panel, Diagram):
            style_axes(each)
            draw_diagram(each, panel, over, colours, units)
        elif single:
            style_axes(each)
            when = f", at t = {result.time[0]:g} s" if each is curves[-1] else ""
            draw_bars_at_instant(each, panel, colours, units, when)
        else:
            style_axes(each, over.values, over.degrees)
            draw_curves(each, panel, over.values, colours, units)
    if curves and not single:
        label_time(curves, over.label)


def _note_left_out(axes: Sequence[Any], names: Sequence[str], *, own: bool) -> None:
    """Write a note with the names of the panels that are left out because their values are round-off.

    The note is at the top of the figure if `own`, otherwise above the first axes, because the user has given the
    axes.
    """
    words = escape_dollars(f"omitted (only round-off): {', '.join(names)}")
    if own:
        figure = axes[0].figure
        height = 1 - 16.5 / (72.0 * figure.get_size_inches()[1])
        figure.text(0.97, height, words, fontsize=7.5, color=GREY, ha="right", va="center")
    else:
        axes[0].set_title(words, loc="left", fontsize=7.5, color=GREY, pad=4)


@dataclass(frozen=True)
class PlotKind:
    """A type of plot: the function that creates its panels, and the quantities of their axes.

    `of` states what a user may select: "joints", "markers", "links" (flexible bodies), or "" for a plot of the whole
    mechanism. A `diagram` needs several instants.
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


def plot_kind(result: Result, name: str) -> PlotKind:
    """The type of plot with a name from `PLOT_KINDS`, or the plot of the output with this name, such as "C.load"."""
    if name in PLOT_KINDS:
        return PLOT_KINDS[name]
    if "." not in name:
        raise UnknownNameError(result.mechanism.name, "panel", name, suggestion(name, PLOT_KINDS), UNKNOWN)
    return PlotKind(lambda one, _: output_panels(one, name), quantities_of_output(result, name), "")
