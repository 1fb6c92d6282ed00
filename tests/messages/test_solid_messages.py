"""Messages for invalid solids: meshes, faces, materials, modes, and results that a solid does not have."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import meshio
import numpy as np
import pytest
from texts import Texts
from zoo.plain import clamped_body, pinned_body

import multiloop as ml

MESH = ml.box_mesh(0.3, 0.02, 0.01, elements=(2, 1, 1))
GIVEN = {
    "mesh": MESH,
    "E": 2e11,
    "nu": 0.3,
    "density": 7850.0,
    "interfaces": {"a": "x0", "b": "x1"},
    "modes": 6,
}
CUBE = np.array(
    [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]], float
)


def refused(**more: Any) -> ml.ModelError:
    """The error of a solid."""
    with pytest.raises(ml.ModelError) as error:
        ml.solid("link", **GIVEN | more)
    return error.value


def plain_mesh() -> meshio.Mesh:
    """The mesh in the form of meshio."""
    mesh = ml.solid("link", **GIVEN).deformed_mesh()
    return mesh.as_meshio(mesh.points)


@pytest.mark.parametrize(
    ("more", "values"),
    [
        ({"E": 0.0}, ("E", "0.0")),
        ({"density": -1.0}, ("density", "-1.0")),
        ({"nu": 0.5}, ("nu", "0.5")),
        ({"nu": -0.2}, ("nu", "-0.2")),
        ({"interfaces": {}}, ("interfaces", "()")),
        ({"interfaces": {"a": "x0", "b": "x2"}}, ("'x2'", "'b'")),
        ({"interfaces": {"a": "x0", "b": {"x": 0.4}}}, ("x = 0.4 m", "'b'")),
        ({"interfaces": {"a": "x0", "b": "y1"}}, ("'a'", "'b'")),
        ({"modes": 400}, ("400", "81")),
        ({"modes": 0}, ("0",)),
        ({"modes": 2}, ("2", "3")),
        ({"basis": "modal"}, ("'modal'",)),
        ({"tie": "loose"}, ("'loose'",)),
        ({"frame": "c"}, ("'c'",)),
        ({"damping": (0.1, 0.1)}, ("(0.1, 0.1)",)),
        ({"markers": {"far": (0.5, 0.0)}}, ("'far'", "0.2 m")),
        ({"mesh": replace(MESH, size=(0.3, 0.0, 0.01))}, ("0.0",)),  # as in a file
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_what_is_wrong_with_a_solid(more: dict[str, Any], values: tuple[str, ...], texts: Texts) -> None:
    texts.fault(refused(**more), "M16", "body 'link'", *values)


def test_no_mesh_at_all(texts: Texts) -> None:
    texts.fault(refused(mesh=7), "M16", "7")


def test_elements_inside_out(texts: Texts) -> None:
    mesh = plain_mesh()
    cells = mesh.cells_dict["hexahedron27"].copy()
    cells[0, [1, 3]] = cells[0, [3, 1]]
    turned = meshio.Mesh(mesh.points, {"hexahedron27": cells})
    texts.fault(refused(mesh=turned, interfaces={"a": {"x": 0.0}, "b": {"x": 0.3}}), "M16", "1", "2")


def test_elements_that_are_folded(texts: Texts) -> None:
    """A mid-side node is moved beyond one of the two corners."""
    mesh = plain_mesh()
    points = mesh.points.copy()
    points[mesh.cells_dict["hexahedron27"][1, 8]] += [0.14, 0.0, 0.0]
    points[mesh.cells_dict["hexahedron27"][1, 9]] += [0.0, 0.02, 0.0]
    texts.fault(
        refused(mesh=meshio.Mesh(points, mesh.cells), interfaces={"a": {"x": 0.0}}), "M16", "2 elements"
    )


def test_an_element_without_volume_at_a_corner(texts: Texts) -> None:
    """A mid-side node at a quarter of its edge: the Jacobian vanishes exactly at the corner."""
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], float)
    ends = [(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)]
    points = np.vstack([corners, [(corners[a] + corners[b]) / 2 for a, b in ends]])
    assert np.array_equal(points[4], [0.5, 0, 0])
    points[4] = [0.25, 0, 0]
    said = refused(mesh=meshio.Mesh(points, {"tetra10": np.arange(10)[None]}), interfaces={"a": {"x": 0.0}})
    texts.fault(said, "M16", "1 element")


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        ({"hexahedron": np.arange(8)[None]}, "hexahedron"),
        ({"quad": np.arange(4)[None]}, "quad"),
        ({"line": np.arange(2)[None]}, "line"),
    ],
    ids=["linear", "surface", "lines"],
)
def test_a_mesh_without_quadratic_solids(
    cells: dict[str, np.ndarray], kind: str, tmp_path: Path, texts: Texts
) -> None:
    mesh, file = meshio.Mesh(CUBE, cells), tmp_path / "cube.vtu"
    mesh.write(file)
    texts.fault(refused(mesh=mesh), "M16", f"({kind})")
    texts.fault(refused(mesh=file), "M16", f"({kind})", file)


def test_a_file_that_is_not_there_or_no_mesh(tmp_path: Path, texts: Texts) -> None:
    missing, text, odd = tmp_path / "none.msh", tmp_path / "text.msh", tmp_path / "mesh.docx"
    text.write_text("not a mesh")
    odd.write_text("not a mesh")
    for path in (missing, text, odd):
        texts.fault(refused(mesh=path), "M16", "body 'link'", path)


def test_a_file_that_has_changed(tmp_path: Path, texts: Texts) -> None:
    file = tmp_path / "link.vtu"
    plain_mesh().write(file)
    faces = {"a": {"x": 0.0}, "b": {"x": 0.3}}
    text = ml.to_text(ml.solid("link", **GIVEN | {"mesh": file, "interfaces": faces}))
    clamped_body(ml.from_text(text), "m", joint="j", planar=False)
    plain_mesh().write(file, binary=False)
    again = ml.from_text(text)
    with pytest.raises(ml.ModelError) as error:
        clamped_body(again, "m", joint="j", planar=False)
    texts.fault(error.value, "M16", "'link'", file)


def test_packages_that_are_not_there(monkeypatch: pytest.MonkeyPatch, texts: Texts) -> None:
    monkeypatch.setitem(sys.modules, "skfem", None)
    new = ml.box_mesh(0.31, 0.02, 0.01, elements=(2, 1, 1))
    texts.fault(refused(mesh=new), "M16", "'scikit-fem'", "multiloop-dynamics[flexible]")


def test_a_spatial_mechanism_needs_more_modes_than_a_planar_one(texts: Texts) -> None:
    with pytest.raises(ml.ModelError) as error:
        clamped_body(ml.solid("link", **GIVEN | {"modes": 4}), "m", joint="j", planar=False)
    texts.fault(error.value, "M16", "4", "6")


def test_more_modes_than_move_in_the_plane(texts: Texts) -> None:
    body = ml.solid(
        "link",
        **GIVEN | {"mesh": ml.box_mesh(0.3, 0.02, 0.01, elements=(1, 1, 1)), "basis": "natural", "modes": 26},
    )
    machine = pinned_body(body, "m", joint="j")
    with pytest.raises(ml.ModelError) as error:
        ml.assemble(machine, {"j": 0.0})
    texts.fault(error.value, "M16", "26")


def arm() -> ml.Result:
    machine = pinned_body(
        ml.solid("link", **GIVEN | {"modes": 1, "basis": "natural", "stiffening": False}), joint="shaft"
    )
    return ml.simulate(machine, start={"shaft": 0.0}, until=1e-4, samples=2, target="interpreter")


def test_results_that_a_solid_does_not_have(texts: Texts) -> None:
    link = arm().link("link")
    for ask, values in (
        (lambda: link.moment(0.1), ()),
        (lambda: link.deflection([3, 900]), ("[3, 900]",)),
        (lambda: link.stress([0.1, 0.2]), ()),
        (lambda: link.deflection("b"), ("'b'",)),
        (lambda: link.largest("moment"), ()),
        (lambda: link.largest("strss"), ("'strss'",)),
        (lambda: link.stress(times=3.0), ("3.0",)),
    ):
        with pytest.raises(ml.SolveError) as error:
            ask()
        texts.fault(error.value, "R08", "link 'link'", *values)
