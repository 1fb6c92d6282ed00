"""Plots of flexible beams: deflection, bending moment and stress along a beam, or their largest values over time."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from multiloop.analyses import Result
from multiloop.analyses.results.histories import BeamHistory
from multiloop.flexible.beams.centreline import sampled_places
from multiloop.view.plots.plot_data import MOST_SHOWN, Line, Panel, Profile, Selection

PLACES = 121
"""Number of evenly spaced sections along a beam, in addition to its nodes, corners and markers."""

Read = Callable[[BeamHistory, np.ndarray], np.ndarray]


Drawn = list[Profile] | list[Panel]


def deflection(result: Result, chosen: Selection) -> Drawn:
    """Profiles of the transverse deflection of the centrelines of beams."""
    return _along(result, chosen, "deflection", "length", _across)


def moment(result: Result, chosen: Selection) -> Drawn:
    """Profiles of the bending moment from equilibrium and, for comparison, of E I w'' (bending stiffness times
    curvature) from the mode shapes."""
    return _along(result, chosen, "moment", "moment", lambda link, s: _with_component_axis(link.moment(s)))


def stress(result: Result, chosen: Selection) -> Drawn:
    """Profiles of the largest magnitude of the normal stress in each section."""
    return _along(result, chosen, "stress", "stress", lambda link, s: link.stress(s)[..., None])


def _along(result: Result, chosen: Selection, name: str, quantity: str, read: Read) -> Drawn:
    """One profile for each beam, at the instant of the largest value of the beam, with the bounds over all instants.

    If the user gives a horizontal axis (`over`), one panel is returned instead, with the largest value along each beam
    over time or a joint coordinate. `name` is the name of the plot, `quantity` the quantity on its axis by which the
    unit is selected, and `read` returns the values at given distances along a beam, instants × sections × components.
    """
    if chosen.over is not None and len(result.time) > 1:
        links = chosen.links or [link for link, history in result.links.items() if history.peaks][:MOST_SHOWN]
        lines = [Line(link, link, result.link(link).largest(name)) for link in links]
        return [Panel(name, f"largest {name} along the links", quantity, lines, peaks=True)] if lines else []
    known = [link for link, history in result.links.items() if isinstance(history, BeamHistory)]
    return [
        _profile(result, _require_line(result, link, name), name, quantity, read)
        for link in chosen.links or known[:MOST_SHOWN]
    ]


def _require_line(result: Result, name: str, plot: str) -> BeamHistory:
    """History of a flexible body; raises an error if the body is no beam, because `plot` needs a centreline."""
    link = result.link(name)
    if not isinstance(link, BeamHistory):
        raise link.unavailable_error(plot)
    return link


def _profile(result: Result, link: BeamHistory, name: str, quantity: str, read: Read) -> Profile:
    s = link.line.length * sampled_places(link.line, PLACES)
    values = read(link, s)
    worst = int(np.abs(values).max(axis=(1, 2)).argmax())
    lines = []
    for part, label in enumerate(_labels(name, values.shape[2])):
        curve = np.column_stack([s, values[worst, :, part]])
        lines.append(Line(link.name, label, curve, part))
    if name == "moment":
        had = _with_component_axis(link.bending(s))[worst]
        lines += [
            Line(
                link.name, f"E I w''{label[6:]}", np.column_stack([s, had[:, part]]), part, undetermined=True
            )
            for part, label in enumerate(_labels(name, values.shape[2]))
        ]
    bounds = (values.min(axis=(0, 2)), values.max(axis=(0, 2)))
    when = f"at t = {result.time[worst]:.4g} s; pale: range over {len(result.time)} instants"
    words = f"{name} along '{link.name}'"
    return Profile(f"{name} {link.name}", words, quantity, lines, note=when, bounds=(s, *bounds), up=name)


def _across(link: BeamHistory, s: np.ndarray) -> np.ndarray:
    """Deflections along the y axis of the sections, in space along y and z, instants × sections × 1 or 2."""
    away = link.deflection(s)
    axes, size = link.line.section_axes(s / link.line.length), away.shape[-1]
    return np.asarray(np.einsum("tni,nij->tnj", away, axes[:, :size, :size]))[..., 1:]


def _labels(name: str, count: int) -> list[str]:
    if count == 1:
        return [name]
    axes = ("y", "z")
    return [f"{name} {'about' if name == 'moment' else 'along'} {axis}" for axis in axes]


def _with_component_axis(values: np.ndarray) -> np.ndarray:
    """The array with an additional last axis for components, if it has none."""
    return values[..., None] if values.ndim == 2 else values
