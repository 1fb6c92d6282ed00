"""Followers that swing by the law of their cam: their motion is that of the law, and they obey the laws of
constraints."""

from __future__ import annotations

import numpy as np
import pytest
from laws.agreement import Tally, judge_forward, judge_inverse, judge_round_trips
from laws.cams import FOLLOWERS, SWINGS, program, sliding, swung
from laws.formulation_cases import SINGULAR, efforts_for, known_motion
from laws.test_cams import a_case

import multiloop as ml
from multiloop.model.cams.cam import cam_profile
from multiloop.model.expressions import derivative, evaluate

SENSES = pytest.mark.parametrize("clockwise", [False, True])
KINDS = pytest.mark.parametrize("follower", list(FOLLOWERS))


@SENSES
@KINDS
def test_a_follower_swings_by_the_cam_law(follower, clockwise):
    """Angle, rate and acceleration to 1e-10 around a turn; and the pressure angle of the table."""
    law, side = program(SWINGS[follower][0]), -1 if clockwise else 1
    mechanism = swung(follower, clockwise=clockwise, start=0.0)
    result = ml.inverse(mechanism, cycle=361)
    u = np.mod(result["O"].position, 2 * np.pi)
    known = [side * evaluate(one, time=u) for one in (law, derivative(law), derivative(derivative(law)))]
    begin = result["P"].position[0]
    assert result["P"].position - begin == pytest.approx(known[0] - known[0][0], abs=1e-13)
    assert result["P"].rate == pytest.approx(20.0 * known[1], abs=1e-12)
    assert result["P"].acceleration == pytest.approx(400.0 * known[2], abs=1e-10)
    table = mechanism.pairs[0].profile_table(360)
    moves = np.abs(known[1][:-1]) > 1e-6
    told = result["valve"].pressure_angle[:-1]
    assert told[moves] == pytest.approx(np.abs(table.pressure_angle.to_numpy())[moves], abs=1e-9)
    assert result["valve"].radius_of_curvature[:-1] == pytest.approx(table.radius.to_numpy(), rel=1e-8)


@SENSES
def test_the_rocker_stands_where_the_triangle_of_its_arm_puts_it(clockwise):
    """By the law of cosines: its end is base + roller away from the cam's axis during the dwell."""
    result = ml.inverse(swung("roller", clockwise=clockwise, start=0.0), t=0.0)
    side = -1 if clockwise else 1
    a, d, far = 0.09, np.hypot(0.09, 0.035), 0.03 + 0.012
    opening = np.arccos((a * a + d * d - far * far) / (2 * a * d))
    down = np.arctan2(-0.035, 0.09)  # from the pivot to the cam, seen from the right
    assert result["P"].position[0] == pytest.approx(side * (down + opening), abs=1e-14)


def warned(result, code):
    """Whether a result has a warning about its cam with this code."""
    return any((one.code, one.place) == (code, result.mechanism.pairs[0].name) for one in result.warnings)


@SENSES
@KINDS
def test_a_follower_on_the_other_side_of_its_cam_is_reported(follower, clockwise):
    """The contact closes there too, but the swing is not the law; on its own side nothing is reported."""
    mechanism = swung(follower, clockwise=clockwise, start=0.0)
    assert not warned(ml.inverse(mechanism, cycle=37), "W63")
    modes = ml.branches(mechanism)
    law = evaluate(program(SWINGS[follower][0]), time=np.linspace(0.0, 2 * np.pi, 37))
    for mode in modes:
        result = ml.inverse(mechanism, cycle=37, guess={"P": mode["P"].position})
        swing = (-1 if clockwise else 1) * (result["P"].position - result["P"].position[0])
        follows = np.abs(swing - (law - law[0])).max() < 1e-9
        assert follows != warned(result, "W63")
    assert len(modes) > 1


@pytest.mark.parametrize("follower", ["knife", "roller"])
def test_a_follower_that_slides_below_its_cam_is_reported(follower):
    """It has the lift of the opposite cam angle there; above the cam it has its own, and nothing is reported."""
    kind = {"lift": program(), "base": 0.03, "offset": 0.0} | {
        "roller": 0.01 if follower == "roller" else 0.0
    }
    cam = ml.Cam("valve", "cam.origin", "follower.tip", follower=follower, **kind)
    frame = ml.ground(O=(0, 0), guide=ml.marker((0, 0), angle=np.pi / 2))
    mechanism = sliding("program", follower, start=0.0, pairs=[cam])
    mechanism = mechanism.replace(bodies=[frame, *mechanism.moving])
    for side, phase in ((1, 0.0), (-1, np.pi)):
        result = ml.inverse(mechanism, cycle=73, guess={"guide": 0.05 * side})
        law = evaluate(program(), time=np.mod(result["O"].position + phase, 2 * np.pi))
        assert side * result["guide"].position == pytest.approx(0.03 + kind["roller"] + law, abs=1e-12)
        assert warned(result, "W62") == (side < 0)


