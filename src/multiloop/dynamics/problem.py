"""Forward dynamics at one instant: equations of motion of the spanning tree with the constraint rows.

    I v̇ = φ + Jᵀ λ,      J v̇ = γ,      φ = τ − Nᵀ w*(v̇ = 0)

Source: [koul], eqs. (6), (8), (16).
Differs: rows of prescribed motions follow those of the loops; their multipliers are the efforts of the drives.
Weight is part of w*, since the ground is accelerated by −g.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import casadi as ca

from multiloop.dynamics.inertia import generalized_inertia
from multiloop.dynamics.wrenches import carried_wrenches, generalized_forces, needed_wrenches
from multiloop.kinematics.constraints import Prescribed, RowSet
from multiloop.kinematics.snapshot import Snapshot
from multiloop.spatial import Matrix, zeros

NOTHING = Prescribed(zeros(0), zeros(0), zeros(0))


@dataclass(frozen=True, eq=False)
class Problem:
    """Forward dynamics at one instant.

    `tau` are the known forces along the rates. `drives` are the constraints of prescribed motions, with prescribed
    values `given`; `beyond` is added to the right-hand sides of all rows. `basis` (k×rows) combines the rows into
    independent ones where some are redundant; it is an input. `stiffness` c > 0 replaces the inertia of the tree by
    I + c JᵀJ where massless links make it singular.
    """

    at: Snapshot
    tau: Matrix
    drives: RowSet = field(default_factory=RowSet)
    given: Prescribed = NOTHING
    basis: Matrix | None = None
    stiffness: Matrix | float = 0.0
    beyond: Matrix | None = None

    @cached_property
    def rows(self) -> RowSet:
        """All rows: of the constraints of the description, then of the drives."""
        return self.at.own + self.drives

    @cached_property
    def J(self) -> Matrix:
        """Jacobian of all rows."""
        return ca.vertcat(self.at.loop_jacobian, self.drives.jacobian(self.at))

    @cached_property
    def gamma(self) -> Matrix:
        """Right-hand sides γ of all rows."""
        gamma = self.rows.gamma(self.at, self.given)
        return gamma if self.beyond is None else gamma + self.beyond

    @property
    def blocks(self) -> tuple[slice, ...]:
        """Slice of the rows of each constraint."""
        return self.rows.slices

    @cached_property
    def needed(self) -> list[Matrix]:
        """Wrench w* − wᵉ that every body requires at v̇ = 0, weight included."""
        return needed_wrenches(self.at)

    @cached_property
    def phi(self) -> Matrix:
        """φ: forces along the rates minus the forces that the motion requires at v̇ = 0."""
        at = self.at
        carried = carried_wrenches(at, self.needed)
        return self.tau - generalized_forces(at, carried)

    @cached_property
    def inertia(self) -> Matrix:
        """Generalized inertia I of the tree."""
        return generalized_inertia(self.at)

    @cached_property
    def independent(self) -> tuple[Matrix, Matrix]:
        """Independent rows and their right-hand sides."""
        if self.basis is None:
            return self.J, self.gamma
        return self.basis @ self.J, self.basis @ self.gamma

    def multipliers(self, mu: Matrix) -> Matrix:
        """λ of all rows from the multipliers of the independent rows."""
        return mu if self.basis is None else self.basis.T @ mu

    @property
    def regular(self) -> bool:
        """Whether the inertia of the tree is used without the term c JᵀJ."""
        return isinstance(self.stiffness, float) and self.stiffness == 0.0

    @cached_property
    def stiffened(self) -> tuple[Matrix, Matrix]:
        """I + c JᵀJ and φ + c Jᵀγ: the same motion, since J v̇ = γ, with an inertia that is not singular."""
        if self.regular:
            return self.inertia, self.phi
        J, gamma = self.J, self.gamma
        return self.inertia + self.stiffness * (J.T @ J), self.phi + self.stiffness * (J.T @ gamma)


@dataclass(frozen=True, eq=False)
class Forward:
    """The solution: accelerations of the coordinates of the tree and multipliers of all rows."""

    a: Matrix
    lam: Matrix


def column_of(parts: list[Matrix]) -> Matrix:
    """Vectors stacked in one column."""
    return ca.vertcat(ca.DM(0, 1), *parts)
