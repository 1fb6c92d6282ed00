"""Numbers in wrong units are reported by `explain` and `check`; published machines are not."""

import pytest
from typer.testing import CliRunner
from zoo import ZOO
from zoo.four_bars import four_bar

import multiloop as ml
from multiloop.cli.application import application
from multiloop.plan.plausibility import implausible_numbers


def test_a_four_bar_in_millimetres():
    said = "\n".join(implausible_numbers(four_bar(size=1000)))
    assert "'crank' is 300 m large" in said
    assert "1414 m/s" in said
    assert "Warning: 'crank' is 300 m large" in ml.analyse(four_bar(size=1000)).explain()


@pytest.mark.parametrize(
    ("given", "number"),
    [
        ({"speed": 3000}, "900 m/s"),
        ({"size": 100}, "1.9 mm thick"),
        ({"mass": 2000}, "1.4e+05 kg/m³"),
        ({"size": 1e-3}, "5.6e+09 kg/m³"),
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
    ml.save(four_bar(size=1000), tmp_path / "large.yaml")
    shown = CliRunner().invoke(application(), ["check", str(tmp_path / "large.yaml")])
    assert shown.exit_code == 0
    assert "Warning: 'crank' is 300 m large" in shown.stdout
