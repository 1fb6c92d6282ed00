"""Can model files of version 0.1 be read, and do they describe the same mechanisms as today?

`files_of_0_1.zip` contains the YAML files of all examples and of all test models, written by `save` of version 0.1.
"""

import warnings
import zipfile
from pathlib import Path

import pytest
from zoo import ZOO

import multiloop as ml

FILES = Path(__file__).with_name("files_of_0_1.zip")
with zipfile.ZipFile(FILES) as archive:
    WRITTEN = {name.removesuffix(".yaml"): archive.read(name) for name in archive.namelist()}


def test_there_is_a_file_of_every_model_of_0_1():
    assert sum(name.startswith("examples/") for name in WRITTEN) == 34
    assert sum(name.startswith("zoo/") for name in WRITTEN) == 54


@pytest.mark.parametrize("name", WRITTEN)
def test_a_file_of_0_1_is_the_mechanism_of_today(name, tmp_path):
    path = tmp_path / "mechanism.yaml"
    path.write_bytes(WRITTEN[name])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        loaded = ml.load(path)
    folder, _, model = name.partition("/")
    assert loaded == (getattr(ml.examples, model)() if folder == "examples" else ZOO[model].build())
