"""Description of a solid in words: its mesh, modes, frequencies and truncation error."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from multiloop.flexible.explained_shapes import basis_in_words, frame_in_words, number_doubts
from multiloop.flexible.solids.modes import SolidModes, shapes_or_fault
from multiloop.flexible.solids.shape_table import solid_shape_table
from multiloop.model.beam_line import SAME_PLACE
from multiloop.model.names import counted
from multiloop.model.numbers_in_words import percent
from multiloop.model.solid import Solid

CELLS = {"hexahedron27": "hexahedra", "tetra10": "tetrahedra"}


def explained_solid(solid: Solid, planar: bool = False, seats: Sequence[str] = ()) -> str:
    """Describe mesh, modes, frame, ties and stiffening; warn of implausible values and joints without a tied face."""
    found = shapes_or_fault(solid, planar)
    mesh = found.elements.mesh
    shapes = f"{basis_in_words(solid.basis)} {frame_in_words(solid.clamped_to)}"
    table = solid_shape_table(solid, planar)
    omega, missed = table.frequencies, percent(1 - float(table.held[-1]))
    does = "what forces at its faces bend" if solid.basis == "free" else "what its own inertia bends"
    second = "without shapes of second order: axial forces do not stiffen it"
    if found.few is not None:
        count = counted(len(found.few.forms), "shape")
        second = f"{count} of second order, by which axial forces stiffen and buckle it"
    said = (
        f"a solid of {len(mesh.nodes)} {CELLS[mesh.kind]}, {len(mesh.points)} nodes; {shapes}, "
        f"{omega[0]:.4g} to {omega[-1]:.4g} rad/s, which miss {missed} of {does} (of what else bends it, more shapes "
        f"tell); {solid.tie} faces; {second}."
    )
    return " ".join([said, *number_doubts(float(omega[0]), solid.damping), *_seat_doubts(found, seats)])


def _seat_doubts(found: SolidModes, seats: Sequence[str]) -> Iterator[str]:
    """Warn of joints at markers that are not tied to a face."""
    tied, near = [one.point for one in found.ties.interfaces], SAME_PLACE * found.elements.mesh.size
    loose = [
        f"'{name}'"
        for name, point in found.asked.others
        if name in seats and np.linalg.norm(np.subtract(tied, point), axis=1).min() > near
    ]
    if loose:
        yield (
            f"Joints hold it at {', '.join(loose)} and no face is tied there: it gives way to them less than it "
            "should, unless it has many shapes. Name faces for them among its interfaces."
        )
