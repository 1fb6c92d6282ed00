"""`--set NAME=VALUE` with a unit: accepted if it has the dimension of the parameter, else refused by name."""

import pytest
from typer.testing import CliRunner

import multiloop as ml
from multiloop.cli.application import application


@pytest.fixture
def file(tmp_path):
    length, mass = ml.Parameter("L", 0.3), ml.Parameter("m", 1.0)
    speed, stiffness, wear = ml.Parameter("w", 4.7), ml.Parameter("k", 1000.0), ml.Parameter("mu", 0.1)
    sag, feed = ml.Parameter("sag", 0.01), ml.Parameter("feed", 0.1)
    mechanism = ml.Mechanism(
        "two machines",
        planar=True,
        bodies=[ml.ground(wall=(1, 0)), ml.rod("bar", length=length, mass=mass), ml.Body("block", mass=2.0)],
        joints=[
            ml.Revolute("A", "ground.origin", "bar.a"),
            ml.Prismatic("track", "ground.origin", "block.origin"),
        ],
        drives=[
            ml.Motion("A", ml.motion_laws.constant_speed(speed)),
            ml.Motion("track", ml.motion_laws.constant_speed(feed)),
        ],
        gravity=(0.0, -ml.Parameter("g", 9.81)),
        loads=[
            ml.Spring("spring", "ground.wall", "block.origin", stiffness=stiffness, length=0.5 - sag),
            ml.Friction("wear", "track", coefficient=wear, speed=0.01),
            ml.Force("push", "block.origin", (2700.0 * length, 0.0)),
        ],
    )
    path = tmp_path / "machines.yaml"
    ml.save(mechanism, path)
    return path


def run(*arguments):
    return CliRunner().invoke(application(), [str(argument) for argument in arguments])


@pytest.mark.parametrize(
    ("given", "name", "value"),
    [
        ("L=30mm", "L", 0.03),
        ("L=30 mm", "L", 0.03),
        ("L=0.3", "L", 0.3),
        ("m=500 g", "m", 0.5),
        ("w=45 rpm", "w", 1.5 * 3.141592653589793),
        ("k=2 N/mm", "k", 2000.0),
        ("sag=5 mm", "sag", 0.005),
        ("g=9810 mm/s^2", "g", 9.81),
        ("feed=100 mm/s", "feed", 0.1),
        ("mu=0.2", "mu", 0.2),
    ],
)
def test_a_unit_that_fits_is_converted(file, monkeypatch, given, name, value):
    seen = {}

    def caught(mechanism, **asked):
        seen.update(mechanism.parameters)
        return whole(mechanism, **asked)

    whole = ml.inverse
    monkeypatch.setattr("multiloop.analyses.inverse", caught)
    done = run("inverse", file, "--until", 0.1, "--set", given)
    assert done.exit_code == 0, done.output
    assert seen[name] == pytest.approx(value, rel=1e-15)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("L=30 deg", ("'L'", "'30 deg'", "'bar'")),
        ("L=30kg", ("'L'", "'30kg'")),
        ("m=30 mm", ("'m'", "'30 mm'", "'bar'")),
        ("g=9.81 m", ("'g'", "'9.81 m'", "'two machines'")),
        ("k=5 N", ("'k'", "'5 N'")),
        ("w=3 m/s", ("'w'", "'3 m/s'")),
        ("feed=3 rpm", ("'feed'", "'3 rpm'")),
        ("sag=5 N", ("'sag'", "'5 N'", "'spring'")),
        ("mu=0.2 m", ("'mu'", "'0.2 m'", "'wear'")),
    ],
)
@pytest.mark.parametrize("command", ["explain", "check"])
def test_a_unit_that_does_not_fit_is_refused_by_name(file, given, expected, command, texts):
    done = run(command, file, "--set", given)
    assert done.exit_code == 1
    texts(" ".join(done.output.split()), *expected)


def test_the_units_that_fit_are_listed(file, texts):
    done = run("explain", file, "--set", "L=30 deg")
    texts(" ".join(done.output.split()), "'30 deg'", "(m, cm, mm, µm, in)")


def test_an_unknown_parameter_is_reported_before_its_unit(file, texts):
    done = run("explain", file, "--set", "LL=30 deg")
    texts(" ".join(done.output.split()), "'LL'")
