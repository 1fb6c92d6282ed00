"""Rolling vehicles: driven, steered and omni wheels, castors, skates; torques and paths against equations by hand."""

from functools import cache

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import multiloop as ml
from multiloop.examples.mechanisms import automatic_guided_vehicle as agv

FORWARD = ["sslm", "slm", "system", "embedding", "virtual_work", "augmented"]
INVERSE = ["subsystem", "system", "virtual_work", "traditional"]
AHEAD = 0.3
"""Distance of the platform's mass centre in front of the driven wheels."""
HEAVY = agv.PLATFORM_MASS + 2 * agv.WHEEL_MASS
TURNING = 11.0 + agv.PLATFORM_MASS * AHEAD**2 + 2 * (0.025 + agv.WHEEL_MASS * agv.TRACK**2 / 4)
ROLLING = agv.WHEEL_INERTIA / agv.RADIUS**2


@cache
def vehicle(**drives):
    """The vehicle of the examples with a castor that has no mass."""
    plain = ml.examples.automatic_guided_vehicle()
    bodies = [
        body
        if body.name not in ("fork", "castor")
        else ml.Body(body.name, mass=0.0, markers=dict(body.markers))
        for body in plain.bodies
    ]
    motions = [ml.Motion(f"{side} motor", law) for side, law in drives.items()]
    return plain.replace(
        bodies=bodies, drives=motions or plain.drives, actuators=[] if motions else plain.actuators
    )


START = {**agv.START, "platform.origin": (0, 0, None)}


def by_hand(u_rate, omega, omega_rate, u):
    """Torques of the left and the right motor: m (u̇ − d ω²) along, (J + m d²) ω̇ + m d u ω about the vertical.

    The mass m d of the platform alone is ahead of the wheels; those count by m + I/r², on either side of the middle.
    """
    force = (HEAVY + 2 * ROLLING) * u_rate - agv.PLATFORM_MASS * AHEAD * omega**2
    moment = (TURNING + ROLLING * agv.TRACK**2 / 2) * omega_rate + agv.PLATFORM_MASS * AHEAD * u * omega
    return (force / 2 - moment / agv.TRACK) * agv.RADIUS, (force / 2 + moment / agv.TRACK) * agv.RADIUS


def given(t):
    """u, ω and their rates for wheel angles 2 t + 1.5 t² and 2 t + t²."""
    left, right = 2 + 3.0 * t, 2 + 2.0 * t
    u, omega = agv.RADIUS * (left + right) / 2, agv.RADIUS * (right - left) / agv.TRACK
    return agv.RADIUS * 2.5, omega, agv.RADIUS * -1.0 / agv.TRACK + 0 * t, u


LAWS = {"left": 2 * ml.time + 1.5 * ml.time**2, "right": 2 * ml.time + ml.time**2}
DRIVEN = {key: value for key, value in START.items() if "motor" not in key}


@pytest.mark.parametrize("method", INVERSE)
def test_torques_at_one_instant_are_those_by_hand(method):
    found = ml.inverse(vehicle(**LAWS), t=0.0, start=DRIVEN, method=method)
    torques = [found[f"{side} motor"].effort[0] for side in ("left", "right")]
    assert torques == pytest.approx(by_hand(*given(0.0)), rel=1e-10)


@pytest.mark.parametrize("method", INVERSE)
def test_torques_of_a_state_with_accelerations_are_those_by_hand(method):
    rates, second = (
        {f"{side} motor": x for side, x in zip(("left", "right"), two, strict=True)}
        for two in ((2.0, 2.0), (3.0, 2.0))
    )
    found = ml.inverse(vehicle(**LAWS), state=START, rates=rates, accelerations=second, method=method)
    torques = [found[f"{side} motor"].effort[0] for side in ("left", "right")]
    assert torques == pytest.approx(by_hand(*given(0.0)), rel=1e-10)


def test_torques_over_time_are_those_by_hand():
    found = ml.inverse(vehicle(**LAWS), t=np.linspace(0, 2, 21), start=DRIVEN)
    for side, torque in zip(("left", "right"), by_hand(*given(found.time)), strict=True):
        assert found[f"{side} motor"].effort == pytest.approx(torque, rel=1e-9, abs=1e-9)
    assert found.constraint_violation.max() < 1e-12
    assert abs(found.energy_drift) < 1e-8


