"""Loads without a finite value are refused by every function."""

import numpy as np
import pytest
from zoo.plain import pinned_body

import multiloop as ml

WITHOUT_VALUE = [ml.expr.sqrt(-1 - ml.time), 1 / (0 * ml.time)]


def door(push, *drives):
    return pinned_body(
        ml.Body("leaf", mass=1.0, inertia=0.02, com=(0.1, 0), markers={"b": (1, 0)}),
        name="door",
        loads=[ml.Force("wind", "leaf.b", (0.0, push))],
        drives=list(drives),
    )


@pytest.mark.parametrize("push", WITHOUT_VALUE)
def test_a_load_without_a_value_is_refused(push):
    driven = door(push, ml.Motion("A", ml.motion_laws.constant_speed(2.0, start=0.3)))
    with pytest.raises(ml.SolveError, match="S07"):
        ml.inverse(driven, t=[0.0, 0.5])
    with pytest.raises(ml.SolveError, match="S07"):
        ml.simulate(driven, until=0.5)
    with pytest.raises(ml.SolveError, match="S07"):
        ml.forward(door(push), {"A": 0.3})
    with pytest.raises(ml.SolveError, match="S07"):
        ml.simulate(door(push), start={"A": 0.3}, until=0.5)


def test_designs_whose_load_has_no_value_are_reported(texts):
    mass = ml.Parameter("M", 2.0)
    push = ml.expr.sqrt(mass - 1.5 - 0 * ml.time)
    designs = ml.batch(
        door(push, ml.Motion("A", ml.motion_laws.constant_speed(2.0, start=0.3))),
        {"M": np.array([1.0, 2.0])},
        t=[0.0, 0.5],
    )
    assert designs.ok.tolist() == [False, True]
    texts(designs.status[0])
