"""Numbers by name: `--guess` selects the assembly mode and replaces the file's own; invalid numbers are refused."""

import pytest
import typer
from typer.testing import CliRunner
from zoo import ZOO

import multiloop as ml
from multiloop.cli.application import application
from multiloop.cli.arguments import parse_guess, parse_rates, parse_start


def run(*arguments):
    """The command line with these arguments."""
    return CliRunner().invoke(application(), [str(argument) for argument in arguments])


@pytest.fixture
def undecided():
    """A four-bar whose file does not determine its assembly mode."""
    return ZOO["four-bar"].build().replace(guess={})


@pytest.fixture
def file(undecided, tmp_path):
    return ml.save(undecided, tmp_path / "four_bar.yaml")


@pytest.mark.parametrize("height", [0.7, -0.7])
def test_a_guess_chooses_the_closure(undecided, file, height):
    done = run("inverse", file, "--cycle", 5, "--guess", f"coupler.b=0.8,{height}")
    assert done.exit_code == 0
    expected = ml.inverse(undecided, cycle=5, guess={"coupler.b": (0.8, height)})
    assert str(expected.extremes()) in done.stdout


def test_without_a_guess_several_assembly_modes_are_reported(file, texts):
    done = run("inverse", file, "--cycle", 5)
    assert done.exit_code == 1
    texts(done.stderr, "2")


def test_a_guess_replaces_that_of_the_file(undecided, tmp_path):
    file = ml.save(undecided.replace(guess={"coupler.b": (0.8, 0.7)}), tmp_path / "four_bar.yaml")
    done = run("inverse", file, "--cycle", 5, "--guess", "coupler.b=0.8,-0.7")
    below = ml.inverse(undecided, cycle=5, guess={"coupler.b": (0.8, -0.7)})
    assert str(below.extremes()) in done.stdout


def test_explain_and_draw_take_it_too(file, tmp_path):
    assert run("explain", file, "--guess", "B=1.0").exit_code == 0
    pictures = [tmp_path / f"{side}.svg" for side in ("above", "below")]
    for picture, angle in zip(pictures, (1.0, -1.0), strict=True):
        assert run("draw", file, picture, "--guess", f"B={angle}").exit_code == 0
    above, below = ([line for line in p.read_text().splitlines() if "<path" in line] for p in pictures)
    assert above != below


def test_named_numbers_are_assigned():
    assert parse_guess(None) is parse_guess([]) is None
    assert parse_guess(["left rod.b = 0.8, -7e-1", "A=1"]) == {"left rod.b": (0.8, -0.7), "A": (1.0,)}
    assert parse_guess(["crank=none,None,0.3"]) == {"crank": (None, None, 0.3)}
    assert parse_guess(["a=b=1"]) == {"a=b": (1.0,)}


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        (["coupler.b"], ("'coupler.b'", "b=", "0.8", "0.7")),
        (["=1"], ("'=1'",)),
        (["A="], ("''", "'A='")),
        (["A=x"], ("'x'", "'A=x'")),
        (["A=1,,2"], ("''", "'A=1,,2'")),
        (["A=1", "A=2"], ("'A'",)),
    ],
)
def test_invalid_named_numbers_are_refused(entries, expected, texts):
    with pytest.raises(typer.BadParameter) as caught:
        parse_guess(entries)
    texts(caught.value.message, *expected)


def test_start_and_rates_have_the_same_syntax(texts):
    assert parse_start(None) == parse_rates([]) == {}
    assert parse_start(["A=0.3", "coupler.b=1,none"]) == {"A": (0.3,), "coupler.b": (1.0, None)}
    with pytest.raises(typer.BadParameter) as caught:
        parse_rates(["A"])
    texts(caught.value, "4.7")
    assert caught.value.param_hint == "'--rates'"


def test_a_start_may_relax_all_links_or_one_by_name():
    assert parse_start(["relaxed"]) == {"eta": "relaxed"}
    assert parse_start(["A=0.3", "coupler.eta=relaxed"]) == {"A": (0.3,), "coupler.eta": "relaxed"}


def test_its_names_are_checked_as_in_every_function(file, texts):
    done = run("draw", file, "a.png", "--guess", "copler=0,0")
    assert done.exit_code == 1
    texts(done.stderr, "'copler'")
    assert run("draw", file, "a.png", "--guess", "coupler").exit_code == 2
