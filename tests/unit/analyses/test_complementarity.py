"""The linear complementarity problem by pivots: signs, products, and problems without a solution."""

import numpy as np
import pytest

from multiloop.analyses.contact_events.impact_problem import solve_lcp


@pytest.mark.parametrize("seed", range(60))
def test_every_positive_definite_problem_is_solved(seed: int) -> None:
    """w = M z + q with w, z ≥ 0 and one of both zero; M need not be symmetric."""
    some = np.random.default_rng(seed)
    n = int(some.integers(1, 9))
    A, skew = some.normal(size=(n, n)), some.normal(size=(n, n))
    M, q = A @ A.T + 0.1 * np.eye(n) + skew - skew.T, some.normal(size=n)
    z = solve_lcp(M, q)
    assert z is not None
    w = M @ z + q
    assert z.min() >= -1e-9
    assert w.min() >= -1e-8
    assert np.abs(w * z).max() < 1e-8


def test_contacts_that_repeat_each_other_share() -> None:
    """Two identical contacts have half of the force each."""
    z = solve_lcp(np.ones((2, 2)), np.array([-3.0, -3.0]))
    assert z == pytest.approx([1.5, 1.5])


def test_a_push_that_opens_nothing_has_no_solution() -> None:
    """M = −1 cannot lift q = −1."""
    assert solve_lcp(np.array([[-1.0]]), np.array([-1.0])) is None