@pytest.mark.slow
def test_the_motors_move_the_nose_along_its_path():
    """The middle between the wheels follows as a trailer: ψ̇ = (ẏ cos ψ − ẋ sin ψ) / l, integrated separately."""
    path = [ml.Motion("platform.nose", x=agv.NOSE + ml.time, y=0.4 * ml.expr.sin(ml.time))]
    led = vehicle().replace(drives=path)
    found = ml.inverse(led, t=np.linspace(0, 3, 13), start=agv.START)
    nose = np.column_stack([agv.NOSE + found.time, 0.4 * np.sin(found.time)])
    assert np.abs(found.marker("platform.nose")[:, :2] - nose).max() < 1e-12
    assert found.constraint_violation.max() < 1e-12

    def turning(t, psi):
        return (0.4 * np.cos(t) * np.cos(psi) - np.sin(psi)) / agv.NOSE

    psi = solve_ivp(turning, (0, 3), [0.0], t_eval=found.time, rtol=1e-12, atol=1e-13, method="DOP853").y[0]
    middle = nose - agv.NOSE * np.column_stack([np.cos(psi), np.sin(psi)])
    assert found.marker("platform.origin")[:, :2] == pytest.approx(middle, abs=1e-9)
    again = ml.simulate(led, until=3.0, samples=13, start=agv.START)
    for side in ("left", "right"):
        assert again[f"{side} motor"].effort == pytest.approx(found[f"{side} motor"].effort, abs=1e-9)
    assert abs(again.energy_drift) < 1e-7


def test_forward_dynamics_under_those_torques_gives_the_same_motion():
    """Forward dynamics by all methods recovers the motion of inverse dynamics."""
    found = ml.inverse(vehicle(**LAWS), t=0.0, start=DRIVEN)
    torques = {f"{side} motor": float(found[f"{side} motor"].effort[0]) for side in ("left", "right")}
    rates = {"left motor": 2.0, "right motor": 2.0}
    for method in FORWARD:
        free = ml.forward(
            vehicle(**LAWS).without_drives(), START, rates=rates, efforts=torques, method=method
        )
        assert free["left motor"].acceleration == pytest.approx([3.0], rel=1e-8)
        assert free["right motor"].acceleration == pytest.approx([2.0], rel=1e-8)


def wheel(name, radius, at):
    """A wheel on an axle of its body, and its rolling constraint."""
    return ml.Body(name, mass=1.0, inertia=(0.01, 0.01, 0.02)), ml.Revolute(
        f"{name} axle", at, f"{name}.origin"
    )


def axle(x, y, z=0.0, way=(0, 1, 0)):
    return ml.marker((x, y, z), z=way, x=(0, 0, 1))


def test_a_steered_wheel_follows_a_circle():
    """A tricycle: front wheel steered by δ, turning radius of the middle of the rear axle l / tan δ."""
    length, steer, r = 1.2, 0.5, 0.2
    frame = ml.Body(
        "frame",
        mass=50.0,
        inertia=(3.0, 6.0, 7.0),
        com=(0.4, 0, 0.2),
        markers={"l": axle(0, 0.4), "r": axle(0, -0.4), "fork": (length, 0, 0)},
    )
    fork = ml.Body("fork", mass=2.0, inertia=(0.02, 0.02, 0.02), markers={"hub": axle(0, 0)})
    wheels, axles = zip(
        wheel("left", r, "frame.l"), wheel("right", r, "frame.r"), wheel("front", r, "fork.hub"), strict=True
    )
    contacts = [
        ml.Rolling(f"{name} contact", f"{name}.origin", "ground.origin", radius=r, sideways=name == "right")
        for name in ("left", "right", "front")
    ]
    tricycle = ml.Mechanism(
        "tricycle",
        bodies=[ml.ground(), frame, fork, *wheels],
        joints=[ml.Revolute("steering", "frame.fork", "fork.origin"), *axles],
        pairs=contacts,
        drives=[ml.Motion("steering", steer), ml.Motion("front axle", ml.motion_laws.constant_speed(6.0))],
        guess={"frame": (0, 0, r, 1, 0, 0, 0)},
    )
    plan = ml.analyse(tricycle)
    assert (plan.mobility, plan.redundant) == (2, 0)
    start = {"frame.origin": (0, 0, None), "frame.l": (0, None, None), "left axle": 0.0, "right axle": 0.0}
    run = ml.simulate(tricycle, until=10.0, samples=51, start=start, rtol=1e-11)
    around, turn = length / np.tan(steer), 6.0 * r * np.sin(steer) / length
    x, y = run.marker("frame.origin")[:, :2].T
    assert np.hypot(x, y - around) == pytest.approx(np.full(51, around), abs=1e-9)
    assert run["frame floats"].rate[:, 5] == pytest.approx(np.full(51, turn), rel=1e-10)
    assert run.constraint_violation.max() < 1e-12


