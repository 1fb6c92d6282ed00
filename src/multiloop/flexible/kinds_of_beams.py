"""Which of two ways a beam is reduced: uniform and straight in closed numbers, all others by elements of their own."""

from __future__ import annotations

from multiloop.flexible.centreline import Centreline, centreline
from multiloop.flexible.frame_line import FrameLine, frame_line
from multiloop.flexible.reduced_beam import reduced_beam
from multiloop.flexible.reduced_frame import reduced_frame
from multiloop.model.beam import Beam
from multiloop.model.geometry import Resolve
from multiloop.model.reduced import ReducedBody


def reduced_link(beam: Beam, handle: str, resolve: Resolve, planar: bool, share: float = 1.0) -> ReducedBody:
    """The beam seen from one of its markers."""
    made = reduced_beam if beam.uniform else reduced_frame
    return made(beam, handle, resolve, planar, share)


def line_of_link(beam: Beam) -> Centreline | FrameLine:
    """The line of a beam."""
    return centreline(beam) if beam.uniform else frame_line(beam)
