"""Deformed mesh of a solid: displacements and stresses of its nodes, and its edges for drawing.

    u = Σ Ψ_i η_i + ½ Σ θ_ij η_i η_j

u are the displacements of nodes, Ψ_i the modes, η_i the elastic coordinates and θ_ij the second-order displacement
fields of all pairs i, j of modes. The equations of motion omit negligible second-order fields; this module does not.

Source: second-order displacement fields as in `solid_modes`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from multiloop.flexible.solids.solid_elements import deviator, von_mises
from multiloop.flexible.solids.solid_mesh import SolidMesh
from multiloop.flexible.solids.solid_modes import SolidModes, require_solid_modes
from multiloop.model import nominal_value
from multiloop.model.solids.solid import Solid

EDGE_COSINE = np.cos(np.pi / 6)
"""Cosine of 30°. The line between two facets is drawn as an edge if their normals differ by more than this angle."""

FRONT_COSINE = 0.1
"""Smallest z component of the outward unit normal of a facet that counts as facing a viewer who looks along −z."""


@dataclass(frozen=True, eq=False)
class DeformedMesh:
    """A deformed solid in its own frame; parameters have the values given in its description."""

    solid: Solid
    modes: SolidModes

    @property
    def mesh(self) -> SolidMesh:
        """The undeformed mesh."""
        return self.modes.elements.mesh

    @property
    def points(self) -> np.ndarray:
        """Positions of the nodes of the undeformed mesh, nodes × 3."""
        return self.mesh.points

    @property
    def size(self) -> float:
        """Length of the diagonal of the box that encloses the mesh (m)."""
        return self.mesh.size

    def displacement(self, eta: np.ndarray, nodes: np.ndarray | slice = slice(None)) -> np.ndarray:
        """Displacements of `nodes` (indices) from their undeformed positions, in the solid's own frame, instants ×
        nodes × 3."""
        found = np.einsum("te,nke->tnk", eta, self.modes.node_shapes[nodes])
        second = self.modes.second_order
        if second is not None:
            i, j = np.array(second.pairs).T
            amounts = eta[:, i] * eta[:, j] * np.where(i == j, 0.5, 1.0)
            found = found + np.einsum("tp,pnk->tnk", amounts, second.nodes[:, nodes], optimize=True)
        shown: np.ndarray = found
        return shown

    def stress(self, eta: np.ndarray) -> np.ndarray:
        """Von Mises stress at all nodes (Pa), instants × nodes."""
        E, elements = nominal_value(self.solid.E), self.modes.elements
        moved = self.displacement(eta)
        return np.array([E * von_mises(elements.nodal_stress(u)) for u in moved]).reshape(len(eta), -1)

    @cached_property
    def _shape_deviators(self) -> np.ndarray:
        """Deviatoric stress (Pa) per unit of each elastic coordinate, to first order, modes × nodes × 9."""
        shapes = np.moveaxis(self.modes.node_shapes, -1, 0)
        stress = np.array([self.modes.elements.nodal_stress(shape, linear=True) for shape in shapes])
        return nominal_value(self.solid.E) * deviator(stress).reshape(*stress.shape[:2], 9)

    def largest_linear_stress(self, eta: np.ndarray) -> np.ndarray:
        """Largest von Mises stress (Pa) of all nodes at each instant, to first order in the elastic coordinates.

        Faster than `stress`, but approximate.
        """
        e, n, _ = self._shape_deviators.shape
        flat, found = self._shape_deviators.reshape(e, -1), np.zeros(len(eta))
        for k, amounts in enumerate(eta):
            found[k] = np.sqrt(1.5 * np.square((amounts @ flat).reshape(n, 9)).sum(axis=1).max())
        return found

    def marker_point(self, name: str) -> np.ndarray:
        """Position of a marker on the undeformed solid, in the solid's own frame (m)."""
        return np.array([nominal_value(c) for c in (*self.solid.marker(name).point, 0.0, 0.0)[:3]])

    def marker_shift(self, name: str, eta: np.ndarray) -> np.ndarray:
        """Displacement of a marker from its undeformed position, in the solid's own frame, instants × 3."""
        shape, few = self.modes.marker_shapes[name][3:], self.modes.reduced_second_order
        amounts = (
            eta if few is None else np.hstack([eta, np.einsum("ti,kij,tj->tk", eta, few.forms, eta) / 2])
        )
        found: np.ndarray = amounts @ shape.T
        return found

    @cached_property
    def _facet_normals(self) -> np.ndarray:
        """Unit normals of the surface facets, facets × 3; each normal may point outward or inward."""
        corners = self.points[self.mesh.grid.facets[:3, self.mesh.boundary].T]
        found: np.ndarray = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        found /= np.linalg.norm(found, axis=1)[:, None]
        return found

    def _edges_of(self, facets: np.ndarray) -> dict[int, list[int]]:
        """Edges of selected surface facets: the index of each edge, with the indices of the selected facets at it."""
        found: dict[int, list[int]] = {}
        for facet in facets.tolist():
            for edge in self.mesh.grid.f2e[:, self.mesh.boundary[facet]].tolist():
                found.setdefault(edge, []).append(facet)
        return found

    def _nodes_of(self, edges: list[int]) -> np.ndarray:
        """Indices of the nodes at one end, in the middle and at the other end of each edge, edges × 3."""
        ends, middle = self.mesh.grid.edges[:, edges], self.mesh.grid.dofs.edge_dofs[0][edges]
        return np.stack([ends[0], middle, ends[1]], axis=1)

    @cached_property
    def front_edges(self) -> np.ndarray:
        """Edges on the outline of the facets that face the +z direction, as the indices of three nodes each (end,
        middle, other end), edges × 3."""
        corners = self.points[self.mesh.grid.facets[:, self.mesh.boundary]]
        cells = self.points[self.mesh.nodes[self.mesh.grid.f2t[0, self.mesh.boundary]]].mean(axis=1)
        outward = (
            self._facet_normals
            * np.sign(np.einsum("nk,nk->n", self._facet_normals, corners.mean(axis=0) - cells))[:, None]
        )
        around = self._edges_of(np.flatnonzero(outward[:, 2] > FRONT_COSINE))
        return self._nodes_of([edge for edge, owners in around.items() if len(owners) == 1])

    @cached_property
    def edges(self) -> np.ndarray:
        """Sharp edges of the surface, as the indices of three nodes each (end, middle, other end), edges × 3."""
        normals, owners = self._facet_normals, self._edges_of(np.arange(len(self.mesh.boundary)))
        return self._nodes_of(
            [
                e
                for e, two in owners.items()
                if len(two) != 2 or abs(normals[two[0]] @ normals[two[1]]) < EDGE_COSINE
            ]
        )

    def as_meshio(self, points: np.ndarray, **fields: np.ndarray) -> Any:
        """The mesh as a meshio mesh with the given node positions and fields of nodal values."""
        import meshio
        from skfem.io.meshio import HEX_MAPPING

        cells = self.mesh.nodes[:, HEX_MAPPING] if self.mesh.kind == "hexahedron27" else self.mesh.nodes
        return meshio.Mesh(points, {self.mesh.kind: cells}, point_data=dict(fields))


def deformed_mesh(solid: Solid, planar: bool = False) -> DeformedMesh:
    """Deformed mesh of a solid; in a planar mechanism with in-plane modes only."""
    return DeformedMesh(solid, require_solid_modes(solid, planar))
