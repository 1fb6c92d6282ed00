"""The mechanism as a whole: its parts, modified copies, and its identity."""

import os
import pickle
import subprocess
import sys
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from multiloop import Actuator, Mechanism, ModelError, Motion, Parameter, Pin, Revolute, ground, rod, to_text
from multiloop.model import constant_speed


def four_bar(**changes):
    described = {
        "planar": True,
        "gravity": (0, -9.81),
        "bodies": [
            ground(A=(0, 0), D=(1.0, 0)),
            rod("crank", length=Parameter("r", 0.3), mass=1.0),
            rod("coupler", length=0.9, mass=2.0),
            rod("rocker", length=0.8, mass=Parameter("m", 1.5)),
        ],
        "joints": [
            Revolute("A", "ground.A", "crank.a"),
            Revolute("B", "crank.b", "coupler.a"),
            Revolute("C", "coupler.b", "rocker.b"),
            Revolute("D", "ground.D", "rocker.a"),
        ],
        "drives": [Motion("A", constant_speed(4.712))],
        "guess": {"coupler.b": (0.8, 0.7)},
    }
    return Mechanism("four-bar", **(described | changes))


def test_parts_are_found_by_name():
    machine = four_bar()
    assert machine.body("crank") is machine.bodies[1]
    assert machine.joint("C").second == "rocker.b"
    assert machine.marker("rocker.b").point == (0.8,)
    assert [body.name for body in machine.moving] == ["crank", "coupler", "rocker"]


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (lambda m: m.body("couplr"), ("[T02]", "'couplr'", "'coupler'")),
        (lambda m: m.joint("a"), ("[T02]", "'a'", "'A'")),
        (lambda m: m.marker("crank.x"), ("[T03]", "'x'")),
    ],
)
def test_unknown_names_get_a_suggestion(asked, expected, texts):
    with pytest.raises(ModelError) as caught:
        asked(four_bar())
    texts(caught.value, *expected)


def test_a_pin_appears_as_its_revolutes():
    links = [rod(name, length=1, mass=1) for name in ("a", "b", "c")]
    machine = Mechanism(
        "pinned",
        planar=True,
        bodies=[ground(A=(0, 0)), *links],
        joints=[Revolute("A", "ground.A", "a.a"), Pin("P", "a.b", ["b.a", "c.a"])],
    )
    assert [joint.name for joint in machine.connections] == ["A", "P/b", "P/c"]
    assert machine.joint("P/c") == Revolute("P/c", "a.b", "c.a")


def test_gravity_points_down_by_default():
    assert four_bar(gravity=None).gravity == (0.0, -9.81)
    free = Mechanism(
        "pendulum",
        bodies=[ground(A=(0, 0, 0)), rod("arm", length=1, mass=1)],
        joints=[Revolute("A", "ground.A", "arm.a")],
    )
    assert free.gravity == (0.0, 0.0, -9.81)


def test_it_describes_itself_in_one_sentence(texts):
    texts(repr(four_bar()), "'four-bar'", "3", "4", "2")
    texts(repr(four_bar().without_drives()), "2")


# other versions -----------------------------------------------------------------------------------


def test_replacing_gives_another_one_checked_anew(texts):
    machine = four_bar()
    assert machine.replace(gravity=(0, 0)).gravity == (0.0, 0.0)
    assert machine.gravity == (0.0, -9.81)
    with pytest.raises(ModelError) as caught:
        machine.replace(gravity=(0, 0, 0))
    texts.fault(caught.value, "M06", "3")


def test_released_removes_only_the_motions():
    machine = four_bar(actuators=[Actuator("A")])
    free = machine.without_drives()
    assert free.drives == ()
    assert free.actuators == machine.actuators
    assert free != machine
    assert free.replace(drives=machine.drives) == machine


def test_parameters_are_listed_by_name_and_take_other_values():
    machine = four_bar()
    assert machine.parameters == {"m": 1.5, "r": 0.3}
    other = machine.with_parameters({"m": 2}, r=0.35)
    assert other.parameters == {"m": 2.0, "r": 0.35}
    assert other.marker("crank.b").point == (Parameter("r", 0.35),)
    assert other.with_parameters(machine.parameters) == machine
    assert machine.with_parameters() is machine


