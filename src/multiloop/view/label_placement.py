"""Placement of labels: candidate positions of each label, and the choice of one position per label.

The package adjustText avoids only bounding boxes. Here labels also avoid inclined bars, and may belong to lines and
areas as well as to points.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from multiloop.view.label_obstacles import STEP, Obstacles, contains, nearest_on, segments

CORNERS = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])

LEADER_DISTANCE = 9.0
"""Distance between a label and its object above which a leader line is drawn, in points of the page."""

TURNS = np.linspace(0.0, 2 * np.pi, 24, endpoint=False) + np.pi / 4
"""Directions from a point in which its label may be placed (rad), the preferred direction first."""

ALONG_SIDE = (0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9)
"""Positions along a side of a body at which its label may be placed (0 to 1), the preferred position first."""

POINT_GAPS = (3.5, 5.5, 8.0, 11.0, 14.0, 19.0, 24.0, 30.0, 36.0, 44.0)
"""Gaps that are tried between a label and the point that it labels, in points of the page, the preferred gap first."""

SIDE_GAPS = (3.0, 5.5, 9.0, 14.0, 19.0, 25.0, 31.0, 40.0)
"""Gaps that are tried between a label and the side of a body, in points of the page, the preferred gap first."""

DISTANCE_COST = 0.07
"""Cost of a label position per point of the page by which its gap exceeds the smallest gap."""

SHORTEST_LINE = 8.0
"""Length of a line on the page, in points, below which it is labelled like a point."""

END_SHARE = 0.2
"""Fraction of the length of a bar at each end to which no leader lines are drawn, because joints are there."""


@dataclass(frozen=True, eq=False)
class Label:
    """A label with its candidate positions.

    `thing` is the labelled object as a line through points of the page, `places` are candidate positions of the centre
    of the text, each with a cost.
    """

    words: str
    thing: np.ndarray
    places: np.ndarray  # candidate positions, n × 3: x, y, cost
    box: np.ndarray  # width and height of the text
    radius: float  # half the drawn width of the labelled object
    room: float = (
        0.0  # width of the space around the object that other ink occupies, e.g. the arrow of a drive
    )
    kind: str = ""  # type of the object; a label may be mistaken only for that of an object of the same type

    @property
    def centres(self) -> np.ndarray:
        """Candidate positions of the centre of the text, n × 2."""
        return self.places[:, :2]

    def gaps(self, centres: np.ndarray, box: np.ndarray) -> np.ndarray:
        """Distances of a box from the labelled object, for several centres of the box (… × 2).

        The distance is 0 if the centre is inside the area of the object.
        """
        corners = centres[..., None, :] + CORNERS * box / 2
        to_corners = np.linalg.norm(nearest_on(self.thing, corners) - corners, axis=-1)
        away = np.maximum(np.abs(self.thing - centres[..., None, :]) - box / 2, 0.0)
        gaps = np.minimum(to_corners.min(axis=-1), np.linalg.norm(away, axis=-1).min(axis=-1))
        return np.where(self._inside(centres), 0.0, gaps)

    def leader_lines(self, centres: np.ndarray) -> np.ndarray:
        """Leader lines from the text to the labelled object, for several centres of the text (… × 2).

        Returns the two ends of each line (… × 2 × 2); NaN if no leader line is needed.
        """
        foot, edge = nearest_on(self.thing, centres), self.box / 2 + 1.0
        start = centres + np.clip(foot - centres, -edge, edge)
        length = np.linalg.norm(foot - start, axis=-1, keepdims=True)
        end = foot - self.radius * (foot - start) / np.maximum(length, 1e-9)
        needed = self.gaps(centres, self.box) > self.radius + self.room + LEADER_DISTANCE
        return np.where(needed[..., None, None], np.stack([start, end], axis=-2), np.nan)

    def _inside(self, centres: np.ndarray) -> np.ndarray:
        return contains(self.thing, centres) if len(self.thing) > 2 else np.zeros(centres.shape[:-1], bool)


def label_around(
    words: str,
    anchor: np.ndarray,
    size: float,
    *,
    radius: float,
    room: float = 0.0,
    gaps: Sequence[float] = POINT_GAPS,
    kind: str = "",
) -> Label:
    """Label of a point, the `anchor`, with candidate positions around it in all directions, preferably at the first of
    the gaps.

    `size` is the font size, `radius` the radius of the symbol at the point, and `room` additional free space, in points
    of the page.
    """
    box = text_extent(words, size)
    ways = np.column_stack([np.cos(TURNS), np.sin(TURNS)])
    reach = radius + room + np.array(gaps)[:, None, None] + box / 2
    costs = DISTANCE_COST * (np.array(gaps)[:, None] - gaps[0]) + 0.02 * np.arange(len(ways))
    places = np.concatenate([anchor + reach * ways, costs[..., None]], axis=2)
    return Label(words, anchor[None], places.reshape(-1, 3), box, radius, room, kind)


def label_beside(words: str, ring: np.ndarray, size: float, *, radius: float, kind: str = "") -> Label:
    """Label of a line or area (`ring`), with candidate positions along its sides and in the middle of the area."""
    if np.ptp(ring, axis=0).max() < SHORTEST_LINE:
        return label_around(words, ring[0], size, radius=max(radius, SHORTEST_LINE / 2), kind=kind)
    box = text_extent(words, size)
    places = [_centre_places(ring, box)] if len(ring) > 2 else []
    shares, gaps = np.array(ALONG_SIDE)[:, None, None, None], np.array(SIDE_GAPS)[:, None, None]
    costs = (
        0.1 + 0.12 * np.arange(len(ALONG_SIDE))[:, None, None] + DISTANCE_COST * (gaps[..., 0] - SIDE_GAPS[0])
    )
    for a, b in segments(ring):
        way = b - a
        normal = np.array([-way[1], way[0]]) / (float(np.hypot(*way)) or 1.0)
        reach = radius + gaps + np.abs(normal) @ box / 2
        centres = a + shares * way + reach * np.array([[1.0], [-1.0]]) * normal
        costed = np.broadcast_to(costs[..., None], (*centres.shape[:-1], 1))
        places.append(np.concatenate([centres, costed], axis=-1).reshape(-1, 3))
    thing = ring if len(ring) > 2 else ring + END_SHARE * (ring[::-1] - ring)
    return Label(words, thing, np.vstack(places), box, radius, kind=kind)


def _centre_places(ring: np.ndarray, box: np.ndarray) -> np.ndarray:
    """Candidate positions of a text in the middle of an area, and above and below the middle inside the area."""
    lines = np.array([0.0, -1.0, 1.0, -2.0, 2.0])
    middle = ring[:-1].mean(axis=0)
    places = np.column_stack([np.full(5, middle[0]), middle[1] + 1.5 * box[1] * lines, 0.04 * np.arange(5)])
    inside: np.ndarray = places[contains(ring, places[:, :2]) | (lines == 0.0)]
    return inside


def text_extent(words: str, size: float) -> np.ndarray:
    """Width and height of a text on the page, in points."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    width, _, _ = text_to_path.get_text_width_height_descent(
        words or " ", FontProperties(size=size), ismath=False
    )
    return np.array([width, 0.95 * size])


