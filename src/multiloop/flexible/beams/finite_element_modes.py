"""Modes of a beam by finite elements: natural modes, static modes of its interfaces, or nodal coordinates.

The modes are relative to the frame of the beam:

    frame "a"       clamped to the section at marker a
    frame "chord"   origin at marker a, x axis through marker b, no torsion at a about this axis
    frame "free"    mean axes, in which deformation has neither linear nor angular momentum

A straight beam in its chord frame is stretched and twisted by the joint at its end. In these directions of deformation
the static modes come first.

Theory: docs/theory/10-flexible-bodies.md, eqs. (10.15), (10.16).
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import scipy.sparse as sp

from multiloop.flexible.beams.beam_elements import BUBBLE_AXES
from multiloop.flexible.beams.finite_element_matrices import BeamModel, beam_model
from multiloop.flexible.component_modes import (
    Component,
    ConstrainedComponent,
    diagonalise,
    interface_modes,
    natural_modes,
    nodal_shapes,
)
from multiloop.model.beams.beam import INTERFACE, Beam
from multiloop.model.beams.beam_interfaces import (
    AXIAL_DEFORMATIONS,
    deformation_components,
    frame_conditions,
    interface_parts,
)

ROUND_OFF = 1e-11
"""Entries of a mode smaller than this, relative to a largest displacement of 1, are treated as round-off."""


@lru_cache(maxsize=64)
def element_shapes(beam: Beam) -> np.ndarray:
    """All modes of a beam as columns, coordinates of the mesh × elastic coordinates.

    Each mode is scaled to a largest displacement of 1, or to a largest rotation of 1 rad if it is pure torsion. For the
    basis "nodal" the columns belong to displacements of nodes in metres, and to rotations times the length of the beam:
    slopes v' = θ_z along y, and negative slopes −w' = θ_y along z.
    """
    model = beam_model(beam)
    return np.hstack([_shapes_of_direction(model, direction, count) for direction, count in beam.modes])


def _shapes_of_direction(model: BeamModel, direction: str, count: int) -> np.ndarray:
    own, found = coordinates_of_direction(model, direction), np.zeros((model.mesh.count, count))
    constrained = beam_in_frame(model, direction)
    if model.beam.is_nodal:
        unit = model.length if direction == "twist" else 1.0
        found[own] = unit * nodal_shapes(constrained, np.arange(_nodal_coordinate_count(model, direction)))
        return found
    found[own] = diagonalise(constrained.component, _component_shapes(model, direction, count))
    return np.column_stack([_normalised(model, shape) for shape in found.T])


def _component_shapes(model: BeamModel, direction: str, count: int) -> np.ndarray:
    """Static modes and `count` natural modes of one direction of deformation as columns, for which mass and stiffness
    matrices are not yet diagonal."""
    constrained = beam_in_frame(model, direction)
    if _has_static_shapes(model, direction):
        return interface_modes(constrained, interface_rows(model, direction), count)
    return natural_modes(constrained, count)


def _has_static_shapes(model: BeamModel, direction: str) -> bool:
    return _ends_move_apart(model, direction) or model.beam.basis_of(direction) == INTERFACE


def _ends_move_apart(model: BeamModel, direction: str) -> bool:
    """Whether the ends of a straight beam in its chord frame move relative to each other in a direction."""
    return direction in AXIAL_DEFORMATIONS and model.beam.frame == "chord" and not model.beam.through


@lru_cache(maxsize=64)
def shape_accelerations(beam: Beam) -> np.ndarray:
    """Accelerations a of the centreline whose inertia forces ρ A a (mass per length ρ A) produce each mode, mesh
    coordinates × modes.

        natural modes φ of frequency ω         a = ω² φ
        static modes                           0, and in the frame of mean axes a = −R (RᵀMR)⁻¹ Rᵀ f
        nodal coordinates                      0

    Forces f at the interfaces of a free body also accelerate it as a whole; R are its rigid-body motions and M is its
    mass matrix. Derived here.
    """
    model, begin, found = beam_model(beam), 0, np.zeros((beam_model(beam).mesh.count, beam.elastic))
    for direction, count in () if beam.is_nodal else beam.modes:
        own, here = coordinates_of_direction(model, direction), slice(begin, begin + count)
        separate = _component_shapes(model, direction, count)
        combined = np.linalg.lstsq(separate, element_shapes(beam)[own, here])[0]
        found[own, here] = _component_accelerations(model, direction, separate) @ combined
        begin += count
    return found


def _component_accelerations(model: BeamModel, direction: str, shapes: np.ndarray) -> np.ndarray:
    component = beam_in_frame(model, direction).component
    M, K, R = component.M, component.K, component.rigid
    squares = (shapes * (K @ shapes)).sum(axis=0) / (shapes * (M @ shapes)).sum(axis=0)
    found: np.ndarray = squares * shapes
    if _has_static_shapes(model, direction):
        forces = interface_rows(model, direction).T.toarray()
        static = slice(0, forces.shape[1])
        found[:, static] = 0.0
        if model.beam.frame == "free":
            moved = beam_in_frame(model, direction).solve(forces)
            found[:, static] = -R @ np.linalg.pinv(R.T @ (M @ R)) @ (R.T @ forces) / np.abs(moved).max(axis=0)
    return found


def nodal_counts(beam: Beam) -> dict[str, int]:
    """For each direction of deformation, the number of its nodal coordinates that the frame of the beam leaves free."""
    model = BeamModel(beam)
    known = [direction for direction, _ in beam.modes if deformation_components(beam, direction)]
    return {
        direction: _nodal_coordinate_count(model, direction) - len(deformation_components(beam, direction))
        for direction in known
    }


def _nodal_coordinate_count(model: BeamModel, direction: str) -> int:
    """Number of coordinates of nodes (without amplitudes of bubble functions) in a direction of deformation."""
    return len(model.mesh.nodes) * len(deformation_components(model.beam, direction))


def coordinates_of_direction(model: BeamModel, direction: str) -> list[int]:
    """Indices of the coordinates of the mesh that belong to a direction of deformation."""
    axes = deformation_components(model.beam, direction)
    nodes, n = len(model.mesh.nodes), model.mesh.elements
    bubbles = [
        k for k, axis in enumerate(BUBBLE_AXES) if axis in axes and (axis in (0, 3) or model.beam.shear)
    ]
    found = [6 * k + axis for k in range(nodes) for axis in axes]
    return found + [6 * nodes + len(BUBBLE_AXES) * k + bubble for k in range(n) for bubble in bubbles]


def beam_in_frame(model: BeamModel, direction: str) -> ConstrainedComponent:
    """Model of the beam for one direction of deformation, with its own frame at rest."""
    own = coordinates_of_direction(model, direction)
    M, K = (matrix[np.ix_(own, own)] for matrix in model.matrices)
    rigid = model.mesh.rigid_motions()[own]
    rows = rigid.T @ M if model.beam.frame == "free" else frame_rows(model)[:, own]
    component = Component(sp.csr_matrix(M), sp.csr_matrix(K), rigid, sp.csr_matrix((0, len(own))))
    return component.constrained_by(sp.csr_matrix(_orthonormal(rows)))


def fixed_interface_beam(model: BeamModel, direction: str) -> tuple[ConstrainedComponent, int]:
    """Model of the beam whose natural modes complete the basis of one direction of deformation, and the number of
    static modes in this basis.

    With static modes, the frame and all interfaces of the beam are fixed (Craig–Bampton); otherwise only the frame.
    """
    constrained = beam_in_frame(model, direction)
    if not _has_static_shapes(model, direction):
        return constrained, 0
    rows = interface_rows(model, direction)
    return ConstrainedComponent(constrained.component, sp.vstack([constrained.rows, rows]).tocsr()), int(
        rows.shape[0]
    )


def frame_rows(model: BeamModel) -> np.ndarray:
    """Matrix C of the conditions C z = 0 on the mesh coordinates z that define the beam's own frame, 6 × coordinates.

    All rows are zero for a free beam.
    """
    mesh, conditions = model.mesh, frame_conditions(model.beam)
    rows = np.zeros((6, mesh.count))
    for row, (end, components) in zip(rows, conditions, strict=False):
        first = 0 if end == "a" else 6 * (len(mesh.nodes) - 1)
        row[first : first + 6] = components
    return rows


def interface_rows(model: BeamModel, direction: str) -> sp.csr_matrix:
    """Matrix whose product with the mesh coordinates of one direction gives the motions of the beam's interfaces.

    Motions that the frame of the beam fixes are omitted. The rows are orthonormal.
    """
    own, mesh = coordinates_of_direction(model, direction), model.mesh
    rows = [np.zeros((0, mesh.count))]
    for name, components in interface_parts(
        ("a", "b") if _ends_move_apart(model, direction) else model.beam.interfaces
    ):
        node = mesh.node_at(model.places[name])
        rows.append(np.eye(6, mesh.count, 6 * node)[list(components)])
    basis, found = _orthonormal(frame_rows(model)[:, own]), np.vstack(rows)[:, own]
    return sp.csr_matrix(_orthonormal(found - (found @ basis.T) @ basis))


def _orthonormal(rows: np.ndarray) -> np.ndarray:
    """Orthonormal basis of the row space of a matrix, as rows."""
    _, sizes, right = np.linalg.svd(rows, full_matrices=False)
    found: np.ndarray = right[sizes > 1e-9 * max(sizes.max(initial=0.0), 1e-300)]
    return np.where(np.abs(found) > ROUND_OFF, found, 0.0)


def _normalised(model: BeamModel, shape: np.ndarray) -> np.ndarray:
    """The mode scaled to a largest displacement of 1 with a positive sign there; round-off is set to zero."""
    xi = np.linspace(0.0, 1.0, 401)
    motion = model.mesh.motion(xi) @ shape
    turned = np.abs(motion[:, :3]).max() < 1e-9 * np.abs(motion[:, 3:]).max()
    looked = motion[:, 3:] / model.length if turned else motion[:, :3]
    size = np.linalg.norm(looked, axis=1)
    last = int(np.flatnonzero(size > 0.999 * size.max())[-1])
    sign = np.sign(looked[last][np.abs(looked[last]).argmax()])
    found = shape * sign / size.max()
    return np.where(np.abs(found) > ROUND_OFF, found, 0.0)
