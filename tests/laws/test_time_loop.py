"""The compiled time loop: orders, events, breakpoints, held control, stiffness, and agreement with SciPy."""

from __future__ import annotations

import numpy as np
import pytest
from texts import Texts
from zoo import ZOO
from zoo.plain import pinned_body, sliding_body

import multiloop as ml


def oscillator(
    k: float = 4 * np.pi**2, damping: float = 0.0
) -> tuple[ml.Mechanism, dict[str, ml.Expression]]:
    """A mass of 1 kg on a guide with a spring of k N/m: x = cos(√k t)."""
    mechanism = sliding_body(ml.Body("mass", mass=1.0, inertia=1.0), "oscillator", joint="x", gravity=(0, 0))
    return mechanism, {"x": -k * ml.position("x") - damping * ml.rate("x")}


def error_of(**options: object) -> float:
    mechanism, efforts = oscillator()
    run = ml.simulate(mechanism, start={"x": 1.0}, efforts=efforts, until=1.3, samples=[1.3], **options)
    return abs(float(run["x"].position[-1]) - np.cos(2 * np.pi * 1.3))


def test_rk4_shows_its_order() -> None:
    coarse, fine = (error_of(integrator="rk4", step=step) for step in (0.02, 0.01))
    assert np.log2(coarse / fine) == pytest.approx(4, abs=0.05)  # terms of fifth order in the step


@pytest.mark.parametrize(("integrator", "order"), [("rk45", 5), ("dop853", 8), ("implicit", 4)])
def test_adaptive_integrators_reach_their_tolerance_with_work_of_their_order(
    integrator: str, order: int
) -> None:
    """Error ~ tol and steps ~ tol^(−1/order): the order follows from the numbers of evaluations at two tolerances."""
    mechanism, efforts = oscillator()
    tolerances = (1e-6, 1e-10)
    errors = [error_of(integrator=integrator, rtol=rtol) for rtol in tolerances]
    assert errors[0] < 1e-4
    assert errors[1] < 1e-8
    work = [steps_of(mechanism, efforts, integrator, rtol) for rtol in tolerances]
    expected = (tolerances[0] / tolerances[1]) ** (1 / (order if integrator != "implicit" else 4))
    assert work[1] / work[0] == pytest.approx(expected, rel=0.5)


def steps_of(mechanism: ml.Mechanism, efforts: dict, integrator: str, rtol: float) -> int:
    run = ml.simulate(
        mechanism,
        start={"x": 1.0},
        efforts=efforts,
        until=10.0,
        samples=[10.0],
        integrator=integrator,
        rtol=rtol,
    )
    return run.counts["steps"]


def test_outputs_between_steps_are_as_good_as_the_steps() -> None:
    mechanism, efforts = oscillator()
    for integrator, limit in (("dop853", 1e-9), ("rk45", 1e-7), ("implicit", 1e-5)):
        run = ml.simulate(
            mechanism,
            start={"x": 1.0},
            efforts=efforts,
            until=2.0,
            samples=301,
            rtol=1e-10,
            integrator=integrator,
        )
        assert np.abs(run["x"].position - np.cos(2 * np.pi * run.time)).max() < limit, integrator
        assert np.abs(run["x"].rate + 2 * np.pi * np.sin(2 * np.pi * run.time)).max() < 10 * limit, integrator


def test_events_are_located_to_round_off() -> None:
    mechanism, efforts = oscillator()
    run = ml.simulate(
        mechanism,
        start={"x": 1.0},
        efforts=efforts,
        until=2.9,
        rtol=1e-13,
        events={"zero": ml.position("x"), "turn": ml.rate("x")},
    )
    np.testing.assert_allclose(run.events["zero"], 0.25 + 0.5 * np.arange(6), atol=1e-10, rtol=0)
    np.testing.assert_allclose(run.events["turn"], 0.5 * np.arange(1, 6), atol=1e-10, rtol=0)


def test_a_stopping_event_ends_the_run_there(texts: Texts) -> None:
    mechanism, efforts = oscillator()
    run = ml.simulate(
        mechanism,
        start={"x": 1.0},
        efforts=efforts,
        until=3.0,
        rtol=1e-12,
        samples=31,
        events={"zero": ml.position("x")},
        stop="zero",
    )
    assert run.time[-1] == pytest.approx(0.25, abs=1e-10)
    assert run["x"].position[-1] == pytest.approx(0.0, abs=1e-9)
    texts.warnings(run, ("W33", "zero", "0.25"))
    assert len(run.time) == 4  # 0, 0.1, 0.2 and the event


def test_the_implicit_method_holds_a_spring_of_1e8() -> None:
    mechanism, efforts = oscillator(k=1e8, damping=2e4)
    run = ml.simulate(
        mechanism, start={"x": 1e-3}, efforts=efforts, until=1.0, samples=11, rtol=1e-6, integrator="implicit"
    )
    assert np.abs(run["x"].position[1:]).max() < 1e-9
    assert run.counts["steps"] < 400  # an explicit method needs more than 3000


