"""The JSON Schema of mechanism files accepts what `save` writes and refuses what `load` refuses for its form."""

import json
import re
from pathlib import Path

import jsonschema
import pytest
import yaml

import multiloop as ml
from multiloop.cli.application import application
from multiloop.io.schema import model_schema
from multiloop.model.text import PARTS

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
