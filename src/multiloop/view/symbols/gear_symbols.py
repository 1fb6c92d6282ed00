"""Symbols of gears, racks and belts: pitch circles with a spoke that shows the rotation, and the spans of belts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from multiloop.model import GROUND, Gearing, body_of, nominal_value
from multiloop.model.gears.belt import WrappedDrive
from multiloop.model.gears.mounting import Axis, mounting_of
from multiloop.spatial import numeric
from multiloop.view.drawing import GROUND_LEVEL, JOINT_LEVEL, Drawing
from multiloop.view.figure import GREY, INK
from multiloop.view.scene import Scene

PITCH = (0, (9, 2.5, 1.5, 2.5))
"""Dash-dot pattern of the pitch circles of gears."""

RACK_REACH = 3.0
"""Half the drawn length of the pitch line of a rack, as a multiple of the radius of the pinion."""


@dataclass(frozen=True, eq=False)
class Wheel:
    """Drawn geometry of a gear, pulley or rack in the inertial frame.

    `rim` are points of the pitch circle or the two ends of the pitch line of a rack; `spoke` are the ends of a line
    that shows the rotation.
    """

    body: str
    rim: np.ndarray
    spoke: np.ndarray | None = None


def wheels_of(scene: Scene, gearing: Gearing) -> tuple[list[Wheel], list[np.ndarray]]:
    """Drawn geometry of the two wheels of a gearing, and the straight spans of a belt (empty for gears)."""
    mounting, plain = mounting_of(scene.mechanism, gearing), gearing.resolved(nominal_value)
    axes, X = mounting.axes(scene.mechanism), scene.poses[mounting.carrier]
    point = numeric(plain.contact(*axes).point).ravel()
    wrapped = plain.pitch_radii if isinstance(plain, WrappedDrive) else (None, None)
    found = []
    for seat, axis, radius in zip(mounting.seats, axes, wrapped, strict=True):
        if axis.turns:
            found.append(_circle(scene, seat.wheel, axis, X, point, radius))
        else:
            reach = RACK_REACH * float(np.linalg.norm(point - numeric(axes[0].p).ravel()))
            ends = np.array([point + sign * reach * numeric(axis.a).ravel() for sign in (-1, 1)])
            found.append(Wheel(body_of(seat.wheel), _in_inertial_axes(X, ends)))
    spans = list(_spans(plain, axes, X)) if isinstance(plain, WrappedDrive) else []
    return found, spans


def gearing_label_line(scene: Scene, gearing: Gearing) -> np.ndarray:
    """Points next to which the name of a gearing is placed.

    They are the point at which the teeth mesh (1 × 3) or, for a belt, the ends of a span (2 × 3).
    """
    mounting, plain = mounting_of(scene.mechanism, gearing), gearing.resolved(nominal_value)
    axes, X = mounting.axes(scene.mechanism), scene.poses[mounting.carrier]
    if isinstance(plain, WrappedDrive):
        return next(_spans(plain, axes, X))
    return _in_inertial_axes(X, numeric(plain.contact(*axes).point).reshape(1, 3))


def _circle(
    scene: Scene, wheel: str, axis: Axis, X: np.ndarray, point: np.ndarray, radius: float | None
) -> Wheel:
    """Pitch circle of a wheel about its axis, which passes through `point` or has the given radius.

    The axis and the point are given in the frame X = [R | p] of a body.
    """
    a, p = (numeric(part).ravel() for part in (axis.a, axis.p))
    middle = p if radius is not None else p + a * (a @ (point - p))
    e = np.cross(a, np.eye(3)[int(np.argmin(np.abs(a)))])
    e = e / np.linalg.norm(e)
    size = float(np.linalg.norm(point - middle)) if radius is None else float(radius)
    turn = np.linspace(0.0, 2 * np.pi, 97)[:, None]
    rim = middle + size * (np.cos(turn) * e + np.sin(turn) * np.cross(a, e))
    centre, F = _in_inertial_axes(X, middle[None])[0], scene.frame(wheel)
    normal = X[:, :3] @ a
    direction = F[:, 0] - (F[:, 0] @ normal) * normal
    if np.linalg.norm(direction) < 0.5:
        direction = F[:, 1] - (F[:, 1] @ normal) * normal
    direction = direction / np.linalg.norm(direction)
    return Wheel(
        body_of(wheel),
        _in_inertial_axes(X, rim),
        np.array([centre + 0.8 * size * direction, centre + size * direction]),
    )


def _spans(belt: WrappedDrive, axes: tuple[Axis, Axis], X: np.ndarray) -> Iterator[np.ndarray]:
    """The two straight spans of a belt, each as its two ends in the inertial frame.

    `axes` are the axes of the pulleys in the frame X = [R | p] of the body that carries them.
    """
    p1, a1, p2 = (numeric(part).ravel() for part in (axes[0].p, axes[0].a, axes[1].p))
    d = p2 - p1
    e = d / np.linalg.norm(d)
    r1, r2 = (float(r) for r in belt.pitch_radii)
    sine = (r1 + r2 if belt.crossed else r1 - r2) / float(np.linalg.norm(d))
    for side in (1, -1):
        n = sine * e + side * np.sqrt(1 - sine**2) * np.cross(a1, e)
        yield _in_inertial_axes(X, np.array([p1 + r1 * n, p2 + (-r2 if belt.crossed else r2) * n]))


def _in_inertial_axes(X: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Transform points (n × 3) from a body frame X = [R | p] to the inertial frame."""
    moved: np.ndarray = points @ X[:, :3].T + X[:, 3]
    return moved


def draw_gearing(drawing: Drawing, gearing: Gearing) -> None:
    """Draw the pitch circles of a gearing in the colours of their bodies, and the spans of a belt as lines."""
    canvas = drawing.canvas
    wheels, spans = wheels_of(drawing.scene, gearing)
    for wheel in wheels:
        colour = GREY if wheel.body == GROUND else drawing.face_and_edge(wheel.body)[1]
        level = _level(drawing, wheel.body)
        canvas.line(wheel.rim, colour, 1.5 if spans else 1.2, level=level, style="-" if spans else PITCH)
        if wheel.spoke is not None:
            canvas.line(wheel.spoke, colour, 2.2, level=level)
            drawing.obstacles.add_line(canvas.page(wheel.spoke), 1.0, width=2.0)
        drawing.obstacles.add_line(canvas.page(wheel.rim), 0.6)
    for span in spans:
        canvas.line(span, INK, 1.5, level=_level(drawing, gearing.first.partition(".")[0]))
        drawing.obstacles.add_line(canvas.page(span), 0.8)


def _level(drawing: Drawing, body: str) -> float:
    """Drawing level of a wheel: in space below its body; in the plane above all bodies, which would cover the wheel."""
    if not drawing.canvas.spatial:
        return JOINT_LEVEL - 0.03
    return GROUND_LEVEL if body == GROUND else drawing.levels[body] - 0.02


def extent_of_gearings(scene: Scene) -> Iterator[np.ndarray]:
    """Points of all pitch circles, which must be inside the page."""
    for coupling in scene.mechanism.couplings:
        if isinstance(coupling, Gearing):
            for wheel in wheels_of(scene, coupling)[0]:
                yield from wheel.rim[::8]
