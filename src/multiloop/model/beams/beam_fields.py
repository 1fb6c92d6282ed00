"""Fields of a beam as users and files write them (numbers of modes, basis, point masses), and its one-line summary."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BeforeValidator, PlainSerializer, WrapValidator

from multiloop.model.expressions import Scalar
from multiloop.model.faults import count_text, short_repr
from multiloop.model.markers import are_pairs, as_pairs, number_text, scalar, value_of
from multiloop.model.modal_body import as_integer

if TYPE_CHECKING:
    from multiloop.model.beams.beam import Beam

MAX_ELEMENTS = 200
"""Maximum number of finite elements of a beam, which need less than 1 GB of memory."""

UNCOUNTED = 0
"""Placeholder for the number of modes of a deformation that is given without a number; `with_nodal_counts` replaces it
by the number of nodal coordinates of the deformation."""


def as_counts(value: Any, unsaid: str = "") -> Any:
    """Convert a value of the field `modes` to pairs of deformation and number of modes; an invalid value is unchanged.

    A single number is the number of modes of the deformation `unsaid`; deformations that are listed without numbers get
    the number UNCOUNTED.
    """
    if isinstance(value, list | tuple) and value and all(isinstance(way, str) for way in value):
        return tuple((way, UNCOUNTED) for way in value)
    number = as_integer(value)
    if isinstance(number, int) and not isinstance(number, bool):
        return ((unsaid, number),)
    found = as_pairs(value)
    return tuple((way or unsaid, as_integer(count)) for way, count in found) if are_pairs(found) else value


def as_basis(value: Any) -> Any:
    """Convert a value of the field `basis` to one mode basis for all deformations or, if they have different ones, to
    pairs of deformation and basis."""
    found = as_pairs(value) if not isinstance(value, str) else value
    if not isinstance(found, str) and are_pairs(found) and len({basis for _, basis in found}) == 1:
        return found[0][1]
    return found


def with_nodal_counts(beam: Any) -> Any:
    """The field `modes` of a beam, with every UNCOUNTED replaced by the number of nodal coordinates of the deformation;
    unchanged if the beam is invalid."""
    if (
        not are_pairs(beam.modes)
        or not isinstance(beam.elements, int)
        or not 0 < beam.elements <= MAX_ELEMENTS
    ):
        return beam.modes
    if all(count != UNCOUNTED for _, count in beam.modes):
        return beam.modes
    nodes = beam.nodal_counts()
    return tuple((way, nodes.get(way, count) if count == UNCOUNTED else count) for way, count in beam.modes)


def as_masses(value: Any) -> Any:
    """Convert point masses to pairs of marker name and mass (kg); an invalid value is returned unchanged."""
    found = as_pairs(value)
    return tuple((name, scalar(mass)) for name, mass in found) if are_pairs(found) else value


def shear_modulus(E: Scalar) -> Scalar:
    """The default shear modulus G = E / (2 (1 + ν)), with Poisson's ratio ν = 0.3."""
    return E / 2.6 if value_of(E) else 0.0


def _as_mapping(given: Any) -> Any:
    return given if isinstance(given, str) else dict(given)


def _serialise_masses(items: tuple[tuple[str, Scalar], ...]) -> dict[str, Any]:
    return {name: mass if isinstance(mass, float) else str(mass) for name, mass in items}


def _read_counts(value: Any) -> Any:
    """Pairs of deformation and number of modes, read from a file."""
    found = as_counts(value)
    if not are_pairs(found):
        raise ValueError(f"{short_repr(value)} is not a number of modes. Write 2, or {{y: 2, z: 1}}")
    return found


def _read_masses(value: Any) -> Any:
    """Pairs of marker name and point mass (kg), read from a file."""
    found = as_masses(value)
    if not are_pairs(found):
        raise ValueError(f"{short_repr(value)} is not a mapping from markers to masses. Write {{b: 0.2}}")
    return found


def _read_counts_or_auto(value: Any, read: Callable[[Any], Any]) -> Any:
    """Pairs of deformation and number of modes, read from a file, or the word "auto".

    `read` is pydantic's function that checks the types of the pairs.
    """
    return value if isinstance(value, str) and value == "auto" else read(_read_counts(value))


Counts = Annotated[
    tuple[tuple[str, int], ...],
    WrapValidator(
        _read_counts_or_auto, json_schema_input_type=int | Literal["auto"] | list[str] | dict[str, int]
    ),
    PlainSerializer(_as_mapping),
]
"""The field `modes`: the number of modes for each deformation, written to files as a mapping, or "auto"."""

Basis = Annotated[
    str | tuple[tuple[str, str], ...],
    BeforeValidator(as_basis, json_schema_input_type=str | dict[str, str]),
    PlainSerializer(_as_mapping),
]
"""The field `basis`: one mode basis for all deformations, or one for each; in files a word, or a mapping by
deformation."""

Masses = Annotated[
    tuple[tuple[str, Scalar], ...],
    BeforeValidator(_read_masses, json_schema_input_type=dict[str, Scalar]),
    PlainSerializer(_serialise_masses),
]
"""The field `masses`: point masses (kg) by marker name; written to files as a mapping."""


def beam_summary(beam: Beam) -> str:
    """A one-line summary of a beam: length, mass, Young's modulus and modes."""
    pieces = (
        f"{count_text(len(beam.through) - 1, 'piece')}, "
        if isinstance(beam.through, tuple) and beam.through
        else ""
    )
    tapers = ", tapered" if beam.section_at_b is not None else ""
    sitting = len(beam.masses) if are_pairs(beam.masses) else 0
    loaded = f", with {count_text(sitting, 'point mass', 'point masses')}" if sitting else ""
    modes = () if beam.has_default_modes else beam.counts
    ways = ", ".join(f"{number_text(count)} along {way}" for way, count in modes)
    ways = (
        "chosen by default, according to its joints"
        if beam.has_default_modes
        else ways or short_repr(beam.modes)
    )
    return (
        f"Beam '{beam.name}': {pieces}{number_text(beam.length, ' m')} long{tapers}, "
        f"{number_text(beam.mass, ' kg')}{loaded}, E = {number_text(beam.E, ' Pa')}; modes: {ways}."
    )
