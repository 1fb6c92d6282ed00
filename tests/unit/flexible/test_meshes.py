"""Meshes of solids: in files, from other programs, and their faces."""

from __future__ import annotations

import numpy as np
import pytest
from unit.flexible.square_bar import B, H, L, bar, end_flexibility, held

import multiloop as ml
from multiloop.flexible.solids.solid_mesh import solid_mesh


def test_it_stands_in_files_and_comes_back() -> None:
    """A box mesh is written by its dimensions; the digest of a mechanism changes with the mesh."""
    machine = held(bar(damping=0.01))
    assert ml.from_text(ml.to_text(machine)) == machine
    assert held(bar(elements=(4, 1, 1), damping=0.01)).fingerprint != machine.fingerprint


def test_faces_by_test_go_into_files_with_the_mesh() -> None:
    """A predicate of points cannot be written; the nodes for which it is true can."""
    by_plane = bar(interfaces={"a": {"x": 0.0}, "b": {"x": L}})
    by_test = bar(interfaces={"a": lambda r: r[:, 0] < 1e-9, "b": "x1"})
    assert by_test.mass == pytest.approx(by_plane.mass, rel=1e-14)
    again = ml.from_text(ml.to_text(held(by_test))).body("bar")
    assert again == by_test
    assert end_flexibility(again) == pytest.approx(end_flexibility(by_plane), rel=1e-9, abs=1e-20)


def test_a_face_is_what_all_its_nodes_are_in() -> None:
    """Sides of a plate one element thick have all corners on its faces, and belong to none of these."""
    lower = bar(interfaces={"a": lambda r: (np.abs(r[:, 2]) > H / 2 - 1e-9) & (r[:, 0] < L / 8 + 1e-9)})
    assert dict(lower.markers)["a"].point == pytest.approx((L / 16,))
    mesh = solid_mesh(lower.mesh)
    assert len(mesh.facets_of("face of a")) == 2


@pytest.mark.parametrize("cell", ["hexahedron", "tetrahedron"])
def test_meshes_of_other_programs(cell: str, tmp_path: object) -> None:
    """By a file that meshio writes, as meshio's mesh, as scikit-fem's: the same link."""
    import meshio

    own = solid_mesh(ml.box_mesh(L, B, H, elements=(2, 1, 1), cell=cell))
    described = bar(elements=(2, 1, 1), cell=cell, interfaces={"a": {"x": 0.0}, "b": {"x": L}})
    plain = described.deformed_mesh().as_meshio(own.points)
    file = tmp_path / "bar.vtu"
    plain.write(file)
    assert meshio.read(file).points == pytest.approx(own.points, abs=1e-15)
    for mesh in (file, plain, own.grid):
        other = bar(mesh=mesh, interfaces={"a": {"x": 0.0}, "b": {"x": L}})
        assert end_flexibility(other) == pytest.approx(end_flexibility(described), rel=1e-9, abs=1e-20)
        assert ml.from_text(ml.to_text(held(other))) == held(other)


def test_hexahedra_of_twenty_nodes() -> None:
    """The seven missing nodes are added."""
    import meshio

    own = bar(elements=(2, 1, 1), interfaces={"a": {"x": 0.0}, "b": {"x": L}})
    plain = own.deformed_mesh().as_meshio(own.deformed_mesh().points)
    cells = plain.cells_dict["hexahedron27"][:, :20]
    twenty = meshio.Mesh(plain.points, {"hexahedron20": cells})
    other = bar(mesh=twenty, interfaces={"a": {"x": 0.0}, "b": {"x": L}})
    assert end_flexibility(other) == pytest.approx(end_flexibility(own), rel=1e-9, abs=1e-20)


@pytest.mark.parametrize("way", ["sets of cells", "sets of nodes", "physical surfaces"])
def test_faces_that_a_file_names(way: str) -> None:
    """Sets of surface cells, sets of nodes as Abaqus has them, and gmsh's physical surfaces."""
    import meshio

    mesh = bar(elements=(2, 1, 1)).deformed_mesh().mesh
    plain = bar(elements=(2, 1, 1)).deformed_mesh().as_meshio(mesh.points)
    quads = [mesh.boundary_nodes[np.isin(mesh.boundary, mesh.facets_of(name))] for name in ("x0", "x1")]
    cells = [*plain.cells, meshio.CellBlock("quad9", np.vstack(quads))]
    more = {
        "sets of cells": {"cell_sets": {"left": [None, np.array([0])], "right": [None, np.array([1])]}},
        "sets of nodes": {"point_sets": {"left": quads[0].ravel(), "right": quads[1].ravel()}},
        "physical surfaces": {
            "cell_data": {"gmsh:physical": [np.full(len(plain.cells[0].data), 9), np.array([1, 2])]},
            "field_data": {"left": np.array([1, 2]), "right": np.array([2, 2]), "steel": np.array([9, 3])},
        },
    }
    named = meshio.Mesh(plain.points, cells, **more[way])
    other = bar(mesh=named, interfaces={"a": "left", "b": "right"})
    assert dict(other.markers)["a"].point == (0.0,)
    assert dict(other.markers)["b"].point == (L,)


def test_a_file_written_by_hand(tmp_path: object) -> None:
    """A box and a material suffice: mass, inertia and markers follow from the mesh."""
    file = tmp_path / "held.yaml"
    file.write_text(
        """
kind: Mechanism
name: held bar
gravity: [0, 0, 0]
bodies:
  - {kind: Body, name: ground}
  - kind: Solid
    name: bar
    mesh: {size: [0.4, 0.02, 0.02], elements: [8, 1, 1], corner: [0, -0.01, -0.01]}
    E: 2.1e+11
    density: 7850
    interfaces: {a: x0, b: {x: 0.4}}
    modes: 6
joints:
  - {kind: Fixed, name: hold, first: ground.origin, second: bar.a}
"""
    )
    body, same = ml.load(file).body("bar"), bar(interfaces={"a": "x0", "b": {"x": 0.4}})
    assert body == same
