"""The names in a guess and the numbers that each takes: the same in a description and in a function."""

from dataclasses import replace
from math import nan

import pytest

from multiloop import (
    Fixed,
    Mechanism,
    MultiloopError,
    Parameter,
    Prismatic,
    Spherical,
    from_text,
    ground,
    rod,
    to_text,
)
from multiloop.kinematics.assembly import position_requests


def faults_of(ask):
    """The faults that the call raises, if any."""
    try:
        ask()
    except MultiloopError as error:
        return error.faults
    return ()


def guessed(planar, name, numbers):
    """One link on a slide in the plane, or on a ball in space, with a guess."""
    start = (0, 0) if planar else (0, 0, 0)
    joint = Prismatic("J", "ground.A", "arm.a") if planar else Spherical("S", "ground.A", "arm.a")
    bodies = [ground(A=start), rod("arm", length=1, mass=1)]
    return Mechanism("arm", planar=planar, bodies=bodies, joints=[joint], guess={name: numbers})


GUESSES = [
    (True, "J", (1,)),
    (True, "arm", (2, 3)),
    (True, "arm.b", (2, 3)),
    (False, "S", (4,)),
    (False, "arm", (3, 7)),
    (False, "arm.b", (3, 7)),
]


@pytest.mark.parametrize(("planar", "name", "counts"), GUESSES)
def test_a_guess_has_as_many_numbers_as_its_object_has_coordinates(planar, name, counts):
    for count in range(1, 9):
        numbers = (1.0,) * count
        if count in counts:
            assert guessed(planar, name, numbers).guess == ((name, numbers),)
            continue
        (fault,) = faults_of(lambda numbers=numbers: guessed(planar, name, numbers))
        assert fault.code == "M11"
        assert all(str(number) in fault.what for number in (count, *counts)), fault.what
    for junk in (nan, Parameter("g", 1.0), "1", True, (1.0,)):
        numbers = (1.0,) * (counts[0] - 1) + (junk,)
        assert len(faults_of(lambda numbers=numbers: guessed(planar, name, numbers))) == 1


@pytest.mark.parametrize("value", [0.3, (1, 2), (1, 2, 3), (None, 2), (1, None, 3, 0, 3, 0, 4), nan, "1", ()])
@pytest.mark.parametrize(
    ("planar", "name"), [*(entry[:2] for entry in GUESSES), (True, "ground.A"), (True, "x")]
)
def test_a_guess_has_one_form_in_descriptions_and_in_functions(planar, name, value):
    plain = guessed(planar, "arm.b", (1.0,) * (2 if planar else 3))
    described = faults_of(lambda: guessed(planar, name, value))
    asked = faults_of(lambda: position_requests(plain, {name: value}, "guess"))
    assert [replace(fault, code="") for fault in described] == [replace(fault, code="") for fault in asked]


def test_a_number_of_a_guess_may_be_left_open_in_a_file_too():
    mechanism = guessed(True, "arm", (None, None, 0.3))
    assert from_text(to_text(mechanism)) == mechanism


def test_a_guess_may_repeat_all_joints_those_that_cannot_move_included():
    bodies, joints = [ground(A=0.0), rod("arm", length=1, mass=1)], [Fixed("F", "ground.A", "arm.a")]
    assert Mechanism("arm", bodies=bodies, joints=joints, guess={"F": ()}).guess == (("F", ()),)
