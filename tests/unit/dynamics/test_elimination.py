"""Are linear equations solved alike on numbers and on symbols, and are structural zeros free of cost?"""

import cProfile

import casadi as ca
import numpy as np
import pytest
from laws.formulation_cases import efforts_for, known_motion, zoo_cases

from multiloop.dynamics import solve_general, solve_positive
from multiloop.dynamics.forward import slm
from multiloop.dynamics.inverse import system
from multiloop.dynamics.symbolic_solvers import solve_dominant
from multiloop.symbols import Traced

ROUND_OFF = 1e-12
"""Relative error of solves up to 8×8 with condition numbers below a thousand."""


def positive(n, seed=0):
    """A random symmetric positive-definite matrix."""
    G = np.random.default_rng(seed).normal(size=(n, n))
    return G @ G.T + n * np.eye(n)


def general(m, n, seed=0):
    """A random matrix without a special pivot."""
    return np.random.default_rng(seed).normal(size=(m, n)) + 2 * np.eye(m, n)


def tall(n, seed=0):
    """Right-hand sides."""
    return np.random.default_rng([seed, 1]).normal(size=(n, 3))


def traced(solve, pattern, right):
    """The solve as a function of the entries where `pattern` is not zero."""
    A, B = (ca.SX.sym(name, ca.sparsify(ca.DM(m)).sparsity()) for name, m in (("A", pattern), ("B", right)))
    return Traced("solve", {"A": A, "B": B}, {"X": solve(A, B)})


def operations(solve, pattern, right):
    return traced(solve, pattern, right).tape().total


@pytest.mark.parametrize("n", range(1, 9))
def test_positive_definite_matrices_on_numbers_and_symbols(n):
    A, B = positive(n), tall(n)
    expected = np.linalg.solve(A, B)
    on_numbers = solve_positive(ca.DM(A), ca.DM(B))
    assert isinstance(on_numbers, ca.DM)
    assert on_numbers.full() == pytest.approx(expected, abs=ROUND_OFF)
    assert traced(solve_positive, A, B)(A, B)[0] == pytest.approx(expected, abs=ROUND_OFF)


@pytest.mark.parametrize("n", range(1, 9))
def test_any_regular_matrix_on_numbers_and_symbols(n):
    A, B = general(n, n), tall(n)
    expected = np.linalg.solve(A, B)
    on_numbers = solve_general(ca.DM(A), ca.DM(B))
    assert isinstance(on_numbers, ca.DM)
    assert on_numbers.full() == pytest.approx(expected, abs=ROUND_OFF)
    assert traced(solve_general, A, B)(A, B)[0] == pytest.approx(expected, abs=ROUND_OFF)


@pytest.mark.parametrize(("m", "n"), [(3, 1), (4, 2), (5, 3), (7, 4)])
def test_more_equations_than_unknowns_are_met_in_the_mean(m, n):
    A, B = general(m, n), tall(m)
    expected = np.linalg.lstsq(A, B, rcond=None)[0]
    assert solve_general(ca.DM(A), ca.DM(B)).full() == pytest.approx(expected, abs=ROUND_OFF)
    assert traced(solve_general, A, B)(A, B)[0] == pytest.approx(expected, abs=ROUND_OFF)


@pytest.mark.parametrize("n", [2, 3, 4, 6])
def test_a_pivot_that_passes_through_zero_does_no_harm(n):
    """For the traced function in which it was not zero: inverse methods evaluate such matrices along a motion."""
    A, B = general(n, n, seed=4), tall(n)
    function = traced(solve_general, A, B)
    for value in (1e-3, 1e-9, 0.0, -1e-9):
        A[0, 0] = value
        assert function(A, B)[0] == pytest.approx(np.linalg.solve(A, B), abs=10 * ROUND_OFF)


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_a_pivot_that_is_structurally_zero_does_no_harm(n):
    A, B = np.roll(np.diag(np.arange(1.0, n + 1)), 1, axis=0), tall(n)
    A[0, -1] += 0.5
    assert traced(solve_general, A, B)(A, B)[0] == pytest.approx(np.linalg.solve(A, B), abs=ROUND_OFF)


@pytest.mark.parametrize("n", [4, 6])
def test_householder_is_no_less_accurate_than_lapack(n):
    """Reflections do not amplify: a condition number of 1e10 costs ten digits and no more."""
    U, _, V = np.linalg.svd(general(n, n, seed=2))
    A = U @ np.diag(np.geomspace(1, 1e-10, n)) @ V
    x = np.ones((n, 1))
    assert traced(solve_general, A, A @ x)(A, A @ x)[0] == pytest.approx(x[:, 0], abs=1e-5)


def test_nothing_to_solve():
    """A mechanism without loops has no multipliers."""
    for kind in (ca.DM, ca.SX):
        assert solve_positive(kind(0, 0), kind(0, 1)).shape == (0, 1)
    assert solve_general(ca.DM(4, 0), ca.DM(4, 1)).shape == (0, 1)


def test_numbers_among_symbols_fold_away():
    A, B = positive(3), ca.SX.sym("B", 3)
    function = Traced("half", {"B": B}, {"X": solve_positive(ca.DM(A), B)})
    b = np.array([1.0, -2.0, 0.5])
    assert function(b)[0] == pytest.approx(np.linalg.solve(A, b), abs=ROUND_OFF)
    assert function.tape().total <= 15  # substitution alone: the factors are numbers


