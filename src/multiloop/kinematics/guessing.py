"""What does a guess say? Which closure it leads to, whether it says all, and how far from it a position is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from multiloop.kinematics.chart import LENGTHS
from multiloop.kinematics.fitting import Fitting, Sayings, said_rows
from multiloop.kinematics.newton import descend
from multiloop.kinematics.parts import Loose, Parts
from multiloop.kinematics.placement import Placement, place_parts
from multiloop.kinematics.requests import Request
from multiloop.model.joints import nearest_turn
from multiloop.spatial import numeric, quaternion_matrix

FIRM = 10.0
"""Weight of what is said of bodies and markers, against joints that contradict it."""

TIES = 1e-3
"""Weight of a joint's miss between bodies that are placed: a slender leg turned about itself seems alike."""

FITTED = 1e-10
"""Joints that miss by less than this fit; the loops are then closed to round-off along a tree."""

ROWS = {"x": [3], "y": [4], "z": [5], "angle": [2], "turn": [0, 1, 2]}
"""Rows of a marker's pose that its components give."""

JITTER = 0.05
"""Coordinates that nobody speaks of begin about this far from zero, where many linkages are singular."""


@dataclass(frozen=True)
class FromGuess:
    """How far a position is from a guess.

    `weighed` sums all that is guessed and puts closures in order. `farthest` is the most that a marker of a body is
    away from where the guess puts it, in characteristic lengths, and `body` which; where a body is not placed whole,
    the most that a guessed value of it is missed by, in characteristic lengths or radians.
    """

    weighed: float = 0.0
    farthest: float = 0.0
    body: str = ""


