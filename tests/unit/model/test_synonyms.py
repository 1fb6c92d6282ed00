"""Errors for unknown names suggest the public name of the same meaning, or the nearest spelling."""

import copy
import inspect
import pickle
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

import multiloop as ml
from multiloop.model.synonyms import (
    ADVICE,
    ADVICE_SYNONYMS,
    ARGUMENT_ADVICE,
    ARGUMENT_SYNONYMS,
    ATTRIBUTE_SYNONYMS,
    FUNCTION_SYNONYMS,
    TYPE_SYNONYMS,
    SuggestsAttributes,
    suggest_attribute,
)


def error_of(thing, name):
    with pytest.raises(AttributeError) as caught:
        getattr(thing, name)
    return str(caught.value)


@pytest.fixture(scope="module")
def four_bar():
    return ml.examples.four_bar()


@pytest.fixture(scope="module")
def turning(four_bar):
    return ml.inverse(four_bar, cycle=5)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("Cable", "Rope"),
        ("Tether", "Rope"),
        ("Wire", "Rope"),
        ("Hinge", "Revolute"),
        ("RevoluteJoint", "Revolute"),
        ("Slider", "Prismatic"),
        ("Translational", "Prismatic"),
        ("Ball", "Spherical"),
        ("Weld", "Fixed"),
        ("Damper", "`damping`"),
        ("Clearance", "Backlash"),
        ("natural_frequencies", "eigenmodes"),
        ("solve", "inverse"),
        ("forward_dynamics", "forward"),
        ("forward_kinematics", "assemble"),
        ("statics", "equilibrium"),
        ("Revolut", "Revolute"),
        ("motion", "Motion"),
    ],
)
def test_names_of_other_programs_lead_to_public_names(name, meant):
    assert meant in error_of(ml, name)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("torque", "'effort'"),
        ("reaction", "'force'"),
        ("angle", "'position'"),
        ("angular_velocity", "'rate'"),
        ("qddot", "'acceleration'"),
        ("postion", "'position'"),
    ],
)
def test_joints_suggest_their_attributes(turning, name, meant):
    assert meant in error_of(turning["A"], name)
    assert "'A'" in error_of(turning["A"], name)


@pytest.mark.parametrize(
    ("thing", "name", "meant"),
    [
        ("result", "animate", "'film'"),
        ("result", "torque", 'result["joint"].effort'),
        ("result", "to_csv", "'write'"),
        ("mechanism", "simulate", "multiloop.simulate(mechanism"),
        ("mechanism", "static", "multiloop.equilibrium(mechanism"),
        ("mechanism", "links", "'bodies'"),
        ("state", "velocities", "'rates'"),
        ("plan", "dof", "'mobility'"),
        ("joint state", "angle", "'position'"),
    ],
)
def test_results_and_mechanisms_suggest_their_attributes(four_bar, turning, thing, name, meant):
    state = ml.assemble(four_bar)
    things = {
        "result": turning,
        "mechanism": four_bar,
        "state": state,
        "plan": turning.plan,
        "joint state": state["A"],
    }
    assert meant in error_of(things[thing], name)


@pytest.mark.parametrize(
    ("function", "name", "meant"),
    [
        ("simulate", "t", "'until' or 'samples'"),
        ("simulate", "dt", "'samples' or 'step'"),
        ("simulate", "utnil", "'until'"),
        ("inverse", "times", "'t'"),
        ("forward", "q", "'state'"),
        ("forward", "torques", "'efforts'"),
        ("batch", "state", "`inverse(…, state=)`"),
    ],
)
def test_arguments_of_other_programs_lead_to_those_of_the_function(four_bar, function, name, meant):
    with pytest.raises(TypeError, match=f"{function}.. has no argument '{name}'") as caught:
        getattr(ml, function)(four_bar, **{name: 1.0})
    assert meant in str(caught.value)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("jacobian", "docs/howto/tool_jacobian.md"),
        ("MassMatrix", '.derivative("inverse", "tau", "a")'),
        ("coriolis", ".inverse(q, v, a)[0]"),
    ],
)
def test_quantities_without_a_function_have_advice(four_bar, turning, name, meant):
    for thing in (ml, four_bar, turning, ml.assemble(four_bar)):
        assert meant in error_of(thing, name)


