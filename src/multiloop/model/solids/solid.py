"""The class `Solid`: a flexible body of any shape, described by its mesh, its material and its interface faces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BeforeValidator, Discriminator, PlainSerializer, Tag

from multiloop.model.bodies import MASS_FIELDS, Inertia
from multiloop.model.expressions import Scalar
from multiloop.model.faults import Fault, name_text, short_repr
from multiloop.model.flexible_body import FlexibleBody, reduction_of
from multiloop.model.lazy_methods import implemented_in
from multiloop.model.markers import (
    ETA,
    Vector,
    are_pairs,
    as_pairs,
    number_text,
    product_text,
    scalar,
    value_of,
)
from multiloop.model.modal_body import Rayleigh, as_damping, as_integer, damping_faults, is_mode_count
from multiloop.model.solids.mesh import BoxMesh, MeshArrays, MeshFile

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SOLID_BASES = ("interface", "natural", "free")
"""Mode bases of a solid: constraint modes with fixed-interface modes, natural modes with the body frame fixed, or
natural modes of the free body."""

TIES = ("rigid", "average")
"""Connections of a face to its marker: the face is rigid, or the marker follows the average motion of the face."""

AXES = ("x", "y", "z")

CHORD = "chord"
"""Name of the body frame that passes through the markers of the first two interfaces."""


def _as_faces(value: Any) -> Any:
    """Convert the field `interfaces` to pairs of marker and face; a face {"x": 0.3} becomes (("x", 0.3),)."""
    named = as_pairs(value)
    if not are_pairs(named):
        return value
    return tuple((marker, face if isinstance(face, str) else _as_plane(face)) for marker, face in named)


def _as_plane(face: Any) -> Any:
    found = as_pairs(face)
    return tuple((axis, scalar(at)) for axis, at in found) if are_pairs(found) else face


def _is_face(face: Any) -> bool:
    """Whether `face` is the name of a face, or the coordinates that all points of a face have in common, {"x": 0.3}."""
    plane = isinstance(face, tuple) and bool(face)
    return isinstance(face, str) or (
        plane and all(axis in AXES and isinstance(at, float) for axis, at in face)
    )


def _serialise_faces(items: tuple[tuple[str, Any], ...]) -> dict[str, Any]:
    return {marker: face if isinstance(face, str) else dict(face) for marker, face in items}


def _read_mesh(value: Any) -> Any:
    """The data of a mesh in a file; a string is the path of a mesh file."""
    if isinstance(value, str):
        return MeshFile(value)
    if value is not None and not isinstance(value, Mapping | BoxMesh | MeshFile | MeshArrays):
        raise ValueError(
            f"{short_repr(value)} is not a mesh. Write the path of a file, or a box by its size and elements"
        )
    return value


def _mesh_kind(value: Any) -> str:
    """The name of the class of a mesh, determined from the keys of its data."""
    if not isinstance(value, Mapping):
        return type(value).__name__
    return "MeshFile" if "path" in value else "MeshArrays" if "points" in value else "BoxMesh"


AnyMesh = Annotated[
    Annotated[BoxMesh, Tag("BoxMesh")]
    | Annotated[MeshFile, Tag("MeshFile")]
    | Annotated[MeshArrays, Tag("MeshArrays")]
    | Annotated[None, Tag("NoneType")],
    Discriminator(_mesh_kind),
    BeforeValidator(_read_mesh, json_schema_input_type=str | BoxMesh | MeshFile | MeshArrays),
]
"""The field `mesh`: a box, a mesh file or arrays; in files also the path of a mesh file."""


Interfaces = Annotated[
    tuple[tuple[str, Any], ...],
    BeforeValidator(_as_faces, json_schema_input_type=dict[str, str | dict[Literal["x", "y", "z"], Scalar]]),
    PlainSerializer(_serialise_faces),
]
"""The field `interfaces`: pairs of marker and face.

