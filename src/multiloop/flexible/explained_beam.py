"""A beam in words before it moves: which shapes, in which frame, how fast they swing and how much they miss."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from multiloop.flexible.beam_shape_table import beam_shape_table
from multiloop.flexible.explained_shapes import basis_in_words, frame_in_words, number_doubts
from multiloop.model.beam import Beam
from multiloop.model.geometry import at_values
from multiloop.model.numbers_in_words import percent

SLENDER = 5
"""Heights in the length of a beam that does without shear."""


def explained_beam(beam: Beam, planar: bool = False, seats: Sequence[str] = ()) -> str:
    """Shapes, frame, frequencies, what its shapes miss of what its inertia bends, and numbers that are doubtful."""
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
    """What its shapes are, by way where they differ."""
    ways: dict[str, list[str]] = {}
    for way, _ in beam.counts:
        ways.setdefault(beam.basis_of(way), []).append(way)
    if len(ways) == 1:
        return basis_in_words(*ways)
    return ", ".join(f"along {' and '.join(own)} {basis_in_words(basis)}" for basis, own in ways.items())


def _thickness_doubts(beam: Beam) -> Iterator[str]:
    """Whether it is too thick for its length, or one of both is not in metres."""
    height, length = 2 * at_values(beam.section.y), at_values(beam.length)
    if SLENDER * height > length and not beam.shear:
        yield f"It is {height:.4g} m high and {length:.4g} m long: take metres for both, or shear=True."
