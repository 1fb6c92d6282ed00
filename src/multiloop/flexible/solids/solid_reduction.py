"""Mass properties, mass integrals, stiffness and damping of a meshed solid.

Theory: docs/theory/10-flexible-bodies.md, eq. (10.5).
"""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache
from typing import Any

import casadi as ca
import numpy as np

from multiloop.flexible.component_modes import modal_damping
from multiloop.flexible.solids.solid_definition import is_valid_mesh
from multiloop.flexible.solids.solid_elements import SolidElements, mesh_elements
from multiloop.flexible.solids.solid_modes import SolidModes, require_solid_modes
from multiloop.flexible.solids.ties import interface
from multiloop.model import Marker, ModelError, Modes, ReducedBody, Resolve, marker_pose, rigid_body
from multiloop.model.solids.solid import Solid
from multiloop.spatial import Matrix

ROUND_OFF = 1e-12
"""Entries of an array smaller than this, relative to its largest entry, are set to zero."""


def reduce_solid(
    solid: Solid, handle: str, resolve: Resolve, planar: bool, share: float = 1.0
) -> ReducedBody:
    """Mass properties and modes of a solid in the frame of its marker `handle`.

    `resolve` replaces parameters by numbers or symbols; `share` is the fraction of mass and inertia that is included.
    """
    rigid = rigid_body(solid, handle, resolve, planar, share)
    frame = marker_pose(solid.marker(handle), resolve, planar)
    modes = _modes(solid, resolve, planar).seen_from(frame)
    return ReducedBody(rigid.mass, rigid.com, rigid.inertia, rigid.markers, modes)


def _modes(solid: Solid, resolve: Resolve, planar: bool) -> Modes:
    """Modes of a solid in its own frame; Young's modulus and density may be symbols."""
    found = require_solid_modes(solid, planar)
    momentum, moments, products = _integrals(found)
    E, density, e = resolve(solid.E), resolve(solid.density), solid.modes
    stiffness = E * ca.diag(ca.DM(found.stiffness))
    mass = density * _sparse(M := np.einsum("ijkk->ij", products[:e, :e]), np.abs(M).max())
    return Modes(
        {name: _sparse(shape, np.abs(shape).max()) for name, shape in found.marker_shapes.items()},
        density * _sparse(momentum, np.abs(momentum).max()),
        tuple(density * _sparse(S, np.abs(moments).max()) for S in moments),
        tuple(tuple(density * _sparse(S, np.abs(products).max()) for S in row) for row in products),
        stiffness,
        modal_damping(solid.damping, resolve, mass, stiffness),
        ()
        if found.reduced_second_order is None
        else tuple(_sparse(G, np.abs(G).max()) for G in found.reduced_second_order.forms),
    )


@lru_cache(maxsize=32)
def _integrals(found: SolidModes) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Volume integrals of the s displacement fields Ψ of a solid (modes, then second-order fields).

    Returns ∫ Ψ dV (3 × s), ∫ r₀ Ψᵀ dV (s × 3 × 3) and ∫ Ψ Ψᵀ dV (s × s × 3 × 3), with the undeformed positions r₀.
    """
    m, points, shapes = found.elements.scalar_mass, found.elements.mesh.points, found.shapes
    n, _, s = shapes.shape
    weighed = (m @ shapes.reshape(n, -1)).reshape(n, 3, s)
    return (
        weighed.sum(axis=0),
        np.einsum("nx,nys->sxy", points, weighed),
        np.einsum("nxs,nyt->stxy", shapes, weighed, optimize=True),
    )


def _sparse(values: Any, largest: float) -> Matrix:
    """Sparse matrix of the values, with entries at round-off level relative to `largest` set to zero."""
    return ca.sparsify(ca.DM(np.where(np.abs(values) > ROUND_OFF * largest, values, 0.0)))


MASS_ROUND_OFF = 1e-13
"""Coordinates smaller than this, relative to the size of the mesh, are set to zero; so are inertia integrals smaller
than this, relative to volume times size squared."""


def volume_integrals(elements: SolidElements) -> tuple[float, np.ndarray, np.ndarray]:
    """Volume V, centroid c = ∫ r₀ dV / V, and inertia integral ∫ (|r|² 1 − r rᵀ) dV about the centroid.

    r = r₀ − c is the position relative to the centroid, and 1 the unit matrix.
    """
    points, m = elements.mesh.points, elements.scalar_mass
    shares = np.asarray(m.sum(axis=1)).ravel()
    volume = float(shares.sum())
    middle = points.T @ shares / volume
    away = points - middle
    second = away.T @ (m @ away)
    inertia = _without_round_off(np.trace(second) * np.eye(3) - second, volume * elements.mesh.size**2)
    return volume, middle, inertia


def solid_mass_properties(solid: Solid) -> dict[str, Any]:
    """Mass, mass centre, inertia matrix and markers of a solid, by the names of the fields of the description.

    A marker tied to a face is at the centroid of this face unless the user gave its position. The result is empty for
    an invalid mesh, which the checks report.
    """
    if solid.mesh is None or not is_valid_mesh(solid.mesh):
        return {}
    elements = mesh_elements(solid.mesh, solid.nu)
    volume, middle, inertia = volume_integrals(elements)
    mesh, given = elements.mesh, dict(solid.markers)
    places = {}
    for marker, face in solid.interfaces:
        facets = mesh.facets_of(face) if marker not in given else np.zeros(0, int)
        if len(facets):
            with suppress(ModelError):  # the checks of the mesh report this error
                places[marker] = Marker(_point(interface(mesh, marker, facets, None).middle, mesh.size))
    return {
        "mass": solid.density * volume,
        "com": _point(middle, mesh.size),
        "inertia": tuple(tuple(solid.density * entry for entry in row) for row in inertia.tolist()),
        "markers": tuple({**places, **given}.items()),
    }


def _point(place: np.ndarray, size: float) -> tuple[float, ...]:
    """Coordinates of a point to 13 digits; zeros at the end are dropped, so that planar points have two coordinates."""
    found = [float(f"{c:.13g}") for c in _without_round_off(place, size)]
    while len(found) > 1 and found[-1] == 0.0:
        found.pop()
    return tuple(found)


def _without_round_off(values: np.ndarray, size: float) -> np.ndarray:
    """Values with entries at round-off level relative to `size` set to exactly zero."""
    return np.where(np.abs(values) > MASS_ROUND_OFF * size, values, 0.0)
