"""Quantities of fields are listed by class: every entry names a field, and a unit is checked by the class of its
field."""

from dataclasses import dataclass, fields

import pytest

import multiloop as ml
from multiloop.model.beams.sections import NAMED_SECTIONS
from multiloop.model.expressions.units import DIMENSIONS, UNITS
from multiloop.model.markers import value_of
from multiloop.model.serialise import kinds as text
from multiloop.model.serialise.field_quantities import (
    EXCLUDED_BY_JOINT,
    QUANTITIES,
    field_quantities,
    unit_faults,
)
from multiloop.model.serialise.kinds import BODY_FUNCTIONS
from multiloop.model.serialise.plain_data import from_data

DESCRIBED = [
    ml.Mechanism,
    ml.Section,
    ml.Rayleigh,
    ml.Circle,
    ml.Curve,
    *text.BUILT_IN_KINDS,
    *text.LOADS.values(),
    *map(text.described_class, BODY_FUNCTIONS),
]


def test_every_entry_names_a_class_a_field_and_known_quantities():
    bases = {base.__name__: base for kind in DESCRIBED for base in kind.__mro__}
    for name, held in QUANTITIES.items():
        known = {entry.name for entry in fields(bases[name])} | (
            set(NAMED_SECTIONS) if name == "Section" else set()
        )
        assert set(held) <= known, name
        for quantities in field_quantities(bases[name]).values():
            assert set(quantities) <= set(DIMENSIONS)


def test_a_class_inherits_the_quantities_of_its_bases():
    assert field_quantities(ml.Gear)["phase"] == ("angle",)
    assert field_quantities(ml.Beam)["mass"] == ("mass",)


@dataclass(frozen=True)
class Thermostat:
    """A class with fields of the same names as others, but other quantities."""

    name: str
    stiffness: str = ""
    speed: str = ""


def test_fields_of_the_same_name_in_another_class_are_not_judged():
    assert list(unit_faults("Thermostat", Thermostat, {"stiffness": "3 kg", "speed": "2 s"})) == []


@pytest.mark.parametrize("form", [dict, lambda named: [list(one) for one in named.items()]])
def test_points_behind_names_are_lengths_and_names_are_not_read(form, texts):
    content = {"markers": form({"3 s": ["2 mm", 0], "tip": ["2 kg", 0]})}
    (fault,) = unit_faults("Body 'x'", ml.Body, content)
    texts(fault, "[M91]", "Body 'x'", "markers.tip.0", "'2 kg'")


def test_corners_that_are_listed_without_names_are_lengths():
    content = {"corners": [["2 kg", "3 mm"], ["1 m", 0.0]]}
    assert [fault.place for fault in unit_faults("plate", text.described_class("plate"), content)] == [
        ("corners", 0, 0)
    ]


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        (ml.Spring, {"stiffness": "3 N m/rad"}),
        (ml.Spring, {"damping": "3 N m s"}),
        (ml.Beam, {"damping": "3 N s/m"}),
        (ml.Solid, {"damping": ["3 N s/m"]}),
        (ml.Beam, {"damping": {"beta": "3 mm"}}),
        (ml.Strut, {"stop_stiffness": "3 N m/rad"}),
        (ml.Strut, {"bore": "3 kg"}),
        (ml.Contact, {"slip": "3 rpm"}),
        (ml.Rope, {"speed": "3 rpm"}),
        (ml.ToothFriction, {"speed": "3 rpm"}),
        (ml.Rolling, {"resistance": "3 N m"}),
        (ml.Rolling, {"resistance_speed": "3 m/s"}),
        (ml.Cam, {"lift": "3 kg"}),
        (ml.Cam, {"pivot": ["3 deg", 0]}),
        (ml.Cam, {"profile": {"radius": 0.1, "centre": ["3 deg", 0]}}),
        (ml.PointOnCurve, {"curve": {"x": "3 deg", "y": 0.0}}),
        (ml.Motion, {"x": "3 deg"}),
        (ml.Motion, {"slide": "3 deg"}),
        (ml.Motion, {"first": "3 mm"}),
    ],
)
def test_a_class_has_quantities_of_its_own(kind, content):
    assert len(list(unit_faults("it", kind, content))) == 1


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        (ml.Spring, {"stiffness": "3 N/mm", "damping": "3 N s/m"}),
        (ml.JointSpring, {"stiffness": "3 N m/rad"}),
        (ml.Bushing, {"stiffness": ["3 N/m", "3 N m/rad"]}),
        (ml.ModalBody, {"stiffness": [["3 kg"]]}),
        (ml.Beam, {"damping": {"alpha": "3 * 20", "beta": "3 ms"}}),
        (ml.Cam, {"lift": "3 mm * sin(theta)", "pivot": ["3 mm", 0]}),
        (ml.Rolling, {"resistance": "3 mm", "resistance_speed": "3 rpm"}),
        (ml.Motion, {"x": "3 mm", "first": "3 deg", "slide": "3 mm"}),
    ],
)
def test_units_of_its_own_quantities_are_taken(kind, content):
    assert list(unit_faults("it", kind, content)) == []


