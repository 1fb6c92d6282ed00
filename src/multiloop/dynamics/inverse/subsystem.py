"""Inverse dynamics, subsystem method: one determinate subsystem after another (two-level recursion)."""

from __future__ import annotations

from collections.abc import Sequence

import casadi as ca

from multiloop.dynamics.inverse.problem import Inverse, InverseProblem
from multiloop.dynamics.inverse.system import system
from multiloop.dynamics.local_elimination import solve_with_local_rows
from multiloop.plan import Block
from multiloop.spatial import Matrix


def subsystem(problem: InverseProblem, blocks: Sequence[Block]) -> Inverse:
    """Unknowns of each stage from the equations of this stage, with those of earlier stages as known forces.

        N_jᵀ w*_j = τ_j^e + τ_j^λ      for j in the order in which subsystems become determinate

    With redundant rows no subsystem is determinate; all equations are then solved together.

    Source: [chaudhary], eq. (10), §5(3), Fig. 5.
    Differs: the stages are the irreducible blocks of the equations, which may be finer than a subsystem.
    """
    if problem.basis is not None:
        return system(problem)
    J, B = problem.J, problem.B
    held, driven = _filled(J.T), _filled(B)
    lam: list[Matrix] = [ca.DM(1, 1)] * J.shape[0]
    tau: list[Matrix] = [ca.DM(1, 1)] * B.shape[1]
    for block in blocks:
        rows = list(block.equations)
        right = problem.right[rows]
        for k in sorted(set().union(*(held[row] for row in rows)) - set(block.multipliers)):
            right = right - J[k, rows].T * lam[k]
        for k in sorted(set().union(*(driven[row] for row in rows)) - set(block.efforts)):
            right = right - B[rows, k] * tau[k]
        left = ca.horzcat(J[list(block.multipliers), rows].T, B[rows, list(block.efforts)])
        x = solve_with_local_rows(left, right, _cut_by_cut(problem, block))
        for place, k in enumerate(block.multipliers):
            lam[k] = x[place]
        for place, k in enumerate(block.efforts):
            tau[k] = x[len(block.multipliers) + place]
    return Inverse(ca.vertcat(ca.DM(0, 1), *lam), ca.vertcat(ca.DM(0, 1), *tau))


def _filled(A: Matrix) -> list[set[int]]:
    """The structurally nonzero columns of each row."""
    found: list[set[int]] = [set() for _ in range(A.shape[0])]
    pattern = ca.sparsify(A).sparsity()
    for i, j in zip(pattern.row(), pattern.get_col(), strict=True):
        found[i].add(j)
    return found


def _cut_by_cut(problem: InverseProblem, block: Block) -> list[list[int]]:
    """Indices of the multipliers of each cut joint among the unknowns of a block."""
    place = {k: at for at, k in enumerate(block.multipliers)}
    slices = (range(rows.start, rows.stop) for rows in problem.at.own.slices)
    return [[place[k] for k in rows] for rows in slices if all(k in place for k in rows)]
