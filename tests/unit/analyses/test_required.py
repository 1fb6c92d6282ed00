"""Required efforts at any time: those of `inverse`, by coordinate, with the same errors."""

import numpy as np
import pytest
from laws.closed_positions import built
from zoo.plain import lift

import multiloop as ml


def driven_lift():
    return lift(drives=[ml.Motion("C", angle=2 * ml.time**2, slide=0.1 * ml.time**3)])


def refused(code, ask):
    with pytest.raises(ml.SolveError) as caught:
        ask()
    (fault,) = caught.value.faults
    assert fault.code == code, str(caught.value)
    return fault


def test_every_coordinate_of_a_joint_has_its_own_effort():
    required = ml.RequiredEfforts(driven_lift())
    assert required.effort("C.angle", 0.5) == pytest.approx(0.5 * 4.0, rel=1e-12)
    assert required.effort("C.slide", 0.5) == pytest.approx(3.0 * (0.6 * 0.5 + 9.81), rel=1e-12)


def test_it_is_inverse_at_any_time_in_any_order():
    required = ml.RequiredEfforts(built("four-bar"))
    times = np.array([0.3, 0.0, 0.9, 0.1])
    expected = ml.inverse(built("four-bar"), t=np.sort(times))["A"].effort[np.argsort(np.argsort(times))]
    assert [required.effort("A", t) for t in times] == pytest.approx(expected, abs=1e-10)


def test_joints_with_actuators_stay_in_the_tree():
    """Wherever the loop would be cut: any joint may provide the effort for the crank."""
    drives = [ml.Motion("A", ml.motion_laws.constant_speed(4.0, start=0.5))]
    for joint in "BCD":
        mechanism = built("four-bar").replace(drives=drives, actuators=[ml.Actuator(joint)])
        expected = ml.inverse(mechanism, t=0.2)[joint].effort[0]
        assert ml.RequiredEfforts(mechanism).effort(joint, 0.2) == pytest.approx(expected, rel=1e-9), joint


def test_what_inverse_refuses_is_refused_when_it_is_made(texts):
    five_bar = built("five-bar")
    one = five_bar.replace(drives=five_bar.drives[:1])
    fault = refused("S01", lambda: ml.RequiredEfforts(one))
    texts(fault, "[S01]", "2", "1")
    fault = refused("S01", lambda: ml.RequiredEfforts(built("four-bar").without_drives()))
    texts(fault, "[S01]", "1", "0")
    unmoved = one.replace(actuators=[ml.Actuator("A"), ml.Actuator("E")])
    texts(refused("S01", lambda: ml.RequiredEfforts(unmoved)), "[S01]")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("a", ("'A'",)),
        ("B", ()),
        ("C", ()),
        ("A.slide", ("'slide'",)),
    ],
)
def test_joints_without_an_effort_are_refused_by_name(name, words, texts):
    required = ml.RequiredEfforts(built("four-bar"))
    fault = refused("S03", lambda: required.effort(name, 0.1))
    texts(fault, f"[S03] effort at '{name}'", *words)


def test_a_joint_with_several_coordinates_must_name_one(texts):
    fault = refused("S03", lambda: ml.RequiredEfforts(driven_lift()).effort("C", 0.1))
    texts(fault, "[S03]", "'C.angle'")


def test_released_under_the_required_efforts_it_follows_every_driven_coordinate():
    required = ml.RequiredEfforts(driven_lift())
    efforts = {"C.angle": required, "C.slide": required}
    run = ml.simulate(lift(), until=1.0, start={"C": (0.0, 0.0)}, efforts=efforts, samples=3, rtol=1e-9)
    assert run["C"].position[-1] == pytest.approx([2.0, 0.1], abs=1e-8)
