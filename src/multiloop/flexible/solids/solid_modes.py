"""Modes of a solid: displacements of its nodes and markers, and modal stiffness, for unit modulus and unit density.

The modes do not depend on Young's modulus E or on the density, which only scale stiffness and mass; both remain inputs
of the compiled functions. In a planar mechanism, combinations of modes are selected that deform the solid in the plane.

Theory: docs/theory/10-flexible-bodies.md, eqs. (10.13)–(10.16).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import scipy.sparse as sp
from scipy.spatial import cKDTree

from multiloop.flexible.component_modes import (
    Component,
    ConstrainedComponent,
    TooFewModesError,
    diagonalise,
    free_modes,
    interface_modes,
    natural_modes,
)
from multiloop.flexible.solids.solid_elements import SolidElements, mesh_elements
from multiloop.flexible.solids.solid_mesh import MaterialPoint
from multiloop.flexible.solids.ties import Ties, interface, second_order_rotation
from multiloop.model import Fault, ModelError, value_of
from multiloop.model.beams.beam_line import COINCIDENCE
from multiloop.model.solids.mesh import Mesh
from multiloop.model.solids.solid import CHORD, Solid

OUT_OF_PLANE_ROWS = (0, 1, 5)
"""Out-of-plane components of the motion of a marker: rotations about x and y, and displacement along z."""

IN_PLANE_ROWS = (2, 3, 4)
"""In-plane components of the motion of a marker: rotation about z, and displacements along x and y."""


def in_plane_combinations(elements: SolidElements, expansion: sp.csr_matrix, found: np.ndarray) -> np.ndarray:
    """Linear combinations of modes with more than half of their modal mass in in-plane motion, as columns.

    `found` are modes of unit modal mass in the unknowns z of the ties, and `expansion` is the matrix T that gives the
    nodal displacements u = T z.

    In-plane motion is along x and y and symmetric about the x–y plane through the mass centre; out-of-plane bending and
    torsion are antisymmetric. Each node is compared with the node nearest to its mirror image.
    """
    mesh, m = elements.mesh, elements.scalar_mass
    middle = float((m @ mesh.points[:, 2]).sum() / m.sum())
    _, partner = cKDTree(mesh.points).query(mesh.points * [1, 1, -1] + [0, 0, 2 * middle])
    nodes = (expansion @ found).reshape(len(mesh.points), 3, -1)
    even = (nodes[:, :2] + nodes[partner, :2]) / 2
    shares, turned = np.linalg.eigh(sum(even[:, k].T @ (m @ even[:, k]) for k in range(2)))
    kept: np.ndarray = found @ turned[:, shares > 0.5]
    return kept


@dataclass(frozen=True)
class ModeRequest:
    """The data on which the modes of a solid depend; used as the key of the cache of modes.

    `interfaces` are the name, the face and the position of each tied marker, `others` the name and position of each
    other marker. `rigid` states whether the faces are rigid; the remaining fields are settings of `Solid`.
    """

    mesh: Mesh
    nu: float
    interfaces: tuple[tuple[str, object, tuple[float, ...]], ...]
    others: tuple[tuple[str, tuple[float, ...]], ...]
    modes: int
    basis: str
    frame: str
    rigid: bool
    stiffening: bool
    planar: bool


@dataclass(frozen=True, eq=False)
class SolidModes:
    """Modes of a solid; each property is computed when it is first read."""

    request: ModeRequest

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle only the `ModeRequest`: matrix factors cannot be pickled and are computed again after unpickling."""
        return (_cached_modes, (self.request,))

    @property
    def elements(self) -> SolidElements:
        """Mass and stiffness matrices of the mesh."""
        return mesh_elements(self.request.mesh, self.request.nu)

    @cached_property
    def ties(self) -> Ties:
        """The faces of the solid, tied to their markers."""
        mesh = self.elements.mesh
        faces = [
            interface(mesh, marker, mesh.facets_of(face), np.array(point))  # type: ignore[arg-type]
            for marker, face, point in self.request.interfaces
        ]
        return Ties(mesh.points, tuple(faces), self.request.rigid)

    @cached_property
    def _component(self) -> Component:
        T, m = self.ties.expansion, self.elements.scalar_mass
        M, K = T.T @ sp.kron(m, sp.identity(3)) @ T, T.T @ self.elements.stiffness @ T
        always = sp.csr_matrix((0, T.shape[1]))
        if self.request.planar:
            always = sp.vstack(
                [self.ties.marker_rows(one.marker)[list(OUT_OF_PLANE_ROWS)] for one in self.ties.interfaces]
            )
        return Component(M.tocsr(), K.tocsr(), self.ties.rigid_motions, always.tocsr())

    @property
    def frame_marker(self) -> str:
        """Name of the marker at the origin of the solid's frame.

        It is the marker to which the frame is clamped, or the first of the two markers on the chord.
        """
        chord = self.request.frame == CHORD
        return self.ties.interfaces[0].marker if chord else self.request.frame

    @cached_property
    def frame_rows(self) -> sp.csr_matrix:
        """Matrix C of the conditions C z = 0 that define the solid's own frame, with z the unknowns of the ties.

        The conditions state that a marker, or the chord between two markers, is at rest in the frame.
        """
        ties, planar = self.ties, self.request.planar
        if self.request.frame != CHORD:
            return ties.marker_rows(self.request.frame)[list(IN_PLANE_ROWS if planar else range(6))].tocsr()
        one, other = ties.interfaces[:2]
        along = (other.point - one.point) / np.linalg.norm(other.point - one.point)
        first, second = ties.marker_rows(one.marker), ties.marker_rows(other.marker)
        if planar:
            across = np.array([[-along[1], along[0], 0.0]])
            return sp.vstack([first[3:5], sp.csr_matrix(across) @ second[3:]]).tocsr()
        across = np.linalg.svd(along[None])[2][1:]
        spin = sp.csr_matrix(along[None]) @ first[:3]
        return sp.vstack([first[3:], sp.csr_matrix(across) @ second[3:], spin]).tocsr()

    @cached_property
    def constrained(self) -> ConstrainedComponent:
        """Finite-element model of the solid with its own frame at rest."""
        return self._component.constrained_by(self.frame_rows)

    @cached_property
    def unknowns(self) -> np.ndarray:
        """Modes in the unknowns z of the ties, unknowns × modes, lowest stiffness first.

        Each mode is scaled to a largest nodal displacement of 1.
        """
        asked, component, chosen = (
            self.request,
            self._component,
            self._in_plane if self.request.planar else None,
        )
        if asked.basis == "natural":
            found = natural_modes(self.constrained, asked.modes, chosen)
        elif asked.basis == "free":
            found = free_modes(self.constrained, self.frame_rows, asked.modes, chosen)
        else:
            found = self._interface_modes()
        T, m = self.ties.expansion, self.elements.scalar_mass
        found = diagonalise(component, found, T.T @ sp.kron(m, sp.diags([1.0, 2.0, 3.0])) @ T)
        nodes = (T @ found).reshape(-1, 3, asked.modes)
        sizes = np.linalg.norm(nodes, axis=1)
        far = np.argmax(sizes > 0.999 * sizes.max(axis=0), axis=0)
        for i in range(asked.modes):
            largest = nodes[far[i], np.argmax(np.abs(nodes[far[i], :, i])), i]
            found[:, i] *= np.sign(largest) / sizes[:, i].max()
        return found

    def _interface_modes(self) -> np.ndarray:
        """Craig–Bampton modes of the solid clamped at its first interface, expressed relative to its frame."""
        ties, rows = self.ties, list(IN_PLANE_ROWS if self.request.planar else range(6))
        first, names = self.frame_marker, [one.marker for one in ties.interfaces]
        ends = [ties.marker_rows(name)[rows] for name in names if name != first]
        held = self._component.constrained_by(ties.marker_rows(first)[rows].tocsr())
        free = sp.vstack(ends).tocsr() if ends else sp.csr_matrix((0, self._component.count))
        chosen = self._in_plane if self.request.planar else None
        return self._component.relative_to_frame(
            self.frame_rows, interface_modes(held, free, self.request.modes, chosen)
        )

    def _in_plane(self, found: np.ndarray) -> np.ndarray:
        return in_plane_combinations(self.elements, self.ties.expansion, found)

    # mode shapes and stiffness --------------------------------------------------------------------------------

    @cached_property
    def node_shapes(self) -> np.ndarray:
        """Displacements Ψ of all nodes in each mode, nodes × 3 × modes."""
        found: np.ndarray = (self.ties.expansion @ self.unknowns).reshape(-1, 3, self.request.modes)
        return found

    @cached_property
    def stiffness(self) -> np.ndarray:
        """Modal stiffness of each mode for unit Young's modulus."""
        found: np.ndarray = np.einsum("ni,ni->i", self.unknowns, self._component.K @ self.unknowns)
        return found

    @cached_property
    def second_order(self) -> SecondOrderShapes | None:
        """Second-order displacement fields θ_ij of all pairs of modes; None without geometric stiffening."""
        if not self.request.stiffening:
            return None
        return second_order_shapes(self.elements, self.ties, self.constrained, self.unknowns, self.stiffness)

    @cached_property
    def reduced_second_order(self) -> ReducedSecondOrder | None:
        """Reduced set of second-order displacement fields; None without geometric stiffening."""
        return (
            None
            if self.second_order is None
            else reduce_second_order(self.second_order, self.elements.scalar_mass, self.stiffness)
        )

    @cached_property
    def shapes(self) -> np.ndarray:
        """Displacements Ψ of all nodes in each mode, then in each second-order field, nodes × 3 × fields."""
        if self.second_order is None or self.reduced_second_order is None:
            return self.node_shapes
        return np.concatenate(
            [
                self.node_shapes,
                np.einsum("kp,pnx->nxk", self.reduced_second_order.combinations, self.second_order.nodes),
            ],
            axis=2,
        )

    @cached_property
    def marker_shapes(self) -> Mapping[str, np.ndarray]:
        """Rotation and displacement of each marker in each mode, then in each second-order field, 6 × fields.

        Markers tied to a face move with this face, other markers with the surrounding material. A marker at the same
        position as a tied marker, often the origin, moves with the tied marker.
        """
        found = {}
        for one in self.ties.interfaces:
            shape = self.ties.marker_rows(one.marker) @ self.unknowns
            if self.second_order is not None and self.reduced_second_order is not None:
                shape = np.hstack(
                    [
                        shape,
                        (self.reduced_second_order.combinations @ self.second_order.markers[one.marker]).T,
                    ]
                )
            found[one.marker] = shape
        for name, point in self.request.others:
            away = {one.marker: np.linalg.norm(one.point - point) for one in self.ties.interfaces}
            nearest = min(away, key=lambda marker: away[marker])
            if away[nearest] <= COINCIDENCE * self.elements.mesh.size:
                found[name] = found[nearest].copy()
            else:
                found[name] = MaterialPoint(self.elements.mesh, np.array(point)).motion(self.shapes)
        if self.request.planar:
            for shape in found.values():
                shape[list(OUT_OF_PLANE_ROWS)] = 0.0
        return found


