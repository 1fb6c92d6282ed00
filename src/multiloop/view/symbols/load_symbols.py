"""Symbols of loads: springs, dampers, forces, torques, ropes, stops and contacts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from multiloop.model import (
    MOTION_COMPONENTS,
    Backlash,
    Bushing,
    Contact,
    Expression,
    Force,
    Freewheel,
    Friction,
    JointSpring,
    Load,
    Rope,
    Spring,
    Stop,
    Torque,
    value_of,
)
from multiloop.view.drawing import DRIVE_LEVEL, Drawing
from multiloop.view.figure import LOAD, PAPER, tinted
from multiloop.view.scene import built_in_type_name
from multiloop.view.symbols.primitives import across_page, draw_straight_arrow, draw_turning_arrow

LEVEL = DRIVE_LEVEL - 0.3
"""Drawing level of loads, above bodies and joints and below drives."""

INACTIVE = tinted(LOAD, 0.4)
"""Colour of forces and torques that are zero in the drawn configuration."""

WIDTH, APART = 1.3, 6.5
"""Width of lines, and distance of a spring and a parallel damper from the line between their ends; both in points."""


def draw_loads(drawing: Drawing) -> list[tuple[str, np.ndarray]]:
    """Draw all loads; returns the name of each and the point next to which the name is placed."""
    loads = [
        (load, LOAD_SYMBOLS[kind])
        for load in drawing.scene.mechanism.all_loads
        if (kind := built_in_type_name(load)) in LOAD_SYMBOLS
    ]
    return [(load.name, draw(drawing, load)) for load, draw in loads]


def user_load(drawing: Drawing, load: Load) -> np.ndarray:
    """Draw a user-defined load as a ring at each of its markers and joints, with a dashed line between the rings.

    Returns the position of the first ring.
    """
    canvas, scene = drawing.canvas, drawing.scene
    sites = {site.joint.name: site.place for site in scene.sites}
    places = [scene.point(marker) for marker in load.markers]
    places += [sites[joint] for joint, _ in load.coordinates if joint in sites]
    if len(places) > 1:
        canvas.line(places, LOAD, 1.1, level=LEVEL, style=(0, (4, 2.5)))
        drawing.obstacles.add_line(canvas.page(places), 1.0, width=2.0)
    for place in places:
        canvas.dot(place, 13.0, "none", LOAD, level=LEVEL, width=WIDTH)
        drawing.obstacles.add_disc(canvas.page(place), 8.0)
    return places[0] if places else np.zeros(3)


def spring(drawing: Drawing, load: Spring) -> np.ndarray:
    """Draw a spring, a damper, or both in parallel between two markers; returns the midpoint."""
    a, b = drawing.scene.point(load.first), drawing.scene.point(load.second)
    zigzag, pot = load.stiffness != 0.0 or load.damping == 0.0, load.damping != 0.0
    _spring_between(drawing, a, b, zigzag=zigzag, pot=pot, free=value_of(load.length) or 0.0)
    middle: np.ndarray = (a + b) / 2
    return middle


def _spring_between(
    drawing: Drawing, a: np.ndarray, b: np.ndarray, *, zigzag: bool, pot: bool, free: float = 0.0
) -> None:
    canvas = drawing.canvas
    length = float(np.linalg.norm(b - a))
    if length < 6 * canvas.unit:  # too short for a spring to be visible
        canvas.dot(a, 5.0, PAPER, LOAD, level=LEVEL)
        return
    direction = (b - a) / length
    across = across_page(canvas, direction) * canvas.unit
    apart = APART if zigzag and pot else 0.0
    if zigzag:
        _zigzag(drawing, a, b, apart * across, across, free)
    if pot:
        _pot(drawing, a, b, -apart * across, across)
    for end in (a, b):
        canvas.dot(end, 4.0, PAPER, LOAD, level=LEVEL + 0.01, width=1.1)
    for shift in (-apart * across, apart * across) if apart else (0 * across,):
        drawing.obstacles.add_line(canvas.page([a + shift, b + shift]), 1.5, width=8.0)


def _zigzag(
    drawing: Drawing, a: np.ndarray, b: np.ndarray, shift: np.ndarray, across: np.ndarray, free: float
) -> None:
    """Draw the zigzag line of a spring between two points, displaced by `shift`, with its teeth along `across`.

    The number of teeth follows from the unstretched length `free`, or from the current length if `free` is 0.
    """
    points = (free or float(np.linalg.norm(b - a))) / drawing.canvas.unit
    teeth = int(np.clip(points / 9, 3, 12))
    shares = [0.22, *(0.22 + 0.56 * (np.arange(2 * teeth) + 0.5) / (2 * teeth)), 0.78]
    sides = [0.0, *([4.5, -4.5] * teeth), 0.0]
    line = [a + share * (b - a) + shift + side * across for share, side in zip(shares, sides, strict=True)]
    drawing.canvas.line(
        [a, *_out(a, b, shift, 0.12), *line, *_out(a, b, shift, 0.88), b], LOAD, WIDTH, level=LEVEL
    )


def _pot(drawing: Drawing, a: np.ndarray, b: np.ndarray, shift: np.ndarray, across: np.ndarray) -> None:
    """Draw a damper between two points, displaced by `shift`: a cylinder on one rod and a piston on the other.

    `across` is the transverse direction, a vector with the length of one point of the page.
    """
    canvas = drawing.canvas

    def at(share: float, side: float) -> np.ndarray:
        place: np.ndarray = a + share * (b - a) + shift + side * across
        return place

    canvas.line([a, *_out(a, b, shift, 0.12), at(0.38, 0)], LOAD, WIDTH, level=LEVEL)
    canvas.line([at(0.64, 4.5), at(0.38, 4.5), at(0.38, -4.5), at(0.64, -4.5)], LOAD, WIDTH, level=LEVEL)
    canvas.line([at(0.54, 3.2), at(0.54, -3.2)], LOAD, 2.2, level=LEVEL)
    canvas.line([at(0.54, 0), *_out(a, b, shift, 0.88), b], LOAD, WIDTH, level=LEVEL)


def _out(a: np.ndarray, b: np.ndarray, shift: np.ndarray, share: float) -> list[np.ndarray]:
    """Ends of the short line that connects the line a–b to a symbol displaced from this line by `shift`.

    The short line begins at the fraction `share` of the distance from a to b. The list is empty if `shift` is zero.
    """
    if not shift.any():
        return []
    on_line, beside = a + share * (b - a), a + share * (b - a) + shift
    return [on_line, beside] if share < 0.5 else [beside, on_line]


def force(drawing: Drawing, load: Force) -> np.ndarray:
    """Draw a force as an arrow that ends at its marker; returns the tail of the arrow."""
    canvas, point = drawing.canvas, drawing.scene.point(load.at)
    direction, acting = _direction(drawing, load.force, load.frame, load.at.partition(".")[0])
    tail = point - 38 * canvas.unit * direction
    draw_straight_arrow(canvas, tail, point, LOAD if acting else INACTIVE, level=DRIVE_LEVEL, width=1.8)
    drawing.obstacles.add_line(canvas.page([tail, point]), 2.0, width=4.0)
    return tail


def torque(drawing: Drawing, load: Torque) -> np.ndarray:
    """Draw a torque as an arc with an arrow about its axis at the body's mass centre; returns the mass centre."""
    canvas, centre = drawing.canvas, drawing.scene.point(f"{load.body}.com")
    given = load.torque if isinstance(load.torque, tuple) else (0.0, 0.0, load.torque)
    axis, acting = _direction(drawing, given, load.frame, load.body)
    e1 = across_page(canvas, axis) if canvas.spatial else canvas.right
    e2 = np.cross(axis, e1)
    colour = LOAD if acting else INACTIVE
    arc = draw_turning_arrow(
        canvas, centre, (e1, e2), np.pi / 2, 1, level=DRIVE_LEVEL, radius=12.0, colour=colour
    )
    drawing.obstacles.add_line(canvas.page(arc), 2.0)
    return centre


