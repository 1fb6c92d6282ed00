"""Cams of all profiles and followers obey the laws of constraints, and all methods agree on them."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from laws.agreement import Tally, judge_forward, judge_inverse, judge_round_trips
from laws.cams import FOLLOWERS, OUTLINES, egg, program, sliding, swinging
from laws.formulation_cases import SINGULAR, Case, case_at, efforts_for, known_motion

import multiloop as ml
from multiloop.dynamics.forward import METHODS
from multiloop.kinematics import equations_of
from multiloop.model.expressions import derivative, evaluate

KINDS = [
    pytest.param(outline, follower, marks=[pytest.mark.slow] * ((outline, follower) == ("spline", "rolling")))
    for outline in OUTLINES
    for follower in FOLLOWERS
]
FEW = [
    ("circle", "rolling"),
    ("program", "flat"),
    ("program", "roller"),
    ("spline", "flat"),
    ("oval", "knife"),
]
"""One of each kind of row."""


def a_case(mechanism: ml.Mechanism) -> Case:
    assert ml.from_text(ml.to_text(mechanism)) == mechanism  # it goes to text and back
    assert pickle.loads(pickle.dumps(mechanism)) == mechanism
    plan = ml.analyse(mechanism.without_drives(), guess={**dict(mechanism.guess), "O": 0.9})
    equations = equations_of(plan.mechanism, plan.tree)
    return case_at(equations, plan.assembly.coordinates_on(equations), 7, plan)


@pytest.mark.parametrize("made", [sliding, swinging])
@pytest.mark.parametrize(("outline", "follower"), KINDS)
def test_the_jacobian_is_that_of_the_rows_and_gamma_its_rate(made, outline, follower):
    """By central differences along a motion that keeps the rows, with a step of 1e-5: to 1e-8 of their size."""
    case, h = a_case(made(outline, follower)), 1e-5
    equations, q, v, p = case.equations, case.q, case.v, case.skeleton.parameter_values
    J = equations.geometric_jacobian(q, p)
    moved = [[equations.chart.apply_step(q, s * h * e) for s in (1, -1)] for e in np.eye(len(v))]
    rows = [[equations.position_residual(there, np.zeros(0), p) for there in each] for each in moved]
    slopes = np.array([(up - down) / (2 * h) for up, down in rows]).T
    assert pytest.approx(slopes, abs=1e-8) == J
    rates = [equations.geometric_jacobian(equations.chart.apply_step(q, s * h * v), p) @ v for s in (1, -1)]
    assert case.gamma == pytest.approx((rates[1] - rates[0]) / (2 * h), abs=1e-7)


@pytest.mark.parametrize(("outline", "follower"), FEW)
def test_all_methods_agree(outline, follower):
    case = a_case(swinging(outline, follower))
    assert case.condition < SINGULAR
    judge_forward(case, Tally())
    judge_inverse(known_motion(case, efforts_for(case)), Tally())
    judge_round_trips(case, efforts_for(case), Tally())


@pytest.mark.parametrize("target", ["c", "interpreter"])
@pytest.mark.parametrize(
    ("outline", "follower"),
    [
        ("program", "flat"),
        ("oval", "roller"),
        pytest.param("spline", "roller", marks=pytest.mark.slow),
        pytest.param("oval", "rolling", marks=pytest.mark.slow),
    ],
)
def test_a_run_keeps_energy_and_contact(outline, follower, target):
    """Released at half lift, the weight turns the cam back; no other load acts."""
    free = sliding(outline, follower).without_drives()
    run = ml.simulate(
        free, until=0.4, start={"O": 1.3}, rates={"O": 8.0}, samples=21, rtol=1e-9, target=target
    )
    assert run.energy_drift < 1e-7
    assert run.constraint_violation.max() < 1e-12


@pytest.mark.parametrize("follower", ["flat", "knife", "roller", "rolling"])
def test_a_cam_gives_its_program_back(follower):
    """The position, rate and acceleration of the follower of a 3-4-5 polynomial are those of the cam law, to 1e-10."""
    lift, rate = program(), 20.0
    result = ml.inverse(sliding("program", follower, start=0.0), cycle=721)
    psi = np.mod(result["O"].position, 2 * np.pi)
    start = {"flat": 0.03, "knife": np.sqrt(0.03**2 - 0.002**2)}.get(follower, np.sqrt(0.042**2 - 0.002**2))
    laws = [lift, derivative(lift), derivative(derivative(lift))]
    known = [evaluate(law, time=psi) for law in laws]
    assert result["guide"].position == pytest.approx(start + known[0], abs=1e-12)
    assert result["guide"].rate == pytest.approx(rate * known[1], abs=1e-11)
    assert result["guide"].acceleration == pytest.approx(rate**2 * known[2], abs=1e-10)
    if follower in ("knife", "roller"):  # tan α = (l′ − e) / s
        known_angle = np.arctan(np.abs(known[1] - 0.002) / (start + known[0]))
        moves = np.abs(known[1]) > 1e-6
        assert result["valve"].pressure_angle[moves] == pytest.approx(known_angle[moves], abs=1e-10)


def test_a_law_of_motion_over_time_is_a_program_too():
    up, down = (ml.motion_laws.cycloidal(0, 0.006, duration=1.5, begin=begin) for begin in (0.5, 3.0))
    result = ml.inverse(
        sliding("program", "flat", start=0.0, cam={"lift": up - down, "base": 0.03}), cycle=73
    )
    known = evaluate(up - down, time=np.mod(result["O"].position, 2 * np.pi))
    assert result["guide"].position == pytest.approx(0.03 + known, abs=1e-12)


@pytest.mark.parametrize("follower", ["flat", "roller"])
def test_parameters_of_a_cam_are_inputs(follower):
    """A design with other parameter values equals the cam described with them."""
    height, base = ml.Parameter("height", 0.004), ml.Parameter("base", 0.025)
    lift = height * (1 - ml.expr.cos(ml.cam_angle))
    open_ = sliding("harmonic", follower, cam={"lift": lift, "base": base})
    designs = ml.inverse(
        open_, cycle=13, parameters={"height": np.array([0.004, 0.006]), "base": np.array([0.025, 0.03])}
    )
    closed = ml.inverse(open_.with_parameters({"height": 0.006, "base": 0.03}), cycle=13)
    assert designs.effort["O"][1] == pytest.approx(closed["O"].effort, rel=1e-9, abs=1e-12)


def test_an_outline_through_its_own_points_is_the_same_cam():
    """A knife-edge follower on the spline passes the given points."""
    points = egg().coordinates[0].values[:-1], egg().coordinates[1].values[:-1]
    result = ml.inverse(sliding("spline", "knife", start=0.0), cycle=721)
    psi, tip = result["O"].position, result["valve"].contact
    seen = np.column_stack(
        [np.cos(psi) * tip[:, 0] + np.sin(psi) * tip[:, 1], np.cos(psi) * tip[:, 1] - np.sin(psi) * tip[:, 0]]
    )
    for point in zip(*points, strict=True):
        assert np.hypot(*(seen - point).T).min() < 2e-4  # half of the length of a 720th of the profile


@pytest.mark.parametrize("method", [method for method in METHODS if method != "sslm"])
def test_forward_inverse_and_simulate_agree_for_every_method(method):
    mechanism = swinging("circle", "rolling").without_drives()
    one, other = (
        ml.forward(mechanism, {"O": 0.9}, rates={"O": 7.0}, method=name) for name in ("sslm", method)
    )
    for joint in one:
        assert other[joint].acceleration == pytest.approx(one[joint].acceleration, rel=1e-9, abs=1e-8)
        assert other[joint].force == pytest.approx(one[joint].force, rel=1e-9, abs=1e-9)


def test_a_groove_constrains_both_directions_without_a_warning(texts):
    """At a speed at which the contact of a plate cam would be lost."""
    plate = ml.inverse(
        sliding("circle", "roller", drives=[ml.Motion("O", ml.motion_laws.constant_speed(90.0))]), cycle=73
    )
    grooved = sliding(
        "circle", "roller", drives=[ml.Motion("O", ml.motion_laws.constant_speed(90.0))], cam={"groove": True}
    )
    held = ml.inverse(grooved, cycle=73)
    texts.warnings(plate, ("W60", "valve"), ("W30", "guide"))
    texts.warnings(held, ("W30", "guide"))
    assert held["valve"].normal == pytest.approx(plate["valve"].normal)
