"""Linear equations in which some unknowns have separate rows, as the forces of a cut joint on a passive link.

A link that turns freely and is connected to the rest only by a cut joint determines, in one row (in space two), the two
(three) components of the force in the cut joint except for the force along the link.

    [g; A₁ A₂] [x₁; x₂] = [h; b],   g x₁ = h:      x₁ = p + s n,   g n = 0,   g p = h,   p ⟂ n
"""

from __future__ import annotations

from collections.abc import Sequence

import casadi as ca

from multiloop.dynamics.elimination import solve_general
from multiloop.spatial import Matrix


def solve_with_local_rows(A: Matrix, b: Matrix, groups: Sequence[Sequence[int]]) -> Matrix:
    """x of A x = b for a nonsingular A; `groups` are the columns of unknowns that may have separate rows.

    A group of two (three) unknowns with one row (two rows) that contain no other unknown is reduced to one unknown s.
    This costs no accuracy: if these rows were dependent, A would be singular.
    """
    if not isinstance(A, ca.SX) and not isinstance(b, ca.SX):
        return solve_general(A, b)
    pattern = ca.sparsify(ca.SX(A)).sparsity()
    filled: list[set[int]] = [set() for _ in range(A.shape[0])]
    for i, j in zip(pattern.row(), pattern.get_col(), strict=True):
        filled[i].add(j)
    taken: list[tuple[list[int], Matrix, Matrix]] = []
    spent: set[int] = set()
    for group in groups:
        rows = [i for i, columns in enumerate(filled) if columns and columns <= set(group)]
        if len(group) in (2, 3) and len(rows) == len(group) - 1:
            taken.append((list(group), *_one_left(A[rows, list(group)], b[rows])))
            spent.update(rows)
    if not taken:
        return solve_general(A, b)
    rest = [i for i in range(A.shape[0]) if i not in spent]
    others = [j for j in range(A.shape[1]) if not any(j in group for group, _, _ in taken)]
    left = [A[rest, group] @ n for group, _, n in taken]
    right = b[rest]
    for group, p, _ in taken:
        right = right - A[rest, group] @ p
    solved = solve_general(ca.horzcat(*left, A[rest, others]), right)
    x: list[Matrix] = [ca.DM(1, 1)] * A.shape[1]
    for k, (group, p, n) in enumerate(taken):
        whole = p + solved[k] * n
        for place, j in enumerate(group):
            x[j] = whole[place]
    for place, j in enumerate(others):
        x[j] = solved[len(taken) + place]
    return ca.vertcat(*x)


def _one_left(g: Matrix, h: Matrix) -> tuple[Matrix, Matrix]:
    """The part of x₁ that its rows determine, and the direction of their null space."""
    if g.shape[0] == 1:
        n = ca.vertcat(-g[0, 1], g[0, 0])
        return g.T * (h / ca.sumsqr(g)), n
    one, other = g[0, :].T, g[1, :].T
    n = ca.cross(one, other)
    p = (h[0] * ca.cross(other, n) + h[1] * ca.cross(n, one)) / ca.sumsqr(n)
    return p, n
