"""`--set PATH=VALUE`: numbers of the description by path, besides parameters by name."""

import pytest
from typer.testing import CliRunner

import multiloop as ml
from multiloop.cli.application import application
from multiloop.cli.arguments import read_mechanism


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "four-bar.yaml"
    ml.save(ml.examples.four_bar().parametrise({"coupler.mass": "m2", "rocker.mass": "crank.mass"}), path)
    return path


def run(*arguments):
    return CliRunner().invoke(application(), [str(argument) for argument in arguments])


def test_paths_and_parameters_are_set_together(file):
    mechanism = read_mechanism(
        file, ["crank.com.x=120 mm", "ground.D.x=1.1", "m2=2.5", "A.profile.speed=45 rpm"]
    )
    assert mechanism.body("crank").com[0] == pytest.approx(0.12, rel=1e-15)
    assert mechanism.marker("ground.D").point == (1.1,)
    assert mechanism.parameters["m2"] == 2.5
    assert mechanism.numbers()["A.profile.speed"].value == pytest.approx(4.71238898038469, rel=1e-12)


def test_names_of_parameters_are_preferred(file):
    before, after = read_mechanism(file, None), read_mechanism(file, ["crank.mass=3"])
    assert after.body("crank").mass == before.body("crank").mass
    assert after.parameters["crank.mass"] == 3.0


COMMANDS = [
    ("check", []),
    ("explain", []),
    ("inverse", ["--cycle", "5"]),
    ("simulate", ["--until", "0.01", "--samples", "3"]),
]


@pytest.mark.parametrize(("command", "options"), COMMANDS)
def test_commands_accept_paths(file, command, options):
    assert run(command, file, *options, "--set", "ground.D.x=1.05").exit_code == 0
    refused = run(command, file, *options, "--set", "ground.D.y=")
    assert refused.exit_code != 0


def test_results_are_those_of_the_new_number(file):
    plain, heavier = (
        run("inverse", file, "--cycle", 13, *more) for more in ([], ["--set", "coupler.com.x=0.3"])
    )
    assert plain.exit_code == heavier.exit_code == 0
    assert plain.output != heavier.output


@pytest.mark.parametrize(
    ("setting", "code", "named"),
    [
        ("ground.D.w=1", "M07", "'ground.D.x'"),
        ("ground.D.x=1 kg", "M91", "length (m, cm, mm"),
        ("coupler.mass=2", "M07", "'m2'"),
        ("rocker.com.x=inf", "M05", "inf"),
        ("L2=0.5", "S10", "'L2'"),
    ],
)
def test_invalid_settings_are_reported(file, setting, code, named):
    said = run("check", file, "--set", setting)
    assert said.exit_code == 1
    assert f"[{code}]" in said.output
    assert named in said.output


def test_texts_of_invalid_settings(file, texts):
    said = run("check", file, "--set", "ground.D.x=1 kg")
    texts(said.output.partition("\n")[2], "'ground.D.x'", "'1 kg'")
