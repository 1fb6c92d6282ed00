"""The generalized inertia constraint matrix (GICM), block by block, as it is printed.

Each subsystem is solved by itself for its part of every loop; block (r, s) is zero where loops r and s share no
subsystem, and zero blocks are never formed.
"""

from __future__ import annotations

import casadi as ca

from multiloop.dynamics.elimination import solve_positive
from multiloop.dynamics.inertia import assembled, inertia_blocks
from multiloop.dynamics.problem import Problem
from multiloop.spatial import Matrix

BlockMatrix = dict[tuple[int, int], Matrix]


def gicm_blocks(problem: Problem) -> tuple[BlockMatrix, dict[int, Matrix]]:
    """Ī and Ψ̄ by blocks; only blocks of loops that share a subsystem exist.

        Ī_(r,s) = Σ_j J_(r,j) I_j⁻¹ J_(s,j)ᵀ,    Ψ̄_r = γ_r − Σ_j J_(r,j) I_j⁻¹ φ_j

    Source: [koul], eqs. (18)–(24).
    """
    gicm: BlockMatrix = {}
    psi = {r: problem.gamma[rows, :] for r, rows in enumerate(problem.blocks)}
    blocks, links = inertia_blocks(problem.at), problem.at.skeleton.links
    for members in subsystem_links(problem):
        rates = [k for link in members for k in range(links[link].rates.start, links[link].rates.stop)]
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
