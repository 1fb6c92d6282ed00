"""Descriptions as text: one canonical form, and errors with their place."""

import json

import pytest

from multiloop import (
    Body,
    Helical,
    Marker,
    ModelError,
    Motion,
    Parameter,
    Revolute,
    from_data,
    from_text,
    ground,
    marker,
    rod,
    to_data,
    to_text,
)
from multiloop.model import constant_speed


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
    ("data", "expected"),
    [
        ({"kind": "Boddy"}, ("[M90]", "'Boddy'", "'Body'")),
        ({}, ("[M90]",)),
        ({"kind": ["Body"]}, ("[M90]", "'Body'")),
        ([1, 2], ("[M90]", "[1, 2]")),
        ({"kind": "Body", "name": "x", "mas": 1}, ("[M91]", "'x'", "'mas'", "'mass'")),
        ({"kind": "Body"}, ("[M91]", "`name`")),
        ({"kind": "Body", "nmae": "x"}, ("[M91]", "'nmae'", "'name'")),
        ({"kind": "Body", "name": "x", 1: 2}, ("[M91]", "'x'", "'1'")),
        (
            {"kind": "Revolute", "name": "A", "frist": "a.b", "second": "c.d"},
            ("[M91]", "'A'", "'frist'", "'first'"),
        ),
        (
            {"kind": "Body", "name": "x", "markers": {"m": {"pont": [0]}}},
            ("[M91]", "'x'", "'m'", "'pont'", "'point'"),
        ),
        ({"kind": "Body", "name": "x", "markers": {"m": {"angle": 1}}}, ("[M91]", "'x'", "`point`", "'m'")),
        ({"kind": "Body", "name": "x", "mass": "heavy"}, ("[M91]", "'x'", "`heavy`", "1")),
        ({"kind": "Body", "name": "x", "inertia": [1, 2, "q"]}, ("[M91]", "'x'", "`q`")),
        ({"kind": "Body", "name": "x", "inertia": [[1, "q"]]}, ("[M91]", "'x'", "`q`")),
        ({"kind": "Body", "name": "x", "com": [float("nan")]}, ("[M91]", "'x'")),
        ({"kind": "Body", "name": "x", "markers": 5}, ("[M91]", "'x'", "5")),
        ({"kind": "Body", "name": "x", "markers": {"a": {"point": ["q"]}}}, ("[M91]", "`q`")),
        ({"kind": "Motion", "of": "A", "profile": []}, ("[M91]", "'A'")),
        ({"kind": "Mechanism"}, ("[M91]", "`name`")),
        ({"kind": "Mechanism", "name": "m", "gravity": 9.81}, ("[M91]",)),
        ({"kind": "Motion", "of": "A", "profile": "tim"}, ("[M91]", "`tim`", "'time'")),
        ({"kind": "Mechanism", "name": "m", "gravity": ["g"]}, ("[M91]", "`g`")),
        ({"kind": "Mechanism", "name": "m", "joint": []}, ("[M91]", "'joint'", "'joints'")),
    ],
)
def test_what_does_not_fit_is_named_with_its_place_once(data, expected, texts):
    with pytest.raises(ModelError) as caught:
        from_data(data)
    assert len(caught.value.faults) == 1
    texts(
        caught.value, *expected, hide=[r"(?<=kind None: )(?s:.*)"]
    )  # the nearest one is a type that other tests register


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


def test_text_that_is_no_json_is_named_with_its_line(texts):
    with pytest.raises(ModelError) as caught:
        from_text('{"kind":\n "Body", oops}')
    texts.fault(caught.value, "M90", "2", "10")


def test_only_described_things_become_text(texts):
    with pytest.raises(ModelError) as caught:
        to_text(5)
    texts.fault(caught.value, "M90", "5")


def test_numbers_may_be_written_as_expressions_in_a_file():
    read = from_data({"kind": "Body", "name": "x", "mass": "3", "com": ["parameter('c', 1)", 0]})
    assert read.mass == 3.0
    assert read.com == (Parameter("c", 1.0), 0.0)
