"""Inverse dynamics from one equation of motion for each rate of the tree: system, subsystem and virtual-work methods.

    Jᵀ λ + B τ = h,      h = Nᵀ (w* − wᵉ) − τ_known

The unknowns are the multipliers λ of the loop constraints, whose Jacobian is J, and the efforts τ; each column of B
contains the generalized forces along the rates due to one unit effort. h are the generalized forces that the motion
requires, minus the known ones τ_known. The motion requires the inertia wrenches w* of the bodies minus the applied
wrenches wᵉ; the natural orthogonal complement N maps the rates to the twists of the bodies.

Source: [chaudhary], eqs. (10), (14), §5; [dado], §3 for virtual work.
Theory: docs/theory/05-inverse-dynamics.md, eqs. (5.1), (5.3)–(5.5), (5.9), (5.10).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import casadi as ca

from multiloop.dynamics.forward import complement
from multiloop.dynamics.inertia_matrix import twist_columns
from multiloop.dynamics.newton_euler import carried_wrenches, generalized_forces, required_wrenches
from multiloop.dynamics.symbolic_solvers import solve_general, solve_positive, solve_with_local_rows
from multiloop.kinematics import Snapshot
from multiloop.plan import Block
from multiloop.spatial import Matrix


@dataclass(frozen=True, eq=False)
class InverseProblem:
    """Inverse dynamics of the motion with state `at` and accelerations `a`: Jᵀ λ + B τ = h.

    J is the Jacobian of the loops; the unknown efforts τ act along the columns of B; `known_forces` are known forces
    along the rates.

    If constraint rows are redundant, `basis` (k×rows) combines all rows into k independent rows.
    """

    at: Snapshot
    a: Matrix
    B: Matrix
    known_forces: Matrix
    basis: Matrix | None = None

    @cached_property
    def required_wrenches(self) -> list[Matrix]:
        """Wrench w* − wᵉ that every body requires: inertia wrench, weight included, minus applied wrench."""
        return required_wrenches(self.at, self.a)

    @cached_property
    def required_forces(self) -> Matrix:
        """Right-hand side h: forces along the rates that the motion requires, minus the known forces."""
        at = self.at
        carried = carried_wrenches(at, self.required_wrenches)
        return generalized_forces(at, carried) - self.known_forces

    @cached_property
    def J(self) -> Matrix:
        """Independent rows of the Jacobian of the loops."""
        J = self.at.loop_jacobian
        return J if self.basis is None else self.basis @ J

    def multipliers(self, mu: Matrix) -> Matrix:
        """Multipliers λ of all constraint rows, from the multipliers μ of the independent rows."""
        return mu if self.basis is None else self.basis.T @ mu


@dataclass(frozen=True, eq=False)
class InverseDynamicsSolution:
    """Result of inverse dynamics by the system, subsystem or virtual-work method: multipliers `lam` of the loop
    constraints, and efforts `tau` in the order of the columns of `InverseProblem.B`."""

    lam: Matrix
    tau: Matrix


def system(problem: InverseProblem) -> InverseDynamicsSolution:
    """Multipliers and efforts from one system of equations, with one equation for each rate of the tree.

        [Jᵀ B] [λ; τ] = h

    J is the Jacobian of the loops, λ are their multipliers, τ the efforts, B has one column for each effort, and h are
    the forces along the rates that the motion requires, minus the known forces. With idle degrees of freedom there are
    more equations than unknowns; they are consistent, since no force acts along an idle degree of freedom.

    Source: [chaudhary], §3.2 eq. (14) and §5(2).
    Differs: gravity enters as an acceleration −g of the ground, and the wrenches of the cut joints as Jᵀ λ, with J as
    in [koul], §2.2.
    """
    J, B = problem.J, problem.B
    x = solve_general(ca.horzcat(J.T, B), problem.required_forces)
    m = J.shape[0]
    return InverseDynamicsSolution(problem.multipliers(x[:m, :]), x[m:, :])


def subsystem(problem: InverseProblem, blocks: Sequence[Block]) -> InverseDynamicsSolution:
    """Multipliers and efforts from a sequence of smaller systems, each of which contains only unknowns that earlier
    systems do not determine.

        N_jᵀ w*_j = τ_j^e + τ_j^λ      for j in the order in which subsystems become determinate

    N_j is the natural orthogonal complement of subsystem j, w*_j are the inertia wrenches of its bodies minus the
    applied ones, τ_j^e its efforts, and τ_j^λ the generalized forces of the multipliers.

    If constraint rows are redundant, no subsystem is determinate, and all equations are solved together.

    Source: [chaudhary], eq. (10), §5(3), Fig. 5.
    Differs: the systems are the irreducible blocks of the equations, which may be smaller than a subsystem.
    """
    if problem.basis is not None:
        return system(problem)
    J, B = problem.J, problem.B
    held, driven = _nonzero_columns(J.T), _nonzero_columns(B)
    lam: list[Matrix] = [ca.DM(1, 1)] * J.shape[0]
    tau: list[Matrix] = [ca.DM(1, 1)] * B.shape[1]
    for block in blocks:
        rows = list(block.equations)
        right = problem.required_forces[rows]
        for k in sorted(set().union(*(held[row] for row in rows)) - set(block.multipliers)):
            right = right - J[k, rows].T * lam[k]
        for k in sorted(set().union(*(driven[row] for row in rows)) - set(block.efforts)):
            right = right - B[rows, k] * tau[k]
        left = ca.horzcat(J[list(block.multipliers), rows].T, B[rows, list(block.efforts)])
        x = solve_with_local_rows(left, right, _multipliers_by_cut(problem, block))
        for place, k in enumerate(block.multipliers):
            lam[k] = x[place]
        for place, k in enumerate(block.efforts):
            tau[k] = x[len(block.multipliers) + place]
    return InverseDynamicsSolution(ca.vertcat(ca.DM(0, 1), *lam), ca.vertcat(ca.DM(0, 1), *tau))


def _nonzero_columns(A: Matrix) -> list[set[int]]:
    """For each row of a matrix, the indices of the columns with structurally nonzero entries."""
    found: list[set[int]] = [set() for _ in range(A.shape[0])]
    pattern = ca.sparsify(A).sparsity()
    for i, j in zip(pattern.row(), pattern.get_col(), strict=True):
        found[i].add(j)
    return found


def _multipliers_by_cut(problem: InverseProblem, block: Block) -> list[list[int]]:
    """For each constraint whose multipliers all belong to a block, their indices among the unknowns of the block."""
    place = {k: at for at, k in enumerate(block.multipliers)}
    slices = (range(rows.start, rows.stop) for rows in problem.at.loop_constraints.slices)
    return [[place[k] for k in rows] for rows in slices if all(k in place for k in rows)]


def virtual_work(problem: InverseProblem, choice: Matrix) -> InverseDynamicsSolution:
    """Efforts from the equations along independent coordinates ψ, then multipliers from the remaining equations.

        (Cᵀ B) τ = Cᵀ h = Σ_i (N_i C)ᵀ (w*_i − wᵉ_i) − Cᵀ τ_known,      J Jᵀ λ = J (h − B τ)

    τ are the efforts along the columns of B, h the required minus the known forces along the rates, w*_i − wᵉ_i the
    wrenches that the bodies require, λ the multipliers of the loops and J the Jacobian of the loops. The matrix
    `choice` selects independent combinations of the joint rates; C maps these to all joint rates, and N_i maps the
    joint rates to the twist of body i.

    Source: [dado], §3, eqs. (9)–(32), the inverse direction.
    """
    J, B = problem.J, problem.B
    C, _ = complement(J, ca.DM(J.shape[0], 1), choice)
    work = -(C.T @ problem.known_forces)
    for N, w in zip(twist_columns(problem.at), problem.required_wrenches, strict=True):
        work = work + C.T @ (N.T @ w)
    tau = solve_general(C.T @ B, work) if B.shape[1] else ca.DM(0, 1)
    missing = J @ (problem.required_forces - B @ tau)
    mu = solve_positive(J @ J.T, missing) if J.shape[0] else ca.DM(0, 1)
    return InverseDynamicsSolution(problem.multipliers(mu), tau)
