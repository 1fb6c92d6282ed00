"""Drawn geometry of solids: the deformed outline of the mesh in the plane, its edges in space, also exaggerated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from multiloop.model import Mechanism
from multiloop.model.joint_seats import joint_seats
from multiloop.spatial.turns import moved_points


@dataclass(frozen=True, eq=False)
class Skin:
    """Drawn nodes of a mesh: the nodes of its outline in order, and lines of three nodes each."""

    around: np.ndarray
    lines: np.ndarray


@lru_cache(maxsize=64)
def mesh_of(mechanism: Mechanism, body: str) -> Any:
    """The mesh of a body that has one; else None."""
    return mechanism.body(body).deformed_mesh(mechanism.planar)


@lru_cache(maxsize=64)
def skin_of(mechanism: Mechanism, body: str) -> Skin:
    """In the plane the boundary of the front facets with its holes; in space the edges of the mesh."""
    deformed = mesh_of(mechanism, body)
    if not mechanism.planar:
        return Skin(np.unique(deformed.edges), deformed.edges)
    loops = sorted(_loops(deformed.front), key=lambda loop: -abs(_area(deformed.points[loop])))
    holes = [np.stack([np.roll(loop, -k)[::2] for k in range(3)], axis=1) for loop in loops[1:]]
    return Skin(loops[0], np.vstack([np.zeros((0, 3), int), *holes]))


def mesh_places(
    mechanism: Mechanism, body: str, nodes: np.ndarray, poses: np.ndarray, eta: np.ndarray, scale: float
) -> np.ndarray:
    """Positions of nodes (of any shape), instants × nodes × 3 in inertial axes; `poses` n × 3 × 4, `eta` n × e."""
    mesh, flat = mesh_of(mechanism, body), nodes.ravel()
    moved = mesh.displacement(eta, flat)
    local = mesh.points[flat] + moved
    if scale != 1.0:
        local = local + (scale - 1.0) * (moved - _carried_along(mechanism, body, eta, mesh.points[flat]))
    return moved_points(poses, local).reshape(len(eta), *nodes.shape, 3)


def solid_marker_shift(
    mechanism: Mechanism,
    reference: str,
    poses: Mapping[str, np.ndarray],
    eta: Mapping[str, np.ndarray],
    scale: float,
) -> np.ndarray | float:
    """Displacement of a marker of a solid by the exaggeration, in inertial axes, at one instant or at many."""
    body, _, name = reference.partition(".")
    if scale == 1.0 or body not in eta or mesh_of(mechanism, body) is None:
        return 0.0
    bent = np.atleast_2d(eta[body])
    place = mesh_of(mechanism, body).marker_point(name)[None]
    away = _moved(mechanism, body, name, bent) - _carried_along(mechanism, body, bent, place)[:, 0]
    found: np.ndarray = (scale - 1.0) * np.einsum("...ij,...j->...i", poses[body][..., :3], away)
    return found if eta[body].ndim > 1 else found[0]


def _moved(mechanism: Mechanism, body: str, marker: str, eta: np.ndarray) -> np.ndarray:
    """Displacement of a marker by the deformation, instants × 3."""
    found: np.ndarray = mesh_of(mechanism, body).marker_shift(marker, eta)
    return found


def _carried_along(mechanism: Mechanism, body: str, eta: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Smooth interpolation of the displacements of the joints; it is not exaggerated, so that joints stay in place.

        u(r) = Σ w_k |r − r_k|³ + a + B r,      Σ w_k = 0,   Σ w_k r_kᵀ = 0

    Source: polyharmonic splines, [duchon]; for collinear joints the natural cubic spline, for two joints linear.
    """
    mesh = mesh_of(mechanism, body)
    seats = joint_seats(mechanism, body) or [mechanism.body(body).marker_names[0]]
    places = np.array([mesh.marker_point(name) for name in seats]).reshape(-1, 3)
    moved = np.stack([_moved(mechanism, body, name, eta) for name in seats], axis=1)
    middle, n = places.mean(axis=0), len(places)
    here, there = (places - middle) / mesh.size, (points - middle) / mesh.size
    system = np.zeros((n + 4, n + 4))
    system[:n] = _spline_columns(here, here)
    system[n:, :n] = system[:n, n:].T
    fit = np.linalg.pinv(system, rcond=1e-9)[:, :n]
    found: np.ndarray = np.einsum("pk,tkx->tpx", _spline_columns(there, here) @ fit, moved)
    return found


def _spline_columns(points: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Columns |r − r_k|³ for all places, then 1, x, y, z."""
    away = np.linalg.norm(points[:, None] - places[None], axis=2)
    return np.column_stack([away**3, np.ones(len(points)), points])


def _loops(edges: np.ndarray) -> list[np.ndarray]:
    """Closed polygons through edges (corner, middle, corner), as ordered nodes."""
    at: dict[int, list[np.ndarray]] = {}
    for edge in edges:
        at.setdefault(int(edge[0]), []).append(edge)
        at.setdefault(int(edge[2]), []).append(edge[::-1])
    loops, used = list[np.ndarray](), set[int]()
    for start in at:
        loop, here = list[int](), start
        while True:
            ahead = [edge for edge in at[here] if int(edge[1]) not in used]
            if not ahead:
                break
            used.add(int(ahead[0][1]))
            loop += [here, int(ahead[0][1])]
            here = int(ahead[0][2])
        if loop:
            loops.append(np.array(loop))
    return loops


def _area(points: np.ndarray) -> float:
    x, y = points[:, 0], points[:, 1]
    return float((x * np.roll(y, -1) - y * np.roll(x, -1)).sum()) / 2
