"""Numbers of a description by path: their list, and descriptions with other numbers or with parameters."""

import pickle

import numpy as np
import pytest
from zoo import ZOO

import multiloop as ml

SMALL = [name for name in ZOO if name not in ("ladder-20", "excavator", "delta-rods")]


def four_bar(**changes):
    mechanism = ml.Mechanism(
        "four-bar",
        planar=True,
        bodies=[
            ml.ground(A=(0, 0), D=(1.0, 0)),
            ml.rod("crank", length=0.3, mass=1.0),
            ml.rod("coupler", length=ml.Parameter("L2", 0.9), mass=2.0),
            ml.rod("rocker", length=0.8, mass=1.5),
        ],
        joints=[
            ml.Revolute("A", "ground.A", "crank.a"),
            ml.Revolute("B", "crank.b", "coupler.a"),
            ml.Revolute("C", "coupler.b", "rocker.b"),
            ml.Revolute("D", "ground.D", "rocker.a"),
        ],
        drives=[ml.Motion("A", ml.motion_laws.constant_speed(4.7, start=0.2))],
        actuators=[ml.Actuator("A", limit=(-30.0, 40.0))],
        loads=[
            ml.Spring("return", "ground.D", "coupler.b", stiffness=300.0, length=0.5),
            ml.JointSpring("coil", "D", stiffness=5.0),
            ml.Friction("wear", "B", coefficient=(0.15, 0.1), radius=0.02),
            ml.Force("push", "coupler.b", (10.0 * ml.expr.sin(ml.time), 0.0)),
        ],
        guess={"coupler.b": (0.8, 0.7)},
    )
    return mechanism.replace(**changes)


@pytest.mark.parametrize(
    ("path", "value", "unit"),
    [
        ("gravity.y", -9.81, "m/s²"),
        ("ground.D.x", 1.0, "m"),
        ("ground.D.y", 0.0, "m"),
        ("ground.D.angle", 0.0, "rad"),
        ("crank.mass", 1.0, "kg"),
        ("crank.com.x", 0.15, "m"),
        ("crank.com.y", 0.0, "m"),
        ("crank.inertia", 0.0075, "kg·m²"),
        ("crank.b.x", 0.3, "m"),
        ("A.profile.speed", 4.7, "rad/s"),
        ("A.profile.start", 0.2, "rad"),
        ("A.limit.largest", 40.0, "N·m"),
        ("return.stiffness", 300.0, "N/m"),
        ("return.length", 0.5, "m"),
        ("coil.stiffness", 5.0, "N·m/rad"),
        ("coil.rest", 0.0, "rad"),
        ("wear.coefficient.sliding", 0.1, ""),
        ("wear.radius", 0.02, "m"),
    ],
)
def test_a_number_is_listed_with_value_and_unit(path, value, unit):
    number = four_bar().numbers()[path]
    assert (number.path, number.unit, number.can_vary) == (path, unit, True)
    assert number.value == pytest.approx(value, rel=1e-15)


def test_expressions_are_listed_with_their_text_and_the_reason_why_they_stay():
    table = four_bar().numbers()
    assert table["coupler.b.x"].value == 0.9
    assert table["coupler.b.x"].expression == 'parameter("L2", 0.9)'
    assert table["coupler.com.x"].value == 0.45
    assert "'L2'" in table["coupler.com.x"].refusal
    assert table["push.force.x"].value is None
    assert "time" in table["push.force.x"].refusal
    assert table["push.force.y"].can_vary


def test_the_table_prints_one_line_for_each_number():
    table = four_bar().numbers().matching("crank.")
    lines = repr(table).splitlines()
    assert len(lines) == len(table) + 2
    assert lines[2].split() == ["crank.mass", "1", "kg"]
    assert table._repr_html_().count("<tr>") == len(table) + 1
    assert list(table.variable) == list(table)
    assert len(pickle.loads(pickle.dumps(table))) == len(table)


def test_numbers_that_guide_a_search_or_follow_from_others_are_left_out():
    beam = ml.beam("coupler", length=0.9, E=70e9, density=2700, section=ml.rectangle(0.02, 0.008), modes=2)
    table = four_bar().with_body(beam).numbers().matching("coupler")
    assert list(table) == [
        *(
            "coupler.length",
            "coupler.E",
            "coupler.density",
            "coupler.section.width",
            "coupler.section.height",
        ),
        *("coupler.modes.y", "coupler.damping", "coupler.elements"),
    ]
    assert [path for path in table if not table[path].can_vary] == ["coupler.modes.y", "coupler.elements"]
    assert table["coupler.section.height"].value == 0.008
    assert table["coupler.E"].unit == "Pa"


