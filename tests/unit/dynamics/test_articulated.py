"""Are accelerations of the open tree by recursion those of the dense equations, at a cost linear in its length?"""

import casadi as ca
import numpy as np
import pytest
from laws.formulation_cases import NUMERIC, numbers, zoo_cases
from zoo import ZOO, chains
from zoo.plain import pinned_body

import multiloop as ml
from multiloop.dynamics.forward.articulated_body import tree_accelerations
from multiloop.kinematics import Equations, Snapshot
from multiloop.kinematics.tree.skeleton import build_skeleton
from multiloop.symbols import Traced
from multiloop.topology import tree_of

MASSIVE = [name for name in NUMERIC if not ZOO[name].massless]


@pytest.mark.parametrize("name", MASSIVE)
def test_recursion_and_dense_solve_give_the_same_accelerations(name):
    """The tree alone, without the constraints of its loops."""
    for case in zoo_cases(name):
        if not case.regular:  # a rod without inertia about itself, carried by a ball
            continue
        expected = np.linalg.solve(case.inertia, numbers(case.problem.phi))
        found = numbers(tree_accelerations(case.at, ca.DM(case.tau)))
        condition = np.linalg.cond(case.col[:, None] * case.inertia * case.col)
        size = np.abs(expected / case.col).max()
        # The round-off of both is that of the condition number of I.
        assert np.abs((found - expected) / case.col).max() <= 1e-14 * condition * size


def test_a_pendulum_falls_as_in_the_textbook():
    """q̈ = −(3 g / 2 l) cos q for a uniform rod; a torque adds 3 τ / m l²."""
    mechanism = pinned_body(ml.rod("rod", length=0.7, mass=2.0), name="pendulum")
    skeleton = build_skeleton(mechanism, tree_of(mechanism))
    at = Snapshot(skeleton, ca.DM([0.4]), ca.DM([3.0]))
    found = numbers(tree_accelerations(at, ca.DM([1.5])))
    expected = -1.5 * 9.81 / 0.7 * np.cos(0.4) + 3 * 1.5 / (2.0 * 0.7**2)
    assert found == pytest.approx([expected], rel=1e-14)


def test_a_joint_that_runs_backward_turns_the_other_way():
    """The same pendulum with its markers in the opposite order."""
    mechanism = ml.Mechanism(
        "pendulum, backward",
        planar=True,
        bodies=[ml.ground(), ml.rod("rod", length=0.7, mass=2.0)],
        joints=[ml.Revolute("A", "rod.a", "ground.origin")],
    )
    skeleton = build_skeleton(mechanism, tree_of(mechanism))
    at = Snapshot(skeleton, ca.DM([-0.4]), ca.DM([-3.0]))
    found = numbers(tree_accelerations(at, ca.DM([-1.5])))
    expected = -1.5 * 9.81 / 0.7 * np.cos(0.4) + 3 * 1.5 / (2.0 * 0.7**2)
    assert found == pytest.approx([-expected], rel=1e-14)


@pytest.mark.parametrize("build", [chains.chain, chains.spatial_chain])
def test_the_cost_grows_with_the_length_of_the_chain_and_no_faster(build):
    costs = []
    for n in (6, 8, 10, 12):
        mechanism = build(n)
        eq = Equations(build_skeleton(mechanism, tree_of(mechanism)))
        tau = ca.SX.sym("tau", eq.skeleton.rates)
        a = tree_accelerations(eq, tau)
        costs.append(Traced("tree", {"q": eq.q, "v": eq.v, "tau": tau}, {"a": a}).tape().total)
    more = np.diff(costs)
    # Two more bodies cost the same at any place; the ends differ by a few operations that fold away.
    assert np.ptp(more) <= 0.02 * more[0]
