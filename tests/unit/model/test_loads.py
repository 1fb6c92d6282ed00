"""Descriptions of loads: their text, their fingerprints, and the objects on which they act or that they read."""

import numpy as np
import pytest

import multiloop as ml
from multiloop.model.expressions import depends_on_state, evaluate, parse, trace
from multiloop.topology import tree_of

WRITTEN = [
    ml.Force("dig", "fore.b", (ml.Parameter("f", 3.0), -5.0 * ml.time), frame="body"),
    ml.Torque("brake", "arm", -2.0 * ml.rate("A")),
    ml.Spring(
        "return", "arm.b", "ground.s", stiffness=50.0, length=0.3, preload=ml.length("return"), damping=2.0
    ),
    ml.JointSpring("hinge", "E", "angle", stiffness=ml.Parameter("k", 4.0), rest=0.2, damping=0.1),
]


def arm(*loads):
    return ml.Mechanism(
        "arm",
        planar=True,
        bodies=[
            ml.ground(A=(0, 0), s=(0.5, 1)),
            ml.rod("arm", length=1.0, mass=1.0),
            ml.rod("fore", length=0.6, mass=0.5),
        ],
        joints=[ml.Revolute("A", "ground.A", "arm.a"), ml.Revolute("E", "arm.b", "fore.a")],
        loads=loads,
    )


@pytest.mark.parametrize("load", WRITTEN, ids=lambda load: load.name)
def test_a_load_reads_back_as_it_was_written(load):
    assert ml.from_data(ml.to_data(load)) == load


def test_a_mechanism_reads_back_with_its_loads(tmp_path):
    mechanism = arm(*WRITTEN)
    assert ml.from_text(ml.to_text(mechanism)) == mechanism
    for name in ("arm.yaml", "arm.json"):
        ml.save(mechanism, tmp_path / name)
        assert ml.load(tmp_path / name) == mechanism


def test_a_mechanism_without_loads_has_the_text_and_fingerprint_that_it_had():
    """As version 0.1 wrote it: its files are read, and its cached kernels are found."""
    bare = arm()
    assert "loads" not in ml.to_text(bare)
    assert bare.fingerprint == "a4598343d60bab3dd61344b960899171bf06e3d7c07f5d58d032995cc1d3f1d0"
    assert arm(*WRITTEN).fingerprint != bare.fingerprint


def test_parameters_of_loads_are_those_of_the_mechanism():
    mechanism = arm(*WRITTEN)
    assert mechanism.parameters == {"f": 3.0, "k": 4.0}
    assert mechanism.with_parameters(k=9.0).loads[3].stiffness == ml.Parameter("k", 9.0)


def test_the_sentence_of_a_mechanism_counts_its_loads(texts):
    texts(repr(arm(*WRITTEN)), "4", "2")
    texts(repr(arm()))


def test_numbers_may_come_from_numpy():
    force = ml.Force("f", "arm.b", np.array([1.0, 2.0]))
    torque = ml.Torque("t", "arm", np.float64(3.0))
    assert force.force == (1.0, 2.0)
    assert torque.torque == 3.0


def test_what_a_load_touches_and_reads():
    dig, brake, back, hinge = WRITTEN
    assert (dig.markers, brake.markers, back.markers) == (("fore.b",), ("arm.origin",), ("arm.b", "ground.s"))
    assert (back.span, dig.span) == (("arm.b", "ground.s"), None)
    assert (hinge.coordinates, hinge.joints, brake.joints) == ((("E", "angle"),), ("E",), ("A",))


def test_joints_that_loads_act_at_or_read_stay_in_the_tree():
    four = {
        "planar": True,
        "bodies": [
            ml.ground(A=(0, 0), D=(1.0, 0)),
            *(
                ml.rod(name, length=x, mass=1.0)
                for name, x in (("crank", 0.3), ("coupler", 0.9), ("rocker", 0.8))
            ),
        ],
        "joints": [
            ml.Revolute("A", "ground.A", "crank.a"),
            ml.Revolute("B", "crank.b", "coupler.a"),
            ml.Revolute("C", "coupler.b", "rocker.b"),
            ml.Revolute("D", "ground.D", "rocker.a"),
        ],
    }
    for joint in "ABCD":
        spring = ml.JointSpring("hinge", joint, stiffness=3.0)
        reading = ml.Force("dig", "coupler.com", (ml.position(joint), 0.0))
        for load in (spring, reading):
            assert joint not in tree_of(ml.Mechanism("four-bar", loads=[load], **four)).cuts


def test_lengths_are_leaves_of_the_language(texts):
    expression = 3 * ml.length("return") - ml.length_rate("return")
    assert str(expression) == '3 * length("return") - length_rate("return")'
    assert parse(str(expression)) == expression
    assert depends_on_state(expression)
    assert evaluate(expression, span=lambda _: (0.5, 0.2)) == pytest.approx(1.3)
    assert trace(expression, span=lambda _: (0.5, 0.2)) == pytest.approx(1.3)
    with pytest.raises(ValueError) as caught:
        evaluate(expression)
    texts(caught.value, "'return'")
    with pytest.raises(TypeError) as caught:
        ml.length(3)
    texts(caught.value)
    assert ml.length("a") != ml.length_rate("a")


def test_a_motion_cannot_follow_a_length(texts):
    with pytest.raises(ml.ModelError) as caught:
        arm(WRITTEN[2]).replace(drives=[ml.Motion("A", ml.length("return"))])
    texts.fault(caught.value, "D04")


NO_NUMBERS = (None, [], (), [1, 2, 3])
JUNK = (*NO_NUMBERS, 5, "x", {}, float("nan"), float("inf"), True, ml.time, object(), b"q", -1.0)

FIELDS = {
    ml.Force: {"name": "f", "at": "arm.b", "force": (0, 1), "frame": "body"},
    ml.Torque: {"name": "t", "body": "arm", "torque": 1.0, "frame": "body"},
    ml.Spring: {
        "name": "s",
        "first": "arm.b",
        "second": "ground.s",
        "stiffness": 1.0,
        "length": 0.1,
        "damping": 0.0,
    },
    ml.JointSpring: {
        "name": "j",
        "joint": "A",
        "component": "",
        "stiffness": 1.0,
        "rest": 0.0,
        "damping": 0.0,
    },
}


def is_rejected_or_saved(kind, **changes):
    """True if this load is rejected with a code, or if a file describes the mechanism that contains it."""
    try:
        mechanism = arm(kind(**(FIELDS[kind] | changes)))
    except ml.ModelError as error:
        return all(fault.code for fault in error.faults)
    return ml.from_text(ml.to_text(mechanism)) == mechanism


@pytest.mark.parametrize("kind", FIELDS, ids=lambda kind: kind.__name__)
def test_invalid_fields_of_a_load_are_rejected(kind):
    for field in FIELDS[kind]:
        for junk in JUNK:
            assert is_rejected_or_saved(kind, **{field: junk}), (field, junk)


@pytest.mark.parametrize("junk", NO_NUMBERS, ids=str)
def test_a_stiffness_that_is_no_number_is_rejected(junk):
    assert is_rejected_or_saved(ml.Spring, stiffness=junk)
