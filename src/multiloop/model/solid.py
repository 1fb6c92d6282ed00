"""A link of any shape that bends, described by its mesh, its material and the faces at which it is held."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import BeforeValidator, PlainSerializer

from multiloop.model.bodies import Body
from multiloop.model.brief import brief
from multiloop.model.expressions import Scalar
from multiloop.model.faults import Fault
from multiloop.model.lazy_methods import opens
from multiloop.model.markers import Vector, are_pairs, pairs, scalar, value_of, vector
from multiloop.model.mesh import BoxMesh, Mesh, MeshArrays, MeshFile
from multiloop.model.names import ETA

BASES = ("interface", "natural", "free")
"""Which shapes it has."""

TIES = ("rigid", "average")
"""How a face moves with its marker."""

CHORD = "chord"
"""A frame through the first two interfaces."""


def _faces(value: Any) -> Any:
    """Names of markers and their faces; a plane {"x": 0.3} becomes pairs."""
    named = pairs(value)
    if not are_pairs(named):
        return value
    return tuple((marker, face if isinstance(face, str) else _plane(face)) for marker, face in named)


def _plane(face: Any) -> Any:
    found = pairs(face)
    return tuple((axis, scalar(at)) for axis, at in found) if are_pairs(found) else face


def _written(items: tuple[tuple[str, Any], ...]) -> dict[str, Any]:
    return {marker: face if isinstance(face, str) else dict(face) for marker, face in items}


def _mesh(value: Any) -> Any:
    """In a file the path alone will do."""
    if isinstance(value, str):
        file = MeshFile(value)
        return MeshFile(value, file.found_digest)
    return value


Interfaces = Annotated[tuple[tuple[str, Any], ...], BeforeValidator(_faces), PlainSerializer(_written)]
"""Markers and their faces: a name, or coordinates that all points of the face have."""


@dataclass(frozen=True)
class Solid(Body):
    """An elastic link by a mesh of quadratic solid elements; `multiloop.solid` makes one.

    `interfaces` names the faces at which markers hold it; `tie` says how. Its own frame is clamped to the marker
    `frame`, or goes through the first two interfaces ("chord"). `modes` is the number of its shapes, `basis` which:
    "interface" (static shapes of all other interfaces, then natural modes with all of them held), "natural" (natural
    modes, held in the frame alone) or "free" (those of the free link). With `stiffening` it has shapes of second order.
    """

    mesh: Annotated[Mesh | None, BeforeValidator(_mesh)] = field(default=None, kw_only=True)
    E: Scalar = field(default=0.0, kw_only=True)
    nu: float = field(default=0.3, kw_only=True)
    density: Scalar = field(default=0.0, kw_only=True)
    interfaces: Interfaces = field(default=(), kw_only=True)
    modes: int = field(default=8, kw_only=True)
    basis: str = field(default="interface", kw_only=True)
    frame: str = field(default="", kw_only=True)
    tie: str = field(default="rigid", kw_only=True)
    stiffening: bool = field(default=True, kw_only=True)
    damping: Scalar | Vector = field(default=0.0, kw_only=True)

    reduced = opens(
        "multiloop.flexible.reduced_solid", "reduced_solid", "What the recursion needs of the body."
    )
    deformed_mesh = opens(
        "multiloop.flexible.deformed_mesh", "deformed_mesh", "Its mesh as it deforms, in numbers."
    )
    frequencies = opens(
        "multiloop.flexible.explained_solid",
        "shape_frequencies",
        "ω of each of its shapes (rad/s).\n\nKeywords: planar.",
    )
    explained_shapes = opens(
        "multiloop.flexible.explained_solid", "explained_solid", "How it bends, in words."
    )
    mesh_faults = opens(
        "multiloop.flexible.mesh_faults", "mesh_faults", "What is wrong with its mesh and its shapes."
    )
    _weighed = opens(
        "multiloop.flexible.weighed_mesh",
        "weighed_mesh",
        "Mass, mass centre, inertia and markers by its mesh.",
    )

    def __post_init__(self) -> None:
        for name in ("E", "nu", "density"):
            object.__setattr__(self, name, scalar(getattr(self, name)))
        several = isinstance(self.damping, list | tuple)
        object.__setattr__(self, "damping", vector(self.damping) if several else scalar(self.damping))
        object.__setattr__(self, "interfaces", _faces(self.interfaces))
        super().__post_init__()
        if self.mass == 0.0 and not list(self._material_faults("")):
            for name, value in self._weighed().items():
                object.__setattr__(self, name, value)

    @property
    def elastic(self) -> int:
        """The number of its elastic coordinates."""
        return self.modes

    @property
    def elastic_units(self) -> tuple[str, ...]:
        """Metres of the largest displacement."""
        return ("m",) * self.elastic

    @property
    def clamped_to(self) -> str:
        """The marker that its frame is clamped to, or "chord"."""
        return self.frame or (self.interfaces[0][0] if self.interfaces else "")

    def further_faults(self, planar: bool) -> Iterator[Fault]:
        """A material that can be, choices that there are, and a mesh that has what is asked of it."""
        where = f"body '{self.name}'"
        yield from (
            list(self._material_faults(where)) or list(self._choice_faults(where)) or self.mesh_faults(planar)
        )

    def _material_faults(self, where: str) -> Iterator[Fault]:
        for name, unit in (("E", "Pa"), ("density", "kg/m³")):
            value = getattr(self, name)
            if not (value_of(value) or 0.0) > 0:
                yield Fault(
                    "M16", where, f"its {name} is {brief(value)}.", f"Give a number above zero, in {unit}."
                )
        if not isinstance(self.nu, float) or not 0 < self.nu < 0.5:
            remedy = "Give a number between 0 and 0.5, neither of them: about 0.3 for metals."
            yield Fault("M16", where, f"its nu is {brief(self.nu)}.", remedy)
        if not isinstance(self.mesh, BoxMesh | MeshFile | MeshArrays):
            remedy = "Give a path, `box_mesh(…)`, or a mesh of meshio or scikit-fem."
            yield Fault("M16", where, f"its mesh is {brief(self.mesh)}.", remedy)
        if not are_pairs(self.interfaces) or not self.interfaces:
            remedy = 'Give a face for each marker: {"a": "bore", "b": {"x": 0.3}}.'
            yield Fault("M16", where, f"its interfaces are {brief(self.interfaces)}.", remedy)

    def _choice_faults(self, where: str) -> Iterator[Fault]:
        for name, known in (("basis", BASES), ("tie", TIES)):
            if getattr(self, name) not in known:
                remedy = f"Give {', '.join(known[:-1])} or {known[-1]}."
                yield Fault("M16", where, f"its {name} is {brief(getattr(self, name))}.", remedy)
        held = [marker for marker, _ in self.interfaces]
        if self.clamped_to not in (*held, CHORD) or (self.clamped_to == CHORD and len(held) < 2):
            remedy = f'Give one of its interfaces ({", ".join(held)}), or "chord" if there are two.'
            yield Fault("M16", where, f"its frame is {brief(self.frame)}.", remedy)
        if not isinstance(self.modes, int) or isinstance(self.modes, bool) or self.modes < 1:
            yield Fault(
                "M16", where, f"its modes are {brief(self.modes)}.", "Give a whole number above zero."
            )
            return
        given = self.damping if isinstance(self.damping, tuple) else (self.damping,)
        if len(given) not in (1, self.modes) or any((value_of(part) or 0.0) < 0 for part in given):
            remedy = f"Give a part of critical, 0.01, or one for each of {self.modes} modes."
            yield Fault("M16", where, f"its damping is {brief(self.damping)}.", remedy)
        if ETA in self.marker_names:
            what = f"a marker is called '{ETA}', as its elastic coordinates are."
            yield Fault("M14", where, what, "Give the marker another name.")
