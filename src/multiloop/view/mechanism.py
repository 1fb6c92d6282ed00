"""What does the mechanism look like: the drawing of bodies, joints, drives and loads in the assembled pose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from multiloop.model import Mechanism
from multiloop.questions import State
from multiloop.view.annotation import draw_keys, draw_names
from multiloop.view.canvas import Canvas
from multiloop.view.drawing import Drawing
from multiloop.view.flat_symbols import FLAT
from multiloop.view.framing import flat_canvas, page_of, space_canvas
from multiloop.view.links import draw_bodies
from multiloop.view.load_symbols import draw_loads
from multiloop.view.marker_symbols import draw_markers, draw_moved_markers, draw_traces
from multiloop.view.obstacles import Obstacles
from multiloop.view.pair_symbols import PAIRED, between_markers, draw_ties, extent_of
from multiloop.view.saving import save_figure
from multiloop.view.scene import Scene, scene_at, scene_of
from multiloop.view.shapes import Shape, shapes_of
from multiloop.view.space_symbols import SPACE
from multiloop.view.traces import Trace, Traces, traces_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_mechanism(
    mechanism: Mechanism,
    *,
    start: Mapping[str, Any] | None = None,
    guess: Mapping[str, Any] | None = None,
    traces: Traces = (),
    path: str | Path | None = None,
    axes: Any = None,
) -> Figure:
    """Draw the mechanism at its assembled pose, drives at t = 0.

    `start` and `guess` are those of `assemble`; freedoms that nothing holds are drawn as the guess has them.
    `traces` are paths to draw as thin lines, each an array of points such as `result.marker("rod.b")`, or by the names
    of their markers, `{"rod.b": result.marker("rod.b")}`. Motors have orange arrows; loads, and efforts that are
    known, blue ones as they act at this moment, pale where they are nothing just now. With `path` the picture is
    saved, its kind by the name's ending. `axes` are matplotlib axes to draw in (three-dimensional ones for a mechanism
    in space); without them a figure is made. Where several closures remain and nothing chooses, the picture says so.
    Nothing is shown on a screen.
    """
    scene = scene_of(mechanism, start, guess)
    note = f"1 of {scene.choices} closures; a guess chooses" if scene.choices > 1 else ""
    figure = draw_scene(scene, traces_of(mechanism, traces), axes, note=note)
    if path is not None:
        save_figure(figure, path)
    return figure


def draw_state(
    state: State, *, traces: Traces = (), path: str | Path | None = None, axes: Any = None
) -> Figure:
    """Draw the mechanism as it stands in a State, with its time; the keywords are those of `Mechanism.draw`."""
    note = f"t = {state.time:g} s"
    figure = draw_scene(scene_at(state), traces_of(state.mechanism, traces), axes, note=note)
    if path is not None:
        save_figure(figure, path)
    return figure


def draw_scene(scene: Scene, traces: Sequence[Trace] = (), axes: Any = None, *, note: str = "") -> Figure:
    """Draw a mechanism in a known pose, into the axes or into a figure of its own, with a note on top."""
    shapes = shapes_of(scene)
    canvas = _canvas(scene, shapes, traces, axes)
    page = page_of(canvas.axes) + np.array([[4.0], [-4.0]])
    drawing = Drawing(scene, canvas, shapes, Obstacles(page))
    draw_bodies(drawing)
    symbols = (FLAT if scene.planar else SPACE) | PAIRED
    for site in scene.sites:
        symbols.get(site.kind, between_markers)(drawing, site)
    draw_ties(drawing)
    marks = [*draw_markers(drawing), *draw_traces(drawing, traces), *draw_moved_markers(drawing)]
    loads = draw_loads(drawing)
    draw_keys(drawing, titled=axes is None, note=note)
    draw_names(drawing, loads, marks)
    figure: Figure = canvas.axes.figure
    return figure


def _canvas(scene: Scene, shapes: Mapping[str, Shape], traces: Sequence[Trace], axes: Any) -> Canvas:
    """Paper that holds all bodies, joints, markers, mass centres and traces."""
    points = [point for shape in shapes.values() for point in (*shape.points, shape.points.mean(axis=0))]
    points += [frame[:, 3] for site in scene.sites for frame in (site.F, site.S) if site.kind != "Free"]
    points += [
        2 * site.F[:, 3] - site.place for site in scene.sites if site.kind == "Planar" and not scene.planar
    ]
    points += [scene.point(f"{body}.com") for body in shapes]
    points += [scene.point(marker) for load in scene.mechanism.loads for marker in load.markers]
    points += [place for _, _, place in scene.free_markers]
    points += [point for site in scene.sites for point in extent_of(site, scene.planar)]
    points += [point for trace in traces for point in (trace.points.min(axis=0), trace.points.max(axis=0))]
    cloud = np.array(points or [np.zeros(3)])
    room = float(np.clip(len(shapes) / 16, 1.0, 2.4))
    if scene.planar:
        return flat_canvas(cloud, axes, room=room)
    gravity = np.abs([float(g) if isinstance(g, float) else 0.0 for g in scene.mechanism.gravity or ()])
    upward = int(gravity.argmax()) if gravity.any() else 2
    return space_canvas(cloud, upward, axes, room=room)
