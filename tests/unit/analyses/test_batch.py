"""Many designs at once: each with the result of `inverse` alone, failures masked with their reason."""

from __future__ import annotations

import numpy as np
import pytest
from laws.cams import sliding
from laws.test_points_on_curves import slotted
from texts import Texts
from zoo.parametric import four_bar
from zoo.plain import crank_slider

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


def test_every_design_equals_its_single_inverse_analysis(sweep) -> None:
    parameters, times, designs = sweep
    failed = 0
    for k in range(0, len(designs), 3):  # each takes half a second by itself
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
    assert 0 < failed < 10


def test_failures_are_masked_and_named(sweep, texts: Texts) -> None:
    _, times, designs = sweep
    assert set(designs.status[~designs.ok]) <= {"cannot be assembled", "stopped at a dead-centre position"}
    assert np.isnan(designs.peak_effort["A"][~designs.ok]).all()
    assert np.isfinite(designs.peak_effort["A"][designs.ok]).all()
    dead = designs.status == "stopped at a dead-centre position"
    assert ((designs.failed_at[dead] >= times[0]) & (designs.failed_at[dead] <= times[-1])).all()
    texts(repr(designs), "60", "'four-bar'", "41")


def test_the_dataset_has_the_design_as_a_dimension(sweep) -> None:
    parameters, _, designs = sweep
    data = designs.dataset
    assert data["effort A"].dims == ("design", "time")
    np.testing.assert_array_equal(data.coords["L1"], parameters["L1"])


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"L9": [1.0]}, ("'L9'",)),
        ({"L1": 0.3}, ()),
        ({"L1": [0.3, 0.4], "L2": [0.9]}, ()),
        ({"L1": [0.3, np.nan]}, ()),
    ],
)
def test_an_invalid_list_of_designs_is_refused(parameters, words, texts: Texts) -> None:
    with pytest.raises(ml.SolveError) as caught:
        ml.batch(four_bar(), parameters, cycle=11)
    texts.fault(caught.value, "S10", *words)


def slider_crank(**values: float) -> ml.Mechanism:
    """Driven at its crank, from an initial phase; the effort acts at the slider, within a limit."""
    p = {name: ml.Parameter(name, value) for name, value in ({"phase": 1.0, "most": 1e12} | values).items()}
    return crank_slider(
        ml.rod("crank", length=0.3, mass=1.0),
        ml.rod("coupler", length=0.9, mass=2.0),
        ml.Body("slider", mass=1.0),
        "slider-crank",
        pins=("A", "B", "C", "S"),
        gravity=(0, -9.81),
        drives=[ml.Motion("A", p["phase"] + ml.time)],
        actuators=[ml.Actuator("S", limit=p["most"])],
        guess={"coupler.b": (1.1, 0.0)},
    )


def status_alone(mechanism: ml.Mechanism, times: list[float]) -> str:
    try:
        return ml.inverse(mechanism, t=times).status
    except ml.MultiloopError as error:
        return error.faults[0].code


def test_what_inverse_refuses_is_not_ok(texts: Texts) -> None:
    times = [0.0, 0.5]
    phases = np.array([1.0, np.pi - 0.5, np.pi - 0.5 + 3e-8, np.pi - 0.5 + 1e-6, np.pi, 2.0])
    designs = ml.batch(slider_crank(), {"phase": phases}, t=times, keep="all")
    refused = [status_alone(slider_crank(phase=float(phase)), times) == "S01" for phase in phases]
    assert refused == [False, True, True, False, True, False]
    assert (~designs.ok).tolist() == refused
    (said,) = set(designs.status[~designs.ok])
    texts(said)
    np.testing.assert_array_equal(designs.failed_at[[1, 2, 4]], [0.5, 0.5, 0.0])
    assert np.isnan(designs.peak_effort["S"][~designs.ok]).all()


