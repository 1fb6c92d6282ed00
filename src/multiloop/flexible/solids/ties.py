"""Ties between the faces of a solid and its markers: rigid faces, or markers that follow the average motion of a face.

    "rigid"      u(r₀) = t + θ × (r₀ − p) on the face, which moves rigidly with the marker
    "average"    θ = J⁻¹ ∫ r × u dA,   t = ∫ u dA / A + θ × (p − c),   J = ∫ (|r|² 1 − r rᵀ) dA,   r = r₀ − c

u is the displacement of the point r₀ of a face of area A and centroid c; t and θ are the displacement and rotation of
the marker at p, and 1 is the unit matrix. A rigid tie makes the face rigid, as a pressed-in bushing does; an average
tie adds no stiffness. To second order a rigid face rotates by exp θ, which adds ½ θ × (θ × (r₀ − p)) to its
displacement.

Derived here: the average motion is the rigid motion of the face with the least ∫ |u − t − θ × (r₀ − p)|² dA.

Theory: docs/theory/10-flexible-bodies.md, section 10.5.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from multiloop.flexible.solids.mesh_files import mesh_error
from multiloop.flexible.solids.solid_mesh import SolidMesh

TIE_KINDS = ("rigid", "average")
"""Types of ties between faces and markers."""


@dataclass(frozen=True, eq=False)
class Interface:
    """A face of a solid that is tied to a marker at `point`.

    `nodes` are the indices of the nodes of the face and `positions` their positions. `area_weights` are ∫ N_a dA and
    `area_moments` ∫ N_a r₀ dA, with N_a the shape function of node a and r₀ the undeformed position in the frame of the
    mesh; `area` is the area and `middle` the centroid.
    """

    marker: str
    point: np.ndarray
    nodes: np.ndarray
    positions: np.ndarray
    area_weights: np.ndarray
    area_moments: np.ndarray
    area: float
    middle: np.ndarray


def interface(mesh: SolidMesh, marker: str, facets: np.ndarray, point: np.ndarray | None) -> Interface:
    """The interface for a face that consists of the given facets; without `point`, its marker is at the centroid."""
    from skfem import FacetBasis

    try:
        basis = FacetBasis(mesh.grid, mesh.grid.elem(), facets=facets, intorder=6)
    except Exception:  # raised by scikit-fem if its inverse mapping to the points of a face does not converge
        what = f"has elements at the face of marker '{marker}' that are too distorted to integrate over."
        raise mesh_error(what, "Mesh the solid again, with more regular elements there.") from None
    r = np.moveaxis(np.asarray(basis.global_coordinates()), 0, -1)
    shares, turning = np.zeros(len(mesh.points)), np.zeros((len(mesh.points), 3))
    for nodes, field in zip(basis.element_dofs, basis.basis, strict=True):
        weighted = np.broadcast_to(field[0], basis.dx.shape) * basis.dx
        np.add.at(shares, nodes, weighted.sum(axis=1))
        np.add.at(turning, nodes, np.einsum("cq,cqk->ck", weighted, r))
    nodes, area = mesh.nodes_on(facets), float(basis.dx.sum())
    middle = np.einsum("cq,cqk->k", basis.dx, r) / area
    at = middle if point is None else np.asarray(point, float)
    return Interface(marker, at, nodes, mesh.points[nodes], shares[nodes], turning[nodes], area, middle)


@dataclass(frozen=True, eq=False)
class Ties:
    """All interfaces of a mesh, and the unknowns z that determine the displacements u = T z of all nodes.

    The unknowns are the displacements of nodes that do not belong to rigid faces, then rx, ry, rz, x, y, z of the
    marker of each rigid face.
    """

    points: np.ndarray
    interfaces: tuple[Interface, ...]
    rigid: bool

    @cached_property
    def _free(self) -> np.ndarray:
        tied = np.concatenate([one.nodes for one in self.interfaces]) if self.rigid else np.zeros(0, int)
        return np.setdiff1d(np.arange(len(self.points)), tied)

    @cached_property
    def expansion(self) -> sp.csr_matrix:
        """Matrix T that gives the displacements u = T z of all n nodes from the unknowns z, 3n × unknowns."""
        n, free = len(self.points), self._free
        if not self.rigid:
            return sp.identity(3 * n, format="csr")
        own = (3 * free[:, None] + np.arange(3)).ravel()
        parts = [sp.csr_matrix((np.ones(len(own)), (own, np.arange(len(own)))), shape=(3 * n, len(own)))]
        for one in self.interfaces:
            rows = (3 * one.nodes[:, None] + np.arange(3)).ravel()
            motion = _rigid_motion(self.points[one.nodes] - one.point).reshape(-1, 6)
            where = np.repeat(rows[:, None], 6, axis=1), np.tile(np.arange(6), (len(rows), 1))
            parts.append(
                sp.csr_matrix((motion.ravel(), (where[0].ravel(), where[1].ravel())), shape=(3 * n, 6))
            )
        return sp.hstack(parts).tocsr()

    @cached_property
    def rigid_motions(self) -> np.ndarray:
        """Rigid-body motions in the unknowns z, unknowns × 6.

        They are rotations about the axes through the origin, and displacements along the axes.
        """
        parts = [_rigid_motion(self.points[self._free]).reshape(-1, 6)]
        for one in self.interfaces if self.rigid else ():
            parts.append(np.vstack([np.eye(3, 6), _rigid_motion(one.point[None]).reshape(3, 6)]))
        return np.vstack(parts)

    def rigid_motions_about(self, marker: str, arm: float) -> np.ndarray:
        """Rigid-body motions in the unknowns z, unknowns × 6.

        They are rotations by 1/`arm` about axes through a marker, and unit displacements along the axes.
        """
        point = next(one.point for one in self.interfaces if one.marker == marker)
        turns, shifts = self.rigid_motions[:, :3], self.rigid_motions[:, 3:]
        through = turns - shifts @ np.cross(np.eye(3), point).T
        return np.hstack([through / arm, shifts])

    def marker_rows(self, marker: str) -> sp.csr_matrix:
        """Matrix that gives the rotation and displacement of a tied marker from the unknowns z, 6 × unknowns."""
        k = next(k for k, one in enumerate(self.interfaces) if one.marker == marker)
        count = self.expansion.shape[1]
        if self.rigid:
            begin = 3 * len(self._free) + 6 * k
            return sp.csr_matrix((np.ones(6), (np.arange(6), begin + np.arange(6))), shape=(6, count))
        return _average_rows(self.interfaces[k], len(self.points))

    def second_order(self, turns: np.ndarray, others: np.ndarray) -> np.ndarray:
        """Second-order displacements ½ (θ_i~θ_j~ + θ_j~θ_i~) r of nodes on rigid faces, nodes × 3; zero elsewhere.

        `turns` and `others` are the rotations θ_i and θ_j of each marker, interfaces × 3; r is the position of a node
        relative to its marker.
        """
        found = np.zeros_like(self.points)
        for one, theta, phi in zip(self.interfaces, turns, others, strict=True) if self.rigid else ():
            found[one.nodes] = second_order_rotation(theta, phi, self.points[one.nodes] - one.point)
        return found


def second_order_rotation(theta: np.ndarray, phi: np.ndarray, r: np.ndarray) -> np.ndarray:
    """Second-order displacement ½ (θ × (φ × r) + φ × (θ × r)) of a point at r due to two rotations θ and φ."""
    found: np.ndarray = (np.cross(theta, np.cross(phi, r)) + np.cross(phi, np.cross(theta, r))) / 2
    return found


def _rigid_motion(r: np.ndarray) -> np.ndarray:
    """Displacement of points for unit rotations about the axes and unit displacements, points × 3 × 6."""
    found = np.zeros((len(r), 3, 6))
    for axis in range(3):
        found[:, :, axis] = np.cross(np.eye(3)[axis], r)
        found[:, axis, 3 + axis] = 1.0
    return found


def _average_rows(face: Interface, count: int) -> sp.csr_matrix:
    """Matrix that gives the average rotation and displacement of a face from all n nodal displacements, 6 × 3n."""
    arms = face.area_moments - face.area_weights[:, None] * face.middle  # ∫ N (r₀ − c) dA
    moments = np.zeros((3, len(face.nodes), 3))
    for axis in range(3):  # components of r × u for unit displacements u along each axis
        moments[:, :, axis] = np.cross(arms, np.eye(3)[axis]).T
    turned = _rigid_motion(face.positions - face.middle)[:, :, :3]
    J = np.einsum("kni,nij->kj", moments, turned)
    turns = np.einsum("kl,lni->kni", np.linalg.inv(J), moments)
    shifts = np.zeros_like(turns)
    for axis in range(3):
        shifts[axis, :, axis] = face.area_weights / face.area
    shifts += np.cross(turns, face.point - face.middle, axisa=0, axisb=0, axisc=0)
    rows = np.concatenate([turns, shifts]).reshape(6, -1)
    places = (3 * face.nodes[:, None] + np.arange(3)).ravel()
    where = np.repeat(np.arange(6), rows.shape[1]), np.tile(places, 6)
    return sp.csr_matrix((rows.ravel(), where), shape=(6, 3 * count))
