"""Formulas as printed in the sources, which the library evaluates in other forms: references for its results."""

from __future__ import annotations

import casadi as ca
import numpy as np

from multiloop.dynamics import solve_positive
from multiloop.dynamics.forward import ForwardProblem
from multiloop.dynamics.forward.subsystem_multipliers import subsystem_links
from multiloop.dynamics.inertia_matrix import assemble_symmetric, inertia_blocks
from multiloop.kinematics import Snapshot
from multiloop.spatial import Matrix, twist_matrix

BlockMatrix = dict[tuple[int, int], Matrix]


def lower_factor(at: Snapshot) -> Matrix:
    """N_l: twist propagation from every body to all outboard bodies."""
    links, placed = at.skeleton.links, at.placements
    rows = []
    for i in range(len(links)):
        row: list[Matrix] = [ca.DM(6, 6)] * len(links)
        j = i
        while j >= 0:
            row[j] = twist_matrix(placed[i].pose.p - placed[j].pose.p)
            j = links[j].parent
        rows.append(ca.horzcat(*row))
    return ca.vertcat(ca.DM(0, 6 * len(links)), *rows)


def diagonal_factor(at: Snapshot) -> Matrix:
    """N_d: joint-rate propagation, block diagonal."""
    return ca.diagcat(*[place.P for place in at.placements])


def tree_complement(at: Snapshot) -> Matrix:
    """N = N_l N_d, 6n × rates."""
    return lower_factor(at) @ diagonal_factor(at)


def gicm_blocks(problem: ForwardProblem) -> tuple[BlockMatrix, dict[int, Matrix]]:
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
        solved = solve_positive(assemble_symmetric(problem.at.skeleton, blocks, members), right)
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


def inertia_wrench(m: Matrix, d: Matrix, I_origin: Matrix, t: Matrix, dt: Matrix) -> Matrix:
    """The wrench w* at the origin that a body's motion needs.

        w* = M ṫ + W M E t:   f* = m (v̇ + ω̇ × d + ω × (ω × d)),   n* = I ω̇ + ω × I ω + m d × v̇

    All in the inertial frame; d from the origin to the mass centre, I about the origin.

    Source: [chaudhary], eqs. (2)–(5); the product W M E t is written out.
    """
    omega, alpha, acc = t[:3], dt[:3], dt[3:]
    f = m * (acc + ca.cross(alpha, d) + ca.cross(omega, ca.cross(omega, d)))
    n = I_origin @ alpha + ca.cross(omega, I_origin @ omega) + m * ca.cross(d, acc)
    return ca.vertcat(n, f)


def wrench_matrix(r: Matrix) -> Matrix:
    """Wrench propagation from the point O + r back to the point O of the same body.

        A' = [1 r̃; 0 1] = Aᵀ,   w_O = A' w_(O+r)

    Source: [chaudhary], eq. (12).
    """
    return twist_matrix(r).T


def transport_twist(t: Matrix, r: Matrix) -> Matrix:
    """The twist t at O, seen at O + r:  [ω; v + ω × r]."""
    return ca.vertcat(t[:3], t[3:] + ca.cross(t[:3], r))


def axis_angle(axis: np.ndarray, angle: float) -> np.ndarray:
    """Rotation by `angle` about a unit axis, R = 1 + sin θ ã + (1 − cos θ) ã² (Rodrigues), in numbers."""
    a = np.asarray(axis, float)
    S = np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])
    R: np.ndarray = np.eye(3) + np.sin(angle) * S + (1 - np.cos(angle)) * (S @ S)
    return R
