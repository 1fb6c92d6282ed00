"""Checks: one mistake is one fault, and all faults of a mechanism are reported together."""

from dataclasses import replace
from math import inf, nan

import numpy as np
import pytest

from multiloop import (
    Actuator,
    Body,
    Fault,
    Mechanism,
    ModelError,
    Motion,
    Parameter,
    Revolute,
    Spherical,
    ground,
    marker,
    plate,
    rod,
    time,
)
from multiloop.model import JOINTS, suggestion
from multiloop.model.checks import CHECKS, faults_of

BODY = Body("arm", mass=1.0, com=0.5, inertia=(0.1, 0.1, 0.1), markers={"a": (0, 0, 0)})


def arm(body=BODY, joint=None, **changes):
    """One link on the ground, with some parts changed."""
    joint = joint or Revolute("J", "ground.A", "arm.a")
    described = {"bodies": [ground(A=(0, 0, 0)), body], "joints": [joint], "drives": [Motion("J", 1.0)]}
    return Mechanism(**({"name": "arm"} | described | changes))


def faults(build):
    with pytest.raises(ModelError) as caught:
        build()
    assert caught.value.faults
    return caught.value.faults


def test_the_arm_itself_is_sound():
    assert faults_of(arm()) == []


# one mistake, one fault ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "mass", [nan, inf, "1", None, -1.0, -1e-9, time, Parameter("m", 0.0) - 2, 1 / Parameter("m", 0)]
)
@pytest.mark.parametrize(
    "build",
    [
        lambda mass: rod("arm", length=1.0, mass=mass),
        lambda mass: plate("arm", corners={"a": (0, 0, 0), "b": (1, 0, 0), "c": (0, 1, 0)}, mass=mass),
        lambda mass: Body(
            "arm", mass=mass, inertia=(1, 1, 1), com=(3, 0, 0), markers={"a": (0, 0, 0)}, inertia_at="a"
        ),
    ],
)
def test_a_wrong_mass_is_no_fault_of_the_inertia(build, mass):
    assert len(faults(lambda: arm(body=build(mass)))) == 1


@pytest.mark.parametrize("length", [nan, "long", None, time, 1 / Parameter("L", 0)])
def test_a_wrong_length_is_reported_once(length):
    assert len(faults(lambda: arm(body=rod("arm", length=length, mass=1.0)))) == 1


@pytest.mark.parametrize(
    "inertia",
    [
        -1.0,
        (-1, 1, 1),
        (1, 1, 3),
        nan,
        "I",
        (1, nan, 1),
        (1, 2),
        [[1, 2], [2, 1]],
        np.eye(3) + np.eye(3)[::-1] * 2,
    ],
)
def test_an_impossible_inertia_is_reported_once(inertia):
    found = faults(lambda: arm(body=replace(BODY, inertia=inertia)))
    assert len(found) == 1
    assert "arm" in found[0].where


def test_an_unsymmetric_tensor_is_refused_and_a_rounded_one_is_not(texts):
    tensor = np.diag([1.0, 1.0, 1.0])
    tensor[0, 1] = 0.1
    texts(faults(lambda: arm(body=replace(BODY, inertia=tensor)))[0].what)
    tensor[1, 0] = 0.1 * (1 + 1e-12)
    assert faults_of(arm(body=replace(BODY, inertia=tensor))) == []


def test_the_triangle_inequality_of_principal_moments_holds_to_six_digits():
    assert faults_of(arm(body=replace(BODY, inertia=(1.0, 2.0, 3.0000001)))) == []
    assert faults_of(arm(body=replace(BODY, inertia=0.0))) == []
    found = faults(lambda: arm(body=replace(BODY, inertia=(1.0, 2.0, 3.0001))))
    assert [fault.code for fault in found] == ["M04"]


def test_the_same_parameter_at_many_places_is_reported_once():
    high, low = Parameter("L", 1.0), Parameter("L", 2.0)
    found = faults(lambda: arm(body=rod("arm", length=high, mass=low)))
    assert [fault.code for fault in found] == ["M01"]


def test_a_missing_body_is_not_also_a_missing_connection():
    found = faults(lambda: arm(joint=Revolute("J", "ground.A", "am.a")))
    assert [fault.code for fault in found] == ["T02"]


def test_a_missing_ground_is_reported_once():
    found = faults(lambda: arm(bodies=[BODY]))
    assert [fault.code for fault in found] == ["M10"]


