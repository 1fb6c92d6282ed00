"""Placement of labels in a film: each label keeps its position relative to its object during the whole motion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from multiloop.view.annotation import marker_labels, name_labels, name_places
from multiloop.view.drawing import TEXT_LEVEL, Drawing
from multiloop.view.figure import GREY
from multiloop.view.film.reel import Strand, moving_strand, text_style
from multiloop.view.film.trajectory import Trajectory
from multiloop.view.label_obstacles import Obstacles
from multiloop.view.label_placement import (
    ALONG_SIDE,
    BEYOND,
    CLEARANCE,
    COVERED,
    DISTANCE_COST,
    OVERLAP_COST,
    SHORTEST_LINE,
    TURNS,
    Label,
    label_around,
)
from multiloop.view.symbols.marker_symbols import named_markers
from multiloop.view.symbols.pair_symbols import coupling_line

GAPS = (2.5, 5.0, 8.0, 12.0, 17.0)
"""Gaps that are tried between a label and its object, in points of the page, the preferred gap first."""

ALLOWED_OVERLAP, SHORTEST_SHOWN = 1.0, 0.04
"""Overlap of labels that is permitted, in points of the page, and shortest time for which a label is shown, as a
fraction of the duration of the film."""


@dataclass(frozen=True, eq=False)
class MovingLabel:
    """A label with its candidate positions at all key instants of a film (instants × candidates × 2), and their costs.

    The costs do not take other labels into account.
    """

    label: Label
    places: np.ndarray
    costs: np.ndarray


@dataclass(frozen=True, eq=False)
class PlacedLabel:
    """A label with the positions of its centre at all key instants of a film (instants × 2).

    `shown` states for each instant whether the label is visible.
    """

    label: Label
    centres: np.ndarray
    shown: np.ndarray


def label_strands(
    trajectory: Trajectory,
    drawing: Drawing,
    pages: Mapping[int, Obstacles],
    traced: Sequence[str],
    *,
    parts: bool,
) -> list[Strand]:
    """Labels of traced markers and, with `parts`, of joints, bodies, loads, couplings and other markers, over time.

    `drawing` is the drawing of the first instant; `pages` is the ink on the page at some instants, by their indices.
    Labels with little free space are placed first. A label is hidden while it overlaps one that was placed earlier.
    """
    loads = [(load.name, load_places(trajectory, load.name)[0]) for load in trajectory.mechanism.all_loads]
    labels, styles = name_labels(drawing, loads) if parts else ([], [])
    for marker in traced:
        labels.append(
            label_around(
                marker, drawing.canvas.page(trajectory.path(marker)[0]), 7.5, radius=3.0, kind="trace"
            )
        )
        styles.append({"colour": GREY, "size": 7.5})
    names = [_moving_label(trajectory, drawing, label) for label in labels]
    marks = [mark for mark in named_markers(drawing) if parts and mark.of not in traced]
    more, further = marker_labels(drawing, marks)
    paths = [drawing.canvas.page(trajectory.path(mark.of)) for mark in marks]
    names += [_places_around(label, path) for label, path in zip(more, paths, strict=True)]
    styles += further
    costs = [name.costs + _ink_under(name, pages) for name in names]
    placed: list[PlacedLabel] = []
    found: dict[int, Strand] = {}
    for n in np.argsort([-cost.min() for cost in costs], kind="stable"):
        name = names[n]
        total = costs[n] + sum(OVERLAP_COST * _overlap(name, other, pages) for other in placed)
        placed.append(_place_label(name, int(np.argmin(total)), placed, trajectory.times))
        found[int(n)] = _strand(placed[-1], styles[n])
    return [found[n] for n in range(len(names))]


def load_places(trajectory: Trajectory, name: str) -> np.ndarray:
    """Mean position of the markers of a load, or position of the joint at which it acts, instants × 3."""
    load = next(load for load in trajectory.mechanism.all_loads if load.name == name)
    if load.markers:
        middle: np.ndarray = np.mean([trajectory.path(marker) for marker in load.markers], axis=0)
        return middle
    return trajectory.places(load.joints[0])


def _moving_label(trajectory: Trajectory, drawing: Drawing, label: Label) -> MovingLabel:
    """A label with candidate positions that move with its object.

    The positions are on both sides of a bar, in the middle of and around an area, or around a point.
    """
    page = drawing.canvas.page
    if label.kind == "body":
        corners = page(trajectory.corners[label.words])
        if corners.shape[1] == 2:
            return _places_beside(label, corners)
        centred = _places_around(label, corners.mean(axis=1))
        if corners.shape[1] == 1:
            return centred
        middle = corners.mean(axis=1, keepdims=True)
        places = np.concatenate([middle, centred.places], axis=1)
        return MovingLabel(label, places, np.array([0.0, *centred.costs]))
    if label.kind == "load":
        return _places_around(label, page(load_places(trajectory, label.words)))
    if label.kind == "trace":
        return _places_around(label, page(trajectory.path(label.words)))
    if label.kind == "tie":
        coupling = next(one for one in trajectory.mechanism.couplings if one.name == label.words)
        lines = page(np.array([coupling_line(still, coupling) for still in trajectory.scenes]))
        long = lines.shape[1] == 2 and np.ptp(lines, axis=1).max() > SHORTEST_LINE
        return _places_beside(label, lines) if long else _places_around(label, lines.mean(axis=1))
    joints = [joint.name for joint in trajectory.mechanism.connections]
    names = {name.split("/")[0]: name for name in joints} | {name: name for name in joints}
    first = label.words if label.words in names else label.words.split(", ")[0]
    places = page(
        np.array([name_places(drawing, still.sites_by_name[names[first]]) for still in trajectory.scenes])
    )
    return _places_around(label, places[:, 0]) if places.shape[1] == 1 else _places_beside(label, places)


def _places_around(label: Label, path: np.ndarray) -> MovingLabel:
    """A label with candidate positions around a moving point; `path` is instants × 2."""
    gaps = np.array(GAPS)[:, None]
    ways = np.column_stack([np.cos(TURNS), np.sin(TURNS)])
    away = (label.radius + label.room + gaps[..., None] + label.box / 2) * ways
    costs = DISTANCE_COST * (gaps - GAPS[0]) + 0.02 * np.arange(len(ways))
    return MovingLabel(label, path[:, None] + away.reshape(-1, 2), costs.ravel())


def _places_beside(label: Label, ends: np.ndarray) -> MovingLabel:
    """A label with candidate positions on both sides of a moving bar; `ends` is instants × 2 × 2."""
    way = ends[:, 1] - ends[:, 0]
    normal = np.column_stack([-way[:, 1], way[:, 0]]) / np.maximum(np.hypot(*way.T), 1e-9)[:, None]
    reach = label.radius + np.array(GAPS) + (np.abs(normal) @ label.box / 2)[:, None]  # instants × gaps
    places, costs = [], []
    for rank, share in enumerate(ALONG_SIDE):
        for side in (1.0, -1.0):
            middle = ends[:, 0] + share * way
            places.append(middle[:, None] + side * reach[..., None] * normal[:, None])
            costs.append(0.12 * rank + DISTANCE_COST * (np.array(GAPS) - GAPS[0]))
    return MovingLabel(label, np.concatenate(places, axis=1), np.concatenate(costs))


def _ink_under(name: MovingLabel, pages: Mapping[int, Obstacles]) -> np.ndarray:
    """Cost of each candidate position of a label for the ink that the label covers and for its part outside the page.

    The cost is averaged over `pages`, the ink on the page at some instants by their indices.
    """
    box, found = name.label.box, np.zeros(len(name.costs))
    for k, page in pages.items():
        found += COVERED * page.covered(name.places[k], box + 2 * CLEARANCE) / len(pages)
        found += BEYOND * page.overhang(name.places[k], box) / len(pages)
    return found


def _overlap(name: MovingLabel, other: PlacedLabel, pages: Mapping[int, Obstacles]) -> np.ndarray:
    """Area (square points) in which a label at each candidate position overlaps another label, averaged over time."""
    at = list(pages)
    apart = np.abs(name.places[at] - other.centres[at, None])
    overlap = np.maximum((name.label.box + other.label.box) / 2 + CLEARANCE - apart, 0.0)
    shared: np.ndarray = overlap.prod(axis=2).mean(axis=0)
    return shared


def _place_label(
    name: MovingLabel, place: int, others: Sequence[PlacedLabel], times: np.ndarray
) -> PlacedLabel:
    """The label at its candidate position with the index `place`, hidden while it overlaps another label.

    It is also hidden during short intervals between two overlaps.
    """
    centres, shown = name.places[:, place], np.ones(len(times), bool)
    for other in others:
        apart = np.abs(centres - other.centres) - (name.label.box + other.label.box) / 2
        shown &= ~(other.shown & (apart < -ALLOWED_OVERLAP).all(axis=1))
    edges = np.flatnonzero(np.diff(np.concatenate([[False], shown, [False]]).astype(int)))
    for begin, end in edges.reshape(-1, 2):
        if times[end - 1] - times[begin] < SHORTEST_SHOWN * (times[-1] - times[0]):
            shown[begin:end] = False
    return PlacedLabel(name.label, centres, shown)


def _strand(placed: PlacedLabel, style: Mapping[str, Any]) -> Strand:
    look = text_style(placed.label.words, **style)
    layer = "traces" if placed.label.kind == "trace" else "names"
    strand = moving_strand("text", layer, look, placed.centres[:, None], TEXT_LEVEL)
    return strand if placed.shown.all() else replace(strand, shown=placed.shown)