def escape_dollars(words: str) -> str:
    """Text with escaped dollar signs, so that Matplotlib does not interpret parts of it as formulas."""
    return words.replace("$", r"\$")


SWEEPS = 6
"""Largest number of sweeps over all labels; in each sweep every label is placed again with the others fixed."""

CLEARANCE = 2.0
"""Width of the free space that is desired around a label, in points of the page."""

COVERED, BEYOND, MISTAKEN = 1.5, 6.0, 0.3
"""Costs of a label position: for covering a spot of ink of weight one, for each point by which the label extends beyond
the page, and for each point by which it is too near to another object of the same type."""

AMBIGUITY_DISTANCE = 4.0
"""Distance in points by which a label should be nearer to its object than to any other object of the same type."""

LED, OVER, STRUCK, CROSSING = 0.5, 0.2, 6.0, 2.0
"""Costs of a leader line: a constant cost, the cost for each spot of ink of weight one that it crosses, for crossing
another label or a labelled point, and for crossing another leader line."""

OVERLAP_COST = 0.25
"""Cost of the overlap of two labels per square point of area."""

LEADER_SAMPLES = np.linspace(0.0, 1.0, 32)
"""Positions along a leader line at which ink is sampled."""


def place_labels(labels: Sequence[Label], obstacles: Obstacles) -> list[np.ndarray]:
    """Position of the centre of every label: the best result of placing the labels in several orders."""
    if not labels:
        return []
    crowd = _Labels(labels, obstacles)
    room = np.array([costs.min() for costs in crowd.alone])
    orders = [np.arange(len(labels)), np.argsort(-room, kind="stable"), np.argsort(room, kind="stable")]
    tried = [crowd.place(order) for order in orders]
    return list(min(tried, key=lambda found: found[1])[0])


