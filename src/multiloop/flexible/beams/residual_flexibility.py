"""Truncation error of the modes of a beam: the static response of the omitted modes to its loads.

    u_r = (K⁻¹ − Φ (ΦᵀKΦ)⁻¹ Φᵀ) f

u_r is the displacement that the modes Φ cannot represent, in the frame of the beam; K is the stiffness matrix. The
loads f are the forces of joints, springs and applied loads at the markers of the beam, and the inertia forces
−∫ Nᵀ x dm, with N the shape functions and x the acceleration of points of the beam minus gravity. Omitted modes follow
loads of frequency Ω quasi-statically as long as (Ω/ω)² is small, where ω is the frequency of the first omitted mode:
the next natural mode or, for a basis of constraint modes, the next fixed-interface mode.

Source: [craig_kurdila], mode-acceleration method and residual flexibility; the loads are those of `section_forces`.
Theory: docs/theory/10-flexible-bodies.md, eqs. (10.20), (10.21).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from multiloop.flexible.beams.centreline import BeamCentreline, ElasticMotion, gauss_points
from multiloop.flexible.beams.finite_element_matrices import beam_model
from multiloop.flexible.beams.finite_element_modes import (
    beam_in_frame,
    coordinates_of_direction,
    element_shapes,
    fixed_interface_beam,
)
from multiloop.flexible.beams.section_forces import Loading, point_accelerations, section_inertia_moments
from multiloop.flexible.component_modes import TooFewModesError, natural_modes
from multiloop.model.beams.beam import Beam

ANY_NAME = "link"
"""Name that replaces the names of beams in cache keys, so that beams that differ only in their names share results."""

LOAD_POINTS = 3
"""Number of Gauss points per element for distributed loads; sufficient because loads are smooth along an element."""

TIME_WINDOWS, WINDOW_LENGTH = 4, 256
"""Number of time windows from which the frequency of loads is estimated, and number of instants in each."""


def residual_motion(
    line: BeamCentreline, loading: Loading, motion: ElasticMotion
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Displacements and rotations of the nodes of a beam that its modes cannot represent.

    Returns the positions ξ (fractions of the beam length) of the nodes, and the displacements (m) and rotations (rad),
    each instants × nodes × 3.
    """
    model, shapes = beam_model(line.beam), _load_shapes(replace(line.beam, name=ANY_NAME))
    nodes = len(model.mesh.nodes)
    found = np.zeros((len(motion.eta), model.mesh.count))
    found[:, shapes.own] = nodal_loads(line, loading, motion) @ shapes.R
    moved = found[:, : 6 * nodes].reshape(-1, nodes, 6)
    return model.mesh.nodes, moved[..., :3], moved[..., 3:] / model.length


def load_frequency(line: BeamCentreline, loading: Loading, motion: ElasticMotion, time: np.ndarray) -> float:
    """Frequency Ω (rad/s) of the loads on the omitted modes, estimated from differences of loads over time.

        Ω² = Σ Δfᵀ R Δf / Δt  /  Σ f̄ᵀ R f̄ Δt

    R is the residual flexibility matrix, Δf the difference and f̄ the mean of the loads at two neighbouring instants.
    At most `TIME_WINDOWS` time windows are evaluated; frequencies above the sampling rate of the instants are not
    resolved. Derived here.
    """
    R, count = _load_shapes(replace(line.beam, name=ANY_NAME)).R, max(len(time) - WINDOW_LENGTH, 0)
    fast = slow = 0.0
    for begin in np.unique(np.linspace(0, count, TIME_WINDOWS if count else 1).astype(int)):
        some = slice(int(begin), int(begin) + WINDOW_LENGTH)
        part = ElasticMotion(motion.eta[some], motion.rate[some], motion.acceleration[some])
        f, dt = nodal_loads(line, loading.at(some), part), np.diff(time[some])
        apart, mean = np.diff(f, axis=0), (f[1:] + f[:-1]) / 2
        later = dt > 0  # at an impact, two instants (before and after it) have equal times
        fast += float(((apart @ R) * apart).sum(axis=1)[later] @ (1 / dt[later]))
        slow += float(((mean @ R) * mean).sum(axis=1)[later] @ dt[later])
    return float(np.sqrt(max(fast, 0.0) / slow)) if slow > 0 else 0.0


def first_omitted_frequency(beam: Beam) -> float:
    """Lowest frequency (rad/s) of the omitted modes in all directions of deformation; infinite if none is omitted."""
    return _first_omitted_frequency(replace(beam, name=ANY_NAME))


