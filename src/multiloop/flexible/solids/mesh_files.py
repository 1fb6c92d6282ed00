"""Where does a mesh come from? A box, arrays, a file, or the mesh of another program, as points, cells and faces."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np

from multiloop.extras import install_command
from multiloop.flexible.solids.serendipity import with_middle_nodes
from multiloop.model import Fault, ModelError
from multiloop.model.brief import brief
from multiloop.model.mesh import BOX_CELLS, BoxMesh, Mesh, MeshArrays, MeshFile, packed_mesh

QUADRATIC = ("hexahedron27", "hexahedron20", "tetra10")
"""Cells that are taken, by meshio's names."""

LINEAR = ("tetra", "hexahedron", "wedge", "pyramid")
SURFACE = ("triangle", "triangle6", "quad", "quad8", "quad9")
REMEDY = (
    "Write it with quadratic elements: tetrahedra of 10 nodes, or hexahedra of 20 or 27 (gmsh: -3 -order 2)."
)
FROM_WHERE = "Give a path from the mechanism's file, in Python from where you work."
MISSING = install_command("flexible")


@dataclass(frozen=True, eq=False)
class RawMesh:
    """Points (n × 3), cells (m × nodes, in the order of VTK), and the nodes of named faces."""

    kind: str
    points: np.ndarray
    cells: np.ndarray
    faces: Mapping[str, np.ndarray] = field(default_factory=dict)


def raw_mesh(mesh: Mesh) -> RawMesh:
    """Points, cells and faces of a description."""
    needs("skfem", "meshio")
    if isinstance(mesh, BoxMesh):
        return _box(mesh)
    if isinstance(mesh, MeshArrays):
        points, cells, faces = mesh.arrays
        return RawMesh(mesh.cell, points, cells, faces)
    return _read(mesh)


def described_mesh(given: Any) -> Mesh:
    """What a user may give for a mesh: one of ours, a path, a mesh of meshio or of scikit-fem."""
    if isinstance(given, BoxMesh | MeshFile | MeshArrays):
        return given
    if isinstance(given, str | Path):
        file = MeshFile(str(given))
        return MeshFile(file.path, file.found_digest)
    needs("skfem", "meshio")
    import meshio
    from skfem import Mesh as SkfemMesh

    if isinstance(given, SkfemMesh):
        raw = _of_skfem(given)
    elif isinstance(given, meshio.Mesh):
        raw = _of_meshio(given)
    else:
        remedy = "Give a path, `box_mesh(…)`, or a mesh of meshio or scikit-fem."
        raise refused(f"is {brief(given)}.", remedy)
    return packed_mesh(raw.kind, raw.points, raw.cells, raw.faces)


def needs(*names: str) -> None:
    """Refuse what cannot be done without packages that are not there."""
    for name in names:
        if find_spec(name) is None:
            what = f"needs the package '{'scikit-fem' if name == 'skfem' else name}', which is not installed."
            raise refused(what, f"Install it: {MISSING}.")


def refused(what: str, remedy: str) -> ModelError:
    """An error about the mesh."""
    return ModelError("a solid", [Fault("M16", "its mesh", what, remedy)])


def _box(mesh: BoxMesh) -> RawMesh:
    from skfem import MeshHex, MeshHex2, MeshTet, MeshTet2

    sides, counts = all(0 < side < np.inf for side in mesh.size), all(n > 0 for n in mesh.elements)
    if not sides or not counts or mesh.cell not in BOX_CELLS:
        what = (
            f"is a box of {brief(mesh.size)} m, {brief(mesh.elements)} elements of kind {brief(mesh.cell)}."
        )
        raise refused(what, f"Give sides and numbers above zero, of kind {' or '.join(BOX_CELLS)}.")
    ticks = [
        corner + np.linspace(0.0, side, count + 1)
        for corner, side, count in zip(mesh.corner, mesh.size, mesh.elements, strict=True)
    ]
    first, second = (MeshHex, MeshHex2) if mesh.cell == "hexahedron" else (MeshTet, MeshTet2)
    raw = _of_skfem(second.from_mesh(first.init_tensor(*ticks)))
    faces = {}
    for axis, name in enumerate("xyz"):
        for side, value in enumerate((ticks[axis][0], ticks[axis][-1])):
            near = np.abs(raw.points[:, axis] - value) <= 1e-9 * mesh.size[axis]
            faces[f"{name}{side}"] = np.flatnonzero(near)
    return RawMesh(raw.kind, raw.points, raw.cells, faces)


def _of_skfem(mesh: Any) -> RawMesh:
    """A quadratic mesh of scikit-fem with its named boundaries."""
    from skfem.io.meshio import to_meshio

    try:
        plain = to_meshio(mesh, encode_cell_data=False)
    except KeyError:
        raise refused(f"is a {type(mesh).__name__}.", "Give a MeshHex2 or a MeshTet2.") from None
    raw = _of_meshio(plain)
    cells = raw.cells
    if raw.kind == "tetra10":  # scikit-fem does not mind which way round corners are
        cells = _right_handed(raw.points, cells)
    boundaries = mesh.boundaries or {}
    faces = {
        name: np.unique(mesh.dofs.get_facet_dofs(facets).flatten()) for name, facets in boundaries.items()
    }
    return RawMesh(raw.kind, raw.points, cells, faces)


