"""Massless links: test whether the inertia of the mechanism determines its motion, and the inertia that each joint
moves.

Massless and thin links are allowed as long as the mass matrix M is positive definite for all motions that the
constraints allow,

    Nᵀ M N > 0,     columns of N span the null space of the constraint matrix A

Methods that start from the spanning tree alone require in addition that no joint of the tree has only massless links
outward of it. The plan tests this second condition from the leaves inward. If only the first condition holds, another
tree is tried; if no tree satisfies both, the inertia I of the tree is stiffened to I + c JᵀJ, with the loop Jacobian J
and a factor c > 0.

The inertia carried by each joint, that of all bodies outward of it, is computed from numerical values at one
configuration. The twist of a link is that of its parent plus the motion of its joint; with the vector x of the twist
and the elastic rates of a link, and the rates v of its joint and its elastic coordinates:

    x = A x_parent + S v

No symbolic function is traced, so that many candidate trees can be tested.

Theory: docs/theory/06-forward-dynamics.md, eqs. (6.20), (6.21).
"""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca
import numpy as np

from multiloop.dependencies import sp
from multiloop.kinematics import Equations, equations_of, marker_deformations, marker_frames
from multiloop.kinematics.assembly import Assembly
from multiloop.kinematics.conditioning import RANK_TOLERANCE, sparse_null_space
from multiloop.kinematics.tree import LENGTH_COMPONENTS
from multiloop.spatial import numeric
from multiloop.topology import Branch, Tree


@dataclass(frozen=True)
class MasslessLinks:
    """Result of the test for massless links.

    `thin` are the joints of the tree that move no inertia if all joints outward of them are free. `undetermined` are
    the joints that move in a motion that no inertia determines; it is empty if inertia determines every motion.
    `turning` contains a tuple (body, axis) for each such motion with rotation: the body that rotates most, and the unit
    vector along its axis of rotation in the body frame.
    """

    thin: tuple[str, ...]
    undetermined: tuple[str, ...]
    turning: tuple[tuple[str, tuple[float, float, float]], ...] = ()

    @property
    def rule(self) -> str:
        """Treatment of the inertia I of the tree: "regular", "stiffened" (I + c JᵀJ with the loop Jacobian J and a
        factor c) or "undetermined"."""
        if self.undetermined:
            return "undetermined"
        return "stiffened" if self.thin else "regular"


