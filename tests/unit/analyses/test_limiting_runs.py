"""Runs that stop, that cannot move, and runs with almost massless links."""

import numpy as np
import pytest
from zoo.plain import planar_four_bar

import multiloop as ml


def pendulum(joint=ml.Revolute):
    return ml.Mechanism(
        "pendulum",
        planar=True,
        bodies=[ml.ground(A=(0, 0)), ml.rod("p", length=ml.Parameter("L", 1.0), mass=1.0)],
        joints=[joint("A", "ground.A", "p.a")],
    )


def four_bar(crank, coupler, rocker):
    return planar_four_bar(masses=(crank, coupler, rocker))


def test_a_controller_is_evaluated_once_more_at_a_stop():
    run = ml.simulate(
        pendulum(),
        until=3.0,
        start={"A": -1.0},
        control=lambda t, q, v: {"A": 20 * np.sin(7 * t)},
        events={"e": ml.position("A") - 0.2},
        stop="e",
    )
    assert run["A"].effort[-1] == pytest.approx(20 * np.sin(7 * run.time[-1]), rel=1e-12)


def test_an_interruption_before_the_first_output_has_nothing_to_keep():
    def control(t, q, v):
        if t > 0.3:
            raise KeyboardInterrupt
        return {"A": 0.0}

    with pytest.raises(KeyboardInterrupt):
        ml.simulate(pendulum(), start={"A": 1.0}, until=1.0, control=control, samples=[0.5, 1.0])


@pytest.mark.parametrize(
    "asked",
    [
        {"integrator": "rk4", "step": 0.1},
        {"events": {"e": ml.time - 0.5}},
        {"control": lambda t, q, v: {}},
        {"parameters": {"L": [1.0, 2.0]}},
    ],
)
def test_where_nothing_can_move_there_is_nothing_to_control(asked, texts):
    with pytest.raises(ml.SolveError) as caught:
        ml.simulate(pendulum(ml.Fixed), until=1.0, **asked)
    texts.fault(caught.value, "S08")
    assert ml.simulate(pendulum(ml.Fixed), until=1.0)["A"].load == pytest.approx(9.81)


def test_light_links_are_not_taken_for_a_singular_position():
    assert ml.simulate(four_bar(2e-4, 2.0, 2e-4), until=0.02, start={"A": 1.0}).status == "ok"


@pytest.mark.parametrize("how", [{}, {"method": "embedding"}, {"target": "interpreter"}])
@pytest.mark.parametrize("mass", [1e-4, 1e-9])
@pytest.mark.usefixtures("any_numbers")
def test_nor_is_a_light_coupler(mass, how, texts):
    """Between heavy links: both rows of the loop move almost only the coupler, and mainly in one direction."""
    asked = {"until": 0.1, "start": {"A": 1.0}, "samples": 3}
    run = ml.simulate(four_bar(1.0, mass, 1.0), **asked, **how)
    exact = ml.simulate(four_bar(1.0, 0.0, 1.0), **asked)
    keeps_digits = mass > 1e-6 or how.get("method") == "embedding"
    if keeps_digits:
        assert run.status == "ok"
    else:
        texts(run.status, "'coupler'", "1.0e-09 kg", hide=[r"(?<![\d.])\de-\d\d\b"])
    assert run["A"].position == pytest.approx(exact["A"].position, abs=max(mass, 1e-6))


@pytest.mark.parametrize("method", ["sslm", "embedding", "augmented"])
@pytest.mark.parametrize("mass", [1e-20, 1e-15])
@pytest.mark.usefixtures("any_numbers")
def test_a_coupler_too_light_for_sixteen_digits_is_reported_as_massless(method, mass, texts):
    asked = {"start": {"A": 1.0}, "until": 0.01, "method": method, "samples": 2}
    with pytest.raises(ml.SolveError) as caught:
        ml.simulate(four_bar(1.0, mass, 1.0), **asked)
    texts.fault(caught.value, "S06", "'coupler'", "0.0")
    for other in (0.0, 1e-6):
        assert ml.simulate(four_bar(1.0, other, 1.0), **{**asked, "method": "sslm"}).status == "ok"


