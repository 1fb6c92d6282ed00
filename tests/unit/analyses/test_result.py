"""The content and shapes of a Result of inverse dynamics, and its errors for unknown names."""

from types import SimpleNamespace

import numpy as np
import pytest
from zoo import ZOO
from zoo.plain import pinned_body

import multiloop as ml
from multiloop.analyses.results.result_warnings import energy_warnings
from multiloop.model.deprecation import MultiloopDeprecationWarning


@pytest.fixture(scope="module")
def flat():
    return ml.inverse(ZOO["four-bar"].build(), cycle=9)


@pytest.fixture(scope="module")
def space():
    return ml.inverse(ZOO["RSSR"].build(), cycle=5)


def test_shapes_in_the_plane(flat):
    assert flat.time.shape == (9,)
    for joint in flat:
        history = flat[joint]
        assert history.force.shape == (9, 2)
        for part in ("moment", "position", "rate", "acceleration", "effort", "load"):
            assert getattr(history, part).shape == (9,), part
    assert flat.body("crank").shape == (9, 3, 4)
    assert flat.marker("coupler.b").shape == (9, 2)
    assert flat.momentum.shape == (9, 3)  # about z, then along x and y


def test_shapes_in_space(space):
    ball = space["B"]
    assert ball.force.shape == ball.moment.shape == (5, 3)
    assert ball.position.shape == (5, 4)
    assert ball.rate.shape == ball.acceleration.shape == ball.effort.shape == (5, 3)
    assert space["A"].position.shape == (5,)
    assert space.marker("coupler.b").shape == (5, 3)
    assert space.momentum.shape == (5, 6)


def test_a_cycle_is_one_turn_with_both_ends(flat):
    assert flat.time[0] == 0.0
    assert flat.time[-1] == pytest.approx(2 * np.pi / 4.712)
    assert flat["A"].position[-1] - flat["A"].position[0] == pytest.approx(2 * np.pi, abs=1e-13)
    assert flat["A"].effort[-1] == pytest.approx(flat["A"].effort[0], abs=1e-10)


def test_only_driven_joints_have_an_effort(flat):
    assert np.abs(flat["A"].effort).max() > 1.0
    for joint in "BCD":
        assert np.abs(flat[joint].effort).max() == 0.0


def test_pins_carry_no_moment_in_the_plane(flat):
    for joint in flat:
        assert np.abs(flat[joint].moment).max() < 1e-12


def test_load_is_the_magnitude_of_the_force(flat):
    assert flat["C"].load == pytest.approx(np.hypot(*flat["C"].force.T))


def test_force_in_a_body_is_the_force_along_its_axes(flat, space):
    """In the axes of a crank at angle q, a force of the inertial frame is rotated by −q; magnitudes are equal."""
    q, force = flat["A"].position, flat["A"].force
    along = np.cos(q) * force[:, 0] + np.sin(q) * force[:, 1]
    across = -np.sin(q) * force[:, 0] + np.cos(q) * force[:, 1]
    assert flat["A"].force_in("crank") == pytest.approx(np.column_stack([along, across]), abs=1e-12)
    assert flat["A"].force_in("ground") == pytest.approx(force, abs=0)
    turned = space["B"].force_in("coupler")
    assert np.linalg.norm(turned, axis=1) == pytest.approx(space["B"].load)
    assert space.body("coupler")[2, :, :3] @ turned[2] == pytest.approx(space["B"].force[2])


def test_force_is_what_the_first_body_exerts_on_the_second(flat):
    """The rocker hangs on its pivot D: ground on rocker, upward on average."""
    still = ZOO["four-bar"].build().replace(drives=[ml.Motion("A", ml.motion_laws.constant_speed(1e-6))])
    result = ml.inverse(still, t=[0.0])
    weight = 9.81 * (1.0 + 2.0 + 1.5)
    total = result["A"].force[0] + result["D"].force[0]  # both have the ground first
    assert total == pytest.approx([0.0, weight], abs=1e-8)


