"""Is the rank of a sparse matrix that of the full one, whatever rows are removed beforehand?"""

import numpy as np
import pytest
import scipy.sparse as sp

from multiloop.kinematics.conditioning import (
    largest_singular_value,
    null_space,
    reliable_sparse_qr,
    singular_values,
    sparse_null_space,
    sparse_rank as independence,
)
from multiloop.kinematics.conditioning.sparse_rank import (
    decoupled_groups,
    independent_blocks,
    peel_single_entries,
    sparse_rank,
)


def scattered(seed):
    """A sparse matrix of small size, with a repeated row if there are three."""
    rng = np.random.default_rng(seed)
    rows, columns = rng.integers(1, 12, 2)
    A = rng.normal(size=(rows, columns)) * (rng.random((rows, columns)) < rng.uniform(0.1, 0.6))
    if rows > 2:
        A[0] = A[1]
    return A


@pytest.mark.parametrize("seed", range(40))
def test_the_rank_is_that_of_the_full_matrix(seed):
    A = scattered(seed)
    assert sparse_rank(sp.csc_matrix(A)) == np.linalg.matrix_rank(A)


def test_rows_that_hold_one_coordinate_each_are_taken_out():
    left = peel_single_entries(
        sp.csr_matrix([[1.0, 0, 0, 0], [2.0, 1.0, 0, 0], [0, 3.0, 1.0, 2.0], [0, 0, 1.0, 1.0]])
    )
    assert left.count == 2
    assert (left.rows.tolist(), left.columns.tolist()) == ([2, 3], [2, 3])


def test_a_lone_entry_that_is_tiny_is_left_to_the_singular_values():
    A = sp.csr_matrix([[1e-12, 0, 0], [1.0, 1.0, 0], [0, 1.0, 1.0]])
    assert sparse_rank(A) == 3
    assert sparse_rank(sp.csr_matrix([[1e-12, 0, 0], [0, 1.0, 2.0], [0, 2.0, 1.0]])) == 2


def test_parts_that_share_no_coordinate_are_found():
    A = sp.block_diag([np.ones((2, 2)), np.ones((1, 3)), np.zeros((1, 1))])
    assert [(r.tolist(), c.tolist()) for r, c in decoupled_groups(A)] == [([0, 1], [0, 1]), ([2], [2, 3, 4])]


def test_what_rows_leave_open():
    A = np.array([[1.0, 1.0, 0.0], [2.0, 2.0, 0.0]])
    Z = null_space(A)
    assert Z.shape == (3, 2)
    assert pytest.approx(0.0, abs=1e-14) == A @ Z


@pytest.mark.parametrize("seed", range(20))
def test_blocks_are_taken_in_order_as_long_as_all_of_their_rows_are_new(seed):
    rng = np.random.default_rng(seed)
    rows = rng.integers(-1, 2, (2, 6)).astype(float)
    blocks = [rng.integers(-1, 2, (rng.integers(1, 3), 6)).astype(float) for _ in range(4)]
    taken, stack = [], rows
    for k, block in enumerate(blocks):
        more = np.vstack([stack, block])
        if np.linalg.matrix_rank(more) == np.linalg.matrix_rank(stack) + len(block):
            taken.append(k)
            stack = more
    assert independent_blocks(sp.csr_matrix(rows), [sp.csr_matrix(block) for block in blocks]) == taken


def banded(*sigma, size=80, seed=1):
    """A sparse matrix with some singular values of 1 to 3 and these: rotations of neighbours preserve them."""
    rng = np.random.default_rng(seed)
    A = sp.diags(np.concatenate([rng.uniform(1.0, 3.0, size - len(sigma)), sigma])).tolil()
    for k in [*range(size - 1), *range(size - 2, -1, -1)]:
        c, s = np.cos(k + 1.0), np.sin(k + 1.0)
        turn = np.array([[c, -s], [s, c]])
        A[k : k + 2] = turn @ A[k : k + 2].toarray()
        if k % 3:
            A[:, k : k + 2] = A[:, k : k + 2].toarray() @ turn.T
    return A.tocsr()


