"""Modes of a solid: frequencies, captured strain energy under inertia forces, and a text for reports.

The inertia forces are those of six rigid-body accelerations of the solid: 1 m/s² along each axis, and, about each axis
through the marker of the solid's frame, an angular acceleration of 1 m/s² divided by the size of the mesh (the diagonal
of its bounding box). A free solid is loaded instead by unit forces at its tied faces, and by moments of 1 N times the
size of the mesh, together with the inertia forces of the acceleration that these loads f cause (inertia relief): f − M
R (Rᵀ M R)⁻¹ Rᵀ f, with the mass matrix M and the rigid-body motions R.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import scipy.sparse as sp

from multiloop.flexible.mode_table import ModeTable, basis_text, captured_energy, frame_text, value_warnings
from multiloop.flexible.solids.solid_modes import IN_PLANE_ROWS, SolidModes, require_solid_modes
from multiloop.model import ModelError, count_text, nominal_value, percent_text
from multiloop.model.beams.beam_line import COINCIDENCE
from multiloop.model.solids.solid import Solid


def shape_frequencies(solid: Solid, planar: bool = False) -> np.ndarray:
    """Frequency ω = √(k/m) (rad/s) of each mode, from its modal stiffness k and mass m, with the solid's frame at rest.

    Parameters have the values given in the description of the solid.
    """
    found = _validated_modes(solid, planar)
    m, nodes = found.elements.scalar_mass, found.node_shapes
    masses = sum((nodes[:, k] * (m @ nodes[:, k])).sum(axis=0) for k in range(3))
    omega: np.ndarray = np.sqrt(
        nominal_value(solid.E) * found.stiffness / (nominal_value(solid.density) * masses)
    )
    return omega


def solid_mode_table(solid: Solid, planar: bool = False) -> ModeTable:
    """Table of all modes of a solid, lowest stiffness first; only in-plane modes if `planar`."""
    found = _validated_modes(solid, planar)
    ways = tuple(("plane" if planar else "space", k) for k in range(solid.modes))
    held = captured_energy(found.constrained, found.unknowns, _loads(found))
    return ModeTable(solid.name, solid.clamped_to, solid.basis, ways, shape_frequencies(solid, planar), held)


def _validated_modes(solid: Solid, planar: bool) -> SolidModes:
    """Modes of a solid; raises a ModelError if its description is invalid."""
    faults = list(solid.further_faults(planar))
    if faults:
        raise ModelError(f"body '{solid.name}'", faults)
    return require_solid_modes(solid, planar)


def _loads(found: SolidModes) -> np.ndarray:
    """Loads under which captured strain energy is evaluated, unknowns × load cases.

    They are inertia forces of rigid-body accelerations or, for a free solid, forces and moments at all tied faces.
    """
    ties, M = found.ties, found.constrained.component.M
    ways = list(IN_PLANE_ROWS if found.request.planar else range(6))
    size = found.elements.mesh.size
    R = ties.rigid_motions_about(found.frame_marker, size)[:, ways]
    if found.request.basis != "free":
        inertia: np.ndarray = M @ R
        return inertia
    arms = sp.diags([size] * 3 + [1.0] * 3).tocsr()[ways]
    ends = sp.vstack([arms @ ties.marker_rows(one.marker) for one in ties.interfaces]).tocsr().T.toarray()
    relieved: np.ndarray = ends - M @ (R @ np.linalg.solve(R.T @ (M @ R), R.T @ ends))
    return relieved


CELL_NAMES = {"hexahedron27": "hexahedra", "tetra10": "tetrahedra"}


def describe_solid(solid: Solid, planar: bool = False, seats: Sequence[str] = ()) -> str:
    """Text on the mesh, modes, frame, ties and geometric stiffness of a solid, with warnings.

    Warnings concern implausible values, and joints at markers without a tied face; `seats` are the markers at
    which joints act.
    """
    found = require_solid_modes(solid, planar)
    mesh = found.elements.mesh
    shapes = f"{basis_text(solid.basis)} {frame_text(solid.clamped_to)}"
    table = solid_mode_table(solid, planar)
    omega, missed = table.frequencies, percent_text(1 - float(table.held[-1]))
    does = "forces at its faces" if solid.basis == "free" else "its inertia forces"
    second = "without geometric stiffness"
    if found.reduced_second_order is not None:
        count = count_text(len(found.reduced_second_order.forms), "second-order displacement field")
        second = f"with geometric stiffness by {count}"
    said = (
        f"a solid of {len(mesh.nodes)} {CELL_NAMES[mesh.kind]}, {len(mesh.points)} nodes; {shapes}, "
        f"{omega[0]:.4g} to {omega[-1]:.4g} rad/s, truncation error {missed} under {does} (for other loads, compare "
        f"results with more modes); {solid.tie} faces; {second}."
    )
    return " ".join(
        [said, *value_warnings(float(omega[0]), solid.damping), *_untied_joint_warnings(found, seats)]
    )


def _untied_joint_warnings(found: SolidModes, seats: Sequence[str]) -> Iterator[str]:
    """Warning that names the markers with a joint that are neither tied to a face nor at the position of a tied marker.

    `seats` are the names of all markers with a joint. There is no warning if all of them are tied.
    """
    tied, near = [one.point for one in found.ties.interfaces], COINCIDENCE * found.elements.mesh.size
    loose = [
        f"'{name}'"
        for name, point in found.request.others
        if name in seats and np.linalg.norm(np.subtract(tied, point), axis=1).min() > near
    ]
    if loose:
        yield (
            f"Joints act at {', '.join(loose)}, where no face is tied: the solid is too stiff there unless it has many "
            "modes. Name faces for these markers in `interfaces`."
        )
