"""Modes of a beam by direction of deformation, with natural frequencies and the part of the strain energy captured.

A beam whose elastic coordinates are those of its nodes is described by its natural modes too.
"""

from __future__ import annotations

from dataclasses import replace

import casadi as ca
import numpy as np
from scipy.linalg import eigh

from multiloop.flexible.component_modes import with_diagonals
from multiloop.flexible.elements.model import BeamModel, beam_model
from multiloop.flexible.elements.shapes import element_shapes, held_link, interface_rows, own_coordinates
from multiloop.flexible.kinds_of_beams import beam_by_itself
from multiloop.flexible.shape_table import ShapeTable, held_parts
from multiloop.model.beam import Beam
from multiloop.model.beam_faults import require_sound
from multiloop.model.geometry import at_values

IN_PLANE = ("y", "x")
"""Directions of deformation within the x–y plane."""


def natural_frequencies(beam: Beam, planar: bool = False) -> np.ndarray:
    """Natural frequencies of the beam in its frame (rad/s), lowest first; of its in-plane modes alone if `planar`."""
    M, K = _matrices(sound_beam(beam, planar))
    return np.asarray(np.sqrt(eigh(K, M, eigvals_only=True)))


def sound_beam(beam: Beam, planar: bool) -> Beam:
    """Return the beam, with its in-plane modes alone if `planar`; raise an error if its description is invalid."""
    require_sound(beam)
    if not planar:
        return beam
    modes = tuple((way, count) for way, count in beam.counts if way in IN_PLANE)
    return replace(beam, modes=modes, basis=tuple((way, beam.basis_of(way)) for way, _ in modes))


def beam_shape_table(beam: Beam, planar: bool = False) -> ShapeTable:
    """Table of the natural modes of a beam by direction of deformation; of its in-plane modes alone if `planar`.

    They are its elastic coordinates, unless these are the coordinates of nodes.
    """
    beam = beam_by_itself(sound_beam(beam, planar))
    M, K = _matrices(beam)
    ways, squares = np.array([way for way, _ in beam.ways]), list[float]()
    for way, _ in beam.modes:
        own = np.ix_(ways == way, ways == way)
        squares += eigh(K[own], M[own], eigvals_only=True).tolist()
    held = np.concatenate([_held(beam, way, count) for way, count in beam.modes])
    basis = ", ".join(dict.fromkeys(beam.basis_of(way) for way, _ in beam.modes))
    return ShapeTable(beam.name, beam.frame, basis, beam.ways, np.sqrt(squares), held)


def _matrices(beam: Beam) -> tuple[np.ndarray, np.ndarray]:
    """Modal mass and stiffness."""
    modes = beam.reduced("origin", at_values, False).modes
    e = modes.count
    return np.array(ca.DM(modes.mass).full())[:e, :e], np.array(ca.DM(modes.stiffness).full())


def _held(beam: Beam, way: str, count: int) -> np.ndarray:
    """Part of the strain energy captured after each natural mode of a direction of deformation."""
    model = beam_model(beam)
    own, begin = own_coordinates(model, way), [one for one, _ in beam.ways].index(way)
    link = held_link(model, way)
    free = beam.frame == "free"
    forces = interface_rows(model, way).T.toarray() if free else _inertia_forces(model, own)
    shapes = with_diagonals(link.component, element_shapes(beam)[own, begin : begin + count])
    return held_parts(link, shapes, forces)


def _inertia_forces(model: BeamModel, own: list[int]) -> np.ndarray:
    """M a of rigid-body accelerations along the axes, and about the frame's origin by 1/L; coordinates × 6."""
    M, _ = model.matrices
    found: np.ndarray = M[np.ix_(own, own)] @ model.mesh.rigid()[own]
    return found