def test_states_advise_how_to_obtain_rates_of_markers(four_bar):
    state = ml.assemble(four_bar)
    assert "'rates'" in error_of(state, "velocities")
    assert 'forward(mechanism, state).velocity("body.marker")' in error_of(state, "velocities")
    assert 'forward(mechanism, state).angular_velocity("body")' in error_of(state, "angular_velocity")


def test_every_argument_and_page_of_the_tables_exists():
    functions = [getattr(ml, name) for name in FUNCTION_SYNONYMS if not isinstance(getattr(ml, name), type)]
    known = {name for function in functions for name in inspect.signature(function).parameters}
    assert set(ARGUMENT_SYNONYMS) <= known
    assert {function for function, _ in ARGUMENT_ADVICE} <= set(ml.__all__)
    assert set(ADVICE_SYNONYMS) == set(ADVICE)
    for page in re.findall(r"docs/[\w/]+\.md", " ".join(ADVICE.values())):
        assert (Path(__file__).parents[3] / page).exists()


def test_loads_suggest_their_outputs(four_bar):
    sprung = four_bar.replace(
        loads=[ml.Spring("gas", "ground.origin", "rocker.b", stiffness=10.0, length=0.5)]
    )
    spring = ml.inverse(sprung, cycle=5)["gas"]
    assert "'force'" in error_of(spring, "tension")
    assert "'length'" in error_of(spring, "lenght")


def test_every_name_of_the_tables_is_public(turning, four_bar):
    assert set(TYPE_SYNONYMS) | set(FUNCTION_SYNONYMS) <= set(ml.__all__)
    things = (turning, turning["A"], four_bar, turning.plan, ml.assemble(four_bar), four_bar.body("crank"))
    classes = (ml.Eigenmodes, ml.LinearModel, ml.Beam)
    known = {name for thing in (*things, *classes) for name in dir(thing)} | {"torque", "eta", "deflection"}
    assert set(ATTRIBUTE_SYNONYMS) <= known


def test_only_attributes_of_the_object_are_suggested():
    assert "'effort'" in suggest_attribute("torque", ["effort", "rate"])
    assert "'effort'" not in suggest_attribute("torque", ["moment", "rate"])


@dataclass(frozen=True)
class Broken(SuggestsAttributes):
    """A property of it fails with an AttributeError."""

    @property
    def position(self):
        return self.missing_part


def test_an_error_inside_a_property_is_not_hidden():
    assert "missing_part" in error_of(Broken(), "position")


def test_copies_and_pickles_are_unchanged(four_bar, turning):
    assert copy.copy(four_bar) == four_bar
    assert pickle.loads(pickle.dumps(four_bar)) == four_bar
    assert copy.deepcopy(turning["A"]).effort == pytest.approx(turning["A"].effort)
    assert not hasattr(turning, "__array__")


# arguments of classes and of functions that make bodies ------------------------------------------------


@dataclass(frozen=True)
class Magnet(ml.Load):
    """A user-defined load."""

    strength: float = 1.0


@dataclass(frozen=True)
class Clutch(ml.Coupling):
    """A user-defined coupling."""

    first: str
    second: str


class Disc(ml.Body):
    """A user-defined body with arguments other than its fields."""

    def __init__(self, name, radius, **others):
        super().__init__(name, mass=radius**2, **others)


