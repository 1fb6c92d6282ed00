"""One-line summaries of flexible bodies: dimensions, mass, material and number of modes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from multiloop.model.brief import brief
from multiloop.model.markers import are_pairs
from multiloop.model.mesh import BoxMesh, MeshArrays, MeshFile
from multiloop.model.names import counted
from multiloop.model.numbers_in_words import in_words, product_in_words

if TYPE_CHECKING:
    from multiloop.model.beam import Beam
    from multiloop.model.solid import Solid


def beam_words(beam: Beam) -> str:
    """The summary of a beam."""
    pieces = (
        f"{counted(len(beam.through) - 1, 'piece')}, "
        if isinstance(beam.through, tuple) and beam.through
        else ""
    )
    tapers = ", tapered" if beam.section_at_b is not None else ""
    sitting = len(beam.masses) if are_pairs(beam.masses) else 0
    loaded = f", with {counted(sitting, 'point mass', 'point masses')}" if sitting else ""
    modes = () if beam.open_modes else beam.counts
    ways = ", ".join(f"{in_words(count)} along {way}" for way, count in modes)
    ways = "by its joints" if beam.open_modes else ways or brief(beam.modes)
    return (
        f"Beam '{beam.name}': {pieces}{in_words(beam.length, ' m')} long{tapers}, "
        f"{in_words(beam.mass, ' kg')}{loaded}, E = {in_words(beam.E, ' Pa')}; shapes: {ways}."
    )


def solid_words(solid: Solid) -> str:
    """The summary of a solid."""
    faces = [marker for marker, _ in solid.interfaces] if are_pairs(solid.interfaces) else []
    return (
        f"Solid '{solid.name}': {_mesh_words(solid.mesh)}, {in_words(solid.mass, ' kg')}, "
        f"E = {in_words(solid.E, ' Pa')}; "
        f"held at {', '.join(map(str, faces)) or 'no face'}; {in_words(solid.modes)} shapes ({solid.basis})."
    )


def _mesh_words(mesh: Any) -> str:
    if isinstance(mesh, BoxMesh):
        return f"a box of {product_in_words(mesh.size)} m in {product_in_words(mesh.elements)} elements"
    if isinstance(mesh, MeshFile):
        return f"mesh '{mesh.path}'"
    return f"a mesh of {mesh.cell}" if isinstance(mesh, MeshArrays) else "no mesh"
