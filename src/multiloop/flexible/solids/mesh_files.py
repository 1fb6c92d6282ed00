"""Points, cells and named faces of a mesh that is given as a box, as arrays, as a file, or by meshio or scikit-fem.

A cell is one element of the mesh. Hexahedra of 20 nodes are converted to hexahedra of 27 nodes; the positions r of the
additional nodes in the middle of faces and cells follow from the shape functions of the 20 nodes:

    r(face)  = −¼ Σ r(4 corners) + ½ Σ r(4 edges)
    r(cell)  = −¼ Σ r(8 corners) + ¼ Σ r(12 edges)

The geometry of the body does not change; its displacement field gains the polynomial terms that 20 nodes lack (derived
here).
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from multiloop.dependencies import install_command
from multiloop.flexible.solids import mesh_reader
from multiloop.flexible.solids.mesh_reader import QUADRATIC_CELLS, SURFACE_CELLS, named_faces
from multiloop.model import Fault, ModelError, short_repr
from multiloop.model.markers import MAX_MAGNITUDE
from multiloop.model.serialise.bounded_input import NotReadableError, read_regular_file
from multiloop.model.solids.mesh import (
    MAX_MESH_FILE_SIZE,
    MAX_NODES,
    PACKED_CELLS,
    BoxMesh,
    Mesh,
    MeshArrays,
    MeshFile,
    box_faults,
    file_digest,
    pack_mesh,
)

FACES = (
    ((0, 4, 7, 3), (16, 15, 19, 11)),
    ((1, 2, 6, 5), (9, 18, 13, 17)),
    ((0, 1, 5, 4), (8, 17, 12, 16)),
    ((3, 2, 6, 7), (10, 18, 14, 19)),
    ((0, 1, 2, 3), (8, 9, 10, 11)),
    ((4, 5, 6, 7), (12, 13, 14, 15)),
)
"""Corner nodes and mid-edge nodes of each face of a hexahedron, in the order in which VTK numbers the mid-face
nodes."""


def with_middle_nodes(points: np.ndarray, cells: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Points and cells of a mesh of 20-node hexahedra with the mid-face and mid-cell nodes added.

    Two cells with a common face share its mid-face node.
    """
    keys, middles = [], []
    for corners, edges in FACES:
        keys.append(np.sort(cells[:, corners], axis=1))
        middles.append(points[cells[:, edges]].sum(axis=1) / 2 - points[cells[:, corners]].sum(axis=1) / 4)
    _, first, place = np.unique(np.concatenate(keys), axis=0, return_index=True, return_inverse=True)
    on_faces = len(points) + place.reshape(len(FACES), len(cells)).T
    inside = points[cells[:, 8:20]].sum(axis=1) / 4 - points[cells[:, :8]].sum(axis=1) / 4
    centres = len(points) + len(first) + np.arange(len(cells))[:, None]
    return (
        np.vstack([points, np.concatenate(middles)[first], inside]),
        np.hstack([cells, on_faces, centres]),
    )


LINEAR_CELLS = ("tetra", "hexahedron", "wedge", "pyramid")
FORMATS = {
    ".msh": "gmsh",
    ".inp": "abaqus",
    ".vtu": "vtu",
    ".vtk": "vtk",
    ".bdf": "nastran",
    ".nas": "nastran",
    ".fem": "nastran",
}
"""Supported file formats: file extension and meshio's name of the format."""

FORMAT_LIST = ", ".join(list(FORMATS)[:-1]) + f" or {list(FORMATS)[-1]}"

INCLUDE_LINE = re.compile(rb"^[ \t*]*INCLUDE\b", re.IGNORECASE | re.MULTILINE)
"""Pattern of a line that includes another file in an Abaqus or Nastran file."""

MEMORY_LIMIT = 1_000_000_000
"""Memory limit (bytes) of the process that reads a mesh file."""

BASE_SECONDS, SECONDS_PER_MEGABYTE, WAIT_FACTOR = 2, 1, 40
"""Limit of processor time to read a mesh file: a constant part (s) and a part per megabyte (s/MB). The limit of
wall-clock time is this limit times the factor."""

