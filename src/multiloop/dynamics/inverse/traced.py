"""The parts of inverse dynamics that every instant needs, traced once: what the motion needs, and all reactions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import casadi as ca
import numpy as np

from multiloop.dynamics.inverse.problem import InverseProblem
from multiloop.dynamics.reactions import all_reactions
from multiloop.kinematics.equations import Equations
from multiloop.kinematics.targets import coordinate_index
from multiloop.symbols import Traced


@dataclass(frozen=True, eq=False)
class InverseFunctions:
    """Traced functions of one mechanism along one tree."""

    equations: Equations

    @cached_property
    def _problem(self) -> InverseProblem:
        eq = self.equations
        nothing = ca.DM(eq.skeleton.rates, 1)
        return InverseProblem(eq, eq.a, ca.DM(eq.skeleton.rates, 0), nothing)

    @cached_property
    def reduced(self) -> Traced:
        """(q, v, a, p) → what the motion needs along every rate, Nᵀ w*, and the loops' J."""
        return self.equations.function(
            "reduced", "qva", needed=self._problem.right, J=self.equations.loop_jacobian
        )

    @cached_property
    def reactions(self) -> Traced:
        """(q, v, a, λ, τ, p) → constraint wrench of every joint, 6 × joints; τ has one entry per rate."""
        eq = self.equations
        lam, tau = ca.SX.sym("lam", eq.skeleton.rows), ca.SX.sym("tau", eq.skeleton.rates)
        found = all_reactions(eq, self._problem.needed, lam, tau)
        ordered = [found[joint.name] for joint in eq.skeleton.mechanism.pairs]
        inputs = {"q": eq.q, "v": eq.v, "a": eq.a, "lam": lam, "tau": tau, "p": eq.skeleton.symbols}
        return Traced("reactions", inputs, {"wrenches": ca.horzcat(ca.SX(6, 0), *ordered)})


def effort_columns(equations: Equations, efforts: tuple[tuple[str, str], ...]) -> np.ndarray:
    """B: one unit column for every effort (joint, component)."""
    B = np.zeros((equations.skeleton.rates, len(efforts)))
    for k, (joint, component) in enumerate(efforts):
        B[coordinate_index(equations.skeleton, joint, component), k] = 1.0
    return B
