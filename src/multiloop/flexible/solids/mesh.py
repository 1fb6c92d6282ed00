"""Mesh of a solid in numbers: nodes, quadratic elements, named faces, and the number of inverted elements."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache, wraps
from typing import Any, TypeVar

import numpy as np

from multiloop.flexible.solids.mesh_files import RawMesh, raw_mesh, refused
from multiloop.model.mesh import BoxMesh, Mesh, MeshArrays

CORNERS = {"hexahedron27": 8, "tetra10": 4}
"""Number of corner nodes of a cell."""

BEGUN = {"hexahedron27": (1, 3, 4), "tetra10": (1, 2, 3)}
"""Three corners that form a right-handed system with the first corner of a cell."""

BLOCK = 400
"""Number of cells whose integrals are computed at a time, which bounds the memory."""

LARGE = 10_000
"""Number of nodes above which the matrices of a mesh take tens of megabytes."""

ON_PLANE = 1e-6
"""Largest distance of a node from a plane to which it belongs, relative to the size of the mesh."""

Found = TypeVar("Found")

Plane = tuple[tuple[str, float], ...]
"""Coordinates common to all points of a face: (("x", 0.3),)."""


def tested_face(marker: str) -> str:
    """Name of the face that a test of points defines for a marker."""
    return f"face of {marker}"


def cached_by_size(function: Callable[..., Found]) -> Callable[..., Found]:
    """A function of a mesh with a cache of its results: of the last 16 small meshes, and of the last large one.

    The last large one is released before the next is computed: meshes of scikit-fem are in reference cycles, and would
    be collected only later.
    """
    small, large = lru_cache(maxsize=16)(function), dict[Any, Found]()

    @wraps(function)
    def cached(mesh: Mesh, *arguments: Any) -> Found:
        if described_size(mesh) <= LARGE:
            return small(mesh, *arguments)
        key = (mesh, *arguments)
        if key not in large:
            large.clear()
            gc.collect()
            large[key] = function(mesh, *arguments)
        return large[key]

    return cached


def described_size(mesh: Mesh) -> float:
    """Estimated number of nodes without reading the mesh: about 100 bytes per node in a file, 20 in a packed mesh."""
    if isinstance(mesh, BoxMesh):
        return float(np.prod([2.0 * count + 1 for count in mesh.elements]))
    if isinstance(mesh, MeshArrays):
        return (len(mesh.points) + len(mesh.cells)) / 20
    try:
        return os.stat(mesh.path).st_size / 100
    except (OSError, ValueError):
        return 0.0


@dataclass(frozen=True, eq=False)
class SolidMesh:
    """A scikit-fem mesh, whose numbering of nodes (n × 3) is used throughout, and the nodes of named faces."""

    grid: Any
    kind: str
    points: np.ndarray
    faces: Mapping[str, np.ndarray]

    @cached_property
    def nodes(self) -> np.ndarray:
        """Nodes of each cell, cells × 27 or 10, in scikit-fem's order."""
        found: np.ndarray = self.grid.dofs.element_dofs.T
        return found

    @property
    def size(self) -> float:
        """Diagonal of the bounding box (m)."""
        return float(np.linalg.norm(np.ptp(self.points, axis=0)))

    @cached_property
    def boundary(self) -> np.ndarray:
        """Indices of the facets on the surface."""
        found: np.ndarray = self.grid.boundary_facets()
        return found

    @cached_property
    def boundary_nodes(self) -> np.ndarray:
        """Nodes of the surface facets, facets × nodes."""
        dofs = self.grid.dofs
        parts = [self.grid.facets[:, self.boundary]]
        edges = self.grid.f2e[:, self.boundary]
        parts += [dofs.edge_dofs[0][edges]]
        parts += [dofs.facet_dofs[0][self.boundary][None]] if len(dofs.facet_dofs) else []
        found: np.ndarray = np.vstack(parts).T
        return found

    def facets_of(self, face: str | Plane) -> np.ndarray:
        """Surface facets that belong to a face: a named face, or all facets on a plane."""
        if isinstance(face, str):
            named = self.faces.get(face, np.zeros(0, int))
            corners = self.grid.facets.shape[0]
            alone = np.isin(named, self.grid.facets).all()  # some programs list corner nodes only
            inside = np.isin(self.boundary_nodes[:, :corners] if alone else self.boundary_nodes, named)
            chosen = inside.all(axis=1)
        else:
            on = np.ones(len(self.points), bool)
            for axis, value in face:
                on &= np.abs(self.points[:, "xyz".index(axis)] - value) <= ON_PLANE * self.size
            chosen = on[self.boundary_nodes].all(axis=1)
        found: np.ndarray = self.boundary[chosen]
        return found

    def nodes_on(self, facets: np.ndarray) -> np.ndarray:
        """Nodes of selected surface facets."""
        found: np.ndarray = np.unique(self.boundary_nodes[np.isin(self.boundary, facets)])
        return found


@cached_by_size
def solid_mesh(mesh: Mesh) -> SolidMesh:
    """The mesh of a description, generated or read once."""
    return _numbered(raw_mesh(mesh))


def _numbered(raw: RawMesh) -> SolidMesh:
    """The mesh with nodes in scikit-fem's order; nodes that belong to no cell are omitted."""
    from skfem import MeshHex2, MeshTet2
    from skfem.io.meshio import INV_HEX_MAPPING

    used, cells = np.unique(raw.cells, return_inverse=True)
    cells = cells.reshape(raw.cells.shape).T
    if raw.kind == "hexahedron27":
        cells = cells[INV_HEX_MAPPING]
    make = MeshHex2 if raw.kind == "hexahedron27" else MeshTet2
    try:
        grid = make(np.ascontiguousarray(raw.points[used].T), np.ascontiguousarray(cells))
        fits = len(used) == grid.dofs.N
    except IndexError:
        fits = False
    if not fits:
        what = "has elements that share corners with their neighbours, but not the nodes between."
        raise refused(what, "Mesh it anew as one body, or mend the order of their nodes.")
    place = np.full(len(raw.points), -1)
    place[used[cells]] = grid.dofs.element_dofs
    faces = {name: np.unique(place[nodes][place[nodes] >= 0]) for name, nodes in raw.faces.items()}
    return SolidMesh(grid, raw.kind, np.ascontiguousarray(grid.doflocs.T), faces)


def inverted_cells(raw: RawMesh) -> int:
    """Number of inverted cells: by the order of their corner nodes, or folded by their mid-side nodes."""
    corner = raw.points[raw.cells[:, : CORNERS[raw.kind]]]
    spans = [corner[:, k] - corner[:, 0] for k in BEGUN[raw.kind]]
    turned = np.linalg.det(np.stack(spans, axis=1)) <= 0
    return int(turned.sum()) or _folded_cells(_numbered(raw))


def _folded_cells(mesh: SolidMesh) -> int:
    """Number of cells whose Jacobian determinant changes sign inside."""
    from skfem.quadrature import get_quadrature

    X, _ = get_quadrature(mesh.grid.elem.refdom, 4)
    X = np.hstack([X, mesh.grid.elem.refdom.p])
    mapping, count = mesh.grid.mapping(), 0
    for begin in range(0, len(mesh.nodes), BLOCK):
        some = np.arange(begin, min(begin + BLOCK, len(mesh.nodes)))
        J = np.array([[mapping.J(i, j, X, some) for j in range(3)] for i in range(3)])
        size = np.linalg.det(np.moveaxis(J, (0, 1), (-2, -1)))  # scikit-fem's own function rejects zero
        count += int((~((size > 0).all(axis=1) | (size < 0).all(axis=1))).sum())
    return count
