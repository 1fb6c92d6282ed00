"""Putting the mechanism together: positions in which every loop is closed and every held value is met.

A guess that places every body decides: what it closes to is the answer. Where it leaves something open, or there is
none, closures are sought from many starts, so that the choice can be shown instead of made silently.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from multiloop.kinematics.chart import LENGTHS
from multiloop.kinematics.equations import Equations, equations_of
from multiloop.kinematics.failures import cannot_close, overheld
from multiloop.kinematics.geometry import characteristic_length
from multiloop.kinematics.guessing import Miss
from multiloop.kinematics.newton import TIGHT, Closing
from multiloop.kinematics.prescribed import drive_values
from multiloop.kinematics.rates import placing_freedoms
from multiloop.kinematics.readings import joint_coordinates, joint_points, marker_count, mirrored
from multiloop.kinematics.requests import Request, elastic_requests, left_to_wish, position_requests
from multiloop.kinematics.search import Search, held_joints
from multiloop.kinematics.targets import Target
from multiloop.model import AssemblyError, Fault, Mechanism, TopologyError
from multiloop.model.brief import brief
from multiloop.model.expressions.expression import finite_number
from multiloop.model.joints import nearest_turn

FRUITLESS = 24
"""Starts without any closure after which the mechanism is said not to close."""

BARREN = 8
"""Starts in a row, for each closure known and one more, that may find nothing new before the search ends."""

ENDLESS = 8
"""Closures that leave as much open as there are fewer rows than rates: there are endlessly many, no more are sought."""

NEAR = 1e-4
"""Closures whose joints are all this near to each other, in characteristic lengths, may be one."""

HALFWAY = 10.0
"""How many times the gap of two positions may be open halfway between them where they are one closure."""

SPUN = 0.01
"""Coordinates that differ by more than this, in radians or characteristic lengths, at the same places have spun."""

DIFFERS = 1e-6
"""Coordinates of two closures that differ by less than this, in radians or characteristic lengths, are the same."""


@dataclass(frozen=True, eq=False)
class Assembly:
    """A closed position: the equations of the tree it was found with, their q, and what was held."""

    mechanism: Mechanism
    equations: Equations
    q: np.ndarray
    s: np.ndarray
    p: np.ndarray
    t: float
    gap: float
    distance: float  # the farthest that a body lies from its guess, in characteristic lengths
    held: tuple[Request, ...]
    weighed: float = 0.0  # the distance from all that is guessed, by which closures are compared
    farthest: str = ""  # the body that lies farthest from its guess
    half_turned: tuple[
        str, ...
    ] = ()  # joints in which modes with all joints at the same places differ from this
    missed: tuple[Miss, ...] = ()  # the guessed values that are missed by much, the worst first
    full: bool = False  # whether the guess places every body
    large: bool = False  # whether only a few closures were sought
    near: Mapping[str, np.ndarray] = field(
        default_factory=dict
    )  # guessed q of joints: angles are read near it

    def coordinates(self, near: Mapping[str, np.ndarray] | None = None) -> dict[str, np.ndarray]:
        """q of every joint, cut ones read from the poses of their markers."""
        return joint_coordinates(self.equations, self.q, self.p, near or self.near)

    def on(self, equations: Equations, near: Mapping[str, np.ndarray] | None = None) -> np.ndarray:
        """The same position in the coordinates of another tree."""
        found = self._coordinates if near is None else self.coordinates(near)
        q = equations.skeleton.neutral.copy()
        for name, own in equations.skeleton.coordinates.items():
            q[own.q] = found[name]
        return q

    @cached_property
    def _coordinates(self) -> dict[str, np.ndarray]:
        return self.coordinates()

    def differing(self, other: Assembly) -> list[str]:
        """The joints and elastic bodies whose coordinates are not those of another closure, by name."""
        both = ((name, q, other._coordinates[name]) for name, q in self._coordinates.items())
        return [name for name, q, its in both if np.any(np.abs(q - its) > DIFFERS * self._unit(name, len(q)))]

    def _unit(self, name: str, count: int) -> np.ndarray:
        """What the `count` coordinates of a joint or an elastic body are measured in: lengths, angles, quaternions."""
        skeleton, joint = self.equations.skeleton, self.mechanism.joints_by_name.get(name)
        if joint is None:
            own = skeleton.coordinates.get(name)  # a pair has no coordinates
            return np.ones(count) if own is None else self.equations.chart.scale[own.v]
        lengths = [part in LENGTHS for part in joint.components(self.mechanism.planar)]
        return np.where([*lengths, *[False] * (count - len(lengths))], skeleton.length, 1.0)

    def undeforming(self) -> tuple[Equations, np.ndarray]:
        """The loops along the tree with the elastic coordinates held, and where: how the joints alone can move."""
        skeleton = self.equations.skeleton
        held = [(name, own) for name, own in skeleton.coordinates.items() if name not in skeleton.carrier]
        targets = tuple(Target(name, own.names) for name, own in held)
        equations = equations_of(self.mechanism, skeleton.tree, targets)
        return equations, np.concatenate([equations.own_values(self.t), *(self.q[own.q] for _, own in held)])

    @cached_property
    def freedoms(self) -> int:
        """Ways of being placed that are left open, idle spins among them."""
        return placing_freedoms(self.equations, self.q, self.s, self.p)

    @cached_property
    def points(self) -> np.ndarray:
        """Places of all joint markers: two assemblies with the same points are the same closure."""
        return joint_points(self.equations, self.q, self.p)

    @property
    def places(self) -> np.ndarray:
        """The places of all joint markers and the lengths among the joint coordinates, in characteristic lengths.

        In space, assembly modes that share them differ by rotations of bodies about their own lines.
        """
        joints, planar = self.mechanism.joints_by_name, self.mechanism.planar
        lengths = [
            x / self.equations.skeleton.length
            for name, joint in joints.items()
            for x, part in zip(self._coordinates[name], joint.components(planar), strict=False)
            if part in LENGTHS
        ]
        return np.concatenate([self.points[: 3 * marker_count(self.mechanism)], lengths])

    @cached_property
    def from_zero_pose(self) -> float:
        """Root of the sum of squares of all joint angles within ±π: how far the joints are from their zero pose."""
        planar, angles = self.mechanism.planar, [0.0]
        joints = self.mechanism.joints_by_name
        for name, q in self._coordinates.items():
            if name in joints:
                turning = joints[name].turning(planar)
                angles += [float(nearest_turn(x, 0.0)) for x, turns in zip(q, turning, strict=False) if turns]
                if len(q) > joints[name].freedoms(planar):
                    angles.append(2 * float(np.arccos(min(1.0, abs(q[-4])))))
        return float(np.linalg.norm(angles))


def _require_one_value(mechanism: Mechanism, driven: Sequence[Request], asked: Sequence[Request]) -> None:
    """Refuse a start that puts a coordinate elsewhere than its drive does."""
    places = {(r.target.of, c): x for r in driven for c, x in _components(r)}
    length = characteristic_length(mechanism) if places and asked else 1.0
    for request in asked:
        for component, value in _components(request):
            drive = places.get((request.target.of, component), value)
            if abs(value - drive) > 1e-9 * max(length if component in LENGTHS else 1.0, abs(drive)):
                name = request.target.of
                fault = Fault(
                    "K04",
                    f"'{name}'",
                    f"its drive puts it at {drive:g}, the start asks for {value:g}.",
                    f"Leave '{name}' out of the start, or let its drive begin there.",
                )
                raise AssemblyError(f"mechanism '{mechanism.name}'", [fault])


def _components(request: Request) -> list[tuple[str, float]]:
    """Coordinates and their values; orientations are left out."""
    return [(component, values[0]) for component, values in request.by_component() if component != "turn"]


def closures(
    mechanism: Mechanism,
    *,
    start: Mapping[str, Any] | None = None,
    guess: Mapping[str, Any] | None = None,
    t: float = 0.0,
    every: bool = False,
) -> list[Assembly]:
    """Closed positions that meet the drives at time t and the held start, nearest to the guess first.

    One alone where the guess places every body: the one that it closes to. With `every` the search goes on as long as
    it may find more. Raises AssemblyError with the gap and the best attempt when none is found.
    """
    if finite_number(t) is None:
        fault = Fault("K10", "t", f"is {brief(t)}.", "Give a finite time in seconds.")
        raise AssemblyError(f"mechanism '{mechanism.name}'", [fault])
    guessed = position_requests(mechanism, guess if guess is not None else dict(mechanism.guess), "guess")
    usual = left_to_wish(position_requests(mechanism, mechanism.usual_guess, "guess"), guessed)
    asked = position_requests(mechanism, start or {}, "start")
    driven = drive_values(mechanism, t)
    _require_one_value(mechanism, driven, asked)
    held = (*driven, *asked, *elastic_requests(mechanism, asked, guessed))
    asked_for = (held, left_to_wish(guessed, held), left_to_wish(usual, held), float(t))
    meant = guess is not None or not (start or t)  # the mechanism's own guess is for t = 0 and no other start
    search = Search(mechanism, *asked_for)
    found = _found(search, every, meant)
    for keeping in (held_joints(driven), held_joints(held)):
        if found is None:
            try:
                search = Search(mechanism, *asked_for, keeping)
            except TopologyError:  # no body of a loop of held joints can be split
                break
            found = _found(search, every, meant)
    found = _found(search, every, meant, last=True) if found is None else found
    assert found is not None
    return sorted(found, key=lambda assembly: assembly.weighed)


def _found(search: Search, every: bool, meant: bool, last: bool = False) -> list[Assembly] | None:
    """The closed positions of one search; None where a held joint is cut in its tree that must not be.

    A full guess that is `meant` for this position and leads far away from itself is compared with others.

    The first tree is that of the dynamics; the second leaves loads and actuators out of account, so that a held joint
    is cut only where held joints alone close a loop; in the third even there none is cut, and a body is split.
    """
    found: list[Assembly] = []
    best: Closing | None = None
    contradicted: tuple[Request, np.ndarray] | None = None
    barren = 0
    for count, q in enumerate(_starts(search, found, every)):
        closing = search.attempt(q)
        if best is None or closing.gap < best.gap:
            best = closing
        if closing.closed and not (found or last) and search.holds_more(closing.q):
            return None
        if closing.closed and contradicted is None:
            contradicted = search.contradiction(closing.q)
        if _fits(search, closing):
            assembly = _assembly(search, closing, meant)
            if not any(_same(assembly, other) for other in found):
                found.append(assembly)
                barren = 0
            if count == 0 and search.guess.full and not assembly.missed:
                break
        barren += 1
        if _searched(search, found, barren, every):
            break
    if not found:
        assert best is not None
        if contradicted is not None:
            raise overheld(search, *contradicted)
        raise cannot_close(search, best)
    return found


def _starts(search: Search, found: Sequence[Assembly], every: bool) -> Iterator[np.ndarray]:
    """Where to begin; in a large mechanism, once it is closed, a few starts beside it: the cost stays linear."""
    for q in search.starts():
        yield q
        if found and search.large and not every:
            yield from search.beside(found[0].q)
            return


def _searched(search: Search, found: Sequence[Assembly], barren: int, every: bool) -> bool:
    """Whether more starts would tell no more."""
    if not found:
        return barren > FRUITLESS
    loose = search.equations.skeleton.rates - len(search.equations.row_scale)
    if not search.equations.own.count or (len(found) >= ENDLESS and 0 < found[-1].freedoms <= loose):
        return True
    return not every and barren > BARREN * (1 + len(found))


def _fits(search: Search, closing: Closing) -> bool:
    """Closed, no joint upside down, and no held joint elsewhere than asked."""
    return (
        closing.closed
        and not mirrored(search.equations, closing.q, search.p)
        and search.contradiction(closing.q) is None
    )


def _assembly(search: Search, closing: Closing, meant: bool) -> Assembly:
    distance = search.distance(closing)
    return Assembly(
        mechanism=search.mechanism,
        equations=search.equations,
        q=closing.q,
        s=search.s,
        p=search.p,
        t=search.t,
        gap=closing.gap,
        distance=distance.farthest,
        held=search.held,
        weighed=distance.weighed,
        farthest=distance.body,
        missed=distance.missed if meant else (),
        full=search.guess.full,
        large=search.large,
        near=search.guess.coordinates,
    )


def _same(one: Assembly, other: Assembly) -> bool:
    """Whether two positions found are one closure: near each other, and the loops are closed halfway too.

    Beside a singular position Newton's method ends anywhere within the root of its gap, and two closures may lie close
    together; between those the loops open. Positions that differ by idle spins have no way from one to the other.
    """
    if np.abs(one.points - other.points).max(initial=0.0) >= NEAR:
        return False
    equations = one.equations
    middle = equations.chart.halfway(one.q, other.q)
    if equations.chart.distance(one.q, middle) > SPUN:
        return True
    gap = np.abs(equations.row_scale * equations.closure(middle, one.s, one.p)).max(initial=0.0)
    return bool(gap <= max(HALFWAY * max(one.gap, other.gap), TIGHT * equations.chart.closed_at(middle)))
