"""Do the algorithms for large mechanisms agree with those for small ones?"""

from dataclasses import replace
from importlib import import_module

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from zoo import NEARLY, ZOO
from zoo.chains import chain, ladder
from zoo.random_mechanisms import closed_mechanisms

import multiloop as ml
from multiloop.kinematics import equations_of
from multiloop.kinematics.assembly import find_assembly_modes
from multiloop.kinematics.conditioning import sparse_rank as independence
from multiloop.kinematics.tree import LENGTH_COMPONENTS
from multiloop.plan import (
    carried_inertia_of_rates,
    constraint_matrix_at,
    massless_links,
    plan_at,
    rank,
    rank as strokes,
    rank_of,
    self_equilibrated_reactions,
    tree_inertia,
)
from multiloop.topology import tree_of


def beams():
    """A four-bar with flexible links."""
    plain = ZOO["four-bar"].build().without_drives()
    lengths = {"crank": 0.3, "coupler": 0.9, "rocker": 0.8}
    bent = [ml.uniform_beam(name, length=x, mass=1.0, EI=20.0, modes=2) for name, x in lengths.items()]
    return plain.replace(bodies=[plain.body("ground"), *bent]), {}


def table():
    """A table on three parallel bars of different lengths: it is mobile to first order only."""
    bars = [ml.rod(f"bar{k}", length=length, mass=1.0) for k, length in enumerate((1.0, 0.7, 0.4))]
    points = {f"p{k}": (k, -0.3 * k) for k in range(3)}
    mechanism = ml.Mechanism(
        "table",
        planar=True,
        bodies=[
            ml.ground(A0=(0, 0), A1=(1, 0), A2=(2, 0)),
            *bars,
            ml.Body("table", 1.0, (1, 0), 0.1, markers=points),
        ],
        joints=[
            *(ml.Revolute(f"A{k}", f"ground.A{k}", f"bar{k}.a") for k in range(3)),
            *(ml.Revolute(f"T{k}", f"bar{k}.b", f"table.p{k}") for k in range(3)),
        ],
    )
    return mechanism, {"guess": {f"A{k}": np.pi / 2 for k in range(3)}}


def split():
    """A four-bar in which a body must be split, since efforts act at all its joints."""
    pushed = [ml.Actuator(joint) for joint in "ABCD"]
    return ZOO["four-bar"].build().replace(drives=[], actuators=pushed), {}


def free(name, **given):
    return lambda: (ZOO[name].build().without_drives(), given)


ELSEWHERE = {
    "flexible links": beams,
    "a body split": split,
    "shaky": table,
    "special, flat": free("parallelogram", start={"A": 0.0}, guess={"D": 0.0}),
    "special, redundant": free("sarrus", start={"base1": np.pi / 2}),
    "massless, free": free("four-bar-rod"),
    "many loops": lambda: (ladder(12).without_drives(), {}),
}


def findings(plan):
    """All findings of a plan except singular values, which are those of other matrices."""
    rank = plan.rank
    return {
        "mobility": (plan.count, plan.mobility, plan.configurations, plan.redundant),
        "rank": (rank.rows, rank.columns, rank.rank, rank.rates_alone, rank.bends),
        "doubt": (rank.doubt, rank.shaky, rank.special),
        "unique": plan.unique,
        "idle": plan.idle,
        "massless": (plan.massless.rule, plan.massless.thin, set(plan.massless.undetermined)),
        "tree": (plan.tree, plan.order, plan.operations),
        "blocks": plan.determinacy,
    }


def assert_found_as_in_a_large_one(assembly):
    """The plan by dense singular values of all joints, and by elimination of the loops: the same findings."""
    small = plan_at(assembly)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rank, "LARGE_MATRIX", 0)
        patch.setattr(strokes, "SPARSE_RATE_COUNT", 0)
        patch.setattr(independence, "MAX_DENSE_ROWS", 0)
        patch.setattr(independence, "MIN_SMALLEST_VALUES", 3)
        large = plan_at(assembly)
    assert findings(large) == findings(small)
    assert large.rank.gap > 1e3 or not small.redundant
    if not (small.rank.special or small.rank.shaky):  # otherwise these are the reactions of another position
        screws = constraint_matrix_at(assembly.equations, assembly.q, assembly.p, assembly.t)
        touched = (
            np.abs(self_equilibrated_reactions(screws, rank_of(screws.A))).max(axis=1, initial=0.0) > 1e-7
        )
        assert [flag for joint in small.unique.values() for _, flag in joint] == list(~touched)


