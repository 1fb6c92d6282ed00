"""Description of a beam in words: its modes, frame, frequencies, truncation error, and implausible values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from multiloop.flexible.beam_shape_table import beam_shape_table
from multiloop.flexible.explained_shapes import basis_in_words, frame_in_words, number_doubts
from multiloop.model.beam import Beam
from multiloop.model.geometry import at_values
from multiloop.model.numbers_in_words import percent

SLENDER = 5
"""Ratio of length to height above which shear deformation is negligible."""


def explained_beam(beam: Beam, planar: bool = False, seats: Sequence[str] = ()) -> str:
    """Describe modes, frame, frequencies and the truncation error under inertia forces; warn of implausible values."""
    table = beam_shape_table(beam)
    last = {way: held for (way, _), held in zip(table.ways, table.held, strict=True)}
    missed = ", ".join(f"{percent(1 - part)} along {way}" for way, part in last.items())
    does = "what forces at its ends bend" if beam.frame == "free" else "what its own inertia bends"
    misses = f"which miss {missed} of {does} (of what else bends it, a run tells)"
    stiffens = "axial forces stiffen and buckle it" if beam.stiffening else "axial forces do not stiffen it"
    low, high = table.frequencies.min(), table.frequencies.max()
    shapes = f"{_bases_in_words(beam)} {frame_in_words(table.frame)}, {low:.4g} to {high:.4g} rad/s"
    said = f"{shapes}, {misses}; {stiffens}."
    return " ".join([said, *number_doubts(low, beam.damping), *_thickness_doubts(beam)])


def _bases_in_words(beam: Beam) -> str:
    """Description of its bases, by direction of deformation where they differ."""
    ways: dict[str, list[str]] = {}
    for way, _ in beam.counts:
        ways.setdefault(beam.basis_of(way), []).append(way)
    if len(ways) == 1:
        return basis_in_words(*ways)
    return ", ".join(f"along {' and '.join(own)} {basis_in_words(basis)}" for basis, own in ways.items())


def _thickness_doubts(beam: Beam) -> Iterator[str]:
    """Warn of a beam that is too thick for its length, which suggests that one of them is not in metres."""
    height, length = 2 * at_values(beam.section.y), at_values(beam.length)
    if SLENDER * height > length and not beam.shear:
        yield f"It is {height:.4g} m high and {length:.4g} m long: take metres for both, or shear=True."
