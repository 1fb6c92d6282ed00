"""Inverse dynamics, system method: multipliers and efforts of the whole tree together, then body by body.

    Nᵀ w* = Jᵀ λ + B τ,     w_(i−1,i) = w*_i − w^λ_i + A' w_(i,i+1)

The first line has one equation per rate of the spanning tree; all its unknowns are found at once. The second
walks inward and leaves the reaction of every uncut joint.

Source: [chaudhary], §3.2 eq. (14) and §5(2), with eq. (11).
Differs: gravity enters as an acceleration −g of the ground, and the cut wrenches as Jᵀ λ with J = Ĵ N of
[koul], §2.2, so that A = Bᵀ holds by construction.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import casadi as ca
import numpy as np

from multiloop.dynamics.reactions import cut_wrenches, joint_reaction
from multiloop.dynamics.wrenches import carried_wrenches, generalized_forces, needed_wrenches
from multiloop.kinematics.equations import Equations
from multiloop.kinematics.motion import Accelerated
from multiloop.spatial import Matrix, zeros
from multiloop.symbols import Traced


@dataclass(frozen=True, eq=False)
class SystemInverse:
    """The traced equations of the system method for one mechanism along one tree."""

    equations: Equations

    @cached_property
    def _needed(self) -> list[Matrix]:
        eq = self.equations
        falling = Accelerated(zeros(3), -eq.skeleton.gravity)
        accelerated = eq.accelerated(eq.a, falling)
        return needed_wrenches(eq.skeleton, eq.placed, eq.moving, accelerated)

    @cached_property
    def reduced(self) -> Traced:
        """(q, v, a, p) → what the motion needs along every rate, Nᵀ w*, and the loops' J."""
        skeleton, placed = self.equations.skeleton, self.equations.placed
        carried = carried_wrenches(skeleton, placed, self._needed)
        needed = generalized_forces(skeleton, placed, carried)
        return self.equations.function("reduced", "qva", needed=needed, J=self.equations.loop_jacobian)

    @cached_property
    def reactions(self) -> Traced:
        """(q, v, a, λ, τ, p) → constraint wrench of every joint, 6 × joints; τ has one entry per rate."""
        skeleton, placed = self.equations.skeleton, self.equations.placed
        lam, tau = ca.SX.sym("lam", skeleton.rows), ca.SX.sym("tau", skeleton.rates)
        on_body, of_cut = cut_wrenches(skeleton, placed, self.equations.q, lam)
        own = [needed - held for needed, held in zip(self._needed, on_body, strict=True)]
        carried = carried_wrenches(skeleton, placed, own)
        found = dict(of_cut)
        for k, link in enumerate(skeleton.links):
            found[link.joint.name] = joint_reaction(link, placed[k], carried[k], tau[link.v], skeleton.planar)
        ordered = [found[joint.name] for joint in skeleton.mechanism.pairs]
        eq = self.equations
        inputs = {"q": eq.q, "v": eq.v, "a": eq.a, "lam": lam, "tau": tau, "p": skeleton.symbols}
        return Traced("reactions", inputs, {"wrenches": ca.horzcat(ca.SX(6, 0), *ordered)})


def effort_columns(equations: Equations, efforts: tuple[tuple[str, str], ...]) -> np.ndarray:
    """B: one unit column for every effort (joint, component)."""
    from multiloop.kinematics.targets import coordinate_index

    B = np.zeros((equations.skeleton.rates, len(efforts)))
    for k, (joint, component) in enumerate(efforts):
        B[coordinate_index(equations.skeleton, joint, component), k] = 1.0
    return B
