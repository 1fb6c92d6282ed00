"""Flexible links in files: sections by their dimensions, meshes beside the file, and error messages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from texts import Texts

import multiloop as ml

BEAM = {"kind": "Beam", "name": "arm", "length": 0.9, "E": 70e9, "density": 2700}
SOLID = {"kind": "Solid", "name": "bar", "E": 7e10, "density": 2700, "interfaces": {"a": {"x": 0}}}
WRITE = "Write {rectangle: [0.02, 0.006]}, {tube: [0.03, 0.02]} or {A: 1.2e-4, Iz: 3.6e-10}."


@pytest.mark.parametrize(
    ("written", "section"),
    [
        ({"rectangle": [0.02, 0.006]}, ml.rectangle(0.02, 0.006)),
        ({"tube": [0.03, 0.02]}, ml.tube(0.03, 0.02)),
        ({"tube": [0.03]}, ml.tube(0.03)),
        ({"rectangle": [0.02, 'parameter("h", 0.006)']}, ml.rectangle(0.02, ml.Parameter("h", 0.006))),
        ({"A": 1.2e-4, "Iz": 3.6e-10}, ml.Section(1.2e-4, 3.6e-10)),
    ],
)
def test_sections_by_their_dimensions(written: Any, section: ml.Section) -> None:
    found = ml.from_data(BEAM | {"section": written, "section_at_b": written})
    assert found.section == found.section_at_b == section
    assert ml.from_data(ml.to_data(found)) == found


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({"section": {"rectangle": [0.02]}}, ("'rectangle'", "[0.02]", "[0.02, 0.006]")),
        ({"section": {"tube": [0.03, 0.02, 0.01]}}, ("'tube'", "[0.03, 0.02, 0.01]", "[0.03, 0.02]")),
        ({"section": "rectangle(0.02, 0.006)"}, ("'rectangle(0.02, 0.006)'",)),
        ({"section": {"A": 1e-4, "Izz": 1e-9}}, ("'Izz'", "'Iz'")),
        ({"damping": {"alpha": 0.1, "bta": 2}}, ("'bta'", "'beta'")),
        ({"modes": "2"}, ("'2'", "1")),
        ({"modes": {"y": "a"}}, ()),
        ({"masses": 3}, ("3", "0.2")),
        ({"masses": {"b": "1 kgg"}}, ("`1 kgg`",)),
        ({"masses": {"b": "1 mm"}}, ("'1 mm'",)),
    ],
)
def test_what_does_not_fit_a_beam(more: dict[str, Any], expected: tuple[str, ...], texts: Texts) -> None:
    with pytest.raises(ml.ModelError) as error:
        ml.from_data(BEAM | {"section": {"A": 1.2e-4, "Iz": 3.6e-10}} | more)
    texts.fault(error.value, "M91", "'arm'", *expected)


@pytest.mark.parametrize(
    ("mesh", "expected"),
    [
        (3, ("3",)),
        ({"size": [1, 1, 1], "elements": [1, 1], "corner": [0, 0, 0]}, ("`elements`", "2")),
        ({"path": "x.vtu", "digets": ""}, ("'digets'", "'digest'")),
    ],
)
def test_what_does_not_fit_a_solid(mesh: Any, expected: tuple[str, ...], texts: Texts) -> None:
    with pytest.raises(ml.ModelError) as error:
        ml.from_data(SOLID | {"mesh": mesh})
    texts.fault(error.value, "M91", "'bar'", *expected)


def machine(mesh: Any) -> ml.Mechanism:
    """A bar on a pin."""
    bar = ml.solid(
        "bar", mesh=mesh, E=7e10, density=2700, interfaces={"a": {"x": 0.0}}, modes=1, basis="natural"
    )
    joints = [ml.Revolute("A", "ground.origin", "bar.a")]
    return ml.Mechanism("m", planar=True, bodies=[ml.ground(), bar], joints=joints)


def write_mesh(file: Path) -> None:
    """A box as a mesh file of another program."""
    box = ml.box_mesh(0.3, 0.02, 0.01, elements=(2, 1, 1))
    bar = ml.solid("bar", mesh=box, E=1.0, density=1.0, interfaces={"a": "x0"})
    mesh = bar.deformed_mesh()
    mesh.as_meshio(mesh.points).write(file)


def test_a_mesh_path_is_relative_to_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    write_mesh(Path("parts/bar.vtu"))
    described = machine("parts/bar.vtu")
    for name in ("m.yaml", "parts/m.yaml", "elsewhere/m.json", str(tmp_path / "parts" / "n.yaml")):
        ml.save(described, name)
        assert ml.load(name) == described
    assert "path: bar.vtu" in Path("parts/m.yaml").read_text(encoding="utf-8")
    assert '"path": "../parts/bar.vtu"' in Path("elsewhere/m.json").read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert ml.load(tmp_path / "parts" / "m.yaml").body("bar").mass == described.body("bar").mass
    absolute = machine(tmp_path / "parts" / "bar.vtu")
    ml.save(absolute, "absolute.yaml")
    assert ml.load("absolute.yaml") == absolute


def test_a_missing_mesh_is_reported_with_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, texts: Texts
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "parts").mkdir()
    write_mesh(Path("parts/bar.vtu"))
    ml.save(machine("parts/bar.vtu"), "parts/m.yaml")
    Path("parts/bar.vtu").unlink()
    with pytest.raises(ml.ModelError) as error:
        ml.load("parts/m.yaml")
    texts.fault(error.value, "M16", "'bar'", "'parts/bar.vtu'", f"'{tmp_path / 'parts'}'")


def test_a_file_without_a_digest_is_read_as_it_is_now(tmp_path: Path) -> None:
    """Meshes are cached, by the digest of their file."""
    data = {"kind": "Solid", "name": "bar", "E": 1e9, "density": 1000.0, "interfaces": {"a": {"x": 0.0}}}
    data |= {"mesh": {"path": str(tmp_path / "bar.vtu")}, "modes": 2, "basis": "natural"}
    masses = []
    for length in (0.3, 0.6):
        box = ml.box_mesh(length, 0.02, 0.01, elements=(2, 1, 1))
        mesh = ml.solid("b", mesh=box, E=1e9, density=1.0, interfaces={"a": "x0"}).deformed_mesh()
        mesh.as_meshio(mesh.points).write(tmp_path / "bar.vtu")
        masses.append(ml.from_data(data).mass)
    assert masses == pytest.approx([0.06, 0.12], rel=1e-9)
