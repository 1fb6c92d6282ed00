"""Points on curves: a bead on a ring is a pendulum, a pin in a slot follows its curve."""

import numpy as np
import pytest
from laws.agreement import Tally, judge_forward, judge_inverse
from laws.formulation_cases import case_at, efforts_for, known_motion
from scipy.integrate import solve_ivp

import multiloop as ml
from multiloop.kinematics import equations_of
from multiloop.model.expressions.functions import cos

WAVE = ml.Curve(ml.cam_angle, 0.1 * cos(3 * ml.cam_angle), begin=-1.0, end=1.0, closed=False)


def bead(curve):
    return ml.Mechanism(
        "bead",
        planar=True,
        bodies=[ml.ground(wire=ml.marker((0.2, -0.1), angle=0.0)), ml.Body("bead", mass=0.7, inertia=0.01)],
        pairs=[ml.PointOnCurve("wire", "bead.origin", "ground.wire", curve=curve)],
    )


def slotted(curve):
    """A crank whose pin runs in a slot of a plate that turns."""
    return ml.Mechanism(
        "slotted plate",
        planar=True,
        bodies=[
            ml.ground(A=(0, 0), B=(0.5, 0)),
            ml.rod("crank", length=0.12, mass=1.0),
            ml.Body(
                "plate",
                mass=2.0,
                com=(-0.2, 0.02),
                inertia=0.03,
                markers={"slot": ml.marker((-0.5, 0.02), angle=0.3)},
            ),
        ],
        joints=[ml.Revolute("A", "ground.A", "crank.a"), ml.Revolute("B", "ground.B", "plate.origin")],
        pairs=[ml.PointOnCurve("slot", "crank.b", "plate.slot", curve=curve)],
        guess={"A": 0.4, "B": 0.1},
    )


CURVES = {
    "circle": ml.Circle(0.3, (0.05, -0.3)),
    "wave": WAVE,
    "spline": ml.spline([(-0.4, 0.02), (-0.1, -0.03), (0.1, 0.0), (0.4, 0.05)], closed=False),
}


@pytest.mark.parametrize("name", CURVES)
def test_rows_wrenches_and_methods(name):
    """J and γ by central differences with a step of 1e-5; all methods agree."""
    mechanism, h = slotted(CURVES[name]), 1e-5
    assert ml.from_text(ml.to_text(mechanism)) == mechanism
    plan = ml.analyse(mechanism, guess=dict(mechanism.guess))
    equations = equations_of(plan.mechanism, plan.tree)
    case = case_at(equations, plan.assembly.coordinates_on(equations), 3, plan)
    q, v, p = case.q, case.v, case.skeleton.parameter_values
    moved = [[equations.chart.apply_step(q, s * h * e) for s in (1, -1)] for e in np.eye(len(v))]
    rows = [[equations.position_residual(there, np.zeros(0), p) for there in each] for each in moved]
    slopes = np.array([(up - down) / (2 * h) for up, down in rows]).T
    assert equations.geometric_jacobian(q, p) == pytest.approx(slopes, abs=1e-8)
    rates = [equations.geometric_jacobian(equations.chart.apply_step(q, s * h * v), p) @ v for s in (1, -1)]
    assert case.gamma == pytest.approx((rates[1] - rates[0]) / (2 * h), abs=1e-7)
    judge_forward(case, Tally())
    judge_inverse(known_motion(case, efforts_for(case)), Tally())


def test_a_bead_on_a_ring_swings_as_a_pendulum():
    """φ̈ = −(g/R) sin φ from the lowest point; the ring bears m (g cos φ + R φ̇²)."""
    run = ml.simulate(
        bead(ml.Circle(0.4)),
        until=1.5,
        start={"bead": (0.4, -0.4464101615137755, 0.0)},
        samples=16,
        rtol=1e-11,
    )
    start = np.arctan2(0.2, 0.3464101615137755)
    known = solve_ivp(
        lambda _, y: (y[1], -9.81 / 0.4 * np.sin(y[0])),
        (0, 1.5),
        (start, 0.0),
        "DOP853",
        run.time,
        rtol=1e-12,
        atol=1e-12,
    )
    place = run.marker("bead.origin") - [0.2, -0.1]
    assert place[:, 0] == pytest.approx(0.4 * np.sin(known.y[0]), abs=1e-8)
    force = 0.7 * (9.81 * np.cos(known.y[0]) + 0.4 * known.y[1] ** 2)
    assert run["wire"].normal == pytest.approx(-force, rel=1e-6)  # the ring exerts a force towards its centre
    assert run["wire"].radius_of_curvature == pytest.approx(0.4, rel=1e-9)
    assert run.status == "ok"


def test_a_bead_on_a_wave_keeps_its_energy_and_its_wave():
    run = ml.simulate(
        bead(WAVE), until=0.6, start={"bead": (0.5, None, 0.0)}, guess={"bead": (0.5, 0.0, 0.0)}, samples=21
    )
    x, y = (run.marker("bead.origin") - [0.2, -0.1]).T
    assert y == pytest.approx(0.1 * np.cos(3 * x), abs=1e-12)
    assert run.energy_drift < 1e-8


def test_messages_for_invalid_curves(texts):
    with pytest.raises(ml.ModelError) as caught:
        bead(0.3)
    texts.fault(caught.value, "M12", "'wire'", "0.3")
    with pytest.raises(ml.ModelError) as caught:
        bead(ml.Curve(ml.cam_angle, ml.position("A")))
    texts(caught.value, "[P22]", '`position("A")`')
    with pytest.raises(ml.ModelError) as caught:
        bead(ml.Curve(ml.cam_angle, 0.0, begin=1.0, end=0.0, closed=False))
    texts.fault(caught.value, "M05", "1.0", "0.0")


def test_a_point_that_cannot_reach_its_curve_is_reported(texts):
    far = slotted(ml.Circle(0.1, (3.0, 0.0)))
    with pytest.raises(ml.AssemblyError) as caught:
        ml.assemble(far)
    texts.fault(caught.value, "K01", "'slot'")


@pytest.mark.parametrize(("x", "speed"), [(-0.05, 0.0), (-0.05, -1.0), (-0.08, 0.0)])
def test_beyond_the_end_of_an_open_curve_it_goes_on_straight(x, speed):
    points = [(0, 0), (0.1, 0.05), (0.2, 0.03), (0.3, 0.1)]
    bead = ml.Mechanism(
        "bead",
        planar=True,
        bodies=[ml.ground(), ml.Body("pin", mass=0.7, inertia=0.01)],
        pairs=[ml.PointOnCurve("s", "pin.origin", "ground.origin", curve=ml.spline(points, closed=False))],
    )
    beside = ml.assemble(bead.replace(guess={"pin": (-1e-3, 0.0, 0.0)}), {"pin": (-1e-3, None, 0.0)})
    slope = beside.positions["pin floats"][1] / -1e-3
    placed = bead.replace(guess={"pin": (x, slope * x, 0)})
    found = ml.forward(placed, {"pin": (x, None, 0.0)}, rates={"pin": (speed, None, 0.0)})["pin floats"]
    assert found.position[0, 1] == pytest.approx(slope * x, rel=1e-9)
    down = -9.81 * slope / (1 + slope**2)
    assert found.acceleration[0, :2] == pytest.approx([down, down * slope], rel=1e-9)
