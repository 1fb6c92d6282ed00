"""Modes of a solid: shapes of its nodes and markers, and their stiffness, for unit Young's modulus and unit density.

Nothing here depends on E or on the density, which only scale the result: both stay inputs of the kernels.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import scipy.sparse as sp

from multiloop.flexible.component_modes import (
    Component,
    Constrained,
    TooFewModesError,
    free_modes,
    interface_modes,
    natural_modes,
    with_diagonals,
)
from multiloop.flexible.solids.elements import SolidElements
from multiloop.flexible.solids.material_points import MaterialPoint
from multiloop.flexible.solids.planar_shapes import LEAVING, STAYING, in_plane
from multiloop.flexible.solids.quadratic_manifold import (
    FewShapes,
    SecondOrder,
    few_shapes,
    second_order_shapes,
)
from multiloop.flexible.solids.ties import Ties, interface
from multiloop.flexible.solids.weighed_mesh import elements_of
from multiloop.model import Fault, ModelError
from multiloop.model.beam_line import SAME_PLACE
from multiloop.model.markers import value_of
from multiloop.model.mesh import Mesh
from multiloop.model.solid import CHORD, Solid


@dataclass(frozen=True)
class Asked:
    """The data on which the modes of a solid depend; the key of their cache."""

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
    """Modes of a solid, computed on demand."""

    asked: Asked

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the request only: matrix factors cannot be pickled and are recomputed."""
        return (_kept, (self.asked,))

    @property
    def elements(self) -> SolidElements:
        """Mass and stiffness matrices of the mesh."""
        return elements_of(self.asked.mesh, self.asked.nu)

    @cached_property
    def ties(self) -> Ties:
        """The faces of the solid, tied to their markers."""
        mesh = self.elements.mesh
        faces = [
            interface(mesh, marker, mesh.facets_of(face), np.array(point))  # type: ignore[arg-type]
            for marker, face, point in self.asked.interfaces
        ]
        return Ties(mesh.points, tuple(faces), self.asked.rigid)

    @cached_property
    def _component(self) -> Component:
        T, m = self.ties.expansion, self.elements.scalar_mass
        M, K = T.T @ sp.kron(m, sp.identity(3)) @ T, T.T @ self.elements.stiffness @ T
        always = sp.csr_matrix((0, T.shape[1]))
        if self.asked.planar:
            always = sp.vstack([self.ties.reads(one.marker)[list(LEAVING)] for one in self.ties.interfaces])
        return Component(M.tocsr(), K.tocsr(), self.ties.motions, always.tocsr())

    @property
    def frame_marker(self) -> str:
        """The marker at the origin of the solid's frame: the one it is clamped to, or the first of its chord."""
        chord = self.asked.frame == CHORD
        return self.ties.interfaces[0].marker if chord else self.asked.frame

    @cached_property
    def frame_rows(self) -> sp.csr_matrix:
        """Rows that are zero in the solid's own frame: the motion of a marker, or of the chord between two markers."""
        ties, planar = self.ties, self.asked.planar
        if self.asked.frame != CHORD:
            return ties.reads(self.asked.frame)[list(STAYING if planar else range(6))].tocsr()
        one, other = ties.interfaces[:2]
        along = (other.point - one.point) / np.linalg.norm(other.point - one.point)
        first, second = ties.reads(one.marker), ties.reads(other.marker)
        if planar:
            across = np.array([[-along[1], along[0], 0.0]])
            return sp.vstack([first[3:5], sp.csr_matrix(across) @ second[3:]]).tocsr()
        across = np.linalg.svd(along[None])[2][1:]
        spin = sp.csr_matrix(along[None]) @ first[:3]
        return sp.vstack([first[3:], sp.csr_matrix(across) @ second[3:], spin]).tocsr()

    @cached_property
    def held(self) -> Constrained:
        """The solid, fixed in its own frame."""
        return self._component.held_by(self.frame_rows)

    @cached_property
    def unknowns(self) -> np.ndarray:
        """The modes in the unknowns z of the ties, lowest stiffness first, with a largest nodal displacement of 1."""
        asked, component, chosen = self.asked, self._component, self._in_plane if self.asked.planar else None
        if asked.basis == "natural":
            found = natural_modes(self.held, asked.modes, chosen)
        elif asked.basis == "free":
            found = free_modes(self.held, self.frame_rows, asked.modes, chosen)
        else:
            found = self._interface_modes()
        T, m = self.ties.expansion, self.elements.scalar_mass
        found = with_diagonals(component, found, T.T @ sp.kron(m, sp.diags([1.0, 2.0, 3.0])) @ T)
        nodes = (T @ found).reshape(-1, 3, asked.modes)
        sizes = np.linalg.norm(nodes, axis=1)
        far = np.argmax(sizes > 0.999 * sizes.max(axis=0), axis=0)
        for i in range(asked.modes):
            largest = nodes[far[i], np.argmax(np.abs(nodes[far[i], :, i])), i]
            found[:, i] *= np.sign(largest) / sizes[:, i].max()
        return found

    def _interface_modes(self) -> np.ndarray:
        """Craig–Bampton modes with the first interface clamped, then relative to the frame."""
        ties, rows = self.ties, list(STAYING if self.asked.planar else range(6))
        first, names = self.frame_marker, [one.marker for one in ties.interfaces]
        ends = [ties.reads(name)[rows] for name in names if name != first]
        held = self._component.held_by(ties.reads(first)[rows].tocsr())
        free = sp.vstack(ends).tocsr() if ends else sp.csr_matrix((0, self._component.count))
        chosen = self._in_plane if self.asked.planar else None
        return self._component.seen_from(
            self.frame_rows, interface_modes(held, free, self.asked.modes, chosen)
        )

    def _in_plane(self, found: np.ndarray) -> np.ndarray:
        return in_plane(self.elements, self.ties.expansion, found)

    # results --------------------------------------------------------------------------------------------------

    @cached_property
    def nodes(self) -> np.ndarray:
        """Mode shapes Φ of all nodes, n × 3 × e."""
        found: np.ndarray = (self.ties.expansion @ self.unknowns).reshape(-1, 3, self.asked.modes)
        return found

    @cached_property
    def stiffness(self) -> np.ndarray:
        """Modal stiffness of each mode for unit Young's modulus."""
        found: np.ndarray = np.einsum("ni,ni->i", self.unknowns, self._component.K @ self.unknowns)
        return found

    @cached_property
    def second(self) -> SecondOrder | None:
        """Second-order shapes θ of all pairs of modes; None without stiffening."""
        if not self.asked.stiffening:
            return None
        return second_order_shapes(self.elements, self.ties, self.held, self.unknowns, self.stiffness)

    @cached_property
    def few(self) -> FewShapes | None:
        """The reduced set of second-order shapes; None without stiffening."""
        return (
            None
            if self.second is None
            else few_shapes(self.second, self.elements.scalar_mass, self.stiffness)
        )

    @cached_property
    def shapes(self) -> np.ndarray:
        """Shapes Ψ of all nodes, the modes first and then the second-order shapes, n × 3 × s."""
        if self.second is None or self.few is None:
            return self.nodes
        return np.concatenate(
            [self.nodes, np.einsum("kp,pnx->nxk", self.few.combined, self.second.nodes)], axis=2
        )

    @cached_property
    def markers(self) -> Mapping[str, np.ndarray]:
        """Rotation and displacement of markers per unit of each shape, 6 × s each.

        Tied markers move with their faces, others with the surrounding material. A marker at the position of a tied
        marker, often the origin, moves with that marker.
        """
        found = {}
        for one in self.ties.interfaces:
            shape = self.ties.reads(one.marker) @ self.unknowns
            if self.second is not None and self.few is not None:
                shape = np.hstack([shape, (self.few.combined @ self.second.markers[one.marker]).T])
            found[one.marker] = shape
        for name, point in self.asked.others:
            away = {one.marker: np.linalg.norm(one.point - point) for one in self.ties.interfaces}
            nearest = min(away, key=lambda marker: away[marker])
            if away[nearest] <= SAME_PLACE * self.elements.mesh.size:
                found[name] = found[nearest].copy()
            else:
                found[name] = MaterialPoint(self.elements.mesh, np.array(point)).motion(self.shapes)
        if self.asked.planar:
            for shape in found.values():
                shape[list(LEAVING)] = 0.0
        return found


def solid_modes(solid: Solid, planar: bool) -> SolidModes:
    """The modes of a solid; cached for equal requests."""
    return _kept(_asked(solid, planar))


@lru_cache(maxsize=32)
def _kept(asked: Asked) -> SolidModes:
    return SolidModes(asked)


def _asked(solid: Solid, planar: bool) -> Asked:
    def at(name: str) -> tuple[float, ...]:
        return tuple(float(value_of(c) or 0.0) for c in (*solid.marker(name).point, 0.0, 0.0)[:3])

    tied = [marker for marker, _ in solid.interfaces]
    return Asked(
        solid.mesh,  # type: ignore[arg-type]  # checked before
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


def shapes_or_fault(solid: Solid, planar: bool) -> SolidModes:
    """The modes of a solid; raises a ModelError if the mesh has fewer modes than requested."""
    found = solid_modes(solid, planar)
    try:
        _ = found.unknowns
    except TooFewModesError as error:
        what = (
            f"it has {solid.modes} modes, and its mesh has {error.most}{' in the plane' if planar else ''}."
        )
        fault = Fault("M16", f"body '{solid.name}'", what, "Give fewer, or a finer mesh.")
        raise ModelError(f"body '{solid.name}'", [fault]) from None
    return found