def test_turning_a_joint_round_turns_its_force_and_its_coordinate():
    mechanism = ZOO["four-bar"].build()
    swapped = mechanism.replace(
        joints=[
            ml.Revolute("C", "rocker.b", "coupler.b") if joint.name == "C" else joint
            for joint in mechanism.joints
        ],
        guess={name: -value[0] if name == "C" else value[0] for name, value in mechanism.guess},
    )
    one, other = ml.inverse(mechanism, t=[0.0, 0.3]), ml.inverse(swapped, t=[0.0, 0.3])
    assert other["C"].force == pytest.approx(-one["C"].force, abs=1e-11)
    assert other["C"].position == pytest.approx(-one["C"].position, abs=1e-12)
    assert other["C"].rate == pytest.approx(-one["C"].rate, abs=1e-12)
    assert other["A"].effort == pytest.approx(one["A"].effort, abs=1e-12)


def test_a_known_effort_is_taken_into_account():
    """A brake of 5 N m on the rocker: the motor torque increases by the ratio of their rates."""
    mechanism = ZOO["four-bar"].build()
    braked = mechanism.replace(actuators=[ml.Actuator("A"), ml.Actuator("D", effort=5.0)])
    times = np.linspace(0.0, 1.2, 7)
    plain, result = ml.inverse(mechanism, t=times), ml.inverse(braked, t=times)
    ratio = plain["D"].rate / plain["A"].rate
    assert result["A"].effort == pytest.approx(plain["A"].effort - 5.0 * ratio, abs=1e-10)
    assert result["D"].effort == pytest.approx(np.full(7, 5.0))


def test_an_actuator_elsewhere_than_the_drive_does_the_same_work():
    mechanism = ZOO["four-bar"].build()
    pushed = mechanism.replace(actuators=[ml.Actuator("D")])
    times = np.linspace(0.1, 1.2, 7)
    plain, result = ml.inverse(mechanism, t=times), ml.inverse(pushed, t=times)
    assert np.abs(result["A"].effort).max() == 0.0
    power = plain["A"].effort * plain["A"].rate
    assert result["D"].effort * result["D"].rate == pytest.approx(power, abs=1e-9)


def test_a_tool_may_be_driven_and_the_motors_found():
    """Five-bar: the tool's path is prescribed instead of the cranks' motion, and the torques are the same."""
    mechanism = ZOO["five-bar"].build()
    tool = ml.Motion(
        "left rod.b",
        x=0.15 + 0.05 * ml.expr.sin(3 * ml.time),
        y=0.5 + 0.03 * ml.expr.cos(2 * ml.time),
    )
    led = mechanism.replace(drives=[tool], actuators=[ml.Actuator("A"), ml.Actuator("E")])
    result = ml.inverse(led, t=np.linspace(0.0, 1.0, 11))
    t = result.time
    expected = np.column_stack([0.15 + 0.05 * np.sin(3 * t), 0.5 + 0.03 * np.cos(2 * t)])
    assert result.marker("left rod.b") == pytest.approx(expected, abs=1e-12)
    k = 4
    a, e = result["A"], result["E"]
    h = ml.time - t[k]
    same = mechanism.replace(
        drives=[
            ml.Motion(name, j.position[k] + j.rate[k] * h + 0.5 * j.acceleration[k] * h * h)
            for name, j in (("A", a), ("E", e))
        ],
        guess={name: np.atleast_1d(result[name].position[k]).tolist() for name in result},
    )
    again = ml.inverse(same, t=[t[k]])
    for joint in result:
        assert again[joint].effort[0] == pytest.approx(result[joint].effort[k], abs=1e-10), joint
        assert again[joint].force[0] == pytest.approx(result[joint].force[k], abs=1e-9), joint


# asking -----------------------------------------------------------------------------------------------


