"""The links of a mechanism: what they weigh, where their weight is, and where their markers are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from multiloop.model.brief import brief
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
    value_of,
    vector,
)
from multiloop.model.polygons import uniform_plate
from multiloop.model.reduced import ReducedBody

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism

GROUND = "ground"

NO_INERTIA = "Give `inertia` too, or leave `inertia_at` out."
"""The remedy where a point is named and nothing is about it."""

Inertia = Scalar | Vector | Annotated[tuple[Vector, ...], FirstFault()]
"""About z in the plane; principal moments (xx, yy, zz) or a full 3×3 tensor in space."""


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
    def positive(self) -> dict[str, Scalar]:
        """Numbers of it, by what they are, that must be above zero besides its mass and inertia."""
        return {}

    @property
    def kept(self) -> dict[str, Scalar]:
        """Numbers that its reduction takes at the described values of parameters: other designs must share them."""
        return {}

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

    def explained_shapes(self, planar: bool = False) -> str:
        """How it bends, in words; nothing where its number of coordinates says it all."""
        return ""

    def further_faults(self, planar: bool) -> Iterator[Fault]:
        """What is wrong with the body beyond its mass, its inertia and its markers; another kind may say more."""
        yield from ()


def ground(markers: Mapping[str, Any] | None = None, **named: Any) -> Body:
    """The fixed frame with its markers: `ground(A=(0, 0), D=(1.0, 0))`."""
    return Body(GROUND, markers=_together(markers, named))


def rod(
    name: str,
    *,
    length: Scalar,
    mass: Scalar,
    inertia: Inertia | None = None,
    com: Scalar | Vector | None = None,
    inertia_at: str = "com",
    markers: Mapping[str, Any] | None = None,
) -> Body:
    """A straight link along x from marker `a` (its origin) to marker `b`.

    Without `inertia` it is slender and uniform, m L²/12 about its middle and nothing about its own axis; a
    number is the moment about the axes across it. A number for a further marker is its distance from `a`;
    `a` and `b` may be given anew, to turn their axes. A length that is none is a ModelError at once.
    """
    length, mass = scalar(length), scalar(mass)
    faults = [*_length_faults(length), *_missing_inertia_faults(inertia, inertia_at)]
    if faults:
        raise ModelError(f"body '{name}'", faults)
    if inertia is None:
        inertia = mass * length * length / 12 if value_of(mass) is not None else 0.0
    across = as_tensor(inertia)
    given = pairs({} if markers is None else markers)
    return Body(
        name,
        mass=mass,
        com=vector(length / 2 if com is None else com),
        inertia=across if isinstance(across, tuple) else (0.0, across, across),
        inertia_at=inertia_at,
        markers=pairs({"a": 0.0, "b": length} | dict(given)) if are_pairs(given) else given,
        outline=("a", "b"),
    )


def plate(
    name: str,
    *,
    corners: Mapping[str, Any] | Sequence[Any] | np.ndarray,
    mass: Scalar,
    com: Vector | None = None,
    inertia: Inertia | None = None,
    inertia_at: str = "com",
    markers: Mapping[str, Any] | None = None,
) -> Body:
    """A thin uniform plate in its own x–y plane whose corners, in order, are markers.

    Corners listed without names are called c1, c2, … The mass centre and the moments of inertia are those
    of the polygon unless they are given; the corners must then enclose an area (else a ModelError).
    """
    faults = list(_missing_inertia_faults(inertia, inertia_at))
    if faults:
        raise ModelError(f"body '{name}'", faults)
    named = _named_corners(corners)
    around = tuple(named) if are_pairs(named) else ()
    if com is None or inertia is None:
        points = [(corner, as_marker(value).point) for corner, value in around]
        centre, tensor = uniform_plate(name, points, scalar(mass))
        com = centre if com is None else com
        inertia = tensor if inertia is None else inertia
    return Body(
        name,
        mass=mass,
        com=vector(com),
        inertia=inertia,
        inertia_at=inertia_at,
        markers=_together(named, markers),
        outline=tuple(corner for corner, _ in around),
    )


def _length_faults(length: Any) -> Iterator[Fault]:
    value = value_of(length)
    if value is None or value <= 0:
        said = f"{value:g} m" if value is not None else f"{brief(length)}"
        remedy = "Give a number of metres above zero, or a Parameter that has one."
        yield Fault("M13", "its length", f"is {said}.", remedy)


def _missing_inertia_faults(inertia: Any, inertia_at: Any) -> Iterator[Fault]:
    """Of a uniform body: its inertia is about the mass centre, so that naming another point must be a slip."""
    if inertia is None and not (isinstance(inertia_at, str) and inertia_at == "com"):
        yield Fault(
            "M08",
            "its inertia",
            f"is not given, yet `inertia_at` is {brief(inertia_at)}.",
            NO_INERTIA,
        )


def _named_corners(corners: Any) -> Any:
    """Corners with their names; points listed without any are called c1, c2, …"""
    if isinstance(corners, np.ndarray):
        corners = corners.tolist()
    named = not isinstance(corners, list | tuple) or any(
        isinstance(entry, list | tuple) and isinstance((*entry, None)[0], str) for entry in corners
    )
    return pairs(corners) if named else tuple((f"c{k}", point) for k, point in enumerate(corners, 1))


def _together(*groups: Any) -> Any:
    """Groups of named markers as one; what is no such group is handed on, for the checks to name."""
    found = [pairs({} if group is None else group) for group in groups]
    wrong = [group for group in found if not are_pairs(group)]
    return wrong[0] if wrong else tuple(item for group in found for item in group)


def as_tensor(value: Any) -> Any:
    """An inertia as immutable nested tuples, shape unchanged."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return tuple(vector(row) if isinstance(row, list | tuple) else scalar(row) for row in value)
    return scalar(value)
