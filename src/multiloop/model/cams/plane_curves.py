"""Curves in the plane of a marker: profiles of cams, and slots in which a pin moves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from math import tau
from typing import Annotated, Any

import numpy as np
from pydantic import BeforeValidator, Discriminator, Tag

from multiloop.model.body_geometry import Resolve
from multiloop.model.expressions import Expression, Scalar, cam_angle, lift, table
from multiloop.model.faults import short_repr, suggestion
from multiloop.model.markers import Vector, scalar, vector


@dataclass(frozen=True)
class Circle:
    """A circle about `centre`, which need not be the marker's origin: an eccentric."""

    radius: Scalar
    centre: Vector = (0.0, 0.0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "radius", scalar(self.radius))
        object.__setattr__(self, "centre", (*vector(self.centre), 0.0)[:2])

    def resolved(self, resolve: Resolve) -> Circle:
        """The circle with its expressions replaced by numbers or symbols."""
        return Circle(resolve(self.radius), tuple(resolve(part) for part in self.centre))


@dataclass(frozen=True)
class Curve:
    """A smooth curve (x(u), y(u)), written as expressions of `cam_angle`, from u = begin to u = end.

    A `closed` curve ends where it begins, without a corner, in either sense of rotation.
    """

    x: Scalar
    y: Scalar
    begin: float = 0.0
    end: float = tau
    closed: bool = True

    def __post_init__(self) -> None:
        for name in ("x", "y", "begin", "end"):
            object.__setattr__(self, name, scalar(getattr(self, name)))

    @property
    def coordinates(self) -> tuple[Expression, Expression]:
        """x and y as expressions."""
        return lift(self.x), lift(self.y)


def spline(points: Iterable[Sequence[float]], *, closed: bool = True) -> Curve:
    """A smooth curve through points, by cubic splines over the chord length.

    Do not repeat the first point at the end of a closed curve. The curvature is continuous; the ends of an open curve
    are those of a cubic table.
    """
    given: Any = np.array([tuple(point) for point in points], float)
    least = 3 if closed else 2
    if given.ndim != 2 or given.shape[1] != 2 or len(given) < least:
        raise ValueError(
            f"spline: its points make an array of shape {given.shape}. Give at least {least} points (x, y)."
        )
    ring = np.vstack([given, given[:1]]) if closed else given
    chords = np.hypot(*np.diff(ring, axis=0).T)
    if not np.isfinite(chords).all() or not (chords > 0).all():
        where = int(np.flatnonzero(~(chords > 0))[0])
        raise ValueError(
            f"spline: points {where} and {(where + 1) % len(given)} coincide. Remove one of them."
        )
    knots = np.concatenate([[0.0], np.cumsum(chords)])
    knots *= tau / knots[-1]
    x, y = (table(knots, column, of=cam_angle, periodic=closed) for column in ring.T)
    return Curve(x, y, closed=closed)


CURVE_FORMS = "{radius: 0.03, centre: [0.01, 0]} or {x: …, y: …} with expressions of cam_angle"


def _read_curve(value: Any) -> Any:
    """The data of a curve in a file, with the fields of a Circle or a Curve; anything else raises a ValueError."""
    if isinstance(value, Circle | Curve):
        return value
    if not isinstance(value, Mapping):
        raise ValueError(f"{short_repr(value)} is not a curve. Write {CURVE_FORMS}")
    kind = Circle if _curve_kind(value) == CIRCLE else Curve
    known = [entry.name for entry in fields(kind)]
    for name in value:
        if name not in known:
            raise ValueError(
                f"a {kind.__name__} has no field {short_repr(name)}. {suggestion(str(name), known)}"
            )
    for entry in fields(kind):
        if entry.default is MISSING and entry.name not in value:
            raise ValueError(f"a {kind.__name__} needs the field '{entry.name}'. Write {CURVE_FORMS}")
    return value


CIRCLE, CURVE = "[circle]", "[curve]"
"""Tags of the two classes for pydantic, which messages omit."""


def _curve_kind(value: Any) -> str:
    given = set(value) if isinstance(value, Mapping) else set()
    return CURVE if isinstance(value, Curve) or given & {"x", "y", "begin", "end", "closed"} else CIRCLE


PlaneCurve = Annotated[
    Annotated[Circle, Tag(CIRCLE)] | Annotated[Curve, Tag(CURVE)],
    Discriminator(_curve_kind),
    BeforeValidator(_read_curve),
]
"""The profile of a cam, or the curve on which a point moves."""
