"""Solution of linear equations in straight-line code, on numbers and on symbols, without operations on zeros.

On numbers the solves are LAPACK's. On symbols they are written out without any decision that depends on a value: L D Lᵀ
without pivoting for positive-definite matrices, Cramer's rule up to 3×3 and Householder reflections above for all
others, so that a pivot may pass through zero. `solve_with_local_rows` first eliminates unknowns that have separate
equations, such as the force in the cut joint of a passive link.

Theory: docs/theory/05-inverse-dynamics.md, eqs. (5.3), (5.6).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import casadi as ca
import numpy as np

from multiloop.spatial import Matrix, matrix

Rows = list[list[Any]]


def solve_positive(A: Matrix, B: Matrix, reciprocals: list[Any] | None = None) -> Matrix:
    """Solution X of A X = B for a symmetric positive-definite A, eliminated in the given order.

    A = L D Lᵀ;   entries that are and remain zero cost nothing. On symbols the reciprocals 1/dₖ of the pivots are
    appended to `reciprocals`: their spread measures how near A is to singular.
    """
    if not _is_symbolic(A, B):
        return _solve_numeric(np.linalg.solve, A, B)
    rows, n = entries(A), A.shape[0]
    below: list[list[int]] = [[i for i in range(j + 1, n) if not _is_zero(rows[i][j])] for j in range(n)]
    pivots: list[Any] = []
    L: dict[tuple[int, int], Any] = {}
    for j in range(n):
        pivots.append(1 / rows[j][j])
        for i in below[j]:
            L[i, j] = rows[i][j] * pivots[j]
        for a, i in enumerate(below[j]):
            for k in below[j][: a + 1]:
                rows[i][k] = rows[i][k] - L[i, j] * rows[k][j]
                if i != k and i not in below[k]:
                    below[k] = sorted([*below[k], i])
    if reciprocals is not None:
        reciprocals += pivots
    columns = [_substitute(L, pivots, below, column) for column in _columns(B)]
    return matrix([list(row) for row in zip(*columns, strict=True)])


def _substitute(
    L: dict[tuple[int, int], Any], pivots: list[Any], below: list[list[int]], x: list[Any]
) -> list[Any]:
    """Forward and backward substitution of one right-hand side."""
    n = len(x)
    for j in range(n):
        if not _is_zero(x[j]):
            for i in below[j]:
                x[i] = x[i] - L[i, j] * x[j]
    for j in reversed(range(n)):
        x[j] = x[j] * pivots[j]
        for i in below[j]:
            if not _is_zero(x[i]):
                x[j] = x[j] - L[i, j] * x[i]
    return x


def solve_general(A: Matrix, B: Matrix) -> Matrix:
    """Solution X of A X = B for a nonsingular square A, or the least-squares solution for a tall A."""
    if not A.shape[1]:
        return ca.DM(0, B.shape[1])
    if not _is_symbolic(A, B):
        return _solve_numeric(_least_squares if A.shape[0] > A.shape[1] else np.linalg.solve, A, B)
    if A.shape[0] == A.shape[1] and A.shape[0] <= 3:
        return _cramer(ca.SX(A), ca.SX(B))
    return _householder(A, B)


def solve_dominant(A: Matrix, b: Matrix) -> Matrix:
    """Solution x of A x = b by elimination without pivoting, for an A without zero pivots, e.g. A = 1 − B with ρ(|B|) <
    1.

    The comparison matrix 1 − |B| is then an M-matrix, so that no pivot is zero in any order.
    """
    if not _is_symbolic(A, b):
        return _solve_numeric(np.linalg.solve, A, b)
    left, x, n = ca.sparsify(ca.SX(A)), ca.densify(ca.SX(b)), A.shape[0]
    for k in range(n - 1):
        factors = left[k + 1 :, k] / left[k, k]
        x[k + 1 :, :] -= factors * x[k]
        left[k + 1 :, k + 1 :] -= factors @ left[k, k + 1 :]
    for k in reversed(range(n)):
        x[k] = (x[k] - left[k, k + 1 :] @ x[k + 1 :, :]) / left[k, k]
    return ca.densify(x)


def determinant_sign(A: Matrix) -> Matrix:
    """Sign of the determinant of a square A on symbols, 1 or −1.

    For A = Q R by k reflections it is the sign of (−1)ᵏ Π Rᵢᵢ.
    """
    if A.shape[0] <= 3:
        return ca.copysign(1.0, _determinant(ca.SX(A)))
    rows = entries(A)
    sign: Any = -1.0 if _apply_reflections(rows, [[] for _ in rows], A.shape[0], A.shape[1], 0) % 2 else 1.0
    for k in range(A.shape[0]):
        sign = ca.copysign(1.0, rows[k][k]) * sign
    return ca.SX(sign)


def _cramer(A: Matrix, B: Matrix) -> Matrix:
    """X = adj(A) B / det(A), where the rows of the adjugate are cross products."""
    n = A.shape[0]
    if n == 1:
        return B / A[0, 0]
    if n == 2:
        adjugate = matrix([[A[1, 1], -A[0, 1]], [-A[1, 0], A[0, 0]]])
        return (adjugate @ B) / _determinant(A)
    a, b, c = A[:, 0], A[:, 1], A[:, 2]
    adjugate = ca.vertcat(ca.cross(b, c).T, ca.cross(c, a).T, ca.cross(a, b).T)
    return (adjugate @ B) / _determinant(A)


def _determinant(A: Matrix) -> Matrix:
    """Determinant of up to three rows."""
    if A.shape[0] <= 1:
        return A[0, 0] if A.shape[0] else ca.SX(1)
    if A.shape[0] == 2:
        return A[0, 0] * A[1, 1] - A[0, 1] * A[1, 0]
    return ca.dot(A[:, 0], ca.cross(A[:, 1], A[:, 2]))


def _householder(A: Matrix, B: Matrix) -> Matrix:
    """Solution X of R X = Qᵀ B with A = Q R."""
    rows, right = entries(A), entries(B)
    n, width = A.shape[1], B.shape[1]
    _apply_reflections(rows, right, A.shape[0], n, width)
    X: Rows = [[0.0] * width for _ in range(n)]
    for k in reversed(range(n)):
        for j in range(width):
            known = sum(rows[k][i] * X[i][j] for i in range(k + 1, n) if not _is_zero(rows[k][i]))
            X[k][j] = (right[k][j] - known) / rows[k][k]
    return matrix(X)


def _apply_reflections(rows: Rows, right: Rows, m: int, n: int, width: int) -> int:
    """Reduce rows (m × n) to a triangle and transform the right-hand sides in place; returns the number of reflections.

    H = 1 − β v vᵀ,      v = x + sign(x₀)|x| e₀
    """
    count = 0
    for k in range(min(n, m - 1)):
        used = [i for i in range(k, m) if not _is_zero(rows[i][k])]
        if used == [k]:
            continue
        used = sorted({k, *used})
        length = ca.sqrt(sum(rows[i][k] ** 2 for i in used))
        head = rows[k][k] + ca.copysign(length, rows[k][k])
        v = {i: rows[i][k] for i in used} | {k: head}
        beta = 1 / (length * (length + ca.fabs(rows[k][k])))
        for table, columns in ((rows, range(k, n)), (right, range(width))):
            for j in columns:
                if all(_is_zero(table[i][j]) for i in used):
                    continue
                weight = beta * sum(v[i] * table[i][j] for i in used)
                for i in used:
                    table[i][j] = table[i][j] - v[i] * weight
        for i in used[1:]:
            rows[i][k] = 0.0
        count += 1
    return count


def _is_symbolic(*matrices: Matrix) -> bool:
    return any(isinstance(m, ca.SX) for m in matrices)


def _solve_numeric(solve: Any, A: Matrix, B: Matrix) -> Matrix:
    if A.shape[1] == 0:
        return ca.DM(0, B.shape[1])
    return ca.DM(solve(ca.DM(A).full(), ca.DM(B).full()))


def _least_squares(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    x: np.ndarray = np.linalg.lstsq(A, B, rcond=None)[0]
    return x


def entries(A: Matrix) -> Rows:
    """Scalar entries row by row; structural zeros are the number zero."""
    sparse = ca.sparsify(ca.SX(A))
    rows: Rows = [[0.0] * A.shape[1] for _ in range(A.shape[0])]
    where = zip(sparse.sparsity().row(), sparse.sparsity().get_col(), sparse.nonzeros(), strict=True)
    for i, j, value in where:
        rows[i][j] = value
    return rows


def _columns(B: Matrix) -> Rows:
    return [list(column) for column in zip(*entries(B), strict=True)]


def _is_zero(value: Any) -> bool:
    return value.is_zero() if isinstance(value, ca.SX) else value == 0.0


def solve_with_local_rows(A: Matrix, b: Matrix, groups: Sequence[Sequence[int]]) -> Matrix:
    """Solution x of A x = b for a nonsingular A; `groups` are the columns of unknowns that may have separate rows.

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
            taken.append((list(group), *_reduce_to_one_unknown(A[rows, list(group)], b[rows])))
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


def _reduce_to_one_unknown(g: Matrix, h: Matrix) -> tuple[Matrix, Matrix]:
    """The part of x that its rows determine, and the direction of their null space."""
    if g.shape[0] == 1:
        n = ca.vertcat(-g[0, 1], g[0, 0])
        return g.T * (h / ca.sumsqr(g)), n
    one, other = g[0, :].T, g[1, :].T
    n = ca.cross(one, other)
    p = (h[0] * ca.cross(other, n) + h[1] * ca.cross(n, one)) / ca.sumsqr(n)
    return p, n
