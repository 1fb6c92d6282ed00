"""The links of a mechanism: what they weigh, where their weight is, and where their markers are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from multiloop.model.brief import called
from multiloop.model.expressions import Scalar
from multiloop.model.faults import Fault, ModelError, suggestion
from multiloop.model.geometry import Resolve, rigid_body
from multiloop.model.markers import (
    FirstFault,
    Marker,
    Markers,
    Vector,
    are_pairs,
    as_marker,
    pairs,
    scalar,
    vector,
)
from multiloop.model.numbers_in_words import in_words
from multiloop.model.reduced import ReducedBody

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism

GROUND = "ground"

NO_INERTIA = "Give `inertia` too, or leave `inertia_at` out."
"""The remedy where a point is named and nothing is about it."""

Inertia = Scalar | Vector | Annotated[tuple[Vector, ...], FirstFault()]
"""About z in the plane; principal moments (xx, yy, zz) or a full 3×3 tensor in space."""

WEIGHT = ("mass", "com", "inertia", "inertia_at")
"""Fields that a link has by its material and its form, if it has these."""


@dataclass(frozen=True)
class Body:
    """A rigid link.

    `com` is the mass centre in the body's frame. `inertia` (kg m²) is taken about `inertia_at`: the mass
    centre ("com"), the body's origin ("origin") or one of its markers, along the axes of the body's frame.
    Every body also has the markers `origin` and `com`. `outline` only tells how to draw it.
    """

    name: str
    mass: Scalar = 0.0
    com: Vector = (0.0,)
    inertia: Inertia = 0.0
    inertia_at: str = "com"
    markers: Markers = ()
    outline: tuple[str, ...] = field(default=(), kw_only=True)

    derived_from: ClassVar[tuple[str, str]] = ("M03", "what it is made of")
    """The code of faults in what a kind of body is made of, and in words what its `derived` fields follow from."""

    asked_for: ClassVar[tuple[tuple[str, ...], ...]] = ()
    """Fields that a file must have although they have a default, each with what may stand in its place."""

    beside_plane: ClassVar[str] = ""
    """What else may be said of a marker that has a third coordinate in a planar mechanism."""

    def __post_init__(self) -> None:
        set_field = object.__setattr__
        set_field(self, "mass", scalar(self.mass))
        set_field(self, "com", vector(self.com))
        set_field(self, "inertia", as_tensor(self.inertia))
        named = pairs(self.markers)
        if are_pairs(named):
            named = tuple((name, as_marker(value)) for name, value in named)
        set_field(self, "markers", named)
        if isinstance(self.outline, list):
            set_field(self, "outline", tuple(self.outline))

    def marker(self, name: str) -> Marker:
        """The marker of that name, the built-in `origin` and `com` included."""
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
        has = f"; markers {', '.join(called(name) for name, _ in known)}" if known else ""
        return f"{type(self).__name__} '{called(self.name)}': {in_words(self.mass, ' kg')}{has}."

    @property
    def marker_names(self) -> tuple[str, ...]:
        """The user's markers first, then the two that every body has."""
        return (*(name for name, _ in self.markers), "origin", "com")

    def has_marker(self, name: str) -> bool:
        """Whether there is a marker of that name, its own or one that every body has."""
        return name in self._markers_by_name or name in ("origin", "com")

    @property
    def elastic(self) -> int:
        """The number of its elastic coordinates; another kind of body may have some."""
        return 0

    @property
    def elastic_units(self) -> tuple[str, ...]:
        """The unit of each elastic coordinate, "m" or "rad"; "1" where its shapes may be scaled anyhow."""
        return ("1",) * self.elastic

    @property
    def positive(self) -> dict[str, Scalar]:
        """Numbers of it, by what they are, that must be above zero besides its mass and inertia."""
        return {}

    @property
    def kept(self) -> dict[str, Scalar]:
        """Numbers that its reduction takes at the described values of parameters: other designs must share them."""
        return {}

    @property
    def within(self) -> dict[str, Scalar]:
        """Numbers that parameters may move, but not below 0 or above 1: there its reduction is another one."""
        return {}

    @property
    def derived(self) -> tuple[str, ...]:
        """Fields that follow from others: found anew whenever one of these changes, and not written to files."""
        return ()

    def reduced(self, handle: str, resolve: Resolve, planar: bool, share: float = 1.0) -> ReducedBody:
        """What the recursion needs of the body, seen from the frame of its marker `handle`.

        `resolve` puts symbols in the place of parameters; `share` is the part of its mass that counts, less than
        1 for a body that is split (one with elastic coordinates never is). Another kind of body answers this
        question in its own way, and nothing else has to know of it.
        """
        return rigid_body(self, handle, resolve, planar, share)

    def settled(self, mechanism: Mechanism) -> Body:
        """The same with what it leaves to the way it is joined; most bodies leave nothing."""
        return self

    def centreline(self) -> Any:
        """The body along its length, as `flexible.centreline` tells it; None where it knows no such line."""
        return None

    def deformed_mesh(self, planar: bool = False) -> Any:
        """The body as a mesh, as `flexible.deformed_mesh` tells it; None where it has none."""
        return None

    def explained_shapes(self, planar: bool = False, seats: Sequence[str] = ()) -> str:
        """How it bends, in words, with joints at some markers; nothing where its number of coordinates says it all."""
        return ""

    def further_faults(self, planar: bool) -> Iterator[Fault]:
        """What is wrong with the body beyond its mass, its inertia and its markers; another kind may say more."""
        yield from ()


def as_tensor(value: Any) -> Any:
    """An inertia as immutable nested tuples, shape unchanged."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return tuple(vector(row) if isinstance(row, list | tuple) else scalar(row) for row in value)
    return scalar(value)