def test_steps_end_where_a_table_has_its_corners() -> None:
    """A force that jumps: x = ½ t² while it acts, then a straight line."""
    mechanism, _ = oscillator()
    for force in (ml.table([0, 0.35, 0.35 + 1e-9, 2], [1, 1, 0, 0], kind="linear"),):
        run = ml.simulate(
            mechanism, start={"x": 0.0}, efforts={"x": force}, until=1.0, samples=[1.0], rtol=1e-12
        )
        assert run["x"].position[-1] == pytest.approx(0.35**2 / 2 + 0.35 * 0.65, abs=2e-9)


def test_a_controller_is_held_between_samples() -> None:
    """x(k+1) of the sampled oscillator is known exactly: the effort is constant over every sample."""
    mechanism, _ = oscillator()
    period, gain = 0.1, 3.0
    run = ml.simulate(
        mechanism,
        start={"x": 1.0},
        control=lambda t, position, rate: {"x": -gain * position["x"] - rate["x"]},
        sample=period,
        until=1.0,
        samples=11,
    )
    x, v = 1.0, 0.0
    for k in range(11):
        assert run["x"].position[k] == pytest.approx(x, abs=1e-12)
        force = -gain * x - v
        x, v = x + v * period + force * period**2 / 2, v + force * period


def test_a_controller_called_at_every_evaluation_equals_an_expression() -> None:
    mechanism, efforts = oscillator()
    given = {"start": {"x": 1.0}, "until": 1.0, "samples": 11, "rtol": 1e-12}
    one = ml.simulate(mechanism, control=lambda t, q, v: {"x": -4 * np.pi**2 * q["x"]}, **given)
    other = ml.simulate(mechanism, efforts=efforts, **given)
    np.testing.assert_allclose(one["x"].position, other["x"].position, atol=1e-12)


def test_an_error_in_a_controller_reaches_the_caller() -> None:
    mechanism, _ = oscillator()
    with pytest.raises(ZeroDivisionError):
        ml.simulate(mechanism, start={"x": 1.0}, control=lambda t, q, v: {"x": 1 / (t - t)}, until=1.0)


SLOW_TO_BUILD = pytest.param("delta", marks=pytest.mark.slow)


@pytest.mark.parametrize(
    "name", ["four-bar", "3-RRR", "bennett", "RSSR-revolutes", SLOW_TO_BUILD, "screw-jack"]
)
@pytest.mark.parametrize("method", ["sslm", "embedding"])
def test_machine_code_and_scipy_make_the_same_motion(name: str, method: str) -> None:
    mechanism = ZOO[name].build().without_drives()
    at = ml.analyse(mechanism).assembly.coordinates()
    given = {
        "start": {k: tuple(q) for k, q in at.items() if len(q)},
        "until": 0.2,
        "samples": 4,
        "rtol": 1e-11,
    }
    compiled = ml.simulate(mechanism, method=method, **given)
    scipy = ml.simulate(mechanism, method=method, target="interpreter", **given)
    for joint in compiled:
        size = max(1.0, np.abs(scipy[joint].position).max())
        np.testing.assert_allclose(
            compiled[joint].position, scipy[joint].position, atol=3e-9 * size, err_msg=joint
        )
        load = max(1.0, np.abs(scipy[joint].force).max())
        np.testing.assert_allclose(compiled[joint].force, scipy[joint].force, atol=1e-6 * load, err_msg=joint)
    assert compiled.constraint_violation.max() < 1e-12
    assert compiled.energy_drift < 1e-9


def test_a_run_resumes_from_a_state() -> None:
    mechanism = ZOO["3-RRR"].build().without_drives()
    at = ml.analyse(mechanism).assembly.coordinates()
    start = {joint: tuple(q) for joint, q in at.items()}
    whole = ml.simulate(mechanism, start=start, until=0.6, samples=7, rtol=1e-12)
    half = ml.simulate(mechanism, start=start, until=0.3, samples=4, rtol=1e-12)
    rest = ml.simulate(mechanism, start=half.final, until=0.6, samples=4, rtol=1e-12)
    np.testing.assert_allclose(rest.time, whole.time[3:])
    for joint in whole:
        np.testing.assert_allclose(rest[joint].position, whole[joint].position[3:], atol=1e-9)


def pendulum(**given: object) -> ml.Mechanism:
    return pinned_body(ml.rod("p", length=1.0, mass=1.0), name="pendulum", **given)


def test_held_efforts_are_shown_as_they_were_held_and_asked_for_once_a_sample() -> None:
    asked: list[float] = []

    def control(t: float, position: dict, rate: dict) -> dict[str, float]:
        asked.append(t)
        return {"A": -20 * position["A"] - 2 * rate["A"]}

    run = ml.simulate(pendulum(), until=1.0, start={"A": 0.5}, control=control, sample=0.25, samples=21)
    effort = run["A"].effort.reshape(-1)
    assert effort[:5] == pytest.approx([-10.0] * 5)
    assert len(set(effort[5:10].round(12))) == 1
    slope = np.gradient(run["A"].rate[1:4], run.time[1:4])
    assert run["A"].acceleration[2] == pytest.approx(slope[1], rel=2e-3)  # central differences over 0.05 s
    assert asked == pytest.approx([0, 0, 0.25, 0.5, 0.75, 1.0])  # once for its names, then once a sample


