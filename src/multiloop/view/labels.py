"""Where does a name stand so that it can be read: near its thing, and on nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

STEP = 3.0
"""Distance in points between the samples that stand for a drawn line."""

SWEEPS = 3
"""Times that every name is placed anew among the others."""

LED = np.linspace(0.0, 1.0, 16)
"""Where the thin line from a name that stands off is looked at, from its thing to the middle of the name."""

LINE, CROSSED = 0.2, 6.0
"""What such a line costs for every sample that it runs over, and for a name that it strikes out."""

FAR = 9.0
"""Points between a name and its thing from which a line is needed."""

TURNS = np.linspace(0.0, 2 * np.pi, 24, endpoint=False) + np.pi / 4


@dataclass(frozen=True, eq=False)
class Label:
    """A name with the places it may take, best first.

    `thing` is what it belongs to, a line through page points; `places` are centres of its box, each with what
    it costs to stand there rather than at the first.
    """

    words: str
    thing: np.ndarray
    places: np.ndarray  # n×3: x, y, cost
    box: np.ndarray  # width, height
    radius: float  # how far the thing reaches around its line
    owner: str = ""  # the body whose name it is
    led: bool = False  # whether a thin line runs to it from where it stands off

    def leads(self) -> np.ndarray:
        """Points of the line from its thing to each of its places, where there is one: places × points × 2."""
        way = LED[None, :, None] * (self.places[:, None, :2] - self.thing[0])
        edge = (np.abs(way - way[:, -1:, :]) - self.box / 2).max(axis=2)
        drawn = (edge > 0) & self.stands_off(self.places[:, :2])[:, None]
        return np.where(drawn[:, :, None], self.thing[0] + way, np.nan)

    def stands_off(self, centres: np.ndarray) -> np.ndarray:
        """Whether it is so far from its thing that a line is needed, at each of several centres."""
        far: np.ndarray = self.led & ((np.abs(centres - self.thing[0]) - self.box / 2).max(axis=-1) > FAR)
        return far


@dataclass
class Obstacles:
    """What names must not cover, as weighted samples on the page, and the page itself."""

    page: np.ndarray  # 2×2: lower left, upper right
    samples: list[np.ndarray] = field(default_factory=list)
    owned: dict[str, list[np.ndarray]] = field(default_factory=dict)

    def add_line(
        self, points: np.ndarray, weight: float = 1.0, *, width: float = 0.0, owner: str = ""
    ) -> None:
        """A line through page points; a wide one counts at both its edges too. `owner` is its body."""
        if owner:
            self.owned[owner] = [points]
        for a, b in pairwise(points):
            length = float(np.hypot(*(b - a)))
            way = np.linspace(0.0, 1.0, max(2, int(length / STEP) + 1))[:, None]
            normal = np.array([a[1] - b[1], b[0] - a[0]]) / max(length, 1e-9)
            for shift in (0.0, width / 2, -width / 2) if width else (0.0,):
                self._add(a + shift * normal + way * (b - a), weight)
            if owner:
                self.owned[owner].append(a + way * (b - a))

    def add_disc(self, centre: np.ndarray, radius: float, weight: float = 3.0) -> None:
        """A round spot on the page."""
        ring = radius * np.column_stack([np.cos(TURNS[::3]), np.sin(TURNS[::3])])
        self._add(centre + np.vstack([ring, ring / 2, [[0.0, 0.0]]]), weight)

    def crowd(self, centre: np.ndarray, reach: float) -> float:
        """How much lies within a distance of a page point."""
        found = self._all()
        return float(found[np.hypot(*(found[:, :2] - centre).T) < reach, 2].sum())

    def covered(self, centres: np.ndarray, box: np.ndarray) -> np.ndarray:
        """How much a box would cover at each of several centres, leaving the page included."""
        found = self._all()
        half = box / 2 + 1.5
        inside = (np.abs(found[None, :, :2] - centres[:, None, :]) < half).all(axis=2)
        beyond = np.maximum(self.page[0] - (centres - half), 0) + np.maximum(centres + half - self.page[1], 0)
        weight: np.ndarray = inside @ found[:, 2] + 4 * beyond.sum(axis=1)
        return weight

    def crossed(self, label: Label) -> np.ndarray:
        """How much the line to a name's thing would run over, at each of its places."""
        found, ways = self._all(), label.leads()
        near = np.abs(ways[:, :, None, :] - found[None, None, :, :2]).max(axis=3) < STEP / 2
        weight: np.ndarray = near.any(axis=1) @ found[:, 2]
        return weight

    def mistaken(self, centres: np.ndarray, owner: str) -> np.ndarray:
        """How much nearer another body is than the one whose name would stand at these centres, in points."""
        if owner not in self.owned:
            return np.zeros(len(centres))
        own = _distance(centres, self.owned[owner])
        others = _distance(
            centres, [line for name, found in self.owned.items() if name != owner for line in found]
        )
        nearer: np.ndarray = np.maximum(own + 4.0 - others, 0.0)
        return nearer

    def _add(self, points: np.ndarray, weight: float) -> None:
        self.samples.append(np.column_stack([points, np.full(len(points), weight)]))

    def _all(self) -> np.ndarray:
        return np.vstack([np.zeros((0, 3)), *self.samples])