def test_parameters_are_found_and_changed_inside_expressions():
    speed = Parameter("speed", 2.0)
    machine = four_bar(drives=[Motion("A", constant_speed(2 * speed, start=0.1))])
    faster = machine.with_parameters(speed=3)
    assert faster.drives == (Motion("A", constant_speed(2 * Parameter("speed", 3.0), start=0.1)),)


def test_a_long_sum_of_parameters_is_walked_without_recursion():
    total = sum((Parameter(f"p{k}", 1e-3) for k in range(3000)), start=Parameter("first", 1.0))
    machine = four_bar(
        bodies=[*four_bar().bodies[:2], rod("coupler", length=0.9, mass=total), four_bar().bodies[3]]
    )
    assert len(machine.parameters) == 3003
    assert machine.with_parameters(p2999=0.5).parameters["p2999"] == 0.5


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"R": 1}, ("[M07]", "'R'", "'r'")),
        ({"r": float("nan")}, ("[M05]", "'r'", "nan", "1e+60")),
        ({"r": "long"}, ("[M05]", "'r'", "'long'", "1e+60")),
        ({"m": -1.0}, ("[M03]", "'rocker'", "-1 kg")),
    ],
)
def test_parameters_that_cannot_be_are_refused(values, expected, texts):
    with pytest.raises(ModelError) as caught:
        four_bar().with_parameters(values)
    texts(caught.value, "'four-bar'", *expected)


# identity -----------------------------------------------------------------------------------------


def test_equal_descriptions_are_equal_and_have_one_fingerprint():
    one, other = four_bar(), four_bar()
    assert one == other
    assert hash(one) == hash(other)
    assert one.fingerprint == other.fingerprint
    assert len({one, other}) == 1


CHANGES = {
    "gravity": {"gravity": (0, -9.8)},
    "bodies": {"bodies": [*four_bar().bodies[:-1], rod("rocker", length=0.8, mass=Parameter("m", 1.6))]},
    "parameter name": {
        "bodies": [*four_bar().bodies[:-1], rod("rocker", length=0.8, mass=Parameter("n", 1.5))]
    },
    "order": {"bodies": four_bar().bodies[::-1]},
    "joints": {"joints": [*four_bar().joints[:-1], Revolute("D", "rocker.a", "ground.D")]},
    "drives": {"drives": [Motion("A", constant_speed(4.713))]},
    "actuators": {"actuators": [Actuator("A")]},
    "guess": {"guess": {"coupler.b": (0.8, 0.71)}},
    "no guess": {"guess": {}},
    "inertia_at": {
        "bodies": [*four_bar().bodies[:-1], rod("rocker", length=0.8, mass=0, inertia=1, inertia_at="a")]
    },
}


def test_any_difference_makes_another_fingerprint():
    prints = {key: four_bar(**change).fingerprint for key, change in CHANGES.items()}
    prints["same"] = four_bar().fingerprint
    prints["name"] = Mechanism(
        "other",
        **{
            entry: getattr(four_bar(), entry)
            for entry in ("planar", "gravity", "bodies", "joints", "drives", "guess")
        },
    ).fingerprint
    assert len(set(prints.values())) == len(prints)


def test_numbers_of_any_type_and_zeros_of_any_sign_are_the_same():
    one = four_bar(gravity=(0.0, -10.0), guess={"B": [0.0]})
    other = four_bar(gravity=np.array([-0.0, -10]), guess={"B": -0.0})
    assert one == other
    assert to_text(one) == to_text(other)


def test_the_fingerprint_is_the_same_in_another_process():
    """Python's own hashes differ from process to process; ours must not."""
    script = "import pickle, sys; print(pickle.load(sys.stdin.buffer).fingerprint)"
    machine = four_bar()
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", script]
        said = subprocess.run(
            command, input=pickle.dumps(machine), env=environment, capture_output=True, check=True
        ).stdout
        assert said.decode().strip() == machine.fingerprint


def test_it_is_frozen():
    machine = four_bar()
    with pytest.raises(FrozenInstanceError):
        machine.gravity = (0.0, 0.0)
    with pytest.raises(FrozenInstanceError):
        del machine.bodies


def test_what_was_handed_in_may_change_afterwards():
    bodies, guess = list(four_bar().bodies), {"B": 1.0}
    machine = four_bar(bodies=bodies, guess=guess)
    before = machine.fingerprint
    bodies.clear()
    guess["B"] = 2.0
    assert machine.replace().fingerprint == before
