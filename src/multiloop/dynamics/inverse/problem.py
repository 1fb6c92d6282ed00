"""Inverse dynamics at one instant: a known motion, unknown multipliers and efforts.

    Jᵀ λ + B τ = h,      h = Nᵀ w* − τ_known

Source: [chaudhary], eqs. (10), (14).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from multiloop.dynamics.wrenches import carried_wrenches, generalized_forces, needed_wrenches
from multiloop.kinematics.snapshot import Snapshot
from multiloop.spatial import Matrix


@dataclass(frozen=True, eq=False)
class InverseProblem:
    """A motion (at, a) with the rows J of the loops, the columns B of the unknown efforts, and known forces.

    `basis` (k×rows) combines redundant rows into independent ones; λ is then the minimum-norm solution.
    """

    at: Snapshot
    a: Matrix
    B: Matrix
    known: Matrix
    basis: Matrix | None = None

    @cached_property
    def needed(self) -> list[Matrix]:
        """Wrench w* − wᵉ that every body requires, weight included."""
        return needed_wrenches(self.at, self.a)

    @cached_property
    def right(self) -> Matrix:
        """h: forces along the rates that the motion requires, minus the known forces."""
        at = self.at
        carried = carried_wrenches(at, self.needed)
        return generalized_forces(at, carried) - self.known

    @cached_property
    def J(self) -> Matrix:
        """Independent rows of the loops."""
        J = self.at.loop_jacobian
        return J if self.basis is None else self.basis @ J

    def multipliers(self, mu: Matrix) -> Matrix:
        """λ of all rows from the multipliers of the independent rows."""
        return mu if self.basis is None else self.basis.T @ mu


@dataclass(frozen=True, eq=False)
class Inverse:
    """The solution: multipliers of the loops, and the unknown efforts in the order of the columns of B."""

    lam: Matrix
    tau: Matrix