A face is given by its name, or by the coordinates that all of its points have in common, {"x": 0.3}."""


@dataclass(frozen=True)
class Solid(FlexibleBody):
    """A flexible body given by a mesh of quadratic solid elements, created by the function `multiloop.solid`.

    `interfaces` are the faces that are connected to markers, and `tie` is the type of connection. The body frame is
    fixed to the marker `frame`, or passes through the first two interfaces ("chord"). `modes` is the number of modes
    and `basis` their type: "interface" (six constraint modes, in the plane three, for every interface but one, and then
    fixed-interface modes), "natural" (natural modes with the frame fixed) or "free" (natural modes of the free body).
    With `stiffening` the solid also has second-order mode shapes, whose amplitudes are quadratic in the elastic
    coordinates. `damping` is the same as for `Beam`. Mass, mass centre and inertia follow from the mesh and the
    density.
    """

    mass: Scalar = field(default=0.0, init=False)
    com: Vector = field(default=(0.0,), init=False)
    inertia: Inertia = field(default=0.0, init=False)
    inertia_at: str = field(default="com", init=False)
    mesh: AnyMesh = field(default=None, kw_only=True)
    E: Scalar = field(default=0.0, kw_only=True)
    nu: float = field(default=0.3, kw_only=True)
    density: Scalar = field(default=0.0, kw_only=True)
    interfaces: Interfaces = field(default=(), kw_only=True)
    modes: int = field(default=8, kw_only=True)
    basis: str = field(default="interface", kw_only=True)
    frame: str = field(default="", kw_only=True)
    tie: str = field(default="rigid", kw_only=True)
    stiffening: bool = field(default=True, kw_only=True)
    damping: Scalar | Vector | Rayleigh = field(default=0.0, kw_only=True)

    derived_from = ("M16", "its mesh and density")
    out_of_plane_hint = ", or place its mesh so that the markers of its faces are in the plane z = 0"
    asked_for = (("mesh",), ("E",), ("density",), ("interfaces",))

    def __post_init__(self) -> None:
        for name in ("E", "nu", "density"):
            object.__setattr__(self, name, scalar(getattr(self, name)))
        object.__setattr__(self, "damping", as_damping(self.damping))
        object.__setattr__(self, "modes", as_integer(self.modes))
        object.__setattr__(self, "interfaces", _as_faces(self.interfaces))
        super().__post_init__()
        if not list(self._material_faults("")):
            for name, value in reduction_of(self).mass_properties(self).items():
                object.__setattr__(self, name, value)

    @property
    def derived_fields(self) -> tuple[str, ...]:
        """Names of the fields that follow from others: the mass properties, which follow from mesh and density."""
        return MASS_FIELDS

    @property
    def elastic(self) -> int:
        """The number of elastic coordinates of the solid."""
        return self.modes if is_mode_count(self.modes) else 0  # the checks report an invalid number

    @property
    def elastic_units(self) -> tuple[str, ...]:
        """Unit of each elastic coordinate: metres, as it is the largest displacement of its mode."""
        return ("m",) * self.elastic

    @property
    def clamped_to(self) -> str:
        """The marker to which the body frame is fixed, or "chord"; by default the first interface."""
        return self.frame or (self.interfaces[0][0] if self.interfaces else "")

    def deformed_mesh(self, planar: bool = False) -> Any:
        """The finite-element mesh with its modes, a `DeformedMesh`."""
        return reduction_of(self).deformed_mesh(self, planar)

    def mesh_faults(self, planar: bool) -> Iterator[Fault]:
        """Faults of the mesh and of the modes; all other data must be valid."""
        found: Iterator[Fault] = reduction_of(self).mesh_faults(self, planar)
        return found

    @implemented_in("multiloop.view", "draw_solid_shapes")
    def draw_shapes(self, *, planar: bool = False, path: str | Path | None = None) -> Figure:
        """Draw the mode shapes side by side, with number and frequency.

        If `planar`, only the modes with displacements in the x–y plane are drawn. If `path` is given, the figure is
        also saved there.
        """
        raise NotImplementedError

    def further_faults(self, planar: bool) -> Iterator[Fault]:
        """Faults of material, markers and interfaces; if there are none, of the options, and then of the mesh."""
        where = f"body '{self.name}'"
        yield from (
            list(self._material_faults(where)) or list(self._choice_faults(where)) or self.mesh_faults(planar)
        )

    def _material_faults(self, where: str) -> Iterator[Fault]:
        for name, unit in (("E", "Pa"), ("density", "kg/m³")):
            value = getattr(self, name)
            if not (value_of(value) or 0.0) > 0:
                yield Fault(
                    "M16",
                    where,
                    f"its {name} is {short_repr(value)}.",
                    f"Give a number above zero, in {unit}.",
                )
        if not isinstance(self.nu, float) or not 0 <= self.nu < 0.5:
            remedy = "Give a number from 0 to below 0.5: about 0.3 for metals."
            yield Fault("M16", where, f"its nu is {short_repr(self.nu)}.", remedy)
        if not isinstance(self.mesh, BoxMesh | MeshFile | MeshArrays):
            remedy = "Give a path, `box_mesh(…)`, or a mesh of meshio or scikit-fem."
            yield Fault("M16", where, f"its mesh is {short_repr(self.mesh)}.", remedy)
        if not are_pairs(self.interfaces) or not self.interfaces:
            remedy = 'Give a face for each marker: {"a": "bore", "b": {"x": 0.3}}.'
            yield Fault("M16", where, f"its interfaces are {short_repr(self.interfaces)}.", remedy)
            return
        if not are_pairs(self.markers):
            remedy = 'Give a mapping of names to points, {"c": (0.1, 0)}.'
            yield Fault("M12", where, f"its markers are {short_repr(self.markers)}.", remedy)
            return
        for name, marker in self.markers:
            if any(value_of(c) is None for c in marker.point):
                what = f"its marker '{name_text(name)}' is at {short_repr(marker.point)}."
                yield Fault(
                    "M05", where, what, "Give finite numbers of metres, or expressions of parameters."
                )
        for tied, face in self.interfaces:
            if not isinstance(tied, str) or not _is_face(face):
                shown = short_repr(dict(face) if are_pairs(face) else face)
                what = f"the face for marker '{name_text(tied)}' is {shown}."
                yield Fault("M16", where, what, 'Give a plane, {"x": 0.3}, or name a face in the mesh.')

    def _choice_faults(self, where: str) -> Iterator[Fault]:
        for name, known in (("basis", SOLID_BASES), ("tie", TIES)):
            given = getattr(self, name)
            if not isinstance(given, str) or given not in known:
                quoted = [f'"{one}"' for one in known]
                remedy = f"Give {', '.join(quoted[:-1])} or {quoted[-1]}."
                yield Fault("M16", where, f"its {name} is {short_repr(getattr(self, name))}.", remedy)
        if not isinstance(self.stiffening, bool):
            yield Fault(
                "M16", where, f"its stiffening is {short_repr(self.stiffening)}.", "Give True or False."
            )
        held = [marker for marker, _ in self.interfaces]
        if (
            not isinstance(self.frame, str)
            or self.clamped_to not in (*held, CHORD)
            or (self.clamped_to == CHORD and len(held) < 2)
        ):
            remedy = f'Give one of its interfaces ({", ".join(held)}), or "chord" if there are two.'
            yield Fault("M16", where, f"its frame is {short_repr(self.frame)}.", remedy)
        if not is_mode_count(self.modes):
            yield Fault(
                "M16", where, f"its modes are {short_repr(self.modes)}.", "Give a whole number above zero."
            )
            return
        yield from damping_faults("M16", where, self.damping, self.modes)
        if ETA in self.marker_names:
            what = f"a marker is named '{ETA}', which is reserved for the elastic coordinates."
            yield Fault("M14", where, what, "Give the marker another name.")

    def __repr__(self) -> str:
        return solid_summary(self)


def solid_summary(solid: Solid) -> str:
    """A one-line summary of a solid: mesh, mass, Young's modulus, interfaces and modes."""
    faces = [marker for marker, _ in solid.interfaces] if are_pairs(solid.interfaces) else []
    return (
        f"Solid '{solid.name}': {_mesh_summary(solid.mesh)}, {number_text(solid.mass, ' kg')}, "
        f"E = {number_text(solid.E, ' Pa')}; "
        f"interfaces: {', '.join(map(str, faces)) or 'none'}; {number_text(solid.modes)} modes ({solid.basis})."
    )


def _mesh_summary(mesh: Any) -> str:
    if isinstance(mesh, BoxMesh):
        return f"a box of {product_text(mesh.size)} m in {product_text(mesh.elements)} elements"
    if isinstance(mesh, MeshFile):
        return f"mesh '{mesh.path}'"
    return f"a mesh of {mesh.cell}" if isinstance(mesh, MeshArrays) else "no mesh"
