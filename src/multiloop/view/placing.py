"""Where does every name stand so that it can be read: near its thing, on nothing else, and clear of other names."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from multiloop.view.labels import Label
from multiloop.view.obstacles import STEP, Obstacles

SWEEPS = 6
"""Most times that every name is placed anew among the others."""

CLEAR = 1.5
"""Points of paper that a name likes to have around it."""

COVERED, BEYOND, MISTAKEN = 1.5, 6.0, 0.3
"""What it costs to cover a spot of ink of weight one, to leave the page by a point, and to stand a point nearer to
another body than to one's own."""

OVER, STRUCK = 0.2, 6.0
"""What it costs when the line to a name runs over a spot of ink, and when it strikes out another name."""

SHARED = 0.25
"""What a square point costs that two names share."""

ALONG = np.linspace(0.0, 1.0, 16)
"""Where the line to a name is looked at."""


def place_labels(labels: Sequence[Label], obstacles: Obstacles) -> list[np.ndarray]:
    """The centre of every label: one after another, then each anew among the others until none moves."""
    alone = [_cost_alone(label, obstacles) for label in labels]
    leads = [label.leads(label.centres) for label in labels]
    boxes = np.array([label.box for label in labels]).reshape(-1, 2)
    centres, lines = np.full((len(labels), 2), np.nan), np.full((len(labels), 2, 2), np.nan)
    neighbours = _neighbours(labels)
    for _ in range(SWEEPS):
        before = centres.copy()
        for k, label in enumerate(labels):
            near = neighbours[k]
            cost = alone[k] + SHARED * _shared(label.centres, label.box, centres[near], boxes[near])
            cost += STRUCK * _crossed(leads[k][:, None], centres[near], boxes[near]).sum(axis=1)
            cost += STRUCK * _crossed(lines[near], label.centres[:, None], label.box).sum(axis=1)
            best = int(cost.argmin())
            centres[k], lines[k] = label.centres[best], leads[k][best]
        if np.array_equal(before, centres):
            break
    return list(centres)


def _cost_alone(label: Label, obstacles: Obstacles) -> np.ndarray:
    """What each place of a name costs if there were no other names."""
    room = label.box + 2 * CLEAR
    cost = label.places[:, 2] + COVERED * obstacles.covered(label.centres, room)
    cost += BEYOND * obstacles.beyond(label.centres, room) + OVER * _ink_under(label, obstacles)
    if label.owner:
        cost += MISTAKEN * obstacles.mistaken(label.centres, label.owner)
    return cost


def _ink_under(label: Label, obstacles: Obstacles) -> np.ndarray:
    """How much ink the line to each place of a name runs over."""
    leads = label.leads(label.centres)
    ways = leads[:, 1] - leads[:, 0]
    spots = leads[:, :1] + ALONG[:, None] * ways[:, None]
    needed = np.isfinite(ways[:, 0])
    ink = np.zeros(len(leads))
    met = obstacles.covered(spots[needed], np.array([STEP, STEP])).mean(axis=1)
    ink[needed] = met * np.hypot(*ways[needed].T) / STEP
    return ink


def _neighbours(labels: Sequence[Label]) -> list[np.ndarray]:
    """The numbers of the labels that may come near each label, wherever both stand."""
    low = np.array([np.vstack([label.centres - label.box, label.thing]).min(axis=0) for label in labels])
    high = np.array([np.vstack([label.centres + label.box, label.thing]).max(axis=0) for label in labels])
    return [
        np.flatnonzero(((low <= high[k]) & (low[k] <= high)).all(axis=1) & (np.arange(len(labels)) != k))
        for k in range(len(labels))
    ]


def _shared(centres: np.ndarray, box: np.ndarray, others: np.ndarray, boxes: np.ndarray) -> np.ndarray:
    """Area that a box shares with others at each of its centres; those without a place yet share none."""
    overlap = (box + boxes) / 2 + 2.0 - np.abs(centres[:, None] - others)
    area: np.ndarray = np.fmax(overlap, 0.0).prod(axis=2).sum(axis=1)
    return area


def _crossed(lines: np.ndarray, centres: np.ndarray, boxes: np.ndarray) -> np.ndarray:
    """Whether a line between two points runs through a box; none where one of them is NaN.

    It does not where an axis of the box, or the normal of the line, keeps the two apart.
    """
    half = boxes / 2 + 1.0
    away = (lines[..., 0, :] + lines[..., 1, :]) / 2 - centres
    reach = np.abs(lines[..., 1, :] - lines[..., 0, :]) / 2
    way = (lines[..., 1, :] - lines[..., 0, :]) / 2
    across = np.abs(way[..., 0] * away[..., 1] - way[..., 1] * away[..., 0])
    meet: np.ndarray = (np.abs(away) < half + reach).all(axis=-1)
    meet &= across < half[..., 0] * reach[..., 1] + half[..., 1] * reach[..., 0]
    return meet
