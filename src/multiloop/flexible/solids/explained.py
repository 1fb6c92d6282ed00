"""A solid in words and numbers before it moves: how many nodes, which shapes, how fast they swing."""

from __future__ import annotations

import numpy as np

from multiloop.flexible.explained_shapes import basis_in_words, frame_in_words, number_doubts
from multiloop.flexible.solids.modes import shapes_or_fault
from multiloop.model.geometry import at_values
from multiloop.model.names import counted
from multiloop.model.solid import Solid

CELLS = {"hexahedron27": "hexahedra", "tetra10": "tetrahedra"}


def shape_frequencies(solid: Solid, planar: bool = False) -> np.ndarray:
    """ω = √(k/m) of each shape while the link is held in its own frame (rad/s), parameters at their own values."""
    found = shapes_or_fault(solid, planar)
    m, nodes = found.elements.scalar_mass, found.nodes
    masses = sum((nodes[:, k] * (m @ nodes[:, k])).sum(axis=0) for k in range(3))
    omega: np.ndarray = np.sqrt(at_values(solid.E) * found.stiffness / (at_values(solid.density) * masses))
    return omega


def explained_solid(solid: Solid, planar: bool = False) -> str:
    """Mesh, shapes, frame, faces and what stiffens it, in one sentence, and numbers that are doubtful."""
    found = shapes_or_fault(solid, planar)
    mesh = found.elements.mesh
    shapes = f"{basis_in_words(solid.basis)} {frame_in_words(solid.clamped_to)}"
    omega = shape_frequencies(solid, planar)
    second = "without shapes of second order: axial forces do not stiffen it"
    if found.few is not None:
        count = counted(len(found.few.forms), "shape")
        second = f"{count} of second order, by which axial forces stiffen and buckle it"
    said = (
        f"a solid of {len(mesh.nodes)} {CELLS[mesh.kind]}, {len(mesh.points)} nodes; {shapes}, "
        f"{omega[0]:.4g} to {omega[-1]:.4g} rad/s; {solid.tie} faces; {second}."
    )
    return " ".join([said, *number_doubts(float(omega[0]), solid.damping)])
