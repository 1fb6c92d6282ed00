"""Motions and actuators: the coordinates that they name, and the objects on which they act."""

from dataclasses import FrozenInstanceError

import pytest

from multiloop import (
    Actuator,
    Cylindrical,
    Free,
    Mechanism,
    ModelError,
    Motion,
    Parameter,
    Spherical,
    Universal,
    analyse,
    forward,
    ground,
    inverse,
    marker,
    position,
    rate,
    rod,
    time,
)
from multiloop.model import constant_speed


def on(joint, *, drives=(), actuators=(), planar=False):
    """One link on the ground by a joint of this kind."""
    point = (0, 0) if planar else (0, 0, 0)
    return Mechanism(
        "arm",
        planar=planar,
        bodies=[ground(A=point), rod("arm", length=1.0, mass=1.0)],
        joints=[joint("J", "ground.A", "arm.a")],
        drives=drives,
        actuators=actuators,
    )


def codes(*arguments, **options):
    with pytest.raises(ModelError) as caught:
        on(*arguments, **options)
    return [fault.code for fault in caught.value.faults]


def test_a_bare_profile_has_no_name_and_components_have_theirs():
    assert Motion("A", 1).named() == {"": 1.0}
    assert Motion("c.p", x=1, angle=time).named() == {"angle": time, "x": 1.0}
    assert Motion("A").named() == {}
    assert Motion("c.p", x=1).on_marker
    assert not Motion("A", 1).on_marker


def test_joints_with_several_coordinates_are_driven_by_name():
    def rates(*arguments, **options):
        return list(inverse(on(*arguments, **options), t=0.0)["J"].rate[0])

    assert rates(Cylindrical, drives=[Motion("J", angle=constant_speed(2.0), slide=0.1)]) == [2, 0]
    assert rates(Universal, drives=[Motion("J", first=time), Motion("J", second=2 * time)]) == [1, 2]
    in_space = on(Free, drives=[Motion("J", x=time, y=0, z=0)])
    assert analyse(in_space).determinacy.stages[0].unknowns == ("J (x)", "J (y)", "J (z)")
    assert rates(Free, planar=True, drives=[Motion("J", x=time, y=0, angle=2 * time)]) == [1, 0, 2]


def test_joints_with_several_coordinates_are_actuated_by_name():
    arm = on(Cylindrical, actuators=[Actuator("J", "slide", effort=6), Actuator("J", "angle", effort=3)])
    moved = forward(arm, {"J": (0, 0)})
    assert list(moved["J"].effort[0]) == [3, 6]


@pytest.mark.parametrize("kind", [Cylindrical, Universal, Spherical, Free])
def test_a_bare_profile_will_not_do_for_them(kind):
    assert codes(kind, drives=[Motion("J", time)]) == ["D03"]


@pytest.mark.parametrize("component", ["x", "y", "z"])
def test_a_marker_in_space_is_driven_along_the_axes(component):
    on(Free, drives=[Motion("arm.b", **{component: time})])
    assert codes(Free, drives=[Motion("arm.b", angle=time)]) == ["D03"]


def test_one_coordinate_takes_one_motion_however_it_is_named():
    assert codes(Cylindrical, drives=[Motion("J", slide=1), Motion("J", slide=time)]) == ["D02"]
    assert codes(Free, drives=[Motion("arm.b", x=1), Motion("arm.b", x=time, y=2)]) == ["D02"]


def test_an_effort_may_depend_on_the_state_and_on_parameters():
    damping = Parameter("c", 0.1)
    on(Cylindrical, actuators=[Actuator("J", "slide", effort=-damping * rate("J", 1), limit=damping)])
    on(Spherical, drives=[Motion("arm.b", x=1)])
    assert codes(Cylindrical, actuators=[Actuator("J", "slide", effort=rate("J", 2))]) == ["D07"]
    assert codes(Cylindrical, actuators=[Actuator("J", "slide", effort=position("K"))]) == ["D07"]


def test_a_quaternion_has_four_positions_and_three_rates(texts):
    def pushed(effort):
        bodies = [ground(A=(0, 0, 0)), rod("a", length=1, mass=1), rod("b", length=1, mass=1)]
        joints = [Spherical("S", "ground.A", "a.a"), Cylindrical("C", "a.b", "b.a")]
        return Mechanism(
            "arm", bodies=bodies, joints=joints, actuators=[Actuator("C", "slide", effort=effort)]
        )

    pushed(position("S", 3) + rate("S", 2))
    with pytest.raises(ModelError) as caught:
        pushed(position("S", 4))
    texts.fault(caught.value, "D07", "4")
    with pytest.raises(ModelError) as caught:
        pushed(rate("S", 3))
    texts.fault(caught.value, "D07", "3")


def test_the_ground_is_not_driven():
    assert codes(Free, drives=[Motion("ground.A", x=time)]) == ["D01"]


def test_drives_are_frozen_and_hold_plain_floats():
    assert Motion("A", 1) == Motion("A", 1.0)
    assert type(Motion("A", 1).profile) is float
    assert type(Actuator("A", limit=2).limit) is float
    with pytest.raises(FrozenInstanceError):
        Motion("A", 1).of = "B"
    with pytest.raises(FrozenInstanceError):
        Actuator("A").joint = "B"


def test_markers_with_axes_are_driven_too():
    body = rod("arm", length=1.0, mass=1.0, markers={"tool": marker((1, 0, 0), z=(1, 0, 0))})
    bodies = [ground(A=(0, 0, 0)), body]
    drives = [Motion("arm.tool", z=time)]
    assert (
        Mechanism("arm", bodies=bodies, joints=[Free("J", "ground.A", "arm.a")], drives=drives)
        .drives[0]
        .on_marker
    )
