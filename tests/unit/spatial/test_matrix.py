"""Small matrices: numerical or symbolic by their entries, with structural zeros."""

import casadi as ca
import numpy as np
import pytest
from numpy.testing import assert_array_equal

from multiloop.spatial import column, matrix, numeric, zeros


def test_numbers_give_numbers_and_one_symbol_makes_symbols():
    assert isinstance(matrix([[1, 2], [3, 4]]), ca.DM)
    assert isinstance(matrix([[1, 2], [3, ca.SX.sym("a")]]), ca.SX)
    assert isinstance(column([0, 1]), ca.DM)


def test_zeros_are_structural():
    a = ca.SX.sym("a")
    assert matrix([[0, a], [0.0, 1]]).nnz() == 2
    assert column([0, a, 0]).nnz() == 1
    assert zeros(3).nnz() == 0
    assert zeros(6, 2).shape == (6, 2)


def test_structural_zeros_fold_in_products():
    a, b = ca.SX.sym("a"), ca.SX.sym("b")
    assert (matrix([[a, 0], [0, 1]]) @ column([0, b])).nnz() == 1


def test_vectors_come_out_one_dimensional():
    assert_array_equal(numeric(ca.DM([1, 2, 3])), [1, 2, 3])
    assert numeric(ca.DM(3, 1)).shape == (3,)
    assert numeric(ca.DM.eye(3)).shape == (3, 3)
    assert_array_equal(numeric(ca.SX([1, 2]) + 1), [2, 3])


def test_symbols_have_no_numbers():
    with pytest.raises(RuntimeError):
        numeric(ca.SX.sym("a"))
    assert isinstance(numeric(ca.DM(2, 2)), np.ndarray)
