"""What a mesh weighs: volume, middle and moments of inertia, exact for elements with curved edges, too."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from multiloop.flexible.solid_elements import SolidElements
from multiloop.flexible.solid_mesh import solid_mesh
from multiloop.flexible.ties import interface
from multiloop.model.markers import Marker
from multiloop.model.mesh import Mesh
from multiloop.model.solid import Solid

ROUND_OFF = 1e-13
"""Coordinates and moments below this part of the size of the mesh are zero."""


@lru_cache(maxsize=16)
def elements_of(mesh: Mesh, nu: float) -> SolidElements:
    """Mass and stiffness of a mesh, once."""
    return SolidElements(solid_mesh(mesh), nu)


def volume_integrals(elements: SolidElements) -> tuple[float, np.ndarray, np.ndarray]:
    """V, the middle c = ∫ r₀ dV / V, and ∫ (|r|² − r rᵀ) dV about it, r = r₀ − c."""
    points, m = elements.mesh.points, elements.scalar_mass
    shares = np.asarray(m.sum(axis=1)).ravel()
    volume = float(shares.sum())
    middle = _cleared(points.T @ shares / volume, elements.mesh.size)
    away = points - middle
    second = away.T @ (m @ away)
    inertia = _cleared(np.trace(second) * np.eye(3) - second, volume * elements.mesh.size**2)
    return volume, middle, inertia


def weighed_mesh(solid: Solid) -> dict[str, Any]:
    """Mass, mass centre, inertia and markers of a solid; markers of faces sit in their middles unless they are given."""
    assert solid.mesh is not None
    elements = elements_of(solid.mesh, solid.nu)
    volume, middle, inertia = volume_integrals(elements)
    mesh, given = elements.mesh, dict(solid.markers)
    places = {}
    for marker, face in solid.interfaces:
        facets = mesh.facets_of(face) if marker not in given else ()
        if len(facets):
            at = _cleared(interface(mesh, marker, facets, None).middle, mesh.size)
            places[marker] = Marker(tuple(at.tolist()))
    return {
        "mass": solid.density * volume,
        "com": tuple(middle.tolist()),
        "inertia": tuple(tuple(solid.density * entry for entry in row) for row in inertia.tolist()),
        "markers": tuple({**places, **given}.items()),
    }


def _cleared(values: np.ndarray, size: float) -> np.ndarray:
    """Exactly zero where it is round-off."""
    return np.where(np.abs(values) > ROUND_OFF * size, values, 0.0)