def test_states_are_picked_at_the_nearest_instant(flat):
    state = flat.at(flat.time[3] + 1e-3)
    assert state.time == flat.time[3]
    assert state["C"].position == flat["C"].position[3]
    assert state["C"].rate == flat["C"].rate[3]
    assert state.marker("coupler.b") == pytest.approx(flat.marker("coupler.b")[3])
    assert flat.final.time == flat.time[-1]


@pytest.mark.parametrize("reference", ["coupler.b", "crank.com", "ground.D"])
def test_a_path_is_where_the_states_have_the_marker(flat, space, reference):
    for result in (flat, space):
        places = [result.at(t).marker(reference) for t in result.time]
        assert np.array_equal(result.marker(reference), places)


def test_a_single_time_gives_one_instant():
    result = ml.inverse(ZOO["four-bar"].build(), t=0.3)
    assert result.time.tolist() == [0.3]
    assert result["A"].effort.shape == (1,)


def test_later_times_may_be_asked_for_without_the_earlier_ones():
    """The mechanism's guess determines the assembly mode, whatever the position of its drive."""
    mechanism = ZOO["four-bar"].build()
    alone, along = ml.inverse(mechanism, t=1.0), ml.inverse(mechanism, t=np.linspace(0, 1, 20))
    assert alone["A"].effort[0] == pytest.approx(along["A"].effort[-1], abs=1e-10)
    assert alone["C"].load[0] == pytest.approx(along["C"].load[-1], abs=1e-10)


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda r: r["a"], ("'a'", "'A'")),
        (lambda r: r.body("copler"), ("'copler'", "'coupler'")),
        (lambda r: r.marker("crank.tip"), ("'crank.tip'",)),
        (lambda r: r.marker("crnk.b"), ("'crnk'", "'crank'")),
        (lambda r: r.marker("crank"), ("'crank'", "markers: '", "', '")),
        (lambda r: r["A"].force_in("crnk"), ("'crnk'", "'crank'")),
    ],
)
def test_unknown_names_are_reported_with_the_nearest(flat, ask, message, texts):
    with pytest.raises(ml.UnknownNameError) as caught:
        ask(flat)
    assert isinstance(caught.value, KeyError)
    (fault,) = caught.value.faults
    assert caught.value.subject == "mechanism 'four-bar'"
    texts(fault, "[R01]", *message)


def test_times_outside_the_run_are_refused(flat, texts):
    with pytest.raises(ml.SolveError) as caught:
        flat.at(99)
    texts.fault(caught.value, "R02", "99 s", "0", "1.33344 s")
    assert caught.value.time == 99


def test_times_in_any_order_have_states():
    result = ml.inverse(ZOO["four-bar"].build(), t=[0.3, 0.0, 0.2])
    assert result.at(0.19).time == 0.2
    assert result.final.time == 0.2


def test_motions_at_different_times_are_not_compared(flat, texts):
    other = ml.inverse(flat.mechanism, t=[0.0, 0.1])
    with pytest.raises(ml.SolveError) as caught:
        flat.deviation_from(other)
    texts.fault(caught.value, "R03", "9", "1.33344 s", "2", "0.1 s")


@pytest.mark.parametrize("named", [{}, {"t": 0.0, "cycle": 3}])
def test_either_times_or_a_cycle_must_be_given(named, texts):
    with pytest.raises(ml.SolveError) as caught:
        ml.inverse(ZOO["four-bar"].build(), **named)
    texts.fault(caught.value, "S02", "`t`", "`cycle`")


def test_an_unknown_method_is_refused_with_the_list(texts):
    with pytest.raises(ml.SolveError) as caught:
        ml.inverse(ZOO["four-bar"].build(), t=0.0, method="newest")
    texts.fault(caught.value, "S08", "'newest'")


# in few words -----------------------------------------------------------------------------------------


