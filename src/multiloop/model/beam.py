"""A slender link that bends, straight or cranked, described by its material and its section."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING

from multiloop.model.beam_fields import (
    Basis,
    Counts,
    Masses,
    as_basis,
    as_counts,
    as_masses,
    as_whole,
    counted_nodes,
    is_count,
    shear_modulus,
)
from multiloop.model.beam_line import (
    as_points,
    leaves_line,
    leaves_plane,
    line_faults,
    line_length,
    line_markers,
)
from multiloop.model.beam_properties import beam_properties
from multiloop.model.bodies import WEIGHT, Body, Inertia
from multiloop.model.damping import Rayleigh, as_damping
from multiloop.model.expressions import Scalar
from multiloop.model.expressions.evaluation import same_for_all
from multiloop.model.faults import Fault
from multiloop.model.lazy_methods import opens
from multiloop.model.link_words import beam_words
from multiloop.model.markers import Marker, Vector, are_pairs, scalar, value_of
from multiloop.model.sections import NamedSection, Section

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism

AUTO, NATURAL, INTERFACE, NODAL = "auto", "natural", "interface", "nodal"

FRAMES = ("a", "chord", "free", AUTO)
"""Where the body's frame sits: clamped to the section at a, through both ends, at its mean axes, or by its joints."""

BASES = (NATURAL, INTERFACE, NODAL, AUTO)
"""Natural modes; static shapes for what its ends may do and natural modes beside; the coordinates of its nodes."""

WAYS = ("y", "z", "x", "twist")
"""In which ways a straight beam can deform."""

EVERY_END = ("a", "b")
"""Interfaces unless others are given: all components of both ends."""

USUAL = 2
"""The least number of modes by default, in each plane of bending."""

SPACE = "space"
"""The way of a beam whose line leaves its plane."""

CRANKED = ("y", "z", "space")
"""In which ways a link with corners can: within its plane x–y, out of it, or both together."""


