"""A single row may vanish: singular positions of loops that one pair closes."""

import numpy as np
import pytest
from zoo.plain import free_body

import multiloop as ml


def held_by_a_rod(left, right, rod, **more):
    """Two links on the ground, a metre apart, whose tips are connected by a massless rod."""
    return ml.Mechanism(
        "rod",
        planar=True,
        bodies=[
            ml.ground(A=(0, 0), D=(1.0, 0)),
            ml.rod("left", length=left, mass=1.0),
            ml.rod("right", length=right, mass=1.0),
        ],
        joints=[ml.Revolute("A", "ground.A", "left.a"), ml.Revolute("D", "ground.D", "right.a")],
        pairs=[ml.Distance("rod", "left.b", "right.b", length=rod)],
        **more,
    )


KITE = {"start": {"A": 1.0}, "guess": {"D": 2.0957}, "rates": {"A": -4.0}, "until": 1.0}


@pytest.mark.parametrize("carried", [{}, {"method": "embedding"}, {"target": "interpreter"}])
def test_a_kite_is_singular_where_it_folds(carried, texts):
    with pytest.raises(ml.SolveError) as caught:
        ml.simulate(held_by_a_rod(0.5, 1.0, 0.5), **KITE, **carried)
    texts.fault(caught.value, "S04", "0.297")


def test_penalties_pass_a_singular_position_with_a_warning(texts):
    run = ml.simulate(held_by_a_rod(0.5, 1.0, 0.5), **KITE, method="augmented")
    texts(run.status, "0.297")
    assert run.energy_drift < 1e-6


@pytest.mark.parametrize("gravity", [(0, -9.81), (0, 0)])
def test_a_parallelogram_passes_flat_by_penalties(gravity):
    asked = {"start": {"A": 0.5}, "guess": {"D": 0.5}, "rates": {"A": -4.0}, "until": 1.0}
    run = ml.simulate(held_by_a_rod(0.3, 0.3, 1.0, gravity=gravity), **asked, method="augmented")
    assert run["A"].position == pytest.approx(run["D"].position, abs=1e-9)
    assert run.energy_drift < 1e-6


def test_a_nearly_flat_parallelogram_has_no_warning():
    plan = ml.analyse(held_by_a_rod(0.3, 0.3, 1.0), start={"A": 1e-3}, guess={"D": 1e-3})
    assert (plan.mobility, plan.rank.doubt) == (1, 0)


def test_links_in_line_that_a_rod_just_reaches_are_rigid():
    plan = ml.analyse(held_by_a_rod(0.3, 0.3, 0.4, guess={"A": 0.0, "D": np.pi}))
    assert (plan.mobility, plan.rank.shaky) == (0, 2)


def on_a_string(length):
    return free_body(
        ml.Body("ball", mass=2.0, inertia=0.1),
        "string",
        joint="f",
        planar=True,
        pairs=[ml.Distance("s", "ground.origin", "ball.com", length=length)],
    )


def test_the_size_of_a_mechanism_is_also_what_its_pairs_span():
    found = ml.branches(on_a_string(100.0), {"f": (30.0, None, 0.0)})
    assert sorted(state.positions["f"][1] for state in found) == pytest.approx([-(9100**0.5), 9100**0.5])


def test_the_remaining_gap_is_reported_in_metres(texts):
    with pytest.raises(ml.AssemblyError) as caught:
        ml.assemble(on_a_string(1e-9), {"f": (0.1, 0.0, 0.0)})
    texts.fault(caught.value, "K01", "'s'", "0.1 m")


def test_only_cuts_that_were_named_can_be_taken_back(texts):
    with pytest.raises(ml.TopologyError) as caught:
        ml.analyse(on_a_string(1.0), cuts=["f"])
    texts.fault(caught.value, "T18", "1", "0", "'f'")
