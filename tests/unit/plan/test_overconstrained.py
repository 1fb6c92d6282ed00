"""Mechanisms that move although the mobility count is zero or negative: is their true mobility found, and with what
gap?"""

import pytest
from zoo import ZOO
from zoo.plain import planar_four_bar

import multiloop as ml
from multiloop.kinematics.conditioning import linearise_rows
from multiloop.plan import constraint_matrix_at, rank_of


@pytest.mark.parametrize(
    ("name", "count", "redundant"),
    [
        ("bennett", -2, 3),
        ("sarrus", 0, 1),
        ("double-parallelogram", 0, 1),
        ("bricard", 0, 1),
        ("four-bar-space", -2, 3),
    ],
)
def test_mobility_is_one_against_the_count(name, count, redundant):
    plan = ml.analyse(ZOO[name].build())
    assert plan.mobility == 1
    assert plan.count == count
    assert plan.redundant == redundant
    assert plan.rank.gap >= 1e8


def test_a_double_parallelogram_has_loops_of_rank_two_each_but_three_together():
    """Rank is a property of all loops: the second loop alone seems to have as many constraints as the first."""
    mechanism = ZOO["double-parallelogram"].build()
    plan = ml.analyse(mechanism)
    equations, q, p = plan.assembly.equations, plan.assembly.q, plan.assembly.p
    J = linearise_rows(equations, q, plan.assembly.s, p)
    rows = equations.jacobian(q, plan.assembly.s, p)
    one, two = equations.loop_constraints.slices
    assert rank_of(rows[one]).rank == rank_of(rows[two]).rank == 2
    assert rank_of(rows[: two.stop]).rank == 3
    assert J.degrees_of_freedom == 0  # with the drive held

    A = constraint_matrix_at(equations, q, p).A
    assert A.shape == (12, 12)
    assert rank_of(A).rank == 11


def test_the_rank_is_taken_at_a_position_that_is_not_special():
    """A stretched four-bar has lost a row there, but not as a mechanism."""
    flat = planar_four_bar(
        lengths=(0.2, 0.4, 0.3, 0.9),
        masses=(1.0, 1.0, 1.0),
        name="flat four-bar",
        guess={"A": 0.0, "B": 0.0, "D": 3.14159265358979},
    )
    folded = flat.replace(
        bodies=[ml.ground(A=(0, 0), D=(0.3, 0)), *flat.bodies[1:]],
        guess={"A": 0.0, "B": 0.0, "D": 0.0},
    )
    # Stretched it cannot move at all; folded (0.2 + 0.4 − 0.3 = 0.3) it can.
    assert ml.analyse(folded).mobility == 1
    at = ml.analyse(folded).assembly
    assert rank_of(constraint_matrix_at(at.equations, at.q, at.p).A).rank == 7
    assert ml.analyse(folded).rank.rank == 8


@pytest.mark.parametrize("name", ["bennett", "sarrus", "bricard", "four-bar-space"])
def test_the_plan_explains_the_difference(name, texts):
    plan = ml.analyse(ZOO[name].build())
    text = plan.explain()
    texts(text, "1", f"{plan.count}")
