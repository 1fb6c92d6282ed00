"""Mesh of a solid: nodes, quadratic elements, nodes of named faces, inverted elements, and points inside elements."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache, wraps
from typing import Any, TypeVar

import numpy as np

from multiloop.flexible.solids.mesh_files import RawMesh, mesh_error, raw_mesh
from multiloop.model.solids.mesh import BoxMesh, Mesh, MeshArrays

CORNERS = {"hexahedron27": 8, "tetra10": 4}
"""Number of corner nodes of an element, by element type."""

SPANNING_CORNERS = {"hexahedron27": (1, 3, 4), "tetra10": (1, 2, 3)}
"""Three corners of an element whose vectors from its first corner form a right-handed system, by element type."""

CELL_BLOCK = 400
"""Number of elements whose integrals are computed at a time, which bounds the memory."""

LARGE_MESH = 10_000
"""Number of nodes above which a mesh counts as large: its matrices take tens of megabytes."""

PLANE_TOLERANCE = 1e-6
"""Largest distance of a node from a plane to which it belongs, relative to the size of the mesh."""

Cached = TypeVar("Cached")

Plane = tuple[tuple[str, float], ...]
"""Type of plane faces, given by the coordinates common to all their points, in metres: (("x", 0.3),)."""


def tested_face_name(marker: str) -> str:
    """Name of the face for a marker if the user selected its points by a function."""
    return f"face of {marker}"


def cached_by_size(function: Callable[..., Cached]) -> Callable[..., Cached]:
    """Cache the results of a function of a mesh: those of the last 16 small meshes, and that of the last large mesh.

    The result of a large mesh is released before the next one is computed. Without this its memory would be freed only
    later, because meshes of scikit-fem contain reference cycles.
    """
    small, large = lru_cache(maxsize=16)(function), dict[Any, Cached]()

    @wraps(function)
    def cached(mesh: Mesh, *arguments: Any) -> Cached:
        if estimated_nodes(mesh) <= LARGE_MESH:
            return small(mesh, *arguments)
        key = (mesh, *arguments)
        if key not in large:
            large.clear()
            gc.collect()
            large[key] = function(mesh, *arguments)
        return large[key]

    return cached


def estimated_nodes(mesh: Mesh) -> float:
    """Number of nodes of a mesh, estimated without reading it: from about 100 bytes per node of a mesh file, or 20
    characters per node of a mesh that is stored as text."""
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
    """Mesh of a solid with n nodes, and the nodes of its named faces.

    `grid` is the scikit-fem mesh, `kind` the element type and `points` (n × 3) the positions of the nodes in the order
    of scikit-fem, which is used for all arrays.
    """

    grid: Any
    kind: str
    points: np.ndarray
    faces: Mapping[str, np.ndarray]

    @cached_property
    def nodes(self) -> np.ndarray:
        """Indices of the nodes of each element, elements × 27 or elements × 10, in scikit-fem's order."""
        found: np.ndarray = self.grid.dofs.element_dofs.T
        return found

    @property
    def size(self) -> float:
        """Length of the diagonal of the box that encloses the mesh (m)."""
        return float(np.linalg.norm(np.ptp(self.points, axis=0)))

    @cached_property
    def boundary(self) -> np.ndarray:
        """Indices of the element facets on the surface of the mesh."""
        found: np.ndarray = self.grid.boundary_facets()
        return found

    @cached_property
    def boundary_nodes(self) -> np.ndarray:
        """Indices of the nodes of each surface facet, facets × nodes."""
        dofs = self.grid.dofs
        parts = [self.grid.facets[:, self.boundary]]
        edges = self.grid.f2e[:, self.boundary]
        parts += [dofs.edge_dofs[0][edges]]
        parts += [dofs.facet_dofs[0][self.boundary][None]] if len(dofs.facet_dofs) else []
        found: np.ndarray = np.vstack(parts).T
        return found

    def facets_of(self, face: str | Plane) -> np.ndarray:
        """Indices of the surface facets of a face, which is given by its name or as a plane."""
        if isinstance(face, str):
            named = self.faces.get(face, np.zeros(0, int))
            corners = self.grid.facets.shape[0]
            alone = np.isin(
                named, self.grid.facets
            ).all()  # true for files that list only the corner nodes of a face
            inside = np.isin(self.boundary_nodes[:, :corners] if alone else self.boundary_nodes, named)
            chosen = inside.all(axis=1)
        else:
            on = np.ones(len(self.points), bool)
            for axis, value in face:
                on &= np.abs(self.points[:, "xyz".index(axis)] - value) <= PLANE_TOLERANCE * self.size
            chosen = on[self.boundary_nodes].all(axis=1)
        found: np.ndarray = self.boundary[chosen]
        return found

    def nodes_on(self, facets: np.ndarray) -> np.ndarray:
        """Indices of the nodes of selected surface facets."""
        found: np.ndarray = np.unique(self.boundary_nodes[np.isin(self.boundary, facets)])
        return found


@cached_by_size
def solid_mesh(mesh: Mesh) -> SolidMesh:
    """The mesh that a description specifies; generated or read only once."""
    return _renumbered(raw_mesh(mesh))


