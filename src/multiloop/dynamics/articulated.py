"""Accelerations of the open tree under known forces, in one walk inward and one outward: O(n).

    D_i = P_iᵀ Î_i P_i,   u_i = τ_i − P_iᵀ β_i,   v̇_i = D_i⁻¹ (u_i − P_iᵀ Î_i ṫ'_i)

Î_i is the inertia of body i with its outboard joints free to follow, β_i the wrench it needs when they do.

Source: the recursive step of [koul], §3 (ReDySim); articulated inertia after [featherstone], here in
inertial axes at the bodies' own origins.
"""

from __future__ import annotations

import casadi as ca

from multiloop.dynamics.elimination import solve_positive
from multiloop.dynamics.inertia import mass_matrices
from multiloop.kinematics.motion import Accelerated
from multiloop.kinematics.recursion import outward
from multiloop.kinematics.skeleton import Link
from multiloop.kinematics.snapshot import Snapshot
from multiloop.spatial import Matrix, twist_matrix, zeros


def tree_accelerations(at: Snapshot, needed: list[Matrix], tau: Matrix) -> Matrix:
    """v̇ of all tree joints.

    `needed` is what every body needs at zero joint accelerations, gravity and applied wrenches taken into
    account (at its origin); tau the forces along the rates.
    """
    links, placed = at.skeleton.links, at.placed
    articulated, wrench = mass_matrices(at), list(needed)
    kept: list[tuple[Matrix, Matrix, Matrix]] = [(zeros(0), zeros(0), zeros(0))] * len(links)
    for k in reversed(range(len(links))):
        link, P = links[k], placed[k].P
        U = articulated[k] @ P
        D = P.T @ U
        u = tau[link.v] - P.T @ wrench[k]
        kept[k] = (U, D, u)
        if link.parent < 0:
            continue
        passed, through = articulated[k], wrench[k]
        if D.shape[0]:
            solved = solve_positive(D, ca.horzcat(U.T, u))
            passed = passed - U @ solved[:, :6]
            through = through + U @ solved[:, 6]
        A = twist_matrix(placed[k].pose.p - placed[link.parent].pose.p)
        articulated[link.parent] = articulated[link.parent] + A.T @ passed @ A
        wrench[link.parent] = wrench[link.parent] + A.T @ through
    return _outward(at, kept)


def _outward(at: Snapshot, kept: list[tuple[Matrix, Matrix, Matrix]]) -> Matrix:
    """Joint accelerations from the ground outward; twist rates here are those beyond the convective ones."""
    links, placed = at.skeleton.links, at.placed
    parts: list[Matrix] = []

    def step(k: int, link: Link, parent: Accelerated) -> Accelerated:
        r = placed[k].pose.p - (placed[link.parent].pose.p if link.parent >= 0 else zeros(3))
        carried = ca.vertcat(parent.alpha, parent.a + ca.cross(parent.alpha, r))
        U, D, u = kept[k]
        if not D.shape[0]:
            return Accelerated(carried[:3], carried[3:])
        a = solve_positive(D, u - U.T @ carried)
        parts.append(a)
        own = carried + placed[k].P @ a
        return Accelerated(own[:3], own[3:])

    outward(links, Accelerated(zeros(3), zeros(3)), step)
    return ca.vertcat(ca.DM(0, 1), *parts)
