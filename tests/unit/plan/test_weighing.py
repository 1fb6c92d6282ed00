"""Are the steps along any tree, computed from the numbers of one position, those that are traced along it?"""

from functools import cache

import numpy as np
import pytest
from laws.closed_positions import assembled, built, trees
from zoo import ZOO

import multiloop as ml
from multiloop.kinematics import equations_of
from multiloop.kinematics.assembly import find_assembly_modes
from multiloop.plan import massless_joints, massless_links, tree_links
from multiloop.plan.massless_links import AssembledPosition
from multiloop.topology import candidate_trees, graph_of

KINDS = [
    "four-bar-welded",
    "scraper-C",
    "RSUR",
    "6-UPS",
    "delta-rods",
    "screw-jack",
    "RCCC",
    "swash-pump",
    "cart",
    "rack",
    "floating-base",
]
"""Test models with joints of all types, floating bodies, and pairs."""


@cache
def position(name):
    return AssembledPosition(assembled(name))


def assert_same(found, traced, scale):
    assert [(link.joint, link.parent, link.joint_rate_count) for link in found] == [
        (link.joint, link.parent, link.joint_rate_count) for link in traced
    ]
    for one, other in zip(found, traced, strict=True):
        assert one.A.shape == other.A.shape
        assert one.S.shape == other.S.shape
        assert one.S.T @ one.mass @ one.S == pytest.approx(other.S.T @ other.mass @ other.S, abs=scale)
    assert massless_joints(found) == massless_joints(traced)


def inertia(links):
    """Generalized inertia of a tree, Σ xᵀ M x over the motions of all its rates."""
    starts = np.cumsum([0, *(link.S.shape[1] for link in links)])
    x, total = [], np.zeros((starts[-1], starts[-1]))
    for link, begin in zip(links, starts, strict=False):
        motion = np.zeros((len(link.S), starts[-1]))
        if link.parent >= 0:
            motion += link.A @ x[link.parent]
        motion[:, begin : begin + link.S.shape[1]] += link.S
        x.append(motion)
        total += motion.T @ link.mass @ motion
    return total


@pytest.mark.parametrize("name", KINDS)
def test_steps_along_any_tree_are_the_traced_ones(name):
    for tree in trees(name)[1:3] or trees(name):
        equations = equations_of(built(name), tree)
        traced = tree_links(equations, assembled(name).coordinates_on(equations), assembled(name).p)
        found = position(name).links_along(tree)
        assert_same(found, traced, 1e-9)
        I = inertia(traced)
        assert inertia(found) == pytest.approx(I, abs=1e-10 * np.abs(I).max(initial=0.0))


def test_a_body_that_is_split_weighs_half_on_either_side():
    mechanism = ZOO["four-bar"].build().replace(drives=[], actuators=[ml.Actuator(joint) for joint in "ABCD"])
    assembly = find_assembly_modes(mechanism)[0]
    (tree,) = candidate_trees(graph_of(mechanism))
    assert tree.splits
    equations = equations_of(mechanism, tree)
    traced = tree_links(equations, assembly.coordinates_on(equations), assembly.p)
    assert_same(AssembledPosition(assembly).links_along(tree), traced, 1e-12)


def test_flexible_links_have_the_same_inertia_along_any_tree():
    """Their frames depend on the inboard joint of the tree; the inertia along joints and modes does not."""

    def beam(name, length):
        return ml.uniform_beam(name, length=length, mass=1.0, EI=20.0, modes=2, frame="chord")

    plain = ZOO["four-bar"].build().without_drives()
    mechanism = plain.replace(
        bodies=[plain.body("ground"), beam("crank", 0.3), beam("coupler", 0.9), beam("rocker", 0.8)],
    )
    assembly = find_assembly_modes(
        mechanism, start={"A": 0.4, "coupler.eta": (0.05, 0.01), "rocker.eta": (0.02, 0.0)}
    )[0]
    found = list(candidate_trees(graph_of(mechanism)))
    assert len(found) == 4
    for tree in found:
        equations = equations_of(mechanism, tree)
        traced = tree_links(equations, assembly.coordinates_on(equations), assembly.p)
        links = AssembledPosition(assembly).links_along(tree)
        I = inertia(traced)
        assert inertia(links) == pytest.approx(I, abs=1e-10 * np.abs(I).max())
        assert massless_joints(links) == massless_joints(traced) == []


def test_massless_bars_are_weighed_along_many_trees_without_tracing():
    """Massless bars of a ladder: every tree with few cuts has one of them at the end of a branch; all are examined."""
    plain = ZOO["ladder-5"].build().without_drives()
    light = [
        ml.rod(body.name, length=1.0, mass=0.0) if body.name[0] == "h" else body for body in plain.bodies
    ]
    mechanism = plain.replace(bodies=light)
    before = equations_of.cache_info().misses
    plan = ml.analyse(mechanism)
    assert equations_of.cache_info().misses - before <= 4
    equations = equations_of(mechanism, plan.tree)
    assert plan.massless.rule == "stiffened"
    assert plan.massless == massless_links(
        equations, plan.assembly.coordinates_on(equations), plan.assembly.p
    )
