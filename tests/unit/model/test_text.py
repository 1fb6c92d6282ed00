"""Descriptions as text: written one way only, and refused with the place when they do not fit."""

import json

import pytest

from multiloop.model import (
    Body,
    Helical,
    Marker,
    ModelError,
    Motion,
    Parameter,
    Revolute,
    constant_speed,
    from_data,
    from_text,
    ground,
    marker,
    rod,
    to_data,
    to_text,
)


def test_defaults_are_left_out_and_points_stand_plainly():
    body = Body("link", mass=2, markers={"p": (1, 2), "q": marker((0, 0), angle=0.5)})
    assert to_data(body) == {
        "kind": "Body",
        "name": "link",
        "mass": 2.0,
        "markers": {"p": [1.0, 2.0], "q": {"point": [0.0, 0.0], "angle": 0.5}},
    }
    assert to_data(Revolute("A", "a.b", "c.d")) == {
        "kind": "Revolute",
        "name": "A",
        "first": "a.b",
        "second": "c.d",
    }
    assert to_data(Marker((0.0,))) == {"kind": "Marker", "point": [0.0]}


def test_expressions_stand_in_their_own_grammar():
    assert to_data(Motion("A", constant_speed(2.0)))["profile"] == "2 * time"
    assert to_data(Helical("H", "a.b", "c.d", pitch=Parameter("p", 0.1)))["pitch"] == 'parameter("p", 0.1)'


def test_the_user_s_order_of_markers_is_kept():
    frame = ground(D=(1, 0), A=(0, 0))
    assert from_text(to_text(frame)) == frame
    assert from_text(to_text(frame)).marker_names == ("D", "A", "origin", "com")


def test_the_text_has_no_spaces_and_is_json():
    text = to_text(rod("crank", length=1, mass=1))
    assert json.loads(text) == to_data(rod("crank", length=1, mass=1))
    assert " " not in text


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"kind": "Boddy"}, "[M90] kind 'Boddy': is not a described thing.\n       Did you mean 'Body'?"),
        ({}, "[M90] kind None: is not a described thing."),
        ({"kind": ["Body"]}, "[M90] kind ['Body']: is not a described thing."),
        ([1, 2], "[M90] [1, 2]: is no description."),
        (
            {"kind": "Body", "name": "x", "mas": 1},
            "[M91] Body 'x': it has no field 'mas'.\n       Did you mean 'mass'?",
        ),
        ({"kind": "Body"}, "[M91] a Body: `name` is missing.\n       Give `name`."),
        ({"kind": "Body", "nmae": "x"}, "[M91] a Body: it has no field 'nmae'.\n       Did you mean 'name'?"),
        (
            {"kind": "Body", "name": "x", 1: 2},
            "[M91] Body 'x': it has no field '1'.\n       Known are: com, ",
        ),
        (
            {"kind": "Revolute", "name": "A", "frist": "a.b", "second": "c.d"},
            "[M91] Revolute 'A': it has no field 'frist'.\n       Did you mean 'first'?",
        ),
        (
            {"kind": "Body", "name": "x", "markers": {"m": {"pont": [0]}}},
            "[M91] Body 'x': its marker 'm' has no field 'pont'.\n       Did you mean 'point'?",
        ),
        (
            {"kind": "Body", "name": "x", "markers": {"m": {"angle": 1}}},
            "[M91] Body 'x': `point` of its marker 'm' is missing.",
        ),
        (
            {"kind": "Body", "name": "x", "mass": "heavy"},
            "[M91] Body 'x': mass: cannot read `heavy` at column 1",
        ),
        ({"kind": "Body", "name": "x", "inertia": [1, 2, "q"]}, "[M91] Body 'x': inertia.2: cannot read `q`"),
        (
            {"kind": "Body", "name": "x", "inertia": [[1, "q"]]},
            "[M91] Body 'x': inertia.0.1: cannot read `q`",
        ),
        (
            {"kind": "Body", "name": "x", "com": [float("nan")]},
            "[M91] Body 'x': com.0: a number field cannot hold",
        ),
        ({"kind": "Body", "name": "x", "markers": 5}, "[M91] Body 'x': markers: 5 is no mapping"),
        (
            {"kind": "Body", "name": "x", "markers": {"a": {"point": ["q"]}}},
            "markers.a.point.0: cannot read `q`",
        ),
        ({"kind": "Motion", "of": "A", "profile": []}, "[M91] Motion 'A': profile: list [] is no number"),
        ({"kind": "Mechanism"}, "[M91] a Mechanism: `name` is missing."),
        ({"kind": "Mechanism", "name": "m", "gravity": 9.81}, "gravity: this is no list of numbers."),
        ({"kind": "Motion", "of": "A", "profile": "tim"}, "unknown name `tim`.\n       Did you mean 'time'?"),
        (
            {"kind": "Mechanism", "name": "m", "gravity": ["g"]},
            "[M91] a Mechanism: gravity.0: cannot read `g`",
        ),
        (
            {"kind": "Mechanism", "name": "m", "joint": []},
            "it has no field 'joint'.\n       Did you mean 'joints'?",
        ),
    ],
)
def test_what_does_not_fit_is_named_with_its_place_once(data, said):
    with pytest.raises(ModelError) as caught:
        from_data(data)
    assert str(caught.value).startswith("the text has 1 fault:")
    assert said in str(caught.value)


def test_all_that_does_not_fit_comes_together():
    data = {"kind": "Mechanism", "bodies": [{"kind": "Bod"}, {"kind": "Body", "mass": "?"}], "joints": [3]}
    with pytest.raises(ModelError) as caught:
        from_data(data)
    assert [fault.code for fault in caught.value.faults] == ["M91", "M90", "M91", "M91", "M90"]
    assert [fault.place for fault in caught.value.faults] == [
        ("name",),
        ("bodies", 0, "kind"),
        ("bodies", 1, "name"),
        ("bodies", 1, "mass"),
        ("joints", 0),
    ]


def test_text_that_is_no_json_is_named_with_its_line():
    with pytest.raises(ModelError, match=r"\[M90\] line 2, column 10"):
        from_text('{"kind":\n "Body", oops}')


def test_only_described_things_become_text():
    with pytest.raises(ModelError, match=r"\[M90\] 5: is not a described thing"):
        to_text(5)


def test_numbers_may_be_written_as_expressions_in_a_file():
    read = from_data({"kind": "Body", "name": "x", "mass": "3", "com": ["parameter('c', 1)", 0]})
    assert read.mass == 3.0
    assert read.com == (Parameter("c", 1.0), 0.0)
