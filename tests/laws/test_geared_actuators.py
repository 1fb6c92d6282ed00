"""Actuators with rotors, gearboxes, limits in both directions and speed limits, against closed forms."""

import numpy as np
import pytest
from zoo.plain import double_pendulum, pinned_body, sliding_body

import multiloop as ml

FORWARD = ("system", "slm", "sslm", "embedding", "virtual_work", "augmented")
INVERSE = ("traditional", "system", "subsystem", "virtual_work")
J, N = 0.002, -30.0
L1, L2, M1, M2, G = 0.5, 0.4, 2.0, 1.0, 9.81


def arm(**given):
    return double_pendulum(ml.rod("upper", length=L1, mass=M1), ml.rod("lower", length=L2, mass=M2), **given)


def equations_of_the_arm(q, v):
    """M and h of M v̇ + h = τ by Lagrange, with a rotor of ½ J (q̇₁ + n q̇₂)² on the upper arm."""
    c, s = np.cos(q[1]), np.sin(q[1])
    a, b = M1 * L1**2 / 3 + M2 * L1**2 + M2 * L2**2 / 3, M2 * L1 * L2 / 2
    d = M2 * L2**2 / 3
    M = np.array([[a + 2 * b * c, d + b * c], [d + b * c, d]]) + J * np.array([[1, N], [N, N**2]])
    weight = np.array([(M1 / 2 + M2) * L1 * np.cos(q[0]), 0.0]) + M2 * L2 / 2 * np.cos(q[0] + q[1])
    return M, b * s * np.array([-2 * v[0] * v[1] - v[1] ** 2, v[0] ** 2]) + G * weight


Q, V, TAU = np.array([0.3, 0.7]), np.array([1.5, -2.0]), np.array([4.0, 2.5])


@pytest.mark.parametrize("method", FORWARD)
def test_a_rotor_on_a_moving_link_in_every_forward_method(method):
    M, h = equations_of_the_arm(Q, V)
    geared = arm(
        actuators=[ml.Actuator("A", effort=TAU[0]), ml.Actuator("B", effort=TAU[1], rotor_inertia=J, ratio=N)]
    )
    start, rates = dict(zip("AB", Q, strict=True)), dict(zip("AB", V, strict=True))
    found = ml.forward(geared, start, rates=rates, method=method)
    accelerations = [found[joint].acceleration[0] for joint in "AB"]
    assert accelerations == pytest.approx(np.linalg.solve(M, TAU - h), rel=1e-11)
    assert found["B/motor"].rate[0] == pytest.approx(N * V[1], rel=1e-14)


@pytest.mark.parametrize("method", INVERSE)
def test_a_rotor_on_a_moving_link_in_every_inverse_method(method):
    M, h = equations_of_the_arm(Q, V)
    a = np.array([3.0, -1.0])
    moved = {
        joint: q + v * ml.time + w / 2 * ml.time**2 for joint, q, v, w in zip("AB", Q, V, a, strict=True)
    }
    driven = arm(
        drives=[ml.Motion(joint, profile) for joint, profile in moved.items()],
        actuators=[ml.Actuator("A"), ml.Actuator("B", rotor_inertia=J, ratio=N)],
    )
    found = ml.inverse(driven, t=[0.0], method=method)
    expected = M @ a + h
    assert [found[joint].effort[0] for joint in "AB"] == pytest.approx(expected, rel=1e-11)
    assert found["B"].motor_effort[0] == pytest.approx(expected[1] / N, rel=1e-11)
    assert found["B"].motor_rate[0] == pytest.approx(N * V[1], rel=1e-14)


def test_it_is_what_with_rotor_adds():
    geared = arm(actuators=[ml.Actuator("B", effort=1.0, rotor_inertia=J, ratio=N)])
    added = ml.with_rotor(arm(actuators=[ml.Actuator("B", effort=1.0)]), "B", inertia=J, ratio=N)
    start = {"A": 0.3, "B": 0.7}
    runs = [ml.simulate(m, start=start, until=0.5, samples=6) for m in (geared, added)]
    np.testing.assert_allclose(runs[0]["B"].position, runs[1]["B"].position, rtol=1e-12)
    assert runs[0].energy_drift < 1e-8


