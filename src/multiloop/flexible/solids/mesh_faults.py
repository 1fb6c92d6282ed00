"""Checks of a solid's mesh: unreadable files, inverted elements, missing faces, too few degrees of freedom."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

import numpy as np

from multiloop.flexible.solids.material_points import MaterialPoint
from multiloop.flexible.solids.mesh import Plane, SolidMesh, inverted_cells, solid_mesh, tested_face
from multiloop.flexible.solids.mesh_files import check_file, raw_mesh
from multiloop.flexible.solids.ties import interface
from multiloop.model import Fault, ModelError
from multiloop.model.faults import suggestion
from multiloop.model.geometry import at_values
from multiloop.model.mesh import Mesh, MeshFile
from multiloop.model.names import counted
from multiloop.model.solid import Solid


def mesh_faults(solid: Solid, planar: bool) -> Iterator[Fault]:
    """Faults of the mesh of a solid whose other data are valid."""
    where = f"body '{solid.name}'"
    assert solid.mesh is not None
    try:
        found = list(_of_mesh(where, solid.mesh))
        yield from found or _of_solid(where, solid, solid_mesh(solid.mesh), planar)
    except ModelError as error:
        yield from told_of(where, error)


def told_of(where: str, error: ModelError) -> Iterator[Fault]:
    """Faults of a mesh, reported for the body `where`."""
    for fault in error.faults:
        yield replace(fault, where=where, what=f"{fault.where} {fault.what}")


def is_sound(mesh: Mesh) -> bool:
    """Whether a mesh can be read and has no inverted element."""
    try:
        return not list(_of_mesh("", mesh))
    except ModelError:
        return False


@lru_cache(maxsize=64)
def _inverted(mesh: Mesh) -> tuple[int, int]:
    raw = raw_mesh(mesh)
    return inverted_cells(raw), len(raw.cells)


def _of_mesh(where: str, mesh: Mesh) -> Iterator[Fault]:
    if isinstance(mesh, MeshFile):
        check_file(mesh)
    inverted, count = _inverted(mesh)
    if inverted:
        turned = (
            f"{inverted} of the {counted(count, 'element')} of its mesh {'is' if inverted == 1 else 'are'}"
        )
        yield Fault("M16", where, f"{turned} inside out.", "Mesh it anew, or mend the order of their nodes.")


def _of_solid(where: str, solid: Solid, mesh: SolidMesh, planar: bool) -> Iterator[Fault]:
    taken: dict[int, str] = {}
    for marker, face in solid.interfaces:
        facets = mesh.facets_of(face)
        if not len(facets):
            yield _without_face(where, marker, face, mesh)
            continue
        interface(mesh, marker, facets, None)  # raises an error if its elements are too distorted
        nodes = mesh.nodes_on(facets)
        shared = [taken[node] for node in nodes.tolist() if node in taken]
        if shared and solid.tie == "rigid":
            what = f"the faces of '{shared[0]}' and '{marker}' touch, and both are rigid."
            yield Fault("M16", where, what, 'Give faces apart from each other, or tie="average".')
        taken |= dict.fromkeys(nodes.tolist(), marker)
    yield from _marker_faults(where, solid, mesh)
    static = (3 if planar else 6) * (len(solid.interfaces) - 1)
    if solid.basis == "interface" and solid.modes < static:
        what = f"it has {counted(solid.modes, 'mode')}, and its interfaces alone need {static}."
        yield Fault("M16", where, what, f'Give {static} or more, or basis="natural".')
    most = 3 * (len(mesh.points) - (len(taken) if solid.tie == "rigid" else 0))
    if solid.modes > most:
        what = f"it has {solid.modes} modes, and its mesh has {most}."
        yield Fault("M16", where, what, "Give fewer, or a finer mesh.")


def _without_face(where: str, marker: str, face: str | Plane, mesh: SolidMesh) -> Fault:
    low, high = mesh.points.min(axis=0), mesh.points.max(axis=0)
    reach = ", ".join(f"{axis} from {a:g} to {b:g}" for axis, a, b in zip("xyz", low, high, strict=True))
    if face == tested_face(marker) and face in mesh.faces:
        count, all_ = len(mesh.faces[face]), len(mesh.points)
        what = f"the test for marker '{marker}' holds at {count} of its {all_} nodes, and on no face of an element."
        remedy = f"Give one that holds on a whole face; the mesh reaches over {reach} m."
    elif isinstance(face, str):
        what = f"its mesh has no face '{face}' for marker '{marker}'."
        remedy = 'Give a plane, {"x": 0.3}, or name a face in the mesh.'
        remedy = suggestion(face, list(mesh.faces)) if mesh.faces else remedy
    else:
        shown = ", ".join(f"{axis} = {at:g}" for axis, at in face)
        what = f"its mesh has no face at {shown} m for marker '{marker}'."
        remedy = f"It reaches over {reach} m."
    return Fault("M16", where, what, remedy)


def _marker_faults(where: str, solid: Solid, mesh: SolidMesh) -> Iterator[Fault]:
    """Faults of markers that are not tied to a face: they must lie inside the material."""
    tied = [marker for marker, _ in solid.interfaces]
    for name, marker in solid.markers:
        if name not in tied:
            point = np.array([at_values(c) for c in (*marker.point, 0.0, 0.0)[:3]])
            place = MaterialPoint(mesh, point)
            if not place.inside:
                what = f"its marker '{name}' lies {place.away:.3g} m outside of its mesh."
                yield Fault(
                    "M16", where, what, "Tie it to a face by `interfaces`, or move it into the material."
                )
