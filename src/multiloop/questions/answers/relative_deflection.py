"""Deflection of a flexible link relative to its length at every instant."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from multiloop.model import Body

if TYPE_CHECKING:
    from multiloop.flexible.lines import Line
    from multiloop.flexible.solids.deformed_mesh import DeformedMesh

NODES = 200
"""Number of sampled nodes of a mesh."""


def line_deflection(line: Line, eta: np.ndarray) -> np.ndarray:
    """The largest deflection along a centreline relative to its length, one value per instant."""
    return _farthest(line.deflection(eta, line.nodes)) / line.length


def mesh_deflection(mesh: DeformedMesh, eta: np.ndarray) -> np.ndarray:
    """The largest deflection of sampled nodes of a mesh relative to the diagonal of its bounding box."""
    some = np.unique(np.linspace(0, len(mesh.points) - 1, NODES).astype(int))
    return _farthest(mesh.displacement(eta, some)) / mesh.size


def relative_deflection(body: Body, planar: bool) -> Callable[[np.ndarray], np.ndarray] | None:
    """The relative deflection of a body as a function of its elastic coordinates; None if it has markers only."""
    mesh = body.deformed_mesh(planar)
    if mesh is not None:
        return partial(mesh_deflection, mesh)
    line = body.centreline()
    return None if line is None else partial(line_deflection, line)


def _farthest(moved: np.ndarray) -> np.ndarray:
    """The largest displacement at every instant, from instants × places × 3."""
    found: np.ndarray = np.sqrt(np.einsum("tnk,tnk->nt", moved, moved).max(axis=0, initial=0.0))
    return found
