"""Definition of a flexible solid by a mesh, a material and faces, with checks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from multiloop.flexible.solids.mesh import solid_mesh, tested_face
from multiloop.flexible.solids.mesh_faults import told_of
from multiloop.flexible.solids.mesh_files import described_mesh, refused
from multiloop.model import ModelError, Scalar
from multiloop.model.damping import Rayleigh
from multiloop.model.keywords import suggests_keywords
from multiloop.model.markers import Vector
from multiloop.model.mesh import Mesh, packed_mesh
from multiloop.model.solid import Solid

Face = str | Mapping[str, float] | Callable[[np.ndarray], Any]
"""A face: the name of a set of the mesh, the coordinates common to its points, or a test of points (n × 3)."""


@suggests_keywords
def solid(
    name: str,
    *,
    mesh: Any,
    E: Scalar,
    nu: float = 0.3,
    density: Scalar,
    interfaces: Mapping[str, Face],
    modes: int = 8,
    basis: str = "interface",
    frame: str | None = None,
    tie: str = "rigid",
    stiffening: bool = True,
    damping: Scalar | Vector | Rayleigh = 0.0,
    markers: Mapping[str, Any] | None = None,
) -> Solid:
    """A flexible body of any shape, given by a mesh of quadratic solid elements.

    `mesh` is the path of a file that meshio reads, `box_mesh(…)`, or a mesh of meshio or scikit-fem, in metres, in the
    body's own frame; E in Pa, density in kg/m³. `interfaces` ties a face to each marker:
    {"a": "bore", "b": {"x": 0.3}}, by name, by the coordinates of a plane, or by a test of points (n × 3). A marker is
    at the centroid of its face unless `markers` gives its position; further markers move with the surrounding material.
    """
    where = f"body '{name}'"
    try:
        described, faces = _with_tested_faces(described_mesh(mesh), interfaces)
    except ModelError as error:
        raise ModelError(where, told_of(where, error)) from None
    found = Solid(
        name,
        markers={} if markers is None else markers,  # type: ignore[arg-type]  # becomes pairs there
        mesh=described,
        E=E,
        nu=nu,
        density=density,
        interfaces=faces,
        modes=modes,
        basis=basis,
        frame="" if frame is None else frame,
        tie=tie,
        stiffening=stiffening,
        damping=damping,
    )
    faults = list(found.further_faults(True))  # fewer modes are needed in the plane; mechanisms check again
    if faults:
        raise ModelError(where, faults)
    return found


def _with_tested_faces(mesh: Mesh, interfaces: Any) -> tuple[Mesh, Any]:
    """Replace faces given as tests of points by named sets of the mesh, which is then described by its arrays."""
    tests = dict(interfaces) if isinstance(interfaces, Mapping) else {}
    tests = {marker: face for marker, face in tests.items() if callable(face)}
    if not tests:
        return mesh, interfaces
    from skfem.io.meshio import to_meshio

    found = solid_mesh(mesh)
    faces = dict(found.faces)
    for marker, test in tests.items():
        inside = np.asarray(test(found.points))
        if inside.shape != (len(found.points),):
            what = f"has {len(found.points)} nodes, of which the test for '{marker}' answers {inside.shape}."
            raise refused(what, "Give a function from points (n × 3) to n truths.")
        faces[tested_face(marker)] = np.flatnonzero(inside.astype(bool))
    plain = to_meshio(found.grid, encode_cell_data=False)
    described = packed_mesh(found.kind, plain.points, plain.cells_dict[found.kind], faces)
    return described, {m: tested_face(m) if m in tests else face for m, face in interfaces.items()}
