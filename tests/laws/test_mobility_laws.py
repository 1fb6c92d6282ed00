"""Does the plan of every test model find the known facts, whatever its cuts?"""

from functools import cache

import casadi as ca
import numpy as np
import pytest
from hypothesis import given
from laws.closed_positions import DRIVEN, built, trees
from zoo import NEARLY, ZOO
from zoo.constraints import constraint_matrix
from zoo.random_mechanisms import closed_mechanisms

import multiloop as ml
from multiloop.spatial import Pose

SURE = 1e8
"""Least ratio of the last singular value that counts to the first that does not."""


@cache
def plan(name):
    return ml.analyse(built(name))


@pytest.fixture(params=ZOO)
def name(request):
    return request.param


def test_mobility_count_and_redundancy_are_the_known_ones(name):
    entry, found = ZOO[name], plan(name)
    assert found.count == entry.count
    assert found.mobility == entry.mobility
    assert found.configurations == entry.mobility + entry.rates_alone
    assert found.redundant == entry.redundant
    assert len(found.tree.loops) == entry.loops
    assert found.gap <= 1e-12


def test_the_rank_is_not_doubtful(name):
    found = plan(name).rank
    assert found.gap >= SURE
    assert found.doubt == 0


def test_idle_bodies_are_named(name):
    assert {body for idle in plan(name).idle for body in idle.bodies} == set(ZOO[name].idle)
    assert len(plan(name).idle) == len(ZOO[name].idle)


def test_findings_do_not_depend_on_the_cuts(name):
    for tree in trees(name)[1:]:
        other = ml.analyse(built(name), cuts=tree.cuts)
        assert other.cuts == tree.cuts
        assert other.unique == plan(name).unique
        assert (other.mobility, other.redundant) == (plan(name).mobility, plan(name).redundant)


def open_components(A):
    """Rows of A that take part in some self-equilibrated reaction: eᵢ not ⊥ null(Aᵀ), by its projector."""
    U, sigma, _ = np.linalg.svd(A, full_matrices=True)
    null = U[:, int((sigma > 1e-9 * sigma[0]).sum()) :]
    return np.linalg.norm(null, axis=1) > 1e-6


@pytest.mark.parametrize("name", DRIVEN)
def test_unique_reactions_are_those_of_the_constraint_matrix(name):
    """A is written from the joints alone, independently, at a position that is not special."""
    mechanism = built(name)
    moved = ml.inverse(mechanism, t=[0.0, 0.03])
    X = {body.name: moved.body(body.name)[1] for body in mechanism.moving}
    poses = {body: Pose(ca.DM(x[:, :3]), ca.DM(x[:, 3])) for body, x in X.items()}
    expected = ~open_components(constraint_matrix(mechanism, poses))
    named = (*mechanism.connections, *mechanism.couplings)
    found = [flag for joint in named for _, flag in plan(name).unique[joint.name]]
    assert found == list(expected)


def test_a_bennett_linkage_typed_with_four_digits_is_distinguished_from_an_exact_one(texts):
    """It does not close, it cannot move, and the plan states the mobility for exact numbers."""
    exact, typed = plan("bennett"), ml.analyse(NEARLY["bennett-typed"].build())
    assert (exact.mobility, exact.rank.doubt) == (1, 0)
    assert exact.gap <= 1e-12
    assert typed.mobility == 0
    assert typed.rank.doubt == 1
    assert 1e-9 < typed.rank.doubt_value < 1e-4  # four digits leave errors of 5e-5
    assert 1e-9 < typed.gap < 1e-4  # for the same reason
    text = typed.explain()
    texts(text, "1")


@given(closed_mechanisms(most_loops=3))
def test_random_mechanisms_without_redundancy_have_the_mobility_that_counting_gives(drawn):
    found = ml.analyse(drawn.mechanism)
    assert found.mobility == found.count == drawn.mobility
    assert found.redundant == 0
    assert all(flag for joint in found.unique.values() for _, flag in joint)
