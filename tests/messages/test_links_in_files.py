"""Messages for errors of flexible links in a file, or in a call in Python."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from texts import Texts

import multiloop as ml

TEXTS = "model"

pytest.importorskip("meshio")

MATERIAL = "length: 0.4, E: 2e11, density: 7850"

FILES = {
    "without a modulus": (
        "{kind: Beam, name: rod, length: 0.4, density: 7850, section: {tube: [0.02]}}",
        [("M91", "line 6, Beam 'rod'", "`E`")],
    ),
    "with a name alone": (
        "{kind: Beam, name: rod}",
        [
            ("M91", "line 6, Beam 'rod'", "`length`"),
            ("M91", "line 6, Beam 'rod'", "`E`"),
            ("M91", "line 6, Beam 'rod'", "`density`"),
            ("M91", "line 6, Beam 'rod'", "`section`"),
        ],
    ),
    "misspelt, which is not missing": (
        "{kind: Beam, name: rod, lenght: 0.4, E: 2e11, density: 7850, section: {tube: [0.02]}}",
        [("M91", "line 6, Beam 'rod'", "'lenght'")],
    ),
    "a solid without its mesh": (
        "{kind: Solid, name: rod, modus: 4, E: 2e11, density: 7850, interfaces: {a: x0}}",
        [("M91", "line 6, Solid 'rod'", "'modus'"), ("M91", "line 6, Solid 'rod'", "`mesh`")],
    ),
    "numbers for a section": (
        f"{{kind: Beam, name: rod, {MATERIAL}, section: [0.01, 0.004]}}",
        [("M91", "line 6, Beam 'rod'", "section", "[0.01, 0.004]")],
    ),
    "a form misspelt": (
        f"{{kind: Beam, name: rod, {MATERIAL}, section: {{rectangl: [0.01, 0.004]}}}}",
        [("M91", "line 6, Beam 'rod'", "section", "{'rectangl': [0.01, 0.004]}")],
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_all_errors_of_a_file_are_reported_together(name: str, tmp_path: Path, texts: Texts) -> None:
    """An invalid name elsewhere is reported as well; consequential errors are not."""
    body, expected = FILES[name]
    file = tmp_path / "arm.yaml"
    file.write_text(
        f"kind: Mechanism\nname: arm\nplanar: true\nbodies:\n- {{kind: Body, name: ground}}\n- {body}\njoints:\n"
        "- {kind: Revolute, name: A, first: ground.origin, second: rod.a}\n"
        "- {kind: Revolute, name: B, first: ground.orign, second: rod.b}\n",
        encoding="utf-8",
    )
    with pytest.raises(ml.ModelError) as refused:
        ml.load(file)
    texts.faults(refused.value, *expected, ("T03", "'orign'", "'ground'"))


def test_unreadable_files_are_reported_in_the_same_form(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], texts: Texts
) -> None:
    mesh = tmp_path / "bad.msh"
    mesh.write_text("no mesh", encoding="utf-8")
    with pytest.raises(ml.ModelError) as refused:
        ml.solid("rod", mesh=mesh, E=7e10, density=2700, interfaces={"a": "x0"})
    texts.fault(refused.value, "M16", "body 'rod'", mesh)
    assert "".join(capfd.readouterr()).strip() == ""


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"length": -1.0}, ("M16", "-1.0")),
        ({"cell": "brick"}, ("M16", "'brick'")),
        ({"elements": (8, 0, 1)}, ("M16", "(8, 0, 1)")),
    ],
)
def test_an_invalid_box_is_reported_when_it_is_created(
    changes: dict[str, Any], expected: tuple[str, ...], texts: Texts
) -> None:
    given: dict[str, Any] = {"length": 0.9, "width": 0.1, "height": 0.1} | changes
    with pytest.raises(ml.ModelError) as refused:
        ml.box_mesh(given.pop("length"), given.pop("width"), given.pop("height"), **given)
    texts.fault(refused.value, *expected)


@pytest.mark.parametrize(
    ("make", "keyword", "meant"),
    [("beam", "lenght", "length"), ("solid", "interface", "interfaces"), ("rod", "mas", "mass")],
)
def test_a_misspelt_keyword_is_reported_with_the_nearest(
    make: str, keyword: str, meant: str, texts: Texts
) -> None:
    with pytest.raises(TypeError) as refused:
        getattr(ml, make)("link", **{keyword: 0.4})
    texts(refused.value, f"{make}()", f"'{keyword}'", f"'{meant}'")
