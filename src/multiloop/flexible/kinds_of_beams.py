"""Which of two ways a beam is reduced: uniform and straight in closed numbers, all others by elements of their own.

What elements need is fetched when a beam asks for it: nobody else waits.
"""

from __future__ import annotations

from dataclasses import replace

from multiloop.flexible.lines import Line
from multiloop.flexible.uniform.centreline import centreline
from multiloop.flexible.uniform.reduced import reduced_beam
from multiloop.model.beam import AUTO, NATURAL, Beam
from multiloop.model.geometry import Resolve
from multiloop.model.reduced import ReducedBody


def reduced_link(beam: Beam, handle: str, resolve: Resolve, planar: bool, share: float = 1.0) -> ReducedBody:
    """The beam seen from one of its markers."""
    beam = beam_by_itself(beam)
    if beam.uniform:
        return reduced_beam(beam, handle, resolve, planar, share)
    from multiloop.flexible.elements.reduced import reduced_by_elements

    return reduced_by_elements(beam, handle, resolve, planar, share)


def line_of_link(beam: Beam) -> Line:
    """The line of a beam."""
    beam = beam_by_itself(beam)
    if beam.uniform:
        return centreline(beam)
    from multiloop.flexible.elements.line import element_line

    return element_line(beam)


def beam_by_itself(beam: Beam) -> Beam:
    """The beam with what it leaves to joints that it has not: on its chord, the usual number of natural modes."""
    frame = "chord" if beam.frame == AUTO else beam.frame
    basis = NATURAL if beam.basis == AUTO else beam.basis
    chosen = (frame, basis, beam.counts)
    if chosen == (beam.frame, beam.basis, beam.modes):
        return beam
    return replace(beam, frame=frame, basis=basis, modes=beam.counts)