class _Labels:
    """Labels with the costs of their candidate positions that do not depend on the positions of other labels.

    For each label, `near` are the indices of the labels that may come near to it, `leads` the leader lines from all
    candidate positions, and `alone` the costs of all candidate positions without other labels.
    """

    def __init__(self, labels: Sequence[Label], obstacles: Obstacles) -> None:
        self.labels = labels
        self.boxes = np.array([label.box for label in labels])
        self.near = _neighbours(labels)
        self.leads = [label.leader_lines(label.centres) for label in labels]
        self.alone = []
        for label, leads, near in zip(labels, self.leads, self.near, strict=True):
            others = [labels[k] for k in near]
            doubt = np.where(_has_leader(leads), 0.0, _ambiguity(label, others))
            cost = _cost_alone(label, leads, obstacles) + MISTAKEN * doubt
            self.alone.append(cost + STRUCK * _points_met(leads, others))

    def place(self, order: np.ndarray) -> tuple[np.ndarray, float]:
        """Place the labels one after another in the given order, and repeat this until none moves.

        Returns the centres of the labels and their total cost.
        """
        centres, lines = np.full((len(order), 2), np.nan), np.full((len(order), 2, 2), np.nan)
        paid = np.zeros(len(order))
        for _ in range(SWEEPS):
            before = centres.copy()
            for k in order:
                costs = self.alone[k] + self._interaction_costs(k, centres, lines)
                best = int(costs.argmin())
                centres[k], lines[k], paid[k] = self.labels[k].centres[best], self.leads[k][best], costs[best]
            if np.array_equal(before, centres):
                break
        return centres, float(paid.sum())

    def _interaction_costs(self, k: int, centres: np.ndarray, lines: np.ndarray) -> np.ndarray:
        """Costs of all candidate positions of label k due to the current positions of the other labels.

        Centres of labels that are not yet placed are NaN and cause no cost.
        """
        label, leads, near = self.labels[k], self.leads[k][:, None], self.near[k]
        struck = _crosses_box(leads, centres[near], self.boxes[near])
        struck = struck.astype(int) + _crosses_box(lines[near], label.centres[:, None], label.box)
        cost: np.ndarray = OVERLAP_COST * _overlap(label.centres, label.box, centres[near], self.boxes[near])
        cost += (STRUCK * struck + CROSSING * _lines_cross(leads, lines[near])).sum(axis=1)
        return cost


def _cost_alone(label: Label, leads: np.ndarray, obstacles: Obstacles) -> np.ndarray:
    """Costs of all candidate positions of a label and of their leader lines, without other labels."""
    room = label.box + 2 * CLEARANCE
    cost: np.ndarray = label.places[:, 2] + COVERED * obstacles.covered(label.centres, room)
    cost += BEYOND * obstacles.overhang(label.centres, room)
    cost += OVER * _ink_under(leads, obstacles) + LED * _has_leader(leads)
    return cost


def _has_leader(leads: np.ndarray) -> np.ndarray:
    """Boolean array of the candidate positions that have a leader line."""
    led: np.ndarray = np.isfinite(leads[..., 0, 0])
    return led


