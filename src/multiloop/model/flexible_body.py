"""The base class of beams and solids, and the registry of the functions that compute their modes.

The package `flexible` implements these functions and enters them in `REDUCTIONS` when it is imported. A user-defined
type of body needs no entry: it is a subclass of `Body` and defines `reduced` itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from multiloop.model.bodies import Body
from multiloop.model.faults import Fault, ModelError, name_text
from multiloop.model.floating_frame import ReducedBody
from multiloop.model.marker_poses import Resolve
from multiloop.model.synonyms import suggest_keywords


@dataclass(frozen=True)
class Reduction:
    """The functions that compute the modes of a type of flexible body.

    Each function has the body as first argument, and is called by the method of `FlexibleBody` with the same name.
    """

    reduced: Callable[[Any, str, Resolve, bool, float], ReducedBody]
    shapes: Callable[[Any, bool], Any]
    frequencies: Callable[[Any, bool], np.ndarray]
    describe_modes: Callable[[Any, bool, Sequence[str]], str]


@dataclass(frozen=True)
class BeamReduction(Reduction):
    """The functions that compute the modes, the centreline and the numbers of nodal coordinates of beams."""

    centreline: Callable[[Any], Any]
    nodal_counts: Callable[[Any], dict[str, int]]


@dataclass(frozen=True)
class SolidReduction(Reduction):
    """The functions that compute the modes, the deformed mesh, and the faults of the mesh of solids.

    `mass_properties` returns the fields that are computed from the mesh, such as the mass, by name.
    """

    deformed_mesh: Callable[[Any, bool], Any]
    mesh_faults: Callable[[Any, bool], Iterator[Fault]]
    mass_properties: Callable[[Any], dict[str, Any]]


REDUCTIONS: dict[type[Body], Callable[[], Any]] = {}
"""For each type of flexible body, a function that returns its `BeamReduction` or `SolidReduction`.

This function imports the necessary modules only when it is called, because importing SciPy takes half a second.
"""


def reduction_of(body: Body) -> Any:
    """The `Reduction` that is registered for the type of a body, or for the nearest of its base classes."""
    for kind in type(body).__mro__:
        if kind in REDUCTIONS:
            return REDUCTIONS[kind]()
    where = f"body '{name_text(body.name)}'"
    what = f"its modes cannot be computed, because no functions are registered for its type {type(body).__name__}."
    remedy = "Write `import multiloop.flexible`, which registers beams and solids."
    raise ModelError(where, [Fault("M17", where, what, remedy)])


class FlexibleBody(Body):
    """A body whose modes are computed from its geometry and material by the functions registered for its type."""

    def reduced(self, handle: str, resolve: Resolve, planar: bool, share: float = 1.0) -> ReducedBody:
        """The `ReducedBody`: mass, inertia, markers and modes for the recursive algorithms, in the frame of `handle`.

        `handle` is the name of a marker. `resolve` replaces parameters by symbols or numbers; `share` is the fraction
        of the mass that is included, less than 1 for a rigid body that is split to open a loop.
        """
        found: ReducedBody = reduction_of(self).reduced(self, handle, resolve, planar, share)
        return found

    @suggest_keywords
    def shapes(self, planar: bool = False) -> Any:
        """A `ModeTable` of the natural modes: their frequencies, and the fraction of strain energy that they capture.

        The strain energy is that of the body under inertia forces or, if the body is free, under loads at its ends. If
        `planar`, the table contains only the modes within the x–y plane.
        """
        return reduction_of(self).shapes(self, planar)

    @suggest_keywords
    def frequencies(self, planar: bool = False) -> np.ndarray:
        """Natural frequencies in rad/s, lowest first; if `planar`, only those of modes within the x–y plane."""
        found: np.ndarray = reduction_of(self).frequencies(self, planar)
        return found

    def describe_modes(self, planar: bool = False, seats: Sequence[str] = ()) -> str:
        """Text on modes, body frame, frequencies and truncation error, with warnings of implausible values.

        `seats` are the names of the markers at which joints connect the body to others. For a solid, the text warns of
        joints at markers that are not connected to the mesh.
        """
        found: str = reduction_of(self).describe_modes(self, planar, seats)
        return found