@pytest.mark.parametrize(
    ("section", "sizes"),
    [
        (ml.rectangle(0.03, 0.007), {"width": 0.03, "height": 0.007}),
        (ml.tube(0.03, 0.02), {"outer": 0.03, "inner": 0.02}),
        (ml.tube(0.03), {"outer": 0.03, "inner": 0.0}),
    ],
)
def test_sections_have_their_dimensions(section, sizes):
    beam = ml.beam("coupler", length=0.9, E=70e9, density=2700, section=section)
    mechanism = four_bar().with_body(beam)
    table = mechanism.numbers().matching("coupler.section")
    assert {path.split(".")[-1]: number.value for path, number in table.items()} == sizes
    other = {path: 1.1 * number.value for path, number in table.items()}
    made = mechanism.with_numbers(other).body("coupler").section
    size = 1.1 * np.array(list(sizes.values()))
    assert made == (ml.rectangle(*size) if "width" in sizes else ml.tube(*size))
    parameters = mechanism.parametrise(list(table))
    assert parameters.parameters == {path: number.value for path, number in table.items()}
    assert parameters.body("coupler").mass.__class__ is not float


def test_sections_given_by_their_properties_have_these():
    beam = ml.beam("coupler", length=0.9, E=70e9, density=2700, section=ml.Section(1e-4, 2e-10))
    table = four_bar().with_body(beam).numbers()
    assert (table["coupler.section.A"].value, table["coupler.section.Iz"].unit) == (1e-4, "m⁴")


def test_a_beam_follows_its_length():
    beam = ml.beam("coupler", length=0.9, E=70e9, density=2700, section=ml.rectangle(0.02, 0.008))
    longer = four_bar().with_body(beam).with_numbers({"coupler.length": 0.95}).body("coupler")
    again = ml.beam("coupler", length=0.95, E=70e9, density=2700, section=ml.rectangle(0.02, 0.008))
    assert longer == four_bar().with_body(again).body("coupler")


def test_a_default_shear_modulus_follows_from_the_modulus_of_elasticity():
    beam = ml.beam("coupler", length=0.9, E=70e9, density=2700, section=ml.rectangle(0.02, 0.008))
    assert four_bar().with_body(beam).with_numbers({"coupler.E": 80e9}).body("coupler").G == 80e9 / 2.6


def test_parameters_have_the_path_or_a_given_name():
    mechanism = four_bar()
    by_path = mechanism.parametrise(["crank.mass", "ground.D.x"])
    assert by_path.parameters == {"L2": 0.9, "crank.mass": 1.0, "ground.D.x": 1.0}
    named = mechanism.parametrise({"crank.mass": "m1", "ground.D.x": "d"})
    assert named.parameters == {"L2": 0.9, "m1": 1.0, "d": 1.0}
    shared = mechanism.parametrise({"crank.mass": "one", "ground.D.x": "one"})
    assert shared.parameters == {"L2": 0.9, "one": 1.0}
    assert ml.from_text(ml.to_text(by_path)) == by_path
    assert by_path.with_parameters({"crank.mass": 2.0}).body("crank").mass == ml.Parameter("crank.mass", 2.0)


def test_missing_components_of_vectors_are_zero_and_can_be_set():
    mechanism = four_bar().with_numbers({"crank.b.y": 0.01})
    assert mechanism.marker("crank.b").point == (0.3, 0.01)
    assert four_bar().with_numbers({"crank.b.y": 0.0}) == four_bar()