def solid_modes(solid: Solid, planar: bool) -> SolidModes:
    """The modes of a solid; solids with equal meshes and settings share one cached result."""
    return _cached_modes(_mode_request(solid, planar))


@lru_cache(maxsize=32)
def _cached_modes(asked: ModeRequest) -> SolidModes:
    return SolidModes(asked)


def _mode_request(solid: Solid, planar: bool) -> ModeRequest:
    def at(name: str) -> tuple[float, ...]:
        return tuple(float(value_of(c) or 0.0) for c in (*solid.marker(name).point, 0.0, 0.0)[:3])

    tied = [marker for marker, _ in solid.interfaces]
    return ModeRequest(
        solid.mesh,  # type: ignore[arg-type]  # not None, as the checks of the description ensure
        solid.nu,
        tuple((marker, face, at(marker)) for marker, face in solid.interfaces),
        tuple((name, at(name)) for name in solid.marker_names if name not in tied),
        solid.modes,
        solid.basis,
        solid.clamped_to,
        solid.tie == "rigid",
        solid.stiffening,
        planar,
    )


def require_solid_modes(solid: Solid, planar: bool) -> SolidModes:
    """The modes of a solid; raises a ModelError if the mesh has fewer modes than requested."""
    found = solid_modes(solid, planar)
    try:
        _ = found.unknowns
    except TooFewModesError as error:
        plane = " in the plane" if planar else ""
        what = f"modes is {solid.modes}, but its mesh has only {error.available} modes{plane}."
        fault = Fault("M16", f"body '{solid.name}'", what, "Give fewer modes, or a finer mesh.")
        raise ModelError(f"body '{solid.name}'", [fault]) from None
    return found