def test_an_object_of_the_wrong_type_is_reported_without_consequential_errors():
    assert [fault.code for fault in faults(lambda: arm(bodies=[ground(A=(0, 0, 0)), "arm"]))] == ["M12"]
    assert [fault.code for fault in faults(lambda: arm(joints=["J"]))] == ["M12"]


def test_and_with_what_does_not():
    found = faults(lambda: arm(bodies=["ground", Body("arm", mass=-1.0)], gravity=(0, nan, 0), name=""))
    assert [fault.code for fault in found] == ["M12", "M02", "M05", "M03"]


def test_all_faults_of_a_mechanism_come_together():
    found = faults(
        lambda: Mechanism(
            "bad",
            planar=True,
            gravity=(0, 0, 1),
            bodies=[
                ground(A=(0, 0)),
                rod("a", length=1, mass=-1),
                rod("b", length=1, mass=nan),
                rod("c", length=1, mass=1),
            ],
            joints=[
                Revolute("A", "ground.A", "a.a"),
                Revolute("B", "a.b", "b.e"),
                Spherical("C", "b.b", "b.a"),
            ],
            drives=[Motion("Z", 1)],
            actuators=[Actuator("A", limit=0)],
            guess={"A": (1, 2)},
        )
    )
    assert sorted(fault.code for fault in found) == sorted(
        ["M06", "M03", "M05", "T03", "M06", "T01", "T04", "D01", "D06", "M11"]
    )
    assert len(CHECKS) == 14


# dimensions ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", JOINTS)
def test_spatial_joints_are_refused_in_the_plane_and_no_others(kind):
    def build():
        joint = kind("J", "ground.A", "arm.a")
        return Mechanism(
            "arm", planar=True, bodies=[ground(A=0.0), rod("arm", length=1, mass=1)], joints=[joint]
        )

    if kind.planar_too:
        assert build().planar
    else:
        assert [fault.code for fault in faults(build)] == ["M06"]


@pytest.mark.parametrize(
    ("planar", "point", "fits"),
    [
        (True, 0.5, True),
        (True, (0, 1), True),
        (True, (0, 1, 0), False),
        (True, (), False),
        (False, 0.5, True),
        (False, (0, 1), False),
        (False, (0, 1, 2), True),
        (False, (0, 1, 2, 3), False),
    ],
)
def test_points_and_mass_centres_have_the_dimension_of_the_space(planar, point, fits):
    start = (0, 0) if planar else (0, 0, 0)
    for body in (
        rod("arm", length=1, mass=1, markers={"m": point}),
        rod("arm", length=1, mass=1, com=point),
    ):
        described = {"planar": planar, "bodies": [ground(A=start), body]}
        if fits:
            arm(**described)
        else:
            assert [fault.code for fault in faults(lambda described=described: arm(**described))] == ["M06"]


def test_axes_belong_to_space_and_angles_to_the_plane():
    def turned(planar, **axes):
        start = (0, 0) if planar else (0, 0, 0)
        body = rod("arm", length=1, mass=1, markers={"m": marker(start, **axes)})
        return lambda: arm(planar=planar, bodies=[ground(A=start), body])

    turned(True, angle=0.3)()
    turned(False, z=(0, 1, 0))()
    turned(False, x=(0, 1, 0))()
    for wrong in (
        turned(True, z=(0, 1, 0)),
        turned(True, x=(0, 1, 0)),
        turned(False, angle=0.3),
        turned(False, angle=Parameter("a", 0.0)),
        turned(False, z=(0, 1)),
    ):
        assert [fault.code for fault in faults(wrong)] == ["M06"]
    for degenerate in (
        turned(False, z=(0, 0, 0)),
        turned(False, x=(0, 0, 2)),
        turned(False, z=(1, 1, 0), x=(-2, -2, 0)),
        turned(False, z=(0, 0, 1), x=(0, 0, Parameter("a", 1.0))),
    ):
        assert [fault.code for fault in faults(degenerate)] == ["M09"]


# texts -----------------------------------------------------------------------------------------


def test_a_suggestion_is_the_nearest_name_or_the_list_of_them(texts):
    texts(suggestion("couplr", ["crank", "coupler"]), "'coupler'")
    texts(suggestion("a", ["A", "B"]), "'A'")
    texts(suggestion("xyz", ["b", "a"]))
    texts(suggestion("xyz", []))
    assert suggestion("?", [f"n{k:02}" for k in range(20)]).endswith("n11, …")


def test_a_fault_reads_as_two_lines(texts):
    texts(Fault("M03", "body 'x'", "mass is -1 kg.", "Give more."), "[M03]", "'x'", "-1 kg")
