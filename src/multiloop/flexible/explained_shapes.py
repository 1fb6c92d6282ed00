"""Description of modes in words: their frame, their basis, and values that appear to be in other units."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from multiloop.model.damping import Rayleigh
from multiloop.model.markers import value_of

FRAMES = {"chord": "in a frame through both ends", "free": "in the frame of its mean axes"}

BASES = {
    "interface": "static shapes of its interfaces and natural modes between them",
    "natural": "natural modes",
    "free": "natural modes of the free link",
    "nodal": "coordinates of its nodes",
}

SLOW = 1.0
"""Natural frequency (rad/s) below which values are probably in other units."""

CRITICAL = 1.0


def frame_in_words(frame: str) -> str:
    """Description of the frame of a flexible body: clamped to a marker, its chord, or its mean axes."""
    return FRAMES.get(frame, f"in a frame clamped to '{frame}'")


def basis_in_words(basis: str) -> str:
    """Description of a basis of modes."""
    return BASES[basis]


def number_doubts(slowest: float, damping: Any) -> Iterator[str]:
    """Warnings about values that are valid but implausible."""
    if slowest < SLOW:
        yield f"At {slowest:.2g} rad/s it is softer than any link of a machine: E is in Pa, sections are in metres."
    parts = () if isinstance(damping, Rayleigh) else damping if isinstance(damping, tuple) else (damping,)
    most = max((value_of(part) or 0.0 for part in parts), default=0.0)
    if most >= CRITICAL:
        yield f"Its damping of {most:g} is critical, and it does not swing: one percent is 0.01."