def test_two_skates_are_the_least_bicycle():
    """In the plane, in top view: yaw rate u tan δ / l, whatever the masses."""
    length = 1.1
    bike = ml.Mechanism(
        "two skates",
        planar=True,
        gravity=(0, 0),
        bodies=[
            ml.ground(),
            ml.Body("frame", mass=80.0, inertia=9.0, com=(0.5, 0), markers={"head": (length, 0)}),
            ml.Body("fork", mass=3.0, inertia=0.1),
        ],
        joints=[ml.Revolute("head", "frame.head", "fork.origin")],
        pairs=[
            ml.Skate("rear", "frame.origin", "ground.origin"),
            ml.Skate("front", "fork.origin", "ground.origin"),
        ],
        drives=[ml.Motion("head", 0.3 * ml.expr.sin(2 * ml.time))],
    )
    run = ml.simulate(
        bike,
        until=3.0,
        samples=31,
        start={"frame": (0, 0, 0)},
        rates={"frame": (4.0, None, None)},
        rtol=1e-11,
    )
    u = np.hypot(*run["frame floats"].rate[:, :2].T)
    assert run["frame floats"].rate[:, 2] == pytest.approx(
        u * np.tan(0.3 * np.sin(2 * run.time)) / length, abs=1e-10
    )
    assert abs(run.energy_drift) < 1e-8


def test_three_omni_wheels_go_where_they_are_sent():
    """|ωᵢ| r = |v · tᵢ + R Ω|: a platform on three of them has all three degrees of freedom of the plane."""
    r, R = 0.05, 0.3
    angles = np.radians([90.0, 210.0, 330.0])
    outward = [np.array([np.cos(a), np.sin(a), 0.0]) for a in angles]
    hubs = {f"h{k}": axle(*(R * way), way=tuple(way)) for k, way in enumerate(outward)}
    wheels, axles = zip(*(wheel(f"w{k}", r, f"platform.h{k}") for k in range(3)), strict=True)
    kiwi = ml.Mechanism(
        "kiwi drive",
        bodies=[ml.ground(), ml.Body("platform", mass=10.0, inertia=(0.2, 0.2, 0.4), markers=hubs), *wheels],
        joints=axles,
        pairs=[
            ml.Rolling(f"c{k}", f"w{k}.origin", "ground.origin", radius=r, sideways=True) for k in range(3)
        ],
        guess={"platform": (0, 0, r, 1, 0, 0, 0)},
    )
    plan = ml.analyse(kiwi)
    assert (plan.mobility, plan.configurations, plan.redundant) == (3, 6, 0)
    v, turn = np.array([0.7, -0.4, 0.0]), 1.3
    start = {"platform": (0, 0, r, 1, 0, 0, 0), "w0 axle": 0.0, "w1 axle": 0.0, "w2 axle": 0.0}
    state = ml.assemble(kiwi, start, rates={"platform": (*v[:2], None, None, None, turn)})
    for k, way in enumerate(outward):
        along = np.cross([0, 0, 1.0], way)
        assert abs(state[f"w{k} axle"].rate) == pytest.approx(abs(v @ along + R * turn) / r, rel=1e-12)
    found = [
        ml.forward(kiwi, start, rates={"platform": (*v[:2], None, None, None, turn)}, method=m)
        for m in FORWARD
    ]
    for one in found:
        assert one["platform floats"].acceleration[0, :2] == pytest.approx(
            found[0]["platform floats"].acceleration[0, :2], rel=1e-8
        )
        assert one["c0"].force[0, :2] @ outward[0][:2] == pytest.approx(0.0, abs=1e-8)  # none along the axle
