"""Arrows of a film on the page: one scale for all forces, one for all torques, and a legend with both scales."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from multiloop.view.annotation import round_down
from multiloop.view.canvas import Canvas
from multiloop.view.colours import BEARING, DRIVE, GREY, LOAD
from multiloop.view.drawing import DRIVE_LEVEL, TEXT_LEVEL
from multiloop.view.film.arrows import Arrow
from multiloop.view.film.reel import Strand, moving, resting
from multiloop.view.film.strokes import text_look
from multiloop.view.units import Units

COLOURS = {"bearings": BEARING, "efforts": DRIVE, "loads": LOAD}
WORDS = {"bearings": "forces in the joints", "efforts": "efforts", "loads": "loads"}

LONGEST, SHORTEST = 120.0, 45.0
"""Bounds of the length of the longest force arrow of a film, in points; within them the page determines it."""

WIDEST, RADIUS = np.radians(270.0), 19.0
"""Angle of the arc of the largest torque of a film, and the radius of arcs in points."""

LEVEL = DRIVE_LEVEL + 0.2

BENDS = 25
"""Number of points of an arc."""


@dataclass(frozen=True)
class Scales:
    """Points of the page per newton, radians of an arc per newton metre; 0 without such arrows."""

    force: float
    torque: float


def scales_of(arrows: Sequence[Arrow], canvas: Canvas, page: np.ndarray) -> Scales:
    """Scales with which the longest force arrow is as long as possible within `page` (lower left, upper right)."""
    forces = [arrow for arrow in arrows if not arrow.turning]
    largest = max((arrow.largest for arrow in forces), default=0.0)
    torque = max((arrow.largest for arrow in arrows if arrow.turning), default=0.0)
    share = 1.0
    for arrow in forces:
        at = canvas.page(arrow.at)
        way = (-1 if arrow.pushing else 1) * LONGEST / largest * canvas.unit * (arrow.vector @ canvas.A.T)
        room = np.where(way > 0, page[1] - at, at - page[0])
        share = min(share, float((room / np.maximum(np.abs(way), 1e-9)).min()))
    length = float(np.clip(share, SHORTEST / LONGEST, 1.0)) * LONGEST
    return Scales(length / largest if largest else 0.0, WIDEST / torque if torque else 0.0)


def on_page(arrow: Arrow, canvas: Canvas, scales: Scales) -> np.ndarray:
    """Points of an arrow with the head at the last one: n×2×2 for a force, n×25×2 for the arc of a torque."""
    if arrow.turning:
        return _arc(arrow, canvas, scales.torque)
    at, way = canvas.page(arrow.at), scales.force * canvas.unit * (arrow.vector @ canvas.A.T)
    return np.stack([at - way, at] if arrow.pushing else [at, at + way], axis=1)


def _arc(arrow: Arrow, canvas: Canvas, scale: float) -> np.ndarray:
    """An arc about the axis of a torque, with a fixed start and in the direction of the torque."""
    sizes = np.linalg.norm(arrow.vector, axis=1, keepdims=True)
    usual = arrow.vector[int(sizes.argmax())] / sizes.max()
    usual = usual if usual @ canvas.toward >= 0 else -usual
    axis = np.where(sizes > 1e-6 * sizes.max(), arrow.vector / np.maximum(sizes, 1e-300), usual)
    axis = np.where(axis @ usual[:, None] < 0, -axis, axis)
    hint = canvas.right if abs(usual @ canvas.right) < 0.95 else canvas.up
    e1 = hint - (axis @ hint)[:, None] * axis
    e1 = e1 / np.linalg.norm(e1, axis=1, keepdims=True)
    e2 = np.cross(axis, e1)
    sweep = scale * np.einsum("ti,ti->t", arrow.vector, axis)
    angles = np.pi / 4 + sweep[:, None, None] * np.linspace(0.0, 1.0, BENDS)[:, None]
    rim = RADIUS * canvas.unit * (np.cos(angles) * e1[:, None] + np.sin(angles) * e2[:, None])
    return canvas.page(arrow.at[:, None] + rim)


def arrow_strands(arrows: Sequence[Arrow], canvas: Canvas, scales: Scales) -> list[Strand]:
    """A strand for every arrow."""
    return [
        moving(
            "arrow",
            arrow.layer,
            {"colour": _colour(arrow), "width": 1.9},
            on_page(arrow, canvas, scales),
            LEVEL,
        )
        for arrow in arrows
    ]


def legend(arrows: Sequence[Arrow], scales: Scales, page: np.ndarray) -> list[Strand]:
    """Scale arrows of round values at the bottom right, and the meaning of the colours at the top right."""
    right, low, high = page[1, 0] - 10, page[0, 1], page[1, 1]
    found: list[Strand] = []
    if scales.force:
        size = round_down(60.0 / scales.force)
        length = scales.force * size
        line = [(right - length, low + 10), (right, low + 10)]
        found.append(resting("arrow", "mechanism", {"colour": GREY, "width": 1.9}, line, TEXT_LEVEL))
        look = text_look(_told(size, "force"), GREY, 8.0)
        found.append(resting("text", "mechanism", look, (right - length / 2, low + 20), TEXT_LEVEL))
        right -= max(length, 40.0) + 30
    if scales.torque:
        size = round_down(WIDEST / scales.torque)
        angles = np.pi / 4 + scales.torque * size * np.linspace(0.0, 1.0, BENDS)
        rim = 9.0 * np.column_stack([np.cos(angles), np.sin(angles)]) + (right - 12, low + 12)
        found.append(resting("arrow", "mechanism", {"colour": GREY, "width": 1.9}, rim, TEXT_LEVEL))
        look = text_look(_told(size, "moment"), GREY, 8.0, ha="right")
        found.append(resting("text", "mechanism", look, (right - 28, low + 12), TEXT_LEVEL))
    told = dict.fromkeys((arrow.layer, _words(arrow), _colour(arrow)) for arrow in arrows)
    for n, (layer, words, colour) in enumerate(told):
        look = text_look(words, colour, 8.0, ha="right")
        found.append(resting("text", layer, look, (page[1, 0] - 10, high - 25 - 11 * n), TEXT_LEVEL))
    return found


def _colour(arrow: Arrow) -> str:
    """Colour of an arrow as in a drawing: a known effort has the colour of loads."""
    return LOAD if arrow.known else COLOURS[arrow.layer]


def _words(arrow: Arrow) -> str:
    return f"known {WORDS[arrow.layer]}" if arrow.known else WORDS[arrow.layer]


def _told(size: float, quantity: str) -> str:
    factor, unit = Units().scale(quantity, size)
    return f"{factor * size:g} {unit}"
