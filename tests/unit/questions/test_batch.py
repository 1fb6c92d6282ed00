"""Many designs at once: each as `inverse` would answer it alone, failures masked with their reason."""

from __future__ import annotations

import numpy as np
import pytest
from zoo.parametric import four_bar

import multiloop as ml


@pytest.fixture(scope="module")
def sweep() -> tuple[dict[str, np.ndarray], np.ndarray, ml.Designs]:
    rng = np.random.default_rng(7)
    count = 60
    parameters = {
        "L1": rng.uniform(0.1, 0.5, count),
        "L2": rng.uniform(0.6, 1.2, count),
        "L3": rng.uniform(0.5, 1.1, count),
        "m2": rng.uniform(1, 3, count),
        "speed": rng.uniform(2, 6, count),
    }
    times = np.linspace(0, 2, 41)
    return parameters, times, ml.batch(four_bar(), parameters, t=times, keep="all")


def test_every_design_is_answered_as_inverse_answers_it_alone(sweep) -> None:
    parameters, times, designs = sweep
    failed = 0
    for k in range(len(designs)):
        one = four_bar(**{name: float(values[k]) for name, values in parameters.items()})
        try:
            loads = ml.inverse(one, t=times)
        except ml.MultiloopError:
            failed += 1
            assert not designs.ok[k]
            continue
        assert designs.ok[k], designs.status[k]
        size = np.abs(loads["A"].effort).max()
        np.testing.assert_allclose(designs.effort["A"][k], loads["A"].effort, atol=1e-9 * size)
        for joint in "ABCD":
            assert designs.peak_load[joint][k] == pytest.approx(loads[joint].load.max(), rel=1e-9)
        assert designs.peak_effort["A"][k] == pytest.approx(size, rel=1e-9)
    assert 0 < failed < 30


def test_failures_are_masked_and_named(sweep) -> None:
    _, times, designs = sweep
    assert set(designs.status[~designs.ok]) <= {"cannot be put together", "reaches a dead point"}
    assert np.isnan(designs.peak_effort["A"][~designs.ok]).all()
    assert np.isfinite(designs.peak_effort["A"][designs.ok]).all()
    dead = designs.status == "reaches a dead point"
    assert ((designs.failed_at[dead] >= times[0]) & (designs.failed_at[dead] <= times[-1])).all()
    assert repr(designs).startswith("60 designs of 'four-bar' over 41 instants: ")


def test_the_dataset_has_the_design_as_a_dimension(sweep) -> None:
    parameters, _, designs = sweep
    data = designs.dataset
    assert data["effort A"].dims == ("design", "time")
    np.testing.assert_array_equal(data.coords["L1"], parameters["L1"])


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"L9": [1.0]}, "parameter 'L9': does not exist"),
        ({"L1": 0.3}, "Give arrays of one length"),
        ({"L1": [0.3, 0.4], "L2": [0.9]}, "Give arrays of one length"),
        ({"L1": [0.3, np.nan]}, "is not finite for every design"),
    ],
)
def test_what_is_no_list_of_designs_is_refused(parameters, words) -> None:
    with pytest.raises(ml.SolveError, match=words):
        ml.batch(four_bar(), parameters, cycle=11)