def joint_spring(drawing: Drawing, load: JointSpring) -> np.ndarray:
    """Draw a joint spring: a spiral about the axis, or a spring and damper along the sliding axis.

    Returns the point next to which the name is placed.
    """
    canvas = drawing.canvas
    site = next(site for site in drawing.scene.sites if site.joint.name == load.joint)
    names = [name for name in site.joint.components(drawing.scene.planar) if name in MOTION_COMPONENTS]
    axis = site.axis(drawing.scene.planar)
    if (load.component or names[0]) in ("slide", "x", "y", "z"):
        zigzag, pot = load.stiffness != 0.0, load.damping != 0.0
        away = 13 + APART if zigzag and pot else 13  # beside the sliding block
        beside = away * canvas.unit * across_page(canvas, axis)
        ends = (site.place + beside + sign * 20 * canvas.unit * axis for sign in (-1, 1))
        _spring_between(drawing, *ends, zigzag=zigzag, pot=pot)
        return site.place + beside
    e1 = across_page(canvas, axis) if canvas.spatial else canvas.right
    e2 = np.cross(axis, e1) if canvas.spatial else canvas.up
    turn = np.linspace(0.0, 5 * np.pi, 90)[:, None]
    radius = canvas.unit * (6.0 + 1.6 * turn / np.pi)
    canvas.line(site.place + radius * (np.cos(turn) * e1 + np.sin(turn) * e2), LOAD, WIDTH, level=LEVEL)
    drawing.obstacles.add_disc(canvas.page(site.place), 14.0)
    return site.place


