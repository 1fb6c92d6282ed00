"""A guess of a position: where it places the bodies, the closed position that it leads to, and the distance from it.

Assembly modes are compared by how far they deviate from the guessed values gᵢ, the root of the sum of squares

    d = √ Σ mᵢ²,      mᵢ = |qᵢ − gᵢ| of an angle, |pᵢ − gᵢ| / l of a place or a length

of angles in radians, on the nearest turn, and of places in characteristic lengths l. The orientation of a marker in
space counts by the angle of the rotation from its guess.
"""

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
"""Weight of guessed poses of bodies and markers in the first fit, relative to joints that contradict them."""

TIES = 1e-3
"""Weight of default values, such as the default length of a strut, relative to guesses of the user."""

FAR_ANGLE, FAR_PLACE = 0.5, 0.1
"""Larger deviations from a guessed angle, in radians, or position, in characteristic lengths, are reported."""

FITTED = 1e-10
"""Residual below which joints fit; the loops are then closed to round-off along a tree."""

ROWS = {"x": [3], "y": [4], "z": [5], "angle": [2], "turn": [0, 1, 2]}
"""Rows of the pose of a marker that its components prescribe."""

JITTER = 0.05
"""Initial magnitude of unspecified coordinates: many linkages are singular where these are zero."""


@dataclass(frozen=True)
class Miss:
    """Deviation of a position from one guessed value.

    `amount` is in radians or metres, according to `unit`; `relative` is in radians or characteristic lengths.
    """

    name: str
    amount: float
    unit: str
    relative: float

    @property
    def far(self) -> bool:
        """Whether it is large enough to be reported."""
        return self.relative > (FAR_ANGLE if self.unit == "rad" else FAR_PLACE)

    def __str__(self) -> str:
        return f"'{self.name}' by {self.amount:.2g} {self.unit}"


@dataclass(frozen=True)
class FromGuess:
    """Distance of a position from a guess.

    `weighed` is the measure d by which assembly modes are compared, and `missed` are the deviations that are large
    enough to be reported, the largest first. `farthest` is the largest distance of a marker of a body from where the
    guess places it, in characteristic lengths, and `body` is this body; for a body whose pose is not completely guessed
    it is the largest deviation from its guessed values, in characteristic lengths or radians.
    """

    weighed: float = 0.0
    farthest: float = 0.0
    body: str = ""
    missed: tuple[Miss, ...] = ()


