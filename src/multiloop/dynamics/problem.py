"""The equations of motion of the opened tree with the rows that close it: what every formulation starts from.

    I v̇ = φ + Jᵀ λ,      J v̇ = γ,      φ = τ − Nᵀ w*(v̇ = 0)

Source: [koul], eqs. (6), (8), (16).
Differs: rows of prescribed motions stand below those of the loops; their multipliers are the drives' efforts.
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

    `tau` are the known forces along the rates. `drives` are rows of prescribed motions, which take the values
    `given`; `beyond` is added to the right-hand sides of all rows. `basis` (k×rows) combines the rows into independent
    ones where some are redundant; it is chosen outside and is an input like any other. `stiffness` c > 0 makes the
    tree's inertia I + c JᵀJ where massless links leave it singular.
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
        """All rows: of the description's own constraints, then of the drives."""
        return self.at.own + self.drives

    @cached_property
    def J(self) -> Matrix:
        """Their Jacobian."""
        return ca.vertcat(self.at.loop_jacobian, self.drives.jacobian(self.at))

    @cached_property
    def gamma(self) -> Matrix:
        """Their right-hand sides."""
        gamma = self.rows.gamma(self.at, self.given)
        return gamma if self.beyond is None else gamma + self.beyond

    @property
    def blocks(self) -> tuple[slice, ...]:
        """The rows of each constraint."""
        return self.rows.slices

    @cached_property
    def needed(self) -> list[Matrix]:
        """What every body needs when the coordinates do not accelerate, weight included."""
        return needed_wrenches(self.at)

    @cached_property
    def phi(self) -> Matrix:
        """φ: forces along the rates less what the motion needs at zero acceleration."""
        at = self.at
        carried = carried_wrenches(at, self.needed)
        return self.tau - generalized_forces(at, carried)

    @cached_property
    def inertia(self) -> Matrix:
        """I of the tree."""
        return generalized_inertia(self.at)

    @cached_property
    def independent(self) -> tuple[Matrix, Matrix]:
        """Independent rows and their right-hand side."""
        if self.basis is None:
            return self.J, self.gamma
        return self.basis @ self.J, self.basis @ self.gamma

    def multipliers(self, mu: Matrix) -> Matrix:
        """λ of all rows from those of the independent ones."""
        return mu if self.basis is None else self.basis.T @ mu

    @property
    def regular(self) -> bool:
        """Whether the tree's own inertia serves, without stiffening."""
        return isinstance(self.stiffness, float) and self.stiffness == 0.0

    @cached_property
    def stiffened(self) -> tuple[Matrix, Matrix]:
        """I + c JᵀJ and φ + c Jᵀγ: the same motion, since J v̇ = γ, with an inertia that can be factored."""
        if self.regular:
            return self.inertia, self.phi
        J, gamma = self.J, self.gamma
        return self.inertia + self.stiffness * (J.T @ J), self.phi + self.stiffness * (J.T @ gamma)


@dataclass(frozen=True, eq=False)
class Forward:
    """The answer: accelerations of the tree's coordinates and the multipliers of all rows."""

    a: Matrix
    lam: Matrix


def column_of(parts: list[Matrix]) -> Matrix:
    """Vectors one under the other."""
    return ca.vertcat(ca.DM(0, 1), *parts)
