"""`ml.solid`: a flexible solid from a mesh, and the checks of this mesh."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from multiloop.flexible.solids.mesh_files import check_file, described_mesh, mesh_error, raw_mesh
from multiloop.flexible.solids.solid_mesh import (
    MaterialPoint,
    Plane,
    SolidMesh,
    inverted_cells,
    solid_mesh,
    tested_face_name,
)
from multiloop.flexible.solids.ties import interface
from multiloop.model import Fault, ModelError, Rayleigh, Scalar, Vector, count_text, nominal_value, suggestion
from multiloop.model.solids.mesh import Mesh, MeshFile, pack_mesh
from multiloop.model.solids.solid import Solid
from multiloop.model.synonyms import suggest_keywords

Face = str | Mapping[str, float] | Callable[[np.ndarray], Any]
"""Type of faces in `interfaces`: the name of a set of the mesh, the coordinates common to all points of a plane face,
or a function from points (n × 3) to booleans that selects the points of the face."""


@suggest_keywords
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
    body's own frame; E is Young's modulus in Pa, `nu` Poisson's ratio, and `density` is in kg/m³. `modes` is the number
    of modes; `basis`, `stiffening` and `damping` are described in `Solid`. `interfaces` ties a face to each marker:
    {"a": "bore", "b": {"x": 0.3}}. A face is given by its name in the mesh, by the coordinates of a plane, or by a
    function from points (n × 3) to booleans. A marker is at the centroid of its face unless `markers` gives its
    position; further markers move with the surrounding material.
    """
    where = f"body '{name}'"
    try:
        described, faces = _with_tested_faces(described_mesh(mesh), interfaces)
    except ModelError as error:
        raise ModelError(where, faults_of_body(where, error)) from None
    found = Solid(
        name,
        markers={} if markers is None else markers,  # type: ignore[arg-type]  # Solid converts it to pairs
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
    # checked as in a planar mechanism, which needs fewer modes; a spatial mechanism checks their number again
    faults = list(found.further_faults(True))
    if faults:
        raise ModelError(where, faults)
    return found


def _with_tested_faces(mesh: Mesh, interfaces: Any) -> tuple[Mesh, Any]:
    """Replace faces that are given as functions of points by named faces.

    Returns the mesh, stored as arrays, with these named faces added, and the interfaces with the names of the faces
    instead of the functions. Without functions, both arguments are returned unchanged.
    """
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
            what = f"has {len(found.points)} nodes, but the test for '{marker}' returns shape {inside.shape}."
            raise mesh_error(what, "Give a function from points (n × 3) to n booleans.")
        faces[tested_face_name(marker)] = np.flatnonzero(inside.astype(bool))
    plain = to_meshio(found.grid, encode_cell_data=False)
    described = pack_mesh(found.kind, plain.points, plain.cells_dict[found.kind], faces)
    return described, {m: tested_face_name(m) if m in tests else face for m, face in interfaces.items()}


def mesh_faults(solid: Solid, planar: bool) -> Iterator[Fault]:
    """Errors in the mesh of a solid whose other data are valid."""
    where = f"body '{solid.name}'"
    assert solid.mesh is not None
    try:
        found = list(_element_faults(where, solid.mesh))
        yield from found or _solid_faults(where, solid, solid_mesh(solid.mesh), planar)
    except ModelError as error:
        yield from faults_of_body(where, error)


def faults_of_body(where: str, error: ModelError) -> Iterator[Fault]:
    """The faults of an error about a mesh, reported for the body `where`."""
    for fault in error.faults:
        yield replace(fault, where=where, what=f"{fault.where} {fault.what}")


def is_valid_mesh(mesh: Mesh) -> bool:
    """Whether a mesh can be read and has no inverted element."""
    try:
        return not list(_element_faults("", mesh))
    except ModelError:
        return False


@lru_cache(maxsize=64)
def _count_inverted(mesh: Mesh) -> tuple[int, int]:
    raw = raw_mesh(mesh)
    return inverted_cells(raw), len(raw.cells)


def _element_faults(where: str, mesh: Mesh) -> Iterator[Fault]:
    if isinstance(mesh, MeshFile):
        check_file(mesh)
    inverted, count = _count_inverted(mesh)
    if inverted:
        turned = (
            f"{inverted} of the {count_text(count, 'element')} of its mesh {'is' if inverted == 1 else 'are'}"
        )
        yield Fault(
            "M16", where, f"{turned} inverted.", "Mesh the solid again, or correct the order of the nodes."
        )


def _solid_faults(where: str, solid: Solid, mesh: SolidMesh, planar: bool) -> Iterator[Fault]:
    taken: dict[int, str] = {}
    for marker, face in solid.interfaces:
        facets = mesh.facets_of(face)
        if not len(facets):
            yield _missing_face(where, marker, face, mesh)
            continue
        interface(mesh, marker, facets, None)  # raises an error if elements of the face are too distorted
        nodes = mesh.nodes_on(facets)
        shared = [taken[node] for node in nodes.tolist() if node in taken]
        if shared and solid.tie == "rigid":
            what = f"the faces of '{shared[0]}' and '{marker}' touch, but both are rigid."
            yield Fault("M16", where, what, 'Give separate faces, or tie="average".')
        taken |= dict.fromkeys(nodes.tolist(), marker)
    yield from _marker_faults(where, solid, mesh)
    static = (3 if planar else 6) * (len(solid.interfaces) - 1)
    if solid.basis == "interface" and solid.modes < static:
        what = f"modes is {solid.modes}, but its interfaces alone need {static} constraint modes."
        yield Fault("M16", where, what, f'Give {static} or more, or basis="natural".')
    most = 3 * (len(mesh.points) - (len(taken) if solid.tie == "rigid" else 0))
    if solid.modes > most:
        what = f"modes is {solid.modes}, but its mesh has only {most} modes."
        yield Fault("M16", where, what, "Give fewer modes, or a finer mesh.")


def _missing_face(where: str, marker: str, face: str | Plane, mesh: SolidMesh) -> Fault:
    low, high = mesh.points.min(axis=0), mesh.points.max(axis=0)
    reach = ", ".join(f"{axis} from {a:g} to {b:g}" for axis, a, b in zip("xyz", low, high, strict=True))
    if face == tested_face_name(marker) and face in mesh.faces:
        count, all_ = len(mesh.faces[face]), len(mesh.points)
        nodes = f"{count} of the {all_} nodes of its mesh"
        what = f"the test for marker '{marker}' selects {nodes} and no whole element face."
        remedy = f"Give a test that is true on a whole face; the mesh spans {reach} m."
    elif isinstance(face, str):
        what = f"its mesh has no face '{face}' for marker '{marker}'."
        remedy = 'Give a plane, {"x": 0.3}, or name a face in the mesh.'
        remedy = suggestion(face, list(mesh.faces)) if mesh.faces else remedy
    else:
        shown = ", ".join(f"{axis} = {at:g}" for axis, at in face)
        what = f"its mesh has no face at {shown} m for marker '{marker}'."
        remedy = f"Give a plane on the surface of the mesh, which spans {reach} m."
    return Fault("M16", where, what, remedy)


def _marker_faults(where: str, solid: Solid, mesh: SolidMesh) -> Iterator[Fault]:
    """Errors of markers that are not tied to a face and lie outside the material."""
    tied = [marker for marker, _ in solid.interfaces]
    for name, marker in solid.markers:
        if name not in tied:
            point = np.array([nominal_value(c) for c in (*marker.point, 0.0, 0.0)[:3]])
            place = MaterialPoint(mesh, point)
            if not place.inside:
                what = f"its marker '{name}' lies {place.distance:.3g} m outside its mesh."
                yield Fault(
                    "M16", where, what, "Tie it to a face by `interfaces`, or move it into the material."
                )