def bushing(drawing: Drawing, load: Bushing) -> np.ndarray:
    """Draw a bushing as two rings with a filled area between them; returns the midpoint of its markers."""
    canvas = drawing.canvas
    a, b = drawing.scene.point(load.first), drawing.scene.point(load.second)
    middle: np.ndarray = (a + b) / 2
    canvas.dot(middle, 15.0, tinted(LOAD, 0.35), LOAD, level=LEVEL, width=WIDTH)
    canvas.dot(middle, 7.0, PAPER, LOAD, level=LEVEL + 0.01, width=1.1)
    drawing.obstacles.add_disc(canvas.page(middle), 8.0)
    return middle


def stop(drawing: Drawing, load: Stop) -> np.ndarray:
    """Draw a stop as a bar at each limit of a sliding joint, or a spoke at each limit of a rotation.

    Returns a point at the last limit.
    """
    canvas, place = drawing.canvas, np.zeros(3)
    site = next(site for site in drawing.scene.sites if site.joint.name == load.joint)
    axis = site.axis(drawing.scene.planar)
    names = [name for name in site.joint.components(drawing.scene.planar) if name in MOTION_COMPONENTS]
    for end in (value_of(load.low), value_of(load.high)):
        if end is None:
            continue
        if (load.component or names[0]) in ("slide", "x", "y", "z"):
            place, direction = site.F[:, 3] + end * axis, across_page(canvas, axis)
            line = [place - 9 * canvas.unit * direction, place + 9 * canvas.unit * direction]
        else:
            direction = np.cos(end) * site.F[:, 0] + np.sin(end) * site.F[:, 1]
            line = [site.place + 8 * canvas.unit * direction, site.place + 18 * canvas.unit * direction]
            place = line[1]
        canvas.line(line, LOAD, 2.4, level=LEVEL)
        drawing.obstacles.add_line(canvas.page(line), 2.0, width=3.0)
    return place


