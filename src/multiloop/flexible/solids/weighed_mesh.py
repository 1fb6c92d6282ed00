"""Mass properties of a solid from its mesh: volume, mass centre and inertia, exact also for curved elements."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np

from multiloop.flexible.solids.elements import SolidElements
from multiloop.flexible.solids.mesh import cached_by_size, solid_mesh
from multiloop.flexible.solids.mesh_faults import is_sound
from multiloop.flexible.solids.ties import interface
from multiloop.model import ModelError
from multiloop.model.markers import Marker
from multiloop.model.mesh import Mesh
from multiloop.model.solid import Solid

ROUND_OFF = 1e-13
"""Size of coordinates and moments, relative to that of the mesh, below which they are set to zero."""


@cached_by_size
def elements_of(mesh: Mesh, nu: float) -> SolidElements:
    """Mass and stiffness matrices of a mesh; cached."""
    return SolidElements(solid_mesh(mesh), nu)


def volume_integrals(elements: SolidElements) -> tuple[float, np.ndarray, np.ndarray]:
    """Volume V, centroid c = ∫ r₀ dV / V, and ∫ (|r|² − r rᵀ) dV about it, r = r₀ − c."""
    points, m = elements.mesh.points, elements.scalar_mass
    shares = np.asarray(m.sum(axis=1)).ravel()
    volume = float(shares.sum())
    middle = points.T @ shares / volume
    away = points - middle
    second = away.T @ (m @ away)
    inertia = _cleared(np.trace(second) * np.eye(3) - second, volume * elements.mesh.size**2)
    return volume, middle, inertia


def weighed_mesh(solid: Solid) -> dict[str, Any]:
    """Mass, mass centre, inertia and markers of a solid; markers of faces are at their centroids unless given.

    Empty for an invalid mesh, which the checks report.
    """
    if solid.mesh is None or not is_sound(solid.mesh):
        return {}
    elements = elements_of(solid.mesh, solid.nu)
    volume, middle, inertia = volume_integrals(elements)
    mesh, given = elements.mesh, dict(solid.markers)
    places = {}
    for marker, face in solid.interfaces:
        facets = mesh.facets_of(face) if marker not in given else np.zeros(0, int)
        if len(facets):
            with suppress(ModelError):  # the checks report it
                places[marker] = Marker(_point(interface(mesh, marker, facets, None).middle, mesh.size))
    return {
        "mass": solid.density * volume,
        "com": _point(middle, mesh.size),
        "inertia": tuple(tuple(solid.density * entry for entry in row) for row in inertia.tolist()),
        "markers": tuple({**places, **given}.items()),
    }


def _point(place: np.ndarray, size: float) -> tuple[float, ...]:
    """A point to 13 digits without trailing zeros: a point of a planar body has two coordinates."""
    found = [float(f"{c:.13g}") for c in _cleared(place, size)]
    while len(found) > 1 and found[-1] == 0.0:
        found.pop()
    return tuple(found)


def _cleared(values: np.ndarray, size: float) -> np.ndarray:
    """Values with entries at the level of round-off set to exactly zero."""
    return np.where(np.abs(values) > ROUND_OFF * size, values, 0.0)
