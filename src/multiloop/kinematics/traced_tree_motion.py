"""Numeric poses, twists, mass matrices and motions of cut joints along one tree, from CasADi functions that are built
once.

q are the coordinates of the tree, v the rates and a the accelerations, t is the time, x are the state variables of
forces and controllers, p the parameters. The constraint equations along the tree, and other packages, define further
functions of the same symbols.

Theory: docs/theory/04-orthogonal-complement.md, eqs. (4.4)–(4.6), (4.9).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

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
    """Numeric matrices of the recursion from a parent to its child: x = A x_parent + S v.

    x = [twist; elastic rates] of a body, with the twist at the body's origin in inertial axes; v are the rates of the
    link. A is (6+e) × (6+e of the parent), S is (6+e) × rates of the link, for e elastic coordinates.
    """

    A: np.ndarray
    S: np.ndarray


class TreeFunctions:
    """Numeric functions of the motion along one tree; each is built from symbolic expressions at first use.

    `symbols` is the snapshot with the symbols q, v, t and x as its values, and `a` are the symbols of the
    accelerations; all equations along the tree share these symbols.
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
        """A CasADi function that returns the expressions `outputs`; its arguments are those of the symbols q, v and a
        that the string `inputs` contains, followed by the parameters p."""
        symbols = {"q": self.symbols.q, "v": self.symbols.v, "a": self.a}
        given = {letter: symbols[letter] for letter in inputs} | {"p": self.skeleton.parameter_symbols}
        return Traced(name, given, outputs)

    @cached_property
    def _poses(self) -> Traced:
        stacked = [ca.horzcat(place.pose.R, place.pose.p) for place in self.symbols.placements]
        return self._traced("poses", "q", poses=ca.horzcat(ca.SX(3, 0), *stacked))

    @cached_property
    def _propagation(self) -> Traced:
        """CasADi function (q, p) → for every joint, its motion subspace P, and the twist of its body per unit of each
        elastic rate of the parent, both at the origin of the body."""
        own, bent = [ca.SX(6, 0)], [ca.SX(6, 0)]
        for k in range(len(self.skeleton.links)):
            own.append(self.symbols.placements[k].P)
            bent.append(parent_deformation_twists(self.skeleton, self.symbols.placements, k))
        return self._traced(
            "propagation", "q", P=ca.densify(ca.horzcat(*own)), bent=ca.densify(ca.horzcat(*bent))
        )

    @cached_property
    def _masses(self) -> Traced:
        """CasADi function (q, p) → entries of the mass matrices of all bodies, at their origins in inertial axes, as
        one column."""
        found = [ca.SX(0, 1)]
        for link, place in zip(self.skeleton.links, self.symbols.placements, strict=True):
            inertia = link.reduced.inertia_in(place.pose.R, place.eta)
            found.append(ca.vec(ca.densify(ca.SX(inertia.matrix))))
        return self._traced("masses", "q", M=ca.vertcat(*found))

    @cached_property
    def _markers(self) -> Traced:
        """CasADi function of the parameters p that returns the poses [R | p] of all markers relative to the inboard
        joint frames of their undeformed bodies; markers of the ground come first."""
        bodies = (self.skeleton.ground, *(link.reduced for link in self.skeleton.links))
        stacked = [ca.horzcat(pose.R, pose.p) for body in bodies for pose in body.markers.values()]
        return self._traced("markers", "", markers=ca.densify(ca.horzcat(ca.SX(3, 0), *stacked)))

    @cached_property
    def _cut_rates(self) -> Matrix:
        """Symbolic rates of all cut joints and pairs, as one column."""
        parts = [cut_rates(cut, end_twists(self.symbols, *cut.ends)) for cut in self.symbols.cut_joints]
        return ca.vertcat(ca.SX(0, 1), *parts)

    @cached_property
    def _cut_rate_rows(self) -> Traced:
        return self._traced("cut_rate_rows", "q", J=ca.jacobian(self._cut_rates, self.symbols.v))

    @cached_property
    def _cut_motion(self) -> Traced:
        """CasADi function (q, v, a, p) → rates f(q, v) of the cut joints and their accelerations ḟ = f_q E v + f_v a,
        with q̇ = E v; subscripts denote partial derivatives."""
        rates = self._cut_rates
        at = self.symbols
        accelerations = ca.jtimes(rates, at.q, at.q_rate) + ca.jtimes(rates, at.v, self.a)
        return self._traced("cut_motion", "qva", rates=rates, accelerations=accelerations)

    @property
    def cut_motion_symbols(self) -> tuple[Matrix, Matrix]:
        """Rates and accelerations of all cut joints, as expressions in the symbols q, v, a and p."""
        found = self._cut_motion.outputs
        return found["rates"], found["accelerations"]

    # numerical values ---------------------------------------------------------------------------------

    def inboard_poses(self, q: np.ndarray, p: np.ndarray) -> dict[str, Pose]:
        """Inertial poses of the inboard joint frames of all bodies by name, the ground included."""
        (stacked,) = self._poses(q, p)
        found = {GROUND: Pose(np.eye(3), np.zeros(3))}
        for k, link in enumerate(self.skeleton.links):
            found[link.body] = Pose(stacked[:, 4 * k : 4 * k + 3], stacked[:, 4 * k + 3])
        return found

    def link_propagations(self, q: np.ndarray, p: np.ndarray) -> list[LinkPropagation]:
        """For every link, the matrices that propagate twists from its parent, in inertial axes."""
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
            A[3:6, :3] = [[0, z, -y], [-z, 0, x], [y, -x, 0]]  # −r̃: the velocity ω × r is −r̃ ω
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
        self, q: np.ndarray, p: np.ndarray, rates: np.ndarray, bodies: Iterable[int] | None = None
    ) -> dict[int, np.ndarray]:
        """Twists of `bodies` (by default all) at their origins, (6+e) × m, for each of the m columns of joint
        `rates`.

            x_k = A_k x_parent + S_k v_k        outward along the tree

        x is the twist of a body, v are the rates of its joint, A and S the matrices of `LinkPropagation`. The twist of
        a flexible body is followed by its e elastic rates.
        """
        links, steps = self.skeleton.links, self.link_propagations(q, p)
        wanted = set(range(len(links)) if bodies is None else bodies)
        for k in list(wanted):
            while links[k].parent >= 0 and links[k].parent not in wanted:
                k = links[k].parent
                wanted.add(k)
        found: dict[int, np.ndarray] = {-1: np.zeros((6, rates.shape[1]))}
        for k in sorted(wanted):
            found[k] = steps[k].A @ found[links[k].parent] + steps[k].S @ rates[links[k].rates]
        return found

    def natural_orthogonal_complement(self, q: np.ndarray, p: np.ndarray) -> np.ndarray:
        """Natural orthogonal complement N of the tree, 6n × rates, with t = N v.

        t contains the twists of the n bodies at their origins, v are the joint rates. A flexible body has 6+e rows, for
        its twist and its e elastic rates.
        """
        rates = self.skeleton.rates
        twists = self.twists(q, p, np.eye(rates))
        return np.vstack([np.zeros((0, rates)), *(twists[k] for k in range(len(self.skeleton.links)))])

    def decoupled_complement(self, q: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Factors N_l and N_d of the natural orthogonal complement, N = N_l N_d (decoupled complement, DeNOC).

        The block (i, j) of N_l propagates the twist of body j to body i if j is i or an ancestor of i, and is zero
        otherwise; N_d is block-diagonal, with the matrices S of `LinkPropagation`. A flexible body has 6+e rows and
        columns.

        Source: [chaudhary], eqs. (22)–(33).
        Theory: docs/theory/04-orthogonal-complement.md, eq. (4.9).
        """
        links, steps = self.skeleton.links, self.link_propagations(q, p)
        ends = np.cumsum([0, *(len(step.S) for step in steps)])
        own = [slice(begin, end) for begin, end in pairwise(ends)]
        lower, diagonal = np.eye(ends[-1]), np.zeros((ends[-1], self.skeleton.rates))
        for k, (link, step) in enumerate(zip(links, steps, strict=True)):
            if link.parent >= 0:
                lower[own[k]] += step.A @ lower[own[link.parent]]
            diagonal[own[k], link.rates] = step.S
        return lower, diagonal

    def cut_motion(
        self, q: np.ndarray, v: np.ndarray, a: np.ndarray, p: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Rates and accelerations of all cut joints and pairs, in the order of the loops."""
        rates, accelerations = self._cut_motion(q, v, a, p)
        return rates, accelerations

    def cut_rate_rows(self, q: np.ndarray, p: np.ndarray) -> sp.csc_matrix:
        """Matrix that maps the tree's rates v to the rates of all cut joints and pairs, in the order of the loops."""
        return self._cut_rate_rows.sparse(q, p)

    def undeformed_marker_pose(self, k: int, marker: str, p: np.ndarray) -> Pose:
        """Pose of a marker relative to the inboard joint frame of its undeformed body with index k (−1 is the
        ground)."""
        return self._undeformed_marker_poses(tuple(p))[k, marker]

    def marker_poses(self, q: np.ndarray, p: np.ndarray) -> dict[tuple[int, str], Pose]:
        """Poses of all markers relative to their bodies, elastic deformation included, by (body index, marker); −1 is
        the ground."""
        constant = self._undeformed_marker_poses(tuple(p))
        if not self._deformed_marker_poses:
            return constant
        (stack,) = self._traced_deformed_markers(q, p)
        frames = stack.reshape(3, -1, 4).swapaxes(0, 1)
        names = [name for name, _ in self._deformed_marker_poses]
        return constant | {n: Pose(X[:, :3], X[:, 3]) for n, X in zip(names, frames, strict=True)}

    @cached_property
    def _deformed_marker_poses(self) -> list[tuple[tuple[int, str], Pose]]:
        """The markers that move relative to their flexible bodies, as (body index, marker), each with its symbolic pose
        relative to the body."""
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
        """A function that returns the poses of all markers on undeformed bodies, by (body index, marker), for given
        parameters; it caches its last results."""
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