def around(
    words: str,
    anchor: np.ndarray,
    size: float,
    *,
    radius: float,
    gaps: Sequence[float] = (3.5, 8.0, 14.0, 24.0, 36.0),
    led: bool = False,
) -> Label:
    """A name that may stand anywhere around a point, best at the first of the gaps from it."""
    box = extent(words, size)
    ways = np.column_stack([np.cos(TURNS), np.sin(TURNS)])
    places = []
    for ring, gap in enumerate(gaps):
        centres = anchor + ways * (radius + gap) + ways * box / 2
        places.append(np.column_stack([centres, 0.6 * ring + 0.02 * np.arange(len(ways))]))
    return Label(words, anchor[None], np.vstack(places), box, radius, led=led)


def beside(words: str, ring: np.ndarray, size: float, *, radius: float) -> Label:
    """The name of a body, which may stand beside its lines or in the middle of its area."""
    box = extent(words, size)
    middle = ring[:-1].mean(axis=0) if len(ring) > 2 else ring.mean(axis=0)
    places = [np.array([[*middle, 0.0]])] if len(ring) > 2 else []
    for a, b in pairwise(ring):
        length = float(np.hypot(*(b - a))) or 1.0
        normal = np.array([a[1] - b[1], b[0] - a[0]]) / length
        for k, share in enumerate((0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9)):
            for ring_number, gap in enumerate((3.0, 9.0, 19.0, 31.0)):
                reach = radius + gap + np.abs(normal) @ box / 2
                cost = 0.1 + 0.12 * k + 0.6 * ring_number
                for side in (1, -1):
                    places.append(np.array([[*(a + share * (b - a) + side * reach * normal), cost]]))
    if len(ring) == 1:
        return around(words, ring[0], size, radius=radius)
    return Label(words, ring, np.vstack(places), box, radius, owner=words)


def extent(words: str, size: float) -> np.ndarray:
    """Width and height of words on the page, in points."""
    from matplotlib.textpath import TextPath

    return np.array([TextPath((0, 0), plain(words) or " ", size=size).get_extents().width, 0.95 * size])


def plain(words: str) -> str:
    """Words as matplotlib takes them literally: a dollar sign begins no formula."""
    return words.replace("$", r"\$")


def placed(labels: Sequence[Label], obstacles: Obstacles) -> list[np.ndarray]:
    """The centre of every label: one after another, then each anew among the others."""
    fixed = []
    for label in labels:
        cost = label.places[:, 2] + 1.5 * obstacles.covered(label.places[:, :2], label.box)
        if label.led:
            cost += LINE * obstacles.crossed(label)
        if label.owner:
            cost += 0.3 * obstacles.mistaken(label.places[:, :2], label.owner)
        fixed.append(cost)
    centres: list[np.ndarray | None] = [None] * len(labels)
    for _ in range(SWEEPS):
        for k, label in enumerate(labels):
            cost = fixed[k].copy()
            for other, centre in zip(labels, centres, strict=True):
                if other is not label and centre is not None:
                    cost += 0.25 * _shared(label, other.box, centre)
                    cost += CROSSED * _struck(label, other, centre)
            centres[k] = label.places[int(cost.argmin()), :2]
    return [centre for centre in centres if centre is not None]


def _struck(label: Label, other: Label, centre: np.ndarray) -> np.ndarray:
    """Whether the line of one of two names would run through the other, at each place of the first."""
    found: np.ndarray = (np.abs(label.leads() - centre) < other.box / 2 + 1.0).all(axis=2).any(axis=1)
    if other.stands_off(centre):
        line = other.thing[0] + LED[:, None] * (centre - other.thing[0])
        inside = np.abs(line[None] - label.places[:, None, :2]) < label.box / 2 + 1.0
        found |= inside.all(axis=2).any(axis=1)
    return found


def _distance(centres: np.ndarray, lines: list[np.ndarray]) -> np.ndarray:
    """From each of several centres to the nearest sample of lines."""
    if not lines:
        return np.full(len(centres), np.inf)
    nearest: np.ndarray = np.linalg.norm(centres[:, None] - np.vstack(lines)[None], axis=2).min(axis=1)
    return nearest


def _shared(label: Label, box: np.ndarray, centre: np.ndarray) -> np.ndarray:
    """Area that a label would share with another one, at each of its places."""
    overlap = (label.box + box) / 2 + 2.0 - np.abs(label.places[:, :2] - centre)
    area: np.ndarray = np.prod(np.maximum(overlap, 0.0), axis=1)
    return area
