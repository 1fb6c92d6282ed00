"""Reduction of beams to modes, in closed form (uniform beams) or by finite elements, and the table of their modes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import casadi as ca
import numpy as np
from scipy.linalg import eigh

from multiloop.flexible.beams.centreline import BeamCentreline
from multiloop.flexible.beams.finite_element_matrices import BeamModel, beam_model
from multiloop.flexible.beams.finite_element_modes import (
    beam_in_frame,
    coordinates_of_direction,
    element_shapes,
    interface_rows,
)
from multiloop.flexible.beams.uniform_centreline import uniform_centreline
from multiloop.flexible.beams.uniform_reduction import reduce_uniform_beam
from multiloop.flexible.component_modes import diagonalise
from multiloop.flexible.mode_table import ModeTable, basis_text, captured_energy, frame_text, value_warnings
from multiloop.model import ReducedBody, Resolve, nominal_value, percent_text
from multiloop.model.beams.beam import AUTO, NATURAL, Beam
from multiloop.model.beams.beam_faults import require_valid_beam


def reduce_beam(beam: Beam, handle: str, resolve: Resolve, planar: bool, share: float = 1.0) -> ReducedBody:
    """Mass properties and modes of a beam in the frame of its marker `handle`.

    `resolve` replaces parameters by numbers or symbols; `share` is the fraction of mass and inertia that is included.
    """
    beam = with_default_basis(beam)
    if beam.uniform:
        return reduce_uniform_beam(beam, handle, resolve, planar, share)
    from multiloop.flexible.beams.finite_element_reduction import reduce_element_beam

    return reduce_element_beam(beam, handle, resolve, planar, share)


def beam_centreline(beam: Beam) -> BeamCentreline:
    """Centreline of a beam whose parameters have the values given in its description."""
    beam = with_default_basis(beam)
    if beam.uniform:
        return uniform_centreline(beam)
    from multiloop.flexible.beams.finite_element_reduction import element_centreline

    return element_centreline(beam)


def with_default_basis(beam: Beam) -> Beam:
    """Copy of the beam, with the chord frame and natural modes where its frame and its basis are automatic.

    In a mechanism, automatic settings are chosen according to the joints of the beam instead.
    """
    frame = "chord" if beam.frame == AUTO else beam.frame
    basis = NATURAL if beam.basis == AUTO else beam.basis
    chosen = (frame, basis, beam.counts)
    if chosen == (beam.frame, beam.basis, beam.modes):
        return beam
    return replace(beam, frame=frame, basis=basis, modes=beam.counts)


PLANAR_DIRECTIONS = ("y", "x")
"""Directions of deformation within the x–y plane."""


def natural_frequencies(beam: Beam, planar: bool = False) -> np.ndarray:
    """Natural frequencies (rad/s) of the beam fixed in its own frame, lowest first; only in-plane modes if `planar`."""
    M, K = _modal_matrices(validated_beam(beam, planar))
    return np.asarray(np.sqrt(eigh(K, M, eigvals_only=True)))


def validated_beam(beam: Beam, planar: bool) -> Beam:
    """Return the beam, with only its in-plane modes if `planar`; raise an error if its description is invalid."""
    require_valid_beam(beam)
    if not planar:
        return beam
    modes = tuple((direction, count) for direction, count in beam.counts if direction in PLANAR_DIRECTIONS)
    return replace(
        beam, modes=modes, basis=tuple((direction, beam.basis_of(direction)) for direction, _ in modes)
    )


def beam_mode_table(beam: Beam, planar: bool = False) -> ModeTable:
    """Table of the natural modes of a beam in each direction of deformation; only in-plane modes if `planar`.

    The amplitudes of these modes are the elastic coordinates of the beam, unless its basis is "nodal".
    """
    beam = with_default_basis(validated_beam(beam, planar))
    M, K = _modal_matrices(beam)
    ways, squares = np.array([direction for direction, _ in beam.ways]), list[float]()
    for direction, _ in beam.modes:
        own = np.ix_(ways == direction, ways == direction)
        squares += eigh(K[own], M[own], eigvals_only=True).tolist()
    held = np.concatenate([_captured_energy(beam, direction, count) for direction, count in beam.modes])
    basis = ", ".join(dict.fromkeys(beam.basis_of(direction) for direction, _ in beam.modes))
    return ModeTable(beam.name, beam.frame, basis, beam.ways, np.sqrt(squares), held)


def _modal_matrices(beam: Beam) -> tuple[np.ndarray, np.ndarray]:
    """Mass matrix and stiffness matrix of a beam over its elastic coordinates."""
    modes = beam.reduced("origin", nominal_value, False).modes
    assert modes is not None
    e = modes.count
    return np.array(ca.DM(modes.mass).full())[:e, :e], np.array(ca.DM(modes.stiffness).full())


def _captured_energy(beam: Beam, direction: str, count: int) -> np.ndarray:
    """Fraction of the strain energy captured by the first, the first two, … `count` natural modes of one direction.

    The loads are inertia forces or, for a free beam, forces and moments at its interfaces.
    """
    model = beam_model(beam)
    own, begin = coordinates_of_direction(model, direction), [one for one, _ in beam.ways].index(direction)
    link = beam_in_frame(model, direction)
    free = beam.frame == "free"
    forces = interface_rows(model, direction).T.toarray() if free else _inertia_forces(model, own)
    shapes = diagonalise(link.component, element_shapes(beam)[own, begin : begin + count])
    return captured_energy(link, shapes, forces)


def _inertia_forces(model: BeamModel, own: list[int]) -> np.ndarray:
    """Inertia forces M a of six rigid-body accelerations a, with the mass matrix M, coordinates × 6.

    The accelerations are translations along the axes of the frame, and rotations about its origin divided by the length
    L of the beam. `own` are the indices of the mesh coordinates that are included.
    """
    M, _ = model.matrices
    found: np.ndarray = M[np.ix_(own, own)] @ model.mesh.rigid_motions()[own]
    return found


LEAST_SLENDERNESS = 5
"""Smallest ratio of length to section height of a beam for which shear deformation is negligible."""


def describe_beam(beam: Beam, planar: bool = False, seats: Sequence[str] = ()) -> str:
    """Text on the modes, frame, frequencies and truncation error of a beam, with warnings of implausible values.

    `seats` is not used; it is an argument because the function for solids needs it.
    """
    table = beam_mode_table(beam)
    last = {direction: held for (direction, _), held in zip(table.ways, table.held, strict=True)}
    missed = ", ".join(f"{percent_text(1 - part)} along {direction}" for direction, part in last.items())
    does = "forces at its ends" if beam.frame == "free" else "its inertia forces"
    misses = f"truncation error {missed} under {does} (results report the error for other loads)"
    stiffens = "with geometric stiffness" if beam.stiffening else "without geometric stiffness"
    low, high = table.frequencies.min(), table.frequencies.max()
    shapes = f"{_bases_text(beam)} {frame_text(table.frame)}, {low:.4g} to {high:.4g} rad/s"
    said = f"{shapes}, {misses}; {stiffens}."
    return " ".join([said, *value_warnings(low, beam.damping), *_slenderness_warnings(beam)])


def _bases_text(beam: Beam) -> str:
    """Text on the types of modes of a beam, listed for each direction of deformation if they differ."""
    ways: dict[str, list[str]] = {}
    for direction, _ in beam.counts:
        ways.setdefault(beam.basis_of(direction), []).append(direction)
    if len(ways) == 1:
        return basis_text(*ways)
    return ", ".join(f"along {' and '.join(own)} {basis_text(basis)}" for basis, own in ways.items())


def _slenderness_warnings(beam: Beam) -> Iterator[str]:
    """Warn of a beam that is very thick for its length, which suggests that height or length is not in metres."""
    height, length = 2 * nominal_value(beam.section.y), nominal_value(beam.length)
    if LEAST_SLENDERNESS * height > length and not beam.shear:
        yield (
            f"The beam is {height:.4g} m high and {length:.4g} m long: check that both are in metres, or set "
            "shear=True."
        )