@pytest.mark.parametrize(
    ("kind", "arguments", "options", "expected"),
    [
        (ml.Body, ("crank",), {"mas": 1.0}, ("Body 'crank'", "'mas'", "'mass'")),
        (ml.Body, (), {"name": "crank", "weight": 1.0}, ("Body 'crank'", "'weight'", "'mass'")),
        (ml.Body, (), {"mass": 1.0}, ("Body", "'name'", "Body(name)")),
        (ml.Revolute, ("A",), {}, ("Revolute 'A'", "'first'", "'second'", "Revolute(name, first, second)")),
        (ml.Revolute, ("A", "a.b", "b.a"), {"axis": 1}, ("Revolute 'A'", "'axis'")),
        (ml.Revolute, ("A", "a.b", "b.a"), {"name": "B"}, ("Revolute 'A'", "'name'", "given twice")),
        (ml.Revolute, ("A", "a.b", "b.a", 4), {}, ("Revolute 'A'", "4", "diameter=")),
        (ml.Cylindrical, ("A", "a.b", "b.a", 4), {}, ("Cylindrical 'A'", "3", "4")),
        (ml.Mechanism, ("m",), {"links": ()}, ("Mechanism 'm'", "'links'", "'bodies'")),
        (ml.Mechanism, ("m", [1]), {}, ("Mechanism 'm'", "[1]", "bodies=")),
        (ml.Spring, ("s", "a.b", "b.a"), {"stifness": 1}, ("Spring 's'", "'stifness'", "'stiffness'")),
        (ml.Motion, ("A",), {"profil": 1}, ("Motion 'A'", "'profil'", "'profile'")),
        (ml.Actuator, (), {"effort": 1}, ("Actuator", "'joint'")),
        (ml.Integral, ("I",), {}, ("Integral 'I'", "'of'")),
        (ml.Marker, ((0, 0),), {"angel": 1}, ("Marker", "'angel'", "'angle'")),
        (ml.Pin, ("P",), {"seconds": "a"}, ("Pin 'P'", "'seconds'")),
        (ml.Gear, ("G",), {"ratoi": 1}, ("Gear 'G'", "'ratoi'")),
        (ml.Section, (), {"B": 1}, ("Section", "'B'")),
        (ml.Rayleigh, (), {"alfa": 1}, ("Rayleigh", "'alfa'", "'alpha'")),
        (ml.Circle, (), {"radios": 1}, ("Circle", "'radios'", "'radius'")),
        (ml.DH, ("A",), {"thet": 1}, ("DH 'A'", "'thet'", "'theta'")),
        (ml.PD, (), {"kp": 1, "ki": 1}, ("PD", "'ki'")),
        (ml.PID, (), {"kp": 1}, ("PID", "'ki'", "PID(kp=…, ki=…)")),
        (Magnet, ("m",), {"strenght": 2.0}, ("Magnet 'm'", "'strenght'", "'strength'")),
        (Clutch, ("c",), {}, ("Clutch 'c'", "'first'", "'second'")),
        (Disc, ("d",), {"radios": 2.0}, ("Disc 'd'", "'radius'")),
        (ml.rod, ("r", 0.3), {}, ("rod()", "0.3", "length=")),
        (ml.rod, ("r",), {"name": "r", "length": 1, "mass": 1}, ("rod()", "'name'", "given twice")),
        (ml.rod, ("r",), {"length": 1}, ("rod()", "'mass'", "rod(name, length=…, mass=…)")),
        (ml.simulate, (), {}, ("simulate()", "'mechanism'", "'until'")),
    ],
)
def test_calls_with_invalid_arguments_name_object_and_argument(kind, arguments, options, expected, texts):
    with pytest.raises(TypeError) as caught:
        kind(*arguments, **options)
    texts(caught.value, *expected)


def test_a_class_with_its_own_arguments_is_made_copied_and_pickled():
    disc = Disc("d", 2.0, markers={"a": 1.0})
    assert disc.mass == 4.0
    for same in (pickle.loads(pickle.dumps(disc)), copy.deepcopy(disc), copy.copy(disc)):
        assert same == disc


@pytest.mark.parametrize("kind", [ml.Body, ml.Revolute, ml.Mechanism, ml.Motion, Magnet])
def test_classes_show_their_arguments(kind):
    assert next(iter(inspect.signature(kind).parameters)) in ("name", "of")