def test_a_rotor_at_a_slide_counts_by_its_radians_a_metre():
    screw = sliding_body(
        ml.Body("table", mass=8.0),
        "spindle",
        gravity=(0, 0),
        actuators=[ml.Actuator("slide", effort=100.0, rotor_inertia=1e-4, ratio=2 * np.pi / 0.005)],
    )
    found = ml.forward(screw, {"slide": 0.0})
    assert found["slide"].acceleration[0] == pytest.approx(
        100.0 / (8.0 + 1e-4 * (2 * np.pi / 0.005) ** 2), rel=1e-12
    )
    assert found["slide"].motor_effort[0] == pytest.approx(100.0 * 0.005 / (2 * np.pi), rel=1e-14)


def test_a_spinning_rotor_resists_being_turned_over():
    """A motor on a turntable: dL/dt = Ω ẑ × J n q̇ x̂ = J n q̇ Ω ŷ, which is the moment of its bearing."""
    n, spin, turning = 50.0, 4.0, 3.0
    table = ml.Mechanism(
        "table",
        gravity=(0, 0, 0),
        bodies=[
            ml.ground(),
            ml.Body(
                "table", mass=1.0, inertia=(0.1, 0.1, 0.2), markers={"m": ml.marker((0, 0, 0), z=(1, 0, 0))}
            ),
            ml.Body("drum", mass=0.5, inertia=(0.01, 0.01, 0.02)),
        ],
        joints=[
            ml.Revolute("T", "ground.origin", "table.origin"),
            ml.Revolute("D", "table.m", "drum.origin"),
        ],
        drives=[
            ml.Motion("T", ml.motion_laws.constant_speed(turning)),
            ml.Motion("D", ml.motion_laws.constant_speed(spin)),
        ],
        actuators=[ml.Actuator("T"), ml.Actuator("D", rotor_inertia=J, ratio=n)],
    )
    found = ml.inverse(table, t=[0.0])
    assert found["D/motor"].moment[0] == pytest.approx([0.0, J * n * spin * turning, 0.0], abs=1e-13)
    drum = 0.02 * spin * turning
    assert found["T"].moment[0][1] == pytest.approx(J * n * spin * turning + drum, rel=1e-12)


def test_ratio_and_inertia_may_be_parameters():
    geared = arm(
        drives=[ml.Motion("A", 0.3), ml.Motion("B", 0.7 + 2.0 * ml.time**2)],
        actuators=[
            ml.Actuator("A"),
            ml.Actuator("B", rotor_inertia=ml.Parameter("J", J), ratio=ml.Parameter("n", 20.0)),
        ],
    )
    assert ml.from_text(ml.to_text(geared)) == geared
    designs = ml.batch(geared, {"n": [10.0, 40.0], "J": [J, J]}, t=[0.0, 0.1])
    alone = [ml.inverse(geared, parameters={"n": n}, t=[0.0, 0.1])["B"].effort for n in (10.0, 40.0)]
    np.testing.assert_allclose(designs.peak_effort["B"], [abs(effort).max() for effort in alone], rtol=1e-12)
    assert alone[1][0] - alone[0][0] == pytest.approx(J * (1600 - 100) * 4.0, rel=1e-10)


def test_many_runs_keep_their_rotors():
    """I q″ = τ with I = 0.2 + n² J."""
    geared = wheel(effort=2.0, rotor_inertia=0.003, ratio=ml.Parameter("n", 20.0))
    runs = ml.simulate(geared, parameters={"n": [5.0, 20.0]}, start={"A": 0.0}, until=1.0, samples=3)
    for run, n in zip(runs, (5.0, 20.0), strict=True):
        assert run["A"].rate[-1] == pytest.approx(2.0 / (0.2 + n**2 * 0.003), rel=1e-9)
        assert run["A"].motor_effort[-1] == pytest.approx(2.0 / n, rel=1e-14)


def test_a_control_law_drives_through_the_gearbox():
    geared = arm(
        drives=[ml.Motion("A", 0.3 + ml.time), ml.Motion("B", 0.7 - ml.time**2)],
        actuators=[ml.Actuator("A"), ml.Actuator("B", rotor_inertia=J, ratio=N)],
    )
    run = ml.simulate(geared, control=ml.ComputedTorque(kp=100.0, kd=20.0), until=0.4, samples=9)
    assert max(np.abs(run.errors[joint]).max() for joint in "AB") < 1e-9


