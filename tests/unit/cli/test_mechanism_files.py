"""Mechanism files: both formats have the same content, and every error is named."""

import json

import pytest
import typer
from zoo import ZOO

import multiloop as ml
from multiloop.cli.arguments import require_suffix


@pytest.mark.parametrize("name", list(ZOO))
def test_yaml_gives_the_same_mechanism_back(tmp_path, name):
    mechanism = ZOO[name].build()
    ml.save(mechanism, tmp_path / "m.yaml")
    assert ml.load(tmp_path / "m.yaml") == mechanism


def test_json_gives_the_same_mechanism_back(tmp_path):
    mechanism = ZOO["four-bar"].build()
    (tmp_path / "m.json").write_text(ml.to_text(mechanism), encoding="utf-8")
    assert ml.load(tmp_path / "m.json") == mechanism


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
def test_an_expression_with_commas_wants_quotes(tmp_path, profile, count, texts):
    path = tmp_path / "m.yaml"
    path.write_text(HAND_WRITTEN.replace("2*time", profile), encoding="utf-8")
    with pytest.raises(ml.ModelError) as caught:
        ml.load(path)
    assert len(caught.value.faults) == count
    texts(caught.value, *["{ }"] * count)
    path.write_text(HAND_WRITTEN.replace("2*time", f"'{profile}'"), encoding="utf-8")
    assert ml.load(path).drives[0].of == "A"


def test_numbers_and_profiles_written_by_hand_are_understood(tmp_path):
    (tmp_path / "m.yml").write_text(HAND_WRITTEN, encoding="utf-8")
    mechanism = ml.load(tmp_path / "m.yml")
    assert mechanism.body("bob").mass == 1e-3
    assert mechanism.drives[0].profile == 2 * ml.time


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("m.txt", "", ("[F01]", "'.txt'")),
        ("m.json", '{"kind": "Mechanism",', ("[F01]", "1", "22")),
        ("m.json", '{"kind": "Mechanism", "kind": "Body"}', ("[F01]", "'kind'")),
        ("m.yaml", "kind: Mechanism\nbodies: [\n", ("[F01]", "3", "1")),
        ("m.yaml", "name: a\nname: b\n", ("[F01]", "'name'")),
        ("m.yaml", "kind: !!python/object:os.system x\n", ("[F01]",)),
        ("m.yaml", "kind: Body\nname: b\n", ("[F01]",)),
        ("m.yaml", "", ("[F01]",)),
        ("m.yaml", "just words", ("[M90]",)),
        ("m.yaml", b"\xff\xfe\x00", ("[F01]", "0", "8")),
    ],
)
def test_errors_of_a_file_are_reported(tmp_path, name, content, message, texts):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(ml.ModelError) as caught:
        ml.load(path)
    texts(
        caught.value, *message, hide=[r"(?:Expecting|did not find|could not determine) .*"]
    )  # of the parsers


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


def test_misspelt_fields_are_named_with_their_lines(tmp_path, texts):
    (tmp_path / "m.yaml").write_text(MISSPELT, encoding="utf-8")
    with pytest.raises(ml.ModelError) as caught:
        ml.load(tmp_path / "m.yaml")
    texts.faults(
        caught.value,
        ("M91", f"'{tmp_path / 'm.yaml'}'", "line 12", "'gravty'", "'gravity'"),
        ("M91", "line 9", "'bob'", "'m'", "'pont'", "'point'"),
        ("M91", "line 7", "'bob'", "'mas'", "'mass'"),
        ("M90", "line 11", "'Revolut'", "'Revolute'"),
    )


@pytest.mark.parametrize("indent", [1, "\t"])
def test_fields_misspelt_in_json_have_lines_too(tmp_path, indent, texts):
    data = {"kind": "Mechanism", "name": "m", "bodies": [{"kind": "Body", "name": "b", "mas": 1.0}]}
    (tmp_path / "m.json").write_text(json.dumps(data, indent=indent), encoding="utf-8")
    with pytest.raises(ml.ModelError) as caught:
        ml.load(tmp_path / "m.json")
    texts(caught.value, "[M91]", "8", "'b'", "'mas'")