def _ink_under(leads: np.ndarray, obstacles: Obstacles) -> np.ndarray:
    """Amount of ink that each of several leader lines crosses; zero for missing lines (NaN)."""
    ways = leads[:, 1] - leads[:, 0]
    spots = leads[:, :1] + LEADER_SAMPLES[:, None] * ways[:, None]
    needed = _has_leader(leads)
    ink = np.zeros(len(leads))
    met = obstacles.covered(spots[needed], np.array([STEP, STEP])).mean(axis=1)
    ink[needed] = met * np.hypot(*ways[needed].T) / STEP
    return ink


def _ambiguity(label: Label, others: Sequence[Label]) -> np.ndarray:
    """For each candidate position of a label, the distance by which it is too near to another object of its type."""
    gaps = [other.gaps(label.centres, label.box) for other in others if other.kind == label.kind]
    if not gaps:
        return np.zeros(len(label.places))
    own = label.gaps(label.centres, label.box)
    doubt: np.ndarray = np.maximum(own + AMBIGUITY_DISTANCE - np.min(gaps, axis=0), 0.0)
    return doubt


def _points_met(leads: np.ndarray, others: Sequence[Label]) -> np.ndarray:
    """Number of other labelled points that each of several leader lines crosses."""
    points = [(*other.thing[0], other.radius) for other in others if len(other.thing) == 1]
    found = np.array(points).reshape(-1, 3)
    met: np.ndarray = _crosses_box(leads[:, None], found[:, :2], 2 * found[:, [2, 2]] - 2.0).sum(axis=1)
    return met


def _neighbours(labels: Sequence[Label]) -> list[np.ndarray]:
    """For each label, the indices of the labels that may come near to it at some of their candidate positions."""
    low = np.array([np.vstack([label.centres - label.box, label.thing]).min(axis=0) for label in labels])
    high = np.array([np.vstack([label.centres + label.box, label.thing]).max(axis=0) for label in labels])
    return [
        np.flatnonzero(((low <= high[k]) & (low[k] <= high)).all(axis=1) & (np.arange(len(labels)) != k))
        for k in range(len(labels))
    ]


def _overlap(centres: np.ndarray, box: np.ndarray, others: np.ndarray, boxes: np.ndarray) -> np.ndarray:
    """Area in which a box at each of its centres overlaps other boxes; zero for boxes that are not yet placed."""
    overlap = (box + boxes) / 2 + 2.0 - np.abs(centres[:, None] - others)
    area: np.ndarray = np.fmax(overlap, 0.0).prod(axis=2).sum(axis=1)
    return area


def _crosses_box(lines: np.ndarray, centres: np.ndarray, boxes: np.ndarray) -> np.ndarray:
    """Whether a line segment crosses a box; False for missing lines or boxes (NaN).

    By the separating-axis theorem, they are disjoint if an axis of the box or the normal of the line separates them.
    """
    half = boxes / 2 + 1.0
    away = (lines[..., 0, :] + lines[..., 1, :]) / 2 - centres
    way = (lines[..., 1, :] - lines[..., 0, :]) / 2
    reach = np.abs(way)
    across = np.abs(_cross(way, away))
    meet: np.ndarray = (np.abs(away) < half + reach).all(axis=-1)
    meet &= across < half[..., 0] * reach[..., 1] + half[..., 1] * reach[..., 0]
    return meet


def _lines_cross(lines: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Whether two line segments cross, that is whether the ends of each are on different sides of the other."""
    apart: np.ndarray = _on_both_sides(lines, others) & _on_both_sides(others, lines)
    return apart


def _on_both_sides(lines: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Whether the ends of one line are on different sides of another line."""
    way = others[..., 1, :] - others[..., 0, :]
    first, second = (lines[..., k, :] - others[..., 0, :] for k in (0, 1))
    found: np.ndarray = _cross(way, first) * _cross(way, second) < 0
    return found


def _cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    product: np.ndarray = a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    return product
