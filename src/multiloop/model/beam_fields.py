"""How fields of a beam are written: counts of shapes and point masses by name, and what stands for a number unsaid."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BeforeValidator, PlainSerializer, WrapValidator

from multiloop.model.brief import brief
from multiloop.model.expressions import Scalar
from multiloop.model.markers import are_pairs, pairs, scalar, value_of

MOST_SHAPES = 10_000
"""Shapes of a link, far beyond what any has."""

MOST_ELEMENTS = 200
"""Elements of a beam, for which a gigabyte is enough: far more than shapes need."""

TO_COUNT = 0
"""Stands for the number of shapes of a way that is named alone, until its nodes are counted."""


def as_counts(value: Any, unsaid: str = "") -> Any:
    """How many shapes by way; of a number alone the way is yet unsaid, of ways alone the number."""
    if isinstance(value, list | tuple) and value and all(isinstance(way, str) for way in value):
        return tuple((way, TO_COUNT) for way in value)
    number = as_whole(value)
    if isinstance(number, int) and not isinstance(number, bool):
        return ((unsaid, number),)
    found = pairs(value)
    return tuple((way or unsaid, as_whole(count)) for way, count in found) if are_pairs(found) else value


def as_basis(value: Any) -> Any:
    """One basis for all ways, or one for each by name; where these are alike, that one."""
    found = pairs(value) if not isinstance(value, str) else value
    if not isinstance(found, str) and are_pairs(found) and len({basis for _, basis in found}) == 1:
        return found[0][1]
    return found


def as_whole(value: Any) -> Any:
    """NumPy's whole numbers as Python's."""
    return int(value) if isinstance(value, np.integer) else value


def is_count(value: Any) -> bool:
    """Whether it is a number of shapes that a link can have."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value <= MOST_SHAPES


def counted_nodes(beam: Any) -> Any:
    """Counts of a beam with those of its nodes where ways are named alone; as they are where it has no nodes yet."""
    if (
        not are_pairs(beam.modes)
        or not isinstance(beam.elements, int)
        or not 0 < beam.elements <= MOST_ELEMENTS
    ):
        return beam.modes
    if all(count != TO_COUNT for _, count in beam.modes):
        return beam.modes
    nodes = beam.nodal_counts()
    return tuple((way, nodes.get(way, count) if count == TO_COUNT else count) for way, count in beam.modes)


def as_masses(value: Any) -> Any:
    """Masses by the names of markers."""
    found = pairs(value)
    return tuple((name, scalar(mass)) for name, mass in found) if are_pairs(found) else value


def shear_modulus(E: Scalar) -> Scalar:
    """G = E / 2 (1 + ν) at ν = 0.3, unless it is said."""
    return E / 2.6 if value_of(E) else 0.0


def _by_way(given: Any) -> Any:
    return given if isinstance(given, str) else dict(given)


def _plain(items: tuple[tuple[str, Scalar], ...]) -> dict[str, Any]:
    return {name: mass if isinstance(mass, float) else str(mass) for name, mass in items}


def _read_counts(value: Any) -> Any:
    """As a file has them."""
    found = as_counts(value)
    if not are_pairs(found):
        raise ValueError(f"{brief(value)} is no number of shapes. Write 2, or {{y: 2, z: 1}}")
    return found


def _read_masses(value: Any) -> Any:
    """As a file has them."""
    found = as_masses(value)
    if not are_pairs(found):
        raise ValueError(f"{brief(value)} are no masses by marker. Write {{b: 0.2}}")
    return found


def _read_open(value: Any, read: Callable[[Any], Any]) -> Any:
    """Counts, or the word that leaves them open."""
    return value if isinstance(value, str) and value == "auto" else read(_read_counts(value))


Counts = Annotated[
    tuple[tuple[str, int], ...],
    WrapValidator(_read_open, json_schema_input_type=int | Literal["auto"] | list[str] | dict[str, int]),
    PlainSerializer(_by_way),
]
"""How many modes for each way, or "auto"; written to files as a mapping."""

Basis = Annotated[
    str | tuple[tuple[str, str], ...],
    BeforeValidator(as_basis, json_schema_input_type=str | dict[str, str]),
    PlainSerializer(_by_way),
]
"""Which shapes, for all ways or by way; written to files as a word or a mapping."""

Masses = Annotated[
    tuple[tuple[str, Scalar], ...],
    BeforeValidator(_read_masses, json_schema_input_type=dict[str, Scalar]),
    PlainSerializer(_plain),
]
"""Point masses by marker; written to files as a mapping."""
