"""One search for closed positions: what is held, what is guessed, and where to begin."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from multiloop.kinematics.chart import LENGTHS
from multiloop.kinematics.equations import equations_of
from multiloop.kinematics.guessing import JITTER, FromGuess, Guess
from multiloop.kinematics.newton import LARGE, Closing, close
from multiloop.kinematics.parts import Parts
from multiloop.kinematics.rates import linearised, placing_freedoms, rate_rows
from multiloop.kinematics.readings import body_poses, joint_coordinates
from multiloop.kinematics.requests import Request, held_shapes, values_of
from multiloop.kinematics.targets import Target, target_lengths
from multiloop.model import Mechanism
from multiloop.model.joints import nearest_turn
from multiloop.model.names import ETA
from multiloop.topology import tree_of

STARTS = 60
"""Most starts tried in search of all closures."""

GUESSED = 6
"""Starts that keep to the guess and scatter what it leaves open, before all is scattered."""

BESIDE = (4, 4, 8, 8, 16)
"""Coordinates that are scattered, start by start, beside a closure of a large mechanism: scattered all, few close."""

MET = 1e-6
"""How near a held joint that was cut is to where it is asked to be, in radians or characteristic lengths."""


class Search:
    """The equations with what is held along a tree that has it as coordinates, and the guess, body by body.

    A held joint may be cut in the tree of the dynamics, in which the loads have their joints. It is then only compared
    with where the other held values put it. Where they do not determine it (`holds_more`), `keeping` tells the joints
    that the tree keeps in place of those with loads.
    """

    def __init__(
        self,
        mechanism: Mechanism,
        held: tuple[Request, ...],
        guessed: tuple[Request, ...],
        usual: tuple[Request, ...],
        t: float = 0.0,
        keeping: tuple[str, ...] | None = None,
    ) -> None:
        self.mechanism, self.p, self.t = mechanism, np.array(list(mechanism.parameters.values())), t
        tree = tree_of(mechanism, prefer=held_joints(held), keep=keeping)
        in_tree = {branch.joint for branch in tree.branches}
        in_tree |= {f"{body.name}.{ETA}" for body in mechanism.all_bodies if body.elastic}
        self.held = tuple(r for r in held if r.target.on_marker or r.target.of in in_tree)
        self.unused = tuple(r for r in held if r not in self.held)
        self.equations = equations_of(mechanism, tree, tuple(r.target for r in self.held))
        self.s = np.concatenate([self.equations.own_values(t), values_of(self.held)])
        self.guess = Guess(Parts(mechanism, held_shapes(mechanism, held)), held, guessed, usual)

    def starts(self) -> Iterator[np.ndarray]:
        """Coordinates to begin from, the same every time: where the guess leads, then scattered ones."""
        scatter = np.random.default_rng(20070416)
        if self.guess.wished:
            yield self._guessed(None)
            for _ in range(0 if self.guess.full else GUESSED):
                yield self._guessed(scatter)
        rates, scale = self.equations.skeleton.rates, self.equations.chart.scale
        yield self._begun(JITTER * np.sin(1.0 + np.arange(rates)) * scale)
        for _ in range(STARTS):
            yield self._begun(scatter.uniform(-np.pi, np.pi, rates) * scale)

    @property
    def large(self) -> bool:
        """Whether a start costs so much that few are tried."""
        return self.equations.skeleton.rates > LARGE

    def beside(self, q: np.ndarray) -> Iterator[np.ndarray]:
        """Coordinates to begin from in search of closures besides q, in which a loop or two are closed otherwise."""
        scatter, skeleton = np.random.default_rng(20070416), self.equations.skeleton
        if self.guess.wished:
            yield self._guessed(scatter)
        for count in BESIDE:
            step = np.zeros(skeleton.rates)
            step[scatter.choice(skeleton.rates, count, replace=False)] = scatter.uniform(-np.pi, np.pi, count)
            yield self._with_held(self.equations.chart.moved(q, step * self.equations.chart.scale))

    def _guessed(self, scatter: np.random.Generator | None) -> np.ndarray:
        """Where the guess leads, in the coordinates of the tree."""
        at, parts = self.guess.closed(scatter), self.guess.parts
        q = self._begun(np.zeros(self.equations.skeleton.rates))
        for link in self.equations.skeleton.links:
            q[link.q] = at.q[parts.q_places[parts.number[link.joint.name]]]
        return q

    def _begun(self, step: np.ndarray) -> np.ndarray:
        """Joints a step away from zero, or where they are held."""
        return self._with_held(self.equations.chart.moved(self.equations.skeleton.neutral, step))

    def _with_held(self, q: np.ndarray) -> np.ndarray:
        """The same q with joints where they are held."""
        skeleton, q = self.equations.skeleton, q.copy()
        for request in self.held:
            if request.target.on_marker:
                continue
            own = skeleton.coordinates[request.target.of]
            for component, values in request.by_component():
                if component == "turn":
                    q[own.q.stop - 4 : own.q.stop] = values
                else:
                    q[own.q.start + own.names.index(component)] = values[0]
        return q

    def attempt(self, q: np.ndarray) -> Closing:
        """The loops closed from q along the tree."""
        closing = close(self.equations, q, self.s, self.p)
        unwound = self._unwound(closing.q)
        if closing.closed and self._opens(unwound):  # rows that count turns are closed anew
            return close(self.equations, unwound, self.s, self.p)
        return self._at_guessed_values(replace(closing, q=unwound))

    def _at_guessed_values(self, closing: Closing) -> Closing:
        """The loops closed again, with coordinates at their guess where Newton's method cannot distinguish the two.

        At a singular configuration Newton's method converges only to the square root of the gap that counts as closed.
        A step along the directions in which the rows vanish to first order leads to the guessed values, so that a
        mechanism guessed in a singular configuration is assembled in it, from whichever start it is reached.
        """
        if not closing.closed or self.guess.full or self.large:
            return closing
        within = float(np.sqrt(closing.allowed))
        places, missing = self._nearly_guessed(closing.q, within)
        if not np.any(missing):
            return closing
        linear = linearised(self.equations, closing.q, self.s, self.p, placed=True)
        regular = int(np.count_nonzero(linear.sigma > within * linear.sigma.max(initial=0.0)))
        singular = self.equations.chart.scale[:, None] * linear.Vt[regular:].T
        step = singular @ np.linalg.lstsq(singular[places], missing, rcond=within)[0]
        again = close(self.equations, self.equations.chart.moved(closing.q, step), self.s, self.p)
        return again if again.closed else closing

    def _nearly_guessed(self, q: np.ndarray, within: float) -> tuple[list[int], np.ndarray]:
        """Scalar coordinates that lie `within` of their guess, by their places in v, and what they lack of it."""
        places, missing = [], []
        for link in self.equations.skeleton.links:
            known = self.guess.known[self.guess.parts.v_places[self.guess.parts.number[link.joint.name]]]
            if link.q.stop - link.q.start != len(known):  # a quaternion
                continue
            names = link.joint.components(self.mechanism.planar)
            for offset, (name, is_known) in enumerate(zip(names, known, strict=True)):
                unit = self.equations.skeleton.length if name in LENGTHS else 1.0
                lack = self.guess.coordinates[link.joint.name][offset] - q[link.q.start + offset]
                if is_known and abs(lack) <= within * unit:
                    places.append(link.v.start + offset)
                    missing.append(lack)
        return places, np.array(missing)

    def _opens(self, q: np.ndarray) -> bool:
        """Whether rows that were closed are open after whole turns."""
        if not any(cut.cut.joint.counts_turns(self.mechanism.planar) for cut in self.equations.cut_joints):
            return False
        rows = self.equations.row_scale * self.equations.closure(q, self.s, self.p)
        return bool(np.abs(rows).max(initial=0.0) > self.equations.chart.closed_at(q))

    def _unwound(self, q: np.ndarray) -> np.ndarray:
        """Angles on the turn nearest to their guess, else within ±π; held ones and screws stay as they are.

        So do those that a coupling ties, which counts their turns.
        """
        skeleton, q, near = self.equations.skeleton, q.copy(), self.guess.coordinates
        held = {request.target.of for request in self.held}
        held |= {joint for joints in self.mechanism.tied_joints.values() for joint in joints}
        for link in skeleton.links:
            if link.joint.name in held or link.joint.must_stay:
                continue
            for offset, turns in enumerate(link.joint.turning(skeleton.planar)):
                if turns:
                    place = link.q.start + offset
                    q[place] = nearest_turn(q[place], near[link.joint.name][offset])
        return q

    def contradiction(self, q: np.ndarray) -> tuple[Request, np.ndarray] | None:
        """A held joint that is not a coordinate of this tree and is not where it was asked to be."""
        if not self.unused:
            return None
        found = joint_coordinates(
            self.equations, q, self.p, {r.target.of: np.array(r.values) for r in self.unused}
        )
        for request in self.unused:
            if self._misses(request, found[request.target.of]) > MET:
                return request, found[request.target.of]
        return None

    def holds_more(self, q: np.ndarray) -> bool:
        """Whether a held joint that is cut in this tree holds a degree of freedom that all else leaves open at q."""
        if not self.unused or not placing_freedoms(self.equations, q, self.s, self.p):
            return False
        open_ways = linearised(self.equations, q, self.s, self.p, placed=True).open_directions()
        targets = [_rate_target(request.target) for request in self.unused]
        rows = rate_rows(self.equations, q, self.p, targets) @ open_ways
        unit = np.concatenate(
            [np.where(target_lengths(target), self.guess.parts.length, 1.0) for target in targets]
        )
        return bool(np.abs(rows / unit[:, None]).max(initial=0.0) > MET)

    def _misses(self, request: Request, q: np.ndarray) -> float:
        """How far a joint at q is from what a request asks of it, in radians or characteristic lengths.

        Quaternions of either sign are the same.
        """
        names = self.mechanism.joint(request.target.of).components(self.mechanism.planar)
        worst = 0.0
        for component, values in request.by_component():
            if component == "turn":
                worst = max(worst, float(np.sqrt(max(0.0, 8 * (1 - abs(np.dot(q[-4:], values)))))))
            else:
                unit = self.equations.skeleton.length if component in LENGTHS else 1.0
                worst = max(worst, abs(float(q[names.index(component)]) - values[0]) / unit)
        return worst

    def distance(self, closing: Closing) -> FromGuess:
        """How far a position is from the guess."""
        if not self.guess.wished:
            return FromGuess()
        poses = body_poses(self.equations, closing.q, self.p)
        return self.guess.distance(np.array([poses[name] for name in self.guess.parts.bodies]))


def held_joints(held: tuple[Request, ...]) -> tuple[str, ...]:
    """The joints among what is held."""
    return tuple(r.target.of for r in held if "." not in r.target.of)


def _rate_target(target: Target) -> Target:
    """The rates of what a target asks of positions."""
    axes = ("turn_x", "turn_y", "turn_z")
    return Target(target.of, tuple(n for c in target.components for n in (axes if c == "turn" else (c,))))
