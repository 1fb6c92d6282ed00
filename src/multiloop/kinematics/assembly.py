"""Putting the mechanism together: positions in which every loop is closed and every held value is met.

Closures are found by damped Newton steps from an informed start and, where nothing chooses between several,
from many starts, so that the choice can be shown instead of made silently.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from time import monotonic
from typing import Any

import numpy as np

from multiloop.kinematics.equations import Equations, equations_of
from multiloop.kinematics.newton import CLOSED, LARGE, Closing, close
from multiloop.kinematics.readings import joint_coordinates, joint_points, mirrored
from multiloop.kinematics.requests import Request, position_requests
from multiloop.kinematics.targets import Target
from multiloop.model import AssemblyError, Fault, Mechanism
from multiloop.model.expressions import evaluate
from multiloop.topology import tree_of

PATIENCE = 0.6
"""Seconds after which no further start is tried."""

STARTS = 60
"""Most starts tried in search of all closures."""


@dataclass(frozen=True, eq=False)
class Assembly:
    """A closed position: the equations of the tree it was found with, their q, and what was held."""

    mechanism: Mechanism
    equations: Equations
    q: np.ndarray
    s: np.ndarray
    p: np.ndarray
    gap: float
    distance: float  # from the guess, relative to the characteristic length
    held: tuple[Request, ...]

    def coordinates(self, near: Mapping[str, np.ndarray] | None = None) -> dict[str, np.ndarray]:
        """q of every joint, cut ones read from the poses of their markers."""
        return joint_coordinates(self.equations, self.q, self.p, near)

    def on(self, equations: Equations, near: Mapping[str, np.ndarray] | None = None) -> np.ndarray:
        """The same position in the coordinates of another tree."""
        found = self.coordinates(near)
        q = equations.skeleton.neutral.copy()
        for link in equations.skeleton.links:
            q[link.q] = found[link.joint.name]
        return q

    def points(self) -> np.ndarray:
        """Places of all joint markers: two assemblies with the same points are the same closure."""
        return joint_points(self.equations, self.q, self.p)


def drive_values(mechanism: Mechanism, t: float, order: int = 0) -> tuple[Request, ...]:
    """What the drives ask at time t: positions, or their derivatives of the given order."""
    from multiloop.model.expressions import derivative, lift

    found = []
    for motion in mechanism.drives:
        named = motion.named()
        if list(named) == [""]:
            named = {mechanism.joint(motion.of).components(mechanism.planar)[0]: named[""]}
        values = []
        for profile in named.values():
            expression = lift(profile)
            for _ in range(order):
                expression = derivative(expression)
            values.append(float(evaluate(expression, time=t, parameters=mechanism.parameters)))
        found.append(Request(Target(motion.of, tuple(named)), tuple(values)))
    return tuple(found)


def closures(
    mechanism: Mechanism,
    *,
    start: Mapping[str, Any] | None = None,
    guess: Mapping[str, Any] | None = None,
    t: float = 0.0,
    every: bool = False,
) -> list[Assembly]:
    """Closed positions that meet the drives at time t and the held start, nearest to the guess first.

    Without `every` a start that is already near the guess is taken as it is. Raises AssemblyError with the
    gap and the best attempt when none is found.
    """
    wished = position_requests(mechanism, guess if guess is not None else dict(mechanism.guess), "guess")
    asked = position_requests(mechanism, start or {}, "start")
    problem = _Problem(mechanism, (*drive_values(mechanism, t), *asked), wished)
    found: list[Assembly] = []
    best: Closing | None = None
    began = monotonic()
    for count, q in enumerate(problem.starts()):
        closing = problem.attempt(q)
        if best is None or closing.gap < best.gap:
            best = closing
        if closing.closed and not mirrored(problem.equations, closing.q, problem.p):
            assembly = problem.assembly(closing)
            if not any(_same(assembly, other) for other in found):
                found.append(assembly)
            settled = wished and not every and assembly.distance < 0.25
            if count == 0 and (settled or problem.equations.skeleton.rates > LARGE):
                break
        if monotonic() - began > PATIENCE or (not problem.equations.skeleton.cuts and found):
            break
    if not found:
        assert best is not None
        raise _cannot_close(problem, best)
    return sorted(found, key=lambda assembly: assembly.distance)


class _Problem:
    """One search: the equations with what is held, the same with what is wished, and where to begin."""

    def __init__(self, mechanism: Mechanism, held: tuple[Request, ...], wished: tuple[Request, ...]) -> None:
        self.mechanism, self.p = mechanism, np.array(list(mechanism.parameters.values()))
        joints = [r.target.of for r in (*held, *wished) if not r.target.on_marker]
        tree = tree_of(mechanism, prefer=joints)
        in_tree = {branch.joint for branch in tree.branches}
        usable = [r for r in held if r.target.on_marker or r.target.of in in_tree]
        self.held = tuple(usable)
        self.unused = tuple(r for r in held if r not in usable)
        self.wished = tuple(r for r in wished if r.target.on_marker or r.target.of in in_tree)
        self.equations = equations_of(mechanism, tree, tuple(r.target for r in self.held))
        self.wishing = equations_of(mechanism, tree, tuple(r.target for r in (*self.held, *self.wished)))
        self.s = _values(self.held)
        self.s_wished = _values((*self.held, *self.wished))

    def starts(self):  # type: ignore[no-untyped-def]
        """Coordinates to begin from: the informed one first, then scattered ones, the same every time."""
        yield self.informed()
        scatter = np.random.default_rng(20070416)
        for _ in range(STARTS):
            yield self.informed(scatter)

    def informed(self, scatter: np.random.Generator | None = None) -> np.ndarray:
        """Joints at their held and wished values, all others at zero, or anywhere when scattered."""
        skeleton = self.equations.skeleton
        q = skeleton.neutral.copy()
        if scatter is not None:
            step = scatter.uniform(-np.pi, np.pi, skeleton.rates) * self.equations.chart.scale
            q = self.equations.chart.moved(q, step)
        else:
            q = self.equations.chart.moved(
                q, 0.05 * np.sin(1.0 + np.arange(skeleton.rates)) * self.equations.chart.scale
            )
        for request in (*(self.wished if scatter is None else ()), *self.held):
            if not request.target.on_marker:
                link = skeleton.carrier[request.target.of]
                names = link.joint.components(skeleton.planar)
                values = list(request.values)
                for component in request.target.components:
                    if component == "turn":
                        q[link.q.stop - 4 : link.q.stop] = values[:4]
                        values = values[4:]
                    else:
                        q[link.q.start + names.index(component)] = values.pop(0)
        return q

    def attempt(self, q: np.ndarray) -> Closing:
        """Draw towards the wishes first, then close for good."""
        if any(request.target.on_marker for request in self.wished):
            rows = len(self.wishing.row_scale)
            weights = np.ones(rows)
            weights[rows - sum(r.target.rows() for r in self.wished) :] = 0.05
            q = close(self.wishing, q, self.s_wished, self.p, weights=weights, limit=40).q
        closing = close(self.equations, q, self.s, self.p)
        return Closing(self._unwound(closing.q), closing.gap, closing.steps)

    def _unwound(self, q: np.ndarray) -> np.ndarray:
        """Angles brought within ±π, except those that are held and those of screws."""
        skeleton, q = self.equations.skeleton, q.copy()
        asked = {request.target.of for request in (*self.held, *self.wished)}
        for link in skeleton.links:
            if link.joint.name not in asked and not link.joint.must_stay:
                for offset, turns in enumerate(link.joint.turning(skeleton.planar)):
                    if turns:
                        place = link.q.start + offset
                        q[place] = np.pi - (np.pi - q[place]) % (2 * np.pi)
        return q

    def assembly(self, closing: Closing) -> Assembly:
        """The closed position with its distance from the wishes."""
        rows = sum(request.target.rows() for request in self.wished)
        misses = self.wishing.row_scale * self.wishing.closure(closing.q, self.s_wished, self.p)
        distance = float(np.abs(misses[len(misses) - rows :]).max(initial=0.0))
        return Assembly(
            self.mechanism, self.equations, closing.q, self.s, self.p, closing.gap, distance, self.held
        )


def _values(requests: tuple[Request, ...]) -> np.ndarray:
    return np.array([value for request in requests for value in request.values])


def _same(one: Assembly, other: Assembly) -> bool:
    return bool(np.abs(one.points() - other.points()).max(initial=0.0) < 1e-4)


def _cannot_close(problem: _Problem, best: Closing) -> AssemblyError:
    """The error of a mechanism that cannot be put together as asked, with the gap in metres and the reason."""
    mechanism, equations = problem.mechanism, problem.equations
    rows = np.abs(equations.row_scale * equations.closure(best.q, problem.s, problem.p))
    length = equations.skeleton.length
    wide = [(cut.joint.name, float(rows[cut.rows].max(initial=0.0))) for cut in equations.skeleton.cuts]
    name, open_by = max(wide, key=lambda item: item[1], default=("", 0.0))
    if open_by <= CLOSED and rows.size:
        missed = problem.held[int(np.argmax(_per_request(problem, rows)))]
        where, what = f"'{missed.target.of}'", f"cannot reach {_shown(missed.values)}"
    else:
        where, what = f"joint '{name}'", "cannot be closed"
    held = ", ".join(f"{r.target.of} = {_shown(r.values)}" for r in problem.held)
    with_held = f" with {held}" if held else ""
    conflict = _in_conflict(problem, best)
    fault = Fault(
        "K04" if conflict else "K01",
        where,
        f"{what}{with_held}: {best.gap * length:.3g} m stay open, {best.gap:.2g} of the mechanism's size.",
        conflict or "Check the lengths and the held values; the error's `.best` holds the nearest position.",
    )
    coordinates = joint_coordinates(equations, best.q, problem.p, None)
    return AssemblyError(
        f"mechanism '{mechanism.name}'",
        [fault],
        gap=best.gap,
        best={joint: tuple(map(float, q)) for joint, q in coordinates.items()},
    )


def _per_request(problem: _Problem, rows: np.ndarray) -> list[float]:
    at, found = problem.equations.skeleton.rows, []
    for request in problem.held:
        found.append(float(rows[at : at + request.target.rows()].max(initial=0.0)))
        at += request.target.rows()
    return found


def _in_conflict(problem: _Problem, best: Closing) -> str:
    """A remedy when leaving out one of several held values lets the mechanism close."""
    if len(problem.held) < 2:
        return ""
    for left_out in reversed(problem.held):
        rest = tuple(request for request in problem.held if request is not left_out)
        tree = problem.equations.skeleton.tree
        trial = equations_of(problem.mechanism, tree, tuple(request.target for request in rest))
        closing = close(trial, best.q, _values(rest), problem.p)
        if closing.closed:
            found = joint_coordinates(trial, closing.q, problem.p, None).get(left_out.target.of)
            would = f"; it would be {_shown(tuple(found))} then" if found is not None else ""
            return f"Too much is held: without '{left_out.target.of}' the mechanism closes{would}."
    return ""


def _shown(values: tuple[float, ...]) -> str:
    numbers = [f"{float(value):.6g}" for value in values]
    return numbers[0] if len(numbers) == 1 else "(" + ", ".join(numbers) + ")"