NEGLIGIBLE_PART = 1e-2
"""Size of a second-order displacement field, relative to the largest one, below which it is neglected. The size is
defined in `reduce_second_order`."""


@dataclass(frozen=True, eq=False)
class SecondOrderShapes:
    """Second-order displacement fields θ_ij of all pairs of modes i ≤ j.

    `nodes` are displacements of the nodes (pairs × nodes × 3), `markers` rotation and displacement of each tied marker
    (pairs × 6).
    """

    pairs: tuple[tuple[int, int], ...]
    nodes: np.ndarray
    markers: Mapping[str, np.ndarray]


def second_order_shapes(
    elements: SolidElements,
    ties: Ties,
    constrained: ConstrainedComponent,
    shapes: np.ndarray,
    stiffness: np.ndarray,
) -> SecondOrderShapes:
    """Second-order displacement fields θ_ij of all pairs of modes.

    `shapes` are the modes in the unknowns of the ties (unknowns × modes), and `stiffness` their modal stiffnesses; the
    modal stiffness matrix must be diagonal. `constrained` is the solid with its own frame at rest.
    """
    e, n, T = shapes.shape[1], len(elements.mesh.points), ties.expansion
    H = elements.displacement_gradients((T @ shapes).reshape(n, 3, e))
    turns = np.array([(ties.marker_rows(one.marker) @ shapes)[:3].T for one in ties.interfaces])
    pairs = tuple((i, j) for i in range(e) for j in range(i, e))
    given = np.stack([ties.second_order(turns[:, i], turns[:, j]).ravel() for i, j in pairs], axis=1)
    forces = np.stack([elements.second_order_force(H[i], H[j]).ravel() for i, j in pairs], axis=1)
    found = constrained.solve(-(T.T @ (forces + elements.stiffness @ given)))
    third = shapes.T @ (T.T @ forces)  # third-order terms T_ijk of the strain energy, modes × pairs
    found += shapes @ (_third_order_weights(pairs, stiffness) * third / stiffness[:, None])
    markers = {}
    for k, one in enumerate(ties.interfaces):
        moved = (ties.marker_rows(one.marker) @ found).T
        if (
            not ties.rigid
        ):  # the rotation of a face displaces a marker that is not at the centroid of the face
            arm = one.point - one.middle
            moved[:, 3:] += [second_order_rotation(turns[k, i], turns[k, j], arm) for i, j in pairs]
        markers[one.marker] = moved
    return SecondOrderShapes(pairs, (given + T @ found).T.reshape(-1, n, 3), markers)


