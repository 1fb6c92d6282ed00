"""Pseudo-arclength continuation of an equilibrium over a parameter, past fold points.

    r(ζ, x, p) = 0,      (ζ̇, ẋ, ṗ) tangent to the branch;      predictor along the tangent, corrector normal to it

At a fold point ṗ changes its sign: p is stationary there, and known to twice the digits of the arclength.

Source: [keller], pseudo-arclength continuation.
Differs: arclength is measured in the scaled tangent of the tree's coordinates; the loops are closed at each step.
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
"""Largest and smallest arclength step, in radians, characteristic lengths, or parts of the parameter's range."""

BEND = 0.985
"""Smallest cosine of the angle between the tangents at both ends of a step."""

MOST = 2000
"""Number of steps after which the continuation ends."""

CORRECTIONS = 10
"""Newton steps of the corrector."""

BRACKETS = 60
"""Steps of regula falsi between two points."""


@dataclass(frozen=True, eq=False)
class Point:
    """A point of the branch with its unit tangent over [coordinates of the tree, state variables, parameter]."""

    standing: Standing
    tangent: np.ndarray
    step: float = 0.0  # length of the step from the previous point

    @property
    def rising(self) -> float:
        """Derivative of the parameter with respect to arclength."""
        return float(self.tangent[-1])


@dataclass(frozen=True, eq=False)
class Continuation:
    """Continuation of an equilibrium over a parameter from one value to another."""

    balance: Balance
    requests: Sequence[Request]
    parameter: int
    begin: float
    end: float

    @property
    def range(self) -> float:
        """Scale of the parameter."""
        return abs(self.end - self.begin)

    def value(self, standing: Standing) -> float:
        """Value of the parameter at a steady state."""
        return float(standing.place.p[self.parameter])

    # one step -----------------------------------------------------------------------------------------

    def _matrices(self, standing: Standing) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """r, its derivative with respect to [ζ, x, p], and the change of [coordinates, x, p] per unit of these."""
        small, size = SmallMotion(standing), self._size(standing)
        q_p, f_p, x_p = (part * self.range for part in small.along_parameter(self.parameter))
        R = np.column_stack([slope(small, size), np.concatenate([f_p / size, x_p])])
        states = len(standing.x_rate)
        way = np.zeros((len(q_p) + states + 1, R.shape[1]))
        way[: len(q_p), : standing.C_q.shape[1]], way[: len(q_p), -1] = standing.C_q, q_p
        way[len(q_p) :, standing.C_q.shape[1] :] = np.eye(states + 1)
        return np.concatenate([standing.force / size, standing.x_rate]), R, way

    def point(self, standing: Standing, before: np.ndarray | None = None) -> Point:
        """The steady state with its tangent, in the direction `before`, or towards the end of the range."""
        _, R, way = self._matrices(standing)
        ahead = np.zeros(len(way)) if before is None else before
        if before is None:
            ahead[-1] = 1.0 if self.end > self.begin else -1.0
        found, *_ = np.linalg.lstsq(np.vstack([R, ahead @ way]), np.eye(len(R) + 1)[-1], rcond=None)
        tangent = way @ found
        tangent = tangent / np.linalg.norm(tangent)
        return Point(standing, tangent if tangent @ ahead >= 0 else -tangent)

    def _shifted(self, standing: Standing, step: np.ndarray) -> Standing | None:
        """The mechanism after a step along the branch, with its loops closed; None if they do not close."""
        at, n = standing.place, len(standing.v)
        p = at.p.copy()
        p[self.parameter] += step[-1] * self.range
        place = moved(self.balance, at, step[:n], x=self.balance.with_states(at.x, step[n:-1]), p=p)
        return None if place is None else stand(self.balance, place, self.requests)

    def ahead(self, point: Point, h: float) -> Point | None:
        """The next point after a step of length h; None if the corrector does not converge."""
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
        """Unbalanced moment, relative to the acting moments or to their change with the parameter.

        The latter is needed at a fold point of a mechanism without loops, where the other measures vanish.
        """
        return unbalanced_part(standing, self._size(standing))

    def _size(self, standing: Standing) -> float:
        f_p = SmallMotion(standing).along_parameter(self.parameter)[1] * self.range
        return float(max(moments(standing), np.abs(f_p).max(initial=0.0)))

    def _worse(self, one: Standing, other: Standing) -> bool:
        """Whether equilibrium is reached and a correction brings no further improvement."""
        return self._left(one) <= BALANCED / 100 and self._left(other) >= self._left(one)

    # whole branch -------------------------------------------------------------------------------------

    def points(self, first: Standing) -> tuple[list[Point], str]:
        """All points from the first one until the parameter leaves its range or no step succeeds, and the reason."""
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
        """The point within a step at which the parameter has the value `edge`."""
        found = self.between(at, h, lambda point: self.value(point.standing) - edge)
        if found is None:
            return None
        place = found.standing.place
        p = np.where(np.arange(len(place.p)) == self.parameter, edge, place.p)
        return replace(found, standing=stand(self.balance, replace(place, p=p), self.requests))

    def between(self, at: Point, h: float, measure: Callable[[Point], float]) -> Point | None:
        """The point within a step of length h at which a measure changes its sign."""
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
            else:  # the other end is retained with half its value (Illinois), so that it moves eventually
                ends[0] = (a, fa / 2, ends[0][2])
            ends[1] = (length, value, point)
            if value == 0.0 or abs(length - b) <= 1e-14 * max(h, 1e-3):
                break
        return replace(ends[1][2], step=ends[1][0])
