"""Words on a drawing: names of bodies and joints, the mechanism's name, the scale, the axes, and gravity."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from multiloop.view.colours import GREY, INK, LOAD, shaded
from multiloop.view.drawing import TEXT_LEVEL, Drawing
from multiloop.view.labels import Label, around, beside
from multiloop.view.outlines import step
from multiloop.view.pair_symbols import contact_of
from multiloop.view.pieces import straight_arrow
from multiloop.view.placing import place_labels


def draw_names(drawing: Drawing, loads: Sequence[tuple[str, np.ndarray]] = ()) -> None:
    """Joints in ink, bodies slanted in their own colours, loads in theirs, each where it can be read."""
    canvas = drawing.canvas
    labels, styles = names_of(drawing, loads)
    near = canvas.from_page((0, 0), drawing.scene.sites[0].place) if drawing.scene.sites else np.zeros(3)
    for label, style, centre in zip(labels, styles, place_labels(labels, drawing.obstacles), strict=True):
        _draw_lead(drawing, label.leads(centre), near)
        place = canvas.from_page(centre, near)
        canvas.text(place, label.words, style.pop("colour"), style.pop("size"), level=TEXT_LEVEL, **style)


def names_of(
    drawing: Drawing, loads: Sequence[tuple[str, np.ndarray]] = ()
) -> tuple[list[Label], list[dict[str, Any]]]:
    """The names of joints, bodies, loads and ties with the places that they may take, and their looks."""
    canvas = drawing.canvas
    count = len(drawing.shapes) + len(drawing.scene.sites)
    size = 9.0 if count < 30 else 7.5 if count < 60 else 6.0
    labels: list[Label] = []
    styles: list[dict[str, Any]] = []
    for names, place, driven in _joint_names(drawing):
        labels.append(
            around(names, canvas.page(place), size, radius=6.0, room=10.0 if driven else 0.0, kind="joint")
        )
        styles.append({"colour": INK, "size": size})
    for name, shape in drawing.shapes.items():
        radius = drawing.bar * shape.width / 2 + 1.0 if len(shape.points) > 1 else 12.0
        labels.append(beside(name, canvas.page(shape.ring), size, radius=radius, kind="body"))
        styles.append({"colour": shaded(drawing.colours[name], 0.72), "size": size, "style": "italic"})
    for name, place in loads:
        labels.append(around(name, canvas.page(place), size, radius=9.0, kind="load"))
        styles.append({"colour": LOAD, "size": size})
    for name, places in drawing.scene.ties:
        labels.append(beside(name, canvas.page(places), size, radius=2.0, kind="tie"))
        styles.append({"colour": GREY, "size": size})
    return labels, styles


def _draw_lead(drawing: Drawing, lead: np.ndarray, near: np.ndarray) -> None:
    """A thin line from a name that had to stand off to where it belongs."""
    if np.isfinite(lead).all():
        line = [drawing.canvas.from_page(end, near) for end in lead]
        drawing.canvas.line(line, GREY, 0.7, level=TEXT_LEVEL - 0.1)


def _joint_names(drawing: Drawing) -> list[tuple[str, np.ndarray, bool]]:
    """One name a place and kind: a pin by its own name, joints that coincide together."""
    found = []
    for site in drawing.scene.sites:
        shared = drawing.shares(site)
        if shared[0] is site and site.kind != "Free":
            names = dict.fromkeys(other.joint.name.split("/")[0] for other in shared)
            place, driven = site.place, any(other.sense for other in shared)
            if site.kind == "Prismatic" and not site.grounded and not drawing.scene.planar:
                place = site.F[:, 3] + 0.55 * site.slide
            if site.kind == "Rolling":
                place = contact_of(site, drawing.scene.planar)
            found.append((", ".join(names), place, driven and site.kind != "Prismatic"))
    return found


def draw_keys(drawing: Drawing, *, titled: bool, note: str = "") -> None:
    """The name and the note on top; below, the scale and the axes of the inertial frame."""
    canvas, (low, high) = drawing.canvas, drawing.obstacles.page
    near = canvas.from_page((0, 0), np.zeros(3))
    if titled:
        place = canvas.from_page((low[0] + 8, high[1] - 10), near)
        canvas.text(place, drawing.scene.mechanism.name, INK, 11, level=TEXT_LEVEL, ha="left", weight="bold")
        drawing.obstacles.add_line(np.array([[low[0], high[1] - 10], [low[0] + 200, high[1] - 10]]), 2.0)
    if note:
        height = high[1] - (25 if titled else 10)
        place = canvas.from_page((low[0] + 8, height), near)
        canvas.text(place, note, GREY, 7.5, level=TEXT_LEVEL, ha="left")
        drawing.obstacles.add_line(np.array([[low[0], height], [low[0] + 150, height]]), 2.0, width=8.0)
    _draw_axes(drawing, low + step(20, 18), near)
    _draw_scale(drawing, low + step(76, 12), near)
    drawing.obstacles.add_line(np.array([low + step(8.0, 12.0), low + step(160.0, 12.0)]), 2.0, width=20.0)


def _draw_axes(drawing: Drawing, corner: np.ndarray, near: np.ndarray) -> None:
    canvas = drawing.canvas
    origin = canvas.from_page(corner, near)
    names = "xy" if drawing.scene.planar else "xyz"
    for name, axis in zip(names, np.eye(3), strict=False):
        tip = origin + 20 * canvas.unit * axis
        if np.linalg.norm(canvas.page(tip) - canvas.page(origin)) > 3:
            straight_arrow(canvas, origin, tip, GREY, level=TEXT_LEVEL, width=1.0, head=0.65)
            canvas.text(origin + 26 * canvas.unit * axis, name, GREY, 8, level=TEXT_LEVEL, style="italic")


def _draw_scale(drawing: Drawing, corner: np.ndarray, near: np.ndarray) -> None:
    canvas = drawing.canvas
    length = round_down(70 * canvas.unit)
    points = [canvas.from_page(corner + step(x, 0), near) for x in (0.0, length / canvas.unit)]
    canvas.line(points, GREY, 1.6, level=TEXT_LEVEL, cap="butt")
    for end in points:
        canvas.line([canvas.shifted(end, (0, -3)), canvas.shifted(end, (0, 3))], GREY, 1.0, level=TEXT_LEVEL)
    words = f"{length:g} m" if length >= 0.01 else f"{1000 * length:g} mm"
    middle = canvas.shifted((points[0] + points[1]) / 2, (0, 8))
    canvas.text(middle, words, GREY, 8, level=TEXT_LEVEL)


def round_down(longest: float) -> float:
    """The largest of 1, 2, 5 times a power of ten that is not longer."""
    power = 10.0 ** np.floor(np.log10(longest))
    steps: Sequence[float] = (1.0, 2.0, 5.0)
    return float(max(step * power for step in steps if step * power <= longest))
