"""Are the equations in the bodies' own unknowns those of the tree, I_u = TᵀIT, φ_u = Tᵀφ, J_u = J T?"""

from itertools import pairwise

import casadi as ca
import numpy as np
import pytest
from laws.formulation_cases import NUMERIC, numbers, zoo_cases
from laws.printed_formulas import inertia_wrench
from zoo import ZOO

from multiloop.dynamics.actions import applied_wrenches
from multiloop.dynamics.forward.forward_problem import NOTHING_PRESCRIBED
from multiloop.dynamics.forward.tree_unknowns import TreeUnknowns, constraint_rows, rate_row
from multiloop.dynamics.newton_euler import required_wrenches
from multiloop.dynamics.tree_members import turns_freely
from multiloop.kinematics.constraints import EffortInteraction


@pytest.fixture(params=[name for name in NUMERIC if name not in ("ladder-20",)])
def case(request):
    return zoo_cases(request.param)[-1]


def places(tree):
    """Where the unknowns of each link stand in u."""
    ends = np.cumsum([0, *(member.S.shape[1] for member in tree.members)])
    return [slice(a, b) for a, b in pairwise(ends)]


def map_of(tree, count):
    """T, column by column."""
    at, columns = places(tree), []
    for unit in np.eye(count):
        columns.append(numbers(tree.accelerations([ca.DM(unit[part]) for part in at])))
    return np.column_stack(columns) if columns else np.zeros((0, 0))


def test_inertia_forces_and_rows_are_those_of_the_tree(case):
    tree, n = TreeUnknowns(case.at), case.skeleton.rates
    T, at = map_of(tree, n), places(tree)
    I = np.zeros((n, n))
    for (j, k), block in tree.inertia().items():
        I[at[j], at[k]] = ca.DM(block).full()
        I[at[k], at[j]] = ca.DM(block).full().T
    size = np.abs(T.T @ case.inertia @ T).max()
    assert pytest.approx(T.T @ case.inertia @ T, abs=1e-13 * size) == I
    phi = T.T @ numbers(case.problem.phi)
    found = np.concatenate([numbers(force) for force in tree.forces(ca.DM(case.tau))])
    assert found == pytest.approx(phi, abs=1e-12 * max(1.0, np.abs(phi).max()))
    for constraint, rows in zip(
        case.at.loop_constraints.constraints, case.at.loop_constraints.slices, strict=True
    ):
        columns, gamma = constraint_rows(tree, constraint, NOTHING_PRESCRIBED)
        J = np.zeros((gamma.shape[0], n))
        for k, block in columns.items():
            J[:, at[k]] = ca.DM(block).full()
        expected = case.J[rows] @ T
        # The tree's rows assume that both ends coincide; they differ by the gap of the closure.
        assert pytest.approx(expected, abs=1e-9 * max(1.0, np.abs(expected).max(initial=0.0))) == J
        right = case.gamma[rows]
        assert numbers(gamma) == pytest.approx(right, abs=1e-9 * max(1.0, np.abs(right).max(initial=0.0)))


def test_rows_of_single_rates_are_rows_of_the_map(case):
    tree, n = TreeUnknowns(case.at), case.skeleton.rates
    T, at = map_of(tree, n), places(tree)
    for k, link in enumerate(tree.links):
        for i in range(link.v.stop - link.v.start):
            row = np.zeros(n)
            for j, block in rate_row(tree, EffortInteraction(k, i, ca.DM(1))).items():
                row[at[j]] = ca.DM(block).full()[0]
            assert row == pytest.approx(T[link.v.start + i], abs=1e-14)


def test_needed_wrenches_are_those_of_the_textbook(case):
    """w* − wᵉ, w* = M ṫ + W M E t body by body, from the twists in inertial axes."""
    at, a = case.at, ca.DM(np.linspace(-1, 1, case.skeleton.rates))
    falling = (
        type(at.convective_twist_rates[0])(ca.DM(3, 1), -case.skeleton.gravity)
        if at.convective_twist_rates
        else None
    )
    rates = at.twist_rates(a, falling) if falling else []
    for k, (link, w) in enumerate(zip(case.skeleton.links, required_wrenches(at, a), strict=True)):
        body, R = link.reduced, at.placements[k].pose.R
        I = R @ body.inertia @ R.T
        expected = numbers(
            inertia_wrench(body.mass, R @ body.com, I, at.body_twists[k].column, rates[k].column)
            - applied_wrenches(at).get(k, ca.DM(6, 1))
        )
        assert numbers(w) == pytest.approx(expected, abs=1e-12 * max(1.0, np.abs(expected).max()))


@pytest.mark.parametrize(("name", "free"), [("3-RRR", 7), ("6-UPS", 1), ("RSSR", 1), ("spatial-chain-6", 1)])
def test_which_bodies_turn_freely(name, free):
    skeleton = zoo_cases(name)[0].skeleton
    assert ZOO[name].moving == len(skeleton.links)
    assert sum(turns_freely(link, skeleton.planar) for link in skeleton.links) == free


def test_the_inertia_of_freely_turning_rods_is_constant_on_the_diagonal():
    """An augmented body: bodies suspended at a rod act as a mass at its end."""
    blocks = TreeUnknowns(zoo_cases("chain-10")[0].equations).inertia()
    assert all(block.is_constant() == (j == k) for (j, k), block in blocks.items())