@pytest.mark.parametrize("name", ZOO)
def test_the_loops_alone_determine_the_rank_of_all_joints(name):
    assert_found_as_in_a_large_one(find_assembly_modes(ZOO[name].build())[0])


@pytest.mark.parametrize("name", ELSEWHERE)
def test_they_do_with_flexible_links_and_at_singular_positions(name):
    mechanism, given = ELSEWHERE[name]()
    assert_found_as_in_a_large_one(find_assembly_modes(mechanism, **given)[0])


@pytest.mark.parametrize("name", NEARLY)
def test_they_do_where_loops_nearly_close(name, monkeypatch):
    mechanism = NEARLY[name].build()
    small = ml.analyse(mechanism)
    monkeypatch.setattr(rank, "LARGE_MATRIX", 0)
    monkeypatch.setattr(independence, "MAX_DENSE_ROWS", 0)
    assert findings(ml.analyse(mechanism)) == findings(small)


@settings(max_examples=12)
@given(closed_mechanisms(most_loops=3), st.booleans())
def test_they_do_in_random_mechanisms_with_a_joint_said_twice_or_not(drawn, twice):
    mechanism = drawn.mechanism
    if twice:
        last = mechanism.joints[-1]
        mechanism = mechanism.replace(joints=[*mechanism.joints, replace(last, name="again")])
    assembly = find_assembly_modes(mechanism)[0]
    assert_found_as_in_a_large_one(assembly)
    held = mechanism.joints[-1].rows(mechanism.planar)
    assert plan_at(assembly).redundant == (held if twice else 0)


@pytest.mark.parametrize(
    "name", ["scraper-C", "RSSR", "double-parallelogram", "6-UPS", "chain-10", "floating-base"]
)
def test_sparse_rates_are_those_of_the_singular_values(name, monkeypatch):
    mechanism = ZOO[name].build()
    held = {} if mechanism.drives and name != "floating-base" else dict(mechanism.guess)
    full = ml.assemble(mechanism, held)
    rates = import_module("multiloop.kinematics.conditioning.consistent_rates")
    monkeypatch.setattr(rates, "SPARSE_RATE_COUNT", 0)
    sparse = ml.assemble(mechanism, held)
    for joint, values in full.rates.items():
        assert sparse.rates[joint] == pytest.approx(values, abs=1e-12)


@pytest.mark.parametrize("name", ZOO)
def test_the_inertia_beyond_a_joint_is_on_the_diagonal_and_identifies_thin_ones(name):
    mechanism = ZOO[name].build()
    assembly = find_assembly_modes(mechanism)[0]
    equations = equations_of(mechanism, tree_of(mechanism))
    q, p = assembly.coordinates_on(equations), assembly.p
    I, carried = tree_inertia(equations, q, p), carried_inertia_of_rates(equations, q, p)
    for link in equations.skeleton.links:
        own, scale = np.diag(I)[link.v], equations.chart.rate_units[link.v] ** 2
        sliding = np.array([c in LENGTH_COMPONENTS for c in link.joint.components(mechanism.planar)], bool)
        for kind in (sliding, ~sliding):
            most = (own * scale)[kind].max(initial=0.0)
            assert (carried[link.v] * scale)[kind] == pytest.approx(most, rel=1e-12)
    weight = np.sqrt(np.where(carried > 0, carried, 1.0))
    least = np.linalg.eigvalsh(I / np.outer(weight, weight))[0]
    assert bool(massless_links(equations, q, p).thin) == bool(least < 1e-12)


def test_a_guess_for_every_joint_does_not_string_a_long_ladder_on_one_branch():
    assembly = find_assembly_modes(ladder(60))[0]
    tree = assembly.equations.skeleton.tree
    assert max(len(tree.path(branch.body)) for branch in tree.branches) == 2
    assert len(tree.subsystems) == 61


def test_long_mechanisms_are_planned():
    """Dense singular values of all joints of these would take minutes."""
    plan = ml.analyse(ladder(120))
    assert (plan.mobility, plan.redundant, plan.rank.doubt) == (1, 0, 0)
    long = chain(320)
    assert ml.analyse(long).mobility == 320
    state = ml.assemble(long, dict(long.guess))
    assert not any(any(values) for values in state.rates.values())
