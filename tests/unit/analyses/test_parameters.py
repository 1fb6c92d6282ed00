"""`parameters=` of the functions: other values of one design, or arrays of many."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from texts import Texts
from zoo.overconstrained import sarrus
from zoo.parametric import four_bar
from zoo.plain import pinned_body
from zoo.rssr import rssr

import multiloop as ml
from multiloop.analyses.run_models.local_choice import make_local_choice
from multiloop.analyses.simulation import ensemble as running

DESIGNS = {"L1": np.array([0.25, 0.3, 0.35, 5.0]), "m2": np.array([1.0, 2.0, 3.0, 2.0])}


def alone(k: int) -> ml.Mechanism:
    return four_bar(**{name: float(values[k]) for name, values in DESIGNS.items()})


def test_numbers_stand_in_place_of_the_described_ones() -> None:
    given = ml.inverse(four_bar(), t=[0.0, 0.1], parameters={"m2": 3.0})
    np.testing.assert_allclose(given["A"].effort, ml.inverse(four_bar(m2=3.0), t=[0.0, 0.1])["A"].effort)


def test_arrays_ask_for_every_design(texts: Texts) -> None:
    designs = ml.inverse(four_bar(), t=[0.0, 0.1, 0.2], parameters=DESIGNS)
    assert designs.ok.tolist() == [True, True, True, False]
    for k in range(3):
        expected = ml.inverse(alone(k), t=[0.0, 0.1, 0.2])["A"].effort
        np.testing.assert_allclose(designs.effort["A"][k], expected, rtol=1e-9)
    with pytest.raises(ml.SolveError) as caught:
        ml.inverse(four_bar(), t=0.0, parameters=DESIGNS, weights={"A": 1.0})
    texts.fault(caught.value, "S10", "`weights`")


def test_every_design_runs_as_it_does_alone(texts: Texts) -> None:
    given = {"start": {"A": 1.0}, "rates": {"A": 2.0}, "until": 0.5, "samples": 6, "rtol": 1e-11}
    runs = ml.simulate(four_bar().without_drives(), parameters=DESIGNS, **given)
    assert (runs.status == "ok").tolist() == [True, True, True, False]
    texts(runs.status[3])
    for k in range(3):
        one = ml.simulate(alone(k).without_drives(), **given)
        np.testing.assert_allclose(runs[k]["A"].position, one["A"].position, atol=1e-9)
        np.testing.assert_allclose(runs[k]["C"].force, one["C"].force, rtol=1e-6, atol=1e-6)
        np.testing.assert_allclose(runs.position("A")[k], one["A"].position, atol=1e-9)
    assert np.isnan(runs.states[3]).all()
    texts(repr(runs), "4", "'four-bar'", "6", "3", "1")
    assert np.isnan(runs.position("A")[3]).all()


def like_alone(mechanism: ml.Mechanism, values: dict[str, list[float]], **given: Any) -> ml.Runs:
    """Every design equals its single `simulate`: positions, reactions and drift."""
    given = {"until": 0.1, "samples": 3} | given
    runs = ml.simulate(mechanism, parameters={name: np.array(x) for name, x in values.items()}, **given)
    assert runs.ok.all(), runs.status
    for k, run in enumerate(runs):
        own = {name: x[k] for name, x in values.items()}
        one = ml.simulate(mechanism.with_parameters(own), **given)
        assert run is not None
        for joint in one.joints:
            np.testing.assert_allclose(run[joint].position, one[joint].position, atol=1e-9)
            size = np.abs(one[joint].force).max()
            np.testing.assert_allclose(run[joint].force, one[joint].force, atol=1e-6 * max(size, 1.0))
        # absolute tolerances are those of the described lengths, so that steps and their errors differ a little
        assert run.energy_drift == pytest.approx(one.energy_drift, rel=0.5, abs=1e-13)
    return runs


def with_mass_of(mechanism: ml.Mechanism, body: str) -> ml.Mechanism:
    """The undriven mechanism, in which the mass of a body is its parameter m."""
    bodies = [
        replace(one, mass=ml.Parameter("m", float(one.mass))) if one.name == body else one
        for one in mechanism.bodies
    ]
    return mechanism.without_drives().replace(bodies=bodies)


def test_designs_may_be_driven_by_tables() -> None:
    turned = four_bar().replace(drives=[ml.Motion("A", ml.table([0.0, 1.0, 2.0], [0.1, 2.0, 5.0]))])
    like_alone(turned, {"L1": [0.25, 0.35]})


def test_joints_of_several_coordinates_may_be_held_without_rates() -> None:
    sled = ml.Mechanism(
        "sled",
        planar=True,
        gravity=(0, -9.81),
        bodies=[ml.ground(O=(0, 0)), ml.rod("sled", length=ml.Parameter("L", 1.0), mass=1.0)],
        joints=[ml.Planar("P", "ground.O", "sled.a")],
    )
    like_alone(sled, {"L": [0.5, 1.0]}, start={"P": (0.1, 0.2, 0.3)})
    like_alone(sled, {"L": [0.5, 1.0]}, start={"P": (0.1, 0.2, 0.3)}, rates={"P": (1.0, None, 2.0)})


def test_parameters_may_stand_in_actuators_only() -> None:
    pendulum = pinned_body(
        ml.rod("rod", length=1.0, mass=1.0),
        name="pendulum",
        gravity=(0, -9.81),
        actuators=[ml.Actuator("A", effort=ml.Parameter("T", 1.0))],
    )
    like_alone(pendulum, {"T": [1.0, 2.0]}, start={"A": 1.0})


@pytest.mark.slow
def test_idle_freedoms_and_redundant_constraints_are_run_too() -> None:
    """A coupler that may spin between its balls, with and without inertia about its line; redundant hinges."""
    for axial in (6e-5, 0.0):
        mechanism = with_mass_of(rssr(axial), "rocker")
        like_alone(mechanism, {"m": [1.0, 2.0]}, start={"A": 0.3}, rates={"A": 2.0})
    hinges = with_mass_of(sarrus(), "platform")
    like_alone(hinges, {"m": [1.0, 2.0]}, start={"base1": 1.2}, rates={"base1": 0.5})


def test_redundant_rows_are_chosen_by_the_design_itself() -> None:
    """Three parallel cranks, one of which is redundant, of other lengths than described."""
    L = ml.Parameter("L", 0.5)
    rail = ml.rod("rail", length=1.0, mass=2.0, markers={"m": (0.5, 0)})
    cranks = [ml.rod(name, length=L, mass=1.0) for name in ("c1", "c2", "c3")]
    feet = {f"g{k}": (0.5 * k, 0) for k in range(3)}
    joints = [ml.Revolute(f"F{k}", f"ground.g{k}", f"c{k + 1}.a") for k in range(3)]
    joints += [ml.Revolute(f"T{k}", f"c{k + 1}.b", f"rail.{on}") for k, on in enumerate("amb")]
    table = ml.Mechanism(
        "table", planar=True, gravity=(0, -9.81), bodies=[ml.ground(**feet), *cranks, rail], joints=joints
    ).replace(guess={"rail.a": (0.0, 0.5), "rail.b": (1.0, 0.5)})
    like_alone(table, {"L": [0.5, 0.2]}, start={"F0": 1.2}, rates={"F0": 1.0})


def test_what_is_chosen_depends_on_the_designs_own_parameters() -> None:
    given = {"start": {"A": 1.0}, "until": 0.1, "samples": 2, "method": "virtual_work"}
    model = ml.simulate(four_bar().without_drives(), parameters={"L1": np.array([0.4])}, **given).run.model
    own = four_bar(L1=0.4).without_drives()
    alone = ml.simulate(own, parameters={"L1": np.array([0.4])}, **given).run.model
    q, p = alone.plan.assembly.coordinates_on(alone.equations), alone.p
    expected = make_local_choice(alone, q).coordinates
    np.testing.assert_allclose(make_local_choice(model, q, p=p).coordinates, expected, rtol=1e-9)
    assert not np.allclose(make_local_choice(model, q).coordinates, expected, rtol=1e-6)


def test_a_joint_that_is_cut_may_be_held() -> None:
    free = four_bar().without_drives()
    for joint, angle in (("B", -1.2), ("C", 1.0)):
        runs = ml.simulate(
            free, start={joint: angle}, until=0.1, samples=2, parameters={"L1": np.array([0.3, 0.35])}
        )
        assert runs.ok.all()
        for run in runs:
            assert run is not None
            assert run[joint].position[0] == pytest.approx(angle, abs=1e-9)


def test_efforts_that_only_python_works_out_are_refused(texts: Texts) -> None:
    efforts = {"A": ml.RequiredEfforts(four_bar())}
    with pytest.raises(ml.SolveError) as caught:
        ml.simulate(
            four_bar().without_drives(), start={"A": 0.0}, efforts=efforts, until=0.1, parameters=DESIGNS
        )
    texts.fault(caught.value, "S10", "'A'")


def test_iterating_gives_one_item_a_design(texts: Texts) -> None:
    values = {"L1": np.array([0.3, 5.0, 0.35])}
    runs = ml.simulate(four_bar().without_drives(), start={"A": 1.0}, until=0.1, samples=2, parameters=values)
    found = list(runs)
    assert len(found) == len(runs) == 3
    assert [run is None for run in found] == [False, True, False]
    assert found[2].mechanism.parameters["L1"] == 0.35
    with pytest.raises(ml.SolveError) as caught:
        runs[1]
    texts.fault(caught.value, "S10", "1")
    with pytest.raises(IndexError):
        runs[3]


def test_interrupted_runs_keep_what_was_computed(monkeypatch, texts: Texts) -> None:
    heard = []

    @contextmanager
    def interrupting(begin, end, wanted, unit):
        def shown(done: float) -> None:
            heard.append((done, end, unit))
            raise KeyboardInterrupt

        yield shown

    monkeypatch.setattr(running, "progress_display", interrupting)
    monkeypatch.setattr(running, "processor_count", lambda: 1)
    values = {"L1": np.linspace(0.25, 0.35, 200)}
    runs = ml.simulate(four_bar().without_drives(), start={"A": 1.0}, until=2.0, samples=2, parameters=values)
    assert heard == [(1.0, 200.0, "designs")]
    assert runs.ok[0]
    (said,) = set(runs.status) - {"ok"}
    assert runs.status[-1] == said
    texts(said)
    assert np.isnan(runs.states[-1]).all()


def wheel(effort: ml.Expression | float, inertia: float | ml.Parameter = 1.0) -> ml.Mechanism:
    return pinned_body(
        ml.Body("rim", mass=1.0, inertia=inertia),
        name="wheel",
        gravity=(0, 0),
        actuators=[ml.Actuator("A", effort=effort)],
    )


def test_corners_of_efforts_are_every_designs_own() -> None:
    begin = ml.Parameter("begin", 9.0)
    step = ml.expr.step
    push = step(ml.time - begin) - step(ml.time - begin - 0.01)
    runs = ml.simulate(
        wheel(push),
        start={"A": 0.0},
        until=10.0,
        samples=3,
        parameters={"begin": np.array([2.0, 5.0, 9.0])},
    )
    rates = [run["A"].rate[-1] for run in runs if run is not None]
    assert rates == pytest.approx([0.01, 0.01, 0.01], rel=1e-10)


def test_invalid_bodies_are_reported(texts: Texts) -> None:
    mechanism = wheel(1.0, ml.Parameter("J", 1.0))
    runs = ml.simulate(mechanism, start={"A": 0.0}, until=1.0, parameters={"J": np.array([1.0, -1.0])})
    assert (runs.status == "ok").tolist() == [True, False]
    texts(runs.status[1])
    masses = np.array([2.0, -2.0])
    found = ml.batch(four_bar(), {"m2": masses}, t=[0.0, 0.1])
    assert list(found.status) == list(runs.status)
    assert np.isnan(found.peak_effort["A"][1])


def test_a_cycle_that_takes_another_time_in_every_design_is_refused(texts: Texts) -> None:
    drive = ml.Motion("A", ml.motion_laws.constant_speed(ml.Parameter("w", 4.0)))
    mechanism = four_bar().replace(drives=[drive])
    with pytest.raises(ml.SolveError) as caught:
        ml.batch(mechanism, {"w": np.array([1.0, 4.0])}, cycle=13)
    texts.fault(caught.value, "S10", "'A'", "'w'")
    assert ml.batch(mechanism, {"m2": np.array([1.0, 4.0])}, cycle=13).ok.all()


def test_impossible_moments_of_inertia_are_reported_in_space() -> None:
    """Two principal moments may not add up to less than the third."""
    pendulum = pinned_body(
        ml.Body("bob", mass=1.0, com=(0.1, 0, 0), inertia=(1e-3, 1e-3, ml.Parameter("J", 1e-3))),
        "pendulum",
        planar=False,
    )
    designs = {"J": np.array([1e-3, 1.9e-3, 2.1e-3, -1e-4])}
    runs = ml.simulate(pendulum, start={"A": 0.0}, until=0.1, samples=2, parameters=designs)
    assert list(runs.status == "ok") == [True, True, False, False]
