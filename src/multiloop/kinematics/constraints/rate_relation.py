"""Constraint row of a relation between joint rates that is linear in them (nonholonomic)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import casadi as ca

from multiloop.kinematics.constraints.constraint import Along, Prescribed, Row
from multiloop.kinematics.constraints.relation import EquationRow
from multiloop.model.expressions import depends_on_time
from multiloop.spatial import Matrix

if TYPE_CHECKING:
    from multiloop.kinematics.snapshot import Snapshot


@dataclass(frozen=True, eq=False)
class RateRelationRow(EquationRow):
    """Ψ = A(y, t) u + c(y, t) = 0 of rates u, with coefficients that depend on coordinates y.

        A u = −c,      A u̇ = −(∂Ψ/∂y ẏ + ∂Ψ/∂t)

    It exerts the efforts Aᵀ λ along the rates and constrains no coordinate. y may be entries of a quaternion: ẏ is
    taken from q̇ = E(q) v of the tree.

    Source: derived here; linear nonholonomic rows as in [neimark_fufaev].
    """

    @property
    def rheonomic(self) -> bool:
        return self._moves_by_itself

    @cached_property
    def _moves_by_itself(self) -> bool:
        """Whether it depends on time or requires nonzero rates: c ≠ 0."""
        return depends_on_time(self.relation.equation) or not _zero(self._at_rest)

    @cached_property
    def _at_rest(self) -> Matrix:
        """c."""
        u = self.equation.symbols[1]
        return ca.substitute(self.equation.value, u, 0 * u)

    @property
    def rows(self) -> tuple[Row, ...]:
        length = self.equation.measures_length(self.equation.rates)
        return (Row("effort", length=length, rate_only=True),)

    @property
    def links(self) -> tuple[int, ...]:
        return self.equation.links(self.equation.rates)

    def interactions(self, at: Snapshot) -> tuple[Along, ...]:
        own = self.equation
        return self._pushes(at, own.rates, own.at(at, ca.jacobian(own.value, own.symbols[1])))

    def bias(self, at: Snapshot, given: Prescribed) -> Matrix:
        return self.equation.at(at, -self._at_rest)

    def gamma(self, at: Snapshot, given: Prescribed) -> Matrix:
        return self.equation.at(at, -self.equation.rate_along(self.equation.value))


def _zero(expression: Matrix) -> bool:
    """Whether an expression simplifies to zero."""
    return bool(ca.SX(ca.simplify(expression)).is_zero())
