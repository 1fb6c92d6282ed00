"""Which shapes of a solid stay in the plane of its mechanism?"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from scipy.spatial import cKDTree

from multiloop.flexible.solids.elements import SolidElements

LEAVING = (0, 1, 5)
"""Rows of a marker that leave the plane: turns about x and y, and a shift along z."""

STAYING = (2, 3, 4)
"""Rows of a marker that stay in it."""


def in_plane(elements: SolidElements, expansion: sp.csr_matrix, found: np.ndarray) -> np.ndarray:
    """Combinations of shapes of unit mass with more than half of it in motions of the plane.

    These go along x and y, alike on both sides of the plane z = const through the mass centre: bending across the plane
    and twisting go opposite ways there. Every node is compared with the one next to its mirror image.
    """
    mesh, m = elements.mesh, elements.scalar_mass
    middle = float((m @ mesh.points[:, 2]).sum() / m.sum())
    _, partner = cKDTree(mesh.points).query(mesh.points * [1, 1, -1] + [0, 0, 2 * middle])
    nodes = (expansion @ found).reshape(len(mesh.points), 3, -1)
    even = (nodes[:, :2] + nodes[partner, :2]) / 2
    shares, turned = np.linalg.eigh(sum(even[:, k].T @ (m @ even[:, k]) for k in range(2)))
    kept: np.ndarray = found @ turned[:, shares > 0.5]
    return kept