def test_a_product_of_inertia_is_one_number():
    tensor = ((0.02, 0.001, 0.0), (0.001, 0.03, 0.0), (0.0, 0.0, 0.04))
    body = ml.Body("block", mass=1.0, inertia=tensor)
    mechanism = ml.Mechanism(
        "block", bodies=[ml.ground(), body], joints=[ml.Free("J", "ground.origin", "block.origin")]
    )
    table = mechanism.numbers().matching("inertia")
    assert [path.split(".")[-1] for path in table] == ["xx", "xy", "xz", "yy", "yz", "zz"]
    changed = mechanism.with_numbers({"block.inertia.xy": 0.002}).body("block").inertia
    assert (changed[0][1], changed[1][0]) == (0.002, 0.002)
    point = mechanism.with_body(ml.Body("block", mass=1.0))
    assert point.with_numbers(
        {"block.inertia.yy": 0.1, "block.inertia.xx": 0.1, "block.inertia.zz": 0.1}
    ).body("block").inertia == (0.1, 0.1, 0.1)


def test_a_path_that_occurs_twice_begins_with_the_name_of_its_list():
    drive = ml.Motion("coupler.b", x=0.8 + 0.01 * ml.time, y=0.7)
    table = four_bar(drives=[drive]).numbers()
    assert table["drives.coupler.b.y"].value == 0.7
    assert table["coupler.b.y"].value == 0.0


def test_counts_are_set_as_whole_numbers_and_are_no_parameters():
    beam = ml.beam("coupler", length=0.9, E=70e9, density=2700, section=ml.rectangle(0.02, 0.008), modes=2)
    mechanism = four_bar().with_body(beam)
    assert mechanism.with_numbers({"coupler.modes.y": 3}).body("coupler").elastic == 3
    with pytest.raises(ml.ModelError) as caught:
        mechanism.with_numbers({"coupler.modes.y": 2.5})
    assert [fault.code for fault in caught.value.faults] == ["M05"]


@pytest.mark.parametrize(
    ("change", "code", "named"),
    [
        (lambda m: m.parametrise(["crank.mas"]), "M07", "'crank.mass'"),
        (lambda m: m.with_numbers({"coupler.com.w": 1.0}), "M07", "'coupler.com.x'"),
        (lambda m: m.parametrise(["coupler.b.x"]), "M07", "'L2'"),
        (lambda m: m.with_numbers({"coupler.com.x": 0.4}), "M07", "'L2'"),
        (lambda m: m.parametrise(["push.force.x"]), "M07", "time"),
        (lambda m: m.parametrise({"crank.mass": "L2"}), "M01", "'L2'"),
        (lambda m: m.parametrise({"crank.mass": "x", "crank.b.x": "x"}), "M01", "'x'"),
        (lambda m: m.parametrise("crank.mass"), "M12", "'crank.mass'"),
        (lambda m: m.parametrise({"crank.mass": 3}), "M12", "3"),
        (lambda m: m.with_numbers(3.0), "M12", "3.0"),
        (lambda m: m.with_numbers({"crank.mass": float("nan")}), "M05", "nan"),
        (lambda m: m.with_numbers({"crank.mass": "1 kg"}), "M05", "'1 kg'"),
        (lambda m: m.with_numbers({"crank.mass": -1.0}), "M03", "crank"),
        (lambda m: m.numbers()["crank.lenght"], "M07", "'crank.lenght'"),
    ],
)
def test_invalid_requests_are_reported(change, code, named):
    with pytest.raises(ml.ModelError) as caught:
        change(four_bar())
    assert [fault.code for fault in caught.value.faults] == [code]
    assert named in str(caught.value)


def test_texts_of_errors(texts):
    mechanism = four_bar()
    with pytest.raises(ml.ModelError) as caught:
        mechanism.parametrise(["crank.mas", "wheel.radius"])
    texts(caught.value, "M07", "crank.mass", "wheel.radius")
    with pytest.raises(ml.ModelError) as caught:
        mechanism.parametrise(["coupler.com.x", "push.force.x"])
    texts(caught.value, "M07", "L2", "push.force.x")


def test_the_table_of_a_four_bar(texts):
    texts(repr(four_bar().numbers()), "crank.inertia", "0.0075")


@pytest.mark.parametrize("name", SMALL)
def test_all_variable_numbers_of_a_model_become_parameters(name):
    mechanism = ZOO[name].build()
    table = mechanism.numbers()
    values = {path: number.value for path, number in table.variable.items()}
    assert len(values) >= 10
    changed = mechanism.parametrise(list(values))
    assert changed.parameters == mechanism.parameters | values
    again = changed.numbers()
    assert {path: again[path].value for path in table} == {
        path: number.value for path, number in table.items()
    }
    assert mechanism.with_numbers(values) == mechanism
