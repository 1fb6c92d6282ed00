"""Is energy conserved by every overconstrained and massless test model, and through singular positions?"""

import numpy as np
import pytest
from laws.closed_positions import built
from laws.free_runs import REDUNDANT_OR_MASSLESS, REGULAR, regular_run, singular_run
from zoo import chains
from zoo.plain import pinned_body

import multiloop as ml

DRIFT = 1e-9
"""Of the peak kinetic energy at rtol = 1e-11: a hundred times the tolerance, since steps add up."""

TIGHT = {"rtol": 1e-11, "samples": 11}


def test_every_overconstrained_or_massless_mechanism_has_a_run():
    assert sorted(REGULAR) == sorted(REDUNDANT_OR_MASSLESS)


RUNS = [(name, target) for name in REDUNDANT_OR_MASSLESS for target in ("c", "interpreter")]


@pytest.mark.parametrize(("name", "target"), RUNS)
def test_overconstrained_and_massless_mechanisms_keep_their_energy(name, target):
    run = regular_run(name, until=0.7, target=target, **TIGHT)
    assert run.energy_drift < DRIFT
    assert run.kinetic_energy.max() > 0.05
    assert run.constraint_violation.max() < 1e-12


def test_an_n_four_bar_thrown_through_its_flat_position_and_back_keeps_its_energy():
    run = singular_run("N-four-bar", windows=3, until=0.7, **TIGHT)
    heights = np.sign(run["P0"].position)
    assert list(heights[[0, 3, -1]]) == [-1, 1, -1]
    assert run["P3"].position == pytest.approx(run["P0"].position, abs=1e-9), "it did not turn over"
    assert run.energy_drift < DRIFT


@pytest.mark.parametrize("until", [1.0, 1.5])
def test_an_n_four_bar_driven_onto_or_through_its_flat_position_has_its_work_counted(until):
    """At t = 1 s exactly, where a step ends, no multiplier is determined: a part of the drive's work is missing."""
    ladder = chains.ladder(3).replace(drives=[ml.Motion("P0", -np.pi / 6 * (1 - ml.time))])
    run = ml.simulate(ladder, until=until, rtol=1e-12, samples=31, method="augmented")
    assert run["P3"].position == pytest.approx(run["P0"].position, abs=1e-7)
    assert run.energy_drift < 1e-5


def test_a_sarrus_linkage_falls_through_its_flat_position():
    """With folded knees it could also rotate its legs below a resting platform."""
    run = singular_run("sarrus", until=0.6, **TIGHT)
    assert run["base1"].position[0] > 0 > run["base1"].position[-1]
    assert run["base2"].position == pytest.approx(run["base1"].position, abs=1e-9)
    assert run["knee1"].position == pytest.approx(np.pi - 2 * run["base1"].position, abs=1e-9)
    # Ten times that of the others: it remains within a few milliradians of the position for several steps.
    assert run.energy_drift < 10 * DRIFT


def test_penalties_keep_their_digits_in_machine_code():
    """With events the method is compiled; another order of summation would cost half of its digits."""
    free = built("four-bar").without_drives()
    asked = {"start": {"A": 1.0}, "until": 1.0, "samples": 5, "rtol": 1e-12}
    exact = ml.simulate(free, **asked)
    run = ml.simulate(free, method="augmented", events={"bottom": ml.position("A")}, **asked)
    assert run["A"].position == pytest.approx(exact["A"].position, abs=1e-10)
    assert run.counts["steps"] < 1000


@pytest.mark.parametrize("rtol", [1e-7, 1e-10])
def test_putting_a_motion_back_onto_its_constraints_costs_no_energy(rtol):
    """Coarse steps leave the loops open; the projection minimises the inertia-weighted displacement."""
    run = singular_run("N-four-bar", windows=3, until=0.3, rtol=rtol, samples=7)
    assert run.energy_drift < 100 * rtol


@pytest.mark.parametrize("method", ["embedding", "virtual_work", "sslm"])
def test_a_step_onto_a_singular_position_is_reported(method, texts):
    """A drive that moves a ladder into its flat position; no warning of NumPy may come first."""
    ladder = chains.ladder(3).replace(drives=[ml.Motion("P0", -np.pi / 6 * (1 - ml.time))])
    with pytest.raises(ml.SolveError) as caught:
        ml.simulate(ladder, until=1.0, samples=5, rtol=1e-9, method=method)
    texts.fault(caught.value, "S04")
    # the run ends where the rows are nearly dependent
    assert caught.value.time == pytest.approx(1.0, abs=1e-5)


def test_accelerations_that_are_not_finite_elsewhere_are_not_called_singular(texts):
    wheel = pinned_body(ml.Body("wheel", mass=2.0, inertia=0.5), name="wheel", gravity=(0, 0))
    with pytest.raises(ml.SolveError) as caught:
        ml.simulate(wheel, start={"A": 0.0}, efforts={"A": 1e308}, until=1.0, method="augmented")
    texts.fault(caught.value, "S07")
