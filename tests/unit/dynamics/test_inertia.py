"""Is the tree's inertia by composite bodies that of the masses of all bodies?"""

import casadi as ca
import numpy as np
import pytest
from laws.formulation_cases import NUMERIC, zoo_cases
from laws.printed_formulas import tree_complement
from zoo.plain import double_pendulum

import multiloop as ml
from multiloop.dynamics import generalized_inertia
from multiloop.dynamics.inertia_matrix import (
    body_inertias,
    composite_inertias,
    inertia_blocks,
    mass_matrices,
)
from multiloop.kinematics import Snapshot
from multiloop.kinematics.tree.skeleton import build_skeleton
from multiloop.spatial import Inertia, twist_matrix
from multiloop.topology import tree_of

ROUND_OFF = 1e-12
"""Sums of products along branches of twenty bodies."""


def dense(at):
    """Nᵀ M N with the masses of all bodies on the diagonal."""
    N = ca.DM(tree_complement(at)).full()
    M = ca.DM(ca.diagcat(*mass_matrices(at))).full()
    return N.T @ M @ N


@pytest.mark.parametrize("name", NUMERIC)
def test_composites_give_the_dense_product(name):
    for case in zoo_cases(name):
        expected = dense(case.at)
        assert case.inertia == pytest.approx(expected, abs=ROUND_OFF * np.abs(expected).max())


def two_rods():
    """A double pendulum with its second rod at a right angle to the first."""
    mechanism = double_pendulum(
        ml.rod("upper", length=2.0, mass=3.0), ml.rod("lower", length=1.0, mass=1.2), name="double pendulum"
    )
    skeleton = build_skeleton(mechanism, tree_of(mechanism))
    return Snapshot(skeleton, ca.DM([0.3, np.pi / 2]), ca.DM([1.0, -2.0]))


def test_the_double_pendulum_by_hand():
    """I₂₂ = m₂ l₂²/3, I₁₂ = I₂₂ + m₂ l₁ (l₂/2) cos q₂, I₁₁ = m₁ l₁²/3 + m₂ l₁² + … with cos q₂ = 0."""
    found = ca.DM(generalized_inertia(two_rods())).full()
    assert found == pytest.approx(np.array([[4.0 + 4.8 + 0.4, 0.4], [0.4, 0.4]]), abs=1e-14)


def test_a_composite_is_moved_as_a_rigid_body_is():
    """Its mass matrix at another point is Aᵀ M A."""
    rng = np.random.default_rng(2)
    c, r, G = rng.normal(size=3), rng.normal(size=3), rng.normal(size=(3, 3))
    S = np.array([[0, -c[2], c[1]], [c[2], 0, -c[0]], [-c[1], c[0], 0]])
    body = Inertia(1.7, ca.DM(1.7 * c), ca.DM(G @ G.T - 1.7 * S @ S))
    unit = ca.DM.eye(6)
    M, moved = body.wrench(unit).full(), body.seen_from(ca.DM(r)).wrench(unit).full()
    A = ca.DM(twist_matrix(ca.DM(r))).full()
    assert np.abs(M - M.T).max() < 1e-14
    assert moved == pytest.approx(A.T @ M @ A, abs=1e-13)


def test_composites_carry_all_masses_to_the_ground():
    at = zoo_cases("excavator")[0].at
    links, whole = at.skeleton.links, composite_inertias(at)
    standing = [float(c.mass) for c, link in zip(whole, links, strict=True) if link.parent < 0]
    assert sum(standing) == pytest.approx(sum(float(c.mass) for c in body_inertias(at)))
    leaves = set(range(len(links))) - {link.parent for link in links}
    assert all(float(whole[k].mass) == float(links[k].reduced.mass) for k in leaves)


@pytest.mark.parametrize("name", ["scraper-K", "excavator", "3-RRR", "floating-base"])
def test_blocks_of_different_branches_are_never_formed(name):
    case = zoo_cases(name)[0]
    links = case.skeleton.links

    def ancestors(k):
        return [] if k < 0 else [k, *ancestors(links[k].parent)]

    expected = {(j, k) for k, link in enumerate(links) for j in ancestors(k) if link.v.stop > link.v.start}
    assert set(inertia_blocks(case.at)) == expected
    structure = ca.DM(generalized_inertia(case.at)).sparsity()
    for j, upper in enumerate(links):
        for k, lower in enumerate(links):
            if (j, k) not in expected and (k, j) not in expected:
                filled = [
                    structure.has_nz(r, c)
                    for r in range(upper.v.start, upper.v.stop)
                    for c in range(lower.v.start, lower.v.stop)
                ]
                assert not any(filled), (upper.body, lower.body)


def test_a_weld_has_no_block():
    case = zoo_cases("four-bar-welded")[0]
    still = {k for k, link in enumerate(case.skeleton.links) if link.v.start == link.v.stop}
    assert still
    assert not any(k in still for _, k in inertia_blocks(case.at))
    assert case.inertia.shape == (case.skeleton.rates, case.skeleton.rates)
