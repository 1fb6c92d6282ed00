"""A collocated motion of the internal dynamics: nodes, accelerations at the Gauss points, and interpolation between.

Intervals in which it does not satisfy the equations of motion between the points are split.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from multiloop.questions.inversion.collocation import Gauss

LONGER, MOST = 3.0, 200
"""Ratio of interval lengths outside and within the motion, and the approximate largest number of intervals outside."""

PARTS = 4
"""Largest number of parts into which an interval is split at once."""


@dataclass(frozen=True, eq=False)
class Change:
    """A Newton step: changes of z at the nodes and of w at the Gauss points."""

    z: np.ndarray
    w: np.ndarray


@dataclass(frozen=True, eq=False)
class BendingCourse:
    """Nodes in time, z = (ζ, u) there, and w at the Gauss points: intervals × points × coordinates.

    `defect` is the relative residual of the equations of motion between the points, where it is known.
    """

    rule: Gauss
    nodes: np.ndarray
    z: np.ndarray
    w: np.ndarray
    defect: float = 0.0

    @cached_property
    def h(self) -> np.ndarray:
        """Lengths of the intervals."""
        return np.diff(self.nodes)

    @property
    def size(self) -> int:
        """The number of coordinates."""
        return int(self.z.shape[1]) // 2

    @cached_property
    def times(self) -> np.ndarray:
        """Times of all Gauss points."""
        return np.asarray((self.nodes[:-1, None] + self.h[:, None] * self.rule.c).ravel())

    def within(
        self, x: np.ndarray, which: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """ζ, u, w at places x of [0, 1]: of every interval, or one place for each of the intervals `which`."""
        e = self.size
        if which is None:
            w_x, u_x, z_x = (part[None] for part in self.rule.weights(x))
            h, z, w, at = self.h[:, None, None], self.z[:-1, None], self.w, x[None, :, None]
        else:
            w_x, u_x, z_x = (part[:, None] for part in self.rule.weights(x))
            h, z, w = self.h[which, None, None], self.z[which, None], self.w[which]
            at = x[:, None, None]
        u = z[..., e:] + h * (u_x @ w)
        zeta = z[..., :e] + at * h * z[..., e:] + h**2 * (z_x @ w)
        parts = (zeta, u, np.broadcast_to(w_x @ w, u.shape))
        return tuple(part.reshape(part.shape[0] * part.shape[1], e) for part in parts)  # type: ignore[return-value]

    @property
    def points(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """ζ, u, w at the Gauss points, where the equations are evaluated."""
        h, e = self.h[:, None, None], self.size
        zeta, rate = self.z[:-1, None, :e], self.z[:-1, None, e:]
        u = rate + h * (self.rule.a[None] @ self.w)
        zeta = zeta + self.rule.c[None, :, None] * h * rate + h**2 * (self.rule.second[None] @ self.w)
        return tuple(part.reshape(len(self.times), e) for part in (zeta, u, self.w))  # type: ignore[return-value]

    def at(self, t: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """ζ, u, w at given times."""
        which = np.clip(np.searchsorted(self.nodes, t, side="right") - 1, 0, len(self.h) - 1)
        return self.within((t - self.nodes[which]) / self.h[which], which)

    @property
    def ahead(self) -> np.ndarray:
        """z at the end of every interval."""
        zeta, u, _ = self.within(np.array([1.0]))
        return np.hstack([zeta, u])

    @property
    def gap(self) -> float:
        """Largest discontinuity between successive intervals, relative to the largest value of each entry."""
        size = np.maximum(np.abs(self.z).max(axis=0), 1e-300)
        return float((np.abs(self.ahead - self.z[1:]) / size).max(initial=0.0))

    def changed(self, step: Change, part: float = 1.0) -> BendingCourse:
        """The motion after a part of a Newton step."""
        return BendingCourse(self.rule, self.nodes, self.z + part * step.z, self.w + part * step.w)

    def split(self, parts: np.ndarray) -> BendingCourse:
        """The same motion on finer intervals, each split into the given number of equal parts."""
        inner = [
            np.linspace(a, b, k, endpoint=False)
            for a, b, k in zip(self.nodes[:-1], self.nodes[1:], parts.tolist(), strict=True)
        ]
        nodes = np.append(np.concatenate(inner), self.nodes[-1])
        h = np.diff(nodes)
        times = (nodes[:-1, None] + h[:, None] * self.rule.c).ravel()
        zeta, u, _ = self.at(nodes)
        _, _, w = self.at(times)
        return BendingCourse(self.rule, nodes, np.hstack([zeta, u]), w.reshape(len(h), -1, self.size))


def parts_for(defect: np.ndarray, allowed: float, stages: int) -> np.ndarray:
    """Number of parts for every interval: the defect is proportional to its length to the power `stages`."""
    asked = np.ceil((np.maximum(defect, 1e-300) / allowed) ** (1 / stages))
    return np.where(defect > allowed, np.clip(asked, 2, PARTS), 1).astype(int)


def first_nodes(corners: list[float], before: float, after: float, parts: int) -> np.ndarray:
    """Nodes at all corners and evenly spaced between them; outside, intervals become longer away from the motion."""
    begin, end = corners[0], corners[-1]
    step = (end - begin) / parts
    inner = [
        np.linspace(a, b, max(1, int(np.ceil((b - a) / step - 1e-9))), endpoint=False)
        for a, b in pairwise(corners)
    ]
    early, late = (_drawing_apart(step, length) for length in (before, after))
    return np.concatenate([begin - early[::-1], *inner, [end], end + late])


def _drawing_apart(step: float, length: float) -> np.ndarray:
    """Distances from an end of the motion, each interval a tenth longer than the last, up to a largest length."""
    found, at, h, longest = list[float](), 0.0, step, max(LONGER * step, length / MOST)
    while length - at > 1e-12:
        at = length if at + 1.5 * h > length else at + h
        found.append(at)
        h = min(1.1 * h, longest)
    return np.array(found)
