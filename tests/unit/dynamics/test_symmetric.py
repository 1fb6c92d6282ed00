"""Does the sparse elimination solve the equations in any order, and is the selected order cheap?"""

import casadi as ca
import numpy as np
import pytest

from multiloop.dynamics.symbolic_solvers import cheapest_order, solve_symmetric, solve_with_local_rows


def always(key, left):
    return True


def entries(A):
    return {(i, j): float(A[i, j]) for i in range(len(A)) for j in range(i + 1) if A[i, j]}


@pytest.mark.parametrize("seed", range(4))
def test_any_order_gives_the_solution(seed):
    draw = np.random.default_rng(seed)
    G = draw.normal(size=(7, 7)) * (draw.random((7, 7)) < 0.4)
    A, b = G @ G.T + 3 * np.eye(7), draw.normal(size=7)
    x = solve_symmetric(entries(A), dict(enumerate(b)), [int(k) for k in draw.permutation(7)])
    assert [x[k] for k in range(7)] == pytest.approx(np.linalg.solve(A, b), abs=1e-12)


def test_rows_that_hold_are_negative_pivots():
    """[I Jᵀ; J 0] with the rows after the coordinates that they constrain."""
    draw = np.random.default_rng(1)
    J = draw.normal(size=(2, 4))
    K = np.block([[np.diag([1.0, 2, 3, 4]), J.T], [J, np.zeros((2, 2))]])
    b = draw.normal(size=6)
    x = solve_symmetric(entries(K), dict(enumerate(b)), list(range(6)))
    assert [x[k] for k in range(6)] == pytest.approx(np.linalg.solve(K, b), abs=1e-12)


def test_the_head_of_an_arrow_goes_last():
    pairs = [(k, k) for k in range(6)] + [(k, 0) for k in range(1, 6)]
    order, work = cheapest_order(pairs, range(6), always)
    assert order[-1] == 0 or order[-2] == 0  # the last two are alike
    assert work == 5 * (1 + 2 + 4 + 1) + 1


def test_numbers_cost_less():
    pairs = [(0, 0), (1, 1), (2, 2), (1, 0), (2, 1)]
    _, plain = cheapest_order(pairs, range(3), always)
    _, numbers = cheapest_order(pairs, range(3), always, numbers=[(0, 0), (1, 0)])
    assert numbers < plain


def test_an_order_that_cannot_go_on_stops_short():
    order, _ = cheapest_order([(0, 0), (1, 1), (1, 0)], [0, 1], lambda key, left: key == 0)
    assert order == [0]


@pytest.mark.parametrize("sizes", [(2,), (3,), (2, 2), (3, 3), (3, 2)])
def test_unknowns_with_rows_of_their_own(sizes):
    """Each group has one row less than unknowns; the other rows constrain all of them."""
    draw, n = np.random.default_rng(7), sum(sizes) + 1
    A, row, at, groups = np.zeros((n, n)), 0, 0, []
    for size in sizes:
        A[row : row + size - 1, at : at + size] = draw.normal(size=(size - 1, size))
        groups.append(list(range(at, at + size)))
        row, at = row + size - 1, at + size
    A[row:] = draw.normal(size=(n - row, n))
    b = draw.normal(size=n)
    symbols = ca.SX.sym("A", ca.sparsify(ca.DM(A)).sparsity())
    x = ca.Function("x", [symbols], [solve_with_local_rows(symbols, ca.SX(ca.DM(b)), groups)])(ca.DM(A))
    assert x.full()[:, 0] == pytest.approx(np.linalg.solve(A, b), abs=1e-12)
    on_numbers = solve_with_local_rows(ca.DM(A), ca.DM(b), groups)
    assert on_numbers.full()[:, 0] == pytest.approx(np.linalg.solve(A, b), abs=1e-12)
