"""Can the mechanism's mass decide how it moves? Massless and thin links are allowed as long as it can.

What must hold is that the inertia is positive on every motion the constraints leave,

    Nᵀ M N > 0,     columns of N span null(A)

and, for methods that start from the spanning tree alone, that no joint of the tree carries nothing but
massless links outward. The plan tests the second from the leaves inward; where it fails and the first
holds, another tree is tried and, failing that, the tree's inertia is stiffened to I + c JᵀJ.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from multiloop.kinematics.equations import Equations
from multiloop.kinematics.independence import RANK, open_directions
from multiloop.kinematics.sparse_matrices import sp
from multiloop.plan import weighing
from multiloop.plan.weighing import WEIGHTLESS, thin_joints, weighed_links
from multiloop.spatial import numeric


@dataclass(frozen=True)
class Massless:
    """Verdict on massless links.

    `thin` are tree joints with no inertia outward of them; `undetermined` are joints whose motion no mass
    decides (empty when the motion is determined), `turning` the bodies that turn in it, with their axes in their
    own frames.
    """

    thin: tuple[str, ...]
    undetermined: tuple[str, ...]
    turning: tuple[tuple[str, tuple[float, float, float]], ...] = ()

    @property
    def rule(self) -> str:
        """How the inertia of the tree is to be handled: "regular", "stiffened" (I + c JᵀJ) or "undetermined"."""
        if self.undetermined:
            return "undetermined"
        return "stiffened" if self.thin else "regular"


def tree_inertia(equations: Equations, q: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Generalized inertia of the spanning tree, I = Nᵀ M N, in numbers.

    Source: [koul], eq. (7).
    """
    rates = equations.skeleton.rates
    twists = equations.twists(q, p, np.eye(rates))
    bodies = enumerate(equations.masses(q, p))
    return sum((twists[k].T @ M @ twists[k] for k, M in bodies), np.zeros((rates, rates)))


def most_carried(equations: Equations, q: np.ndarray, p: np.ndarray) -> np.ndarray:
    """The most that a joint carries along one of its rates, other joints locked, for each of them."""
    carried = np.concatenate([np.zeros(0), *weighing.most_carried(weighed_links(equations, q, p))])
    most: np.ndarray = carried / equations.chart.scale**2
    return most


def rate_weights(equations: Equations, q: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Roots of what the rates carry, by which motions of large and small parts are alike."""
    scale = equations.chart.scale
    weights: np.ndarray = _weights(most_carried(equations, q, p) * scale**2) / scale
    return weights


def _weights(carried: np.ndarray) -> np.ndarray:
    """Those that carry nothing weigh as the lightest of the others, so that they do not outweigh them."""
    lightest = carried[carried > 0].min(initial=np.inf)
    return np.sqrt(np.where(carried > 0, carried, lightest if np.isfinite(lightest) else 1.0))


def massless_links(equations: Equations, q: np.ndarray, p: np.ndarray, t: float | None = None) -> Massless:
    """The verdict at one position of one tree; `equations` without drives.

    A tree whose every joint moves some mass decides all its motions, so those that the loops leave too. Every
    joint is compared with what it carries itself: a pendulum on a ship is no lighter for the ship.
    Cost: linear in the bodies, unless some joint moves none.
    """
    links = weighed_links(equations, q, p)
    carried = weighing.most_carried(links)
    thin = thin_joints(links, carried)
    undecided = _undecided(equations, q, p, t, np.concatenate(carried)) if thin else []
    joints = [joint for way in undecided for joint in _moving_joints(equations, way)]
    turning = [found for way in undecided for found in _turning(equations, q, p, way)]
    return Massless(tuple(thin), tuple(dict.fromkeys(joints)), tuple(turning))


def _moving_joints(equations: Equations, way: np.ndarray) -> list[str]:
    motion = np.abs(way / equations.chart.scale)
    links = equations.skeleton.links
    return [
        link.joint.name for link in links if motion[link.v].max(initial=0.0) > 0.3 * motion.max(initial=0.0)
    ]


def _turning(
    equations: Equations, q: np.ndarray, p: np.ndarray, way: np.ndarray
) -> list[tuple[str, tuple[float, float, float]]]:
    """The body that turns most along a way of moving in space, and its axis."""
    if equations.skeleton.planar:
        return []
    turns = {k: twist[:3, 0] for k, twist in equations.twists(q, p, way[:, None]).items() if k >= 0}
    k = max(turns, key=lambda k: float(np.linalg.norm(turns[k])))
    size = float(np.linalg.norm(turns[k]))
    if size * equations.skeleton.length < 1e-9 * float(np.abs(way).max()):
        return []
    body = equations.skeleton.links[k].body
    R = numeric(equations.poses(q, p)[body].R) @ numeric(equations.constant_pose(k, "origin", p).R)
    x, y, z = (float(c) for c in np.round(R.T @ turns[k] / size, 9) + 0.0)
    return [(body, (x, y, z))]


def _undecided(
    equations: Equations, q: np.ndarray, p: np.ndarray, t: float | None, carried: np.ndarray
) -> list[np.ndarray]:
    """Ways of moving that the loops allow but no mass decides.

    Rates are weighed by the root of what they carry, y = √I_ii v.
    """
    scale = equations.chart.scale
    weight = _weights(carried)
    J = sp.csr_matrix(equations.scaled_loops(q, p, t) @ sp.diags(1 / weight))
    largest = abs(J).max(axis=1).toarray().ravel() if J.shape[0] else np.zeros(0)
    ways = open_directions(
        sp.diags(1 / np.where(largest > RANK * largest.max(initial=0.0), largest, 1.0)) @ J
    )
    twists = equations.twists(q, p, (scale / weight)[:, None] * ways)
    reduced = np.zeros((ways.shape[1], ways.shape[1]))
    for k, M in enumerate(equations.masses(q, p)):
        reduced += twists[k].T @ M @ twists[k]
    inertias, directions = np.linalg.eigh(reduced)
    return [
        scale / weight * (ways @ d) for i, d in zip(inertias, directions.T, strict=True) if i <= WEIGHTLESS
    ]