def test_errors_of_json_that_is_not_yaml_have_no_lines(tmp_path, texts):
    (tmp_path / "m.json").write_text('{"kind": "Body", "name": "\x7f", "mas": 1}', encoding="utf-8")
    with pytest.raises(ml.ModelError) as caught:
        ml.load(tmp_path / "m.json")
    texts.fault(caught.value, "M91", "'\x7f'", "'mas'")


def test_what_is_missing_has_the_line_of_what_misses_it(tmp_path, texts):
    (tmp_path / "m.yaml").write_text("kind: Mechanism\nname: m\nbodies:\n- kind: Body\n", encoding="utf-8")
    with pytest.raises(ml.ModelError) as caught:
        ml.load(tmp_path / "m.yaml")
    texts.fault(caught.value, "M91", "4", "`name`")


def test_faults_of_the_mechanism_itself_are_about_the_mechanism(tmp_path, texts):
    (tmp_path / "m.yaml").write_text(HAND_WRITTEN.replace("mass: 1e-3", "mass: -1"), encoding="utf-8")
    with pytest.raises(ml.ModelError) as caught:
        ml.load(tmp_path / "m.yaml")
    texts.fault(caught.value, "M03", "'pendulum'", "line 7", "'bob'")


def test_missing_file_and_folder_are_named(tmp_path, texts):
    with pytest.raises(ml.ModelError) as caught:
        ml.load(tmp_path / "m.yaml")
    texts.fault(caught.value, "F01")
    (tmp_path / "folder.yaml").mkdir()
    with pytest.raises(ml.ModelError) as caught:
        ml.load(tmp_path / "folder.yaml")
    texts.fault(caught.value, "F01")


def test_ending_is_checked(tmp_path, texts):
    check = require_suffix(".png", ".svg")
    assert check(tmp_path / "A.PNG") == tmp_path / "A.PNG"
    assert check(None) is None
    with pytest.raises(typer.BadParameter) as caught:
        check(tmp_path / "a.gif")
    texts(caught.value)


def test_a_file_that_cannot_be_written_is_named(tmp_path, texts):
    with pytest.raises(ml.ModelError) as caught:
        ml.save(ml.load(_written(tmp_path)), tmp_path / "nowhere" / "m.yaml")
    texts.fault(caught.value, "F01")


def _written(tmp_path):
    (tmp_path / "m.yaml").write_text(HAND_WRITTEN, encoding="utf-8")
    return tmp_path / "m.yaml"


def nested(operation, times):
    """An expression that is built in Python with `times` nested operations."""
    found = ml.time
    for _ in range(times):
        found = operation(found)
    return found


DEEP = {
    "minus": nested(lambda x: -x, 300),
    "sum": nested(lambda x: x + 2 * ml.expr.sin(x), 5) + sum(k * ml.time for k in range(1500)),
    "power": nested(lambda x: 2**x, 100),
    "function": nested(ml.expr.sin, 150),
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


def test_what_would_not_be_read_is_not_saved(tmp_path, texts):
    rod = ml.rod("rod", length=1.0, mass=1.0)
    joint, drive = ml.Revolute("A", "ground.A", "rod.a"), ml.Motion("A", nested(ml.expr.sin, 300))
    deep = ml.Mechanism(
        "deep", planar=True, bodies=[ml.ground(A=(0, 0)), rod], joints=[joint], drives=[drive]
    )
    path = tmp_path / "m.yaml"
    path.write_text("before", encoding="utf-8")
    with pytest.raises(ml.ModelError) as caught:
        ml.save(deep, path)
    texts.fault(caught.value, "M91", f"'{path}'", "'A'", hide=[r"(?<=`).*?(?=`)"])
    assert path.read_text(encoding="utf-8") == "before"
