"""Text on a drawing: names of bodies, joints, loads and markers, the title, the scale bar and the axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from multiloop.model import Cam, PointOnCurve, RollingContact, Skate
from multiloop.view.canvas import round_number_below
from multiloop.view.drawing import TEXT_LEVEL, Drawing
from multiloop.view.figure import GREY, INK, LOAD, shaded
from multiloop.view.label_obstacles import page_vector
from multiloop.view.label_placement import Label, label_around, label_beside, place_labels, text_extent
from multiloop.view.scene import JointSite
from multiloop.view.symbols.marker_symbols import NamedMarker
from multiloop.view.symbols.pair_symbols import contact_of, contact_point, coupling_line
from multiloop.view.symbols.planar_joints import guide_line
from multiloop.view.symbols.primitives import draw_straight_arrow


def draw_names(
    drawing: Drawing, loads: Sequence[tuple[str, np.ndarray]] = (), marks: Sequence[NamedMarker] = ()
) -> None:
    """Draw the names of joints, bodies, loads, couplings and markers.

    Names of joints are black, names of bodies are in italics and in the colour of the body, names of loads are in the
    colour of loads, and names of markers are in smaller letters. `loads` are the names of the loads, each with the
    point next to which the name is placed, and `marks` the markers to be labelled.
    """
    canvas = drawing.canvas
    (labels, styles), (more, further) = name_labels(drawing, loads), marker_labels(drawing, marks)
    labels, styles = labels + more, styles + further
    near = canvas.from_page((0, 0), drawing.scene.sites[0].place) if drawing.scene.sites else np.zeros(3)
    for label, style, centre in zip(labels, styles, place_labels(labels, drawing.obstacles), strict=True):
        _draw_leader(drawing, label.leader_lines(centre), near)
        place = canvas.from_page(centre, near)
        canvas.text(place, label.words, style.pop("colour"), style.pop("size"), level=TEXT_LEVEL, **style)


def name_labels(
    drawing: Drawing, loads: Sequence[tuple[str, np.ndarray]] = ()
) -> tuple[list[Label], list[dict[str, Any]]]:
    """Labels of joints, bodies, loads and couplings with their candidate positions, and the text style of each label.

    `loads` are the names of the loads, each with the point next to which the name is placed.
    """
    canvas = drawing.canvas
    size = _letter_size(drawing)
    labels = _joint_labels(drawing, size)
    styles: list[dict[str, Any]] = [{"colour": INK, "size": size} for _ in labels]
    for name, shape in drawing.outlines.items():
        if "/" in name:  # barrel or rod of a strut; only the strut has a label
            continue
        radius = drawing.bar_width * shape.width / 2 + 1.0 if len(shape.points) > 1 else 12.0
        labels.append(label_beside(name, canvas.page(shape.ring), size, radius=radius, kind="body"))
        styles.append({"colour": shaded(drawing.colours[name], 0.72), "size": size, "style": "italic"})
    for name, place in loads:
        if "/" in name:  # stop inside a strut; only the strut has a label
            continue
        labels.append(label_around(name, canvas.page(place), size, radius=9.0, kind="load"))
        styles.append({"colour": LOAD, "size": size})
    for coupling in drawing.scene.mechanism.couplings:
        if "/" in coupling.name:  # gearbox of a geared motor; only the motor has a label
            continue
        line = coupling_line(drawing.scene, coupling)
        if not len(line):  # coupling of a user-defined type that names no joints
            continue
        places = canvas.page(line)
        labels.append(label_beside(coupling.name, places, size, radius=2.0, kind="tie"))
        styles.append({"colour": GREY, "size": size})
    return labels, styles


def marker_labels(drawing: Drawing, marks: Sequence[NamedMarker]) -> tuple[list[Label], list[dict[str, Any]]]:
    """Labels of the markers `marks` in smaller letters, and the text styles of these labels."""
    size = _letter_size(drawing) - 1.5
    places = [drawing.canvas.page(mark.place) for mark in marks]
    labels = [
        label_around(mark.words, place, size, radius=3.5, kind="marker")
        for mark, place in zip(marks, places, strict=True)
    ]
    return labels, [{"colour": mark.colour, "size": size} for mark in marks]


def _letter_size(drawing: Drawing) -> float:
    """Font size of names in points, which is smaller for mechanisms with many bodies and joints."""
    count = len(drawing.outlines) + len(drawing.scene.sites)
    return 9.0 if count < 30 else 7.5 if count < 60 else 6.0


def _draw_leader(drawing: Drawing, lead: np.ndarray, near: np.ndarray) -> None:
    """Draw the leader line `lead` from a name to its object, at the depth of the point `near`.

    A line of NaN, which stands for a name next to its object, is not drawn.
    """
    if np.isfinite(lead).all():
        line = [drawing.canvas.from_page(end, near) for end in lead]
        drawing.canvas.line(line, GREY, 0.7, level=TEXT_LEVEL - 0.1)


def _joint_labels(drawing: Drawing, size: float) -> list[Label]:
    """Labels of all joints; joints of the same type at the same position share one label with all their names."""
    found, canvas = [], drawing.canvas
    for site in drawing.scene.sites:
        shared = drawing.coincident_joints(site)
        if shared[0] is not site or not site.joint.rows(drawing.scene.planar):
            continue
        names = ", ".join(dict.fromkeys(_joint_name(other) for other in shared if _joint_name(other)))
        if not names:
            continue
        places = canvas.page(name_places(drawing, site))
        if len(places) > 1:
            found.append(label_beside(names, places, size, radius=6.0, kind="joint"))
            continue
        driven = any(other.sense for other in shared)
        room = 10.0 if driven and site.kind != "Prismatic" else 0.0
        found.append(label_around(names, places[0], size, radius=6.0, room=room, kind="joint"))
    return found


def name_places(drawing: Drawing, site: JointSite) -> np.ndarray:
    """The point (1 × 3) or the line (2 × 3) next to which the name of a joint is placed.

    The name of a prismatic joint on the ground is placed next to its guide, because there is often a pin at its sliding
    block.
    """
    planar = drawing.scene.planar
    if site.kind == "Prismatic" and site.grounded and planar:
        return np.array(guide_line(drawing, site)[0])
    if site.kind == "Prismatic" and not site.grounded and not planar:
        return np.array([site.F[:, 3] + 0.55 * site.slide])
    if isinstance(site.joint, Cam):
        return np.array([contact_point(site)])
    if isinstance(site.joint, PointOnCurve):
        return np.array([site.F[:, 3]])
    touches = isinstance(site.joint, RollingContact | Skate)
    return np.array([contact_of(site, planar) if touches else site.place])


def _joint_name(site: JointSite) -> str:
    """Name of a joint in a drawing; empty for the joints inside a strut and at its ends."""
    name, _, part = site.joint.name.partition("/")
    return "" if part and any("/" in body for body in (site.first, site.second)) else name


def draw_title_and_scale(drawing: Drawing, *, titled: bool, note: str = "") -> None:
    """Draw the title (if `titled`) and the `note` at the top, and the scale bar and the inertial axes at the bottom."""
    canvas, (low, high) = drawing.canvas, drawing.obstacles.page
    near = canvas.from_page((0, 0), np.zeros(3))
    if titled:
        name = drawing.scene.mechanism.name
        start = low[0] + 8
        place = canvas.from_page((start, high[1] - 10), near)
        canvas.text(place, name, INK, 11, level=TEXT_LEVEL, ha="left", weight="bold")
        _keep_clear(drawing, start, high[1] - 10, name, 14.0)
    if note:
        height = high[1] - (25 if titled else 10)
        place = canvas.from_page((low[0] + 8, height), near)
        canvas.text(place, note, GREY, 7.5, level=TEXT_LEVEL, ha="left")
        _keep_clear(drawing, low[0] + 8, height, note, 7.5)
    _draw_axes(drawing, low + page_vector(20, 18), near)
    _draw_scale(drawing, low + page_vector(76, 12), near)
    drawing.obstacles.add_line(
        np.array([low + page_vector(8.0, 12.0), low + page_vector(160.0, 12.0)]), 2.0, width=20.0
    )


def _keep_clear(drawing: Drawing, left: float, height: float, words: str, size: float) -> None:
    """Mark the area of the text `words` as covered, so that no name is placed on it.

    The text begins at the point (`left`, `height`) of the page and has the font size `size`, all in points.
    """
    ends = np.array([[left, height], [left + text_extent(words, size)[0], height]])
    drawing.obstacles.add_line(ends, 2.0, width=size)


def _draw_axes(drawing: Drawing, corner: np.ndarray, near: np.ndarray) -> None:
    canvas = drawing.canvas
    origin = canvas.from_page(corner, near)
    names = "xy" if drawing.scene.planar else "xyz"
    for name, axis in zip(names, np.eye(3), strict=False):
        tip = origin + 20 * canvas.unit * axis
        if np.linalg.norm(canvas.page(tip) - canvas.page(origin)) > 3:
            draw_straight_arrow(canvas, origin, tip, GREY, level=TEXT_LEVEL, width=1.0, head=0.65)
            letter = origin + 26 * canvas.unit * axis
            canvas.text(letter, name, GREY, 8, level=TEXT_LEVEL, style="italic")
            drawing.obstacles.add_disc(canvas.page(letter), 6.0)


def _draw_scale(drawing: Drawing, corner: np.ndarray, near: np.ndarray) -> None:
    canvas = drawing.canvas
    length = round_number_below(70 * canvas.unit)
    points = [canvas.from_page(corner + page_vector(x, 0), near) for x in (0.0, length / canvas.unit)]
    canvas.line(points, GREY, 1.6, level=TEXT_LEVEL, cap="butt")
    for end in points:
        canvas.line([canvas.shifted(end, (0, -3)), canvas.shifted(end, (0, 3))], GREY, 1.0, level=TEXT_LEVEL)
    words = f"{length:g} m" if length >= 0.01 else f"{1000 * length:g} mm"
    middle = canvas.shifted((points[0] + points[1]) / 2, (0, 8))
    canvas.text(middle, words, GREY, 8, level=TEXT_LEVEL)