def friction(drawing: Drawing, load: Friction) -> np.ndarray:
    """Draw friction as two brake pads: hatched arcs about the axis, or hatched lines along the sliding axis.

    Returns the position of the joint.
    """
    canvas = drawing.canvas
    site = next(site for site in drawing.scene.sites if site.joint.name == load.joint)
    names = [name for name in site.joint.components(drawing.scene.planar) if name in MOTION_COMPONENTS]
    axis = site.axis(drawing.scene.planar)
    e1 = across_page(canvas, axis) if canvas.spatial else canvas.right
    e2 = np.cross(axis, e1) if canvas.spatial else canvas.up
    slides = (load.component or names[0]) in ("slide", "x", "y", "z")
    beside = across_page(canvas, axis) if slides else e2
    for side in (-1.0, 1.0):
        if slides:
            along = np.linspace(-11.0, 11.0, 7)[:, None]
            inner, outward = 9.0 * side * beside + along * axis, np.tile(side * beside, (7, 1)) + 0.6 * axis
        else:
            turn = np.pi / 2 * side + np.linspace(-0.8, 0.8, 7)[:, None]
            outward = np.cos(turn) * e1 + np.sin(turn) * e2
            inner = 9.5 * outward
        pad = site.place + canvas.unit * inner
        canvas.line(pad, LOAD, 1.6 * WIDTH, level=LEVEL)
        for foot, direction in zip(pad, outward, strict=True):
            canvas.line(
                np.stack([foot, foot + 4.0 * canvas.unit * direction]), LOAD, 0.6 * WIDTH, level=LEVEL
            )
        drawing.obstacles.add_line(canvas.page(pad + 2.0 * canvas.unit * outward), 2.0, width=4.0)
    return site.place


def _direction(
    drawing: Drawing, components: tuple[Any, ...], frame: str, body: str
) -> tuple[np.ndarray, bool]:
    """Unit vector in the inertial frame along which a load acts in this configuration, and whether the load is
    non-zero.

    A load that is zero in this configuration is drawn as if all its variable components were positive.
    """
    scene = drawing.scene
    found = np.array([*(scene.value(component) or 0.0 for component in components), 0.0, 0.0])[:3]
    acting = bool(found.any())
    if not acting:
        found = np.array([*(isinstance(one, Expression) for one in components), 0.0, 0.0], float)[:3]
    if not found.any():
        found = np.eye(3)[2 if len(components) == 3 else 0]
    if frame == "body":
        found = scene.poses[body][:, :3] @ found
    unit: np.ndarray = found / np.linalg.norm(found)
    return unit, acting


def contact(drawing: Drawing, load: Contact) -> np.ndarray:
    """Draw a contact: a hatched line for the plane and a circle for the ball, or a dot if it has no radius.

    Returns the point of the plane nearest to the centre of the ball.
    """
    canvas, scene = drawing.canvas, drawing.scene
    middle, foot = scene.point(load.first), scene.point(load.second)
    R = scene.frame(load.second)[:, :3]
    n, along = (R[:, 1], R[:, 0]) if scene.planar else (R[:, 2], R[:, 0])
    below: np.ndarray = middle - n * float(np.dot(n, middle - foot))
    ends = [below - 16 * canvas.unit * along, below + 16 * canvas.unit * along]
    canvas.line(ends, LOAD, 1.6 * UNILATERAL_WIDTH, level=LEVEL)
    for share in np.linspace(0.05, 0.95, 7):
        start = ends[0] + share * (ends[1] - ends[0])
        canvas.line(
            [start, start - canvas.unit * (4 * n + 3 * along)], LOAD, 0.6 * UNILATERAL_WIDTH, level=LEVEL
        )
    radius = value_of(load.radius) or 0.0
    if radius:
        turn = np.linspace(0.0, 2 * np.pi, 61)[:, None]
        circle = middle + radius * (np.cos(turn) * along + np.sin(turn) * n)
        canvas.line(circle, LOAD, UNILATERAL_WIDTH, level=LEVEL)
    else:
        canvas.dot(middle, 4.0, LOAD, LOAD, level=LEVEL + 0.01)
    drawing.obstacles.add_line(canvas.page(ends), 2.0, width=6.0)
    return below


def rope(drawing: Drawing, load: Rope) -> np.ndarray:
    """Draw a rope as a line, straight if it is taut and sagging if it is slack; returns its midpoint."""
    canvas = drawing.canvas
    a, b = drawing.scene.point(load.first), drawing.scene.point(load.second)
    apart, length = float(np.linalg.norm(b - a)), drawing.scene.value(load.length) or 0.0
    share = np.linspace(0.0, 1.0, 41)[:, None]
    sag = np.sqrt(max(0.0, 3 / 8 * apart * (length - apart))) if length > apart else 0.0
    down = -canvas.up if not canvas.spatial else np.array([0.0, 0.0, -1.0])
    line = a + share * (b - a) + 4 * sag * share * (1 - share) * down
    canvas.line(line, LOAD, UNILATERAL_WIDTH, level=LEVEL)
    for end in (a, b):
        canvas.dot(end, 4.0, PAPER, LOAD, level=LEVEL + 0.01, width=1.1)
    drawing.obstacles.add_line(canvas.page(line), 1.5, width=3.0)
    middle: np.ndarray = line[20]
    return middle


