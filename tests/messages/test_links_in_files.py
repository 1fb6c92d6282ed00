"""What a user reads when a link that bends is written wrongly into a file, or called wrongly in Python."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import multiloop as ml

pytest.importorskip("meshio")

MATERIAL = "length: 0.4, E: 2e11, density: 7850"

FILES = {
    "without a modulus": (
        "{kind: Beam, name: rod, length: 0.4, density: 7850, section: {tube: [0.02]}}",
        ["[M91] line 6, Beam 'rod': `E` is missing.\n       Give `E`."],
    ),
    "with a name alone": (
        "{kind: Beam, name: rod}",
        [
            "[M91] line 6, Beam 'rod': `length` is missing.\n       Give `length`, or `through`.",
            "[M91] line 6, Beam 'rod': `E` is missing.\n       Give `E`.",
            "[M91] line 6, Beam 'rod': `density` is missing.\n       Give `density`.",
            "[M91] line 6, Beam 'rod': `section` is missing.\n       Give `section`.",
        ],
    ),
    "misspelt, which is not missing": (
        "{kind: Beam, name: rod, lenght: 0.4, E: 2e11, density: 7850, section: {tube: [0.02]}}",
        ["[M91] line 6, Beam 'rod': it has no field 'lenght'.\n       Did you mean 'length'?"],
    ),
    "a solid without its mesh": (
        "{kind: Solid, name: rod, modus: 4, E: 2e11, density: 7850, interfaces: {a: x0}}",
        [
            "[M91] line 6, Solid 'rod': it has no field 'modus'.\n       Did you mean 'modes'?",
            "[M91] line 6, Solid 'rod': `mesh` is missing.\n       Give `mesh`.",
        ],
    ),
    "numbers for a section": (
        f"{{kind: Beam, name: rod, {MATERIAL}, section: [0.01, 0.004]}}",
        [
            "[M91] line 6, Beam 'rod': section: [0.01, 0.004] is no section.\n"
            "       Write {rectangle: [0.02, 0.006]}, {tube: [0.03, 0.02]} or {A: 1.2e-4, Iz: 3.6e-10}."
        ],
    ),
    "a form misspelt": (
        f"{{kind: Beam, name: rod, {MATERIAL}, section: {{rectangl: [0.01, 0.004]}}}}",
        [
            "[M91] line 6, Beam 'rod': section: {'rectangl': [0.01, 0.004]} is no section.\n"
            "       Did you mean 'rectangle'?"
        ],
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_what_a_file_says_wrongly_is_told_together(name: str, tmp_path: Path) -> None:
    """A wrong name elsewhere is told as well; nothing is told that only follows."""
    body, said = FILES[name]
    file = tmp_path / "arm.yaml"
    file.write_text(
        f"kind: Mechanism\nname: arm\nplanar: true\nbodies:\n- {{kind: Body, name: ground}}\n- {body}\njoints:\n"
        "- {kind: Revolute, name: A, first: ground.origin, second: rod.a}\n"
        "- {kind: Revolute, name: B, first: ground.orign, second: rod.b}\n",
        encoding="utf-8",
    )
    with pytest.raises(ml.ModelError) as refused:
        ml.load(file)
    told = [str(fault) for fault in refused.value.faults]
    assert told[:-1] == said
    assert told[-1].endswith("does not exist on body 'ground'.\n       Did you mean 'origin'?")


def test_a_file_that_no_reader_takes_is_told_in_one_voice(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    mesh = tmp_path / "bad.msh"
    mesh.write_text("no mesh", encoding="utf-8")
    with pytest.raises(ml.ModelError) as refused:
        ml.solid("rod", mesh=mesh, E=7e10, density=2700, interfaces={"a": "x0"})
    assert str(refused.value) == (
        f"body 'rod' has 1 fault:\n[M16] its mesh is the file '{mesh}', which meshio cannot read as a .msh file.\n"
        "       Write it anew as .msh, .inp, .vtu, .vtk, .bdf, .nas or .fem, with the ending of its format."
    )
    assert "".join(capfd.readouterr()).strip() == ""


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"length": -1.0}, "[M16] its length is -1.0.\n       Give a number of metres above zero."),
        ({"cell": "brick"}, '[M16] its cell is \'brick\'.\n       Give "hexahedron" or "tetrahedron".'),
        (
            {"elements": (8, 0, 1)},
            "[M16] its elements are (8, 0, 1).\n"
            "       Give three whole numbers above zero, along x, y and z: (8, 1, 1).",
        ),
    ],
)
def test_a_box_that_cannot_be_is_told_at_once(changes: dict[str, Any], said: str) -> None:
    given: dict[str, Any] = {"length": 0.9, "width": 0.1, "height": 0.1} | changes
    with pytest.raises(ml.ModelError) as refused:
        ml.box_mesh(given.pop("length"), given.pop("width"), given.pop("height"), **given)
    assert str(refused.value) == f"the box has 1 fault:\n{said}"


@pytest.mark.parametrize(
    ("make", "keyword", "meant"),
    [("beam", "lenght", "length"), ("solid", "interface", "interfaces"), ("rod", "mas", "mass")],
)
def test_a_misspelt_keyword_is_told_with_the_nearest(make: str, keyword: str, meant: str) -> None:
    with pytest.raises(TypeError) as refused:
        getattr(ml, make)("link", **{keyword: 0.4})
    assert str(refused.value) == f"{make}() takes no '{keyword}'. Did you mean '{meant}'?"
