"""Selection of the modes of a solid that stay in the plane of its mechanism."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from scipy.spatial import cKDTree

from multiloop.flexible.solids.elements import SolidElements

LEAVING = (0, 1, 5)
"""Out-of-plane components of the motion of a marker: rotations about x and y, and displacement along z."""

STAYING = (2, 3, 4)
"""In-plane components of the motion of a marker: rotation about z, and displacements along x and y."""


def in_plane(elements: SolidElements, expansion: sp.csr_matrix, found: np.ndarray) -> np.ndarray:
    """Combinations of modes of unit mass with more than half of their modal mass in in-plane motion.

    In-plane motion is along x and y and symmetric about the plane z = const through the mass centre; out-of-plane
    bending and torsion are antisymmetric. Each node is compared with the node nearest to its mirror image.
    """
    mesh, m = elements.mesh, elements.scalar_mass
    middle = float((m @ mesh.points[:, 2]).sum() / m.sum())
    _, partner = cKDTree(mesh.points).query(mesh.points * [1, 1, -1] + [0, 0, 2 * middle])
    nodes = (expansion @ found).reshape(len(mesh.points), 3, -1)
    even = (nodes[:, :2] + nodes[partner, :2]) / 2
    shares, turned = np.linalg.eigh(sum(even[:, k].T @ (m @ even[:, k]) for k in range(2)))
    kept: np.ndarray = found @ turned[:, shares > 0.5]
    return kept
