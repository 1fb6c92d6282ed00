"""Markers (named frames on a body), references to markers, and conversions of the values of a description.

A reference "body.marker" names a marker and "body.eta" the elastic coordinates of a body. The conversions change values
as users write them to floats, tuples and expressions; invalid values are returned unchanged, since the checks of a
mechanism report them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf, isfinite
from typing import Annotated, Any

import numpy as np
from pydantic import BeforeValidator, FailFast, Field, PlainSerializer

from multiloop.model.expressions import (
    Constant,
    Expression,
    Scalar,
    depends_on_state,
    depends_on_time,
    evaluate,
)
from multiloop.model.expressions.expression import is_number
from multiloop.model.faults import short_repr
from multiloop.model.synonyms import SuggestsArguments

MAX_MAGNITUDE = 1e60
"""Largest allowed magnitude of a number in a description, so that products of a few such numbers do not overflow."""


class StopAtFirstFault(FailFast):
    """Annotation that makes pydantic stop reading a list at its first fault; hashable, as unions of types require."""

    def __hash__(self) -> int:
        return hash(StopAtFirstFault)


Vector = Annotated[tuple[Scalar, ...], StopAtFirstFault()]
"""A point or direction of one to three components; missing trailing components are zero."""


@dataclass(frozen=True)
class Marker(SuggestsArguments):
    """A frame fixed to a body.

    `point` is its origin in the body's frame. In a planar mechanism `angle` is its rotation about z; in a spatial one
    `z` and `x` are the directions of its axes (x is made perpendicular to z; by default a fixed rule chooses it, see
    docs/joints.md).
    """

    point: Vector
    angle: Scalar = 0.0
    z: Vector | None = None
    x: Vector | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "point", vector(self.point))
        object.__setattr__(self, "angle", scalar(self.angle))
        for axis in ("z", "x"):
            if getattr(self, axis) is not None:
                object.__setattr__(self, axis, vector(getattr(self, axis)))


def marker(point: Any, *, angle: Scalar = 0.0, z: Vector | None = None, x: Vector | None = None) -> Marker:
    """A marker with its origin at `point` in the body's frame, and rotated axes.

    Example for a planar mechanism: `marker((0.1, 0), angle=0.5)`, for a spatial one: `marker((0, 0, 1), z=(1, 0, 0))`.
    """
    return Marker(point, angle, z, x)


def as_marker(value: Any) -> Marker:
    """Convert a point, or a distance along x, to a Marker; a Marker is returned unchanged."""
    return value if isinstance(value, Marker) else Marker(value)


def vector(value: Any) -> Vector:
    """Convert the components of a point or direction to a tuple; a single number is the component along x."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return tuple(scalar(component) for component in value)
    return (scalar(value),)


def scalar(value: Any) -> Any:
    """Convert a real number or a constant to a float, with 0.0 for -0.0.

    Other expressions, and invalid values, which the checks report, are returned unchanged.
    """
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value.item()
    if isinstance(value, Constant):
        return value.value
    if not is_number(value):
        return value
    try:
        return float(value) + 0.0
    except OverflowError:  # an integer beyond the range of floats
        return inf if value > 0 else -inf


def value_of(value: Any) -> float | None:
    """The value of a scalar for the described values of parameters; None if invalid or larger than MAX_MAGNITUDE."""
    number = finite_value_of(value)
    return number if number is not None and abs(number) <= MAX_MAGNITUDE else None


def finite_value_of(value: Any) -> float | None:
    """The value of a scalar for the described values of parameters; None if it is invalid or not finite."""
    if isinstance(value, Expression):
        if depends_on_time(value) or depends_on_state(value):
            return None
        try:
            return float(evaluate(value))
        except ValueError:  # for instance a division by zero, or a table evaluated beyond its range
            return None
    number = scalar(value)
    return number if isinstance(number, float) and isfinite(number) else None


def as_pairs(value: Any) -> Any:
    """Convert a mapping, or a list of pairs, to a tuple of pairs in the same order.

    Any other value is invalid and is returned unchanged, since the checks report it.
    """
    if isinstance(value, Mapping):
        return tuple(value.items())
    if isinstance(value, list | tuple) and all(isinstance(item, list | tuple) for item in value):
        found = tuple(tuple(item) for item in value)
        return found if are_pairs(found) else value
    return value


def are_pairs(value: Any) -> bool:
    """Whether a value is a tuple of pairs, as `as_pairs` returns for valid values."""
    return isinstance(value, tuple) and all(isinstance(item, tuple) and len(item) == 2 for item in value)


def as_mapping(value: Any) -> Any:
    """Convert pairs of name and values, such as the `guess` of a mechanism, to a dict; other values are unchanged."""
    found = value if isinstance(value, Mapping) else as_pairs(value)
    named = are_pairs(found) and all(isinstance(name, str) for name, _ in found)
    return dict(found) if named else value


def _serialise_markers(items: tuple[tuple[str, Marker], ...]) -> dict[str, Any]:
    """Data of the markers `items` (pairs of name and marker) for files: a marker without rotation as a list of
    coordinates, others as a mapping."""
    from multiloop.model.serialise.plain_data import to_data

    found: dict[str, Any] = {}
    for name, held in items:
        data = {key: value for key, value in to_data(held).items() if key != "kind"}
        found[name] = data["point"] if set(data) == {"point"} else data
    return found


def _read_markers(value: Any) -> Any:
    named = as_pairs(value)
    if not are_pairs(named):
        raise ValueError(f"{short_repr(value)} is not a mapping of names to points")
    return tuple(
        (name, held if isinstance(held, dict | Marker) else {"point": _as_point(held)})
        for name, held in named
    )


def _as_point(point: Any) -> Any:
    """Convert a point in a file to a list of coordinates; a single number is a distance along x."""
    return [point] if is_number(point) or isinstance(point, str) else point


Point = Scalar | Annotated[Vector, Field(max_length=3)]
"""A point in a file: its coordinates, or its distance along x."""

NamedPoints = dict[str, Point | Marker]
"""Points or markers by name in a file."""

Markers = Annotated[
    tuple[tuple[str, Marker], ...],
    BeforeValidator(_read_markers, json_schema_input_type=NamedPoints),
    PlainSerializer(_serialise_markers),
]
"""The field `markers` of a body: pairs of name and marker in the user's order; written to files as a mapping."""


ETA = "eta"
"""Name of the elastic coordinates in a reference, "coupler.eta"."""


def body_of(reference: str) -> str:
    """The name of the body in a reference "body.marker"."""
    return str(reference).partition(".")[0]


def elastic_names(count: int) -> tuple[str, ...]:
    """The names of the elastic coordinates of a body: eta1, eta2, …"""
    return tuple(f"{ETA}{k}" for k in range(1, count + 1))


def is_elastic_name(component: str) -> bool:
    """Whether a component name is that of an elastic coordinate."""
    return component.startswith(ETA)


def number_text(value: Any, unit: str = "") -> str:
    """Text of a number with five digits and its unit; for an expression, its value for the described parameters is
    written."""
    number = value_of(value)
    if number is None:
        return f"{short_repr(value)}{unit}"
    return f"{number:.5g}{unit}" + (" (depends on parameters)" if isinstance(value, Expression) else "")


def percent_text(part: float) -> str:
    """Text of a fraction in percent, with two significant digits: "0.57 %", "100 %"."""
    share = 100 * part
    return f"{share:.0f} %" if share >= 99.5 else f"{share:.2g} %"


def product_text(values: Any) -> str:
    """Text of several dimensions as a product: "0.9 × 0.02 × 0.01"."""
    return " × ".join(map(number_text, values))