def _residual_flexibility(beam: Beam) -> np.ndarray:
    """Residual flexibility matrix K⁻¹ − Φ (ΦᵀKΦ)⁻¹ Φᵀ over all coordinates of the mesh, with stiffness matrix K and
    modes Φ.

    The flexibility in directions of deformation without modes is zero, because the model is rigid in them.
    """
    model, begin = beam_model(beam), 0
    found = np.zeros((model.mesh.count, model.mesh.count))
    for direction, count in beam.modes:
        own, link = coordinates_of_direction(model, direction), beam_in_frame(model, direction)
        shapes = element_shapes(beam)[own, begin : begin + count]
        whole = link.solve(np.eye(len(own)))
        modal = shapes @ np.linalg.solve(shapes.T @ (link.component.K @ shapes), shapes.T)
        found[np.ix_(own, own)] += whole - modal
        begin += count
    return (found + found.T) / 2


@lru_cache(maxsize=64)
def _first_omitted_frequency(beam: Beam) -> float:
    model, found = beam_model(beam), [np.inf]
    for direction, count in () if beam.is_nodal else beam.modes:
        link, static = fixed_interface_beam(model, direction)
        kept = count - static
        try:
            mode = natural_modes(link, kept + 1)[:, kept]
        except TooFewModesError:
            continue
        component = link.component
        found.append(float(np.sqrt((mode @ (component.K @ mode)) / (mode @ (component.M @ mode)))))
    return min(found)


def nodal_loads(line: BeamCentreline, loading: Loading, motion: ElasticMotion) -> np.ndarray:
    """Generalized loads f on the coordinates of the mesh that the modes use, instants × coordinates.

    They are the wrenches at markers and the inertia forces of the beam and of its point masses.
    """
    shapes = _load_shapes(replace(line.beam, name=ANY_NAME))
    L, found = line.length, np.zeros((len(motion.eta), len(shapes.own)))
    for name, wrench in loading.marker_wrenches.items():
        path = line.marker_path(motion, name)
        force = wrench[:, 3:].copy()
        if name in line.masses:
            force -= line.masses[name] * point_accelerations(loading, path)[:, 0]
        moment = wrench[:, :3] - np.cross(path[0][:, 0], wrench[:, 3:])
        shift, turn = shapes.markers[name]
        found += force @ shift + moment @ turn / L
    xi, weight = shapes.xi, shapes.weight
    lumped = (line.mass_along(xi) * weight * L)[:, None] * point_accelerations(loading, line.path(motion, xi))
    found -= _generalized_forces(lumped, shapes.along[:, :3])
    ways = [direction for direction, _ in line.beam.modes]
    if line.beam.shear or "twist" in ways or line.beam.through:
        spinning = weight[:, None] * section_inertia_moments(
            line, loading, motion, xi
        )  # the factor L of the integral cancels with that of rotations, which are multiplied by L
        found -= _generalized_forces(spinning, shapes.along[:, 3:])
    return found


@dataclass(frozen=True, eq=False)
class _LoadShapes:
    """Displacements of the points at which loads act, per unit of each coordinate of the mesh that the modes use.

    `own` are the indices of these coordinates, `R` is their residual flexibility matrix. `xi` and `weight` are the
    Gauss points and weights of all elements; `along` are displacement and rotation at the Gauss points, points × 6 ×
    coordinates. `markers` has the displacement and the rotation (times the beam length L) of each marker, each 3 ×
    coordinates.
    """

    own: np.ndarray
    R: np.ndarray
    xi: np.ndarray
    weight: np.ndarray
    along: np.ndarray
    markers: dict[str, tuple[np.ndarray, np.ndarray]]


@lru_cache(maxsize=64)
def _load_shapes(beam: Beam) -> _LoadShapes:
    model, R = beam_model(beam), _residual_flexibility(beam)
    own = np.unique(
        np.concatenate([coordinates_of_direction(model, direction) for direction, _ in beam.modes])
    )
    xi, weight = (x.ravel() for x in gauss_points(model.mesh.nodes, LOAD_POINTS))
    turns = {name: model.mesh.motion(np.array([place]))[0, 3:] for name, place in model.places.items()}
    markers = {name: (model.marker_motion(name)[:, own], turn[:, own]) for name, turn in turns.items()}
    return _LoadShapes(own, R[np.ix_(own, own)], xi, weight, model.mesh.motion(xi)[:, :, own], markers)


def _generalized_forces(forces: np.ndarray, shapes: np.ndarray) -> np.ndarray:
    """Generalized forces Σ Nᵀ f of forces f at several positions, instants × coordinates; N are the shape functions."""
    found: np.ndarray = forces.reshape(len(forces), -1) @ shapes.reshape(-1, shapes.shape[2])
    return found
