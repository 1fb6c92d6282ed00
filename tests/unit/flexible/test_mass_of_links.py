"""Mass and density of a link are consistent: its mass follows from geometry and material, in files and in Python."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from texts import Texts

import multiloop as ml

SECTION = ml.rectangle(0.02, 0.006)
MESH = ml.box_mesh(0.3, 0.02, 0.01, elements=(2, 1, 1))
HEIGHT = ml.Parameter("h", 0.006)
LINKS = {
    "uniform": ml.beam("arm", length=0.9, E=70e9, density=2700, section=SECTION, markers={"m": 0.3}),
    "by parameters": ml.beam("arm", length=0.9, E=70e9, density=2700, section=ml.rectangle(0.02, HEIGHT)),
    "tapered, with a mass": ml.beam(
        "arm",
        length=0.9,
        E=70e9,
        density=2700,
        section=(SECTION, ml.rectangle(0.02, 0.004)),
        masses={"b": 0.2},
    ),
    "cranked": ml.beam(
        "arm", through=[(0, 0), (0.3, 0), (0.3, 0.2)], E=70e9, density=2700, section=SECTION, G=30e9
    ),
    "solid": ml.solid("arm", mesh=MESH, E=70e9, density=2700, interfaces={"a": "x0", "b": "x1"}, modes=6),
}

BY_HAND = """
kind: Mechanism
name: cantilever
planar: true
bodies:
- {kind: Body, name: ground}
- {kind: Beam, name: arm, length: 0.9, E: 70e9, density: 2700, section: {A: 1.2e-4, Iz: 3.6e-10}, modes: 3, frame: a}
joints:
- {kind: Fixed, name: wall, first: ground.origin, second: arm.a}
"""


@pytest.mark.parametrize("name", LINKS)
def test_files_do_not_hold_what_follows_and_may_do_so(name: str) -> None:
    link = LINKS[name]
    data = ml.to_data(link)
    assert not {"mass", "com", "inertia", "inertia_at"} & set(data)
    again = ml.from_data(data)
    assert again == link
    assert again.mass == link.mass
    assert again.inertia == link.inertia
    weight = {name: getattr(link, name) for name in ("mass", "com", "inertia", "inertia_at")}
    told = ml.to_data(ml.Body("arm", **weight))
    assert "inertia" in told
    assert ml.from_data(told | data) == link


@pytest.mark.parametrize("name", LINKS)
def test_another_density_is_another_mass(name: str) -> None:
    link, heavy = LINKS[name], 7850.0
    sitting = 0.2 if name.startswith("tapered") else 0.0
    expected = (number(link.mass) - sitting) * heavy / 2700.0 + sitting
    for changed in (replace(link, density=heavy), ml.from_data(ml.to_data(link) | {"density": heavy})):
        assert number(changed.mass) == pytest.approx(expected, rel=1e-12)
    still = ml.from_data(ml.to_data(replace(link, density=heavy)))
    assert still == replace(link, density=heavy)


@pytest.mark.parametrize(
    ("name", "given", "expected"),
    [
        ("uniform", {"mass": 1.0}, ("[M15]", "'arm'", "1 kg", "0.2916 kg", "`mass`")),
        (
            "cranked",
            {"mass": 1.0, "com": [0.1, 0.1], "inertia": 0.3},
            ("[M15]", "'arm'", "1 kg", "0.162 kg", "`mass`", "`com`", "`inertia`"),
        ),
        ("cranked", {"length": 0.7}, ("[M15]", "'arm'", "0.7 m", "0.5 m", "`length`")),
        ("solid", {"com": [0.1, 0.0]}, ("[M16]", "'arm'", "(0.1, 0)", "0.15", "`com`")),
    ],
)
def test_numbers_that_contradict_are_refused(
    name: str, given: dict[str, Any], expected: tuple[str, ...], texts: Texts
) -> None:
    with pytest.raises(ml.ModelError) as error:
        ml.from_data(ml.to_data(LINKS[name]) | given)
    texts(error.value, *expected)


def test_a_handwritten_beam_has_the_deflection_and_frequency_of_a_cantilever(tmp_path: Path) -> None:
    """w = q L⁴ / 8 EI and ω = 3.5160 √(EI / ρA L⁴) of a cantilever under its weight."""
    file = tmp_path / "cantilever.yaml"
    file.write_text(BY_HAND, encoding="utf-8")
    machine = ml.load(file)
    rho_A, EI, L = 2700 * 1.2e-4, 70e9 * 3.6e-10, 0.9
    arm = machine.body("arm")
    assert arm.mass == pytest.approx(rho_A * L, rel=1e-12)
    assert [name for name, _ in arm.markers] == ["a", "b"]
    rest = ml.equilibrium(machine)
    tip = rest.state.marker("arm.b")[1]
    assert tip == pytest.approx(-rho_A * 9.81 * L**4 / (8 * EI), rel=5e-4)  # truncation of the modes
    omega = ml.eigenmodes(machine.replace(gravity=(0, 0))).frequencies[0]
    assert omega == pytest.approx(3.51602 * np.sqrt(EI / (rho_A * L**4)), rel=1e-5)  # printed digits


def test_a_wrong_mass_in_a_file_is_reported_with_its_line(tmp_path: Path, texts: Texts) -> None:
    file = tmp_path / "cantilever.yaml"
    file.write_text(BY_HAND.replace("length: 0.9", "length: 0.9, mass: 3"), encoding="utf-8")
    with pytest.raises(ml.ModelError) as error:
        ml.load(file)
    texts.fault(error.value, "M15", "7", "'arm'", "3 kg")


def test_the_number_of_modes_of_a_centreline_that_leaves_the_plane() -> None:
    """It has the same meaning in a file as in Python: modes with components in all directions."""
    link = replace(LINKS["cranked"], through=[(0, 0, 0), (0.3, 0, 0), (0.3, 0.2, 0.1)], markers=(), modes=4)
    assert link.modes == (("space", 4),)
    assert ml.from_data(ml.to_data(link) | {"modes": 4}) == link


def test_values_of_parameters_move_the_mass() -> None:
    joints = [ml.Revolute("A", "ground.origin", "arm.a")]
    machine = ml.Mechanism(
        "m", planar=True, bodies=[ml.ground(), LINKS["by parameters"]], joints=joints, gravity=(0, 0)
    )
    thick = machine.with_parameters(h=0.012).body("arm")
    assert number(thick.mass) == pytest.approx(2 * LINKS["uniform"].mass, rel=1e-12)


def test_links_in_one_sentence(texts: Texts) -> None:
    texts(repr(LINKS["uniform"]), "'arm'", "0.9 m", "0.2916 kg", "7e+10")
    texts(repr(LINKS["cranked"]), "'arm'", "2", "0.5 m", "0.162 kg", "7e+10")
    texts(repr(LINKS["tapered, with a mass"]), "'arm'", "0.9 m", "0.443 kg", "1", "7e+10")
    texts(repr(LINKS["by parameters"]), "'arm'", "0.9 m", "0.2916 kg", "7e+10")
    texts(repr(LINKS["solid"]), "'arm'", "0.3", "0.02", "0.01 m", "0.162 kg", "7e+10")


def number(value: Any) -> float:
    """At the values of parameters."""
    return float(ml.model.markers.value_of(value))
