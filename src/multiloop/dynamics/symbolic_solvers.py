"""Solution of linear equations for numeric or symbolic matrices; symbolic solutions contain no branches and no
operations on zeros.

Numeric systems are solved by LAPACK. Symbolic solutions must not contain decisions that depend on values:
positive-definite matrices are factored as L D Lᵀ without pivoting; other matrices are solved by Cramer's rule up to 3×3
and by Householder reflections above this size, so that no result depends on a pivot that passes through zero.
`solve_with_local_rows` first eliminates unknowns that have separate equations, such as the forces in the cut joint of a
link without loads. `solve_symmetric` factors a sparse symmetric matrix,

    A x = b,   A = L D Lᵀ

in an elimination order with few operations. Only one half of A is used, and zeros cost no operations. The order
minimises the number of operations on variables, whereas the order of CasADi's `ldl` minimises fill-in. Pivots may be
positive or negative; the order must be such that no pivot is zero.

Theory: docs/theory/05-inverse-dynamics.md, eqs. (5.3), (5.6); docs/theory/06-forward-dynamics.md, eqs. (6.10), (6.11).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from heapq import heapify, heappop, heappush
from typing import Any, Generic, TypeVar

import casadi as ca
import numpy as np

from multiloop.spatial import Matrix, matrix

Rows = list[list[Any]]


def solve_positive(A: Matrix, B: Matrix, reciprocals: list[Any] | None = None) -> Matrix:
    """Solution X of A X = B for a symmetric positive-definite A, by elimination in the order of the rows.

    The factors are A = L D Lᵀ; entries that are and remain zero cost nothing. If A or B is symbolic, the reciprocals
    1/dₖ of the pivots are appended to `reciprocals`; a large ratio between them indicates that A is nearly singular.
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
    """Forward and backward substitution for one right-hand side x, with the factor L and the reciprocals `pivots` of
    the pivots; `below` lists, for each column of L, the rows of its nonzero entries."""
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
    """Solution x of A x = b by elimination without pivoting, for a matrix A whose pivots are not zero.

    An example is A = 1 − B with ρ(|B|) < 1: the comparison matrix 1 − |B| is then an M-matrix, so that no pivot is zero
    in any order.
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
    """Sign, 1 or −1, of the determinant of a square symbolic matrix A.

    If k reflections transform A to A = Q R, the sign of the determinant is the sign of (−1)ᵏ Π Rᵢᵢ.
    """
    if A.shape[0] <= 3:
        return ca.copysign(1.0, _determinant(ca.SX(A)))
    rows = entries(A)
    sign: Any = -1.0 if _apply_reflections(rows, [[] for _ in rows], A.shape[0], A.shape[1], 0) % 2 else 1.0
    for k in range(A.shape[0]):
        sign = ca.copysign(1.0, rows[k][k]) * sign
    return ca.SX(sign)


def _cramer(A: Matrix, B: Matrix) -> Matrix:
    """Solution X = adj(A) B / det(A) of A X = B up to 3×3; for 3×3 the rows of the adjugate are cross products."""
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
    """Determinant of a square matrix with at most three rows."""
    if A.shape[0] <= 1:
        return A[0, 0] if A.shape[0] else ca.SX(1)
    if A.shape[0] == 2:
        return A[0, 0] * A[1, 1] - A[0, 1] * A[1, 0]
    return ca.dot(A[:, 0], ca.cross(A[:, 1], A[:, 2]))


def _householder(A: Matrix, B: Matrix) -> Matrix:
    """Solution X of A X = B, from R X = Qᵀ B with A = Q R by Householder reflections."""
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
    """Transform a matrix (m × n) to an upper triangle, and its right-hand sides (m × width), in place; return the
    number of reflections. The reflection H of each column is computed from its part x from the diagonal entry x₀ down;
    e₀ is the unit vector of this entry.

    H = 1 − β v vᵀ,      v = x + sign(x₀)|x| e₀,      β = 2/|v|²
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
    """The scalar entries of a matrix as a list of rows; structural zeros are returned as the number 0.0."""
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
    """Solution x of A x = b for a nonsingular A, in which groups of unknowns with separate equations are reduced first.

    `groups` are lists of column indices. A group of two (three) unknowns for which one equation (two equations)
    contains no other unknown is reduced to a single unknown. This costs no accuracy: if these equations were linearly
    dependent, A would be singular.
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
    """Particular solution p and null-space direction n of the equations g x = h with one unknown more than equations: x
    = p + s n for any number s."""
    if g.shape[0] == 1:
        n = ca.vertcat(-g[0, 1], g[0, 0])
        return g.T * (h / ca.sumsqr(g)), n
    one, other = g[0, :].T, g[1, :].T
    n = ca.cross(one, other)
    p = (h[0] * ca.cross(other, n) + h[1] * ca.cross(n, one)) / ca.sumsqr(n)
    return p, n


Key = TypeVar("Key", bound=Hashable)
Entries = dict[tuple[Key, Key], Any]


def solve_symmetric(
    A: Mapping[tuple[Key, Key], Any], b: Mapping[Key, Any], order: Sequence[Key]
) -> dict[Key, Any]:
    """Solution x of A x = b for a symmetric A, by elimination in the given order of the unknowns.

    A is given by its nonzero entries by keys (i, j); of (i, j) and (j, i) only one is given."""
    place = {key: k for k, key in enumerate(order)}
    below: dict[Key, dict[Key, Any]] = {key: {} for key in order}
    pivot: dict[Key, Any] = {}
    for (i, j), value in A.items():
        if i == j:
            pivot[i] = value
        elif place[i] > place[j]:
            below[j][i] = value
        else:
            below[i][j] = value
    x = dict(b)
    factors: dict[Key, dict[Key, Any]] = {}
    for k in order:
        column = below[k]
        rows = sorted(column, key=place.__getitem__)
        factors[k] = {i: column[i] / pivot[k] for i in rows}
        for a, i in enumerate(rows):
            L = factors[k][i]
            x[i] = x[i] - L * x[k] if i in x else -(L * x[k])
            pivot[i] = pivot[i] - L * column[i] if i in pivot else -(L * column[i])
            for j in rows[a + 1 :]:
                change = L * column[j]
                below[i][j] = below[i][j] - change if j in below[i] else -change
    for k in reversed(order):
        x[k] = x[k] / pivot[k]
        for i, L in factors[k].items():
            x[k] = x[k] - L * x[i]
    return x


class EliminationPattern(Generic[Key]):
    """Sparsity pattern of a symmetric matrix during elimination, with a record of which entries are constants."""

    def __init__(
        self, pairs: Iterable[tuple[Key, Key]], keys: Iterable[Key], numbers: Iterable[tuple[Key, Key]]
    ) -> None:
        self.neighbours: dict[Key, set[Key]] = {key: set() for key in keys}
        self.numbers = {frozenset(pair) for pair in numbers}
        self.diagonal: set[frozenset[Key]] = set()
        for i, j in pairs:
            if i != j:
                self.neighbours[i].add(j)
                self.neighbours[j].add(i)
            else:
                self.diagonal.add(frozenset((i,)))

    def cost(self, key: Key) -> int:
        """Number of operations to eliminate the unknown `key` next: factors, updates, right-hand side and
        back-substitution."""
        near, plain = self.neighbours[key], frozenset((key,)) in self.numbers
        fixed = [i for i in near if plain and frozenset((key, i)) in self.numbers]
        d, f = len(near), len(fixed)
        return (d - f) + d * (d + 1) - f * (f + 1) + 4 * d + 1

    def eliminate(self, key: Key) -> None:
        """Remove the unknown `key` from the pattern and add the fill-in that its elimination causes."""
        near, numbers = self.neighbours.pop(key), self.numbers
        plain = frozenset((key,)) in numbers
        fixed = {i for i in near if plain and frozenset((key, i)) in numbers}
        for i in near:
            for j in near:
                pair = frozenset((i, j))
                fresh = j not in self.neighbours[i] if i != j else pair not in self.diagonal
                if i in fixed and j in fixed:
                    if fresh:
                        numbers.add(pair)
                else:
                    numbers.discard(pair)
                if i == j:
                    self.diagonal.add(pair)
            self.neighbours[i] |= near
            self.neighbours[i] -= {i, key}


def cheapest_order(
    pairs: Iterable[tuple[Key, Key]],
    keys: Sequence[Key],
    ready: Callable[[Key, set[Key]], bool],
    numbers: Iterable[tuple[Key, Key]] = (),
) -> tuple[list[Key], int]:
    """Greedy elimination order, in which the unknown with the fewest operations is eliminated next, and the total
    number of operations.

    `keys` name the unknowns. `pairs` are the keys of the nonzero entries, of which only one of (i, j) and (j, i) is
    given; `numbers` are the keys of constant entries. `ready(key, left)` states whether an unknown may be eliminated
    while the unknowns in `left` remain; if no unknown is ready, the order ends before all are eliminated. Among
    unknowns of equal cost the earlier one in `keys` is eliminated first. Cost: linear in the number of keys for a
    sparse matrix.
    """
    pattern: EliminationPattern[Key] = EliminationPattern(pairs, keys, numbers)
    place = {key: k for k, key in enumerate(keys)}
    left, order, total = set(keys), [], 0
    cost = {key: pattern.cost(key) for key in keys}
    waiting = [(cost[key], place[key], key) for key in keys]
    heapify(waiting)
    while waiting:
        price, _, key = heappop(waiting)
        if key not in left or price != cost[key]:
            continue
        if not ready(key, left):
            continue  # this key is considered again when a neighbour is eliminated
        near = set(pattern.neighbours[key])
        pattern.eliminate(key)
        left.remove(key)
        order.append(key)
        total += price
        for i in near:
            cost[i] = pattern.cost(i)
            heappush(waiting, (cost[i], place[i], i))
    return order, total
