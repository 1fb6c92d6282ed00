"""Residuals of the equations of motion and of the constraints, for arbitrary positions, rates and accelerations.

    F = I v̇ − φ − Jᵀ λ,      Φ(q, s),      J v − b,      J v̇ − γ

q are the coordinates, v the rates, I is the generalized inertia of the tree, φ are the known forces, Φ the position
residuals of the constraints, J, b and γ their Jacobian and right-hand sides, s the prescribed values, and λ the
multipliers. All residuals vanish along a motion of the mechanism. Equilibria, steady motions and small motions about
them are computed from F and its derivatives, which do not contain the inverse of the inertia: massless links are
permitted.

Source: [koul], eqs. (6), (8), (16), all terms on one side.
Differs: drives whose efforts act at other coordinates enter by the columns B of these efforts instead of Jᵀ.
Theory: docs/theory/11-stable-inversion.md, eq. (11.2); docs/theory/13-equilibrium-and-vibrations.md, eq. (13.1).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import casadi as ca

from multiloop.dynamics.forward import ForwardProblem
from multiloop.dynamics.joint_reactions import joint_reactions
from multiloop.dynamics.newton_euler import required_wrenches
from multiloop.dynamics.reaction_dependent_forces import DependentForceSolution, solve_dependent_forces
from multiloop.kinematics import Equations
from multiloop.kinematics.constraints import Prescribed
from multiloop.spatial import Matrix, as_column


@dataclass(frozen=True, eq=False)
class Residual:
    """Symbolic residuals of a mechanism along a tree, in the symbols q, v, a, x and t of its equations.

    `tau` are the known forces along the rates, `prescribed` the values that the drives prescribe. `effort_rates` are
    the rates along which the efforts of the drives act; it is empty if each effort acts at the coordinate that its
    drive prescribes. `lam` are the multipliers of the loop constraints, followed by the multipliers, or efforts, of the
    drives.
    """

    equations: Equations
    tau: Matrix
    prescribed: Prescribed
    effort_rates: tuple[int, ...] = ()

    @cached_property
    def lam(self) -> Matrix:
        """Symbols of the multipliers λ, one for each column of `multiplier_matrix`."""
        return ca.SX.sym("lam", self.multiplier_matrix.shape[1])

    @cached_property
    def multiplier_matrix(self) -> Matrix:
        """Forces along the rates per unit of each multiplier: the transposed constraint Jacobian Jᵀ; with
        `effort_rates` the columns of the drives are replaced by the directions of their efforts.
        """
        eq = self.equations
        if not self.effort_rates:
            return eq.full_jacobian.T
        return ca.horzcat(eq.loop_jacobian.T, ca.DM.eye(eq.skeleton.rates)[:, list(self.effort_rates)])

    @cached_property
    def inertia(self) -> Matrix:
        """Generalized inertia I of the tree."""
        return self._problem.inertia

    @cached_property
    def force(self) -> Matrix:
        """Residual force F along the rates: the forces that the motion requires minus the forces that act.

        Reaction-dependent forces are evaluated for the given accelerations v̇ and multipliers λ; with such forces F is
        not linear in λ.
        """
        return self._followed.outputs["force"]

    @property
    def dependent_force_rows(self) -> Matrix:
        """A row for every reaction-dependent or set-valued force: its magnitude, the residual of its law, and its row
        of the slope bounds K."""
        return self._followed.dependent_force_rows

    @cached_property
    def _followed(self) -> DependentForceSolution:
        eq, own = self.equations, self.equations.loop_constraints.count
        force = self.inertia @ eq.a - self._problem.phi - self.multiplier_matrix @ self.lam
        if not eq.reaction_dependent_forces.shape[0]:
            return DependentForceSolution({"force": force}, ca.SX(0, 2), ca.SX(0, 0))
        efforts = as_column(self.tau + self.multiplier_matrix[:, own:] @ self.lam[own:, 0])
        reactions = joint_reactions(eq, required_wrenches(eq, eq.a), self.lam[:own, 0], efforts)
        return solve_dependent_forces(eq, {"force": force}, reactions, eq.a)

    @cached_property
    def position_residual(self) -> Matrix:
        """Residuals Φ of all constraints of positions."""
        eq = self.equations
        own = eq.loop_constraints.position_residual(eq, ca.SX(0, 1))
        return ca.vertcat(ca.SX(own), ca.SX(eq.drives.position_residual(eq, self.prescribed.s)))

    @cached_property
    def rates(self) -> Matrix:
        """Velocity residuals J v − b of all constraints, with Jacobian J and prescribed rates b."""
        eq = self.equations
        return eq.full_jacobian @ eq.v - eq.rows.bias(eq, self.prescribed)

    @cached_property
    def accelerations(self) -> Matrix:
        """Acceleration residuals J v̇ − γ of all constraints, with Jacobian J and right-hand sides γ."""
        eq = self.equations
        return eq.full_jacobian @ eq.a - eq.rows.gamma(eq, self.prescribed)

    @cached_property
    def _problem(self) -> ForwardProblem:
        return ForwardProblem(self.equations, self.tau, self.equations.drives, self.prescribed)
