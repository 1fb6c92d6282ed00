"""One measure of distance from singularity for every method and every backend, whatever the masses and the units."""

import numpy as np
import pytest

import multiloop as ml
from multiloop.analyses.assembly_modes import choose_assembly_mode
from multiloop.analyses.run_models.forward_model import ForwardModel
from multiloop.analyses.run_models.local_choice import make_local_choice
from multiloop.dynamics.forward import METHODS
from multiloop.kinematics.conditioning import (
    RowGroups,
    independent_basis,
    pivot_distance,
    pivoted_rows,
    row_pivots,
)
from multiloop.plan import plan_at

START = {"A1": 1.0, "A2": 1.0}


def two_four_bars(ratio):
    """Two uncoupled four-bars of the same shape; the second has `ratio` times the mass."""
    bodies, joints = [ml.ground(A1=(0, 0), D1=(1.0, 0), A2=(3, 0), D2=(4, 0))], []
    for k, mass in (("1", 1.0), ("2", ratio)):
        bodies += [
            ml.rod(f"crank{k}", length=0.3, mass=mass),
            ml.rod(f"coupler{k}", length=0.9, mass=2 * mass),
            ml.rod(f"rocker{k}", length=0.8, mass=1.5 * mass),
        ]
        joints += [
            ml.Revolute(f"A{k}", f"ground.A{k}", f"crank{k}.a"),
            ml.Revolute(f"B{k}", f"crank{k}.b", f"coupler{k}.a"),
            ml.Revolute(f"C{k}", f"coupler{k}.b", f"rocker{k}.b"),
            ml.Revolute(f"D{k}", f"ground.D{k}", f"rocker{k}.a"),
        ]
    guess = {"coupler1.b": (0.8, 0.7), "coupler2.b": (3.8, 0.7)}
    return ml.Mechanism("two", planar=True, bodies=bodies, joints=joints, guess=guess)


def singularity_distance(ratio, method):
    assembly = choose_assembly_mode(two_four_bars(ratio), START, None, 0.0)
    model = ForwardModel(plan_at(assembly), assembly, method)
    return make_local_choice(model, assembly.coordinates_on(model.equations)).singularity_distance


@pytest.mark.slow
@pytest.mark.parametrize("ratio", [1.0, 1e-7, 1e-14, 1e14])
def test_the_distance_is_the_same_in_every_method(ratio):
    found = [singularity_distance(ratio, method) for method in METHODS]
    assert found == pytest.approx([singularity_distance(1.0, "sslm")] * len(METHODS), rel=1e-6)


@pytest.mark.parametrize("ratio", [1.0, 1e-14, 1e14])
@pytest.mark.parametrize(
    "how",
    [
        {},
        {"integrator": "rk45"},
        {"integrator": "rk4", "step": 1e-3},
        {"integrator": "implicit"},
        {"target": "interpreter"},
        {"integrator": "gear"},
        {"method": "augmented"},
    ],
)
@pytest.mark.usefixtures("any_numbers")
def test_the_status_is_the_same_compiled_and_interpreted(ratio, how):
    run = ml.simulate(two_four_bars(ratio), until=0.1, start=START, samples=2, rtol=1e-8, **how)
    assert run.status == "ok"
    assert run["A1"].position[-1] == pytest.approx(run["A2"].position[-1], abs=1e-6)


def test_a_row_is_compared_with_itself_and_with_the_others():
    J = np.array([[1.0, 0.0], [0.6, 0.8]])
    pivots, sizes = row_pivots(J, np.eye(2))
    assert pivot_distance(pivots, sizes) == pytest.approx(0.8)
    assert pivot_distance(*row_pivots(np.diag([1e-9, 1e5]) @ J, np.eye(2))) == pytest.approx(0.8)
    smaller, _ = row_pivots(0.01 * J, np.eye(2))
    assert pivot_distance(smaller, sizes) == pytest.approx(0.008)


def test_rows_are_made_independent_group_by_group():
    """In the first group one row is redundant; in the second one depends on the first group."""
    J = np.array([[1.0, 0, 0, 0], [2.0, 0, 0, 0], [0, 1.0, 0, 0], [3.0, 1.0, 0, 0], [0, 0, 1.0, 1.0]])
    grouping = RowGroups(((0, 1, 2), (3, 4)), (2, 1))
    basis = independent_basis(J, grouping)
    assert np.linalg.matrix_rank(basis @ J) == 3
    assert not basis[:2, 3:].any()
    assert not basis[2:, :3].any()
    pivots, _, order = pivoted_rows(J, grouping)
    assert set(order) == {1, 2, 4}
    assert (pivots > 0).all()
