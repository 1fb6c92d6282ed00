"""An equilibrium followed along a parameter, past folds: by the length of the way, not by the parameter.

    r(ζ, x, p) = 0,      (ζ̇, ẋ, ṗ) tangent to it;      predict along the tangent, correct across it

A fold is where ṗ changes its sign: there p is stationary, and known to twice the digits of the way.

Source: [keller], pseudo-arclength continuation.
Differs: the way is measured in the tangent of the tree's coordinates, scaled, and the loops are closed at every step.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from multiloop.kinematics.requests import Request
from multiloop.questions.running.running_away import Deflections
from multiloop.questions.steady.balance import Balance
from multiloop.questions.steady.placing import moved, stand
from multiloop.questions.steady.search import BALANCED, moments, slope, unbalanced_part
from multiloop.questions.steady.small_motion import SmallMotion
from multiloop.questions.steady.standing import Standing

LONGEST, SHORTEST = 0.05, 1e-7
"""Steps along the way, in radians, characteristic lengths, or parts of the parameter's range."""

BEND = 0.985
"""The least cosine between the tangents at two ends of a step."""

MOST = 2000
"""Steps after which the way is left."""

CORRECTIONS = 10
"""Newton steps across the way."""

BRACKETS = 60
"""Steps of the rule of false position between two points."""


@dataclass(frozen=True, eq=False)
class Point:
    """A point of the way, with the unit tangent over [coordinates of the tree, own states, parameter]."""

    standing: Standing
    tangent: np.ndarray
    step: float = 0.0  # from the point before

    @property
    def rising(self) -> float:
        """How fast the parameter rises along the way."""
        return float(self.tangent[-1])


