"""`parameters=` on the verbs: other values of one design, or arrays of many."""

from __future__ import annotations

import numpy as np
import pytest
from zoo.parametric import four_bar

import multiloop as ml

DESIGNS = {"L1": np.array([0.25, 0.3, 0.35, 5.0]), "m2": np.array([1.0, 2.0, 3.0, 2.0])}


def alone(k: int) -> ml.Mechanism:
    return four_bar(**{name: float(values[k]) for name, values in DESIGNS.items()})


def test_numbers_stand_in_place_of_the_described_ones() -> None:
    given = ml.inverse(four_bar(), t=[0.0, 0.1], parameters={"m2": 3.0})
    np.testing.assert_allclose(given["A"].effort, ml.inverse(four_bar(m2=3.0), t=[0.0, 0.1])["A"].effort)


def test_arrays_ask_for_every_design() -> None:
    designs = ml.inverse(four_bar(), t=[0.0, 0.1, 0.2], parameters=DESIGNS)
    assert designs.ok.tolist() == [True, True, True, False]
    for k in range(3):
        expected = ml.inverse(alone(k), t=[0.0, 0.1, 0.2])["A"].effort
        np.testing.assert_allclose(designs.effort["A"][k], expected, rtol=1e-9)
    with pytest.raises(ml.SolveError, match="`weights` cannot be chosen for many designs"):
        ml.inverse(four_bar(), t=0.0, parameters=DESIGNS, weights={"A": 1.0})


def test_every_design_runs_as_it_does_alone() -> None:
    given = {"start": {"A": 1.0}, "rates": {"A": 2.0}, "until": 0.5, "outputs": 6, "rtol": 1e-11}
    runs = ml.simulate(four_bar().without_drives(), parameters=DESIGNS, **given)
    assert runs.status.tolist() == ["ok", "ok", "ok", "cannot be put together"]
    for k in range(3):
        one = ml.simulate(alone(k).without_drives(), **given)
        np.testing.assert_allclose(runs[k]["A"].position, one["A"].position, atol=1e-9)
        np.testing.assert_allclose(runs[k]["C"].force, one["C"].force, rtol=1e-6, atol=1e-6)
        np.testing.assert_allclose(runs.position("A")[k], one["A"].position, atol=1e-9)
    assert np.isnan(runs.states[3]).all()
    assert repr(runs) == "4 runs of 'four-bar' over 6 instants: 3 ok, 1 cannot be put together."
