"""Time history of a solid flexible link: displacements and stress at nodes, and files for other programs."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from multiloop.analyses.results.histories.link_history import (
    DEFLECTION_FRAMES,
    READINGS,
    LinkHistory,
    mesh_deflection,
)
from multiloop.analyses.results.histories.link_readings import (
    Magnitudes,
    Peak,
    largest_of_blocks,
    link_error,
    peaks_of_blocks,
    sampled_instants,
)
from multiloop.flexible.solids.deformed_mesh import DeformedMesh
from multiloop.model import SolveError, implemented_in, short_repr
from multiloop.model.expressions.units import quantity_text
from multiloop.model.solids.solid import CHORD, Solid
from multiloop.spatial import transform_points

NO_CENTRELINE = "it is a solid and has no axis with positions s."
NO_CENTRELINE_REMEDY = (
    "Evaluate its nodes: .deflection(nodes), .position(nodes), .stress(nodes); a plot "
    'with over="time" shows the largest deflection or stress of all nodes.'
)

SOLID_UNITS = {"deflection": "m", "stress": "Pa"}
"""Units of the quantities whose largest value over the nodes is reported."""


@dataclass(frozen=True, eq=False, repr=False)
class SolidHistory(LinkHistory):
    """The time history of a flexible link modelled as a solid, evaluated at the nodes of the mesh.

    The argument `nodes` of the methods are indices into `points`, the undeformed positions of the nodes in the link's
    own frame; by default all nodes. `times` are in seconds and select the nearest instants; by default all instants.
    """

    mesh: DeformedMesh = field(kw_only=True)

    measure = "size"

    @implemented_in("multiloop.io.result_files", "write_deformed_meshes")
    def write(self, path: str | Path, *, times: Any = None, scale: float = 1.0) -> list[Path]:
        """Write the deformed mesh to .vtu files, one per instant, and a .pvd file that lists them with their times.

        `times` are in seconds and select the nearest instants; by default all. Nodes are in the inertial frame, with
        displacements magnified by `scale`; fields are `displacement` (in the body's axes, not magnified) and `von Mises
        stress`. Open the .pvd file in ParaView. Every file is written atomically, the .pvd last. Returns the paths.
        """
        raise NotImplementedError

    @property
    def points(self) -> np.ndarray:
        """Positions (m) of the nodes of the undeformed solid in the link's own frame, nodes × 3."""
        return self.mesh.points

    def deflection(self, nodes: Any = None) -> np.ndarray:
        """Displacements of nodes (m) along the axes of the link's own frame, instants × nodes × 3."""
        chosen, shape = self._nodes(nodes)
        found: np.ndarray = self.mesh.displacement(self.eta, chosen).reshape(-1, *shape, 3)
        return found

    def position(self, nodes: Any = None) -> np.ndarray:
        """Positions of nodes in the inertial frame (m), instants × nodes × 3."""
        chosen, shape = self._nodes(nodes)
        local = self.points[chosen] + self.mesh.displacement(self.eta, chosen)
        return transform_points(self.poses, local).reshape(-1, *shape, 3)

    def stress(self, nodes: Any = None, *, times: Any = None) -> np.ndarray:
        """Von Mises stress at nodes (Pa), averaged over the adjacent elements, instants × nodes."""
        chosen, shape = self._nodes(nodes)
        found: np.ndarray = self.mesh.stress(self.eta[self.instants_at(times)])[:, chosen].reshape(-1, *shape)
        return found

    @cached_property
    def peaks(self) -> tuple[Peak, ...]:
        """The largest deflection over all instants, and the largest stress over sampled instants.

        The sampled instants include those with the largest linear stress.
        """
        if not len(self.eta):
            return ()
        # the nonlinear stress is expensive and therefore computed at sampled instants only
        kept = sampled_instants(self.mesh.largest_linear_stress(self.eta))
        found = [
            *peaks_of_blocks(self, node_magnitudes, {"deflection": "m"}),
            *peaks_of_blocks(self.at(kept), node_magnitudes, {"stress": "Pa"}),
        ]
        return found[0], replace(found[1], instant=int(kept[found[1].instant]))

    def largest(self, what: str) -> np.ndarray:
        """The largest "deflection" or "stress" over all nodes at every instant."""
        if what in READINGS and what not in SOLID_UNITS:
            raise self.unavailable_error(what)
        return largest_of_blocks(self, node_magnitudes, SOLID_UNITS, what)

    @cached_property
    def largest_deflection(self) -> float:
        """Largest deflection over all instants and nodes, relative to the diagonal of the solid's bounding box."""
        return float(self.largest("deflection").max(initial=0.0)) / self.mesh.size

    def deflects_beyond(self, part: float) -> bool:
        """Whether the solid deflects by more than the fraction `part` of its size.

        Only a sample of the nodes is examined, since a mesh may have very many nodes.
        """
        return bool(mesh_deflection(self.mesh, self.eta).max(initial=0.0) > part)

    def __repr__(self) -> str:
        far, solid = self.largest_deflection, self.mesh.solid
        second = (
            "with second-order modes (geometric stiffening)"
            if solid.stiffening
            else "without second-order modes"
        )
        bends = f"deflects up to {quantity_text(far * self.mesh.size, 'm', 3)} from {_frame_in_words(solid)}"
        return f"{self._over} a solid of {len(self.points)} nodes, {bends}, {far:.2g} of its size; {second}."

    # private methods ---------------------------------------------------------------------------------------------

    def unavailable_error(self, reading: str) -> SolveError:
        """The error raised when a quantity along a centreline is requested, since a solid has no centreline."""
        return link_error(self.mechanism, self.name, NO_CENTRELINE, NO_CENTRELINE_REMEDY)

    def _nodes(self, nodes: Any) -> tuple[np.ndarray, tuple[int, ...]]:
        """Indices of nodes as a one-dimensional array, and the shape of the argument: () for a single index."""
        if nodes is None:
            nodes = np.arange(len(self.points))
        found, count = np.asarray(nodes), len(self.points)
        if found.dtype.kind == "f":
            raise self.unavailable_error("stress")
        if found.dtype.kind not in "iu" or found.ndim > 1 or (found < 0).any() or (found >= count).any():
            raise link_error(
                self.mechanism,
                self.name,
                f"the nodes are {short_repr(nodes)}.",
                f"Give numbers from 0 to {count - 1}.",
            )
        return np.atleast_1d(found), found.shape

    def instants_at(self, times: Any) -> np.ndarray:
        """Indices of the instants nearest to `times`; all instants by default."""
        if times is None:
            return np.arange(len(self.time))
        try:
            found = np.atleast_1d(np.asarray(times, float))
        except (TypeError, ValueError):
            found = np.array([np.nan])
        low, high = self.time[0], self.time[-1]
        slack = 1e-9 * max(abs(low), abs(high))
        if found.ndim > 1 or not ((found >= low - slack) & (found <= high + slack)).all():
            raise link_error(
                self.mechanism,
                self.name,
                f"the times are {short_repr(times)}.",
                f"Give seconds from {low:g} to {high:g}.",
            )
        nearest: np.ndarray = np.abs(self.time[None] - found[:, None]).argmin(axis=1)
        return nearest


def node_magnitudes(link: SolidHistory, whats: tuple[str, ...]) -> Magnitudes:
    """Indices of all nodes, and by quantity the magnitudes of deflection or stress, instants × nodes each."""
    found: dict[str, np.ndarray | SolveError] = {}
    if "deflection" in whats:
        found["deflection"] = np.linalg.norm(link.deflection(), axis=-1)
    if "stress" in whats:
        found["stress"] = link.stress()
    return np.arange(len(link.points)), found


def _frame_in_words(solid: Solid) -> str:
    """Text that names the frame from which the deflections of a solid are measured."""
    return DEFLECTION_FRAMES["chord"] if solid.clamped_to == CHORD else f"its frame at '{solid.clamped_to}'"