def test_a_drive_at_a_singular_position_is_not_ok(texts: Texts) -> None:
    """A parallelogram lies flat after half a turn, and may fold there."""
    flat = four_bar(L1=0.5, L2=1.0, L3=0.5, speed=1.0).replace(guess={"coupler.b": (1.5, 0.1)})
    flat = flat.replace(drives=[ml.Motion("A", 0.5 + ml.Parameter("speed", 1.0) * ml.time)])
    speeds, times = np.array([1.0, np.pi - 0.5, np.pi - 0.4]), [0.0, 0.5, 1.0]
    designs = ml.batch(flat, {"speed": speeds}, t=times)
    alone = [status_alone(flat.with_parameters({"speed": float(speed)}), times) == "S04" for speed in speeds]
    assert alone == [False, True, False]
    assert (designs.status == "ok").tolist() == [True, False, True]
    texts(designs.status[1])
    assert designs.failed_at[1] == 1.0


def test_designs_over_a_limit_are_reported_as_by_inverse(texts: Texts) -> None:
    limits = np.array([1e6, 50.0, 0.1])
    designs = ml.batch(slider_crank(), {"most": limits}, t=[0.0, 0.5])
    alone = [status_alone(slider_crank(most=float(most)), [0.0, 0.5]) for most in limits]
    assert designs.status.tolist() == alone
    assert not designs.ok[2]
    assert alone[2] != "ok"
    assert np.isfinite(designs.peak_effort["S"]).all()
    texts(repr(designs), "1")


def test_an_interrupted_sweep_keeps_the_computed_designs(monkeypatch) -> None:
    from contextlib import contextmanager
    from importlib import import_module

    asking, heard = import_module("multiloop.analyses.batch"), []

    @contextmanager
    def interrupting(begin, end, wanted, unit, doing):
        def shown(done: float) -> None:
            heard.append((done, unit))
            if done > 2:
                raise KeyboardInterrupt

        yield shown

    monkeypatch.setattr(asking, "BLOCK", 2)
    monkeypatch.setattr(asking, "progress_display", interrupting)
    designs = ml.batch(four_bar(), {"L1": [0.3, 0.31, 0.32]}, t=[0.0, 0.1], keep="all")
    assert designs.status.tolist() == ["ok", "ok", "interrupted"]
    assert np.isfinite(designs.effort["A"][:2]).all()
    assert np.isnan(designs.effort["A"][2]).all()
    assert heard == [(0.0, "designs"), (2.0, "designs"), (2.0, "designs"), (3.0, "designs")]


def test_a_design_that_loses_contact_is_not_ok_and_has_the_warning_of_inverse(texts: Texts) -> None:
    """A follower that a force lifts: `inverse` of every design is the reference."""
    lift, limit = ml.Parameter("lift", 1.0), ml.Parameter("limit", 5.0)
    machine = sliding(
        "circle",
        "knife",
        loads=[ml.Force("magnet", "follower.tip", (0.0, lift))],
        guess={"guide": 0.035},
        actuators=[ml.Actuator("O", limit=limit)],
    )
    designs = ml.batch(machine, {"lift": [3.0, 1.5, 1.0, 3.0], "limit": [5.0, 5.0, 5.0, 0.001]}, cycle=41)
    for k, least in enumerate(designs.least_normal["valve"]):
        values = {name: float(given[k]) for name, given in designs.parameters.items()}
        alone = ml.inverse(machine, parameters=values, cycle=41)
        assert least == pytest.approx(alone["valve"].normal.min(), rel=1e-9)
        np.testing.assert_equal(designs.separated_at["valve"][k], alone["valve"].separated_at)
        assert designs.status[k] == alone.status
    assert designs.ok.tolist() == [False, False, True, False]
    assert np.isfinite(designs.peak_effort["O"]).all()
    texts(repr(designs), "4")
    texts(designs.status[3], "'valve'", "O")


def test_a_pair_that_is_closed_on_both_sides_cannot_lose_contact() -> None:
    """The pin of a slot pushes on either side: its normal force changes sign, and the designs are ok."""
    slot = ml.spline([(-0.4, 0.02), (-0.1, -0.03), (0.1, 0.0), (0.4, 0.05)], closed=False)
    crank = ml.Motion("A", ml.motion_laws.constant_speed(ml.Parameter("speed", 4.0)))
    plate = slotted(slot).replace(drives=[crank])
    designs = ml.batch(plate, {"speed": [4.0, 40.0]}, t=np.linspace(0, 0.05, 11))
    assert ml.inverse(plate, t=np.linspace(0, 0.05, 11), parameters={"speed": 40.0})["slot"].normal.min() < 0
    assert designs.ok.all()
    assert not designs.least_normal
