"""The JSON Schema of mechanism files accepts the output of `save`, and refuses files that `load` refuses for their
form."""

import json
import re
from pathlib import Path

import jsonschema
import pytest
import yaml

import multiloop as ml
from multiloop.cli.application import application
from multiloop.io.schema import model_schema
from multiloop.model.serialise.kinds import PARTS

DOCS = Path(__file__).parents[3] / "docs"


@pytest.fixture(scope="module")
def validator():
    schema = json.loads(json.dumps(model_schema()))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@pytest.mark.parametrize("name", ml.examples.names())
def test_every_example_is_valid(validator, name):
    described = getattr(ml.examples, name)()
    assert list(validator.iter_errors(json.loads(json.dumps(ml.to_data(described))))) == []


def test_files_of_the_page_are_valid(validator):
    texts = re.findall(r'TEXT = """\n(.*?)"""', (DOCS / "files.md").read_text(encoding="utf-8"), re.DOTALL)
    assert len(texts) >= 3
    for text in texts:
        assert list(validator.iter_errors(yaml.safe_load(text))) == []


def test_every_kind_has_its_schema():
    assert {*PARTS, "rod", "plate", "beam", "ground"} <= {*model_schema()["$defs"], "Marker"}


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data["bodies"][1].update(mas=1.0),
        lambda data: data["bodies"][1].update(kind="Bdy"),
        lambda data: data["joints"][0].pop("first"),
        lambda data: data.update(joint=[]),
        lambda data: data["bodies"].append(data["joints"][0]),
        lambda data: data["bodies"][1].update(mass=[1.0]),
    ],
)
def test_what_load_refuses_for_its_form_is_not_valid(validator, change):
    data = ml.to_data(ml.examples.four_bar())
    change(data)
    assert list(validator.iter_errors(json.loads(json.dumps(data))))
    with pytest.raises(ml.ModelError):
        ml.from_data(data)


def test_the_command_writes_it(tmp_path):
    from typer.testing import CliRunner

    written = tmp_path / "multiloop.json"
    assert CliRunner().invoke(application(), ["schema", str(written)]).exit_code == 0
    assert json.loads(written.read_text(encoding="utf-8")) == json.loads(json.dumps(model_schema()))


BEAM = {
    "kind": "beam",
    "name": "bar",
    "length": 0.5,
    "E": "70 GPa",
    "density": 2700,
    "section": {"tube": [0.02]},
}
SOLID = {
    "kind": "solid",
    "name": "lever",
    "mesh": {"size": [0.1, 0.02, 0.01], "elements": [2, 1, 1], "corner": [0, 0, 0]},
    "E": "70 GPa",
    "density": 2700,
    "interfaces": {"a": "x-", "b": {"x": 0.1}},
}
PLATE = {"kind": "plate", "name": "wing", "corners": [[0, 0], [1, 0], [0, 1]], "mass": 1}


@pytest.mark.parametrize(
    ("body", "change"),
    [
        (BEAM, {"section": {"rectangle": ["20 mm", 0.01]}}),
        (BEAM, {"section": {"A": 1e-4, "Iz": 1e-9}, "section_at_b": {"A": 1e-4, "Iz": 1e-9}}),
        (BEAM, {"modes": 2}),
        (BEAM, {"modes": "auto"}),
        (BEAM, {"modes": {"y": 2, "z": 1}}),
        (BEAM, {"modes": ["y"], "basis": "nodal"}),
        (BEAM, {"modes": {"y": 2, "z": 1}, "basis": {"y": "natural", "z": "interface"}}),
        (BEAM, {"masses": {"b": "200 g"}}),
        (BEAM, {"damping": 0.01}),
        (BEAM, {"modes": 2, "damping": [0.01, 0.02]}),
        (BEAM, {"damping": {"alpha": 0.1, "beta": 1e-4}}),
        (BEAM, {"markers": {"m": 0.2, "n": [0.1, 0], "o": {"point": [0.1, 0], "angle": "20 deg"}}}),
        (SOLID, {"modes": 3}),
        (PLATE, {"corners": {"a": [0, 0], "b": ["1 m", 0], "c": [0, 1]}}),
    ],
)
def test_short_forms_of_fields_are_valid(validator, body, change):
    data = {**ml.to_data(ml.examples.four_bar()), "bodies": [{"kind": "ground"}, body | change]}
    assert [one.message for one in validator.iter_errors(data)] == []
    read = ml.from_data(body | change)
    written = {**data, "bodies": [json.loads(json.dumps(ml.to_data(read)))]}
    assert [one.message for one in validator.iter_errors(written)] == []


@pytest.mark.parametrize(
    ("body", "change"),
    [
        (BEAM, {"section": {"rectangle": [0.01]}}),
        (BEAM, {"section": {"tube": [0.03, 0.02, 0.01]}}),
        (BEAM, {"modes": "many"}),
        (BEAM, {"modes": {"y": "two"}}),
        (BEAM, {"masses": {"b": [1, 2]}}),
        (BEAM, {"markers": [[0.2, 0.0]]}),
        (SOLID, {"modes": {"y": 2}}),
        (SOLID, {"basis": {"y": "natural"}}),
        (PLATE, {"markers": [[0.2, 0.0]]}),
    ],
)
def test_forms_that_no_reader_takes_are_not_valid(validator, body, change):
    data = {**ml.to_data(ml.examples.four_bar()), "bodies": [{"kind": "ground"}, body | change]}
    assert list(validator.iter_errors(data))
    with pytest.raises(ml.ModelError):
        ml.from_data(data)
