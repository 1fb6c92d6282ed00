"""Back onto the constraints: one Newton step of the positions, and the nearest rates that are consistent.

    δ = −W Jᵀ (J W Jᵀ)⁻¹ Φ(q, s),      v ← v − W Jᵀ (J W Jᵀ)⁻¹ (J v − ṡ)

W is the inverse of the tree's inertia, so that the least mass is moved and no energy is changed, or, where that
costs too much or cannot be had, the square of the coordinates' sizes. Rows are eliminated in the plan's order,
loop by loop; where some are redundant, a basis combines them into independent ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import casadi as ca

from multiloop.dynamics.elimination import solve_positive
from multiloop.kinematics.equations import Equations
from multiloop.spatial import Matrix

DAMPING = 1e-13
"""Part of the rows' size added to J Jᵀ where positions may be singular."""


@dataclass(frozen=True, eq=False)
class Projection:
    """The constraints of one mechanism as they are met again and again; `inertia` is the tree's, None for W by sizes.

    `s` and `s_rate` are what is prescribed from outside, the time first where own constraints ask it. `basis`
    combines redundant rows (None: all are independent); its first `closing` rows combine those that hold positions.
    `order` is the order of the loops, `damped` whether the positions may be singular.
    """

    equations: Equations
    s: Matrix
    s_rate: Matrix
    basis: Matrix | None = None
    closing: int = 0
    order: Sequence[int] | None = None
    damped: bool = False
    inertia: Matrix | None = None

    @cached_property
    def phi(self) -> Matrix:
        """Φ(q, s) of all rows that hold positions."""
        eq = self.equations
        return ca.substitute(eq.phi, eq.s, self.s) if eq.s.shape[0] else eq.phi

    @cached_property
    def gap(self) -> Matrix:
        """The largest open row, lengths relative to the characteristic length."""
        found: Any = ca.SX(0)
        for row, scale in zip(ca.vertsplit(self.phi), self.equations.row_scale, strict=True):
            found = ca.fmax(found, ca.fabs(scale * row))
        return found

    def closed(self) -> Matrix:
        """q after one Newton step, quaternions of unit length."""
        return self._moved(-self._least(self.phi, self.equations.rows.held, self.closing, None))

    def straightened(self) -> tuple[Matrix, Matrix]:
        """Consistent rates; and the closeness to a singular position (0 there) with the size of the rows, 2×1.

        The closeness compares rows with each other. Where all of them vanish together only their size tells, beside
        what it is elsewhere.
        """
        reciprocals: list[Any] = []
        eq = self.equations
        nothing = ca.DM(*self.s_rate.shape)
        bias = eq.rows.bias(eq, eq.drives_given(self.s, self.s_rate, nothing))
        every = list(range(eq.rows.count))
        whole = 0 if self.basis is None else self.basis.shape[0]
        v = eq.v - self._least(self._jacobian @ eq.v - bias, every, whole, reciprocals)
        return v, _closeness(reciprocals)

    @cached_property
    def _jacobian(self) -> Matrix:
        """J of all rows: exact where they hold, so that the steps converge quadratically."""
        eq = self.equations
        return ca.vertcat(eq.loop_jacobian, eq.drives.jacobian(eq))

    def _least(
        self, right: Matrix, rows: Sequence[int], combined: int, reciprocals: list[Any] | None
    ) -> Matrix:
        """The lightest step with J step = right for some of the rows, or for so many combinations of them."""
        eq = self.equations
        if self.basis is None:
            place = {row: k for k, row in enumerate(rows)}
            ordered = [row for row in self._order() if row in place]
            scale = ca.DM(eq.rate_row_scale)[ordered]
            J, b = ca.diag(scale) @ self._jacobian[ordered, :], scale * right[[place[k] for k in ordered]]
        else:
            basis = self.basis[:combined, list(rows)]
            J, b = basis @ self._jacobian[list(rows), :], basis @ right
        if not J.shape[0]:
            return ca.DM(eq.skeleton.rates, 1)
        WJ = (
            ca.diag(ca.DM(eq.chart.scale**2)) @ J.T
            if self.inertia is None
            else solve_positive(self.inertia, J.T)
        )
        A = ca.sparsify(J @ WJ)
        if self.damped:
            A = A + DAMPING * ca.trace(A) / A.shape[0] * ca.DM.eye(A.shape[0])
        return WJ @ solve_positive(A, b, reciprocals)

    def _order(self) -> list[int]:
        """All rows, those of the own constraints in the plan's order."""
        rows, own = self.equations.rows, len(self.equations.own.constraints)
        first = range(own) if self.order is None else self.order
        numbers = (*first, *range(own, len(rows.constraints)))
        return [k for number in numbers for k in range(rows.slices[number].start, rows.slices[number].stop)]

    def _moved(self, step: Matrix) -> Matrix:
        """q moved by a small step in the tangent."""
        eq = self.equations
        q = eq.q + eq.chart.rate_map(eq.q) @ step
        parts, at = [ca.SX(0, 1)], 0
        for place, _ in eq.chart.quaternions:
            e = q[place]
            parts += [q[at : place.start], e / ca.sqrt(ca.sumsqr(e))]
            at = place.stop
        return ca.vertcat(*parts, q[at:])


def _closeness(reciprocals: Sequence[Any]) -> Matrix:
    """√(least pivot / largest pivot), and √ largest pivot."""
    if not reciprocals:
        return ca.SX.ones(2, 1)
    most, least = reciprocals[0], reciprocals[0]
    for value in reciprocals[1:]:
        most, least = ca.fmax(most, value), ca.fmin(least, value)
    return ca.vertcat(ca.sqrt(ca.fmax(least / most, 0)), 1 / ca.sqrt(ca.fabs(least)))
