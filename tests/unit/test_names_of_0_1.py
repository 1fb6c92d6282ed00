"""Is every public name and argument of version 0.1 present, or accepted with a warning that states the new name?

`names_of_0_1.json` lists them: for every public name its arguments (those after "*" are given by keyword) and the
members of a class or module with their arguments. Of objects that results return it lists the documented members.
"""

import inspect
import json
import re
import warnings
from itertools import takewhile
from pathlib import Path

import pytest

import multiloop as ml
from multiloop.model.deprecation import MultiloopDeprecationWarning

NAMES = json.loads(Path(__file__).with_name("names_of_0_1.json").read_text(encoding="utf-8"))

RETURNED = {
    "Result[joint]": lambda rigid, bending: rigid["A"],
    "Result[spring]": lambda rigid, bending: rigid["spring"],
    "Result[friction]": lambda rigid, bending: rigid["rub"],
    "Result.link": lambda rigid, bending: bending.link("arm"),
    "Result.extremes": lambda rigid, bending: rigid.extremes(),
    "Result.energy_balance": lambda rigid, bending: rigid.energy_balance(),
    "Result.deviation_from": lambda rigid, bending: rigid.deviation_from(rigid),
}
"""Objects that the Results of a rigid and of a flexible pendulum return."""


def present(name):
    """The object of this name; a change is accepted with a warning that states a present name of the same object."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = getattr(ml, name)
    if name in ml.__all__:
        assert not caught
        return found
    (warning,) = caught
    assert warning.category is MultiloopDeprecationWarning
    assert warning.filename == __file__
    (stated,) = re.findall(r"is called multiloop\.([\w.]+) now", str(warning.message))
    now = ml
    for part in stated.split("."):
        now = getattr(now, part)
    assert now is found
    return found


def test_the_list_is_that_of_0_1():
    assert len(NAMES) == 145 + len(RETURNED)
    assert sum(len(arguments_of(NAMES[name])) for name in NAMES) > 400


@pytest.mark.parametrize("name", [name for name in NAMES if name not in RETURNED])
def test_every_name_and_member_exists(name):
    found = present(name)
    missing = {member for member in NAMES[name].get("members", {}) if not has_member(found, member)}
    assert not missing


def has_member(found, member):
    """Whether a class or module has a member; fields of dataclasses without default are not class attributes."""
    return hasattr(found, member) or member in getattr(found, "__dataclass_fields__", {})


@pytest.fixture(scope="module")
def results():
    fixed = {"planar": True, "joints": [ml.Revolute("A", "ground.A", "arm.a")]}
    ground, section = ml.ground(A=(0, 0)), ml.rectangle(0.01, 0.02)
    loads = [ml.JointSpring("spring", "A", stiffness=3.0), ml.Friction("rub", "A", viscous=0.1)]
    rigid = ml.Mechanism("rigid", bodies=[ground, ml.rod("arm", length=1.0, mass=1.0)], loads=loads, **fixed)
    arm = ml.beam("arm", length=1.0, E=7e10, density=2700.0, section=section, modes=2, frame="a")
    bending = ml.Mechanism("bending", bodies=[ground, arm], **fixed)
    return [ml.simulate(one, start={"A": 1.0}, until=0.02, samples=11) for one in (rigid, bending)]


@pytest.mark.parametrize("name", RETURNED)
def test_every_member_of_a_returned_object_exists(name, results):
    found = RETURNED[name](*results)
    missing = {member for member in NAMES[name]["members"] if not has_member(type(found), member)}
    assert not missing


@pytest.mark.parametrize("name", [name for name in NAMES if name not in RETURNED])
def test_every_argument_is_accepted(name):
    found = present(name)
    for member, given in arguments_of(NAMES[name]).items():
        called = getattr(found, member) if member else found
        now = inspect.signature(called).parameters
        decorated = called.__init__ if inspect.isclass(called) else called
        renamed = getattr(decorated, "earlier_arguments", {})
        assert [one for one in given if one != "*" and renamed.get(one, one).lstrip("*") not in now] == [], (
            member
        )
        positional = list(takewhile(lambda one: not one.startswith("*"), given))
        by_position = [one.name for one in now.values() if one.kind <= one.POSITIONAL_OR_KEYWORD]
        by_position = by_position[by_position[:1] == ["self"] :]
        assert [renamed.get(one, one) for one in positional] == by_position[: len(positional)], member


def arguments_of(entry):
    """The arguments of a function or class by "", and those of its members by name."""
    listed = {"": entry.get("arguments"), **entry.get("members", {})}
    return {member: given for member, given in listed.items() if given is not None}
