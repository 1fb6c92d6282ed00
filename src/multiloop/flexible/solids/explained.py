"""A solid in words and numbers before it moves: how many nodes, which shapes, how fast they swing."""

from __future__ import annotations

import numpy as np

from multiloop.flexible.solids.modes import shapes_or_fault
from multiloop.model.geometry import at_values
from multiloop.model.names import counted
from multiloop.model.solid import CHORD, Solid

CELLS = {"hexahedron27": "hexahedra", "tetra10": "tetrahedra"}
BASES = {
    "interface": "static shapes of its interfaces and natural modes between them",
    "natural": "natural modes",
    "free": "natural modes of the free link",
}


def shape_frequencies(solid: Solid, planar: bool = False) -> np.ndarray:
    """ω = √(k/m) of each shape while the link is held in its own frame (rad/s), parameters at their own values."""
    found = shapes_or_fault(solid, planar)
    m, nodes = found.elements.scalar_mass, found.nodes
    masses = sum((nodes[:, k] * (m @ nodes[:, k])).sum(axis=0) for k in range(3))
    omega: np.ndarray = np.sqrt(at_values(solid.E) * found.stiffness / (at_values(solid.density) * masses))
    return omega


def explained_solid(solid: Solid, planar: bool = False) -> str:
    """Mesh, shapes, frame, faces and what stiffens it, in one sentence."""
    found = shapes_or_fault(solid, planar)
    mesh, frame = found.elements.mesh, solid.clamped_to
    held = (
        "in a frame through its first two interfaces"
        if frame == CHORD
        else f"in a frame clamped to '{frame}'"
    )
    omega = shape_frequencies(solid, planar)
    second = "without shapes of second order: axial forces do not stiffen it"
    if found.few is not None:
        count = counted(len(found.few.forms), "shape")
        second = f"{count} of second order, by which axial forces stiffen and buckle it"
    return (
        f"a solid of {len(mesh.nodes)} {CELLS[mesh.kind]}, {len(mesh.points)} nodes; {BASES[solid.basis]} {held}, "
        f"{omega[0]:.4g} to {omega[-1]:.4g} rad/s; {solid.tie} faces; {second}."
    )
