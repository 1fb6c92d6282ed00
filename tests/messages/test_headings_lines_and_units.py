"""Headings, instants, lines and units in messages are those of the user's input."""

from math import cos, pi, sin
from pathlib import Path

import pytest
from texts import Texts
from typer.testing import CliRunner
from zoo.plain import free_body

import multiloop as ml
from multiloop.cli.application import application

ARM = """kind: Mechanism
name: m
planar: true
bodies:
- {kind: ground}
- {kind: Body, name: arm, mass: 1, inertia: 'parameter("J", 200 kg·mm²)'}
joints:
- {kind: Revolute, name: %s, first: ground.origin, second: arm.origin}
drives:
- {kind: Motion, of: %s, profile: '%s'}
"""


def arm_file(folder: Path, joint: str = "O", profile: str = "constant_speed(60 rpm)") -> Path:
    path = folder / "arm.yaml"
    path.write_text(ARM % (joint, joint, profile), encoding="utf-8")
    return path


def test_a_painleve_paradox_has_its_time(texts: Texts) -> None:
    rod = ml.Body("rod", mass=1.0, inertia=1 / 12, markers={"tip": (-0.5, 0.0)})
    chalk = free_body(
        rod, "chalk", planar=True, loads=[ml.Contact("floor", "rod.tip", "ground.origin", coefficient=1.5)]
    )
    at = {"floats": (0.5 * cos(1.0), 0.5 * sin(1.0), 1.0)}
    with pytest.raises(ml.SolveError) as caught:
        ml.forward(chalk, at, rates={"floats": (-1.0, 0.0, 0.0)})
    texts.fault(caught.value, "S17")
    assert caught.value.time == 0.0


@pytest.mark.parametrize("command", ["simulate", "inverse"])
def test_a_refused_option_names_the_command(command: str, tmp_path: Path, texts: Texts) -> None:
    done = CliRunner().invoke(application(), [command, str(arm_file(tmp_path)), "--set", "nope=1"])
    assert done.exit_code == 1
    texts(done.stderr, f"`{command}`", "[S10]", "'m'")


def test_an_error_outside_an_analysis_is_not_attributed_to_the_mechanism(texts: Texts) -> None:
    error = ml.SolveError("mechanism 'm'", [ml.Fault("S02", "t", "is nan.", "Give a finite time.")])
    texts.fault(error, "S02", "mechanism 'm'", "t", "nan")


def test_a_constant_speed_names_the_speed_that_it_needs(tmp_path: Path, texts: Texts) -> None:
    with pytest.raises(ml.MultiloopError) as caught:
        ml.load(arm_file(tmp_path, profile="constant_speed(60 deg)"))
    texts.fault(caught.value, "M91", "profile", "'constant_speed(60 deg)'", "angular speed or speed")


def test_a_constant_speed_of_the_other_kind_names_that_of_its_joint(tmp_path: Path, texts: Texts) -> None:
    with pytest.raises(ml.MultiloopError) as caught:
        ml.load(arm_file(tmp_path, profile="constant_speed(60 mm/s)"))
    texts.fault(caught.value, "M91", "'constant_speed(60 mm/s)'", "angular speed")


def test_a_joint_named_like_a_body_has_the_line_of_the_joint(tmp_path: Path, texts: Texts) -> None:
    with pytest.raises(ml.MultiloopError) as caught:
        ml.load(arm_file(tmp_path, joint="arm"))
    texts.fault(caught.value, "M01", "line 8, joint 'arm'")


def test_units_of_moments_and_inertias_are_listed_and_read(tmp_path: Path) -> None:
    page = (Path(ml.__file__).parents[2] / "docs" / "files.md").read_text(encoding="utf-8")
    assert all(f" {unit}," in page for unit in ("kg·mm²", "N·mm"))
    read = ml.load(arm_file(tmp_path))
    assert read.parameters["J"] == pytest.approx(200e-6)
    assert ml.inverse(read, t=[0.5])["O"].rate[0] == pytest.approx(2 * pi)
