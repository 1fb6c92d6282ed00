"""Conversion of hexahedra of 20 nodes to hexahedra of 27 nodes: nodes in the middle of faces and cells are added.

    r(face)  = −¼ Σ r(4 corners) + ½ Σ r(4 edges)
    r(cell)  = −¼ Σ r(8 corners) + ¼ Σ r(12 edges)

The shape of the body does not change; its displacement field gains the terms that 20 nodes lack.

Derived here: the shape functions of the 20 nodes, evaluated at the middle of a face and of the cell.
"""

from __future__ import annotations

import numpy as np

FACES = (
    ((0, 4, 7, 3), (16, 15, 19, 11)),
    ((1, 2, 6, 5), (9, 18, 13, 17)),
    ((0, 1, 5, 4), (8, 17, 12, 16)),
    ((3, 2, 6, 7), (10, 18, 14, 19)),
    ((0, 1, 2, 3), (8, 9, 10, 11)),
    ((4, 5, 6, 7), (12, 13, 14, 15)),
)
"""Corner and mid-edge nodes of the faces of a cell, in the order in which VTK numbers the mid-face nodes."""


def with_middle_nodes(points: np.ndarray, cells: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Points and cells with mid-face and mid-cell nodes added; cells that share a face share its node."""
    keys, middles = [], []
    for corners, edges in FACES:
        keys.append(np.sort(cells[:, corners], axis=1))
        middles.append(points[cells[:, edges]].sum(axis=1) / 2 - points[cells[:, corners]].sum(axis=1) / 4)
    _, first, place = np.unique(np.concatenate(keys), axis=0, return_index=True, return_inverse=True)
    on_faces = len(points) + place.reshape(len(FACES), len(cells)).T
    inside = points[cells[:, 8:20]].sum(axis=1) / 4 - points[cells[:, :8]].sum(axis=1) / 4
    centres = len(points) + len(first) + np.arange(len(cells))[:, None]
    return (
        np.vstack([points, np.concatenate(middles)[first], inside]),
        np.hstack([cells, on_faces, centres]),
    )
