"""Motion along one tree in numbers: poses, twists, cut-joint motion and mass matrices, from functions traced once.

q are the coordinates of the tree, v their rates, a their accelerations, t is the time, x are the state variables that
are not coordinates (of forces and controllers), p the parameters. The constraint equations along the tree, and other
packages, trace further functions on the same symbols.

Theory: docs/theory/04-orthogonal-complement.md, eqs. (4.4)–(4.6), (4.9).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache

import casadi as ca
import numpy as np

from multiloop.dependencies import sp
from multiloop.kinematics.constraints import cut_rates, end_twists
from multiloop.kinematics.snapshot import Snapshot
from multiloop.kinematics.tree import Skeleton, parent_deformation_twists
from multiloop.model import GROUND
from multiloop.spatial import Matrix, Pose, as_column
from multiloop.symbols import Traced


@dataclass(frozen=True)
class LinkPropagation:
    """Propagation from a parent to its child in numbers: x = A x_parent + S v, x = [twist; elastic rates].

    A is (6+e) × (6+e of the parent), S (6+e) × rates of the link; both at the origins of the bodies, in inertial axes.
    """

    A: np.ndarray
    S: np.ndarray


class TreeFunctions:
    """Functions of the motion along one tree that return numbers; each is traced at first use.

    `symbols` is the snapshot on the symbols q, v, t and x, on which they are traced; `a` are the symbols of the
    accelerations. All equations along the tree share them.
    """

    def __init__(self, skeleton: Skeleton) -> None:
        counts = {"q": skeleton.positions, "v": skeleton.rates, "a": skeleton.rates}
        q, v, self.a = (as_column(ca.SX.sym(letter, count)) for letter, count in counts.items())
        x = as_column(ca.SX.sym("x", len(skeleton.states)))
        self.skeleton = skeleton
        self.symbols = Snapshot(skeleton, q, v, ca.SX.sym("t"), x)
        forces = self.symbols.reaction_dependent_forces.shape[0]
        self.symbols.reaction_dependent_forces = ca.SX.sym("dependent_forces", forces)

    def _traced(self, name: str, inputs: str, **outputs: Matrix) -> Traced:
        """A function of some of q, v and a, in order, followed by the parameters p."""
        symbols = {"q": self.symbols.q, "v": self.symbols.v, "a": self.a}
        given = {letter: symbols[letter] for letter in inputs} | {"p": self.skeleton.parameter_symbols}
        return Traced(name, given, outputs)

    @cached_property
    def _poses(self) -> Traced:
        stacked = [ca.horzcat(place.pose.R, place.pose.p) for place in self.symbols.placements]
        return self._traced("poses", "q", poses=ca.horzcat(ca.SX(3, 0), *stacked))

    @cached_property
    def _propagation(self) -> Traced:
        """Traced P of every joint, and twist of its body per unit of the parent's elastic rates, both at the origin
        of the body."""
        own, bent = [ca.SX(6, 0)], [ca.SX(6, 0)]
        for k in range(len(self.skeleton.links)):
            own.append(self.symbols.placements[k].P)
            bent.append(parent_deformation_twists(self.skeleton, self.symbols.placements, k))
        return self._traced(
            "propagation", "q", P=ca.densify(ca.horzcat(*own)), bent=ca.densify(ca.horzcat(*bent))
        )

    @cached_property
    def _masses(self) -> Traced:
        """Mass matrices of all bodies at their origins in inertial axes, as one column."""
        found = [ca.SX(0, 1)]
        for link, place in zip(self.skeleton.links, self.symbols.placements, strict=True):
            inertia = link.reduced.inertia_in(place.pose.R, place.eta)
            found.append(ca.vec(ca.densify(ca.SX(inertia.matrix))))
        return self._traced("masses", "q", M=ca.vertcat(*found))

    @cached_property
    def _markers(self) -> Traced:
        """Poses [R | p] of all markers in the inboard frames of their undeformed bodies, those of the ground first."""
        bodies = (self.skeleton.ground, *(link.reduced for link in self.skeleton.links))
        stacked = [ca.horzcat(pose.R, pose.p) for body in bodies for pose in body.markers.values()]
        return self._traced("markers", "", markers=ca.densify(ca.horzcat(ca.SX(3, 0), *stacked)))

    @cached_property
    def _cut_rates(self) -> Matrix:
        """Rates of all cut joints and pairs, as one column."""
        parts = [cut_rates(cut, end_twists(self.symbols, *cut.ends)) for cut in self.symbols.cut_joints]
        return ca.vertcat(ca.SX(0, 1), *parts)

    @cached_property
    def _cut_rate_rows(self) -> Traced:
        return self._traced("cut_rate_rows", "q", J=ca.jacobian(self._cut_rates, self.symbols.v))

    @cached_property
    def _cut_motion(self) -> Traced:
        """Rates f(q, v) of the cut joints and their accelerations ḟ = f_q E v + f_v a."""
        rates = self._cut_rates
        at = self.symbols
        accelerations = ca.jtimes(rates, at.q, at.q_rate) + ca.jtimes(rates, at.v, self.a)
        return self._traced("cut_motion", "qva", rates=rates, accelerations=accelerations)

    @property
    def cut_motion_symbols(self) -> tuple[Matrix, Matrix]:
        """Rates and accelerations of all cut joints, as symbols."""
        found = self._cut_motion.outputs
        return found["rates"], found["accelerations"]

    # numbers ------------------------------------------------------------------------------------------

    def inboard_poses(self, q: np.ndarray, p: np.ndarray) -> dict[str, Pose]:
        """Poses of the inboard frames of all bodies, the ground included."""
        (stacked,) = self._poses(q, p)
        found = {GROUND: Pose(np.eye(3), np.zeros(3))}
        for k, link in enumerate(self.skeleton.links):
            found[link.body] = Pose(stacked[:, 4 * k : 4 * k + 3], stacked[:, 4 * k + 3])
        return found

    def link_propagations(self, q: np.ndarray, p: np.ndarray) -> list[LinkPropagation]:
        """Propagation of twists from the parent to every link, in inertial axes."""
        links, body_of = self.skeleton.links, self.skeleton.body_of
        P, bent = (stack.reshape(6, -1) for stack in self._propagation(q, p))
        origins = self._poses(q, p)[0].reshape(3, -1)[:, 3::4].T
        found, own, at = [], 0, 0
        for k, link in enumerate(links):
            f, e = link.rates.stop - link.rates.start, link.reduced.elastic
            above = body_of(link.parent).elastic
            x, y, z = origins[k] - (origins[link.parent] if link.parent >= 0 else 0.0)
            A, S = np.zeros((6 + e, 6 + above)), np.zeros((6 + e, f))
            A[:6, :6] = np.eye(6)
            A[3:6, :3] = [[0, z, -y], [-z, 0, x], [y, -x, 0]]  # ω × r = −r̃ ω
            A[:6, 6:] = bent[:, at : at + above]
            S[:6], S[6:, f - e :] = P[:, own : own + f], np.eye(e)
            found.append(LinkPropagation(A, S))
            own, at = own + f, at + above
        return found

    def mass_matrices(self, q: np.ndarray, p: np.ndarray) -> list[np.ndarray]:
        """Mass matrices of all bodies at their origins in inertial axes, (6+e) × (6+e) each."""
        (stack,) = self._masses(q, p)
        sizes = [6 + link.reduced.elastic for link in self.skeleton.links]
        ends = np.cumsum([0, *(n * n for n in sizes)])
        return [stack[begin : begin + n * n].reshape(n, n) for begin, n in zip(ends, sizes, strict=False)]

    def twists(
        self, q: np.ndarray, p: np.ndarray, ways: np.ndarray, bodies: Iterable[int] | None = None
    ) -> dict[int, np.ndarray]:
        """Twists of `bodies` (by default all) at their origins, for the m columns of rates in `ways`, (6+e) × m.

            x_k = A_k x_parent + S_k v_k        outward along the tree

        The elastic rates of an elastic body follow its twist.
        """
        links, steps = self.skeleton.links, self.link_propagations(q, p)
        wanted = set(range(len(links)) if bodies is None else bodies)
        for k in list(wanted):
            while links[k].parent >= 0 and links[k].parent not in wanted:
                k = links[k].parent
                wanted.add(k)
        found: dict[int, np.ndarray] = {-1: np.zeros((6, ways.shape[1]))}
        for k in sorted(wanted):
            found[k] = steps[k].A @ found[links[k].parent] + steps[k].S @ ways[links[k].rates]
        return found

    def natural_orthogonal_complement(self, q: np.ndarray, p: np.ndarray) -> np.ndarray:
        """Natural orthogonal complement N of the tree, 6n × rates: t = N v at the origins of the bodies.

        An elastic body has 6+e rows: its twist, then its elastic rates.
        """
        rates = self.skeleton.rates
        twists = self.twists(q, p, np.eye(rates))
        return np.vstack([np.zeros((0, rates)), *(twists[k] for k in range(len(self.skeleton.links)))])

    def cut_motion(
        self, q: np.ndarray, v: np.ndarray, a: np.ndarray, p: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Rates and accelerations of all cut joints, in order."""
        rates, accelerations = self._cut_motion(q, v, a, p)
        return rates, accelerations

    def cut_rate_rows(self, q: np.ndarray, p: np.ndarray) -> sp.csc_matrix:
        """Matrix from v to the rates of all cut joints, in order."""
        return self._cut_rate_rows.sparse(q, p)

    def undeformed_marker_pose(self, k: int, marker: str, p: np.ndarray) -> Pose:
        """Pose of a marker in the inboard frame of its undeformed body (−1 the ground)."""
        return self._undeformed_marker_poses(tuple(p))[k, marker]

    def marker_poses(self, q: np.ndarray, p: np.ndarray) -> dict[tuple[int, str], Pose]:
        """Poses of all markers, by (body, marker), in the frames of their deformed bodies (−1 the ground)."""
        constant = self._undeformed_marker_poses(tuple(p))
        if not self._deformed_marker_poses:
            return constant
        (stack,) = self._traced_deformed_markers(q, p)
        frames = stack.reshape(3, -1, 4).swapaxes(0, 1)
        names = [name for name, _ in self._deformed_marker_poses]
        return constant | {n: Pose(X[:, :3], X[:, 3]) for n, X in zip(names, frames, strict=True)}

    @cached_property
    def _deformed_marker_poses(self) -> list[tuple[tuple[int, str], Pose]]:
        """Markers that move when their elastic bodies deform, with their poses in the frames of these bodies."""
        return [
            ((k, marker), link.reduced.marker_pose(marker, self.symbols.placements[k].eta))
            for k, link in enumerate(self.skeleton.links)
            for marker in link.reduced.markers
            if link.reduced.moves(marker)
        ]

    @cached_property
    def _traced_deformed_markers(self) -> Traced:
        stacked = [ca.horzcat(pose.R, pose.p) for _, pose in self._deformed_marker_poses]
        return self._traced("bent_markers", "q", markers=ca.densify(ca.horzcat(ca.SX(3, 0), *stacked)))

    @cached_property
    def _undeformed_marker_poses(self) -> Callable[[tuple[float, ...]], dict[tuple[int, str], Pose]]:
        """A function from parameters to poses by (body, marker), which caches its last results."""
        names = [
            (k, marker)
            for k in range(-1, len(self.skeleton.links))
            for marker in self.skeleton.body_of(k).markers
        ]

        @lru_cache(maxsize=4)
        def at(p: tuple[float, ...]) -> dict[tuple[int, str], Pose]:
            (stack,) = self._markers(np.array(p))
            frames = stack.reshape(3, -1, 4).swapaxes(0, 1)
            return {name: Pose(X[:, :3], X[:, 3]) for name, X in zip(names, frames, strict=True)}

        return at
