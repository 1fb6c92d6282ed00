"""Runs that stop, that cannot move, whose links weigh next to nothing."""

import numpy as np
import pytest

import multiloop as ml


def pendulum(joint=ml.Revolute):
    return ml.Mechanism(
        "pendulum",
        planar=True,
        bodies=[ml.ground(A=(0, 0)), ml.rod("p", length=ml.Parameter("L", 1.0), mass=1.0)],
        joints=[joint("A", "ground.A", "p.a")],
    )


def four_bar(crank, coupler, rocker):
    return ml.Mechanism(
        "four-bar",
        planar=True,
        bodies=[
            ml.ground(A=(0, 0), D=(1.0, 0)),
            ml.rod("crank", length=0.3, mass=crank),
            ml.rod("coupler", length=0.9, mass=coupler),
            ml.rod("rocker", length=0.8, mass=rocker),
        ],
        joints=[
            ml.Revolute("A", "ground.A", "crank.a"),
            ml.Revolute("B", "crank.b", "coupler.a"),
            ml.Revolute("C", "coupler.b", "rocker.b"),
            ml.Revolute("D", "ground.D", "rocker.a"),
        ],
        guess={"coupler.b": (0.8, 0.7)},
    )


def test_at_a_stop_the_controller_is_asked_once_more():
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
        ml.simulate(pendulum(), start={"A": 1.0}, until=1.0, control=control, outputs=[0.5, 1.0])


@pytest.mark.parametrize(
    "asked",
    [
        {"integrator": "rk4", "step": 0.1},
        {"events": {"e": ml.time - 0.5}},
        {"control": lambda t, q, v: {}},
        {"parameters": {"L": [1.0, 2.0]}},
    ],
)
def test_where_nothing_can_move_there_is_nothing_to_control(asked):
    with pytest.raises(ml.SolveError, match=r"\[S08\] simulate: nothing can move"):
        ml.simulate(pendulum(ml.Fixed), until=1.0, **asked)
    assert ml.simulate(pendulum(ml.Fixed), until=1.0)["A"].load == pytest.approx(9.81)


def test_light_links_are_not_taken_for_a_singular_position():
    assert ml.simulate(four_bar(2e-4, 2.0, 2e-4), until=0.02, start={"A": 1.0}).status == "ok"


@pytest.mark.parametrize("how", [{}, {"method": "embedding"}, {"target": "interpreter"}])
@pytest.mark.parametrize("mass", [1e-4, 1e-9])
def test_nor_is_a_light_coupler(mass, how):
    """Between heavy links: both rows of the loop move next to nothing but it, and most of it one way."""
    asked = {"until": 0.1, "start": {"A": 1.0}, "outputs": 3}
    run = ml.simulate(four_bar(1.0, mass, 1.0), **asked, **how)
    exact = ml.simulate(four_bar(1.0, 0.0, 1.0), **asked)
    assert run.status == "ok"
    assert run["A"].position == pytest.approx(exact["A"].position, abs=max(mass, 1e-6))


@pytest.mark.parametrize("method", ["sslm", "embedding", "augmented"])
@pytest.mark.parametrize("mass", [1e-20, 1e-15])
def test_a_coupler_too_light_for_sixteen_digits_is_told_to_be_massless(method, mass):
    asked = {"start": {"A": 1.0}, "until": 0.01, "method": method, "outputs": 2}
    with pytest.raises(ml.SolveError, match=r"\[S06\].*'coupler' is too light") as caught:
        ml.simulate(four_bar(1.0, mass, 1.0), **asked)
    assert caught.value.faults[0].remedy == "Give 'coupler' more mass, or 0.0 to declare a massless link."
    for other in (0.0, 1e-6):
        assert ml.simulate(four_bar(1.0, other, 1.0), **{**asked, "method": "sslm"}).status == "ok"


@pytest.mark.parametrize("mass", [2e-7, 2e-12])
def test_penalties_that_light_links_defeat_are_refused(mass):
    asked = {"rates": {"A": 2.0}, "efforts": {"A": 1.5}}
    light = four_bar(mass, 2.0, mass)
    exact = ml.forward(four_bar(0.0, 2.0, 0.0), {"A": 1.0}, **asked)["A"].acceleration
    assert ml.forward(light, {"A": 1.0}, **asked)["A"].acceleration == pytest.approx(exact, rel=1e-4)
    with pytest.raises(ml.SolveError, match=r"\[S12\].*the penalties do not meet the constraints"):
        ml.forward(light, {"A": 1.0}, method="augmented", **asked)
