"""Assembly of a mechanism: positions in which all loops are closed and all held values are met.

A guess that places every body selects the assembly mode: the position that it closes to is returned. Where it leaves
bodies unplaced, or there is no guess, assembly modes are searched for from many starts, so that the choice between
them can be reported instead of being made silently.
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
"""Number of starts without any closed position after which the search fails."""

BARREN = 8
"""Consecutive starts without a new assembly mode after which the search ends, per known mode and one more."""

ENDLESS = 8
"""Number of closed positions after which the search ends if they form a continuum (fewer rows than rates)."""

NEAR = 1e-4
"""Closed positions whose joints are all nearer to each other, in characteristic lengths, may be the same."""

HALFWAY = 10.0
"""Largest ratio of the gap at the midpoint of two positions to their gaps if they are the same assembly mode."""

SPUN = 0.01
"""Difference of coordinates, in radians or characteristic lengths, above which two positions differ by spins."""

DIFFERS = 1e-6
"""Difference of coordinates, in radians or characteristic lengths, below which they are the same."""


@dataclass(frozen=True, eq=False)
class Assembly:
    """A closed position: the equations along the tree of the search, their coordinates q, and the held values."""

    mechanism: Mechanism
    equations: Equations
    q: np.ndarray
    s: np.ndarray
    p: np.ndarray
    t: float
    gap: float
    distance: float  # the farthest that a body lies from its guess, in characteristic lengths
    held: tuple[Request, ...]
    weighed: float = 0.0  # distance from all guessed values, by which assembly modes are compared
    farthest: str = ""  # the body that lies farthest from its guess
    half_turned: tuple[
        str, ...
    ] = ()  # joints whose coordinates differ in other modes with all joints at the same positions
    missed: tuple[Miss, ...] = ()  # large deviations from guessed values, the largest first
    full: bool = False  # whether the guess places every body
    large: bool = False  # whether the search was limited to a few assembly modes
    near: Mapping[str, np.ndarray] = field(
        default_factory=dict
    )  # guessed q of joints: angles are read near it

    def coordinates(self, near: Mapping[str, np.ndarray] | None = None) -> dict[str, np.ndarray]:
        """q of every joint; that of cut joints is computed from the poses of their markers."""
        return joint_coordinates(self.equations, self.q, self.p, near or self.near)

    def on(self, equations: Equations, near: Mapping[str, np.ndarray] | None = None) -> np.ndarray:
        """The position in the coordinates of another tree."""
        found = self._coordinates if near is None else self.coordinates(near)
        q = equations.skeleton.neutral.copy()
        for name, own in equations.skeleton.coordinates.items():
            q[own.q] = found[name]
        return q

    @cached_property
    def _coordinates(self) -> dict[str, np.ndarray]:
        return self.coordinates()

    def differing(self, other: Assembly) -> list[str]:
        """Names of the joints and elastic bodies whose coordinates differ from those of another closed position."""
        both = ((name, q, other._coordinates[name]) for name, q in self._coordinates.items())
        return [name for name, q, its in both if np.any(np.abs(q - its) > DIFFERS * self._unit(name, len(q)))]

    def _unit(self, name: str, count: int) -> np.ndarray:
        """Units of the `count` coordinates of a joint or elastic body: 1, or the characteristic length for lengths."""
        skeleton, joint = self.equations.skeleton, self.mechanism.joints_by_name.get(name)
        if joint is None:
            own = skeleton.coordinates.get(name)  # a pair has no coordinates
            return np.ones(count) if own is None else self.equations.chart.scale[own.v]
        lengths = [part in LENGTHS for part in joint.components(self.mechanism.planar)]
        return np.where([*lengths, *[False] * (count - len(lengths))], skeleton.length, 1.0)

    def undeforming(self) -> tuple[Equations, np.ndarray]:
        """Equations along the tree with all elastic coordinates held, and their prescribed values s."""
        skeleton = self.equations.skeleton
        held = [(name, own) for name, own in skeleton.coordinates.items() if name not in skeleton.carrier]
        targets = tuple(Target(name, own.names) for name, own in held)
        equations = equations_of(self.mechanism, skeleton.tree, targets)
        return equations, np.concatenate([equations.own_values(self.t), *(self.q[own.q] for _, own in held)])

    @cached_property
    def freedoms(self) -> int:
        """Degrees of freedom that remain with the held values, idle spins included."""
        return placing_freedoms(self.equations, self.q, self.s, self.p)

    @cached_property
    def points(self) -> np.ndarray:
        """Positions and axes of all joint markers: two assemblies with the same points are the same assembly mode."""
        return joint_points(self.equations, self.q, self.p)

    @property
    def places(self) -> np.ndarray:
        """Positions of all joint markers and the lengths among the joint coordinates, in characteristic lengths.

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
        """Distance from the zero pose: root of the sum of squares of all joint angles within ±π."""
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
    """Raise AssemblyError if a start value contradicts the drive of the same coordinate."""
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
    """Components and their values, without orientations."""
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

    Where the guess places every body, only the position that it closes to is returned. With `every` all starts are
    tried. Raises AssemblyError with the gap and the best attempt if no closed position is found.
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
    """The closed positions found along one tree; None if a held joint is cut in the tree that must not be cut.

    If a complete guess that is `meant` for this position leads to a position far from it, other modes are searched too.

    The first tree is that of the dynamics; the second ignores loads and actuators, so that a held joint is cut only
    where held joints alone form a loop; in the third no held joint is cut, and a body is split instead.
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
    """Starts of the search; in a large mechanism only a few near the first closed position, for linear cost."""
    for q in search.starts():
        yield q
        if found and search.large and not every:
            yield from search.beside(found[0].q)
            return


def _searched(search: Search, found: Sequence[Assembly], barren: int, every: bool) -> bool:
    """Whether the search is complete."""
    if not found:
        return barren > FRUITLESS
    loose = search.equations.skeleton.rates - len(search.equations.row_scale)
    if not search.equations.own.count or (len(found) >= ENDLESS and 0 < found[-1].freedoms <= loose):
        return True
    return not every and barren > BARREN * (1 + len(found))


def _fits(search: Search, closing: Closing) -> bool:
    """Whether a position is closed, without inverted joints, and agrees with all held values."""
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
    """Whether two positions are the same assembly mode: near each other, with loops closed at their midpoint too.

    Near a singular configuration the result of Newton's method is uncertain by the square root of its tolerance, and
    two assembly modes may be close together; between these the loops open. Positions with equal joint positions that
    differ by idle spins are the same mode.
    """
    if np.abs(one.points - other.points).max(initial=0.0) >= NEAR:
        return False
    equations = one.equations
    middle = equations.chart.halfway(one.q, other.q)
    if equations.chart.distance(one.q, middle) > SPUN:
        return True
    gap = np.abs(equations.row_scale * equations.closure(middle, one.s, one.p)).max(initial=0.0)
    return bool(gap <= max(HALFWAY * max(one.gap, other.gap), TIGHT * equations.chart.closed_at(middle)))
