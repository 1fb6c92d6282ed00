"""The two factors of the orthogonal complement, block by block: the structure of the tree, and the motion subspaces."""

from itertools import pairwise

import casadi as ca
import numpy as np
import pytest
from laws.formulation_cases import numbers, zoo_cases
from laws.printed_formulas import diagonal_factor, lower_factor, tree_complement

from multiloop.dynamics.inertia_matrix import twist_columns
from multiloop.spatial import twist_matrix

NAMES = ["scraper-K", "excavator", "RSSR", "spatial-chain-6", "floating-base", "four-bar-welded"]


@pytest.fixture(params=NAMES)
def at(request):
    return zoo_cases(request.param)[-1].at


def ancestors(at, k):
    return [] if k < 0 else [k, *ancestors(at, at.skeleton.links[k].parent)]


def block(matrix, i, j):
    return ca.DM(matrix).full()[6 * i : 6 * i + 6, 6 * j : 6 * j + 6]


def test_the_lower_factor_carries_twists_outward(at):
    """Block (i, j) is the propagation from body j to the outboard body i, the identity for i = j, else zero."""
    N_l = lower_factor(at)
    n = len(at.skeleton.links)
    assert N_l.shape == (6 * n, 6 * n)
    for i in range(n):
        for j in range(n):
            found = block(N_l, i, j)
            if j not in ancestors(at, i):
                assert not np.any(found)
            else:
                r = at.placements[i].pose.p - at.placements[j].pose.p
                assert found == pytest.approx(ca.DM(twist_matrix(r)).full(), abs=0)
        assert np.all(block(N_l, i, i) == np.eye(6))


def test_a_propagation_over_two_bodies_is_the_product_of_two(at):
    N_l = lower_factor(at)
    for i in range(len(at.skeleton.links)):
        way = ancestors(at, i)
        for j, k in pairwise(way[1:]):
            product = block(N_l, i, j) @ block(N_l, j, k)
            assert block(N_l, i, k) == pytest.approx(product, abs=1e-14 * max(1.0, np.abs(product).max()))


def test_the_diagonal_factor_has_a_column_for_every_rate(at):
    N_d, links = ca.DM(diagonal_factor(at)).full(), at.skeleton.links
    assert N_d.shape == (6 * len(links), at.skeleton.rates)
    for k, link in enumerate(links):
        outside = np.delete(N_d[:, link.v], np.s_[6 * k : 6 * k + 6], axis=0)
        assert not np.any(outside)
        own = N_d[6 * k : 6 * k + 6, link.v]
        assert np.linalg.matrix_rank(own) == link.v.stop - link.v.start


def test_twists_are_the_complement_times_the_rates(at):
    N = ca.DM(tree_complement(at)).full()
    twists = np.concatenate([numbers(motion.column) for motion in at.body_twists])
    assert N @ numbers(at.v) == pytest.approx(twists, abs=1e-13 * max(1.0, np.abs(twists).max()))


def test_the_complement_body_by_body_is_formed_along_each_branch_only(at):
    links = at.skeleton.links
    for i, part in enumerate(twist_columns(at)):
        structure = ca.DM(part).sparsity()
        for k, link in enumerate(links):
            filled = [structure.has_nz(r, c) for r in range(6) for c in range(link.v.start, link.v.stop)]
            assert k in ancestors(at, i) or not any(filled)