REMEDY = "Write the mesh with quadratic elements: tetrahedra of 10 nodes, or hexahedra of 20 or 27 (gmsh: -3 -order 2)."
WRITE_AGAIN = f"Write the mesh again as {FORMAT_LIST}, with the extension of its format."
SMALLER_FILE = "Use a mesh with fewer nodes; if the file may be damaged, write it again."
PATH_REMEDY = "Give a path relative to the mechanism's file or, in Python, to the working directory."
INSTALL_COMMAND = install_command("flexible")


@dataclass(frozen=True, eq=False)
class RawMesh:
    """Mesh before conversion to scikit-fem: points (n × 3), cells (cells × nodes, in VTK order), nodes of named
    faces."""

    kind: str
    points: np.ndarray
    cells: np.ndarray
    faces: Mapping[str, np.ndarray] = field(default_factory=dict)


def raw_mesh(mesh: Mesh) -> RawMesh:
    """Points, cells and named faces of the mesh that a description specifies."""
    require_packages("skfem", "meshio")
    if isinstance(mesh, BoxMesh):
        return _box(mesh)
    if isinstance(mesh, MeshArrays):
        try:
            points, cells, faces = mesh.arrays
        except ValueError as error:
            raise mesh_error(f"is stored as text, but {error}.", PACKED_REMEDY) from None
        if mesh.cell not in PACKED_CELLS:
            what = f"is stored as text, but has cells of type {short_repr(mesh.cell)}."
            raise mesh_error(what, f"Give {' or '.join(PACKED_CELLS)}.")
        return checked_mesh(RawMesh(mesh.cell, points, cells, faces))
    return _read(mesh)


NODES_OF = {"hexahedron27": 27, "hexahedron20": 20, "tetra10": 10}
"""Number of nodes of a cell, by cell type."""

PACKED_REMEDY = "Write the mechanism again with `ml.save`, or give the path of a mesh file."


def checked_mesh(raw: RawMesh, prefix: str = "") -> RawMesh:
    """Return the mesh if its arrays are valid; otherwise raise an error.

    Array shapes and types, coordinates, node numbers and the number of nodes are checked. `prefix` is the
    beginning of the error message, which names the file.
    """
    points, cells, count = raw.points, raw.cells, NODES_OF[raw.kind]
    has = f"{prefix} has".strip()
    if points.ndim != 2 or points.shape[1] != 3 or points.dtype.kind not in "fiu":
        raise mesh_error(
            f"{has} points of shape {points.shape}, {points.dtype}.", "Give three coordinates per point."
        )
    if len(points) > MAX_NODES:
        raise mesh_error(f"{has} {len(points):,} nodes.", f"Give a coarser mesh, of at most {MAX_NODES:,}.")
    if not (np.abs(points) <= MAX_MAGNITUDE).all():  # this form also detects NaN
        raise mesh_error(
            f"{has} coordinates that are not finite, or too large.", "Mesh the solid again, in metres."
        )
    if cells.ndim != 2 or cells.shape[1] != count or cells.dtype.kind not in "iu" or not len(cells):
        what = f"{has} cells of shape {cells.shape}, {cells.dtype}."
        raise mesh_error(what, f"Give at least one {raw.kind}, with {count} node numbers.")
    for name, nodes in {"": cells, **raw.faces}.items():
        of = f"the face {short_repr(name)}" if name else "its cells"
        if nodes.dtype.kind not in "iu" or (not name and nodes.ndim != 2) or (name and nodes.ndim != 1):
            raise mesh_error(
                f"{has} nodes of shape {nodes.shape}, {nodes.dtype} in {of}.",
                "Give node numbers as integers.",
            )
        if nodes.size and not (nodes.min() >= 0 and nodes.max() < len(points)):
            what = f"{has} node numbers from {nodes.min()} to {nodes.max()} in {of}, but only {len(points):,} points."
            raise mesh_error(what, f"Give numbers from 0 to {len(points) - 1}.")
    return raw


def described_mesh(given: Any) -> Mesh:
    """Description of the mesh `given`, which is a path, a mesh of meshio or scikit-fem, or already a description."""
    if isinstance(given, BoxMesh | MeshFile | MeshArrays):
        return given
    if isinstance(given, str | Path):
        return MeshFile(str(given))
    require_packages("skfem", "meshio")
    import meshio
    from skfem import Mesh as SkfemMesh

    if isinstance(given, SkfemMesh):
        raw = _from_skfem(given)
    elif isinstance(given, meshio.Mesh):
        raw = _from_meshio(given)
    else:
        remedy = "Give a path, `box_mesh(…)`, or a mesh of meshio or scikit-fem."
        raise mesh_error(f"is {short_repr(given)}.", remedy)
    return pack_mesh(raw.kind, raw.points, raw.cells, raw.faces)


