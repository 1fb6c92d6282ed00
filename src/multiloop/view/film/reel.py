"""Data of a film, independent of the output format: strands, each a stroke with its points over the key instants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from multiloop.view.film.strokes import Stroke

STILL = 0.02
"""Largest displacement in points of the page for which a stroke counts as at rest."""


@dataclass(frozen=True, eq=False)
class Strand:
    """One stroke over K key instants; between two of them its points are interpolated linearly.

    `points` are K×n×2, or 1×n×2 at rest, `levels` K or 1; `shown` is the mask of key instants at which it is visible,
    None for all. A "readout" displays a number: `values` over the key instants, between the texts of its style. `layer`
    is a group that a viewer may hide: "mechanism", "names", "traces", "bearings", "efforts", "loads", "curves".
    """

    kind: str
    layer: str
    look: Mapping[str, Any]
    points: np.ndarray
    levels: np.ndarray
    shown: np.ndarray | None = None
    values: np.ndarray | None = None

    @property
    def rests(self) -> bool:
        """Whether it does not move."""
        return len(self.points) == 1


@dataclass(frozen=True, eq=False)
class Reel:
    """A film: its page in points, its key instants, and its strands.

    `cursor` holds the left and the right end of the time axis on the page and its lower and upper edge, None without
    curves. `speed` is seconds of motion in a second of film.
    """

    name: str
    page: tuple[float, float]
    times: np.ndarray
    speed: float
    strands: Sequence[Strand]
    cursor: tuple[float, float, float, float] | None = None
    layers: tuple[str, ...] = field(default=())

    @property
    def orders(self) -> list[tuple[int, np.ndarray]]:
        """Drawing orders of the strands, each with the key instant from which it is valid."""
        levels = np.array([np.broadcast_to(strand.levels, len(self.times)) for strand in self.strands])
        found: list[tuple[int, np.ndarray]] = []
        for k, order in enumerate(np.argsort(levels, axis=0, kind="stable").T):
            if not found or (order != found[-1][1]).any():
                found.append((k, order))
        return found


def resting(kind: str, layer: str, look: Mapping[str, Any], points: Any, level: float) -> Strand:
    """A strand that does not move."""
    return Strand(kind, layer, look, np.asarray(points, float).reshape(1, -1, 2), np.array([level]))


def moving(kind: str, layer: str, look: Mapping[str, Any], points: np.ndarray, level: float) -> Strand:
    """A strand with points over the key instants, K×n×2."""
    return Strand(kind, layer, look, _thin(points), np.array([level]))


def strands_of(frames: Sequence[Sequence[Stroke]], layer: str = "mechanism") -> list[Strand]:
    """Strands from the strokes of the drawings of all key instants.

    An object that is drawn differently at some instants, such as a spring too short to be seen, has a set of strands
    for each variant, of which one is shown at a time.
    """
    ways: dict[tuple[str, Any], dict[int, list[Stroke]]] = {}
    for k, strokes in enumerate(frames):
        for thing, drawn in _by_thing(strokes).items():
            signature = tuple((stroke.kind, stroke.look, len(stroke.points)) for stroke in drawn)
            ways.setdefault((thing, signature), {})[k] = drawn
    found = []
    for drawings in ways.values():
        there = np.array(list(drawings))
        nearest = there[np.abs(there[:, None] - np.arange(len(frames))).argmin(axis=0)]
        shown = None if len(there) == len(frames) else np.isin(np.arange(len(frames)), there)
        for n, first in enumerate(drawings[int(there[0])]):
            points = np.array([drawings[int(k)][n].points for k in nearest])
            levels = np.array([drawings[int(k)][n].level for k in nearest])
            level = levels[:1] if np.ptp(levels) == 0 else levels
            found.append(Strand(first.kind, layer, dict(first.look), _thin(points), level, shown))
    return found


def _by_thing(strokes: Sequence[Stroke]) -> dict[str, list[Stroke]]:
    things: dict[str, list[Stroke]] = {}
    for stroke in strokes:
        things.setdefault(stroke.thing, []).append(stroke)
    return things


def _thin(points: np.ndarray) -> np.ndarray:
    """Points over the key instants; those of a stroke at rest are kept once."""
    return points[:1] if float(np.ptp(points, axis=0).max(initial=0.0)) < STILL else points
