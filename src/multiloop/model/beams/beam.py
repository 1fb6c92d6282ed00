"""The class `Beam`: a slender flexible body, straight or cranked, described by its material and cross sections."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from multiloop.model.beams.beam_fields import (
    Basis,
    Counts,
    Masses,
    as_basis,
    as_counts,
    as_masses,
    beam_summary,
    shear_modulus,
    with_nodal_counts,
)
from multiloop.model.beams.beam_line import (
    as_points,
    leaves_line,
    leaves_plane,
    line_faults,
    line_length,
    line_markers,
)
from multiloop.model.beams.beam_mass import beam_mass_properties
from multiloop.model.beams.sections import Section, SectionField
from multiloop.model.bodies import MASS_FIELDS, Body, Inertia
from multiloop.model.expressions import Scalar
from multiloop.model.expressions.evaluation import is_parameter_independent
from multiloop.model.faults import Fault
from multiloop.model.flexible_body import FlexibleBody, reduction_of
from multiloop.model.lazy_methods import implemented_in
from multiloop.model.markers import Marker, Vector, are_pairs, scalar, value_of
from multiloop.model.modal_body import Rayleigh, as_damping, as_integer, is_mode_count

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from multiloop.model.mechanism import Mechanism

AUTO, NATURAL, INTERFACE, NODAL = "auto", "natural", "interface", "nodal"

FRAMES = ("a", "chord", "free", AUTO)
"""Body frames of a beam: "a" is fixed to the section at marker `a`, "chord" passes through both ends, "free" follows
the mean axes; "auto" chooses "a" or "chord" from the joints."""

BEAM_BASES = (NATURAL, INTERFACE, NODAL, AUTO)
"""Mode bases: natural modes; constraint modes of the interfaces with fixed-interface modes; nodal coordinates;
"auto" chooses between the first two from the joints."""

DEFORMATIONS = ("y", "z", "x", "twist")
"""Deformations of a straight beam: bending with deflection along y or z, stretching along x, twist about x."""

BOTH_ENDS = ("a", "b")
"""Default interfaces of a beam: all displacements and rotations of its ends `a` and `b`."""

DEFAULT_MODE_COUNT = 2
"""Smallest number of modes that is chosen by default in each plane of bending."""

SPACE = "space"
"""The only deformation of a beam whose centreline is not in its x–y plane: its mode shapes have displacements in all
directions."""

CRANKED_DEFORMATIONS = ("y", "z", "space")
"""Deformations of a cranked beam: within its x–y plane, out of this plane, or both together."""


@dataclass(frozen=True)
class Beam(FlexibleBody):
    """A flexible beam from marker `a` to marker `b`, created by the function `multiloop.beam`.

    It is straight along x, or cranked with straight pieces through the points `through` and rigid corners. `modes` is
    the number of modes for each deformation: "y", "z" (bending), "x" (stretching), "twist"; for a cranked beam "y"
    within its plane and "z" out of it, or "space" if its points leave the plane; with the basis "nodal" the number
    follows from the nodes. With `stiffening` the beam keeps its length as it bends (foreshortening), so that axial
    forces stiffen or buckle it. `damping` is the damping ratio, one number for all modes or one for each, or
    `Rayleigh(alpha, beta)`. `section_at_b` is the section at `b` of a tapered beam, `masses` are point masses at
    markers. Mass, mass centre and inertia follow from these fields, and the length of a cranked beam from `through`;
    the shear modulus G is E/2.6 by default.
    """

    mass: Scalar = field(default=0.0, init=False)
    com: Vector = field(default=(0.0,), init=False)
    inertia: Inertia = field(default=0.0, init=False)
    inertia_at: str = field(default="com", init=False)
    length: Scalar = field(default=0.0, kw_only=True)
    through: tuple[Vector, ...] = field(default=(), kw_only=True)
    E: Scalar = field(default=0.0, kw_only=True)
    G: Scalar = field(default=0.0, kw_only=True)
    density: Scalar = field(default=0.0, kw_only=True)
    section: SectionField = field(default=Section(0.0, 0.0), kw_only=True)
    section_at_b: SectionField | None = field(default=None, kw_only=True)
    shear: bool = field(default=False, kw_only=True)
    masses: Masses = field(default=(), kw_only=True)
    modes: Counts = field(default=AUTO, kw_only=True)  # type: ignore[arg-type]  # becomes pairs
    frame: str = field(default=AUTO, kw_only=True)
    basis: Basis = field(default=AUTO, kw_only=True)
    interfaces: tuple[str, ...] = field(default=BOTH_ENDS, kw_only=True)
    stiffening: bool = field(default=True, kw_only=True)
    damping: Scalar | Vector | Rayleigh = field(default=0.0, kw_only=True)
    elements: int = field(default=16, kw_only=True)

    derived_from = ("M15", "its centreline, material and sections")
    asked_for = (("length", "through"), ("E",), ("density",), ("section",))

    def __post_init__(self) -> None:
        super().__post_init__()
        set_field = object.__setattr__
        for name in ("length", "E", "G", "density"):
            set_field(self, name, scalar(getattr(self, name)))
        set_field(self, "damping", as_damping(self.damping))
        set_field(self, "masses", as_masses(self.masses))
        set_field(self, "elements", as_integer(self.elements))
        set_field(self, "basis", as_basis(self.basis))
        set_field(self, "through", as_points(self.through))
        if isinstance(self.interfaces, list):
            set_field(self, "interfaces", tuple(self.interfaces))
        self._derive()

    def _derive(self) -> None:
        """Set the fields that are computed from centreline, material and sections, if these are valid."""
        set_field, cranked = object.__setattr__, self.through != ()
        sound = not cranked or not list(line_faults("", self.through))
        unsaid = self._default_deformation
        if not self.has_default_modes or self.is_nodal:
            set_field(self, "modes", as_counts((unsaid,) if self.has_default_modes else self.modes, unsaid))
        if self.G == 0.0:
            set_field(self, "G", shear_modulus(self.E))
        if cranked and sound:
            set_field(self, "length", line_length(self.through))
        if not sound or value_of(self.length) is None:
            return
        own = {name: Marker(point) for name, point in line_markers(self.through, self.length).items()}
        if are_pairs(self.markers):
            set_field(self, "markers", tuple((own | dict(self.markers)).items()))
            set_field(self, "outline", self.outline or tuple(own))
        sections = (self.section, self.section_at_b)
        if (
            are_pairs(self.masses)
            and isinstance(sections[0], Section)
            and isinstance(sections[1], Section | None)
        ):
            found = beam_mass_properties(
                self.markers, self.through, self.length, self.density, sections, self.masses
            )
            for name, value in found.items():
                set_field(self, name, value)
        if self.is_nodal:
            set_field(self, "modes", with_nodal_counts(self))

    @property
    def derived_fields(self) -> tuple[str, ...]:
        """Names of the fields that are computed from other fields: mass properties, the length of a cranked beam,
        default G."""
        own = {"length": bool(self.through), "G": shear_modulus(self.E) == self.G}
        return (*MASS_FIELDS, *(name for name, follows in own.items() if follows))

    @property
    def has_default_modes(self) -> bool:
        """Whether the deformations and their numbers of modes are chosen from the joints (`modes` is "auto")."""
        return isinstance(self.modes, str) and self.modes == AUTO

    @property
    def _default_deformation(self) -> str:
        """The default deformation: "y", or "space" if the centreline is not in the x–y plane of the beam."""
        sound = self.through != () and not list(line_faults("", self.through))
        return SPACE if sound and leaves_plane(self.through) else "y"

    @property
    def counts(self) -> tuple[tuple[str, int], ...]:
        """Pairs of deformation and number of modes; empty if `modes` is invalid.

        If `modes` is "auto", the only pair is the default deformation with DEFAULT_MODE_COUNT modes.
        """
        if self.has_default_modes:
            return ((self._default_deformation, DEFAULT_MODE_COUNT),)
        return self.modes if are_pairs(self.modes) else ()

    @property
    def is_nodal(self) -> bool:
        """Whether the elastic coordinates of the beam are nodal coordinates."""
        return isinstance(self.basis, str) and self.basis == NODAL

    def basis_of(self, way: str) -> str:
        """The mode basis of the deformation `way`; "natural" if the field `basis` contains none for this
        deformation."""
        found = self.basis if isinstance(self.basis, str) else dict(self.basis).get(way, NATURAL)
        return NATURAL if found == AUTO else found

    @property
    def elastic(self) -> int:
        """The number of elastic coordinates of the beam."""
        return len(self.ways)

    @property
    def elastic_units(self) -> tuple[str, ...]:
        """Unit of each elastic coordinate: metres (the largest deflection of the mode), or radians for twist."""
        return tuple("rad" if way == "twist" else "m" for way, _ in self.ways)

    @property
    def ways(self) -> tuple[tuple[str, int], ...]:
        """For every elastic coordinate a pair: the deformation of its mode, and the index of the mode in this
        deformation."""
        return tuple((way, k) for way, count in self.counts if is_mode_count(count) for k in range(count))

    @property
    def positive_numbers(self) -> dict[str, Scalar]:
        """Names and values of the numbers that must be positive: length, material and the section properties that modes
        need."""
        from multiloop.model.beams.beam_faults import positive_beam_numbers

        return positive_beam_numbers(self)

    @property
    def fixed_numbers(self) -> dict[str, Scalar]:
        """Numbers that must not vary with the parameters: the positions x of markers, divided by the length.

        The mapping contains, by name, those markers of a straight beam that is not uniform whose x / length depends on
        parameters: the modes of such a beam are computed numerically for one set of positions.
        """
        return {} if self.uniform else self._parameter_positions

    @property
    def unit_interval_numbers(self) -> dict[str, Scalar]:
        """Numbers that must be between 0 and 1 for all values of the parameters: the positions x of the markers of a
        uniform beam, divided by the length.

        The mapping contains, by name, those markers whose x / length depends on parameters. It is empty for a beam that
        is not uniform, since its positions must not vary at all (see `fixed_numbers`).
        """
        return self._parameter_positions if self.uniform else {}

    @property
    def _parameter_positions(self) -> dict[str, Scalar]:
        """Positions x / length of those markers of a straight beam for which this quotient depends on parameters; the
        keys are texts such as "marker 'c'"."""
        if self.through:
            return {}
        places = {f"marker '{name}'": marker.point[0] / self.length for name, marker in self.markers}
        return {name: place for name, place in places.items() if not is_parameter_independent(place)}

    @property
    def uniform(self) -> bool:
        """Whether the mode shapes, as functions of x / length, are those of a uniform straight beam, which do not
        depend on dimensions and moduli.

        False for a beam with stiffening and modes of twist: its twist couples the two directions of bending (lateral
        buckling) and inclines its fibres.
        """
        twists = self.stiffening and "twist" in dict(self.counts)
        more = self.through or self.section_at_b is not None or self.masses or self.shear or twists
        more = more or leaves_line([marker.point for _, marker in self.markers], self.length)
        natural = self.basis in (NATURAL, AUTO) if isinstance(self.basis, str) else False
        return not more and self.frame != "free" and natural

    def rigid(self) -> Body:
        """A rigid body with the mass, inertia and markers of the beam."""
        same = {entry.name: getattr(self, entry.name) for entry in fields(Body)}
        return Body(**same)

    def centreline(self) -> Any:
        """The `BeamCentreline`: geometry, mass and motion of the beam along its length, as numbers."""
        return reduction_of(self).centreline(self)

    def nodal_counts(self) -> dict[str, int]:
        """Number of nodal coordinates for each deformation, without those that are zero in the body frame."""
        found: dict[str, int] = reduction_of(self).nodal_counts(self)
        return found

    @implemented_in("multiloop.view", "draw_shapes")
    def draw_shapes(self, *, planar: bool = False, path: str | Path | None = None) -> Figure:
        """Draw the mode shapes side by side, with direction, number and frequency.

        If `planar`, only the modes with displacements in the x–y plane are drawn. If `path` is given, the
        figure is also saved there.
        """
        raise NotImplementedError

    def with_defaults(self, mechanism: Mechanism) -> Beam:
        """The beam in which those of the fields `frame`, `basis` and `modes` that are "auto" are chosen from its
        joints."""
        from multiloop.model.beams.default_modes import beam_with_default_modes

        open_frame, open_basis = (isinstance(one, str) and one == AUTO for one in (self.frame, self.basis))
        if not (open_frame or open_basis or self.has_default_modes) or not isinstance(self.frame, str):
            return self
        return beam_with_default_modes(self, mechanism)

    def further_faults(self, planar: bool) -> Iterator[Fault]:
        """Faults of the centreline, material, sections and modes of the beam."""
        from multiloop.model.beams.beam_faults import beam_faults

        yield from beam_faults(f"body '{self.name}'", self, planar)

    def __repr__(self) -> str:
        return beam_summary(self)