def _renumbered(raw: RawMesh) -> SolidMesh:
    """The mesh with nodes in scikit-fem's order; nodes that belong to no element are omitted."""
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
        what = "has elements that share corners with their neighbours, but not the mid-side nodes."
        raise mesh_error(what, "Mesh the solid again as one body, or correct the order of the nodes.")
    place = np.full(len(raw.points), -1)
    place[used[cells]] = grid.dofs.element_dofs
    faces = {name: np.unique(place[nodes][place[nodes] >= 0]) for name, nodes in raw.faces.items()}
    return SolidMesh(grid, raw.kind, np.ascontiguousarray(grid.doflocs.T), faces)


def inverted_cells(raw: RawMesh) -> int:
    """Number of elements that are inverted by the order of their corner nodes or folded by their mid-side nodes."""
    corner = raw.points[raw.cells[:, : CORNERS[raw.kind]]]
    spans = [corner[:, k] - corner[:, 0] for k in SPANNING_CORNERS[raw.kind]]
    turned = np.linalg.det(np.stack(spans, axis=1)) <= 0
    return int(turned.sum()) or _folded_cells(_renumbered(raw))


def _folded_cells(mesh: SolidMesh) -> int:
    """Number of elements inside which the Jacobian determinant of the mapping changes sign."""
    from skfem.quadrature import get_quadrature

    X, _ = get_quadrature(mesh.grid.elem.refdom, 4)
    X = np.hstack([X, mesh.grid.elem.refdom.p])
    mapping, count = mesh.grid.mapping(), 0
    for begin in range(0, len(mesh.nodes), CELL_BLOCK):
        some = np.arange(begin, min(begin + CELL_BLOCK, len(mesh.nodes)))
        J = np.array([[mapping.J(i, j, X, some) for j in range(3)] for i in range(3)])
        # NumPy's determinant is used, because scikit-fem's function raises an error if a determinant is zero
        size = np.linalg.det(np.moveaxis(J, (0, 1), (-2, -1)))
        count += int((~((size > 0).all(axis=1) | (size < 0).all(axis=1))).sum())
    return count


SEARCHED_CELLS = 12
"""Number of elements that are searched for the one that contains a point; those with the nearest midpoints."""

POINT_TOLERANCE = 1e-6
"""Largest distance of a point from the mesh, relative to the size of the mesh, at which it counts as inside."""


@dataclass(frozen=True, eq=False)
class MaterialPoint:
    """A point of a mesh, given by its undeformed position."""

    mesh: SolidMesh
    point: np.ndarray

    @cached_property
    def _location(self) -> tuple[int, np.ndarray, float]:
        """Index of the nearest element, local coordinates of its nearest point, and the distance to this point (m)."""
        mesh = self.mesh
        best: tuple[int, np.ndarray, float] = (0, np.zeros(3), np.inf)
        middles = mesh.points[mesh.nodes].mean(axis=1)
        mapping = mesh.grid.mapping()
        for cell in np.argsort(np.linalg.norm(middles - self.point, axis=1))[:SEARCHED_CELLS]:
            X = np.full((3, 1, 1), 1 / 3 if mesh.kind == "tetra10" else 0.5)
            tind = np.array([cell])
            for _ in range(20):
                off = self.point[:, None, None] - mapping.F(X, tind)
                if np.abs(off).max() < 1e-12 * mesh.size:
                    break
                X = _clip_to_reference(X + np.einsum("ijkl,jkl->ikl", mapping.invDF(X, tind), off), mesh.kind)
            away = float(np.linalg.norm(self.point - mapping.F(X, tind)[:, 0, 0]))
            if away < best[2]:
                best = (int(cell), X, away)
            if away <= POINT_TOLERANCE * mesh.size:
                break
        return best

    @property
    def distance(self) -> float:
        """Distance of the point from the mesh (m)."""
        return self._location[2]

    @property
    def inside(self) -> bool:
        """Whether the point lies inside the mesh, within a tolerance."""
        return self.distance <= POINT_TOLERANCE * self.mesh.size

    def motion(self, shapes: np.ndarray) -> np.ndarray:
        """Rotation ½ curl u and displacement u of the point in each displacement field, 6 × fields.

        `shapes` are the displacements of all nodes in each field, nodes × 3 × fields. The result is zero if the point
        is outside the mesh.
        """
        if not self.inside:
            return np.zeros((6, shapes.shape[2]))
        cell, X, _ = self._location
        elem, mapping, tind = self.mesh.grid.elem(), self.mesh.grid.mapping(), np.array([cell])
        fields = [elem.gbasis(mapping, X, k, tind)[0] for k in range(self.mesh.nodes.shape[1])]
        N = np.array([np.ravel(field)[0] for field in fields])
        dN = np.array([field.grad[:, 0, 0] for field in fields])
        own = shapes[self.mesh.nodes[cell]]
        H = np.einsum("aks,al->skl", own, dN)
        turns = np.stack([H[:, 2, 1] - H[:, 1, 2], H[:, 0, 2] - H[:, 2, 0], H[:, 1, 0] - H[:, 0, 1]]) / 2
        return np.vstack([turns, np.einsum("a,aks->ks", N, own)])


def _clip_to_reference(X: np.ndarray, kind: str) -> np.ndarray:
    """Local coordinates of a point of the reference element that is approximately nearest to X."""
    X = np.clip(X, 0.0, 1.0)
    if kind == "tetra10" and X.sum() > 1:
        X = X / X.sum()
    return X