def test_the_run_continues_to_its_end_whatever_is_recorded() -> None:
    run = ml.simulate(pendulum(), until=2.0, start={"A": 1.0}, samples=[0.5], events={"s": ml.time - 1.5})
    assert run.events["s"] == pytest.approx((1.5,), abs=1e-10)


def test_every_turn_of_a_fast_shaft_is_an_event() -> None:
    shaft = pendulum(gravity=(0, 0))
    events = {"mark": ml.expr.sin(ml.position("A"))}
    run = ml.simulate(shaft, until=20.0, start={"A": 0.1}, rates={"A": 10.0}, events=events)
    np.testing.assert_allclose(run.events["mark"], (np.pi * np.arange(1, 64) - 0.1) / 10, atol=1e-9)


def test_several_zeros_in_one_step_are_all_found() -> None:
    beat = ml.expr.sin(
        2 * np.pi * 700 * (ml.time + 1e-4)
    )  # seven in the longest step, which is searched at twelve instants
    run = ml.simulate(pendulum(), start={"A": 1.0}, until=1.0, samples=2, events={"beat": beat})
    expected = np.arange(1, 1401) / 1400 - 1e-4
    assert run.events["beat"] == pytest.approx(expected[expected > 0].tolist(), abs=1e-10)


@pytest.mark.slow
def test_independent_coordinates_are_chosen_anew_on_the_way() -> None:
    """With those chosen at the start the Delta's equations are singular at 0.22 s."""
    driven = ZOO["delta"].build()
    start, mechanism = ml.assemble(driven), driven.without_drives()
    one, other = (
        ml.simulate(mechanism, start=start, until=0.4, samples=5, method=method)
        for method in ("embedding", "sslm")
    )
    assert one.energy_drift < 1e-9
    assert one["A1"].position == pytest.approx(other["A1"].position, abs=1e-7)


def test_nothing_happens_after_the_stop() -> None:
    events = {"late": ml.time - 0.51, "early": ml.time - 0.5}
    run = ml.simulate(pendulum(), until=2.0, start={"A": 1.0}, events=events, stop="early")
    assert run.events == {"late": (), "early": pytest.approx((0.5,))}


@pytest.mark.parametrize("periods", range(1, 12))
def test_corners_at_the_very_end_do_not_stop_a_run(periods: int) -> None:
    saw = ml.table([0, 0.1, 0.3], [0.0, 3.0, 0.0], kind="linear", periodic=True)
    run = ml.simulate(pendulum(), until=periods * 0.3, start={"A": 1.0}, efforts={"A": saw}, samples=3)
    assert run.status == "ok"


def test_a_far_end_is_no_reason_to_give_up() -> None:
    run = ml.simulate(
        pendulum(), until=1e8, start={"A": 1.0}, events={"n": ml.time - 30.0}, stop="n", samples=3
    )
    assert run.time[-1] == pytest.approx(30.0)


def test_the_implicit_method_follows_the_efforts_of_a_result() -> None:
    driven = pendulum(drives=[ml.Motion("A", 1 + 0.3 * ml.expr.sin(3 * ml.time))])
    loads = ml.inverse(driven, t=np.linspace(0, 0.5, 101))
    run = ml.simulate(
        pendulum(),
        until=0.5,
        start={"A": 1.0},
        rates={"A": 0.9},
        efforts={"A": loads},
        integrator="implicit",
        rtol=1e-8,
        samples=6,
    )
    assert run.counts["steps"] < 1000
    np.testing.assert_allclose(run["A"].position, 1 + 0.3 * np.sin(3 * run.time), atol=1e-6)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"stop": "tpo", "events": {"top": ml.rate("A")}}, ("[S09]", "'tpo'")),
        ({"sample": -0.1, "control": lambda t, q, v: {"A": 0.0}}, ("[S09]", "-0.1")),
        ({"sample": 0.1}, ("[S09]",)),
        ({"step": 0.1}, ("[S09]",)),
        ({"events": {"e": 3.0}}, ("[S09]", "'e'", "3.0")),
        ({"control": lambda t, q, v: None}, ("[S03]",)),
        ({"control": lambda t, q, v: {"A": 0.0} if t < 0.5 else {}}, ("[S03]",)),
        ({"integrator": "implicit", "control": lambda t, q, v: {"A": 0.0}}, ("[S09]",)),
        ({"integrator": "gear", "events": {"e": ml.position("A")}}, ("[S08]",)),
        (
            {
                "integrator": "gear",
                "efforts": {"A": ml.RequiredEfforts(pendulum(drives=[ml.Motion("A", ml.time)]))},
            },
            ("[S09]",),
        ),
        ({"target": "interpreter", "events": {"e": ml.position("A")}}, ("[S08]", "`target`")),
    ],
)
def test_what_would_be_ignored_is_refused(given: dict, words: tuple[str, ...], texts: Texts) -> None:
    with pytest.raises(ml.SolveError) as caught:
        ml.simulate(pendulum(), until=1.0, start={"A": 1.0}, **given)
    texts(caught.value, *words)