class Guess:
    """Held and guessed values of the parts of a mechanism."""

    def __init__(self, parts: Parts, held: Sequence[Request], wished: Sequence[Request]) -> None:
        self.parts, self.wished = parts, tuple(wished)
        self._held, self._wished = ([r for r in kind if r.target.on_marker] for kind in (held, wished))
        self._q = parts.neutral + 0.0
        wishes = _set_coordinates(parts, self._q, wished)
        self.fixed = _set_coordinates(parts, self._q, held)
        self.known = wishes | self.fixed

    @property
    def full(self) -> bool:
        """Whether held and guessed values place every body, so that nothing is left to choose."""
        return bool(self.wished) and not self.placement.doubts.any()

    @cached_property
    def coordinates(self) -> dict[str, np.ndarray]:
        """q of every joint as held or guessed, else at zero."""
        return {
            joint.name: self._q[place]
            for joint, place in zip(self.parts.joints, self.parts.q_places, strict=True)
        }

    @cached_property
    def placement(self) -> Placement:
        """The bodies where the values put them, and where they do not say, a little off the zero pose."""
        return self._placement(JITTER * np.sin(1.0 + np.arange(self.parts.rates)))

    def _placement(self, step: np.ndarray) -> Placement:
        q = self.parts.moved(self._q, np.where(self.known, 0.0, step))
        return place_parts(self.parts, q, self.known, self._seats)

    def closed(self, scatter: np.random.Generator | None = None) -> Loose:
        """The position with all joints fitted to which the guess leads.

        Where bodies are left open all that is guessed is held first; where that does not fit, what is said of bodies
        and markers, and at last only what is held. What nobody speaks of begins anywhere with `scatter`.
        """
        placement = self.placement
        if scatter is not None:
            placement = self._placement(scatter.uniform(-np.pi, np.pi, self.parts.rates))
        at = placement.at
        for fixed, said in self._stages():
            fitting, at = Fitting(self.parts, fixed, said), self.parts.read(at, fixed)
            at, rows, _ = descend(fitting, at, allowed=FITTED, least=FITTED, limit=40)
            if np.abs(rows).max(initial=0.0) <= FITTED:
                break
        return at

    def _stages(self) -> Iterator[tuple[np.ndarray, tuple[Sayings, ...]]]:
        """What is held, less and less: coordinates by rate, and what is said of markers."""
        always = self._sayings(self._held)
        firm = (always, replace(self._wishes, weight=FIRM))
        if not self.full:
            yield self.known, firm
        if self._wished and len(self._seats) < len(self.parts.bodies):
            yield self.fixed, firm
        yield self.fixed, (always,)

    # what is said of bodies ---------------------------------------------------------------------------

    @cached_property
    def _seats(self) -> dict[int, np.ndarray]:
        """[R | c] of bodies of which a marker is said whole, point and turn, by held and guessed values together."""
        whole = {"x", "y", "angle"} if self.parts.mechanism.planar else {"x", "y", "z", "turn"}
        spoken: dict[str, dict[str, tuple[float, ...]]] = {}
        for request in (*self._held, *self._wished):
            known = spoken.setdefault(request.target.of, {})
            for component, values in request.by_component():
                known.setdefault(component, values)
        found: dict[int, np.ndarray] = {}
        for of, known in spoken.items():
            if set(known) == whole:
                X, marker = _pose(known), self.parts.frame(of)
                R = X[:, :3] @ marker[:, :3].T
                body = self.parts.index[of.partition(".")[0]]
                found.setdefault(body, np.column_stack([R, X[:, 3] - R @ marker[:, 3]]))
        return found

    @cached_property
    def _wishes(self) -> Sayings:
        return self._sayings(self._wished)

    def _sayings(self, requests: Sequence[Request]) -> Sayings:
        """What is said of markers, as rows."""
        bodies, markers, where = [], [], []
        given = np.zeros((len(requests), 6), bool)
        for k, request in enumerate(requests):
            known = dict(request.by_component())
            given[k, [row for component in known for row in ROWS[component]]] = True
            bodies.append(self.parts.index[request.target.of.partition(".")[0]])
            markers.append(self.parts.frame(request.target.of))
            where.append(_pose(known))
        return Sayings(
            bodies=np.array(bodies, int),
            markers=np.array(markers, float).reshape(-1, 3, 4),
            where=np.array(where, float).reshape(-1, 3, 4),
            given=given,
        )

    # how far a position is away -----------------------------------------------------------------------

    def distance(self, poses: np.ndarray) -> FromGuess:
        """How far bodies at these poses [R | p] of their own frames (n, 3, 4) lie from where they are put."""
        if not self.wished:
            return FromGuess()
        put, at = self.parts.poses(self.placement.at), self.parts.loose(poses)
        placed = [
            (self.parts.farthest(k, poses[k] - put[k]), 1.0, body)
            for k, body in enumerate(self.parts.bodies)
            if not self.placement.doubts[k]
        ]
        said = self._wishes
        owners = said.bodies[np.nonzero(said.given)[0]]
        missed = [
            (float(abs(row)), FIRM, self.parts.bodies[k])
            for row, k in zip(said_rows(said, at, self.parts.length), owners, strict=True)
        ]
        joints = self._joints_missed(at)
        loose = [miss for miss in joints if miss[1] == 1.0]
        whole = {body for _, _, body in placed}
        told = [*placed, *loose, *(miss for miss in missed if miss[2] not in whole)]
        far, _, body = max(told, default=(0.0, 1.0, ""))
        weighed = float(np.linalg.norm([far * weight for far, weight, _ in (*placed, *missed, *joints)]))
        return FromGuess(weighed, far, body)

    def _joints_missed(self, at: Loose) -> list[tuple[float, float, str]]:
        """By how much each coordinate misses its guess; between bodies that the guess places it only breaks ties."""
        found, doubts = [], np.append(self.placement.doubts, 0)
        for request in self.wished:
            joint = self.parts.number.get(request.target.of)
            if joint is None:
                continue
            weight = 1.0 if doubts[list(self.parts.between[joint])].any() else TIES
            own, body = self.parts.joints[joint], self.parts.between[joint][1]
            planar = self.parts.mechanism.planar
            q = own.read(self.parts.relative(at, own), self._q[self.parts.q_places[joint]], planar)
            turning = dict(zip(own.components(planar), own.turning(planar), strict=False))
            for component, values in request.by_component():
                if component == "turn":
                    miss = np.sqrt(max(0.0, 8 * (1 - abs(float(np.dot(q[-4:], values))))))
                else:
                    value = q[own.components(planar).index(component)]
                    value = nearest_turn(value, values[0]) if turning[component] else value
                    miss = abs(value - values[0]) / (self.parts.length if component in LENGTHS else 1.0)
                found.append((float(miss), weight, self.parts.bodies[body] if body >= 0 else own.name))
        return found


def _set_coordinates(parts: Parts, q: np.ndarray, requests: Sequence[Request]) -> np.ndarray:
    """Write what is asked of joints into q; which of all rates are spoken of."""
    given = np.zeros(parts.rates, bool)
    for request in requests:
        joint = parts.number.get(request.target.of)
        if joint is None:
            continue
        names = parts.joints[joint].components(parts.mechanism.planar)
        own, rates = parts.q_places[joint], parts.v_places[joint]
        for component, values in request.by_component():
            if component == "turn":
                q[own.stop - 4 : own.stop], given[rates.stop - 3 : rates.stop] = values, True
            else:
                place = names.index(component)
                q[own.start + place], given[rates.start + place] = values[0], True
    return given


def _pose(known: dict[str, tuple[float, ...]]) -> np.ndarray:
    """[R | p] of a marker from what is said of it, zero where nothing is."""
    X = np.eye(3, 4)
    if "turn" in known:
        X[:, :3] = numeric(quaternion_matrix(known["turn"]))
    elif "angle" in known:
        c, s = np.cos(known["angle"][0]), np.sin(known["angle"][0])
        X[:2, :2] = [[c, -s], [s, c]]
    X[:, 3] = [known.get(axis, (0.0,))[0] for axis in "xyz"]
    return X
