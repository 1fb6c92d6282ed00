"""Forward dynamics with subsystem-level multipliers: the generalized inertia constraint matrix, block by block.

Each subsystem is solved by itself for its part of every loop; the blocks add up to Ī (GICM), whose block
(r, s) is zero where loops r and s share no subsystem, and zero blocks are never touched.
"""

from __future__ import annotations

from collections.abc import Sequence

import casadi as ca

from multiloop.dynamics.articulated import tree_accelerations
from multiloop.dynamics.elimination import solve_positive
from multiloop.dynamics.forward.slm import slm
from multiloop.dynamics.inertia import assembled, inertia_blocks
from multiloop.dynamics.problem import Forward, Problem, column_of
from multiloop.spatial import Matrix

BlockMatrix = dict[tuple[int, int], Matrix]


def sslm(problem: Problem, order: Sequence[int] | None = None) -> Forward:
    """Multipliers loop by loop in the plan's order, then O(n) accelerations.

        Ī_(r,s) = Σ_j J_(r,j) I_j⁻¹ J_(s,j)ᵀ,    Ψ̄_r = γ_r − Σ_j J_(r,j) I_j⁻¹ φ_j,    Ī λ = Ψ̄

    Source: [koul], eqs. (18)–(24), (33)–(35).
    Differs: the elimination order is the plan's. Redundant rows and massless links couple the subsystems; the
    whole is then one subsystem, and the method is `slm`.
    """
    if problem.basis is not None or not problem.regular:
        return slm(problem)
    gicm, psi = gicm_blocks(problem)
    order = range(len(problem.blocks)) if order is None else order
    holding = [r for r in order if psi[r].shape[0]]  # a Free joint that is cut holds nothing
    lam = eliminated(gicm, psi, holding)
    whole = column_of([lam[r] for r in sorted(holding)])
    a = tree_accelerations(problem.at, problem.needed, problem.tau + problem.J.T @ whole)
    return Forward(a, whole)


def gicm_blocks(problem: Problem) -> tuple[BlockMatrix, dict[int, Matrix]]:
    """Ī and Ψ̄ by blocks; only blocks of loops that share a subsystem exist."""
    gicm: BlockMatrix = {}
    psi = {r: problem.gamma[rows, :] for r, rows in enumerate(problem.blocks)}
    blocks, links = inertia_blocks(problem.at), problem.at.skeleton.links
    for members in subsystem_links(problem):
        rates = [k for link in members for k in range(links[link].v.start, links[link].v.stop)]
        touching = [r for r, rows in enumerate(problem.blocks) if ca.sparsify(problem.J[rows, rates]).nnz()]
        if not rates or not touching:
            continue
        J = {r: problem.J[problem.blocks[r], rates] for r in touching}
        right = ca.horzcat(*[J[r].T for r in touching], problem.phi[rates])
        solved = solve_positive(assembled(problem.at.skeleton, blocks, members), right)
        free, at = solved[:, solved.shape[1] - 1], 0
        image = {}
        for r in touching:
            image[r] = solved[:, at : at + J[r].shape[0]]
            at += J[r].shape[0]
        for r in touching:
            psi[r] = psi[r] - J[r] @ free
            for s in touching:
                if s <= r:
                    gicm[r, s] = gicm[r, s] + J[r] @ image[s] if (r, s) in gicm else J[r] @ image[s]
    return gicm, psi


def subsystem_links(problem: Problem) -> list[list[int]]:
    """Positions in `links` of the bodies of each subsystem."""
    index = problem.at.skeleton.index
    return [[index[body] for body in subsystem.bodies] for subsystem in problem.at.skeleton.tree.subsystems]


def eliminated(gicm: BlockMatrix, psi: dict[int, Matrix], order: Sequence[int]) -> dict[int, Matrix]:
    """Block elimination of the symmetric Ī in the given order, and substitution back.

    Ĩ_(r,s) = Ī_(r,s) − Ī_(r,k) Ī_(k,k)⁻¹ Ī_(k,s)      for every loop k that is eliminated before r and s
    """
    A = dict(gicm) | {(s, r): block.T for (r, s), block in gicm.items()}
    b, left = dict(psi), set(order)
    images: dict[int, dict[int, Matrix]] = {}
    for k in order:
        left.remove(k)
        near = [r for r in left if (k, r) in A]
        solved = solve_positive(A[k, k], ca.horzcat(*[A[k, r] for r in near], b[k]))
        at, images[k] = 0, {}
        for r in near:
            width = A[k, r].shape[1]
            images[k][r] = solved[:, at : at + width]
            at += width
        b[k] = solved[:, at]
        for r in near:
            b[r] = b[r] - A[r, k] @ b[k]
            for s in near:
                change = A[r, k] @ images[k][s]
                A[r, s] = A[r, s] - change if (r, s) in A else -change
    lam: dict[int, Matrix] = {}
    for k in reversed(list(order)):
        lam[k] = b[k]
        for r, image in images[k].items():
            lam[k] = lam[k] - image @ lam[r]
    return lam
