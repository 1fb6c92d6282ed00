"""Control laws: error equations, equilibria in closed form, and sampled laws that converge to continuous ones."""

import numpy as np
import pytest
from zoo.plain import planar_four_bar, sliding_body

import multiloop as ml
from multiloop.examples.mechanisms.three_rrr import START

KP, KD = 100.0, 20.0
LAW = {"kp": KP, "kd": KD}


def four_bar():
    return planar_four_bar(drives=[ml.Motion("A", ml.motion_laws.polynomial_345(0.2, 1.5, duration=0.5))])


def three_rrr():
    swings = {
        name: ml.motion_laws.cycloidal(at, at + 0.15 * k, duration=0.4)
        for k, (name, at) in enumerate(START.items(), -1)
    }
    return ml.examples.three_rrr().replace(drives=[ml.Motion(name, swing) for name, swing in swings.items()])


def hexapod():
    plain = ml.examples.hexapod()
    lengths = {name: value for name, value in plain.guess if name.startswith("P")}
    drives = [
        ml.Motion(name, ml.motion_laws.trapezoidal(at, at + 0.01 * k, duration=0.2))
        for k, (name, (at,)) in enumerate(lengths.items(), -2)
    ]
    return plain.replace(drives=drives)


def slider(load=None, mass=2.0):
    """A mass on a level slide: x'' = (u + load) / mass."""
    return sliding_body(
        ml.Body("mass", mass=mass, inertia=0.1),
        "slider",
        joint="x",
        gravity=(0, 0),
        loads=[] if load is None else [ml.Force("push", "mass.origin", (load, 0.0))],
        drives=[ml.Motion("x", 0.0)],
    )


def critically_damped(e0, v0, t):
    """e'' + 20 e' + 100 e = 0."""
    return (e0 + (v0 + 10 * e0) * t) * np.exp(-10 * t)


CASES = {
    "four-bar": (four_bar, {"A": 0.5}, 1e-11),
    "3-RRR": (three_rrr, {"A1": 1.10, "A2": 4.1, "A3": 5.8}, 1e-11),
    "hexapod": (hexapod, None, 1e-11),
}


def case(name, shift=0.003):
    build, start, tolerance = CASES[name]
    mechanism = build()
    if start is None:
        begun = ml.assemble(mechanism)
        start = {m.of: begun[m.of].position + shift * k for k, m in enumerate(mechanism.drives, 1)}
    return mechanism, start, tolerance


@pytest.mark.parametrize("name", ["four-bar", "3-RRR", pytest.param("hexapod", marks=pytest.mark.slow)])
def test_computed_torque_leaves_linear_oscillators(name):
    mechanism, start, tolerance = case(name)
    run = ml.simulate(mechanism, control=ml.ComputedTorque(**LAW), start=start, until=0.6, samples=121)
    for joint, error in run.errors.items():
        assert error == pytest.approx(critically_damped(error[0], 0.0, run.time), abs=tolerance)
        assert run.desired[joint] == pytest.approx(error + run[joint].position, abs=1e-15)
        assert abs(error[0]) > 1e-3
    assert run.status == "ok"


def rubbing(mechanism, joints):
    """Pins with friction proportional to their forces."""
    return mechanism.replace(
        loads=[ml.Friction(f"wear {j}", j, coefficient=0.15, radius=0.02) for j in joints]
    )


@pytest.mark.parametrize(
    ("name", "joints", "target"),
    [
        ("four-bar", "ABCD", "c"),
        ("four-bar", "ABCD", "interpreter"),
        pytest.param("3-RRR", ("A1", "B2", "C3", "C1"), "c", marks=pytest.mark.slow),
    ],
)
def test_computed_torque_knows_the_friction_under_its_own_efforts(name, joints, target):
    """Friction depends on the effort, and the law uses the friction under that effort, not under none."""
    mechanism, start, tolerance = case(name)
    worn = rubbing(mechanism, joints)
    asked = {"control": ml.ComputedTorque(**LAW), "start": start, "until": 0.3, "samples": 31}
    run = ml.simulate(worn, target=target, **asked)
    for error in run.errors.values():
        assert error == pytest.approx(critically_damped(error[0], 0.0, run.time), abs=tolerance)
    assert run[f"wear {joints[0]}"].heat[-1] > 1e-4
    blind = ml.simulate(worn, **asked | {"control": ml.ComputedTorque(**LAW, model=mechanism)})
    off = [np.abs(e - critically_damped(e[0], 0.0, blind.time)).max() for e in blind.errors.values()]
    assert max(off) > 1e-5  # a controller without a friction model has an error


