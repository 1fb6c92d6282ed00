"""Every example of the gallery gives the expected numbers, and a figure."""

import importlib
import re
from pathlib import Path

import pytest
from matplotlib.figure import Figure

import multiloop as ml

EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = sorted(path.stem for path in EXAMPLES.glob("*.py"))
DEMONSTRATION = "what_torque_drives_the_carpet_scraper"
LONGEST = 75
"""Lines of an example, of which the ending that prints its answer takes a dozen."""


LONG = (
    "how_does_computed_torque_return_a_hexapod_to_its_path",
    "how_far_does_a_governor_open",
    "how_far_does_a_light_manipulator_deviate",
    "how_far_does_a_spatial_manipulator_deviate",
    "what_stress_is_in_a_bell_crank",
    "what_torques_take_a_vehicle_along_a_lane_change",
)
"""Examples that take some seconds."""

FURTHER = (
    "how_does_the_carpet_scraper_swing",
    "how_far_does_open_loop_torque_drift",
    "how_long_can_the_motion_of_a_3_rrr_be_predicted",
    "where_is_a_platform_on_deflected_legs",
)
"""Examples with mechanisms of other examples: scraper, four-bar, 3-RRR and spatial manipulator."""


@pytest.fixture(
    scope="module",
    params=[pytest.param(name, marks=pytest.mark.slow if name in LONG else ()) for name in NAMES],
)
def example(request):
    return importlib.import_module(request.param)


def test_there_are_examples():
    assert NAMES


def test_results_are_as_expected(example):
    found = example.results()
    assert set(found) == set(example.EXPECTED)
    for name, (known, tolerance, unit) in example.EXPECTED.items():
        assert abs(found[name] - known) <= tolerance, f"{name}: {found[name]:.9g} {unit}, expected {known:g}"


def test_the_answer_is_a_sentence(example):
    """The answer that `multiloop examples` prints, here from the gallery's own result, is prose and not a printed
    object."""
    answer = example.answer()
    assert answer.endswith(".")
    assert not re.search(r"\b(Link|Result|Body|Joint) '|\d instants", answer), answer


def test_figure_is_a_figure(example):
    assert isinstance(example.figure(), Figure)


@pytest.mark.slow
def test_run_as_a_program_it_prints_its_answer(example, capsys, tmp_path, monkeypatch):
    """The same numbers once more; the example of `make demo` is among the fast tests too."""
    check_program(example, capsys, tmp_path, monkeypatch)


def test_the_demonstration_prints_its_result(capsys, tmp_path, monkeypatch):
    check_program(importlib.import_module(DEMONSTRATION), capsys, tmp_path, monkeypatch)


def check_program(example, capsys, tmp_path, monkeypatch):
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


def test_the_gallery_shows_it(example):
    """The page is written by `make docs`; it contains the present answer of the example."""
    page = (EXAMPLES.parent / "docs" / "gallery.md").read_text(encoding="utf-8")
    name = example.__name__
    assert f"## {example.__doc__.splitlines()[0]}\n\n{example.answer()}\n\n![" in page
    assert f"(images/{name}.png)\n\n[examples/{name}.py](../examples/{name}.py)" in page
    assert (EXAMPLES.parent / "docs" / "images" / f"{name}.png").exists()


def test_questions_are_those_of_the_package(example):
    """All questions except those that use a mechanism of another example."""
    asked = {ml.examples.question(name) for name in ml.examples.names()}
    assert (example.__doc__.splitlines()[0] in asked) == (example.__name__ not in FURTHER)