# what zeros cost --------------------------------------------------------------------------------------


@pytest.mark.parametrize("solve", [solve_positive, solve_general])
def test_a_diagonal_costs_one_division_each(solve):
    n = 6
    counts = traced(solve, np.eye(n), np.ones((n, 1))).tape().counts
    assert counts.get("div", 0) + counts.get("inv", 0) == n
    assert set(counts) <= {"div", "inv", "mul"}
    assert sum(counts.values()) <= 2 * n


def test_blocks_are_eliminated_by_themselves():
    """A block-diagonal matrix costs the sum of its blocks, whatever the order of their rows."""
    one, other = positive(3), positive(4)
    both = np.block([[one, np.zeros((3, 4))], [np.zeros((4, 3)), other]])
    parts = sum(operations(solve_positive, block, np.ones((len(block), 1))) for block in (one, other))
    assert operations(solve_positive, both, np.ones((7, 1))) == parts
    mixed = np.random.default_rng(3).permutation(7)
    assert operations(solve_positive, both[np.ix_(mixed, mixed)], np.ones((7, 1))) == parts


def test_a_band_costs_in_proportion_to_its_length():
    def band(n):
        return np.diag(np.full(n, 4.0)) + np.diag(np.ones(n - 1), 1) + np.diag(np.ones(n - 1), -1)

    costs = [operations(solve_positive, band(n), np.ones((n, 1))) for n in (10, 20, 30)]
    assert costs[2] - costs[1] == costs[1] - costs[0]
    assert costs[0] <= 10 * 10


def test_the_order_of_elimination_is_the_given_one():
    """An arrow matrix has fill-in if its head is eliminated first, and none if it is last."""
    n = 8
    head_last = np.diag(np.full(n, float(n)))
    head_last[-1, :] = head_last[:, -1] = 1.0
    head_last[-1, -1] = float(n)
    head_first = head_last[::-1, ::-1]
    good, bad = (operations(solve_positive, A, np.ones((n, 1))) for A in (head_last, head_first))
    assert good <= 10 * n
    assert bad > 2 * good
    B = tall(n)
    for A in (head_last, head_first):
        expected = np.linalg.solve(A, B)
        assert traced(solve_positive, A, B)(A, B)[0] == pytest.approx(expected, abs=ROUND_OFF)


def test_zeros_of_the_right_hand_side_are_not_carried():
    A = positive(6)
    full = operations(solve_positive, A, np.ones((6, 1)))
    late = operations(solve_positive, A, np.eye(6)[:, 5:])
    assert late < full
    none = traced(solve_positive, A, np.zeros((6, 1)))
    assert none.tape().total == 0
    assert np.all(none(A, np.zeros((6, 1)))[0] == 0.0)


def test_zeros_above_the_diagonal_of_reflections_are_not_carried():
    """A triangular matrix is only substituted back."""
    n = 5
    upper = np.triu(general(n, n))
    assert operations(solve_general, upper, np.ones((n, 1))) <= n * n
    assert operations(solve_general, general(n, n), np.ones((n, 1))) > 2 * n * n


# where it is used -------------------------------------------------------------------------------------


def test_on_numbers_the_equations_of_motion_are_numbers_throughout():
    """One symbol among them would send every solve through straight code instead of LAPACK."""
    case = zoo_cases("3-RRR")[0]
    problem = case.problem
    known = known_motion(case, efforts_for(case)).problem
    for part in (problem.inertia, problem.J, problem.gamma, problem.phi, known.J, known.required_forces):
        assert isinstance(part, ca.DM)
    assert isinstance(slm(problem).a, ca.DM)
    assert isinstance(system(known).lam, ca.DM)


def dominant(n, dense=1.0, seed=0):
    """1 − B with ρ(|B|) < 1, some entries of B being zero."""
    draw = np.random.default_rng(seed)
    B = draw.uniform(-1.0, 1.0, (n, n)) * (draw.random((n, n)) < dense)
    return np.eye(n) - 0.9 * B / n


@pytest.mark.parametrize("dense", [1.0, 0.3])
@pytest.mark.parametrize("n", range(1, 9))
def test_dominant_matrices_on_numbers_and_symbols(n, dense):
    A, b = dominant(n, dense), tall(n)[:, :1]
    expected = np.linalg.solve(A, b)
    assert solve_dominant(ca.DM(A), ca.DM(b)).full() == pytest.approx(expected, abs=ROUND_OFF)
    on_symbols = traced(solve_dominant, A, b)(A, b)[0]
    assert np.reshape(on_symbols, (n, 1)) == pytest.approx(expected, abs=ROUND_OFF)
    nothing = solve_dominant(ca.SX.sym("A", n, n), ca.SX(n, 1))
    assert nothing.is_dense()
    assert nothing.is_zero()


def test_dominant_matrices_are_eliminated_row_by_row_and_not_entry_by_entry():
    """36 strengths of twelve rough contacts are found by five such solves: calls from Python grow with n, not n³."""
    A, b, profile = ca.SX.sym("A", 36, 36), ca.SX.sym("b", 36), cProfile.Profile()
    profile.runcall(solve_dominant, A, b)
    profile.create_stats()
    calls = sum(count for _, count, *_ in profile.stats.values())
    assert calls < 36**3
