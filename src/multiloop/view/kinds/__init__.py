"""Kinds of pictures of a result; a new one is one file here and one line in KINDS."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from multiloop.questions import Result
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
    """What makes the panels of a kind, and of which things: "joints", "markers", or "" for the whole mechanism.

    A `diagram` wants several instants.
    """

    panels: Callable[[Result, Chosen], Sequence[Panel] | Sequence[Diagram]]
    of: str = "joints"
    diagram: bool = False


KINDS: dict[str, Kind] = {
    "positions": Kind(positions),
    "speeds": Kind(speeds),
    "accelerations": Kind(accelerations),
    "efforts": Kind(efforts),
    "loads": Kind(loads),
    "moments": Kind(moments),
    "forces": Kind(forces),
    "polar": Kind(polar, diagram=True),
    "energy": Kind(energy, ""),
    "power": Kind(power),
    "hodograph": Kind(hodograph, "markers", diagram=True),
    "paths": Kind(paths, "markers", diagram=True),
}

__all__ = ["KINDS", "Chosen", "Diagram", "Kind", "Panel"]