def _third_order_weights(pairs: Sequence[tuple[int, int]], stiffness: np.ndarray) -> np.ndarray:
    """Weights of the modes that are added to the second-order field of each pair of modes, modes × pairs.

    The weight of mode k for the pair i, j is 1, unless k is the stiffest of the three modes i, j and k; then it is
    1 − 1/n, where n is the number of times that k occurs among the three.
    """
    found = np.ones((len(stiffness), len(pairs)))
    for p, pair in enumerate(pairs):
        for k in range(len(stiffness)):
            three = (*pair, k)
            if k == max(three, key=lambda i: (stiffness[i], i)):
                found[k, p] = 1 - 1 / three.count(k)
    return found


@dataclass(frozen=True, eq=False)
class ReducedSecondOrder:
    """Reduced set of second-order displacement fields β_k, with quadratic forms G_k: θ_ij = Σ_k (G_k)_ij β_k.

    `combinations` are the coefficients c of β_k = Σ_p c_kp θ_p over pairs p of modes (fields × pairs), `forms` the
    matrices G_k (fields × modes × modes).
    """

    combinations: np.ndarray
    forms: np.ndarray


def reduce_second_order(
    second: SecondOrderShapes, mass: sp.csr_matrix, stiffness: np.ndarray
) -> ReducedSecondOrder:
    """A reduced set of second-order displacement fields that spans the fields θ_ij of all pairs of modes.

    Fields are compared at elastic coordinates of equal strain energy, η_i ~ 1/√k_i with the modal stiffness k_i. The
    squared size of a field is its mean square over the mass plus the squared displacements of the tied markers; fields
    of a relative size below `NEGLIGIBLE_PART` are neglected.
    """
    pairs, e = second.pairs, len(stiffness)
    scale = np.array([1 / np.sqrt(stiffness[i] * stiffness[j]) for i, j in pairs])
    fields = second.nodes * scale[:, None, None]
    gram = sum(fields[:, :, k] @ (mass @ fields[:, :, k].T) for k in range(3)) / mass.sum()
    for moved in second.markers.values():
        gram = gram + (moved[:, 3:] * scale[:, None]) @ (moved[:, 3:] * scale[:, None]).T
    squares, vectors = np.linalg.eigh(gram)
    kept = np.flatnonzero(squares > NEGLIGIBLE_PART**2 * squares.max())[::-1]
    sizes = np.sqrt(squares[kept])
    combined = (vectors[:, kept] * scale[:, None] / sizes).T
    written = vectors[:, kept] * sizes / scale[:, None]
    forms = np.zeros((len(kept), e, e))
    for p, (i, j) in enumerate(pairs):
        forms[:, i, j] = forms[:, j, i] = written[p]
    return ReducedSecondOrder(combined, forms)
