"""Does frontal elimination of a sparse matrix agree with its dense singular values?"""

import numpy as np
import pytest
import scipy.sparse as sp

from multiloop.kinematics.conditioning import factor_sparse_qr

ZERO = 1e-10
SEEDS = range(60)


def scattered(seed):
    """A sparse matrix of any shape with dependent and with empty rows and columns."""
    rng = np.random.default_rng(seed)
    m, n = rng.integers(1, 30, 2)
    A = rng.normal(size=(m, n)) * (rng.random((m, n)) < rng.uniform(0.05, 0.5))
    if m > 4:
        A[0], A[3] = A[1] + A[2], 2 * A[1]
    if n > 4 and seed % 2:
        A[:, 2] = A[:, 0] - A[:, 4]
    return A


def chain_of_loops(windows, rows=3, columns=4, seed=0):
    """Blocks that share one column with the next, as in a row of loops, with one repeated row each."""
    rng = np.random.default_rng(seed)
    blocks = sp.lil_matrix((rows * windows, (columns - 1) * windows + 1))
    for k in range(windows):
        block = rng.normal(size=(rows, columns))
        block[-1] = block[0]
        blocks[rows * k : rows * (k + 1), (columns - 1) * k : (columns - 1) * k + columns] = block
    return blocks.tocsr()


@pytest.mark.parametrize("seed", SEEDS)
def test_the_staircase_has_the_rank_and_the_lengths_of_the_matrix(seed):
    A = scattered(seed)
    stairs = factor_sparse_qr(sp.csr_matrix(A), ZERO)
    assert stairs.rank == np.linalg.matrix_rank(A, 1e-9)
    assert sorted([*stairs.pivots, *stairs.free_columns]) == list(range(A.shape[1]))
    R = stairs.R.toarray()
    assert pytest.approx(A.T @ A, abs=1e-12 * max(1.0, np.abs(A.T @ A).max())) == R.T @ R
    assert (np.tril(R[:, stairs.pivots], -1) == 0).all()
    assert stairs.dropped_norms.max(initial=0.0) <= ZERO


@pytest.mark.parametrize("seed", SEEDS)
def test_null_vectors_span_what_the_rows_leave_open(seed):
    A = scattered(seed)
    stairs = factor_sparse_qr(sp.csr_matrix(A), ZERO)
    N = stairs.null_vectors(np.eye(len(stairs.free_columns)))
    assert N.shape[1] == A.shape[1] - stairs.rank == np.linalg.matrix_rank(N)
    assert np.abs(A @ N).max(initial=0.0) <= 1e-12 * max(1.0, np.abs(N).max(initial=0.0)) * np.abs(A).max()


@pytest.mark.parametrize("seed", SEEDS)
def test_dependence_is_the_length_of_a_row_in_the_left_null_space(seed):
    A = scattered(seed)
    U, sigma, _ = np.linalg.svd(A)
    null = U[:, int((sigma > 1e-9).sum()) :]
    found = factor_sparse_qr(sp.csr_matrix(A), ZERO).row_dependence()
    assert found == pytest.approx(np.linalg.norm(null, axis=1), abs=1e-11)  # some pivots are 1e-4


def test_the_smallest_singular_values_are_those_of_the_triangle():
    A = sp.random(60, 40, density=0.15, random_state=3) + sp.eye(60, 40)
    sigma = np.linalg.svd(A.toarray(), compute_uv=False)
    assert factor_sparse_qr(A, ZERO).smallest_singular_values(5) == pytest.approx(sigma[-5:], rel=1e-9)


def test_fronts_of_a_chain_do_not_grow_with_its_length():
    stairs = factor_sparse_qr(chain_of_loops(200), ZERO)
    assert stairs.rank == 400
    assert max(len(front.Q) for front in stairs.fronts) <= 6
    dependent = stairs.row_dependence().reshape(200, 3)
    assert dependent[:, [0, 2]] == pytest.approx(np.sqrt(0.5))
    assert dependent[:, 1] == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("shape", [(0, 0), (0, 3), (3, 0)])
def test_nothing_has_no_rank(shape):
    stairs = factor_sparse_qr(sp.csr_matrix(shape), ZERO)
    assert stairs.rank == 0
    assert len(stairs.free_columns) == shape[1]
    assert stairs.row_dependence() == pytest.approx(np.ones(shape[0]))