def test_extremes_are_sorted_and_print(flat):
    table = flat.extremes()
    rows = list(table)
    assert (rows[0].joint, rows[0].what, rows[0].unit) == ("A", "effort", "N m")
    k = int(np.argmax(np.abs(flat["A"].effort)))
    assert rows[0].value == pytest.approx(flat["A"].effort[k])
    assert rows[0].time == flat.time[k]
    loads = [row.value for row in rows if row.what == "load"]
    assert loads == sorted(loads, reverse=True)
    assert loads[0] == pytest.approx(max(flat[joint].load.max() for joint in flat))
    text = str(table)
    assert len(text.splitlines()) == 1 + len(rows)
    assert "°" in text


def test_its_representation_is_one_line(flat, texts):
    text = repr(flat)
    texts(text, "'four-bar'", "9", "0", "1.33344 s")
    assert "\n" not in text
    texts(repr(flat["C"]), "'C'", "9")


def test_the_undetermined_components_of_a_joint_are_stated(texts):
    result = ml.inverse(ZOO["four-bar-space"].build(), t=[0.0])
    texts(repr(result["B"]))


def test_near_singular_positions_are_reported():
    """A parallelogram driven to within 0.02 rad of its flat position, where it could change its assembly mode."""
    mechanism = (
        ZOO["parallelogram"].build().replace(drives=[ml.Motion("A", 1.2 - 1.18 * ml.expr.sin(ml.time))])
    )
    result = ml.inverse(mechanism, t=np.linspace(0.0, np.pi, 61))
    (near,) = result.singularities
    assert near.time == pytest.approx(np.pi / 2, abs=1e-3)
    assert near.drive[0] == pytest.approx(0.02, abs=1e-6)
    assert near.singularity_distance < 0.02
    with pytest.warns(
        MultiloopDeprecationWarning, match="'closeness' is called 'singularity_distance'"
    ) as caught:
        assert near.closeness == near.singularity_distance
    assert caught[0].filename == __file__
    assert not ml.inverse(mechanism, t=np.linspace(0.0, 0.5, 11)).singularities


@pytest.mark.parametrize("time", [1.0, 16.0**5])
def test_lost_energy_is_reported_for_slow_mechanisms_too(time):
    """A mechanism that moves a tenth of its length in a run, whatever the duration of the run."""
    run = SimpleNamespace(
        work=np.zeros(2),
        energy_drift=0.1,
        mechanism=SimpleNamespace(name="arm", moving=[ml.Body("arm", mass=2.0, inertia=0.1)]),
        kinetic_energy=np.array([0.0, 0.5 * 2.0 * (0.1 / time) ** 2]),
        plan=SimpleNamespace(length=1.0),
        time=np.array([0.0, time]),
    )
    (warning,) = energy_warnings(run)
    assert (warning.code, warning.place, warning.value) == ("W44", "arm", 0.1)


def steel_bar(length: float) -> ml.Mechanism:
    return pinned_body(ml.rod("bar", length=length, mass=2.0), name="pendulum")


def test_results_of_every_analysis_warn_of_implausible_numbers(texts):
    """A length in millimetres is stated in every printed result, and in none of a bar of the right length."""
    large, rest = steel_bar(500.0), {"A": -np.pi / 2}
    run = ml.simulate(large, until=0.01, start=rest, samples=2, progress=False)
    balanced = ml.equilibrium(large, guess=rest)
    for status in (run.status, balanced.status):
        texts(status, "'bar'", "500 m")
    printed = [repr(run), run.summary(), str(run.extremes()), repr(balanced)]
    printed += [repr(analyse(large, guess=rest)) for analyse in (ml.eigenmodes, ml.linearise)]
    assert all("'bar' has a size of 500 m" in " ".join(text.split()) for text in printed)
    texts(printed[-2], "'bar'", "500 m")
    texts(printed[-1], "'bar'", "500 m")
    for analyse in (ml.equilibrium, ml.eigenmodes, ml.linearise):
        (warning,) = analyse(large, guess=rest).warnings
        assert (warning.code, warning.place, warning.value, warning.unit) == ("W02", "bar", 500.0, "m")
    small = steel_bar(0.5)
    for analyse in (ml.equilibrium, ml.eigenmodes, ml.linearise):
        assert "size of" not in repr(analyse(small, guess=rest))
