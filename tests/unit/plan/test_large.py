"""Do the ways taken in large mechanisms say the same as those taken in small ones?"""

import numpy as np
import pytest
from zoo import NEARLY, ZOO
from zoo.chains import chain, ladder

import multiloop as ml
from multiloop.kinematics import independence, rates
from multiloop.kinematics.assembly import closures
from multiloop.kinematics.equations import equations_of
from multiloop.plan import rank, tree_inertia
from multiloop.plan.massless import massless_links, most_carried
from multiloop.topology import tree_of

EVERY = {**ZOO, **NEARLY}


@pytest.mark.parametrize("name", EVERY)
def test_the_loops_alone_tell_the_rank_of_all_joints(name, monkeypatch):
    whole = ml.analyse(EVERY[name].build())
    monkeypatch.setattr(rank, "LARGE", 0)
    monkeypatch.setattr(independence, "WIDE", 20)
    loops = ml.analyse(EVERY[name].build())
    assert (loops.mobility, loops.redundant) == (whole.mobility, whole.redundant)
    assert (loops.rank.doubt, loops.rank.shaky) == (whole.rank.doubt, whole.rank.shaky)
    assert loops.unique == whole.unique
    assert loops.rank.gap > 1e3 or not whole.redundant


@pytest.mark.parametrize(
    "name", ["scraper-C", "RSSR", "double-parallelogram", "6-UPS", "chain-10", "floating-base"]
)
def test_sparse_rates_are_those_of_the_singular_values(name, monkeypatch):
    mechanism = ZOO[name].build()
    held = {} if mechanism.drives and name != "floating-base" else dict(mechanism.guess)
    full = ml.assemble(mechanism, held)
    monkeypatch.setattr(rates, "MANY", 0)
    sparse = ml.assemble(mechanism, held)
    for joint, values in full.rates.items():
        assert sparse.rates[joint] == pytest.approx(values, abs=1e-12)


@pytest.mark.parametrize("name", ZOO)
def test_what_a_joint_carries_is_on_the_diagonal_and_tells_which_are_thin(name):
    mechanism = ZOO[name].build()
    assembly = closures(mechanism)[0]
    equations = equations_of(mechanism, tree_of(mechanism))
    q, p = assembly.on(equations), assembly.p
    I, carried = tree_inertia(equations, q, p), most_carried(equations, q, p)
    for link in equations.skeleton.links:
        own, scale = np.diag(I)[link.v], equations.chart.scale[link.v] ** 2
        assert carried[link.v] * scale == pytest.approx((own * scale).max(initial=0.0), rel=1e-12)
    weight = np.sqrt(np.where(carried > 0, carried, 1.0))
    least = np.linalg.eigvalsh(I / np.outer(weight, weight))[0]
    assert bool(massless_links(equations, q, p).thin) == bool(least < 1e-12)


def test_a_guess_for_every_joint_does_not_string_a_long_ladder_on_one_branch():
    assembly = closures(ladder(60))[0]
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