@dataclass(frozen=True, eq=False)
class Continuation:
    """The way of an equilibrium over a parameter from one value to another."""

    balance: Balance
    requests: Sequence[Request]
    parameter: int
    begin: float
    end: float

    @property
    def range(self) -> float:
        """What 1 means in the parameter."""
        return abs(self.end - self.begin)

    def value(self, standing: Standing) -> float:
        """The parameter there."""
        return float(standing.place.p[self.parameter])

    # one step -----------------------------------------------------------------------------------------

    def _matrices(self, standing: Standing) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """r, its derivative by [ζ, x, p], and the way [coordinates, x, p] per unit of these."""
        small, size = SmallMotion(standing), self._size(standing)
        q_p, f_p, x_p = (part * self.range for part in small.along_parameter(self.parameter))
        R = np.column_stack([slope(small, size), np.concatenate([f_p / size, x_p])])
        states = len(standing.x_rate)
        way = np.zeros((len(q_p) + states + 1, R.shape[1]))
        way[: len(q_p), : standing.C_q.shape[1]], way[: len(q_p), -1] = standing.C_q, q_p
        way[len(q_p) :, standing.C_q.shape[1] :] = np.eye(states + 1)
        return np.concatenate([standing.force / size, standing.x_rate]), R, way

    def point(self, standing: Standing, before: np.ndarray | None = None) -> Point:
        """The standing with its tangent, the way it was going, or towards the end of the range."""
        _, R, way = self._matrices(standing)
        ahead = np.zeros(len(way)) if before is None else before
        if before is None:
            ahead[-1] = 1.0 if self.end > self.begin else -1.0
        found, *_ = np.linalg.lstsq(np.vstack([R, ahead @ way]), np.eye(len(R) + 1)[-1], rcond=None)
        tangent = way @ found
        tangent = tangent / np.linalg.norm(tangent)
        return Point(standing, tangent if tangent @ ahead >= 0 else -tangent)

    def _shifted(self, standing: Standing, step: np.ndarray) -> Standing | None:
        """The mechanism a step along the way, with its loops closed."""
        at, n = standing.place, len(standing.v)
        p = at.p.copy()
        p[self.parameter] += step[-1] * self.range
        place = moved(self.balance, at, step[:n], x=self.balance.with_states(at.x, step[n:-1]), p=p)
        return None if place is None else stand(self.balance, place, self.requests)

    def ahead(self, point: Point, h: float) -> Point | None:
        """The point a step of length h ahead; None where the correction does not come to rest."""
        at = self._shifted(point.standing, h * point.tangent)
        for _ in range(CORRECTIONS):
            if at is None:
                return None
            r, R, way = self._matrices(at)
            left = np.vstack([R, point.tangent @ way])
            step, *_ = np.linalg.lstsq(left, np.concatenate([-r, [0.0]]), rcond=None)
            done = np.abs(step).max(initial=0.0) < 1e-13
            if np.abs(step).max(initial=0.0) > 2 * LONGEST:
                return None
            better = at if done else self._shifted(at, way @ step)
            if better is None or (not done and self._worse(at, better)):
                break
            at = better
            if done:
                break
        return self.point(at, point.tangent) if at is not None and self._left(at) <= BALANCED else None

    def _left(self, standing: Standing) -> float:
        """What is out of balance, as a part of the moments that act or that the parameter changes.

        At a fold of a mechanism without loops nothing else is left to compare with: its moments are balanced, and a
        small motion changes none of them.
        """
        return unbalanced_part(standing, self._size(standing))

    def _size(self, standing: Standing) -> float:
        f_p = SmallMotion(standing).along_parameter(self.parameter)[1] * self.range
        return float(max(moments(standing), np.abs(f_p).max(initial=0.0)))

    def _worse(self, one: Standing, other: Standing) -> bool:
        """Whether a correction does not help any more, where balance is reached."""
        return self._left(one) <= BALANCED / 100 and self._left(other) >= self._left(one)

    # the whole way ------------------------------------------------------------------------------------

    def points(self, first: Standing) -> tuple[list[Point], str]:
        """All points from the first on, until the parameter leaves its range or the way ends, and why it does."""
        at, h = self.point(first), 0.2 * LONGEST
        found, links = [at], Deflections(self.balance.equations.skeleton)
        for _ in range(MOST):
            ahead = self.ahead(at, h)
            while ahead is None or ahead.tangent @ at.tangent < BEND:
                h = h / 2
                if h < SHORTEST:
                    return found, "no step led on"
                ahead = self.ahead(at, h)
            low, high = sorted((self.begin, self.end))
            if not low <= self.value(ahead.standing) <= high:
                last = self._at_edge(at, h, low if self.value(ahead.standing) < low else high)
                return (
                    (found, "no step led on") if last is None else ([*found, last], "to the end of the range")
                )
            away = links.first_beyond(np.zeros(1), ahead.standing.place.q[None])
            if away is not None:
                return (
                    found,
                    f"there '{away[1]}' would be deflected by its whole length, and its shapes mean nothing",
                )
            found.append(replace(ahead, step=h))
            at, h = ahead, min(1.4 * h, LONGEST)
        return found, f"left after {MOST} steps"

    def _at_edge(self, at: Point, h: float, edge: float) -> Point | None:
        """The point between here and a step ahead where the parameter has a value."""
        found = self.between(at, h, lambda point: self.value(point.standing) - edge)
        if found is None:
            return None
        place = found.standing.place
        p = np.where(np.arange(len(place.p)) == self.parameter, edge, place.p)
        return replace(found, standing=stand(self.balance, replace(place, p=p), self.requests))

    def between(self, at: Point, h: float, measure: Callable[[Point], float]) -> Point | None:
        """The point within a step of length h where a measure changes its sign."""
        ends, other = [(0.0, measure(at), at)], self.ahead(at, h)
        if other is None or ends[0][1] * measure(other) > 0:
            return None
        ends.append((h, measure(other), other))
        for _ in range(BRACKETS):
            (a, fa, _), (b, fb, _) = ends
            length = b - fb * (b - a) / (fb - fa) if fa != fb else a
            point = self.ahead(at, length)
            if point is None:
                return None
            value = measure(point)
            if value * fb < 0:
                ends[0] = ends[1]
            else:  # the other end stays: it counts half (Illinois), so that it moves at last
                ends[0] = (a, fa / 2, ends[0][2])
            ends[1] = (length, value, point)
            if value == 0.0 or abs(length - b) <= 1e-14 * max(h, 1e-3):
                break
        return replace(ends[1][2], step=ends[1][0])
