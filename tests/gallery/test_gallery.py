"""Every example of the gallery gives the numbers that it promises, and a figure."""

import importlib
from pathlib import Path

import pytest
from matplotlib.figure import Figure

EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = sorted(path.stem for path in EXAMPLES.glob("*.py"))
LONGEST = 75
"""Lines of an example, of which the ending that prints its answer takes a dozen."""


@pytest.fixture(scope="module", params=NAMES)
def example(request):
    return importlib.import_module(request.param)


def test_there_are_examples():
    assert NAMES


def test_results_are_as_expected(example):
    found = example.results()
    assert set(found) == set(example.EXPECTED)
    for name, (known, tolerance, unit) in example.EXPECTED.items():
        assert abs(found[name] - known) <= tolerance, f"{name}: {found[name]:.9g} {unit}, expected {known:g}"


def test_figure_is_a_figure(example):
    assert isinstance(example.figure(), Figure)


def test_run_as_a_program_it_prints_its_answer(example, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # a demonstration leaves files
    example.main()
    printed = capsys.readouterr().out
    assert printed.count("Check, ") == len(example.EXPECTED)
    assert "DIFFERS" not in printed
    text = (EXAMPLES / f"{example.__name__}.py").read_text(encoding="utf-8")
    assert text.endswith('if __name__ == "__main__":\n    main()\n')


def test_example_asks_one_question_and_names_its_source(example):
    question, *_ = example.__doc__.splitlines()
    assert question.endswith("?")
    assert "Check: " in example.__doc__
    assert "Source: " in example.__doc__


@pytest.mark.parametrize("name", NAMES)
def test_example_is_short(name):
    text = (EXAMPLES / f"{name}.py").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= LONGEST
