"""Forward dynamics at one instant: equations of motion of the spanning tree with the constraint rows.

    I v̇ = φ + Jᵀ λ,      J v̇ = γ,      φ = τ − Nᵀ w*(v̇ = 0)

Source: [koul], eqs. (6), (8), (16).
Differs: rows of prescribed motions follow those of the loops; their multipliers are the efforts of the drives.
Weight is part of w*, since the ground is accelerated by −g.
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

    `tau` are the known forces along the rates. `drives` are the constraints of prescribed motions, with prescribed
    values `prescribed`; `added_right_side` is added to the right-hand sides of all rows. `basis` (k×rows) combines the
    rows into independent ones where some are redundant; it is an input. `stiffness` c > 0 replaces the inertia of the
    tree by I + c JᵀJ where massless links make it singular.
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
        """All rows: of the constraints of the description, then of the drives."""
        return self.at.loop_constraints + self.drives

    @cached_property
    def J(self) -> Matrix:
        """Jacobian of all rows."""
        return ca.vertcat(self.at.loop_jacobian, self.drives.jacobian(self.at))

    @cached_property
    def gamma(self) -> Matrix:
        """Right-hand sides γ of all rows."""
        gamma = self.rows.gamma(self.at, self.prescribed)
        return gamma if self.added_right_side is None else gamma + self.added_right_side

    @property
    def blocks(self) -> tuple[slice, ...]:
        """Slice of the rows of each constraint."""
        return self.rows.slices

    @cached_property
    def required_wrenches(self) -> list[Matrix]:
        """Wrench w* − wᵉ that every body requires at v̇ = 0, weight included."""
        return required_wrenches(self.at)

    @cached_property
    def phi(self) -> Matrix:
        """φ: forces along the rates minus the forces that the motion requires at v̇ = 0."""
        at = self.at
        carried = carried_wrenches(at, self.required_wrenches)
        return self.tau - generalized_forces(at, carried)

    @cached_property
    def inertia(self) -> Matrix:
        """Generalized inertia I of the tree."""
        return generalized_inertia(self.at)

    @cached_property
    def independent_rows(self) -> tuple[Matrix, Matrix]:
        """Independent rows and their right-hand sides."""
        if self.basis is None:
            return self.J, self.gamma
        return self.basis @ self.J, self.basis @ self.gamma

    def multipliers(self, mu: Matrix) -> Matrix:
        """λ of all rows from the multipliers of the independent rows."""
        return mu if self.basis is None else self.basis.T @ mu

    @property
    def is_regular(self) -> bool:
        """Whether the inertia of the tree is used without the term c JᵀJ."""
        return isinstance(self.stiffness, float) and self.stiffness == 0.0

    @cached_property
    def stiffened(self) -> tuple[Matrix, Matrix]:
        """I + c JᵀJ and φ + c Jᵀγ: the same motion, since J v̇ = γ, with an inertia that is not singular."""
        if self.is_regular:
            return self.inertia, self.phi
        J, gamma = self.J, self.gamma
        return self.inertia + self.stiffness * (J.T @ J), self.phi + self.stiffness * (J.T @ gamma)


@dataclass(frozen=True, eq=False)
class ForwardDynamicsSolution:
    """Accelerations of the coordinates of the tree and multipliers of all rows."""

    a: Matrix
    lam: Matrix


def stack_vectors(parts: list[Matrix]) -> Matrix:
    """One column from several vectors."""
    return ca.vertcat(ca.DM(0, 1), *parts)
