"""One search for closed positions: what is held, what is wished, and where to begin."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from multiloop.kinematics.equations import equations_of
from multiloop.kinematics.newton import Closing, close
from multiloop.kinematics.readings import joint_coordinates
from multiloop.kinematics.requests import Request
from multiloop.model import Mechanism
from multiloop.model.joints import nearest_turn
from multiloop.model.names import ETA
from multiloop.topology import tree_of

STARTS = 60
"""Most starts tried in search of all closures."""

PULL = 0.05
"""Weight of wishes against closed loops while the position is drawn towards them."""


class Search:
    """The equations with what is held, and the same with what is wished, along a tree that has both as coordinates."""

    def __init__(
        self, mechanism: Mechanism, held: tuple[Request, ...], wished: tuple[Request, ...], t: float = 0.0
    ) -> None:
        self.mechanism, self.p, self.t = mechanism, np.array(list(mechanism.parameters.values())), t
        joints = [r.target.of for r in (*held, *wished) if "." not in r.target.of]
        tree = tree_of(mechanism, prefer=joints)
        in_tree = {branch.joint for branch in tree.branches}
        in_tree |= {f"{body.name}.{ETA}" for body in mechanism.bodies if body.elastic}
        usable = [r for r in held if r.target.on_marker or r.target.of in in_tree]
        self.held = tuple(usable)
        self.unused = tuple(r for r in held if r not in usable)
        held_names = {r.target.of for r in held}
        self.wished = tuple(
            r
            for r in wished
            if r.target.of not in held_names and (r.target.on_marker or r.target.of in in_tree)
        )
        self.equations = equations_of(mechanism, tree, tuple(r.target for r in self.held))
        self.wishing = equations_of(mechanism, tree, tuple(r.target for r in (*self.held, *self.wished)))
        own = self.equations.own_values(t)
        self.s = np.concatenate([own, values_of(self.held)])
        self.s_wished = np.concatenate([own, values_of((*self.held, *self.wished))])

    @property
    def complete(self) -> bool:
        """Whether held and wished joints name every coordinate of the tree, so that nothing is left to choose."""
        rows = sum(r.target.rows() for r in (*self.held, *self.wished) if not r.target.on_marker)
        return rows >= self.equations.skeleton.rates and bool(self.wished)

    def starts(self) -> Iterator[np.ndarray]:
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
                link = skeleton.coordinates[request.target.of]
                names = link.names
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
        if self.wished:
            rows = len(self.wishing.row_scale)
            weights = np.ones(rows)
            weights[rows - sum(r.target.rows() for r in self.wished) :] = PULL
            q = close(self.wishing, q, self.s_wished, self.p, weights=weights, limit=40).q
        closing = close(self.equations, q, self.s, self.p)
        return replace(closing, q=self._unwound(closing.q))

    def _unwound(self, q: np.ndarray) -> np.ndarray:
        """Angles on the turn nearest to their wish, else within ±π; held ones and screws stay as they are."""
        skeleton, q = self.equations.skeleton, q.copy()
        held = {request.target.of for request in self.held}
        wishes = {
            (request.target.of, component): value
            for request in self.wished
            if "turn" not in request.target.components
            for component, value in zip(request.target.components, request.values, strict=True)
        }
        for link in skeleton.links:
            if link.joint.name in held or link.joint.must_stay:
                continue
            names = link.joint.components(skeleton.planar)
            for offset, turns in enumerate(link.joint.turning(skeleton.planar)):
                if turns:
                    place = link.q.start + offset
                    q[place] = nearest_turn(q[place], wishes.get((link.joint.name, names[offset]), 0.0))
        return q

    def contradiction(self, q: np.ndarray) -> tuple[Request, np.ndarray] | None:
        """A held joint that is not a coordinate of this tree and is not where it was asked to be."""
        if not self.unused:
            return None
        found = joint_coordinates(
            self.equations, q, self.p, {r.target.of: np.array(r.values) for r in self.unused}
        )
        for request in self.unused:
            if self._misses(request, found[request.target.of]) > 1e-6 * max(
                1.0, self.equations.skeleton.length
            ):
                return request, found[request.target.of]
        return None

    def _misses(self, request: Request, q: np.ndarray) -> float:
        """How far a joint at q is from what a request asks of it; quaternions of either sign are the same."""
        names = self.mechanism.joint(request.target.of).components(self.mechanism.planar)
        values, worst = list(request.values), 0.0
        for component in request.target.components:
            if component == "turn":
                worst = max(worst, float(np.sqrt(max(0.0, 8 * (1 - abs(np.dot(q[-4:], values[:4])))))))
                values = values[4:]
            else:
                worst = max(worst, abs(float(q[names.index(component)]) - values.pop(0)))
        return worst

    def distance(self, closing: Closing) -> float:
        """How far a position is from the wishes, in radians or characteristic lengths; a half turn counts as 4."""
        rows = sum(request.target.rows() for request in self.wished)
        misses = self.wishing.row_scale * self.wishing.closure(closing.q, self.s_wished, self.p)
        return float(np.linalg.norm(misses[len(misses) - rows :]))


def values_of(requests: tuple[Request, ...]) -> np.ndarray:
    """The values of several requests in one vector."""
    return np.array([value for request in requests for value in request.values])
