"""Reduction of a beam to its modes: in closed form if it is uniform and straight, else by finite elements.

The finite-element modules are imported on first use, because they take long to import.
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
    """Mass properties and modes of a beam in the frame of its marker `handle`."""
    beam = beam_by_itself(beam)
    if beam.uniform:
        return reduced_beam(beam, handle, resolve, planar, share)
    from multiloop.flexible.elements.reduced import reduced_by_elements

    return reduced_by_elements(beam, handle, resolve, planar, share)


def line_of_link(beam: Beam) -> Line:
    """The centreline of a beam in numbers."""
    beam = beam_by_itself(beam)
    if beam.uniform:
        return centreline(beam)
    from multiloop.flexible.elements.line import element_line

    return element_line(beam)


def beam_by_itself(beam: Beam) -> Beam:
    """The beam with settings that otherwise follow from its joints: chord frame, default number of natural modes."""
    frame = "chord" if beam.frame == AUTO else beam.frame
    basis = NATURAL if beam.basis == AUTO else beam.basis
    chosen = (frame, basis, beam.counts)
    if chosen == (beam.frame, beam.basis, beam.modes):
        return beam
    return replace(beam, frame=frame, basis=basis, modes=beam.counts)
