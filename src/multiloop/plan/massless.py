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
from multiloop.kinematics.rates import linearised

WEIGHTLESS = 1e-12
"""Inertia below this part of the largest counts as none."""


@dataclass(frozen=True)
class Massless:
    """Verdict on massless links.

    `thin` are tree joints with no inertia outward of them; `undetermined` are joints whose motion no mass
    decides (empty when the motion is determined).
    """

    thin: tuple[str, ...]
    undetermined: tuple[str, ...]

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
    N, M = equations.complement(q, p), equations.masses(q, p)
    rates = equations.skeleton.rates
    return N.T @ (M @ N.reshape(len(M), 6, rates)).reshape(-1, rates)


def massless_links(equations: Equations, q: np.ndarray, p: np.ndarray) -> Massless:
    """The verdict at one position of one tree; `equations` without drives.

    A tree whose every joint moves some mass decides all its motions, so those that the loops leave too.
    Cost: linear in the bodies, unless some joint moves none.
    """
    thin, scale = _thin_joints(equations, q, p)
    if not thin:
        return Massless((), ())
    linear = linearised(equations, q, np.zeros(0), p)
    ways = linear.Vt[linear.rank :]
    twists = equations.twists(q, p, equations.chart.scale[:, None] * ways.T)
    reduced = np.zeros((len(ways), len(ways)))
    for k, M in enumerate(equations.masses(q, p)):
        reduced += twists[k].T @ M @ twists[k]
    weights, directions = np.linalg.eigh(reduced) if len(ways) else (np.zeros(0), np.zeros((0, 0)))
    undetermined: list[str] = []
    for weight, direction in zip(weights, directions.T, strict=True):
        if weight <= WEIGHTLESS * scale:
            motion = np.abs(direction @ ways)
            undetermined += [
                link.joint.name
                for link in equations.skeleton.links
                if motion[link.v].max(initial=0.0) > 0.3 * motion.max()
            ]
    return Massless(tuple(thin), tuple(dict.fromkeys(undetermined)))


def _thin_joints(equations: Equations, q: np.ndarray, p: np.ndarray) -> tuple[list[str], float]:
    """Joints that move no mass, from the leaves inward, and the largest inertia that a joint moves.

    The pivots of I are those of the articulated bodies: what a body and all it carries weighs along a joint
    when the joints outward of it are free,

        D = Pᵀ Î P,   Î_parent += Aᵀ (Î − Î P D⁻¹ Pᵀ Î) A

    Source: [featherstone]. Differs: one freedom of a joint after another; a pivot that is zero is
    named and passed over.
    """
    links, steps, scale = equations.skeleton.links, equations.steps(q, p), equations.chart.scale
    free = equations.masses(q, p)  # articulated inertia: all joints outward are free
    rigid = free.copy()  # composite inertia: all joints outward are locked
    largest = 0.0
    for k in reversed(range(len(links))):
        P = steps[k].P * scale[links[k].v]
        largest = max(largest, float(np.sum(P * (rigid[k] @ P), axis=0).max(initial=0.0)))
        _hand_inward(rigid, links[k].parent, k, steps[k].r)
    least = WEIGHTLESS * (largest or 1.0)
    thin = []
    for k in reversed(range(len(links))):
        for f in reversed(range(steps[k].P.shape[1])):
            P = steps[k].P[:, f] * scale[links[k].v.start + f]
            u = free[k] @ P
            if P @ u <= least:
                thin.append(links[k].joint.name)
            else:
                free[k] -= np.outer(u, u) / (P @ u)
        _hand_inward(free, links[k].parent, k, steps[k].r)
    return list(dict.fromkeys(thin))[::-1], max(largest, 1e-300)


def _hand_inward(inertia: np.ndarray, parent: int, k: int, r: np.ndarray) -> None:
    """Add the inertia of body k to that of its parent, whose origin is −r away: Aᵀ I A."""
    if parent >= 0:
        A = np.eye(6)
        A[3:, :3] = [[0, r[2], -r[1]], [-r[2], 0, r[0]], [r[1], -r[0], 0]]  # ω × r = −r̃ ω
        inertia[parent] += A.T @ inertia[k] @ A
