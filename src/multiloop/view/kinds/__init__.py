"""Registry of the plots of a result; a new plot is one function and one line in `KINDS`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from multiloop.questions import Result
from multiloop.view.kinds.along_links import deflection, moment, stress
from multiloop.view.kinds.chosen import Chosen
from multiloop.view.kinds.efforts import efforts
from multiloop.view.kinds.energy import energy
from multiloop.view.kinds.forces import forces
from multiloop.view.kinds.loads import loads, moments
from multiloop.view.kinds.motion import accelerations, positions, speeds
from multiloop.view.kinds.panel import Diagram, Panel
from multiloop.view.kinds.paths import hodograph, paths
from multiloop.view.kinds.polar import polar
from multiloop.view.kinds.power import power


@dataclass(frozen=True)
class Kind:
    """The function that makes the panels of a plot, their quantities, and its objects (`of`).

    `of` is "joints", "markers", "links", or "" for the whole mechanism. A `diagram` needs several instants.
    """

    panels: Callable[[Result, Chosen], Sequence[Panel] | Sequence[Diagram]]
    quantities: tuple[str, ...]
    of: str = "joints"
    diagram: bool = False


KINDS: dict[str, Kind] = {
    "positions": Kind(positions, ("angle", "length")),
    "speeds": Kind(speeds, ("angular speed", "speed")),
    "accelerations": Kind(accelerations, ("angular acceleration", "acceleration")),
    "efforts": Kind(efforts, ("moment", "force")),
    "loads": Kind(loads, ("force",)),
    "moments": Kind(moments, ("moment",)),
    "forces": Kind(forces, ("force",)),
    "polar": Kind(polar, ("force",), diagram=True),
    "energy": Kind(energy, ("energy",), ""),
    "power": Kind(power, ("power",)),
    "hodograph": Kind(hodograph, ("speed",), "markers", diagram=True),
    "paths": Kind(paths, ("length",), "markers", diagram=True),
    "deflection": Kind(deflection, ("length",), "links"),
    "moment": Kind(moment, ("moment", "length"), "links"),
    "stress": Kind(stress, ("stress", "length"), "links"),
}

__all__ = ["KINDS", "Chosen", "Diagram", "Kind", "Panel"]