def _right_handed(points: np.ndarray, cells: np.ndarray) -> np.ndarray:
    corner = points[cells[:, :4]]
    turned = np.linalg.det(corner[:, 1:] - corner[:, :1]) < 0
    swapped = cells[:, [0, 2, 1, 3, 6, 5, 4, 7, 9, 8]]
    return np.where(turned[:, None], swapped, cells)


def check_file(mesh: MeshFile) -> None:
    """Refuse a file that is not there, or is not what it was."""
    if not Path(mesh.path).is_file():
        remedy = "Give the path of a file that meshio reads."
        if not Path(mesh.path).is_absolute():
            folder = Path(mesh.path).resolve().parent
            remedy = f"It was sought in '{folder}'. {FROM_WHERE}"
        raise refused(f"is the file '{mesh.path}', which is not there.", remedy)
    if mesh.digest and mesh.digest != mesh.found_digest:
        what = f"is the file '{mesh.path}', which has changed since it was described."
        raise refused(what, "Describe the solid anew, or give the file that it was described with.")


def _read(mesh: MeshFile) -> RawMesh:
    """A file through meshio."""
    import meshio

    check_file(mesh)
    try:
        with redirect_stdout(StringIO()), redirect_stderr(StringIO()):  # it prints what it raises
            found = meshio.read(Path(mesh.path))
    except SystemExit:  # of a content that none of its readers takes
        what = f"is the file '{mesh.path}', which meshio cannot read as a {Path(mesh.path).suffix} file."
        remedy = "Write it anew, or give its name the ending of its format: .msh, .inp, .vtu, .bdf, .med, …"
        raise refused(what, remedy) from None
    except Exception as error:  # meshio raises whatever its readers do
        said = str(error).strip().splitlines() or [type(error).__name__]
        reason = brief(said[0], 120).strip("'\"").rstrip(".")
        what = f"is the file '{mesh.path}', which meshio cannot read: {reason}."
        raise refused(
            what, "Give a file of a format that meshio knows: .msh, .inp, .vtu, .bdf, .med, …"
        ) from None
    return _of_meshio(found, f"is the file '{mesh.path}', which")


def _of_meshio(mesh: Any, said: str = "") -> RawMesh:
    """The quadratic cells of a mesh, and its named faces."""
    kinds = [kind for kind in QUADRATIC if kind in mesh.cells_dict]
    if len(kinds) != 1:
        raise _without_quadratic_cells(said, list(mesh.cells_dict), kinds)
    kind, points = kinds[0], np.asarray(mesh.points, float)
    cells, faces = np.asarray(mesh.cells_dict[kind]), _named_faces(mesh)
    if kind == "hexahedron20":
        points, cells = with_middle_nodes(points, cells)
    return RawMesh("hexahedron27" if kind == "hexahedron20" else kind, points, cells, faces)


def _without_quadratic_cells(said: str, there: list[str], kinds: list[str]) -> ModelError:
    has = f"{said} has".strip()
    if len(kinds) > 1:
        return refused(f"{has} {' and '.join(kinds)} together.", "Give a mesh of one kind of element.")
    linear = [kind for kind in there if kind in LINEAR]
    if linear:
        return refused(f"{has} linear elements alone ({', '.join(linear)}).", REMEDY)
    surface = [kind for kind in there if kind in SURFACE]
    what = (
        f"a surface alone ({', '.join(surface)})"
        if surface
        else f"no solid elements ({', '.join(there) or 'none'})"
    )
    return refused(f"{has} {what}.", REMEDY)


def _named_faces(mesh: Any) -> dict[str, np.ndarray]:
    """Sets of nodes, sets of surface cells, and gmsh's physical surfaces, by name."""
    found: dict[str, list[np.ndarray]] = {}
    for name, nodes in (mesh.point_sets or {}).items():
        found.setdefault(name, []).append(np.asarray(nodes, int).ravel())
    for name, blocks in (mesh.cell_sets or {}).items():
        for block, chosen in zip(mesh.cells, blocks, strict=False):
            if block.type in SURFACE and chosen is not None and len(chosen):
                found.setdefault(name, []).append(block.data[np.asarray(chosen, int)].ravel())
    tags = mesh.cell_data.get("gmsh:physical")
    for name, (tag, dimension) in (mesh.field_data or {}).items() if tags is not None else ():
        for block, own in zip(mesh.cells, tags, strict=True):
            if dimension == 2 and block.type in SURFACE and (own == tag).any():
                found.setdefault(name, []).append(block.data[own == tag].ravel())
    return {
        name: np.unique(np.concatenate(parts))
        for name, parts in found.items()
        if not name.startswith("gmsh:")
    }
