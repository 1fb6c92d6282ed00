"""What can be read off an instant once accelerations, multipliers and efforts are known, traced once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import casadi as ca

from multiloop.dynamics.energy import kinetic_energy, momentum, potential_energy
from multiloop.dynamics.reactions import all_reactions, effort_wrench
from multiloop.dynamics.wrenches import needed_wrenches
from multiloop.kinematics.equations import Equations
from multiloop.kinematics.motion import Accelerated
from multiloop.spatial import Matrix, zeros
from multiloop.symbols import Traced


@dataclass(frozen=True, eq=False)
class Measured:
    """Traced readings of one mechanism along one tree; joints in the mechanism's order."""

    equations: Equations

    def _ordered(self, found: dict[str, Matrix]) -> Matrix:
        joints = self.equations.skeleton.mechanism.pairs
        return ca.horzcat(ca.SX(6, 0), *[found.get(joint.name, ca.DM(6, 1)) for joint in joints])

    @cached_property
    def reactions(self) -> Traced:
        """(q, v, a, λ of the loops, τ, p) → constraint wrench of every joint, 6 × joints."""
        eq = self.equations
        lam, tau = ca.SX.sym("lam", eq.skeleton.rows), ca.SX.sym("tau", eq.skeleton.rates)
        falling = Accelerated(zeros(3), -eq.skeleton.gravity)
        needed = needed_wrenches(eq.skeleton, eq.placed, eq.moving, eq.accelerated(eq.a, falling))
        inputs = {"q": eq.q, "v": eq.v, "a": eq.a, "lam": lam, "tau": tau, "p": eq.skeleton.symbols}
        return Traced("reactions", inputs, {"wrenches": self._ordered(all_reactions(eq, needed, lam, tau))})

    @cached_property
    def efforts(self) -> Traced:
        """(q, τ, p) → wrench of the efforts at every joint, on the second body at its marker, 6 × joints."""
        eq = self.equations
        tau = ca.SX.sym("tau", eq.skeleton.rates)
        found = {
            link.joint.name: effort_wrench(link, place, tau[link.v], eq.skeleton.planar)
            for link, place in zip(eq.skeleton.links, eq.placed, strict=True)
        }
        return Traced(
            "efforts", {"q": eq.q, "tau": tau, "p": eq.skeleton.symbols}, {"wrenches": self._ordered(found)}
        )

    @cached_property
    def energy(self) -> Traced:
        """(q, v, p) → kinetic energy, potential energy, and momentum [angular; linear]."""
        eq = self.equations
        return eq.function(
            "energy", "qv", kinetic=kinetic_energy(eq), potential=potential_energy(eq), momentum=momentum(eq)
        )