@pytest.mark.parametrize("name", ["four-bar", pytest.param("3-RRR", marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    "law",
    [
        ml.ComputedTorque(**LAW),
        ml.PD(kp=80.0, kd=8.0, feed_forward=("inertia", "gravity")),
        ml.PID(kp=80.0, kd=8.0, ki=90.0),
    ],
    ids=["computed torque", "PD", "PID"],
)
def test_compiled_is_interpreted(name, law):
    mechanism, start, _ = case(name)
    both = [
        ml.simulate(mechanism, control=law, start=start, until=0.3, samples=31, target=target)
        for target in ("c", "interpreter")
    ]
    for joint in both[0].errors:
        compiled, plain = (run[joint] for run in both)
        assert compiled.position == pytest.approx(plain.position, abs=1e-8)
        assert compiled.effort == pytest.approx(plain.effort, abs=1e-6)
    assert both[0].energy_drift < 1e-8


def test_a_law_begins_on_the_desired_motion():
    run = ml.simulate(three_rrr(), control=ml.ComputedTorque(**LAW), until=0.4, samples=41)
    needed = ml.inverse(three_rrr(), t=run.time)
    for joint, error in run.errors.items():
        assert np.abs(error).max() < 1e-12
        assert run[joint].effort == pytest.approx(needed[joint].effort, abs=1e-9)


def test_a_path_of_a_marker_is_drawn_by_motors_elsewhere():
    plain = ml.examples.three_rrr()
    x, y, angle = dict(plain.guess)["platform"]
    circle = ml.Motion(
        "platform.c1",
        x=x + 0.02 * ml.expr.sin(5 * ml.time),
        y=y + 0.02 * (1 - ml.expr.cos(5 * ml.time)),
        angle=angle + 0.1 * ml.expr.sin(3 * ml.time),
    )
    held = plain.replace(actuators=[ml.Actuator(f"A{k}") for k in (1, 2, 3)])
    law = ml.ComputedTorque(circle, **LAW)
    start = {"platform": (x + 0.01, y - 0.005, angle + 0.02)}
    run = ml.simulate(held, control=law, start=start, guess=START, until=0.5, samples=51)
    for name, off, rate in (("x", -0.01, 0.1), ("y", 0.005, 0.0), ("angle", -0.02, 0.3)):
        expected = critically_damped(off, rate, run.time)
        assert run.errors[f"platform.c1.{name}"] == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize("name", ["four-bar", "3-RRR"])
def test_pd_at_rest_errs_by_load_over_kp(name):
    build = four_bar if name == "four-bar" else three_rrr
    mechanism = build()
    run = ml.simulate(mechanism, control=ml.PD(kp=400.0, kd=60.0), until=8.0, samples=9)
    rest = run.final
    held = mechanism.replace(drives=[ml.Motion(m.of, float(rest[m.of].position)) for m in mechanism.drives])
    needed = ml.inverse(held, t=[0.0], guess={b.name: _pose(rest, b.name) for b in mechanism.moving})
    for joint, error in run.errors.items():
        assert abs(rest[joint].rate) < 1e-6
        assert error[-1] == pytest.approx(needed[joint].effort[0] / 400.0, abs=1e-7)
        assert abs(error[-1]) > 1e-4


def _pose(state, body):
    X = state.body(body)
    return X[0, 3], X[1, 3], float(np.arctan2(X[1, 0], X[0, 0]))


@pytest.mark.parametrize("name", ["four-bar", pytest.param("hexapod", marks=pytest.mark.slow)])
def test_gravity_compensation_holds_it_where_it_is(name):
    mechanism, start, _ = case(name)
    law = ml.PD(kp=0.0, kd=0.0, feed_forward="gravity")
    run = ml.simulate(mechanism, control=law, start=start, until=0.3, samples=4)
    for joint, at in start.items():
        assert run[joint].position == pytest.approx(at, abs=1e-10)


def test_all_fed_forward_is_the_motion_itself():
    law = ml.PD(kp=50.0, kd=5.0, feed_forward=("inertia", "velocity", "gravity"))
    run = ml.simulate(four_bar(), control=law, until=0.6, samples=31)
    assert np.abs(run.errors["A"]).max() < 1e-10


def test_an_integral_takes_the_load_away():
    run = ml.simulate(slider(load=3.0), control=ml.PID(kp=40.0, kd=12.0, ki=60.0), until=12.0, samples=25)
    assert abs(run.errors["x"][-1]) < 1e-8
    assert run.integrals["error of x"][-1] == pytest.approx(-3.0 / 60.0, abs=1e-8)


def test_a_model_that_differs_from_the_plant():
    """The model of the law has a mass of 2 kg and no load, the plant 2.5 kg and 3 N: 2.5 x'' = 2 w + 3."""
    believed = slider()
    law = ml.ComputedTorque(**LAW, model=believed)
    run = ml.simulate(slider(load=3.0, mass=2.5), control=law, start={"x": 0.0}, until=3.0, samples=31)
    kd, kp = KD * 2 / 2.5, KP * 2 / 2.5
    rest = -3.0 / 2.5 / kp
    swing, decay = np.sqrt(kp - kd**2 / 4), kd / 2
    t = run.time
    wave = np.cos(swing * t) + decay / swing * np.sin(swing * t)
    assert run.errors["x"] == pytest.approx(rest * (1 - np.exp(-decay * t) * wave), abs=1e-9)


@pytest.mark.parametrize("name", ["four-bar", pytest.param("3-RRR", marks=pytest.mark.slow)])
def test_sampled_tends_to_continuous_at_first_order(name):
    mechanism, start, _ = case(name)

    def run(**how):
        law = ml.ComputedTorque(**LAW)
        return ml.simulate(mechanism, control=law, start=start, until=0.4, samples=21, **how).errors

    smooth = run()
    apart = []
    for sample in (8e-3, 4e-3, 2e-3):
        held = run(sample=sample)
        apart.append(max(np.abs(held[joint] - smooth[joint]).max() for joint in smooth))
    # terms of second order in the sample time
    assert apart[0] / apart[1] == pytest.approx(2.0, abs=0.15)
    assert apart[1] / apart[2] == pytest.approx(2.0, abs=0.08)


@pytest.mark.parametrize("delay", [0, 1, 3])
def test_samples_and_delay_are_those_of_the_recursion(delay):
    T, m, kp, kd = 0.02, 2.0, 50.0, 9.0
    law = ml.PD(kp=kp, kd=kd)
    how = {"sample": T, "delay": delay * T, "samples": 41}
    run = ml.simulate(slider(), control=law, start={"x": 0.3}, until=40 * T, **how)
    x, v, commands, found = 0.3, 0.0, [], [0.3]
    for _ in range(40):
        commands.append(-kp * x - kd * v)
        u = commands[max(0, len(commands) - 1 - delay)]
        x, v = x + v * T + u / m * T**2 / 2, v + u / m * T
        found.append(x)
    assert run["x"].position == pytest.approx(np.array(found), abs=1e-11)


def test_a_python_controller_is_delayed_too():
    law = {"control": ml.PD(kp=50.0, kd=9.0)}
    same = {"control": lambda t, q, v: {"x": -50.0 * q["x"] - 9.0 * v["x"]}}
    how = {"start": {"x": 0.3}, "until": 0.5, "sample": 0.02, "delay": 0.04, "samples": 26}
    runs = [ml.simulate(slider(), **law, **how), ml.simulate(slider().without_drives(), **same, **how)]
    assert runs[0]["x"].position == pytest.approx(runs[1]["x"].position, abs=1e-13)


def test_limits_of_actuators_hold_under_control():
    limited = four_bar().replace(actuators=[ml.Actuator("A", limit=3.0)])
    run = ml.simulate(limited, control=ml.PD(kp=300.0, kd=10.0), until=0.6, samples=61)
    assert np.abs(run["A"].effort).max() == pytest.approx(3.0, abs=1e-12)


def test_many_designs_of_gains():
    kp = ml.Parameter("kp", 40.0)
    law = ml.PD({"x": 0.0}, kp=kp, kd=12.0)
    plant = slider(load=3.0 + 0.0 * kp)
    gains = {"kp": np.array([40.0, 80.0])}
    runs = ml.simulate(plant, control=law, start={"x": 0.0}, until=12.0, samples=5, parameters=gains)
    assert [run["x"].position[-1] for run in runs] == pytest.approx([3 / 40, 3 / 80], abs=1e-8)


def test_redundant_rows_are_no_hindrance():
    spatial = ml.examples.four_bar_in_space()
    joint = spatial.drives[0].of
    profile = ml.motion_laws.cycloidal(0.0, 0.4, duration=0.3)
    moved = spatial.replace(drives=[ml.Motion(joint, profile)])
    run = ml.simulate(moved, control=ml.ComputedTorque(**LAW), start={joint: 0.05}, until=0.3, samples=31)
    assert run.errors[joint] == pytest.approx(critically_damped(-0.05, 0.0, run.time), abs=1e-9)


@pytest.mark.parametrize("law", [ml.PD(kp=80.0, kd=8.0), ml.PID(kp=80.0, kd=8.0, ki=90.0)], ids=["PD", "PID"])
def test_a_law_built_into_the_description_is_the_law(law):
    built = law.built_into(four_bar())
    assert ml.from_text(ml.to_text(built)) == built
    given = ml.simulate(four_bar(), control=law, start={"A": 0.5}, until=0.3, samples=7)
    own = ml.simulate(built, start={"A": 0.5}, until=0.3, samples=7)
    assert own["A"].position == pytest.approx(given["A"].position, abs=1e-13)


def test_inverse_dynamics_cannot_be_built_in(texts):
    with pytest.raises(ValueError) as caught:
        ml.ComputedTorque(**LAW).built_into(four_bar())
    texts(caught.value)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("how", "tolerance"),
    [
        *(
            ({"method": method}, 1e-11)
            for method in ("slm", "system", "embedding", "virtual_work", "augmented")
        ),
        ({"integrator": "rk45"}, 1e-9),
        ({"integrator": "implicit", "rtol": 1e-7}, 1e-8),
        ({"integrator": "gear", "rtol": 1e-7}, 1e-5),
        ({"integrator": "rk4", "step": 1e-3}, 1e-8),
    ],
    ids=lambda value: next(iter(value.values())) if isinstance(value, dict) else "",
)
def test_every_method_and_integrator_takes_inverse_dynamics(how, tolerance):
    law = ml.ComputedTorque(**LAW)
    run = ml.simulate(four_bar(), control=law, start={"A": 0.5}, until=0.3, samples=31, **how)
    assert run.errors["A"] == pytest.approx(critically_damped(-0.3, 0.0, run.time), abs=tolerance)
