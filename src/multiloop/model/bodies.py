"""Bodies (links) of a mechanism: mass, mass centre, inertia and markers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from multiloop.model.deprecation import accept_earlier_names
from multiloop.model.expressions import Scalar
from multiloop.model.faults import Fault, ModelError, name_text, suggestion
from multiloop.model.floating_frame import ReducedBody
from multiloop.model.marker_poses import Resolve, rigid_body
from multiloop.model.markers import (
    Marker,
    Markers,
    StopAtFirstFault,
    Vector,
    are_pairs,
    as_marker,
    as_pairs,
    number_text,
    scalar,
    vector,
)
from multiloop.model.synonyms import SuggestsArguments

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism

GROUND = "ground"

MISSING_INERTIA_REMEDY = "Give `inertia` too, or remove `inertia_at`."
"""The remedy in the error message for `inertia_at` without `inertia`."""

Inertia = Scalar | Vector | Annotated[tuple[Vector, ...], StopAtFirstFault()]
"""Inertia (kg m²): about z for a planar mechanism; principal moments (xx, yy, zz) or a 3×3 tensor for a spatial one."""

MASS_FIELDS = ("mass", "com", "inertia", "inertia_at")
"""Names of the fields that are computed, instead of given, for a body that is described by material and geometry."""


@dataclass(frozen=True)
class Body(SuggestsArguments):
    """A rigid link.

    `com` is the mass centre in the body's frame. `inertia` (kg m²) is taken about `inertia_at`: the mass
    centre ("com"), the body's origin ("origin") or one of its markers, along the axes of the body's frame.
    Every body also has the markers `origin` and `com`. `outline` lists the markers between which it is drawn.
    """

    name: str
    mass: Scalar = 0.0
    com: Vector = (0.0,)
    inertia: Inertia = 0.0
    inertia_at: str = "com"
    markers: Markers = ()
    outline: tuple[str, ...] = field(default=(), kw_only=True)

    derived_from: ClassVar[tuple[str, str]] = ("M03", "its dimensions")
    """Two texts for error messages: the code of faults of material and geometry, and a phrase such as "its dimensions"
    for the data from which the `derived_fields` are computed."""

    asked_for: ClassVar[tuple[tuple[str, ...], ...]] = ()
    """Fields that are required in a file although they have a default in Python; each tuple contains the names of
    alternative fields, one of which is required."""

    out_of_plane_hint: ClassVar[str] = ""
    """Sentence added to the error message for a marker with a third coordinate in a planar mechanism."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        accept_earlier_names(
            cls,
            {
                "settled": "with_defaults",
                "derived": "derived_fields",
                "positive": "positive_numbers",
                "kept": "fixed_numbers",
                "within": "unit_interval_numbers",
                "explained_shapes": "describe_modes",
                "beside_plane": "out_of_plane_hint",
            },
        )

    def __post_init__(self) -> None:
        set_field = object.__setattr__
        set_field(self, "mass", scalar(self.mass))
        set_field(self, "com", vector(self.com))
        set_field(self, "inertia", as_tensor(self.inertia))
        named = as_pairs(self.markers)
        if are_pairs(named):
            named = tuple((name, as_marker(value)) for name, value in named)
        set_field(self, "markers", named)
        if isinstance(self.outline, list):
            set_field(self, "outline", tuple(self.outline))

    def marker(self, name: str) -> Marker:
        """The marker with this name; `origin` and `com` are built in."""
        if name == "origin":
            return Marker((0.0,))
        if name == "com":
            return Marker(self.com)
        found = self._markers_by_name.get(name)
        if found is None:
            fault = Fault("T03", f"marker '{name}'", "does not exist.", suggestion(name, self.marker_names))
            raise ModelError(f"body '{self.name}'", [fault])
        return found

    @cached_property
    def _markers_by_name(self) -> dict[str, Marker]:
        return dict(self.markers)

    def __repr__(self) -> str:
        known = self.markers if are_pairs(self.markers) else ()
        has = f"; markers {', '.join(name_text(name) for name, _ in known)}" if known else ""
        return f"{type(self).__name__} '{name_text(self.name)}': {number_text(self.mass, ' kg')}{has}."

    @property
    def marker_names(self) -> tuple[str, ...]:
        """The names of all markers: those of the user, then `origin` and `com`."""
        return (*(name for name, _ in self.markers), "origin", "com")

    def has_marker(self, name: str) -> bool:
        """Whether the body has a marker with this name; `origin` and `com` are built in."""
        return name in self._markers_by_name or name in ("origin", "com")

    @property
    def elastic(self) -> int:
        """The number of elastic coordinates; 0 for a rigid body."""
        return 0

    @property
    def elastic_units(self) -> tuple[str, ...]:
        """The unit of each elastic coordinate, "m" or "rad"; "1" if the scale of the mode shapes is arbitrary."""
        return ("1",) * self.elastic

    @property
    def positive_numbers(self) -> dict[str, Scalar]:
        """Numbers besides mass and inertia that must be positive, by the noun that denotes them in messages."""
        return {}

    @property
    def fixed_numbers(self) -> dict[str, Scalar]:
        """Numbers that must be equal in all designs of a sweep, by the noun that denotes them in messages.

        The modes of a flexible body are computed once, for the values in the description.
        """
        return {}

    @property
    def unit_interval_numbers(self) -> dict[str, Scalar]:
        """Numbers that must be between 0 and 1 in all designs of a sweep, by the noun that denotes them in messages.

        Outside this interval the mode shapes of a flexible body would not be valid.
        """
        return {}

    @property
    def derived_fields(self) -> tuple[str, ...]:
        """Names of the fields that are computed from other fields: computed again when the other fields change, and not
        written to files."""
        return ()

    def reduced(self, handle: str, resolve: Resolve, planar: bool, share: float = 1.0) -> ReducedBody:
        """The `ReducedBody` in the frame of the marker `handle`: the data of the body for the recursive algorithms.

        `resolve` replaces parameters by symbols or numbers; `share` is the fraction of the mass that is included, less
        than 1 for a rigid body that is split to open a loop. Subclasses for flexible bodies override this method.
        """
        return rigid_body(self, handle, resolve, planar, share)

    def with_defaults(self, mechanism: Mechanism) -> Body:
        """The body itself or, if it has fields whose default depends on the joints, a copy in which these fields have
        their values."""
        return self

    def centreline(self) -> Any:
        """The centreline of the body, a `BeamCentreline`; None if the body is not a beam."""
        return None

    def deformed_mesh(self, planar: bool = False) -> Any:
        """The finite-element mesh of the body with its modes, a `DeformedMesh`; None if it has no mesh."""
        return None

    def describe_modes(self, planar: bool = False, seats: Sequence[str] = ()) -> str:
        """Text on modes, frequencies and truncation error of a flexible body; empty for a rigid body.

        `seats` are the names of the markers at which joints connect the body to others.
        """
        return ""

    def further_faults(self, planar: bool) -> Iterator[Fault]:
        """Faults of the fields that a subclass adds; subclasses override this method."""
        yield from ()


def as_tensor(value: Any) -> Any:
    """Convert an inertia, given as a number, list or array, to a number or to nested tuples of the same shape."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return tuple(vector(row) if isinstance(row, list | tuple) else scalar(row) for row in value)
    return scalar(value)