@pytest.mark.parametrize("mass", [2e-7, 2e-12])
def test_penalties_that_light_links_defeat_are_refused(mass, texts):
    asked = {"rates": {"A": 2.0}, "efforts": {"A": 1.5}}
    light = four_bar(mass, 2.0, mass)
    exact = ml.forward(four_bar(0.0, 2.0, 0.0), {"A": 1.0}, **asked)["A"].acceleration
    # the inertia of the light links, which are longer than the crank
    assert ml.forward(light, {"A": 1.0}, **asked)["A"].acceleration == pytest.approx(exact, rel=1e-4)
    with pytest.raises(ml.SolveError) as caught:
        ml.forward(light, {"A": 1.0}, method="augmented", **asked)
    texts.fault(caught.value, "S12")


def flat_parallelogram():
    """Its links become collinear at t = 0.25 s."""
    mechanism = ml.Mechanism(
        "parallelogram",
        planar=True,
        bodies=[
            ml.ground(A=(0, 0), D=(1.0, 0)),
            ml.rod("crank", length=0.3, mass=1.0),
            ml.rod("coupler", length=1.0, mass=2.0),
            ml.rod("rocker", length=0.3, mass=1.0),
        ],
        joints=four_bar(1.0, 1.0, 1.0).joints,
        gravity=(0, 0),
    )
    return mechanism, {"start": {"A": -0.5}, "rates": {"A": 2.0}, "guess": {"B": 0.5, "D": -0.5, "A": -0.5}}


@pytest.mark.parametrize("method", ["virtual_work", "embedding"])
def test_an_output_at_a_singular_position_is_refused_as_one(method, texts):
    mechanism, asked = flat_parallelogram()
    with pytest.raises(ml.SolveError) as caught:
        ml.simulate(mechanism, **asked, until=0.5, samples=[0.25, 0.5], method=method)
    texts.fault(caught.value, "S04", "0.25 s")


@pytest.mark.parametrize("mass", [1e-8, 1e-12])
@pytest.mark.usefixtures("any_numbers")
def test_loss_of_digits_by_a_light_coupler_is_reported(mass, texts):
    asked = {"rates": {"A": 2.0}}
    light = four_bar(1.0, mass, 1.5)
    exact = ml.forward(light, {"A": 1.0}, method="embedding", **asked)
    assert exact.status == "ok"
    found = ml.forward(light, {"A": 1.0}, **asked)
    lost = float(abs(found["A"].acceleration / exact["A"].acceleration - 1)[0])
    texts.warnings(found, ("W40", "coupler", 'method="embedding"'), hide=[r"(?<![\d.])\de-\d\d\b"])
    assert (
        lost < found.warnings[0].value < 1000 * lost
    )  # an estimate: at least the true loss, and not far above it


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_a_mass_whose_inverse_squared_is_no_number_is_refused_without_a_warning(texts):
    with pytest.raises(ml.SolveError) as caught:
        ml.forward(four_bar(1.0, 1e-300, 1.0), {"A": 1.0})
    texts.fault(caught.value, "S06", "'coupler'")


@pytest.mark.parametrize("method", ["sslm", "embedding"])
def test_a_design_without_mass_leaves_the_others_alone(method, texts):
    asked = {"start": {"A": 1.0}, "until": 0.05, "samples": 2, "method": method}
    mechanism = four_bar(1.0, ml.Parameter("m", 2.0), 1.0)
    runs = ml.simulate(mechanism, parameters={"m": np.array([0.0, 2.0])}, **asked)
    assert (runs.status == "ok").tolist() == [False, True]
    texts(runs.status[0])
    texts(runs.reason(0))
    assert runs.reason(1) == "ok"
