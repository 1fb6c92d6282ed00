"""Placement of labels: near their objects, without covering anything, and clear of other labels.

The places are chosen among the candidates of each label by iterated local minimisation of a cost, from several orders.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from multiloop.view.labels import Label
from multiloop.view.obstacles import STEP, Obstacles

SWEEPS = 6
"""Largest number of sweeps in which every label is placed again among the others."""

CLEAR = 2.0
"""Desired free space around a label, in points."""

COVERED, BEYOND, MISTAKEN = 1.5, 6.0, 0.3
"""Costs of covering a spot of ink of weight one, of leaving the page by a point, and of ambiguity by a point."""

DOUBT = 4.0
"""Points by which a label has to be nearer to its object than to any other object of its kind."""

LED, OVER, STRUCK, CROSSING = 0.5, 0.2, 6.0, 2.0
"""Costs of a leader line: for itself, for each spot of ink of weight one that it crosses, for crossing another label or
its point, and for crossing another leader line."""

SHARED = 0.25
"""Cost of each square point of overlap of two labels."""

ALONG = np.linspace(0.0, 1.0, 32)
"""Positions along a leader line at which ink is sampled."""


def place_labels(labels: Sequence[Label], obstacles: Obstacles) -> list[np.ndarray]:
    """The centre of every label: the best placement found from several orders."""
    if not labels:
        return []
    crowd = _Crowd(labels, obstacles)
    room = np.array([costs.min() for costs in crowd.alone])
    orders = [np.arange(len(labels)), np.argsort(-room, kind="stable"), np.argsort(room, kind="stable")]
    tried = [crowd.settle(order) for order in orders]
    return list(min(tried, key=lambda found: found[1])[0])


class _Crowd:
    """Labels with all costs that do not depend on the places of the others.

    `near` are the numbers of the labels that may come near each one, `leads` the leader lines from all places, and
    `alone` the costs of all places without other labels.
    """

    def __init__(self, labels: Sequence[Label], obstacles: Obstacles) -> None:
        self.labels = labels
        self.boxes = np.array([label.box for label in labels])
        self.near = _neighbours(labels)
        self.leads = [label.leads(label.centres) for label in labels]
        self.alone = []
        for label, leads, near in zip(labels, self.leads, self.near, strict=True):
            others = [labels[k] for k in near]
            doubt = np.where(_led(leads), 0.0, _mistaken(label, others))
            cost = _cost_alone(label, leads, obstacles) + MISTAKEN * doubt
            self.alone.append(cost + STRUCK * _points_met(leads, others))

    def settle(self, order: np.ndarray) -> tuple[np.ndarray, float]:
        """Centres and their total cost: labels are placed one after another, then again until none moves."""
        centres, lines = np.full((len(order), 2), np.nan), np.full((len(order), 2, 2), np.nan)
        paid = np.zeros(len(order))
        for _ in range(SWEEPS):
            before = centres.copy()
            for k in order:
                costs = self.alone[k] + self._among(k, centres, lines)
                best = int(costs.argmin())
                centres[k], lines[k], paid[k] = self.labels[k].centres[best], self.leads[k][best], costs[best]
            if np.array_equal(before, centres):
                break
        return centres, float(paid.sum())

    def _among(self, k: int, centres: np.ndarray, lines: np.ndarray) -> np.ndarray:
        """Costs of all places of a label due to the others at their current centres; NaN where not yet placed."""
        label, leads, near = self.labels[k], self.leads[k][:, None], self.near[k]
        struck = _struck(leads, centres[near], self.boxes[near])
        struck = struck.astype(int) + _struck(lines[near], label.centres[:, None], label.box)
        cost: np.ndarray = SHARED * _shared(label.centres, label.box, centres[near], self.boxes[near])
        cost += (STRUCK * struck + CROSSING * _crossing(leads, lines[near])).sum(axis=1)
        return cost


def _cost_alone(label: Label, leads: np.ndarray, obstacles: Obstacles) -> np.ndarray:
    """Costs of all places of a label, with their leader lines, without other labels."""
    room = label.box + 2 * CLEAR
    cost: np.ndarray = label.places[:, 2] + COVERED * obstacles.covered(label.centres, room)
    cost += BEYOND * obstacles.beyond(label.centres, room)
    cost += OVER * _ink_under(leads, obstacles) + LED * _led(leads)
    return cost


def _led(leads: np.ndarray) -> np.ndarray:
    """Mask of the places that have a leader line."""
    led: np.ndarray = np.isfinite(leads[..., 0, 0])
    return led


def _ink_under(leads: np.ndarray, obstacles: Obstacles) -> np.ndarray:
    """Amount of ink that each of several lines crosses; zero for NaN."""
    ways = leads[:, 1] - leads[:, 0]
    spots = leads[:, :1] + ALONG[:, None] * ways[:, None]
    needed = _led(leads)
    ink = np.zeros(len(leads))
    met = obstacles.covered(spots[needed], np.array([STEP, STEP])).mean(axis=1)
    ink[needed] = met * np.hypot(*ways[needed].T) / STEP
    return ink


def _mistaken(label: Label, others: Sequence[Label]) -> np.ndarray:
    """Points by which each place of a label is too near to another object of its kind."""
    gaps = [other.gaps(label.centres, label.box) for other in others if other.kind == label.kind]
    if not gaps:
        return np.zeros(len(label.places))
    own = label.gaps(label.centres, label.box)
    doubt: np.ndarray = np.maximum(own + DOUBT - np.min(gaps, axis=0), 0.0)
    return doubt


def _points_met(leads: np.ndarray, others: Sequence[Label]) -> np.ndarray:
    """Number of labelled points that each of several lines crosses."""
    points = [(*other.thing[0], other.radius) for other in others if len(other.thing) == 1]
    found = np.array(points).reshape(-1, 3)
    met: np.ndarray = _struck(leads[:, None], found[:, :2], 2 * found[:, [2, 2]] - 2.0).sum(axis=1)
    return met


def _neighbours(labels: Sequence[Label]) -> list[np.ndarray]:
    """Numbers of the labels that may come near each label, whatever their places."""
    low = np.array([np.vstack([label.centres - label.box, label.thing]).min(axis=0) for label in labels])
    high = np.array([np.vstack([label.centres + label.box, label.thing]).max(axis=0) for label in labels])
    return [
        np.flatnonzero(((low <= high[k]) & (low[k] <= high)).all(axis=1) & (np.arange(len(labels)) != k))
        for k in range(len(labels))
    ]


def _shared(centres: np.ndarray, box: np.ndarray, others: np.ndarray, boxes: np.ndarray) -> np.ndarray:
    """Area of overlap of a box with others at each of its centres; zero for those not yet placed."""
    overlap = (box + boxes) / 2 + 2.0 - np.abs(centres[:, None] - others)
    area: np.ndarray = np.fmax(overlap, 0.0).prod(axis=2).sum(axis=1)
    return area


def _struck(lines: np.ndarray, centres: np.ndarray, boxes: np.ndarray) -> np.ndarray:
    """Whether a line between two points crosses a box; False for NaN.

    By the separating-axis theorem: they are disjoint if an axis of the box or the normal of the line separates them.
    """
    half = boxes / 2 + 1.0
    away = (lines[..., 0, :] + lines[..., 1, :]) / 2 - centres
    way = (lines[..., 1, :] - lines[..., 0, :]) / 2
    reach = np.abs(way)
    across = np.abs(_cross(way, away))
    meet: np.ndarray = (np.abs(away) < half + reach).all(axis=-1)
    meet &= across < half[..., 0] * reach[..., 1] + half[..., 1] * reach[..., 0]
    return meet


def _crossing(lines: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Whether two segments cross: the ends of each are on different sides of the other."""
    apart: np.ndarray = _on_both_sides(lines, others) & _on_both_sides(others, lines)
    return apart


def _on_both_sides(lines: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Whether the ends of one line are on different sides of another one."""
    way = others[..., 1, :] - others[..., 0, :]
    first, second = (lines[..., k, :] - others[..., 0, :] for k in (0, 1))
    found: np.ndarray = _cross(way, first) * _cross(way, second) < 0
    return found


def _cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    product: np.ndarray = a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    return product