def freewheel(drawing: Drawing, load: Freewheel) -> np.ndarray:
    """Draw a freewheel as a ratchet about the axis with an arrow in the free direction.

    At a sliding joint it is drawn as teeth along the axis. Returns the position of the joint.
    """
    canvas = drawing.canvas
    site = next(site for site in drawing.scene.sites if site.joint.name == load.joint)
    names = [name for name in site.joint.components(drawing.scene.planar) if name in MOTION_COMPONENTS]
    axis, direction = site.axis(drawing.scene.planar), 1 if load.free == "forward" else -1
    e1 = across_page(canvas, axis) if canvas.spatial else canvas.right
    if (load.component or names[0]) in ("slide", "x", "y", "z"):
        beside = site.place + 11 * canvas.unit * across_page(canvas, axis)
        for k in range(3):
            foot = beside + 7 * (k - 1) * canvas.unit * axis
            tooth = [foot, foot + canvas.unit * (6 * direction * axis + 4 * across_page(canvas, axis))]
            canvas.line(tooth, LOAD, UNILATERAL_WIDTH, level=LEVEL)
        return site.place
    e2 = np.cross(axis, e1) if canvas.spatial else canvas.up
    turn = np.repeat(np.linspace(0.0, 2 * np.pi, 9), 2)[1:-1]
    radius = np.tile([9.0, 12.5], 8) if direction < 0 else np.tile([12.5, 9.0], 8)
    ring = site.place + canvas.unit * radius[:, None] * (
        np.cos(turn)[:, None] * e1 + np.sin(turn)[:, None] * e2
    )
    canvas.line(np.vstack([ring, ring[:1]]), LOAD, UNILATERAL_WIDTH, level=LEVEL)
    draw_turning_arrow(
        canvas, site.place, (e1, e2), np.pi / 2, direction, level=LEVEL, radius=16.0, colour=LOAD
    )
    drawing.obstacles.add_disc(canvas.page(site.place), 18.0)
    return site.place


def backlash(drawing: Drawing, load: Backlash) -> np.ndarray:
    """Draw backlash as a tooth in a wider gap next to every joint concerned; returns the position of the first
    symbol."""
    canvas, places = drawing.canvas, []
    for site in (site for site in drawing.scene.sites if site.joint.name in load.joints):
        axis = site.axis(drawing.scene.planar)
        out = across_page(canvas, axis) if canvas.spatial else canvas.up
        along = np.cross(axis, out) if canvas.spatial else canvas.right
        foot, u = site.place + 9 * canvas.unit * out, canvas.unit
        for side in (-1.0, 1.0):
            flank = [foot + u * (x * side * along + y * out) for x, y in ((11, 0), (5, 0), (4, 9))]
            canvas.line(flank, LOAD, 1.6 * UNILATERAL_WIDTH, level=LEVEL)
        tooth = [foot + u * (x * along + y * out) for x, y in ((-2.6, 11), (-1.2, 2), (1.2, 2), (2.6, 11))]
        canvas.area(np.array(tooth), tinted(LOAD, 0.5), LOAD, UNILATERAL_WIDTH, level=LEVEL)
        drawing.obstacles.add_disc(canvas.page(foot), 11.0)
        places.append(foot)
    return places[0]


LOAD_SYMBOLS: dict[str, Callable[[Drawing, Any], np.ndarray]] = {
    "Load": user_load,
    "Force": force,
    "Torque": torque,
    "Spring": spring,
    "JointSpring": joint_spring,
    "Bushing": bushing,
    "Stop": stop,
    "Backlash": backlash,
    "Friction": friction,
    "Rope": rope,
    "Contact": contact,
    "Freewheel": freewheel,
}


UNILATERAL_WIDTH = 1.3
"""Width of the lines of contacts, ropes, freewheels and backlash, in points of the page."""