@SENSES
@pytest.mark.parametrize("follower", ["flat", "knife", "roller"])
def test_the_outline_is_the_envelope_of_its_follower(follower, clockwise):
    """Normals and curvature by differences of neighbouring points, in arcs on which the cam law has no corner."""
    cam = swung(follower, clockwise=clockwise).pairs[0]
    fine = cam.contour.variable(36000)
    found = cam_profile(cam, 36000)
    smooth = np.min(np.abs(fine[:, None] - [0.4, 1.9, 2.6, 4.4]), axis=1) > 1e-3
    smooth &= (fine > 1e-3) & (fine < 2 * np.pi - 1e-3)
    way = np.roll(found.points, -1, axis=0) - np.roll(found.points, 1, axis=0)
    length = np.hypot(*way.T)
    along = np.einsum("ti,ti->t", way, found.normals) / length
    assert (
        np.abs(along[smooth]).max() < 1e-5
    )  # differences have an error of the square of 3.5e-4 rad over the radius
    turn = np.unwrap(np.arctan2(found.normals[:, 1], found.normals[:, 0]))
    bend = (np.roll(turn, -1) - np.roll(turn, 1)) / -length  # the points run clockwise
    inner = smooth & (np.arange(len(fine)) % 7 == 0)
    assert bend[inner] == pytest.approx(1 / found.radius[inner], rel=1e-4, abs=1e-3)


@pytest.mark.parametrize("follower", ["flat", "rolling"])
def test_all_methods_agree(follower):
    case = a_case(swung(follower))
    assert case.condition < SINGULAR
    judge_forward(case, Tally())
    judge_inverse(known_motion(case, efforts_for(case)), Tally())
    judge_round_trips(case, efforts_for(case), Tally())


@KINDS
def test_the_jacobian_is_that_of_the_rows_and_gamma_its_rate(follower):
    case, h = a_case(swung(follower, clockwise=True)), 1e-5
    equations, q, v, p = case.equations, case.q, case.v, case.skeleton.parameter_values
    moved = [[equations.chart.apply_step(q, s * h * e) for s in (1, -1)] for e in np.eye(len(v))]
    rows = [[equations.position_residual(there, np.zeros(0), p) for there in each] for each in moved]
    slopes = np.array([(up - down) / (2 * h) for up, down in rows]).T
    assert pytest.approx(slopes, abs=1e-8) == equations.geometric_jacobian(q, p)
    rates = [equations.geometric_jacobian(equations.chart.apply_step(q, s * h * v), p) @ v for s in (1, -1)]
    assert case.gamma == pytest.approx((rates[1] - rates[0]) / (2 * h), abs=1e-7)


@pytest.mark.parametrize("target", ["c", "interpreter"])
def test_a_run_keeps_energy_and_contact(target):
    free = swung("flat").without_drives()
    run = ml.simulate(
        free, until=0.3, start={"O": 1.3}, rates={"O": 8.0}, samples=11, rtol=1e-9, target=target
    )
    assert run.energy_drift < 1e-7
    assert run.constraint_violation.max() < 1e-12


def test_parameters_of_the_arm_are_inputs():
    """A design with another swing, base, pivot and arm equals the cam described with them."""
    names = {"swing": 0.3, "base": 0.03, "away": -0.09, "arm": 0.09}
    swing, base, away, arm = (ml.Parameter(name, value) for name, value in names.items())
    open_ = swung(
        "roller", cam={"lift": swing * program(1.0), "base": base, "pivot": (away, 0.035), "arm": arm}
    )
    frame = ml.ground(O=(0, 0), P=(away, 0.035))
    rocker = ml.Body("rocker", mass=0.4, com=(0.05, 0.004), inertia=3e-4, markers={"tip": (arm, 0)})
    open_ = open_.replace(bodies=[frame, open_.bodies[1], rocker])
    other = {"swing": 0.25, "base": 0.034, "away": -0.095, "arm": 0.1}
    designs = ml.inverse(
        open_, cycle=13, parameters={name: np.array([names[name], other[name]]) for name in names}
    )
    closed = ml.inverse(open_.with_parameters(other), cycle=13)
    assert designs.effort["O"][1] == pytest.approx(closed["O"].effort, rel=1e-9, abs=1e-12)


def test_the_work_of_the_cam_is_the_work_of_the_rocker():
    """By hand: M_O = −l′(u) (τ of the rocker), virtual work of a massless cam, at one instant of the rise."""
    rocker_mass, com, inertia = 0.4, np.array([0.05, 0.004]), 3e-4
    mechanism = swung("knife", start=1.0)
    light = ml.Body("cam", mass=0.0, inertia=0.0)
    result = ml.inverse(mechanism.replace(bodies=[mechanism.bodies[0], light, mechanism.bodies[2]]), t=0.0)
    law = program(0.3)
    slope, second = (float(evaluate(one, time=1.0)) for one in (derivative(law), derivative(derivative(law))))
    angle = result["P"].position[0]
    weight = rocker_mass * 9.81 * (np.cos(angle) * com[0] - np.sin(angle) * com[1])
    needed = (inertia + rocker_mass * com @ com) * 400.0 * second + weight
    assert result["O"].effort[0] == pytest.approx(slope * needed, rel=1e-11)
