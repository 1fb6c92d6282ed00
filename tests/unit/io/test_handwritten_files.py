"""Handwritten files: `kind: rod`, units, and errors."""

import pytest

import multiloop as ml

TEXT = """
kind: Mechanism
name: four-bar
planar: true
bodies:
- {kind: ground, markers: {A: [0, 0], D: [1000 mm, 0]}}
- {kind: rod, name: crank, length: 300 mm, mass: 1000 g}
- {kind: rod, name: coupler, length: 90 cm, mass: 2, markers: {p: 450 mm}}
- {kind: plate, name: rocker, corners: {a: [0, 0], b: [0.8, 0], e: [0.4, 100 mm]}, mass: 1.5}
joints:
- {kind: Revolute, name: A, first: ground.A, second: crank.a}
- {kind: Revolute, name: B, first: crank.b, second: coupler.a}
- {kind: Revolute, name: C, first: coupler.b, second: rocker.b}
- {kind: Revolute, name: D, first: ground.D, second: rocker.a}
drives:
- {kind: Motion, of: A, profile: 45 rpm * time}
guess: {coupler.b: [800 mm, 700 mm], A: 10 deg}
"""


def read(tmp_path, text: str) -> ml.Mechanism:
    (tmp_path / "machine.yaml").write_text(text, encoding="utf-8")
    return ml.load(tmp_path / "machine.yaml")


def test_makers_and_units_give_the_mechanism_of_python(tmp_path):
    bodies = [
        ml.ground(A=(0, 0), D=(1.0, 0)),
        ml.rod("crank", length=0.3, mass=1.0),
        ml.rod("coupler", length=0.9, mass=2.0, markers={"p": 0.45}),
        ml.plate("rocker", corners={"a": (0, 0), "b": (0.8, 0), "e": (0.4, 0.1)}, mass=1.5),
    ]
    found = read(tmp_path, TEXT)
    assert found.bodies == tuple(bodies)
    assert found.drives == (ml.Motion("A", ml.rpm(45) * ml.time),)
    assert found.guess == (("coupler.b", (0.8, 0.7)), ("A", (ml.deg(10),)))
    assert ml.load(ml.save(found, tmp_path / "again.yaml")).bodies == found.bodies


def test_corners_without_names_and_beams(tmp_path):
    text = TEXT.replace(
        "corners: {a: [0, 0], b: [0.8, 0], e: [0.4, 100 mm]}", "corners: [[0, 0], [0.8, 0], [0.4, 0.1]]"
    )
    text = text.replace("rocker.b", "rocker.c2").replace("rocker.a", "rocker.c1")
    text = text.replace("{kind: rod, name: coupler, length: 90 cm, mass: 2, markers: {p: 450 mm}}", BEAM)
    found = read(tmp_path, text)
    assert [name for name, _ in found.body("rocker").markers] == ["c1", "c2", "c3"]
    beam = ml.beam("coupler", length=0.9, E=70e9, density=2700, section=ml.rectangle(0.02, 0.005))
    assert found == found.with_body(beam)


BEAM = "{kind: beam, name: coupler, length: 90 cm, E: 70 GPa, density: 2.7 g/cm³, section: {rectangle: [20 mm, 5 mm]}}"


@pytest.mark.parametrize(
    ("wrong", "right", "place", "found"),
    [
        ("length: 300 mm", "length: 30 kg", "rod 'crank'", ("'30 kg'",)),
        ("length: 300 mm", "lenth: 300 mm", "rod 'crank'", ("'lenth'",)),
        ("length: 300 mm", "length: 0", "rod 'crank'", ("0 m",)),
        ("length: 300 mm, ", "", "rod 'crank'", ("`length`",)),
        ("markers: {p: 450 mm}", "markers: {mass: 450 g}", "rod 'coupler'", ("'450 g'",)),
        ("[800 mm, 700 mm]", "[800 g, 700 mm]", "a Mechanism", ("'800 g'",)),
        ("length: 300 mm", "length: 1/4 in", "rod 'crank'", ("'1/4 in'", "-1")),
        ("length: 300 mm", "length: 100 + 20 mm", "rod 'crank'", ()),
        ("mass: 1000 g", "mass: 'parameter(\"r\", 30 mm)'", "rod 'crank'", ()),
        ("45 rpm * time", "45 mm/s * time", "Motion of 'A'", ()),
        ("kind: plate", "kind: plte", "kind 'plte'", ()),
        ("mass: 1.5", "mass: 1.5 kk", "plate 'rocker'", ("`kk`",)),
    ],
)
def test_what_does_not_fit_is_named_with_its_line(tmp_path, wrong, right, place, found, texts):
    assert wrong in TEXT
    with pytest.raises(ml.ModelError) as caught:
        read(tmp_path, TEXT.replace(wrong, right))
    (fault,) = caught.value.faults
    assert place in fault.where
    texts(caught.value, "line ", place, *found)