# limits -------------------------------------------------------------------------------------------------------


def wheel(limit=None, effort=None, **given):
    return pinned_body(
        ml.Body("wheel", mass=1.0, inertia=0.2),
        name="wheel",
        gravity=(0, 0),
        actuators=[ml.Actuator("A", effort=effort, limit=limit, **given)],
    )


def test_a_braking_motor_is_helped_by_its_own_voltage(texts):
    """From speed ω₁ in full reverse: I ω′ = −n s (1 + n ω / ω₀), ω = (ω₁ + ω₀/n) exp(−n² s t / I ω₀) − ω₀/n."""
    n, stall, no_load, first = 5.0, 0.3, 60.0, 8.0
    curve = ml.motor_envelope("A", stall=stall, no_load=no_load, peak=10.0, ratio=n)
    run = ml.simulate(wheel(curve, -50.0), start={"A": 0.0}, rates={"A": first}, until=0.5, samples=11)
    expected = (first + no_load / n) * np.exp(-(n**2) * stall * run.time / (0.2 * no_load)) - no_load / n
    assert run["A"].rate == pytest.approx(expected, abs=1e-8)
    texts.warnings(run, ("W54", "A", "0.5 s"))


def test_the_current_limit_bounds_braking():
    n, stall, peak = 2.0, 1.0, 1.25
    curve = ml.motor_envelope("A", stall=stall, no_load=40.0, peak=peak, ratio=n)
    run = ml.simulate(wheel(curve, -50.0), start={"A": 0.0}, rates={"A": 15.0}, until=0.2, samples=5)
    assert run["A"].rate == pytest.approx(15.0 - n * peak * run.time / 0.2, abs=1e-9)


@pytest.mark.parametrize(
    ("speed", "least", "largest"),
    [
        (0.0, -3.0, 3.0),
        (10.0, -3.6, 1.5),
        (-10.0, -1.5, 3.6),
        (30.0, -3.6, 0.0),
        (-30.0, 0.0, 3.6),
    ],
)
def test_four_quadrants(speed, least, largest):
    """Stall 3 N m, no-load speed 20 rad/s, current limit at 3.6 N m."""
    curve = ml.motor_envelope("A", stall=3.0, no_load=20.0, peak=3.6)
    for asked, given in ((-9.0, least), (9.0, largest)):
        found = ml.forward(wheel(curve, asked), {"A": 0.0}, rates={"A": speed})
        assert found["A"].effort[0] == pytest.approx(given, abs=1e-13)


def test_power_bounds_both_ways():
    curve = ml.motor_envelope("A", stall=3.0, no_load=1e6, power=12.0)
    for speed, asked in ((10.0, 9.0), (10.0, -9.0), (-10.0, 9.0)):
        found = ml.forward(wheel(curve, asked), {"A": 0.0}, rates={"A": speed})
        assert abs(found["A"].power[0]) == pytest.approx(12.0, rel=1e-12)


def test_inverse_reports_which_limit_is_exceeded_and_when(texts):
    def needing(profile, **given):
        driven = wheel(**given).replace(drives=[ml.Motion("A", profile)])
        return ml.inverse(driven, t=[0.0, 0.5, 1.0]).status

    slowing = 20.0 * ml.time - 5.0 * ml.time**2  # −2 N m
    assert needing(slowing, limit=(-2.5, 1.0)) == "ok"
    texts(needing(slowing, limit=(-1.5, 8.0)), "-2 N m", "-1.5 N m")
    curve = ml.motor_envelope("A", stall=1.5, no_load=100.0, peak=1.6)
    texts(needing(slowing, limit=curve), "-2 N m", "-1.6 N m", "0 s")
    curve = ml.motor_envelope("A", stall=1.5, no_load=40.0, peak=9.0)
    texts(needing(slowing, limit=curve), "-2 N m", "-1.875 N m", "1 s")
    texts(needing(5 * ml.time**2, speed_limit=9.0), "10 rad/s", "1 s", "9 rad/s")


