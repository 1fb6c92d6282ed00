"""Residual of the equations of motion for any motion, whether it satisfies them or not.

    F = I v̇ − φ − Jᵀ λ,      Φ(q, s),      J v − b,      J v̇ − γ

All vanish along a motion. Equilibrium, steady motion and small motions about either follow from F and its derivatives,
in which no inertia is inverted: massless links are allowed.

Source: [koul], eqs. (6), (8), (16), all terms on one side.
Differs: drives whose efforts act at other coordinates enter by the columns B of these efforts instead of Jᵀ.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import casadi as ca

from multiloop.dynamics.following import Followed, follow_reactions
from multiloop.dynamics.problem import Problem
from multiloop.dynamics.reactions import all_reactions
from multiloop.dynamics.wrenches import needed_wrenches
from multiloop.kinematics.constraints import Prescribed
from multiloop.kinematics.equations import Equations
from multiloop.spatial import Matrix, parted


@dataclass(frozen=True, eq=False)
class Residual:
    """The residual of a mechanism along a tree, on the symbols q, v, a, x, t of its equations.

    `tau` are the known forces along the rates, `given` the values that the drives prescribe; `pushing` are the rates
    along which the efforts of the drives act, empty if each acts at the coordinate that it prescribes. `lam` are the
    multipliers of the constraints of the description, then those of the drives, or the efforts.
    """

    equations: Equations
    tau: Matrix
    given: Prescribed
    pushing: tuple[int, ...] = ()

    @cached_property
    def lam(self) -> Matrix:
        """Symbols λ, one for each column of `holding`."""
        return ca.SX.sym("lam", self.holding.shape[1])

    @cached_property
    def holding(self) -> Matrix:
        """Forces along the rates per unit of the multipliers: Jᵀ, with columns of efforts for drives if `pushing`."""
        eq = self.equations
        if not self.pushing:
            return eq.full_jacobian.T
        return ca.horzcat(eq.loop_jacobian.T, ca.DM.eye(eq.skeleton.rates)[:, list(self.pushing)])

    @cached_property
    def inertia(self) -> Matrix:
        """Generalized inertia I of the tree."""
        return self._problem.inertia

    @cached_property
    def force(self) -> Matrix:
        """F along the rates: the forces that the motion requires minus the acting forces.

        Reaction-dependent forces are those for the given v̇ and λ, so that F is then not linear in λ.
        """
        return self._followed.outputs["force"]

    @property
    def following(self) -> Matrix:
        """A row for every reaction-dependent force: its magnitude, the residual of its law, and bounds K."""
        return self._followed.following

    @cached_property
    def _followed(self) -> Followed:
        eq, own = self.equations, self.equations.own.count
        force = self.inertia @ eq.a - self._problem.phi - self.holding @ self.lam
        if not eq.strengths.shape[0]:
            return Followed({"force": force}, ca.SX(0, 2), ca.SX(0, 0))
        efforts = parted(self.tau + self.holding[:, own:] @ self.lam[own:])
        felt = all_reactions(eq, needed_wrenches(eq, eq.a), self.lam[:own], efforts)
        return follow_reactions(eq, {"force": force}, felt, eq.a)

    @cached_property
    def closure(self) -> Matrix:
        """Φ of all rows that constrain positions."""
        eq = self.equations
        own = eq.own.position(eq, ca.SX(0, 1))
        return ca.vertcat(ca.SX(own), ca.SX(eq.drives.position(eq, self.given.s)))

    @cached_property
    def rates(self) -> Matrix:
        """J v − b of all rows."""
        eq = self.equations
        return eq.full_jacobian @ eq.v - eq.rows.bias(eq, self.given)

    @cached_property
    def accelerations(self) -> Matrix:
        """J v̇ − γ of all rows."""
        eq = self.equations
        return eq.full_jacobian @ eq.a - eq.rows.gamma(eq, self.given)

    @cached_property
    def _problem(self) -> Problem:
        return Problem(self.equations, self.tau, self.equations.drives, self.given)
