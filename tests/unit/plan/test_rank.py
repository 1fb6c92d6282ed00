"""Is the rank correct, with its gap, and is a doubtful one reported as doubtful?"""

import numpy as np
import pytest

from multiloop.plan import Rank, rank_of


def matrix(*sigma, rows=6, columns=6):
    """A full matrix with these singular values."""
    rng = np.random.default_rng(3)
    U, _ = np.linalg.qr(rng.normal(size=(rows, rows)))
    V, _ = np.linalg.qr(rng.normal(size=(columns, columns)))
    S = np.zeros((rows, columns))
    S[range(len(sigma)), range(len(sigma))] = sigma
    return U @ S @ V


def test_rank_mobility_and_redundancy_of_a_matrix_with_a_clear_gap():
    rank = rank_of(matrix(3.0, 2.0, 1.0, 1e-15, rows=5, columns=7))
    assert (rank.rows, rank.columns, rank.rank) == (5, 7, 3)
    assert (rank.mobility, rank.redundant) == (4, 2)
    assert rank.smallest == pytest.approx(1 / 3)
    assert rank.gap > 1e14
    assert rank.doubt == 0


def test_the_gap_is_infinite_where_no_value_is_left_over():
    assert rank_of(matrix(3.0, 2.0, rows=2, columns=7)).gap == np.inf


def test_scale_does_not_matter():
    small, large = rank_of(1e-9 * matrix(3, 2, 1)), rank_of(1e9 * matrix(3, 2, 1))
    assert small.rank == large.rank == 3


@pytest.mark.parametrize(
    ("sigma", "doubt"),
    [
        ((3.0, 2.0, 1e-5), 1),  # far below its neighbour, and small
        ((3.0, 2.0, 1e-5, 9e-6), 2),  # two of equal size
        ((3.0, 2.0, 1e-1, 3e-3), 0),  # a slow decline is normal
        ((3.0, 2.0, 5e-2), 0),  # not small
        ((3.0, 2.0, 1e-10), 0),  # does not count
    ],
)
def test_values_that_count_but_are_suspiciously_small_raise_doubt(sigma, doubt):
    rank = rank_of(matrix(*sigma))
    assert rank.doubt == doubt
    if doubt:
        assert rank.doubt_value == pytest.approx(sigma[-doubt] / 3.0, rel=1e-6)


def test_a_mechanism_without_joints_or_bodies_has_rank_zero():
    assert rank_of(np.zeros((0, 6))) == Rank(0, 6, 0, 1.0, 0.0, 0, 0.0)
    assert rank_of(np.zeros((0, 6))).mobility == 6
    assert rank_of(np.zeros((3, 0))).redundant == 3