SHAPES = (
    lambda text: text,
    lambda text: [text, text],
    lambda text: [text, text, text],
    lambda text: {"a": text},
    lambda text: {"a": [text, text]},
    lambda text: [[text, text, text]] * 3,
    lambda text: [[text, text], [text, text], [text, text]],
)
"""Values of a field in which a number with a unit may stand: alone, in a list, and with the user's names."""

MEASURED_FIELDS = [
    (kind, name, quantity)
    for kind in (
        ml.Mechanism,
        *text.BUILT_IN_KINDS,
        *text.LOADS.values(),
        *map(text.described_class, BODY_FUNCTIONS),
    )
    for name, quantities in field_quantities(kind).items()
    for quantity in quantities
    if name in {entry.name for entry in fields(kind)}
]


@pytest.mark.parametrize(("kind", "field", "quantity"), MEASURED_FIELDS)
def test_every_field_of_every_kind_is_read_with_its_unit(kind, field, quantity):
    def faults_of_field(value):
        try:
            from_data({"kind": kind.__name__, field: value})
        except ml.ModelError as error:
            return [one for one in error.faults if one.code == "M91" and field in one.what]
        return []

    unit = next(iter(UNITS[quantity]))
    assert any(not faults_of_field(shape(f"3 {unit}")) for shape in SHAPES)
    assert (
        any(not faults_of_field(shape(f'parameter("given", 3 {unit})')) for shape in SHAPES)
        or field == "guess"
    )


@pytest.mark.parametrize("joint", ["Revolute", "Prismatic", "Cylindrical", "Helical"])
@pytest.mark.parametrize(
    ("kind", "field", "quantity"),
    [entry for entry in MEASURED_FIELDS if entry[0] in (ml.Actuator, *text.LOADS.values())],
)
def test_a_field_with_one_quantity_has_it_at_every_joint(kind, field, quantity, joint):
    quantities = field_quantities(kind)[field]
    given = {field: f"3 {next(iter(UNITS[quantity]))}"}
    faults = list(unit_faults("it", kind, given, joint))
    assert bool(faults) == (len(quantities) > 1 and quantity in EXCLUDED_BY_JOINT.get(joint, ()))


@pytest.mark.parametrize("field", ["radius", "length"])
@pytest.mark.parametrize("value", ["12 mm", "1.2 cm", "0.012 m", 'parameter("r", 12 mm)'])
@pytest.mark.parametrize("joint", ["Revolute", "Prismatic"])
def test_lengths_of_a_friction_are_read_with_their_unit(joint, field, value):
    friction = {
        "kind": "Friction",
        "name": "wear",
        "joint": "A",
        "coefficient": 0.1,
        "radius": 0.01,
        field: value,
    }
    machine = {
        "kind": "Mechanism",
        "name": "machine",
        "planar": True,
        "bodies": [
            {"kind": "ground", "markers": {"a": [0, 0]}},
            {"kind": "Body", "name": "part", "mass": 1.0, "inertia": 1.0, "markers": {"a": [0, 0]}},
        ],
        "joints": [{"kind": joint, "name": "A", "first": "ground.a", "second": "part.a"}],
        "loads": [friction],
    }
    (load,) = from_data(machine).loads
    assert value_of(getattr(load, field)) == 0.012


@pytest.mark.parametrize(
    ("content", "remedy"),
    [
        (
            {"kind": "Force", "name": "f", "at": "a.b", "force": [0, "-5 kp"]},
            "Give a value of force (N, kN, MN, mN).",
        ),
        (
            {"kind": "Spring", "name": "s", "first": "a.b", "second": "c.d", "stiffness": "5 kp/cm"},
            "Give a value of stiffness (N/m, kN/m, N/mm, kN/mm).",
        ),
        ({"kind": "Body", "name": "b", "mass": "3 lb"}, "Give a value of mass (kg, g)."),
        ({"kind": "Body", "name": "b", "mass": "3 kgg"}, "Did you mean 'kg'?"),
        ({"kind": "Motion", "of": "A", "profile": "constant_speed(45 rmp)"}, "Did you mean 'rpm'?"),
        (
            {"kind": "Mechanism", "name": "m", "gravity": [0, "-9.81 m/ss"]},
            "Give a value of acceleration (m/s², mm/s²).",
        ),
    ],
)
def test_an_unknown_unit_is_reported_with_units_of_the_quantity_of_the_field(content, remedy):
    with pytest.raises(ml.ModelError) as caught:
        from_data(content)
    (fault,) = caught.value.faults
    assert fault.remedy == remedy
    assert "Available" not in fault.what
