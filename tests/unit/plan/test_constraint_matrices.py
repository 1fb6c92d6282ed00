"""Constraint matrices of many positions at once equal those of single positions."""

import numpy as np
import pytest
from zoo import ZOO

import multiloop as ml
from multiloop.plan import constraint_matrix_at, constraint_matrix_series

NAMES = (
    "four-bar-space",
    "bennett",
    "sarrus",
    "double-parallelogram",
    "delta",
    "cam-roller",
    "ball-on-plate",
    "planetary",
    "four-bar-parameters",
)
"""Redundant ones, planar and in space, with pairs, with couplings, with parameters."""


@pytest.mark.parametrize("name", NAMES)
def test_many_positions_are_as_each_alone(name):
    """Away from the loops too: the matrix is defined by the positions of the markers alone."""
    assembly = ml.analyse(ZOO[name].build()).assembly
    equations, p = assembly.equations, assembly.p
    q = assembly.q + 0.1 * np.random.default_rng(1).normal(size=(3, len(assembly.q)))
    t = np.array([0.0, 0.1, 0.2])
    ((part, found),) = constraint_matrix_series(equations, t, q, p)
    assert part.start == 0
    assert part.stop >= 3
    for k in range(3):
        alone = constraint_matrix_at(equations, q[k], p, t[k])
        np.testing.assert_allclose(found.A[k], alone.A, atol=1e-13 * np.abs(alone.A).max())
        for many, one in zip(found.wrenches, alone.wrenches.values(), strict=True):
            np.testing.assert_allclose(many[k], one, atol=1e-13)
