"""Truncation error of the modes of a beam: the static response of the modes that were left out to its loads.

    u_r = (K⁻¹ − Φ (ΦᵀKΦ)⁻¹ Φᵀ) f      in the frame of the beam, Φ its modes

The loads f are what joints, springs and forces exert at its markers, and the inertia forces −∫ Nᵀ x dm with x the
acceleration of its points less gravity. Modes that are left out follow loads of frequency Ω quasi-statically as long as
(Ω/ω)² is small, ω being the frequency of the first of them: of natural modes the next one, of constraint modes the next
fixed-interface mode.

Source: [craig], mode-acceleration method and residual flexibility; loads are those of `section_forces`.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from multiloop.flexible.component_modes import TooFewModesError, natural_modes
from multiloop.flexible.elements.model import beam_model
from multiloop.flexible.elements.shapes import element_shapes, fixed_link, held_link, own_coordinates
from multiloop.flexible.lines import ElasticMotion, Line, gauss_points
from multiloop.flexible.section_forces import Loading, acceleration_of, section_moments
from multiloop.model.beam import Beam


def residual_motion(
    line: Line, held: Loading, motion: ElasticMotion
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """ξ of nodes, and their displacements (m) and rotations (rad) that the modes leave out, instants × nodes × 3."""
    model = beam_model(line.beam)
    nodes = len(model.mesh.nodes)
    found = nodal_loads(line, held, motion) @ residual_flexibility(line.beam)
    moved = found[:, : 6 * nodes].reshape(-1, nodes, 6)
    return model.mesh.nodes, moved[..., :3], moved[..., 3:] / model.length


@lru_cache(maxsize=64)
def residual_flexibility(beam: Beam) -> np.ndarray:
    """K⁻¹ − Φ (ΦᵀKΦ)⁻¹ Φᵀ of all coordinates of the mesh, way by way; ways without modes are rigid."""
    model, begin = beam_model(beam), 0
    found = np.zeros((model.mesh.count, model.mesh.count))
    for way, count in beam.modes:
        own, link = own_coordinates(model, way), held_link(model, way)
        shapes = element_shapes(beam)[own, begin : begin + count]
        whole = link.solve(np.eye(len(own)))
        modal = shapes @ np.linalg.solve(shapes.T @ (link.component.K @ shapes), shapes.T)
        found[np.ix_(own, own)] += whole - modal
        begin += count
    return (found + found.T) / 2


@lru_cache(maxsize=64)
def first_omitted_frequency(beam: Beam) -> float:
    """The lowest frequency of the modes that are left out of any way (rad/s); infinite where none is left out."""
    model, found = beam_model(beam), [np.inf]
    for way, count in () if beam.nodal else beam.modes:
        link, static = fixed_link(model, way)
        kept = count - static
        try:
            mode = natural_modes(link, kept + 1)[:, kept]
        except TooFewModesError:
            continue
        component = link.component
        found.append(float(np.sqrt((mode @ (component.K @ mode)) / (mode @ (component.M @ mode)))))
    return min(found)


def nodal_loads(line: Line, held: Loading, motion: ElasticMotion) -> np.ndarray:
    """f along the coordinates of the mesh, instants × coordinates: those of markers, point masses and inertia."""
    model = beam_model(line.beam)
    L, found = model.length, np.zeros((len(motion.eta), model.mesh.count))
    for name, wrench in held.acting.items():
        path = line.marker_path(motion, name)
        force = wrench[:, 3:].copy()
        if name in line.masses:
            force -= line.masses[name] * acceleration_of(held, path)[:, 0]
        moment = wrench[:, :3] - np.cross(path[0][:, 0], wrench[:, 3:])
        at = model.mesh.motion(np.array([model.places[name]]))[0]
        found += force @ model.marker_motion(name) + moment @ at[3:] / L
    xi, weight = (x.ravel() for x in gauss_points(model.mesh.nodes, line.quadrature))
    shapes = model.mesh.motion(xi)
    lumped = (line.mass_along(xi) * weight * L)[:, None] * acceleration_of(held, line.path(motion, xi))
    found -= np.einsum("tnk,nkc->tc", lumped, shapes[:, :3], optimize=True)
    spinning = weight[:, None] * section_moments(line, held, motion, xi)  # a metre's, times L, over L
    found -= np.einsum("tnk,nkc->tc", spinning, shapes[:, 3:], optimize=True)
    return found
