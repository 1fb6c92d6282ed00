"""Mechanism files: both formats are read alike, and every mistake is named."""

import json

import pytest
import typer
from zoo import ZOO

import multiloop as ml
from multiloop.cli.files import ending
from multiloop.io import load, save


@pytest.mark.parametrize("name", list(ZOO))
def test_yaml_gives_the_same_mechanism_back(tmp_path, name):
    mechanism = ZOO[name].build()
    save(mechanism, tmp_path / "m.yaml")
    assert load(tmp_path / "m.yaml") == mechanism


def test_json_gives_the_same_mechanism_back(tmp_path):
    mechanism = ZOO["four-bar"].build()
    (tmp_path / "m.json").write_text(ml.to_text(mechanism), encoding="utf-8")
    assert load(tmp_path / "m.json") == mechanism


HAND_WRITTEN = """
kind: Mechanism
name: pendulum
planar: true
bodies:
  - {kind: Body, name: ground}
  - {kind: Body, name: bob, mass: 1e-3, com: [0.5], inertia: 2e-4}
joints:
  - {kind: Revolute, name: A, first: ground.origin, second: bob.origin}
drives:
  - {kind: Motion, of: A, profile: 2*time}
"""


@pytest.mark.parametrize(
    ("profile", "count"),
    [("table([0, 1, 2], [0, 5, 0], periodic=True)", 1), ("cycloidal(0, 1, duration=2)", 3)],
)
def test_an_expression_with_commas_wants_quotes(tmp_path, profile, count):
    path = tmp_path / "m.yaml"
    path.write_text(HAND_WRITTEN.replace("2*time", profile), encoding="utf-8")
    with pytest.raises(ml.ModelError) as caught:
        load(path)
    faults = caught.value.faults
    assert [fault.remedy for fault in faults] == count * [
        "Put the whole expression into quotes: within { } a comma ends a value."
    ]
    path.write_text(HAND_WRITTEN.replace("2*time", f"'{profile}'"), encoding="utf-8")
    assert load(path).drives[0].of == "A"


