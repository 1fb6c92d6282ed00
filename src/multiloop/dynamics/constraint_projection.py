"""Projection onto the constraints: one Newton step of the positions, and the nearest consistent rates.

    δ = −W Jᵀ (J W Jᵀ)⁻¹ Φ(q, s),      v ← v − W Jᵀ (J W Jᵀ)⁻¹ (J v − b)

δ is the step of the coordinates q, v are the rates, J is the constraint Jacobian, b its right-hand side, Φ the position
residual, and s the prescribed values. W is the inverse of the generalized inertia of the tree (mass-orthogonal
projection), or, if the inertia is singular or costs too much, a diagonal matrix with the squared scale of each rate
(`Chart.rate_units`: 1 for angles, the characteristic length for lengths).
Constraint rows are eliminated in the order of the plan, loop by loop; redundant rows are first combined into
independent rows by a basis.

Theory: docs/theory/07-time-integration.md, eqs. (7.7)–(7.9).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import casadi as ca

from multiloop.dynamics.symbolic_solvers import solve_positive
from multiloop.kinematics import Equations
from multiloop.spatial import Matrix

DAMPING = 1e-13
"""Number, relative to the mean diagonal entry of J W Jᵀ (constraint Jacobian J, weights W), that is added to the
diagonal of this matrix if positions may be singular."""


@dataclass(frozen=True, eq=False)
class ConstraintProjection:
    """Projection of positions and rates of one mechanism onto its constraints.

    `inertia` is the generalized inertia of the tree, or None if the weights W are the squared scales of the rates.

    `s` and `s_rate` are the prescribed values and their rates; if loop constraints depend on time, the first entry of
    `s` is the time. `basis` is the matrix that combines redundant constraint rows into independent rows (None if all
    rows are independent); its rows `position_basis_rows` combine position constraints only. `order` is the order in
    which the loop constraints are eliminated; `damped` states whether positions may be singular.
    """

    equations: Equations
    s: Matrix
    s_rate: Matrix
    basis: Matrix | None = None
    position_basis_rows: Sequence[int] = ()
    order: Sequence[int] | None = None
    damped: bool = False
    inertia: Matrix | None = None

    @cached_property
    def phi(self) -> Matrix:
        """Residuals Φ(q, s) of all constraints of positions, at the prescribed values `s`."""
        eq = self.equations
        return ca.substitute(eq.phi, eq.s, self.s) if eq.s.shape[0] else eq.phi

    @cached_property
    def gap(self) -> Matrix:
        """The largest position residual; residuals that are lengths are divided by the characteristic length."""
        found: Any = ca.SX(0)
        for row, scale in zip(ca.vertsplit(self.phi), self.equations.row_scale, strict=True):
            found = ca.fmax(found, ca.fabs(scale * row))
        return found

    def project_positions(self) -> Matrix:
        """Coordinates q after one Newton step; quaternions keep unit length."""
        return self.apply_step(
            -self._minimum_norm_step(self.phi, self.equations.rows.position_rows, self.position_basis_rows)
        )

    def position_outputs(self) -> dict[str, Matrix]:
        """Outputs by name: coordinates q after one Newton step, and the largest residual before the step."""
        return {"q_next": self.project_positions(), "gap": self.gap}

    def project_velocities(self) -> tuple[Matrix, Matrix]:
        """Consistent rates, and the data from which `pivot_distance` is computed: for every constraint row, in the
        order of elimination, the reciprocal of its pivot and its diagonal entry of J W Jᵀ (constraint Jacobian J,
        weights W), 2 × rows."""
        reciprocals: list[Any] = []
        sizes: list[Any] = []
        eq = self.equations
        nothing = ca.DM(*self.s_rate.shape)
        bias = eq.rows.bias(eq, eq.prescribed_for_drives(self.s, self.s_rate, nothing))
        every = list(range(eq.rows.count))
        whole = range(0 if self.basis is None else self.basis.shape[0])
        v = eq.v - self._minimum_norm_step(eq.full_jacobian @ eq.v - bias, every, whole, reciprocals, sizes)
        return v, ca.vertcat(ca.horzcat(*reciprocals), ca.horzcat(*sizes)) if reciprocals else ca.SX(2, 0)

    def _minimum_norm_step(
        self,
        right: Matrix,
        rows: Sequence[int],
        combined: Sequence[int],
        reciprocals: list[Any] | None = None,
        sizes: list[Any] | None = None,
    ) -> Matrix:
        """The step of minimum norm that satisfies J step = right, with the constraint Jacobian J and the metric W⁻¹
        (inverse of the weights W), for the constraint rows `rows`, or for the combinations `combined` of these rows if
        there is a basis.

        The reciprocals of the pivots and the diagonal entries of J W Jᵀ are appended to the lists `reciprocals` and
        `sizes`, if these are given.
        """
        eq = self.equations
        if not rows or (self.basis is not None and not combined):
            return ca.DM(eq.skeleton.rates, 1)
        if self.basis is None:
            place = {row: k for k, row in enumerate(rows)}
            ordered = [row for row in eq.rows.row_order(self.order or ()) if row in place]
            scale = ca.DM(eq.rate_row_scale)[ordered]
            J, b = ca.diag(scale) @ eq.full_jacobian[ordered, :], scale * right[[place[k] for k in ordered]]
        else:
            basis = self.basis[list(combined), list(rows)]
            J, b = basis @ eq.full_jacobian[list(rows), :], basis @ right
        WJ = (
            ca.diag(ca.DM(eq.chart.rate_units**2)) @ J.T
            if self.inertia is None
            else solve_positive(self.inertia, J.T)
        )
        A = ca.sparsify(J @ WJ)
        if sizes is not None:
            sizes += ca.vertsplit(ca.diag(A))
        if self.damped:
            A = A + DAMPING * ca.trace(A) / A.shape[0] * ca.DM.eye(A.shape[0])
        return WJ @ solve_positive(A, b, reciprocals)

    def apply_step(self, step: Matrix) -> Matrix:
        """Coordinates q after a small displacement `step`, which has one entry for each joint rate; quaternions keep
        unit length."""
        eq = self.equations
        q = eq.q + eq.chart.rate_map(eq.q) @ step
        parts, at = [ca.SX(0, 1)], 0
        for place, _ in eq.chart.quaternions:
            e = q[place]
            parts += [q[at : place.start], e / ca.sqrt(ca.sumsqr(e))]
            at = place.stop
        return ca.vertcat(*parts, q[at:])


def distance_and_size(rows: Matrix) -> Matrix:
    """√(min d/a) and √(max a), 2×1, of the pivots d and diagonal entries a in the output of `project_velocities`, for
    compiled kernels that cannot store values for every row."""
    if not rows.shape[1]:
        return ca.SX.ones(2, 1)
    steepest: Any = rows[0, 0] * rows[1, 0]
    largest: Any = rows[1, 0]
    for k in range(1, rows.shape[1]):
        steepest, largest = ca.fmax(steepest, rows[0, k] * rows[1, k]), ca.fmax(largest, rows[1, k])
    return ca.vertcat(1 / ca.sqrt(ca.fabs(steepest)), ca.sqrt(ca.fabs(largest)))