def require_packages(*names: str) -> None:
    """Raise an error if a required package is not installed."""
    for name in names:
        if find_spec(name) is None:
            what = f"needs the package '{'scikit-fem' if name == 'skfem' else name}', which is not installed."
            raise mesh_error(what, f"Install it: {INSTALL_COMMAND}.")


def mesh_error(what: str, remedy: str) -> ModelError:
    """Error about the mesh of a solid: what is wrong, and the remedy."""
    return ModelError("a solid", [Fault("M16", "its mesh", what, remedy)])


def _box(mesh: BoxMesh) -> RawMesh:
    from skfem import MeshHex, MeshHex2, MeshTet, MeshTet2

    faults = list(box_faults(mesh))
    if faults:
        raise ModelError(
            "a solid", [replace(f, where="its mesh", what=f"is a box; {f.where} {f.what}") for f in faults]
        )
    ticks = [
        corner + np.linspace(0.0, side, count + 1)
        for corner, side, count in zip(mesh.corner, mesh.size, mesh.elements, strict=True)
    ]
    first, second = (MeshHex, MeshHex2) if mesh.cell == "hexahedron" else (MeshTet, MeshTet2)
    raw = _from_skfem(second.from_mesh(first.init_tensor(*ticks)))
    faces = {}
    for axis, name in enumerate("xyz"):
        for side, value in enumerate((ticks[axis][0], ticks[axis][-1])):
            near = np.abs(raw.points[:, axis] - value) <= 1e-9 * mesh.size[axis]
            faces[f"{name}{side}"] = np.flatnonzero(near)
    return RawMesh(raw.kind, raw.points, raw.cells, faces)


def _from_skfem(mesh: Any) -> RawMesh:
    """Convert a quadratic mesh of scikit-fem with its named boundaries."""
    from skfem.io.meshio import to_meshio

    try:
        plain = to_meshio(mesh, encode_cell_data=False)
    except KeyError:
        raise mesh_error(f"is a {type(mesh).__name__}.", "Give a MeshHex2 or a MeshTet2.") from None
    raw = _from_meshio(plain)
    cells = raw.cells
    if raw.kind == "tetra10":  # scikit-fem accepts either orientation of the corners
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
    """Raise an error if a mesh file cannot be read, or has changed since the solid was defined."""
    path = Path(mesh.path)
    try:
        content = read_regular_file(path, MAX_MESH_FILE_SIZE)
    except NotReadableError as error:
        raise mesh_error(
            f"is the file '{mesh.path}', which {error}.", f"Give a mesh file: {FORMAT_LIST}."
        ) from None
    except (OSError, ValueError):  # ValueError: an invalid file name
        remedy = "Give the path of a mesh file."
        if not path.is_absolute():
            folder = Path(os.path.abspath(path)).parent
            remedy = f"It was searched for in '{folder}'. {PATH_REMEDY}"
        raise mesh_error(f"is the file '{mesh.path}', which does not exist.", remedy) from None
    if path.suffix.lower() not in FORMATS:
        what = f"is the file '{mesh.path}', whose extension is not supported."
        raise mesh_error(what, f"Give {FORMAT_LIST}; Python also accepts a mesh read by meshio.")
    if FORMATS[path.suffix.lower()] in ("abaqus", "nastran") and INCLUDE_LINE.search(content):
        what = f"is the file '{mesh.path}', which includes another file."
        raise mesh_error(what, "Put the whole mesh into one file.")
    if mesh.digest and mesh.digest != file_digest(content):
        what = f"is the file '{mesh.path}', which has changed since the solid was defined."
        raise mesh_error(what, "Define the solid again, or give the file with which it was defined.")


def _read(mesh: MeshFile) -> RawMesh:
    """Read the mesh in a file."""
    check_file(mesh)
    status = os.stat(mesh.path)
    found = _read_cached(os.path.abspath(mesh.path), status.st_size, status.st_mtime_ns, mesh.path)
    if isinstance(found, ModelError):
        raise ModelError(found.subject, found.faults)
    return found


