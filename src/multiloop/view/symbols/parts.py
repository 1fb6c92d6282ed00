"""Lists of the parts of a mechanism that are drawn, with drawing functions, and of the points that must fit on the
page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

import numpy as np

from multiloop.model import GROUND, Gearing, Joint
from multiloop.view.body_outlines import BodyOutline
from multiloop.view.drawing import Drawing
from multiloop.view.scene import SLIDING, JointSite, Scene
from multiloop.view.symbols.gear_symbols import draw_gearing, extent_of_gearings
from multiloop.view.symbols.marker_symbols import (
    draw_body,
    draw_ground,
    draw_load_attachments,
    draw_marker,
    draw_moved_marker,
)
from multiloop.view.symbols.pair_symbols import (
    PAIR_SYMBOLS,
    between_markers,
    draw_coupling,
    draw_user_joint,
    pair_extent,
)
from multiloop.view.symbols.planar_joints import PLANAR_SYMBOLS
from multiloop.view.symbols.spatial_joints import SPATIAL_SYMBOLS


def drawn_parts(drawing: Drawing) -> Iterator[tuple[str, Callable[[], object]]]:
    """All parts of a drawing (bodies, joints, couplings, attachments of loads, markers).

    For each part a unique name and a function that draws the part are returned.
    """
    scene = drawing.scene
    if drawing.canvas.spatial:
        yield "base", partial(draw_ground, drawing)
    for name, shape in sorted(drawing.outlines.items(), key=lambda item: drawing.levels[item[0]]):
        yield f"body {name}", partial(draw_body, drawing, shape)
    symbols = (PLANAR_SYMBOLS if scene.planar else SPATIAL_SYMBOLS) | PAIR_SYMBOLS
    for site in scene.sites:
        default = draw_user_joint if isinstance(site.joint, Joint) else between_markers
        yield f"joint {site.joint.name}", partial(symbols.get(site.kind, default), drawing, site)
    ties = dict(scene.coupling_lines)
    for coupling in scene.mechanism.couplings:
        if isinstance(coupling, Gearing):
            yield f"tie {coupling.name}", partial(draw_gearing, drawing, coupling)
        elif len(ties[coupling.name]):
            yield f"tie {coupling.name}", partial(draw_coupling, drawing, ties[coupling.name])
    for load in scene.mechanism.all_loads:
        yield f"hold of {load.name}", partial(draw_load_attachments, drawing, load)
    for body, name, place in scene.free_markers:
        yield f"marker {body}.{name}", partial(draw_marker, drawing, body, place)
    for motion in scene.mechanism.drives:
        if motion.on_marker and motion.of.partition(".")[0] != GROUND:
            yield f"motion {motion.of}", partial(draw_moved_marker, drawing, motion)


def drawn_points(scene: Scene, shapes: Mapping[str, BodyOutline]) -> np.ndarray:
    """Points that must be inside the page, n × 3: corners and mass centres of bodies, joints, markers, loads and
    pairs."""
    points = [point for shape in shapes.values() for point in (*shape.points, shape.points.mean(axis=0))]
    holding = [site for site in scene.sites if site.joint.rows(scene.planar)]
    points += [frame[:, 3] for site in holding for frame in (site.F, site.S)]
    points += [
        2 * site.F[:, 3] - site.place for site in scene.sites if site.kind == "Planar" and not scene.planar
    ]
    points += [scene.point(f"{body}.com") for body in shapes]
    points += [scene.point(marker) for load in scene.mechanism.all_loads for marker in load.markers]
    points += [place for _, _, place in scene.free_markers]
    points += [point for site in scene.sites for point in pair_extent(site, scene.planar)]
    points += extent_of_gearings(scene)
    points += [point for site in scene.sites if site.kind in SLIDING for point in _rail(scene, site)]
    return np.array(points or [np.zeros(3)])


def _rail(scene: Scene, site: JointSite) -> list[np.ndarray]:
    """The two ends of the path along which a joint slides."""
    return [site.F[:, 3] + slide * site.axis(scene.planar) for slide in scene.stroke(site)]