class Guess:
    """Held and guessed values of a mechanism; `usual` are default guesses that the user has not given."""

    def __init__(
        self, parts: Parts, held: Sequence[Request], guessed: Sequence[Request], usual: Sequence[Request] = ()
    ) -> None:
        self.parts, self._given, self._usual = parts, tuple(guessed), tuple(usual)
        self.wished = (*self._given, *self._usual)
        self._held, self._wished = ([r for r in kind if r.target.on_marker] for kind in (held, self.wished))
        self._q = parts.neutral + 0.0
        wishes = _set_coordinates(parts, self._q, self.wished)
        self.fixed = _set_coordinates(parts, self._q, held)
        self.known = wishes | self.fixed

    @property
    def full(self) -> bool:
        """Whether held and guessed values determine the pose of every body."""
        return bool(self.wished) and not self.placement.doubts.any()

    @cached_property
    def coordinates(self) -> dict[str, np.ndarray]:
        """q of every joint: held or guessed values, else zero."""
        return {
            joint.name: self._q[place]
            for joint, place in zip(self.parts.joints, self.parts.q_places, strict=True)
        }

    @cached_property
    def placement(self) -> Placement:
        """The bodies at held and guessed values; unspecified coordinates are slightly off zero."""
        return self._placement(JITTER * np.sin(1.0 + np.arange(self.parts.rates)))

    def _placement(self, step: np.ndarray) -> Placement:
        q = self.parts.moved(self._q, np.where(self.known, 0.0, step))
        return place_parts(self.parts, q, self.known, self._seats)

    def closed(self, scatter: np.random.Generator | None = None) -> Loose:
        """The position with fitted joints that the guess leads to.

        If some bodies are not placed, all guessed values are held in a first fit; where that fails, only guessed poses
        of bodies and markers, and finally only held values. With `scatter` unspecified coordinates start at random.
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
        """Stages of the fit with fewer and fewer values held: fixed coordinates by rate, and prescribed markers."""
        always = self._sayings(self._held)
        firm = (always, replace(self._wishes, weight=FIRM))
        if not self.full:
            yield self.known, firm
        if self._wished and len(self._seats) < len(self.parts.bodies):
            yield self.fixed, firm
        yield self.fixed, (always,)

    # prescribed poses ---------------------------------------------------------------------------------

    @cached_property
    def _seats(self) -> dict[int, np.ndarray]:
        """[R | c] of bodies with a marker whose position and orientation are completely held or guessed."""
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
        """Requested poses of markers as rows of the fit."""
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

    # distance of a position ---------------------------------------------------------------------------

    def distance(self, poses: np.ndarray) -> FromGuess:
        """Distance from the guess of bodies at these poses [R | p] of their frames, (n, 3, 4)."""
        if not self.wished:
            return FromGuess()
        put, at = self.parts.poses(self.placement.at), self.parts.loose(poses)
        placed = [
            (self.parts.farthest(k, poses[k] - put[k]), body)
            for k, body in enumerate(self.parts.bodies)
            if not self.placement.doubts[k]
        ]
        whole, said = {body for _, body in placed}, self._wishes
        owners = [self.parts.bodies[k] for k in said.bodies[np.nonzero(said.given)[0]]]
        rows = zip(said_rows(said, at, self.parts.length), owners, strict=True)
        loose = [(float(abs(row)), body) for row, body in rows if body not in whole]
        loose += self._loose_joints(at)
        far, body = max([*placed, *loose], default=(0.0, ""))
        missed = self._misses(at, self._given)
        usual = self._misses(at, self._usual)
        weighed = _root_of_squares(missed) + TIES * _root_of_squares(usual)
        reported = sorted((m for m in missed if m.far), key=lambda miss: -miss.relative)
        return FromGuess(weighed, far, body, tuple(reported))

    def _misses(self, at: Loose, requests: Sequence[Request]) -> list[Miss]:
        """Deviations from the given guesses; the position of a marker counts as one value."""
        found: list[Miss] = []
        for request in requests:
            joint = self.parts.number.get(request.target.of)
            found += (
                self._marker_misses(at, request) if joint is None else self._joint_misses(at, request, joint)
            )
        return found

    def _marker_misses(self, at: Loose, request: Request) -> list[Miss]:
        length, name = self.parts.length, request.target.of.removesuffix(".origin")
        said = self._sayings([request])
        rows, given = said_rows(said, at, length), np.nonzero(said.given[0])[0]
        turn, point = (float(np.linalg.norm(rows[part])) for part in (given < 3, given >= 3))
        found = [Miss(name, turn, "rad", turn)] if (given < 3).any() else []
        return [*found, Miss(name, length * point, "m", point)] if (given >= 3).any() else found

    def _joint_misses(self, at: Loose, request: Request, joint: int) -> list[Miss]:
        own, planar, length = self.parts.joints[joint], self.parts.mechanism.planar, self.parts.length
        q = own.read(self.parts.relative(at, own), self._q[self.parts.q_places[joint]], planar)
        names, found = own.components(planar), []
        for component, values in request.by_component():
            name = own.name if len(names) == 1 else f"{own.name}.{component}"
            if component == "turn":
                sides = [float(np.linalg.norm(q[-4:] - sign * np.array(values))) for sign in (1, -1)]
                turn = 4 * float(np.arcsin(min(1.0, min(sides) / 2)))  # |e − e'| = 2 sin θ/4
                found.append(Miss(own.name, turn, "rad", turn))
            elif component in LENGTHS:
                away = abs(float(q[names.index(component)]) - values[0])
                found.append(Miss(name, away, "m", away / length))
            else:
                angle = float(q[names.index(component)])
                comes_round = own.turning(planar)[names.index(component)]
                away = abs((float(nearest_turn(angle, values[0])) if comes_round else angle) - values[0])
                found.append(Miss(name, away, "rad", away))
        return found

    def _loose_joints(self, at: Loose) -> list[tuple[float, str]]:
        """Largest deviations from guessed coordinates of joints at bodies whose poses the guess does not determine."""
        found, doubts = [], np.append(self.placement.doubts, 0)
        for request in self.wished:
            joint = self.parts.number.get(request.target.of)
            if joint is not None and doubts[list(self.parts.between[joint])].any():
                body = self.parts.between[joint][1]
                most = max(miss.relative for miss in self._joint_misses(at, request, joint))
                found.append((most, self.parts.bodies[body] if body >= 0 else request.target.of))
        return found


def _root_of_squares(misses: Sequence[Miss]) -> float:
    return float(np.linalg.norm([miss.relative for miss in misses]))


def _set_coordinates(parts: Parts, q: np.ndarray, requests: Sequence[Request]) -> np.ndarray:
    """Write requested joint coordinates into q; return which of all rates are specified."""
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
    """[R | p] of a marker from its known components, zero for the others."""
    X = np.eye(3, 4)
    if "turn" in known:
        X[:, :3] = numeric(quaternion_matrix(known["turn"]))
    elif "angle" in known:
        c, s = np.cos(known["angle"][0]), np.sin(known["angle"][0])
        X[:2, :2] = [[c, -s], [s, c]]
    X[:, 3] = [known.get(axis, (0.0,))[0] for axis in "xyz"]
    return X
