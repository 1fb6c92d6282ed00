"""Numbers in wrong units are reported by `explain` and `check`; published machines are not."""

import pytest
from typer.testing import CliRunner
from zoo import ZOO

import multiloop as ml
from multiloop.cli.application import application
from multiloop.plan.plausibility import implausible_numbers


def four_bar(length: float = 1.0, mass: float = 1.0, speed: float = 4.712) -> ml.Mechanism:
    bodies = [
        ml.ground(A=(0, 0), D=(1.0 * length, 0)),
        ml.rod("crank", length=0.3 * length, mass=1.0 * mass),
        ml.rod("coupler", length=0.9 * length, mass=2.0 * mass),
        ml.rod("rocker", length=0.8 * length, mass=1.5 * mass),
    ]
    joints = [
        ml.Revolute("A", "ground.A", "crank.a"),
        ml.Revolute("B", "crank.b", "coupler.a"),
        ml.Revolute("C", "coupler.b", "rocker.b"),
        ml.Revolute("D", "ground.D", "rocker.a"),
    ]
    drives, guess = [ml.Motion("A", ml.constant_speed(speed))], {"coupler.b": (0.8 * length, 0.7 * length)}
    return ml.Mechanism("four-bar", planar=True, bodies=bodies, joints=joints, drives=drives, guess=guess)


def test_a_four_bar_in_millimetres():
    said = "\n".join(implausible_numbers(four_bar(length=1000)))
    assert "'crank' is 300 m large" in said
    assert "1414 m/s" in said
    assert "Warning: 'crank' is 300 m large" in ml.analyse(four_bar(length=1000)).explain()


@pytest.mark.parametrize(
    ("given", "number"),
    [
        ({"speed": 3000}, "900 m/s"),
        ({"length": 100}, "1.9 mm thick"),
        ({"mass": 2000}, "1.4e+05 kg/m³"),
        ({"length": 1e-3}, "5.6e+09 kg/m³"),
    ],
)
def test_other_slips_are_named_with_their_number(given, number):
    assert number in "\n".join(implausible_numbers(four_bar(**given)))


@pytest.mark.parametrize("scale", [0.01, 0.1, 1.0, 10.0])
def test_similar_machines_of_real_sizes_are_plausible(scale):
    assert implausible_numbers(four_bar(scale, mass=scale**3)) == []


def test_known_machines_are_plausible():
    known = {name: entry.build() for name, entry in ZOO.items() if entry.source}
    known |= {name: getattr(ml.examples, name)() for name in ml.examples.names()}
    assert {name: said for name, m in known.items() if (said := implausible_numbers(m))} == {}


def test_check_warns(tmp_path):
    ml.save(four_bar(length=1000), tmp_path / "large.yaml")
    shown = CliRunner().invoke(application(), ["check", str(tmp_path / "large.yaml")])
    assert shown.exit_code == 0
    assert "Warning: 'crank' is 300 m large" in shown.stdout
