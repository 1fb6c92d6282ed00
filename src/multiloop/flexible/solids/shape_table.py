"""Modes of a solid with their frequencies and the part of its strain energy under inertia forces that they capture.

Rigid-body accelerations are taken along the axes, and about them through the marker of its frame, divided by its size.
A free solid is loaded by forces at its faces, and moments of its size times as much, relieved by the inertia forces of
the acceleration that they cause: f − M R (Rᵀ M R)⁻¹ Rᵀ f.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from multiloop.flexible.shape_table import ShapeTable, held_parts
from multiloop.flexible.solids.modes import SolidModes, shapes_or_fault
from multiloop.flexible.solids.planar_shapes import STAYING
from multiloop.model import ModelError
from multiloop.model.geometry import at_values
from multiloop.model.solid import Solid


def shape_frequencies(solid: Solid, planar: bool = False) -> np.ndarray:
    """Frequency ω = √(k/m) of each mode of the solid fixed in its own frame (rad/s), at described parameter values."""
    found = _sound_shapes(solid, planar)
    m, nodes = found.elements.scalar_mass, found.nodes
    masses = sum((nodes[:, k] * (m @ nodes[:, k])).sum(axis=0) for k in range(3))
    omega: np.ndarray = np.sqrt(at_values(solid.E) * found.stiffness / (at_values(solid.density) * masses))
    return omega


def solid_shape_table(solid: Solid, planar: bool = False) -> ShapeTable:
    """Table of all modes of a solid, lowest stiffness first; of its in-plane modes if `planar`."""
    found = _sound_shapes(solid, planar)
    ways = tuple(("plane" if planar else "space", k) for k in range(solid.modes))
    held = held_parts(found.held, found.unknowns, _loads(found))
    return ShapeTable(solid.name, solid.clamped_to, solid.basis, ways, shape_frequencies(solid, planar), held)


def _sound_shapes(solid: Solid, planar: bool) -> SolidModes:
    """Modes of a solid; raises a ModelError if its description is invalid."""
    faults = list(solid.further_faults(planar))
    if faults:
        raise ModelError(f"body '{solid.name}'", faults)
    return shapes_or_fault(solid, planar)


def _loads(found: SolidModes) -> np.ndarray:
    """Inertia forces or, for a free solid, forces at all faces; unknowns × load cases."""
    ties, M = found.ties, found.held.component.M
    ways = list(STAYING if found.asked.planar else range(6))
    size = found.elements.mesh.size
    R = ties.motions_about(found.frame_marker, size)[:, ways]
    if found.asked.basis != "free":
        inertia: np.ndarray = M @ R
        return inertia
    arms = sp.diags([size] * 3 + [1.0] * 3).tocsr()[ways]
    ends = sp.vstack([arms @ ties.reads(one.marker) for one in ties.interfaces]).tocsr().T.toarray()
    relieved: np.ndarray = ends - M @ (R @ np.linalg.solve(R.T @ (M @ R), R.T @ ends))
    return relieved
