"""A beam in words before it moves: which shapes, in which frame, how fast they swing and how much they miss."""

from __future__ import annotations

from multiloop.flexible.shape_table import shape_table
from multiloop.model.beam import Beam

FRAMES = {"a": "in a frame clamped to 'a'", "free": "in the frame of its mean axes"}
BASES = {
    "interface": "static shapes of its interfaces and natural modes between them",
    "nodal": "coordinates of its nodes",
}


def explained_beam(beam: Beam, planar: bool = False) -> str:
    """Shapes, frame, frequencies, and what its shapes miss of what its inertia bends, in one sentence."""
    table = shape_table(beam)
    last = {way: held for (way, _), held in zip(table.ways, table.held, strict=True)}
    missed = ", ".join(f"{100 * (1 - part):.2g} % along {way}" for way, part in last.items())
    does = "what forces at its ends bend" if beam.frame == "free" else "what its own inertia bends"
    stiffens = "axial forces stiffen and buckle it" if beam.stiffening else "axial forces do not stiffen it"
    return (
        f"{BASES.get(table.basis, 'natural modes')} {FRAMES.get(table.frame, 'in a frame through both ends')}, "
        f"{table.frequencies.min():.4g} to {table.frequencies.max():.4g} rad/s, "
        f"which miss {missed} of {does}; {stiffens}."
    )
