"""Can the mechanism's mass decide how it moves? Massless and thin links are allowed as long as it can.

What must hold is that the inertia is positive on every motion the constraints leave,

    Nᵀ M N > 0,     columns of N span null(A)

and, for methods that start from the spanning tree alone, that no joint of the tree carries nothing but
massless links outward. The plan tests the second from the leaves inward; where it fails and the first
holds, another tree is tried and, failing that, the tree's inertia is stiffened to I + c JᵀJ.
"""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca
import numpy as np

from multiloop.kinematics.equations import Equations
from multiloop.kinematics.rates import linearised
from multiloop.spatial import extended_mass

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
    N = equations.complement(q, p)
    blocks = equations.function("masses", "q", M=_masses(equations))(q, p)[0]
    total = np.zeros((N.shape[1], N.shape[1]))
    for k in range(len(equations.skeleton.links)):
        rows = N[6 * k : 6 * k + 6]
        total += rows.T @ blocks[:, 6 * k : 6 * k + 6] @ rows
    return total


def massless_links(equations: Equations, q: np.ndarray, p: np.ndarray) -> Massless:
    """The verdict at one position of one tree; `equations` without drives."""
    skeleton = equations.skeleton
    col = equations.chart.scale
    inertia = col[:, None] * tree_inertia(equations, q, p) * col
    thin = _thin_joints(equations, inertia)
    linear = linearised(equations, q, np.zeros(0), p)
    ways = linear.Vt[linear.rank :]
    reduced = ways @ inertia @ ways.T
    weights, directions = np.linalg.eigh(reduced) if len(ways) else (np.zeros(0), np.zeros((0, 0)))
    scale = max(float(np.abs(inertia).max(initial=0.0)), 1e-300)
    undetermined: list[str] = []
    for weight, direction in zip(weights, directions.T, strict=True):
        if weight <= WEIGHTLESS * scale:
            motion = np.abs(direction @ ways)
            undetermined += [
                link.joint.name
                for link in skeleton.links
                if motion[link.v].max(initial=0.0) > 0.3 * motion.max()
            ]
    return Massless(tuple(thin), tuple(dict.fromkeys(undetermined)))


def _thin_joints(equations: Equations, inertia: np.ndarray) -> list[str]:
    """Pivots of I eliminated from the leaves inward; a zero pivot is a joint that moves no mass."""
    I, thin = inertia.copy(), []
    scale = float(np.abs(inertia).max(initial=0.0)) or 1.0
    for link in reversed(equations.skeleton.links):
        for k in reversed(range(link.v.start, link.v.stop)):
            if I[k, k] <= WEIGHTLESS * scale:
                if link.joint.name not in thin:
                    thin.append(link.joint.name)
                continue
            I -= np.outer(I[:, k], I[k]) / I[k, k]
    return thin[::-1]


def _masses(equations: Equations) -> ca.SX:
    """Mass matrices of all bodies at their inboard origins in inertial axes, 6 × 6n."""
    found = [ca.SX(6, 0)]
    for link, place in zip(equations.skeleton.links, equations.placed, strict=True):
        body, R = link.reduced, place.pose.R
        found.append(ca.SX(extended_mass(body.mass, R @ body.com, R @ body.inertia @ R.T)))
    return ca.densify(ca.horzcat(*found))