def tree_inertia(equations: Equations, q: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Numerical value of the mass matrix of the spanning tree in joint rates, I = Nᵀ M N.

    N maps the joint rates to the twists of all bodies, whose mass matrices form M.

    Source: [koul], eq. (7).
    """
    rates = equations.skeleton.rates
    twists = equations.tree_functions.twists(q, p, np.eye(rates))
    bodies = enumerate(equations.tree_functions.mass_matrices(q, p))
    return sum((twists[k].T @ M @ twists[k] for k, M in bodies), np.zeros((rates, rates)))


def carried_inertia_of_rates(equations: Equations, q: np.ndarray, p: np.ndarray) -> np.ndarray:
    """For each rate, the largest inertia that its joint moves along a rate of the same kind (rotation, translation or
    elastic), with all other joints locked."""
    carried = np.concatenate([np.zeros(0), *carried_inertia(tree_links(equations, q, p))])
    most: np.ndarray = carried / equations.chart.rate_units**2
    return most


def rate_weights(equations: Equations, q: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Square roots of the inertia moved by each rate: weights that make motions of large and small bodies
    comparable."""
    scale = equations.chart.rate_units
    weights: np.ndarray = _inertia_weights(carried_inertia_of_rates(equations, q, p) * scale**2) / scale
    return weights


def _inertia_weights(carried: np.ndarray) -> np.ndarray:
    """Square roots of the inertia moved by each rate; rates without inertia get the smallest nonzero value."""
    lightest = carried[carried > 0].min(initial=np.inf)
    return np.sqrt(np.where(carried > 0, carried, lightest if np.isfinite(lightest) else 1.0))


def massless_links(
    equations: Equations, q: np.ndarray, p: np.ndarray, t: float | None = None
) -> MasslessLinks:
    """Joints that move no mass, and motions that no inertia determines, at one configuration of one spanning tree.

    `equations` must not contain drives.

    If every joint of the tree moves some mass, all motions of the tree are determined, including those that the loops
    allow. The inertia along each joint is compared with the inertia that this joint carries, so that a small pendulum
    on a large body is not taken for massless. Cost: linear in the number of bodies, unless some joint moves no mass.
    """
    links = tree_links(equations, q, p)
    carried = carried_inertia(links)
    thin = massless_joints(links, carried)
    undecided = _massless_motions(equations, q, p, t, np.concatenate(carried)) if thin else []
    joints = [joint for motion in undecided for joint in _moving_joints(equations, motion)]
    turning = [found for motion in undecided for found in _turning_body(equations, q, p, motion)]
    return MasslessLinks(tuple(thin), tuple(dict.fromkeys(joints)), tuple(turning))


def _moving_joints(equations: Equations, motion: np.ndarray) -> list[str]:
    scaled = np.abs(motion / equations.chart.rate_units)
    links = equations.skeleton.links
    return [
        link.joint.name for link in links if scaled[link.v].max(initial=0.0) > 0.3 * scaled.max(initial=0.0)
    ]


def _turning_body(
    equations: Equations, q: np.ndarray, p: np.ndarray, motion: np.ndarray
) -> list[tuple[str, tuple[float, float, float]]]:
    """The body that rotates most in a `motion` (joint rates), and its axis of rotation in the body frame.

    The list is empty for planar mechanisms and for motions without rotation.
    """
    if equations.skeleton.planar:
        return []
    twists = equations.tree_functions.twists(q, p, motion[:, None])
    turns = {k: twist[:3, 0] for k, twist in twists.items() if k >= 0}
    k = max(turns, key=lambda k: float(np.linalg.norm(turns[k])))
    size = float(np.linalg.norm(turns[k]))
    if size * equations.skeleton.characteristic_length < 1e-9 * float(np.abs(motion).max()):
        return []
    body = equations.skeleton.links[k].body
    R = numeric(equations.tree_functions.inboard_poses(q, p)[body].R) @ numeric(
        equations.tree_functions.undeformed_marker_pose(k, "origin", p).R
    )
    x, y, z = (float(c) for c in np.round(R.T @ turns[k] / size, 9) + 0.0)
    return [(body, (x, y, z))]


def _massless_motions(
    equations: Equations, q: np.ndarray, p: np.ndarray, t: float | None, carried: np.ndarray
) -> list[np.ndarray]:
    """Motions (joint rates) that the loops allow and that no inertia determines.

    Each rate v is scaled by the square root of the inertia I_ii that it moves (`carried`), y = √I_ii v.
    """
    scale = equations.chart.rate_units
    weight = _inertia_weights(carried)
    J = sp.csr_matrix(equations.scaled_loop_jacobian(q, p, t) @ sp.diags(1 / weight))
    largest = abs(J).max(axis=1).toarray().ravel() if J.shape[0] else np.zeros(0)
    ways = sparse_null_space(
        sp.diags(1 / np.where(largest > RANK_TOLERANCE * largest.max(initial=0.0), largest, 1.0)) @ J
    )
    twists = equations.tree_functions.twists(q, p, (scale / weight)[:, None] * ways)
    reduced = np.zeros((ways.shape[1], ways.shape[1]))
    for k, M in enumerate(equations.tree_functions.mass_matrices(q, p)):
        reduced += twists[k].T @ M @ twists[k]
    inertias, directions = np.linalg.eigh(reduced)
    return [
        scale / weight * (ways @ d)
        for i, d in zip(inertias, directions.T, strict=True)
        if i <= MASSLESS_RATIO
    ]


MASSLESS_RATIO = 1e-12
"""Inertia along a joint, with the joints outward of it free, counts as zero up to this fraction of the inertia that the
joint moves with all other joints locked."""


ROUND_OFF = 1e-15
"""Round-off of a sum, as a fraction of the sum of the magnitudes of its terms."""


@dataclass(frozen=True, eq=False)
class TreeLink:
    """One link of a spanning tree: matrices A and S of the recursion x = A x_parent + S v, and its mass matrix.

    The joint rates v of lengths are divided by the characteristic length. `joint_rate_count` is the number of rates of
    its joint, which precede its elastic rates.
    """

    joint: str
    parent: int
    A: np.ndarray
    S: np.ndarray
    joint_rate_count: int
    mass: np.ndarray


def tree_links(equations: Equations, q: np.ndarray, p: np.ndarray) -> list[TreeLink]:
    """The links of the spanning tree of `equations`, in the order of the tree, with numerical matrices."""
    links, scale = equations.skeleton.links, equations.chart.rate_units
    tree = equations.tree_functions
    return [
        TreeLink(
            link.joint.name,
            link.parent,
            step.A,
            step.S * scale[link.rates],
            link.v.stop - link.v.start,
            mass,
        )
        for link, step, mass in zip(
            links, tree.link_propagations(q, p), tree.mass_matrices(q, p), strict=True
        )
    ]


class AssembledPosition:
    """Poses of bodies and markers, and inertia of the bodies, of an assembled mechanism; they are the same for every
    tree."""

    def __init__(self, assembly: Assembly) -> None:
        self.q, self.p = assembly.q, assembly.p
        self.equations = equations_of(assembly.mechanism, assembly.equations.skeleton.tree)
        skeleton = self.equations.skeleton
        self.frames = marker_frames(self.equations, self.q, self.p)
        poses = self.equations.tree_functions.inboard_poses(self.q, self.p)
        masses = self.equations.tree_functions.mass_matrices(self.q, self.p)
        self.origin = {body: numeric(pose.p) for body, pose in poses.items()}
        self.mass = {link.body: M for link, M in zip(skeleton.links, masses, strict=True)}
        self.marker_deflections = marker_deformations(self.equations, self.q, self.p)
        self.motion_subspaces: dict[str, np.ndarray] = {}

    def links_along(self, tree: Tree) -> list[TreeLink]:
        """The links of a spanning tree of the mechanism, in the order of the tree."""
        place = {branch.body: k for k, branch in enumerate(tree.branches)}
        return [self._link(branch, place.get(branch.parent, -1)) for branch in tree.branches]

    def _link(self, branch: Branch, parent: int) -> TreeLink:
        joint = self.equations.skeleton.mechanism.joint(branch.joint)
        parent_marker, own_marker = (
            (joint.first, joint.second) if branch.forward else (joint.second, joint.first)
        )
        at = self.origin[branch.body]
        P = self._motion_subspace(branch.joint) * (1.0 if branch.forward else -1.0)
        f, e, above = P.shape[1], self._elastic(branch.body), self._elastic(branch.parent)
        A, S = np.zeros((6 + e, 6 + above)), np.zeros((6 + e, f + e))
        A[:6, :6] = _shift_matrix(at - self.origin[branch.parent])
        A[:6, 6:] = self._elastic_twist(parent_marker, at)
        S[:6, :f] = _shift_matrix(at - numeric(self.frames[joint.second].p)) @ P
        S[:6, f:] = -self._elastic_twist(own_marker, at)
        S[6:, f:] = np.eye(e)
        S[:, f:] *= self._elastic_unit(branch.body)
        return TreeLink(branch.joint, parent, A, S, f, self.mass[branch.body])

    def _elastic(self, body: str) -> int:
        skeleton = self.equations.skeleton
        return skeleton.body_of(skeleton.index[body]).elastic

    def _elastic_unit(self, body: str) -> np.ndarray:
        """Scale by which each elastic rate of a body is divided (`Chart.rate_units`); the same for every tree."""
        skeleton = self.equations.skeleton
        found: np.ndarray = self.equations.chart.rate_units[skeleton.links[skeleton.index[body]].eta_rate]
        return found

    def _motion_subspace(self, name: str) -> np.ndarray:
        """Twist of a joint's second body relative to its first, at its second marker, per unit of each rate."""
        if name not in self.motion_subspaces:
            skeleton = self.equations.skeleton
            joint = self.equations.skeleton.numeric_joint(skeleton.mechanism.joint(name), self.p)
            F, S = self.frames[joint.first], self.frames[joint.second]
            local = ca.DM(joint.motion_subspace(F.inverse() @ S, skeleton.planar)).full()
            R = numeric(F.R)
            names = joint.components(skeleton.planar)
            unit = [
                skeleton.characteristic_length if component in LENGTH_COMPONENTS else 1.0
                for component in names
            ]
            self.motion_subspaces[name] = np.vstack([R @ local[:3], R @ local[3:]]) * unit
        return self.motion_subspaces[name]

    def _elastic_twist(self, reference: str, at: np.ndarray) -> np.ndarray:
        """Twist due to the deformation at a marker, per unit of each elastic rate of its body, taken at the point
        `at`; zero for a marker that does not move relative to its body."""
        body, _, marker = reference.partition(".")
        k = self.equations.skeleton.index[body]
        if (k, marker) not in self.marker_deflections:
            return np.zeros((6, self._elastic(body)))
        return _shift_matrix(at - numeric(self.frames[reference].p)) @ self.marker_deflections[k, marker]


def carried_inertia(links: list[TreeLink]) -> list[np.ndarray]:
    """For every rate of every link, the largest inertia that its joint moves along a rate of the same kind, with all
    other joints locked.

    The rotations of a joint share one value, since a thin link on a spherical joint may have no inertia about one of
    the axes; so do its translations, and so do its elastic rates. Rotations are not compared with translations, because
    no common length scale exists: a small heavy ball has rotational inertia however large its mass is.
    """
    rigid, found = [link.mass.copy() for link in links], []
    for k in reversed(range(len(links))):
        link = links[k]
        along = np.sum(link.S * (rigid[k] @ link.S), axis=0)
        elastic = np.arange(len(along)) >= link.joint_rate_count
        turning = ~elastic & np.any(link.S[:3] != 0.0, axis=0)
        for part in (turning, ~elastic & ~turning, elastic):
            along[part] = along[part].max(initial=0.0)
        found.append(along)
        _add_to_parent(rigid, k, link)
    return found[::-1]


def massless_joints(links: list[TreeLink], carried: list[np.ndarray] | None = None) -> list[str]:
    """Joints that move no mass, found from the leaves inward; `carried` is the result of `carried_inertia`, if known.

    The pivots D of the mass matrix are computed from the articulated-body inertias Î: D is the inertia of a body and of
    all bodies outward of it along its joint, with motion subspace P, when the joints outward of it are free; A
    propagates the twist of the parent:

        D = Pᵀ Î P,   Î_parent += Aᵀ (Î − Î P D⁻¹ Pᵀ Î) A

    Source: [featherstone], articulated-body algorithm.
    Differs: the degrees of freedom of a joint are eliminated one after another; a zero pivot is recorded and skipped.
    """
    carried = carried_inertia(links) if carried is None else carried
    free, thin = [link.mass.copy() for link in links], []
    for k in reversed(range(len(links))):
        link = links[k]
        for f in reversed(range(link.S.shape[1])):
            P = link.S[:, f]
            u = free[k] @ P
            # round-off of the inertia P @ u, which may be larger, for example for a point mass on the joint axis
            noise = ROUND_OFF * float(np.abs(P) @ np.abs(free[k]) @ np.abs(P))
            if P @ u <= max(MASSLESS_RATIO * carried[k][f], noise):
                thin.append(link.joint)
            else:
                free[k] -= np.outer(u, u) / (P @ u)
        _add_to_parent(free, k, link)
    return list(dict.fromkeys(thin))[::-1]


def _add_to_parent(inertia: list[np.ndarray], k: int, link: TreeLink) -> None:
    """Add the inertia I of body k, as Aᵀ I A, to the inertia of its parent; A is the matrix that propagates the twist
    of the parent to body k (x = A x_parent + S v)."""
    if link.parent >= 0:
        inertia[link.parent] += link.A.T @ inertia[k] @ link.A


def _shift_matrix(r: np.ndarray) -> np.ndarray:
    """Matrix (6 × 6) that shifts a twist to another point, v + ω × r, with r from the old to the new point."""
    x, y, z = r
    found = np.eye(6)
    found[3:, :3] = [[0, z, -y], [-z, 0, x], [y, -x, 0]]
    return found
