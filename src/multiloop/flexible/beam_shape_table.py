"""The shapes of a beam, way by way, with their frequencies and what they hold; of nodes too its natural modes."""

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
"""Ways within the plane x–y."""


def natural_frequencies(beam: Beam, planar: bool = False) -> np.ndarray:
    """Natural frequencies of the beam in its frame, by its shapes or by those in the plane, rad/s, lowest first."""
    M, K = _matrices(sound_beam(beam, planar))
    return np.asarray(np.sqrt(eigh(K, M, eigvals_only=True)))


def sound_beam(beam: Beam, planar: bool) -> Beam:
    """The beam, unless no mechanism would take it; with its ways in the plane alone if `planar`."""
    require_sound(beam)
    if not planar:
        return beam
    modes = tuple((way, count) for way, count in beam.counts if way in IN_PLANE)
    return replace(beam, modes=modes, basis=tuple((way, beam.basis_of(way)) for way, _ in modes))


def beam_shape_table(beam: Beam, planar: bool = False) -> ShapeTable:
    """Its natural modes, way by way, or those in the plane: its elastic coordinates, unless these are of nodes."""
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
    """After every natural mode of a way."""
    model = beam_model(beam)
    own, begin = own_coordinates(model, way), [one for one, _ in beam.ways].index(way)
    link = held_link(model, way)
    free = beam.frame == "free"
    forces = interface_rows(model, way).T.toarray() if free else _inertia_forces(model, own)
    shapes = with_diagonals(link.component, element_shapes(beam)[own, begin : begin + count])
    return held_parts(link, shapes, forces)


def _inertia_forces(model: BeamModel, own: list[int]) -> np.ndarray:
    """M a of rigid accelerations, along the axes and about the frame's origin by 1/L, coordinates × 6."""
    M, _ = model.matrices
    found: np.ndarray = M[np.ix_(own, own)] @ model.mesh.rigid()[own]
    return found
