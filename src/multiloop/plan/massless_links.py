"""Massless links: test whether the inertia of the mechanism determines its motion.

Massless and thin links are allowed as long as the inertia is positive definite for all motions that the constraints
allow,

    Nᵀ M N > 0,     columns of N span null(A)

Methods that start from the spanning tree alone require in addition that no joint of the tree has only massless links
outward of it. The plan tests this second condition from the leaves inward. If only the first condition holds, another
tree is tried; if no tree satisfies both, the inertia of the tree is stiffened to I + c JᵀJ.

Theory: docs/theory/06-forward-dynamics.md, eq. (6.21).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from multiloop.dependencies import sp
from multiloop.kinematics import Equations
from multiloop.kinematics.conditioning import RANK_TOLERANCE, sparse_null_space
from multiloop.plan import carried_inertia as weighing
from multiloop.plan.carried_inertia import MASSLESS_RATIO, massless_joints, tree_links
from multiloop.spatial import numeric


@dataclass(frozen=True)
class MasslessLinks:
    """Result of the test for massless links.

    `thin` are tree joints without inertia outward of them; `undetermined` are joints whose motion no inertia determines
    (empty if the motion is determined), `turning` the bodies that rotate in such a motion, with their axes in the
    body frame.
    """

    thin: tuple[str, ...]
    undetermined: tuple[str, ...]
    turning: tuple[tuple[str, tuple[float, float, float]], ...] = ()

    @property
    def rule(self) -> str:
        """Treatment of the inertia of the tree: "regular", "stiffened" (I + c JᵀJ) or "undetermined"."""
        if self.undetermined:
            return "undetermined"
        return "stiffened" if self.thin else "regular"


def tree_inertia(equations: Equations, q: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Numerical value of the generalized inertia of the spanning tree, I = Nᵀ M N.

    Source: [koul], eq. (7).
    """
    rates = equations.skeleton.rates
    twists = equations.tree_functions.twists(q, p, np.eye(rates))
    bodies = enumerate(equations.tree_functions.mass_matrices(q, p))
    return sum((twists[k].T @ M @ twists[k] for k, M in bodies), np.zeros((rates, rates)))


def carried_inertia_of_rates(equations: Equations, q: np.ndarray, p: np.ndarray) -> np.ndarray:
    """For each rate, the largest inertia that its joint carries along rates of the same kind, with other joints
    locked."""
    carried = np.concatenate([np.zeros(0), *weighing.carried_inertia(tree_links(equations, q, p))])
    most: np.ndarray = carried / equations.chart.rate_units**2
    return most


def rate_weights(equations: Equations, q: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Square roots of the inertia carried along each rate: weights that make motions of large and small bodies
    comparable."""
    scale = equations.chart.rate_units
    weights: np.ndarray = _inertia_weights(carried_inertia_of_rates(equations, q, p) * scale**2) / scale
    return weights


def _inertia_weights(carried: np.ndarray) -> np.ndarray:
    """Square roots of the carried inertia; rates without inertia get the smallest nonzero value."""
    lightest = carried[carried > 0].min(initial=np.inf)
    return np.sqrt(np.where(carried > 0, carried, lightest if np.isfinite(lightest) else 1.0))


def massless_links(
    equations: Equations, q: np.ndarray, p: np.ndarray, t: float | None = None
) -> MasslessLinks:
    """Massless joints and undetermined motions at one configuration of one tree; `equations` without drives.

    If every joint of the tree moves some mass, all motions of the tree are determined, including those that the loops
    allow. The inertia along each joint is compared with the inertia that this joint carries, so that a small pendulum
    on a large body is not taken for massless. Cost: linear in the number of bodies, unless some joint moves no mass.
    """
    links = tree_links(equations, q, p)
    carried = weighing.carried_inertia(links)
    thin = massless_joints(links, carried)
    undecided = _massless_motions(equations, q, p, t, np.concatenate(carried)) if thin else []
    joints = [joint for way in undecided for joint in _moving_joints(equations, way)]
    turning = [found for way in undecided for found in _turning_body(equations, q, p, way)]
    return MasslessLinks(tuple(thin), tuple(dict.fromkeys(joints)), tuple(turning))


def _moving_joints(equations: Equations, way: np.ndarray) -> list[str]:
    motion = np.abs(way / equations.chart.rate_units)
    links = equations.skeleton.links
    return [
        link.joint.name for link in links if motion[link.v].max(initial=0.0) > 0.3 * motion.max(initial=0.0)
    ]


def _turning_body(
    equations: Equations, q: np.ndarray, p: np.ndarray, way: np.ndarray
) -> list[tuple[str, tuple[float, float, float]]]:
    """The body that rotates most in a spatial motion, and its axis in the body frame."""
    if equations.skeleton.planar:
        return []
    turns = {
        k: twist[:3, 0] for k, twist in equations.tree_functions.twists(q, p, way[:, None]).items() if k >= 0
    }
    k = max(turns, key=lambda k: float(np.linalg.norm(turns[k])))
    size = float(np.linalg.norm(turns[k]))
    if size * equations.skeleton.characteristic_length < 1e-9 * float(np.abs(way).max()):
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
    """Motions that the loops allow and that no inertia determines.

    Rates are scaled by the square root of the inertia that they carry, y = √I_ii v.
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
