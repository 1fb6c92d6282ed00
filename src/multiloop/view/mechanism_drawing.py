"""Drawing of a mechanism: bodies, joints, drives and loads in the assembled pose or in a given state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from multiloop.analyses import State
from multiloop.analyses.stable_inversion import relaxed_start
from multiloop.kinematics.assembly import StateValues, held_coordinates, named_state
from multiloop.model import Mechanism
from multiloop.view.annotation import draw_names, draw_title_and_scale
from multiloop.view.body_outlines import body_outlines
from multiloop.view.canvas import Canvas, planar_canvas, spatial_canvas
from multiloop.view.deformed_bodies import check_scale
from multiloop.view.drawing import Drawing
from multiloop.view.figure import page_of, save_figure
from multiloop.view.label_obstacles import Obstacles
from multiloop.view.scene import Scene, scene_at, scene_of
from multiloop.view.symbols.load_symbols import draw_loads
from multiloop.view.symbols.marker_symbols import Trace, draw_traces, named_markers, traces_of
from multiloop.view.symbols.parts import drawn_parts, drawn_points

if TYPE_CHECKING:
    from matplotlib.figure import Figure

UNDEFORMED = 1e-9
"""Elastic coordinates smaller than this, relative to the size of the mechanism, are treated as zero."""


def draw_mechanism(
    mechanism: Mechanism,
    *,
    start: Mapping[str, Any] | str | None = None,
    guess: Mapping[str, Any] | None = None,
    traces: Sequence[Any] | Mapping[str, Any] = (),
    path: str | Path | None = None,
    axes: Any = None,
    scale: float = 1.0,
) -> Figure:
    """Draw a mechanism in its assembled configuration at t = 0; the arguments are described in `Mechanism.draw`."""
    scene = replace(_scene(mechanism, start, guess), scale=check_scale(mechanism, scale))
    choice = (
        f"1 of {scene.assembly_modes} assembly modes; choose with a guess" if scene.assembly_modes > 1 else ""
    )
    note = ", ".join(filter(None, [choice, _scale_note(scene)]))
    figure = draw_scene(scene, traces_of(mechanism, traces), axes, note=note)
    if path is not None:
        save_figure(figure, path)
    return figure


def _scene(mechanism: Mechanism, start: StateValues | str | None, guess: Mapping[str, Any] | None) -> Scene:
    """Scene of a mechanism in its assembled configuration; with start "relaxed", flexible bodies are in equilibrium."""
    begun, _, _ = relaxed_start(mechanism, named_state(start), guess, None, None, None)
    if isinstance(begun, State):
        return scene_at(begun)
    return scene_of(mechanism, held_coordinates(mechanism, begun), guess)


def draw_state(
    state: State,
    *,
    traces: Sequence[Any] | Mapping[str, Any] = (),
    path: str | Path | None = None,
    axes: Any = None,
    scale: float = 1.0,
) -> Figure:
    """Draw a mechanism in a State, with a note of its time; the arguments are described in `State.draw`."""
    scene = scene_at(state, scale=check_scale(state.mechanism, scale))
    note = ", ".join(filter(None, [f"t = {state.time:g} s", _scale_note(scene)]))
    figure = draw_scene(scene, traces_of(state.mechanism, traces), axes, note=note)
    if path is not None:
        save_figure(figure, path)
    return figure


def _scale_note(scene: Scene) -> str:
    """Note on the magnification of deflections; empty if deflections are drawn to scale."""
    if scene.scale == 1.0 or not scene.eta:
        return ""
    bent = any(np.abs(eta).max(initial=0.0) > UNDEFORMED * scene.size for eta in scene.eta.values())
    return f"deformation × {scene.scale:g}" if bent else "flexible bodies undeformed"


def draw_scene(scene: Scene, traces: Sequence[Trace] = (), axes: Any = None, *, note: str = "") -> Figure:
    """Draw a scene with a note at the top, into the given axes or into a new figure."""
    shapes = body_outlines(scene)
    ends = [end for trace in traces for end in (trace.points.min(axis=0), trace.points.max(axis=0))]
    canvas = canvas_for(scene.mechanism, np.vstack([drawn_points(scene, shapes), *ends]), axes)
    page = page_of(canvas.axes) + np.array([[4.0], [-4.0]])
    drawing = Drawing(scene, canvas, shapes, Obstacles(page))
    for _, draw in drawn_parts(drawing):
        draw()
    marks = [*named_markers(drawing), *draw_traces(drawing, traces)]
    loads = draw_loads(drawing)
    draw_title_and_scale(drawing, titled=axes is None, note=note)
    draw_names(drawing, loads, marks)
    figure: Figure = canvas.axes.figure
    return figure


def canvas_for(
    mechanism: Mechanism, cloud: np.ndarray, axes: Any = None, *, motion: np.ndarray | None = None
) -> Canvas:
    """Canvas for a mechanism whose page contains the points `cloud` (n × 3), or all points `motion` if given."""
    room = float(np.clip(len(mechanism.moving) / 16, 1.0, 2.4))
    if mechanism.planar:
        return planar_canvas(cloud if motion is None else motion, axes, room=room)
    gravity = np.abs([float(g) if isinstance(g, float) else 0.0 for g in mechanism.gravity or ()])
    upward = int(gravity.argmax()) if gravity.any() else 2
    return spatial_canvas(cloud, upward, axes, room=room, motion=motion)
