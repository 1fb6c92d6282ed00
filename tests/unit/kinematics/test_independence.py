"""Is the rank of a sparse matrix the same as that of the full one, whatever is taken out beforehand?"""

import numpy as np
import pytest
import scipy.sparse as sp

from multiloop.kinematics.independence import groups_of, independent_blocks, null_space, peeled, sparse_rank


def scattered(seed):
    """A sparse matrix of small size, with a repeated row where there are three."""
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
    left = peeled(sp.csr_matrix([[1.0, 0, 0, 0], [2.0, 1.0, 0, 0], [0, 3.0, 1.0, 2.0], [0, 0, 1.0, 1.0]]))
    assert left.count == 2
    assert (left.rows.tolist(), left.columns.tolist()) == ([2, 3], [2, 3])


def test_a_lone_entry_that_is_tiny_is_left_to_the_singular_values():
    A = sp.csr_matrix([[1e-12, 0, 0], [1.0, 1.0, 0], [0, 1.0, 1.0]])
    assert sparse_rank(A) == 3
    assert sparse_rank(sp.csr_matrix([[1e-12, 0, 0], [0, 1.0, 2.0], [0, 2.0, 1.0]])) == 2


def test_parts_that_share_no_coordinate_are_found():
    A = sp.block_diag([np.ones((2, 2)), np.ones((1, 3)), np.zeros((1, 1))])
    assert [(r.tolist(), c.tolist()) for r, c in groups_of(A)] == [([0, 1], [0, 1]), ([2], [2, 3, 4])]


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