def test_limits_in_files(tmp_path):
    for limit in ((-2.0, 3.0), ml.motor_envelope("A", stall=1.0, no_load=9.0), 4.0):
        described = wheel(limit, 1.0, speed_limit=5.0, rotor_inertia=0.1, ratio=3.0)
        assert ml.from_text(ml.to_text(described)) == described
        ml.save(described, tmp_path / "wheel.yaml")
        assert ml.load(tmp_path / "wheel.yaml") == described


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"limit": (1.0, 3.0)}, ("[D06]", "'A'", "(1.0, 3.0)", "limit=", "(-5.0, 8.0)")),
        ({"limit": (-1.0, 3.0, 4.0)}, ("[D06]", "'A'", "(-1.0, 3.0, 4.0)", "limit=", "(-5.0, 8.0)")),
        ({"speed_limit": -1.0}, ("[D06]", "'A'", "-1")),
        ({"ratio": 0.0}, ("[D08]", "'A'", "0")),
        ({"rotor_inertia": -0.1}, ("[D08]", "'A'", "-0.1")),
        ({"rotor_inertia": 0.1, "ratio": 2 * ml.time}, ("[D08]", "'A'", "`2 * time`")),
        ({"rotor_inertia": "heavy"}, ("[M05]", "'A'", "'heavy'")),
    ],
)
def test_invalid_actuators_are_refused(given, expected, texts):
    with pytest.raises(ml.ModelError) as refused:
        wheel(effort=1.0, **given)
    texts(refused.value, "'wheel'", *expected)


def test_two_actuators_at_one_joint_are_one_fault(texts):
    with pytest.raises(ml.ModelError) as refused:
        wheel().replace(actuators=[ml.Actuator("A", rotor_inertia=0.1), ml.Actuator("A", rotor_inertia=0.1)])
    texts.fault(refused.value, "D02", "'wheel'", "'A'", "2")


def test_a_motor_of_a_strut():
    """An electric spindle: m + J n² along the slide, 600 rad/m."""
    lift = ml.Mechanism(
        "lift",
        planar=True,
        bodies=[ml.ground(up=ml.marker((0, 0), angle=np.pi / 2)), ml.Body("load", mass=20.0)],
        joints=[
            ml.Prismatic("guide", "ground.up", "load.origin"),
            ml.Strut("leg", "ground.origin", "load.com", length=(0.6, 0.9), bore=0.04),
        ],
        actuators=[ml.Actuator("leg", effort=300.0, rotor_inertia=1e-4, ratio=600.0)],
    )
    found = ml.forward(lift, {"guide": 0.7})
    assert found["guide"].acceleration[0] == pytest.approx((300.0 - 20.0 * G) / (20.0 + 36.0), rel=1e-11)
    assert found["leg"].motor_effort[0] == pytest.approx(0.5, rel=1e-14)
    assert found["leg"].pressure[0] == pytest.approx(300.0 / (np.pi * 0.04**2 / 4), rel=1e-14)


def test_a_rotor_slows_small_swings():
    """ω² = m g l / (I + J n²) of a pendulum, by `eigenmodes`."""
    pendulum = pinned_body(
        ml.rod("arm", length=0.5, mass=2.0),
        name="pendulum",
        actuators=[ml.Actuator("A", effort=0.0, rotor_inertia=1e-3, ratio=10.0)],
    )
    found = ml.eigenmodes(pendulum, ml.equilibrium(pendulum, guess={"A": -1.5}).state)
    assert found.frequencies[0] == pytest.approx(np.sqrt(2.0 * G * 0.25 / (2.0 * 0.25 / 3 + 0.1)), rel=1e-9)


def test_a_rotor_needs_a_single_axis(texts):
    with pytest.raises(ml.ModelError) as refused:
        ml.Mechanism(
            "slab",
            planar=True,
            bodies=[ml.ground(), ml.Body("slab", mass=2.0, inertia=0.1)],
            joints=[ml.Planar("on", "ground.origin", "slab.origin")],
            actuators=[ml.Actuator("on", "angle", rotor_inertia=0.1)],
        )
    texts.fault(refused.value, "D08", "'slab'", "'on'")


def test_many_designs_need_one_number_for_a_limit(texts):
    driven = wheel(ml.motor_limit("A", stall=3.0, no_load=20.0)).replace(
        drives=[ml.Motion("A", ml.Parameter("a", 1.0) * ml.time**2)]
    )
    with pytest.raises(ml.SolveError) as refused:
        ml.batch(driven, {"a": [1.0, 2.0]}, t=[0.0, 0.5])
    texts.fault(refused.value, "S10", "'wheel'", "'A'", "`inverse`")