def test_numbers_and_profiles_written_by_hand_are_understood(tmp_path):
    (tmp_path / "m.yml").write_text(HAND_WRITTEN, encoding="utf-8")
    mechanism = load(tmp_path / "m.yml")
    assert mechanism.body("bob").mass == 1e-3
    assert mechanism.drives[0].profile == 2 * ml.time


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("m.txt", "", "its ending '.txt' is not known"),
        ("m.json", '{"kind": "Mechanism",', "line 1, column 22: "),
        ("m.json", '{"kind": "Mechanism", "kind": "Body"}', "the key 'kind' comes twice"),
        ("m.yaml", "kind: Mechanism\nbodies: [\n", "line 3, column 1: "),
        ("m.yaml", "name: a\nname: b\n", "the key 'name' comes twice"),
        ("m.yaml", "kind: !!python/object:os.system x\n", "could not determine a constructor"),
        ("m.yaml", "kind: Body\nname: b\n", "it describes a Body, not a Mechanism"),
        ("m.yaml", "", "it is empty"),
        ("m.yaml", "just words", "is no description"),
        ("m.yaml", b"\xff\xfe\x00", "byte 0 is no UTF-8 text"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(tmp_path, name, content, message):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(ml.ModelError) as caught:
        load(path)
    assert message in str(caught.value)


MISSPELT = """\
kind: Mechanism
name: pendulum
bodies:
  - {kind: Body, name: ground}
  - kind: Body
    name: bob
    mas: 1.0
    markers:
      m: {pont: [0, 1]}
joints:
  - {kind: Revolut, name: A}
gravty: [0, -1]
"""


def test_misspelt_fields_are_named_with_their_lines(tmp_path):
    (tmp_path / "m.yaml").write_text(MISSPELT, encoding="utf-8")
    with pytest.raises(ml.ModelError) as caught:
        load(tmp_path / "m.yaml")
    assert str(caught.value) == (
        f"file '{tmp_path / 'm.yaml'}' has 4 faults:\n"
        "[M91] line 12, a Mechanism: it has no field 'gravty'.\n       Did you mean 'gravity'?\n"
        "[M91] line 9, Body 'bob': its marker 'm' has no field 'pont'.\n       Did you mean 'point'?\n"
        "[M91] line 7, Body 'bob': it has no field 'mas'.\n       Did you mean 'mass'?\n"
        "[M90] line 11, kind 'Revolut': is not a described thing.\n       Did you mean 'Revolute'?"
    )


@pytest.mark.parametrize("indent", [1, "\t"])
def test_fields_misspelt_in_json_have_lines_too(tmp_path, indent):
    data = {"kind": "Mechanism", "name": "m", "bodies": [{"kind": "Body", "name": "b", "mas": 1.0}]}
    (tmp_path / "m.json").write_text(json.dumps(data, indent=indent), encoding="utf-8")
    with pytest.raises(ml.ModelError, match=r"\[M91\] line 8, Body 'b': it has no field 'mas'"):
        load(tmp_path / "m.json")


def test_json_that_is_no_yaml_is_answered_without_lines(tmp_path):
    (tmp_path / "m.json").write_text('{"kind": "Body", "name": "\x7f", "mas": 1}', encoding="utf-8")
    with pytest.raises(ml.ModelError, match=r"\[M91\] Body '\\x7f': it has no field 'mas'"):
        load(tmp_path / "m.json")


def test_what_is_missing_has_the_line_of_what_misses_it(tmp_path):
    (tmp_path / "m.yaml").write_text("kind: Mechanism\nname: m\nbodies:\n- kind: Body\n", encoding="utf-8")
    with pytest.raises(ml.ModelError, match=r"\[M91\] line 4, a Body: `name` is missing"):
        load(tmp_path / "m.yaml")


def test_faults_of_the_mechanism_itself_are_about_the_mechanism(tmp_path):
    (tmp_path / "m.yaml").write_text(HAND_WRITTEN.replace("mass: 1e-3", "mass: -1"), encoding="utf-8")
    with pytest.raises(
        ml.ModelError,
        match=r"mechanism 'pendulum' of file '.*m.yaml' has 1 fault:\n\[M03\] line 7, body 'bob'",
    ):
        load(tmp_path / "m.yaml")


def test_missing_file_and_folder_are_named(tmp_path):
    with pytest.raises(ml.ModelError, match="it does not exist"):
        load(tmp_path / "m.yaml")
    (tmp_path / "folder.yaml").mkdir()
    with pytest.raises(ml.ModelError, match=r"folder\.yaml: it is a folder\.\n +Give a text file\."):
        load(tmp_path / "folder.yaml")


def test_ending_is_checked(tmp_path):
    check = ending(".png", ".svg")
    assert check(tmp_path / "A.PNG") == tmp_path / "A.PNG"
    assert check(None) is None
    with pytest.raises(typer.BadParameter, match=r"must end in \.png, \.svg"):
        check(tmp_path / "a.gif")


def test_a_file_that_cannot_be_written_is_named(tmp_path):
    with pytest.raises(
        ml.ModelError, match=r"\[F01\] m\.yaml: there is no folder '.*nowhere' to write it into"
    ):
        ml.save(ml.load(_written(tmp_path)), tmp_path / "nowhere" / "m.yaml")


def _written(tmp_path):
    (tmp_path / "m.yaml").write_text(HAND_WRITTEN, encoding="utf-8")
    return tmp_path / "m.yaml"


def nested(operation, times):
    """An expression that is built in Python, `times` operations deep."""
    found = ml.time
    for _ in range(times):
        found = operation(found)
    return found


DEEP = {
    "minus": nested(lambda x: -x, 300),
    "sum": nested(lambda x: x + 2 * ml.functions.sin(x), 5) + sum(k * ml.time for k in range(1500)),
    "power": nested(lambda x: 2**x, 100),
    "function": nested(ml.functions.sin, 150),
}


@pytest.mark.parametrize("name", DEEP)
@pytest.mark.parametrize("ending", ["yaml", "json"])
def test_what_is_saved_is_read(tmp_path, name, ending):
    rod = ml.rod("rod", length=1.0, mass=1.0)
    joint, drive = ml.Revolute("A", "ground.A", "rod.a"), ml.Motion("A", DEEP[name])
    deep = ml.Mechanism(
        "deep", planar=True, bodies=[ml.ground(A=(0, 0)), rod], joints=[joint], drives=[drive]
    )
    path = ml.save(deep, tmp_path / f"m.{ending}")
    assert ml.load(path) == deep


def test_what_would_not_be_read_is_not_saved(tmp_path):
    rod = ml.rod("rod", length=1.0, mass=1.0)
    joint, drive = ml.Revolute("A", "ground.A", "rod.a"), ml.Motion("A", nested(ml.functions.sin, 300))
    deep = ml.Mechanism(
        "deep", planar=True, bodies=[ml.ground(A=(0, 0)), rod], joints=[joint], drives=[drive]
    )
    path = tmp_path / "m.yaml"
    path.write_text("before", encoding="utf-8")
    with pytest.raises(ml.ModelError) as caught:
        ml.save(deep, path)
    said = str(caught.value)
    assert f"file '{path}', not written as it could not be read back, has 1 fault" in said
    assert "Motion 'A': profile: cannot read `sin(" in said
    assert "too many nested parentheses" in said
    assert path.read_text(encoding="utf-8") == "before"
