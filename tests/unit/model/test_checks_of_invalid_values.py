"""Invalid values at every place of a description: the result is a mechanism or a ModelError, and nothing else."""

from dataclasses import fields, replace
from math import inf, nan

import casadi as ca
import numpy as np
import pytest
from hypothesis import given, strategies as st

from multiloop import (
    Actuator,
    Body,
    Helical,
    Marker,
    Mechanism,
    ModelError,
    Motion,
    Parameter,
    Pin,
    Revolute,
    ground,
    plate,
    position,
    rod,
    time,
)

JUNK = [
    None,
    "",
    "x",
    "x.y",
    b"x",
    0,
    True,
    -1.5,
    nan,
    inf,
    10**400,
    3j,
    [],
    [1, [2, 3]],
    (1, 2, 3, 4),
    {},
    {"x": {}},
    {3: (0, 0)},
    {1, 2},
    object(),
    len,
    Revolute,
    Parameter("p", 2.0),
    time,
    position("nowhere"),
    np.array([1.0, nan]),
    np.array([["a"]]),
    ca.SX.sym("s"),
    ca.DM([1, 2]),
    Body("odd"),
    Marker((0, 0)),
    Revolute("odd", "a.b", "c.d"),
    Motion("odd", 1),
]
junk = st.integers(0, len(JUNK) - 1).map(JUNK.__getitem__)
PARTS = {
    "body": Body("arm", mass=1.0, com=0.5, inertia=(0.1, 0.1, 0.1), markers={"a": (0, 0, 0)}),
    "joint": Revolute("J", "ground.A", "arm.a"),
    "screw": Helical("J", "ground.A", "arm.a", pitch=0.1),
    "pin": Pin("J", "ground.A", ["arm.a"]),
    "motion": Motion("J", 1.0),
    "actuator": Actuator("J"),
}
FIELDS = [(part, entry.name) for part, thing in PARTS.items() for entry in fields(thing)]


def arm(**changes):
    """One link on the ground, with some parts changed."""
    part = PARTS | changes
    joint = next((part[kind] for kind in ("pin", "screw", "joint") if kind in changes), part["joint"])
    described = {
        "bodies": [ground(A=(0, 0, 0)), part["body"]],
        "joints": [joint],
        "drives": [part["motion"]] if "pin" not in changes else [],
        "actuators": [part["actuator"]] if "pin" not in changes else [],
    }
    return Mechanism(
        **({"name": "arm"} | described | {key: changes[key] for key in changes if key not in PARTS})
    )


def outcome(build):
    """The ModelError that building raises, if any; every other exception is an error of the test."""
    try:
        build()
    except ModelError as error:
        return error
    return None


def assert_readable(error):
    if error is not None:
        assert error.faults
        assert all(fault.where and fault.what[-1] == "." and fault.remedy for fault in error.faults)
        assert str(error).count("\n[") == len(error.faults)


@pytest.mark.parametrize(("part", "name"), FIELDS)
def test_junk_in_any_field_of_a_part_raises_nothing_but_a_model_error(part, name):
    for junk in JUNK:
        assert_readable(outcome(lambda junk=junk: arm(**{part: replace(PARTS[part], **{name: junk})})))


@pytest.mark.parametrize("name", [entry.name for entry in fields(Mechanism)])
def test_junk_in_any_field_of_a_mechanism_raises_nothing_but_a_model_error(name):
    for junk in [*JUNK, *([junk] for junk in JUNK), *({"J": junk} for junk in JUNK)]:
        assert_readable(outcome(lambda junk=junk: arm(**{name: junk})))


@given(junk, junk, junk, junk, st.booleans())
def test_junk_in_a_marker_raises_nothing_but_a_model_error(point, angle, z, x, planar):
    body = replace(PARTS["body"], markers={"a": Marker(point, angle, z, x)})
    assert_readable(outcome(lambda: arm(planar=planar, body=body)))


@given(junk, junk)
def test_junk_for_a_rod_or_a_plate_raises_nothing_but_a_model_error(one, other):
    corners = {"a": (0, 0, 0), "b": one, "c": (0, 1, 0)}
    for build in (
        lambda: rod("arm", length=one, mass=other),
        lambda: rod("arm", length=1, mass=1, inertia=one, com=other),
        lambda: rod("arm", length=1, mass=1, markers=one, inertia_at=other),
        lambda: plate("arm", corners=corners, mass=other),
        lambda: plate("arm", corners=one, mass=1, markers=other),
    ):
        assert_readable(outcome(lambda build=build: arm(body=build())))
