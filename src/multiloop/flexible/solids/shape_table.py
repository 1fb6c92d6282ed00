"""The shapes of a solid with their frequencies, and what they hold of what its own inertia bends.

Accelerations are along the axes, and about them through the marker of its frame by 1/size. A free link is bent by
forces at its faces, and moments of size times as much, with the accelerations that they give it:
f − M R (Rᵀ M R)⁻¹ Rᵀ f.
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
    """ω = √(k/m) of each shape while the link is held in its own frame (rad/s), parameters at their own values."""
    found = _sound_shapes(solid, planar)
    m, nodes = found.elements.scalar_mass, found.nodes
    masses = sum((nodes[:, k] * (m @ nodes[:, k])).sum(axis=0) for k in range(3))
    omega: np.ndarray = np.sqrt(at_values(solid.E) * found.stiffness / (at_values(solid.density) * masses))
    return omega


def solid_shape_table(solid: Solid, planar: bool = False) -> ShapeTable:
    """All of its shapes, softest first; those of a planar mechanism if `planar`."""
    found = _sound_shapes(solid, planar)
    ways = tuple(("plane" if planar else "space", k) for k in range(solid.modes))
    held = held_parts(found.held, found.unknowns, _loads(found))
    return ShapeTable(solid.name, solid.clamped_to, solid.basis, ways, shape_frequencies(solid, planar), held)


def _sound_shapes(solid: Solid, planar: bool) -> SolidModes:
    """Its shapes, unless it is a solid that no mechanism would take."""
    faults = list(solid.further_faults(planar))
    if faults:
        raise ModelError(f"body '{solid.name}'", faults)
    return shapes_or_fault(solid, planar)


def _loads(found: SolidModes) -> np.ndarray:
    """Forces of inertia, or those at all faces of a free link, unknowns × loads."""
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
