"""A link that bends in one sentence: what it is made of, what it weighs, how many shapes it has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from multiloop.model.brief import brief
from multiloop.model.expressions import Expression
from multiloop.model.markers import are_pairs, value_of
from multiloop.model.mesh import BoxMesh, MeshArrays, MeshFile
from multiloop.model.names import counted

if TYPE_CHECKING:
    from multiloop.model.beam import Beam
    from multiloop.model.solid import Solid


def beam_words(beam: Beam) -> str:
    """A beam."""
    pieces = (
        f"{counted(len(beam.through) - 1, 'piece')}, "
        if isinstance(beam.through, tuple) and beam.through
        else ""
    )
    tapers = ", tapered" if beam.section_at_b is not None else ""
    sitting = len(beam.masses) if are_pairs(beam.masses) else 0
    loaded = f", with {counted(sitting, 'point mass', 'point masses')}" if sitting else ""
    modes = beam.modes if are_pairs(beam.modes) else ()
    ways = ", ".join(f"{_number(count)} along {way}" for way, count in modes) or brief(beam.modes)
    return (
        f"Beam '{beam.name}': {pieces}{_number(beam.length, ' m')} long{tapers}, {_number(beam.mass, ' kg')}{loaded}, "
        f"E = {_number(beam.E, ' Pa')}; shapes: {ways}."
    )


def solid_words(solid: Solid) -> str:
    """A solid."""
    faces = [marker for marker, _ in solid.interfaces] if are_pairs(solid.interfaces) else []
    return (
        f"Solid '{solid.name}': {_mesh_words(solid.mesh)}, {_number(solid.mass, ' kg')}, "
        f"E = {_number(solid.E, ' Pa')}; "
        f"held at {', '.join(map(str, faces)) or 'no face'}; {_number(solid.modes)} shapes ({solid.basis})."
    )


def _mesh_words(mesh: Any) -> str:
    if isinstance(mesh, BoxMesh):
        return f"a box of {' × '.join(map(_number, mesh.size))} m in {' × '.join(map(_number, mesh.elements))} elements"
    if isinstance(mesh, MeshFile):
        return f"mesh '{mesh.path}'"
    return f"a mesh of {mesh.cell}" if isinstance(mesh, MeshArrays) else "no mesh"


def _number(value: Any, unit: str = "") -> str:
    """A number to five digits; an expression at the values of its parameters."""
    number = value_of(value)
    if number is None:
        return f"{brief(value)}{unit}"
    return f"{number:.5g}{unit}" + (" by parameters" if isinstance(value, Expression) else "")