@dataclass(frozen=True)
class Beam(Body):
    """An elastic link from marker `a` to marker `b`; `multiloop.beam` makes one.

    It is straight along x, or goes through the points of `through` with rigid corners. `modes` says how many shapes it
    has for each way: "y", "z" (bending), "x" (stretching), "twist"; of a cranked link "y" within its plane and "z" out
    of it, or "space" where its points leave the plane; of the basis "nodal" its nodes are counted. With `stiffening` it
    keeps its length as it bends, so that axial forces stiffen or buckle it. `damping` is the part of critical that each
    shape has, one number for all or one for each, or `Rayleigh(alpha, beta)`. `section_at_b` is where it tapers to,
    `masses` are point masses at markers. Its mass, mass centre and inertia follow from all this, its length from
    `through`, and G if unsaid is E/2.6.
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
    section: NamedSection = field(default=Section(0.0, 0.0), kw_only=True)
    section_at_b: NamedSection | None = field(default=None, kw_only=True)
    shear: bool = field(default=False, kw_only=True)
    masses: Masses = field(default=(), kw_only=True)
    modes: Counts = field(default=AUTO, kw_only=True)  # type: ignore[arg-type]  # becomes pairs
    frame: str = field(default=AUTO, kw_only=True)
    basis: Basis = field(default=AUTO, kw_only=True)
    interfaces: tuple[str, ...] = field(default=EVERY_END, kw_only=True)
    stiffening: bool = field(default=True, kw_only=True)
    damping: Scalar | Vector | Rayleigh = field(default=0.0, kw_only=True)
    elements: int = field(default=16, kw_only=True)

    derived_from = ("M15", "its line, its material and its sections")
    asked_for = (("length", "through"), ("E",), ("density",), ("section",))

    reduced = opens(
        "multiloop.flexible.kinds_of_beams", "reduced_link", "What the recursion needs of the body."
    )
    centreline = opens(
        "multiloop.flexible.kinds_of_beams", "line_of_link", "The beam along its length, in numbers."
    )
    shapes = opens(
        "multiloop.flexible.beam_shape_table",
        "beam_shape_table",
        "Its shapes by way, with their frequencies and what they hold of what inertia bends.\n\nKeywords: planar.",
    )
    frequencies = opens(
        "multiloop.flexible.beam_shape_table",
        "natural_frequencies",
        "Natural frequencies of its shapes, rad/s.\n\nKeywords: planar.",
    )
    explained_shapes = opens("multiloop.flexible.explained_beam", "explained_beam", "How it bends, in words.")
    draw_shapes = opens(
        "multiloop.view", "draw_shapes", "Draw its shapes side by side.\n\nKeywords: planar, path."
    )

    nodal_counts = opens(
        "multiloop.flexible.elements.shapes", "nodal_counts", "How many coordinates its nodes have, by way."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        set_field = object.__setattr__
        for name in ("length", "E", "G", "density"):
            set_field(self, name, scalar(getattr(self, name)))
        set_field(self, "damping", as_damping(self.damping))
        set_field(self, "masses", as_masses(self.masses))
        set_field(self, "elements", as_whole(self.elements))
        set_field(self, "basis", as_basis(self.basis))
        set_field(self, "through", as_points(self.through))
        if isinstance(self.interfaces, list):
            set_field(self, "interfaces", tuple(self.interfaces))
        self._derive()

    def _derive(self) -> None:
        """What follows from its line, its material and its sections; nothing where they are none."""
        set_field, cranked = object.__setattr__, self.through != ()
        sound = not cranked or not list(line_faults("", self.through))
        unsaid = self._first_way
        if not self.open_modes or self.nodal:
            set_field(self, "modes", as_counts((unsaid,) if self.open_modes else self.modes, unsaid))
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
            found = beam_properties(
                self.markers, self.through, self.length, self.density, sections, self.masses
            )
            for name, value in found.items():
                set_field(self, name, value)
        if self.nodal:
            set_field(self, "modes", counted_nodes(self))

    @property
    def derived(self) -> tuple[str, ...]:
        """Mass properties; the length of a line through points, and G where nobody said it."""
        own = {"length": bool(self.through), "G": shear_modulus(self.E) == self.G}
        return (*WEIGHT, *(name for name, follows in own.items() if follows))

    @property
    def open_modes(self) -> bool:
        """Whether its ways and the numbers of its modes are left to its joints."""
        return isinstance(self.modes, str) and self.modes == AUTO

    @property
    def _first_way(self) -> str:
        """Along y, or all ways where its line leaves its plane."""
        sound = self.through != () and not list(line_faults("", self.through))
        return SPACE if sound and leaves_plane(self.through) else "y"

    @property
    def counts(self) -> tuple[tuple[str, int], ...]:
        """Numbers of modes by way: the usual one where they are open, none where they are invalid."""
        if self.open_modes:
            return ((self._first_way, USUAL),)
        return self.modes if are_pairs(self.modes) else ()

    @property
    def nodal(self) -> bool:
        """Whether its elastic coordinates are those of its nodes."""
        return isinstance(self.basis, str) and self.basis == NODAL

    def basis_of(self, way: str) -> str:
        """Which shapes a way has: natural ones where nobody says it."""
        found = self.basis if isinstance(self.basis, str) else dict(self.basis).get(way, NATURAL)
        return NATURAL if found == AUTO else found

    @property
    def elastic(self) -> int:
        """The number of its elastic coordinates."""
        return len(self.ways)

    @property
    def elastic_units(self) -> tuple[str, ...]:
        """Metres of the largest deflection; a twist is an angle."""
        return tuple("rad" if way == "twist" else "m" for way, _ in self.ways)

    @property
    def ways(self) -> tuple[tuple[str, int], ...]:
        """Every coordinate: the way that it deforms, and which of the shapes of that way it is."""
        return tuple((way, k) for way, count in self.counts if is_count(count) for k in range(count))

    @property
    def positive(self) -> dict[str, Scalar]:
        """Its length, material and sections, as far as its ways of deforming ask for them."""
        from multiloop.model.beam_faults import numbers_above_zero

        return numbers_above_zero(self)

    @property
    def kept(self) -> dict[str, Scalar]:
        """The places of markers that parameters move, where its own shapes are taken at once."""
        return {} if self.uniform else self._moved_places

    @property
    def within(self) -> dict[str, Scalar]:
        """The places of markers that parameters move: shapes of a uniform beam are known at all of them."""
        return self._moved_places if self.uniform else {}

    @property
    def _moved_places(self) -> dict[str, Scalar]:
        """Parts of a straight length at which markers stand that parameters move."""
        if self.through:
            return {}
        places = {f"marker '{name}'": marker.point[0] / self.length for name, marker in self.markers}
        return {name: place for name, place in places.items() if not same_for_all(place)}

    @property
    def uniform(self) -> bool:
        """Whether its shapes are those of a uniform straight beam by itself, which depend on no number of it.

        One that twists is not: twist turns what is bent, so that it buckles sideways, and inclines its fibres.
        """
        twists = self.stiffening and "twist" in dict(self.counts)
        more = self.through or self.section_at_b is not None or self.masses or self.shear or twists
        more = more or leaves_line([marker.point for _, marker in self.markers], self.length)
        natural = self.basis in (NATURAL, AUTO) if isinstance(self.basis, str) else False
        return not more and self.frame != "free" and natural

    def rigid(self) -> Body:
        """The rigid body that it is when it does not bend: the same mass, inertia and markers."""
        same = {entry.name: getattr(self, entry.name) for entry in fields(Body)}
        return Body(**same)

    def settled(self, mechanism: Mechanism) -> Beam:
        """The beam with frame, basis and modes by the joints at its ends, where these are left open."""
        from multiloop.model.beam_joining import joined_beam

        open_frame, open_basis = (isinstance(one, str) and one == AUTO for one in (self.frame, self.basis))
        if not (open_frame or open_basis or self.open_modes) or not isinstance(self.frame, str):
            return self
        return joined_beam(self, mechanism)

    def further_faults(self, planar: bool) -> Iterator[Fault]:
        """A line, a material and a section that can be, and shapes that there are."""
        from multiloop.model.beam_faults import beam_faults

        yield from beam_faults(f"body '{self.name}'", self, planar)

    def __repr__(self) -> str:
        return beam_words(self)