@lru_cache(maxsize=8)
def _read_cached(absolute: str, size: int, changed: int, path: str) -> RawMesh | ModelError:
    """The mesh in a file, or the error that occurred when it was read.

    Results are cached by the `absolute` path; a file of another size or modification time (`changed`) is read again.
    """
    try:
        return _read_in_subprocess(path, size)
    except ModelError as error:
        return error


def _read_in_subprocess(path: str, size: int) -> RawMesh:
    """Read a mesh file with meshio, in a separate process with limited memory and time."""
    prefix = f"is the file '{path}', which"
    seconds = BASE_SECONDS + SECONDS_PER_MEGABYTE * (size // 10**6 + 1)
    command = [sys.executable, "-P", mesh_reader.__file__, path, FORMATS[Path(path).suffix.lower()]]
    found = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "OPENBLAS_NUM_THREADS": "1"}
    try:
        run = subprocess.run(
            [*command, str(MEMORY_LIMIT), str(seconds)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ | found,
            timeout=WAIT_FACTOR * seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise _unreadable_file(prefix, f"takes longer than {seconds} s to read", SMALLER_FILE) from None
    line, _, arrays = run.stdout.partition(b"\n")
    if run.returncode or not line:
        limits = f"{seconds} s or {MEMORY_LIMIT / 1e9:g} GB of memory"
        raise _unreadable_file(prefix, f"takes more than {limits} to read", SMALLER_FILE)
    report = json.loads(line)
    if "memory" in report:
        raise _unreadable_file(
            prefix, f"takes more than {MEMORY_LIMIT / 1e9:g} GB of memory to read", SMALLER_FILE
        )
    if "error" in report:
        reason = short_repr(report["error"], 120).strip("'\"").rstrip(".")
        how = f": {reason}" if reason else f" as a {Path(path).suffix} file"
        raise _unreadable_file(prefix, f"meshio cannot read{how}")
    kinds = [kind for kind in QUADRATIC_CELLS if kind in report["kinds"]]
    if len(kinds) != 1:
        raise _no_quadratic_cells(prefix, report["kinds"], kinds)
    with np.load(BytesIO(arrays), allow_pickle=False) as held:
        faces = {name: held[f"face{k}"] for k, name in enumerate(report["faces"])}
        return _completed_mesh(RawMesh(kinds[0], held["points"], held["cells"], faces), prefix)


def _unreadable_file(prefix: str, why: str, remedy: str = WRITE_AGAIN) -> ModelError:
    return mesh_error(f"{prefix} {why}.", remedy)


def _from_meshio(mesh: Any, prefix: str = "") -> RawMesh:
    """The quadratic cells and named faces of a meshio mesh."""
    kinds = [kind for kind in QUADRATIC_CELLS if kind in mesh.cells_dict]
    if len(kinds) != 1:
        raise _no_quadratic_cells(prefix, list(mesh.cells_dict), kinds)
    points, cells = np.asarray(mesh.points, float), np.asarray(mesh.cells_dict[kinds[0]])
    return _completed_mesh(RawMesh(kinds[0], points, cells, named_faces(mesh)), prefix)


def _completed_mesh(raw: RawMesh, prefix: str) -> RawMesh:
    """Check a mesh, and convert hexahedra of 20 nodes to hexahedra of 27 nodes."""
    checked_mesh(raw, prefix)
    if raw.kind != "hexahedron20":
        return raw
    points, cells = with_middle_nodes(raw.points, raw.cells)
    return checked_mesh(RawMesh("hexahedron27", points, cells, raw.faces), prefix)


def _no_quadratic_cells(prefix: str, there: list[str], kinds: list[str]) -> ModelError:
    has = f"{prefix} has".strip()
    if len(kinds) > 1:
        return mesh_error(f"{has} {' and '.join(kinds)} together.", "Give a mesh with one type of element.")
    linear = [kind for kind in there if kind in LINEAR_CELLS]
    if linear:
        return mesh_error(f"{has} only linear elements ({', '.join(linear)}).", REMEDY)
    surface = [kind for kind in there if kind in SURFACE_CELLS]
    what = (
        f"only surface elements ({', '.join(surface)})"
        if surface
        else f"no solid elements ({', '.join(there) or 'none'})"
    )
    return mesh_error(f"{has} {what}.", REMEDY)
