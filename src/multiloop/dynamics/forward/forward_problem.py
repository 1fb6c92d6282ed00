"""Forward dynamics at one instant: equations of motion of the spanning tree and constraint equations.

    I v̇ = φ + Jᵀ λ,      J v̇ = γ,      φ = τ − Nᵀ (w* − wᵉ)   at v̇ = 0

I is the generalized inertia of the tree, v̇ are the accelerations, J and γ the Jacobian and right-hand sides of the
constraints, λ their multipliers, τ the known forces along the rates, φ these forces minus those that the motion
requires at v̇ = 0, N is the natural orthogonal complement, w* are the inertia wrenches of the bodies, and wᵉ the
wrenches applied by loads.

Source: [koul], eqs. (6), (8), (16).
Differs: constraint rows of prescribed motions follow the rows of the loops; their multipliers are the efforts of the
drives. The weight is part of the inertia wrenches w*, since the ground is given the acceleration −g.
Theory: docs/theory/04-orthogonal-complement.md, eqs. (4.7), (4.8);
docs/theory/06-forward-dynamics.md, eqs. (6.1), (6.21).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import casadi as ca

from multiloop.dynamics.inertia_matrix import generalized_inertia
from multiloop.dynamics.newton_euler import carried_wrenches, generalized_forces, required_wrenches
from multiloop.kinematics import Snapshot
from multiloop.kinematics.constraints import Prescribed, RowSet
from multiloop.spatial import Matrix, zeros

NOTHING_PRESCRIBED = Prescribed(zeros(0), zeros(0), zeros(0))


@dataclass(frozen=True, eq=False)
class ForwardProblem:
    """Forward dynamics at one instant.

    `tau` are the known generalized forces that correspond to the rates. `drives` are the constraints of prescribed
    motions, with the values `prescribed`; `added_right_side` is added to the right-hand sides γ of all rows. If some
    constraint rows are redundant, `basis` (k×rows) combines all rows into k independent rows. If massless links make
    the inertia I of the tree singular, `stiffness` c > 0 replaces I by I + c JᵀJ.
    """

    at: Snapshot
    tau: Matrix
    drives: RowSet = field(default_factory=RowSet)
    prescribed: Prescribed = NOTHING_PRESCRIBED
    basis: Matrix | None = None
    stiffness: Matrix | float = 0.0
    added_right_side: Matrix | None = None

    @cached_property
    def rows(self) -> RowSet:
        """All constraints: loop constraints, followed by drives."""
        return self.at.loop_constraints + self.drives

    @cached_property
    def J(self) -> Matrix:
        """Jacobian of all constraints."""
        return ca.vertcat(self.at.loop_jacobian, self.drives.jacobian(self.at))

    @cached_property
    def gamma(self) -> Matrix:
        """Right-hand sides γ of the constraint equations J v̇ = γ."""
        gamma = self.rows.gamma(self.at, self.prescribed)
        return gamma if self.added_right_side is None else gamma + self.added_right_side

    @property
    def blocks(self) -> tuple[slice, ...]:
        """For each constraint, the slice of its rows among all rows."""
        return self.rows.slices

    @cached_property
    def required_wrenches(self) -> list[Matrix]:
        """Wrench w* − wᵉ that every body requires at v̇ = 0: inertia wrench, weight included, minus applied wrench."""
        return required_wrenches(self.at)

    @cached_property
    def phi(self) -> Matrix:
        """Right-hand side φ of I v̇ = φ + Jᵀ λ: known forces along the rates minus the forces that the motion requires
        at v̇ = 0."""
        at = self.at
        carried = carried_wrenches(at, self.required_wrenches)
        return self.tau - generalized_forces(at, carried)

    @cached_property
    def inertia(self) -> Matrix:
        """Generalized inertia I of the tree."""
        return generalized_inertia(self.at)

    @cached_property
    def independent_rows(self) -> tuple[Matrix, Matrix]:
        """Independent rows of the constraint Jacobian, and their right-hand sides γ."""
        if self.basis is None:
            return self.J, self.gamma
        return self.basis @ self.J, self.basis @ self.gamma

    def multipliers(self, mu: Matrix) -> Matrix:
        """Multipliers λ of all constraint rows, from the multipliers μ of the independent rows."""
        return mu if self.basis is None else self.basis.T @ mu

    @property
    def is_regular(self) -> bool:
        """Whether the inertia of the tree is regular, so that the term c JᵀJ is not added."""
        return isinstance(self.stiffness, float) and self.stiffness == 0.0

    @cached_property
    def stiffened(self) -> tuple[Matrix, Matrix]:
        """The matrix I + c JᵀJ, which is not singular, and the right-hand side φ + c Jᵀγ; the motion does not change,
        since J v̇ = γ."""
        if self.is_regular:
            return self.inertia, self.phi
        J, gamma = self.J, self.gamma
        return self.inertia + self.stiffness * (J.T @ J), self.phi + self.stiffness * (J.T @ gamma)


@dataclass(frozen=True, eq=False)
class ForwardDynamicsSolution:
    """Accelerations a = v̇ of the tree and multipliers λ of all constraint rows."""

    a: Matrix
    lam: Matrix


def stack_vectors(parts: list[Matrix]) -> Matrix:
    """Several vectors stacked into one column."""
    return ca.vertcat(ca.DM(0, 1), *parts)