@pytest.mark.parametrize(
    "sigma", [(), (1e-5,), (1e-7, 1e-8), (0.0, 0.0), (1e-4, 1e-9, 0.0), tuple(np.geomspace(1e-2, 1e-6, 30))]
)
def test_extreme_singular_values_of_a_large_matrix(sigma, monkeypatch):
    """Those below 1 % of the largest to round-off; those above need only be above."""
    A = banded(*sigma)
    monkeypatch.setattr(independence, "MAX_DENSE_ROWS", 10)
    monkeypatch.setattr(independence, "MIN_SMALLEST_VALUES", 4)
    found, true = singular_values(A), np.linalg.svd(A.toarray(), compute_uv=False)
    assert len(found) == len(true)
    assert found[0] == pytest.approx(true[0], rel=1e-3)
    small = true < independence.CLEARLY_NONZERO * true[0]
    assert (found < independence.CLEARLY_NONZERO * found[0]).sum() == small.sum()
    counting = small & (true > 1e-9)
    assert found[counting] == pytest.approx(true[counting], rel=1e-5, abs=1e-14)
    assert (found[true <= 1e-9] < 3e-9).all()


def test_singular_values_of_a_matrix_with_many_repeated_rows(monkeypatch):
    A = banded(1e-4)
    monkeypatch.setattr(independence, "MAX_DENSE_ROWS", 10)
    twice = sp.vstack([A, A[::2]], format="csr")
    wide, tall = singular_values(twice.T), singular_values(twice)
    true = np.linalg.svd(twice.toarray(), compute_uv=False)
    assert wide[-1] == pytest.approx(true[-1], rel=1e-6)
    assert tall[-1] == pytest.approx(true[-1], rel=1e-6)
    square = sp.hstack([twice, twice[:, ::3]], format="csr")
    rank = (singular_values(square) > 1e-9).sum()
    assert rank == np.linalg.matrix_rank(square.toarray())


def test_a_group_that_vanishes_beside_another(monkeypatch):
    """Groups are compared with the largest singular value of all of them."""
    monkeypatch.setattr(independence, "MAX_DENSE_ROWS", 10)
    both = sp.block_diag([banded(1e-4), 1e-13 * banded(), [[2.0]]], format="csr")
    assert (singular_values(both) > 1e-9).sum() == 81
    assert len(singular_values(both)) == 161
    assert not singular_values(sp.csr_matrix((30, 20))).any()
    assert largest_singular_value(sp.csr_matrix((30, 30))) == 0.0


def test_directions_left_open_by_a_large_matrix(monkeypatch):
    A = banded(0.0, 0.0, 1e-4)
    dense = null_space(A.toarray())
    monkeypatch.setattr(independence, "MAX_DENSE_ROWS", 10)
    sparse = sparse_null_space(A)
    assert sparse.shape == dense.shape == (80, 2)
    assert pytest.approx(dense @ dense.T, abs=1e-9) == sparse @ sparse.T


def test_pivots_that_hide_a_small_singular_value_do_not_decide():
    """Kahan's matrix: no pivot is small, one singular value is."""
    n, c, s = 40, np.cos(1.2), np.sin(1.2)
    kahan = np.diag(s ** np.arange(n)) @ (np.eye(n) - c * np.triu(np.ones((n, n)), 1))
    sigma = np.linalg.svd(kahan, compute_uv=False)
    assert reliable_sparse_qr(sp.csr_matrix(kahan), sigma[-1] * 3) is None
    assert reliable_sparse_qr(sp.csr_matrix(kahan), sigma[-1] / 3).rank == n
    assert largest_singular_value(sp.csr_matrix(kahan)) == pytest.approx(sigma[0], rel=1e-3)
