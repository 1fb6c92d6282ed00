"""What is said of solids that cannot be: meshes, faces, materials, modes, and questions that they have no answer to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import meshio
import numpy as np
import pytest

import multiloop as ml
from multiloop.flexible.solids import mesh_files
from multiloop.model.mesh import BoxMesh

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


def refused(**more: Any) -> str:
    """What is said of a solid."""
    with pytest.raises(ml.ModelError) as error:
        ml.solid("link", **GIVEN | more)
    return str(error.value)


def plain_mesh() -> meshio.Mesh:
    """The mesh as meshio has it."""
    mesh = ml.solid("link", **GIVEN).deformed_mesh()
    return mesh.as_meshio(mesh.points)


MATERIAL = "Give a number from 0 to below 0.5: about 0.3 for metals."


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"E": 0.0}, "its E is 0.0.\n       Give a number above zero, in Pa."),
        ({"density": -1.0}, "its density is -1.0.\n       Give a number above zero, in kg/m³."),
        ({"nu": 0.5}, f"its nu is 0.5.\n       {MATERIAL}"),
        ({"nu": -0.2}, f"its nu is -0.2.\n       {MATERIAL}"),
        (
            {"interfaces": {}},
            'its interfaces are ().\n       Give a face for each marker: {"a": "bore", "b": {"x": 0.3}}.',
        ),
        (
            {"interfaces": {"a": "x0", "b": "x2"}},
            "its mesh has no face 'x2' for marker 'b'.\n       Did you mean 'x1'?",
        ),
        (
            {"interfaces": {"a": "x0", "b": {"x": 0.4}}},
            "its mesh has no face at x = 0.4 m for marker 'b'.\n"
            "       It reaches over x from 0 to 0.3, y from -0.01 to 0.01, z from -0.005 to 0.005 m.",
        ),
        (
            {"interfaces": {"a": "x0", "b": "y1"}},
            "the faces of 'a' and 'b' touch, and both are rigid.\n"
            '       Give faces apart from each other, or tie="average".',
        ),
        (
            {"modes": 400},
            "it has 400 modes, and its mesh has 81.\n       Give fewer, or a finer mesh.",
        ),
        ({"modes": 0}, "its modes are 0.\n       Give a whole number above zero."),
        (
            {"modes": 2},
            'it has 2 modes, and its interfaces alone need 3.\n       Give 3 or more, or basis="natural".',
        ),
        ({"basis": "modal"}, 'its basis is \'modal\'.\n       Give "interface", "natural" or "free".'),
        ({"tie": "loose"}, 'its tie is \'loose\'.\n       Give "rigid" or "average".'),
        (
            {"frame": "c"},
            "its frame is 'c'.\n       Give one of its interfaces (a, b), or \"chord\" if there are two.",
        ),
        (
            {"damping": (0.1, 0.1)},
            "its damping is (0.1, 0.1).\n       Give a part of critical, 0.01, or one for each of 6 modes.",
        ),
        (
            {"markers": {"far": (0.5, 0.0)}},
            "its marker 'far' lies 0.2 m outside of its mesh.\n"
            "       Tie it to a face by `interfaces`, or move it into the material.",
        ),
        (
            {"mesh": BoxMesh((0.3, 0.0, 0.01), (8, 1, 1), (0.0, 0.0, 0.0))},  # as a file may have it
            "its mesh is a box; its width is 0.0.\n       Give a number of metres above zero.",
        ),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_what_is_wrong_with_a_solid(more: dict[str, Any], said: str) -> None:
    assert refused(**more) == f"body 'link' has 1 fault:\n[M16] {said}"


def test_no_mesh_at_all() -> None:
    assert refused(mesh=7) == (
        "body 'link' has 1 fault:\n[M16] its mesh is 7.\n"
        "       Give a path, `box_mesh(…)`, or a mesh of meshio or scikit-fem."
    )


def test_elements_inside_out() -> None:
    mesh = plain_mesh()
    cells = mesh.cells_dict["hexahedron27"].copy()
    cells[0, [1, 3]] = cells[0, [3, 1]]
    turned = meshio.Mesh(mesh.points, {"hexahedron27": cells})
    assert refused(mesh=turned, interfaces={"a": {"x": 0.0}, "b": {"x": 0.3}}) == (
        "body 'link' has 1 fault:\n[M16] 1 of the 2 elements of its mesh is inside out.\n"
        "       Mesh it anew, or mend the order of their nodes."
    )


def test_elements_that_are_folded() -> None:
    """A node between two corners, moved beyond one of them."""
    mesh = plain_mesh()
    points = mesh.points.copy()
    points[mesh.cells_dict["hexahedron27"][1, 8]] += [0.14, 0.0, 0.0]
    points[mesh.cells_dict["hexahedron27"][1, 9]] += [0.0, 0.02, 0.0]
    said = refused(mesh=meshio.Mesh(points, mesh.cells), interfaces={"a": {"x": 0.0}})
    assert "of the 2 elements of its mesh" in said
    assert "inside out" in said


def test_an_element_without_volume_at_a_corner() -> None:
    """A middle node a quarter along its edge: the volume vanishes exactly at the corner."""
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], float)
    ends = [(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)]
    points = np.vstack([corners, [(corners[a] + corners[b]) / 2 for a, b in ends]])
    assert np.array_equal(points[4], [0.5, 0, 0])
    points[4] = [0.25, 0, 0]
    said = refused(mesh=meshio.Mesh(points, {"tetra10": np.arange(10)[None]}), interfaces={"a": {"x": 0.0}})
    assert "1 of the 1 element of its mesh is inside out." in said


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ({"hexahedron": np.arange(8)[None]}, "has linear elements alone (hexahedron)."),
        ({"quad": np.arange(4)[None]}, "has a surface alone (quad)."),
        ({"line": np.arange(2)[None]}, "has no solid elements (line)."),
    ],
    ids=["linear", "surface", "lines"],
)
def test_a_mesh_without_quadratic_solids(cells: dict[str, np.ndarray], said: str, tmp_path: Path) -> None:
    remedy = "Write it with quadratic elements: tetrahedra of 10 nodes, or hexahedra of 20 or 27 (gmsh: -3 -order 2)."
    mesh, file = meshio.Mesh(CUBE, cells), tmp_path / "cube.vtu"
    mesh.write(file)
    assert refused(mesh=mesh) == f"body 'link' has 1 fault:\n[M16] its mesh {said}\n       {remedy}"
    assert refused(mesh=file).endswith(f"its mesh is the file '{file}', which {said}\n       {remedy}")


def test_a_file_that_is_not_there_or_no_mesh(tmp_path: Path) -> None:
    missing, text, odd = tmp_path / "none.msh", tmp_path / "text.msh", tmp_path / "mesh.docx"
    text.write_text("not a mesh")
    odd.write_text("not a mesh")
    assert refused(mesh=missing) == (
        f"body 'link' has 1 fault:\n[M16] its mesh is the file '{missing}', which is not there.\n"
        "       Give the path of a mesh file."
    )
    assert refused(mesh=text) == (
        f"body 'link' has 1 fault:\n[M16] its mesh is the file '{text}', which meshio cannot read as a .msh file.\n"
        "       Write it anew as .msh, .inp, .vtu, .vtk, .bdf, .nas or .fem, with the ending of its format."
    )
    assert refused(mesh=odd) == (
        f"body 'link' has 1 fault:\n"
        f"[M16] its mesh is the file '{odd}', whose ending is none of a format that is read.\n"
        "       Give .msh, .inp, .vtu, .vtk, .bdf, .nas or .fem; in Python also a mesh that meshio has read."
    )


def test_a_file_that_has_changed(tmp_path: Path) -> None:
    file = tmp_path / "link.vtu"
    plain_mesh().write(file)
    faces = {"a": {"x": 0.0}, "b": {"x": 0.3}}
    text = ml.to_text(ml.solid("link", **GIVEN | {"mesh": file, "interfaces": faces}))
    ml.Mechanism(
        "m", bodies=[ml.ground(), ml.from_text(text)], joints=[ml.Fixed("j", "ground.origin", "link.a")]
    )
    plain_mesh().write(file, binary=False)
    again = ml.from_text(text)
    with pytest.raises(ml.ModelError) as error:
        ml.Mechanism("m", bodies=[ml.ground(), again], joints=[ml.Fixed("j", "ground.origin", "link.a")])
    assert str(error.value).endswith(
        f"its mesh is the file '{file}', which has changed since it was described.\n"
        "       Describe the solid anew, or give the file that it was described with."
    )


def test_packages_that_are_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("multiloop.flexible.solids.mesh_files.find_spec", lambda name: None)
    with pytest.raises(ml.MultiloopError) as error:
        mesh_files.needs("skfem", "meshio")
    assert str(error.value).endswith(
        "[M16] its mesh needs the package 'scikit-fem', which is not installed.\n"
        '       Install it: `pip install "multiloop-dynamics[flexible]"`.'
    )


def test_a_mechanism_of_space_needs_more_shapes_than_one_of_the_plane() -> None:
    with pytest.raises(ml.ModelError) as error:
        ml.Mechanism(
            "m",
            bodies=[ml.ground(), ml.solid("link", **GIVEN | {"modes": 4})],
            joints=[ml.Fixed("j", "ground.origin", "link.a")],
        )
    assert "it has 4 modes, and its interfaces alone need 6." in str(error.value)


def test_more_modes_than_move_in_the_plane() -> None:
    body = ml.solid(
        "link",
        **GIVEN | {"mesh": ml.box_mesh(0.3, 0.02, 0.01, elements=(1, 1, 1)), "basis": "natural", "modes": 26},
    )
    machine = ml.Mechanism(
        "m", planar=True, bodies=[ml.ground(), body], joints=[ml.Revolute("j", "ground.origin", "link.a")]
    )
    with pytest.raises(ml.ModelError) as error:
        ml.assemble(machine, {"j": 0.0})
    assert "[M16] it has 26 modes, and its mesh has " in str(error.value)
    assert " in the plane.\n       Give fewer, or a finer mesh." in str(error.value)


def arm() -> ml.Result:
    machine = ml.Mechanism(
        "arm",
        planar=True,
        bodies=[
            ml.ground(),
            ml.solid("link", **GIVEN | {"modes": 1, "basis": "natural", "stiffening": False}),
        ],
        joints=[ml.Revolute("shaft", "ground.origin", "link.a")],
    )
    return ml.simulate(machine, start={"shaft": 0.0}, until=1e-4, outputs=2, target="interpreter")


def test_questions_without_an_answer() -> None:
    link = arm().link("link")
    for ask, said in (
        (
            lambda: link.moment(0.1),
            "it is a solid, and has no line along which to ask.\n"
            "       Ask its nodes: .deflection(nodes), .position(nodes), .stress(nodes); "
            'a plot with over="time" shows the largest deflection or stress of all nodes.',
        ),
        (lambda: link.deflection([3, 900]), "nodes of it are [3, 900].\n       Give numbers from 0 to 44."),
        (
            lambda: link.stress([0.1, 0.2]),
            "it is a solid, and has no line along which to ask.\n"
            "       Ask its nodes: .deflection(nodes), .position(nodes), .stress(nodes); "
            'a plot with over="time" shows the largest deflection or stress of all nodes.',
        ),
        (lambda: link.deflection("b"), "nodes of it are 'b'.\n       Give numbers from 0 to 44."),
        (
            lambda: link.largest("moment"),
            "it is a solid, and has no line along which to ask.\n"
            "       Ask its nodes: .deflection(nodes), .position(nodes), .stress(nodes); "
            'a plot with over="time" shows the largest deflection or stress of all nodes.',
        ),
        (lambda: link.largest("strss"), "it has no largest 'strss'.\n       Did you mean 'stress'?"),
        (lambda: link.stress(times=3.0), "times are 3.0.\n       Give seconds from 0 to 0.0001."),
    ):
        with pytest.raises(ml.SolveError) as error:
            ask()
        assert str(error.value).endswith(f"[R08] link 'link': {said}")
