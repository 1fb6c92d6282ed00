"""Drawn geometry of flexible bodies: deformed centrelines of beams and meshes of solids, to scale or magnified.

Magnification does not move the joints: only the part of the deflection that remains after subtracting an interpolation
of the displacements at the joints is magnified.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from multiloop.flexible.beams.centreline import ElasticMotion
from multiloop.model import Mechanism, joint_markers, short_repr, value_of
from multiloop.model.beams.beam_line import COINCIDENCE
from multiloop.model.expressions.expression import is_number
from multiloop.spatial import transform_points
from multiloop.view.figure import drawing_error

PLACES = 25
"""Number of points through which the centreline of a beam is drawn, in addition to its corners."""


@lru_cache(maxsize=64)
def centreline_of(mechanism: Mechanism, body: str) -> Any:
    """The centreline of a body; None if the body is not a flexible beam."""
    return mechanism.body(body).centreline()


@lru_cache(maxsize=64)
def bracket_markers(mechanism: Mechanism, body: str) -> tuple[str, ...]:
    """Names of the markers of a beam that have a joint and are not on its centreline; brackets are drawn to them."""
    line, still = centreline_of(mechanism, body), np.zeros((1, mechanism.body(body).elastic))
    found = []
    for name in joint_markers(mechanism, body):
        point = (*mechanism.body(body).marker(name).point, 0.0, 0.0)[:3]
        away = line.point(still, np.array([line.places[name]]))[0, 0] - [value_of(c) or 0.0 for c in point]
        if np.linalg.norm(away) > COINCIDENCE * line.length:
            found.append(name)
    return tuple(found)


def drawn_sections(line: Any) -> np.ndarray:
    """Positions ξ of the points through which a beam with the centreline `line` is drawn, including its corners.

    ξ is the distance along the centreline as a fraction of its length.
    """
    return np.unique(np.concatenate([np.linspace(0.0, 1.0, PLACES), line.corners]))


def deformed_centreline(
    mechanism: Mechanism, body: str, poses: np.ndarray, eta: np.ndarray, scale: float
) -> np.ndarray:
    """Points of the deformed centreline of a beam in the inertial frame, instants × points × 3.

    `poses` are the frames of the body (instants × 3 × 4), `eta` its elastic coordinates (instants × coordinates), and
    `scale` the factor by which deflections are magnified.
    """
    return _deformed_points(
        mechanism, body, drawn_sections(centreline_of(mechanism, body)), poses, eta, scale
    )


def bracket_feet(
    mechanism: Mechanism, body: str, poses: np.ndarray, eta: np.ndarray, scale: float
) -> np.ndarray:
    """Points at which brackets meet the centreline of a beam in the inertial frame, instants × brackets × 3."""
    places = centreline_of(mechanism, body).places
    xi = np.array([places[name] for name in bracket_markers(mechanism, body)])
    return _deformed_points(mechanism, body, xi, poses, eta, scale)


def _deformed_points(
    mechanism: Mechanism, body: str, xi: np.ndarray, poses: np.ndarray, eta: np.ndarray, scale: float
) -> np.ndarray:
    local = centreline_of(mechanism, body).point(eta, xi) + _exaggeration(mechanism, body, eta, xi, scale)
    return transform_points(poses, local)


def marker_shift(
    mechanism: Mechanism,
    reference: str,
    poses: Mapping[str, np.ndarray],
    eta: Mapping[str, np.ndarray],
    scale: float,
) -> np.ndarray | float:
    """Additional displacement of the marker `reference` ("body.marker") if deflections are magnified by `scale`.

    The result is a vector in inertial axes for one instant, or instants × 3. It is 0 for rigid bodies and for a
    `scale` of 1.
    """
    body, _, name = reference.partition(".")
    line = centreline_of(mechanism, body) if scale != 1.0 and body in eta else None
    if line is None:
        return solid_marker_shift(mechanism, reference, poses, eta, scale)
    bent, place = np.atleast_2d(eta[body]), np.array([line.places[name]])
    local = _exaggeration(mechanism, body, bent, place, scale)[:, 0]
    if name not in joint_markers(mechanism, body):
        local = local + (scale - 1.0) * _lever_displacement(line, name, bent)
    found: np.ndarray = np.einsum("...ij,...j->...i", poses[body][..., :3], local)
    return found if eta[body].ndim > 1 else found[0]


def _lever_displacement(line: Any, name: str, eta: np.ndarray) -> np.ndarray:
    """Displacement of a marker relative to its point on the centreline of a beam, instants × 3.

    The displacement is due to the rotation of the section to which the marker `name` is attached.
    """
    still, place = np.zeros((1, eta.shape[1])), np.array([line.places[name]])
    at, before = (line.marker_path(ElasticMotion(x, 0 * x, 0 * x), name)[0][:, 0] for x in (eta, still))
    found: np.ndarray = at - before - line.deflection(eta, place)[:, 0]
    return found


def _exaggeration(
    mechanism: Mechanism, body: str, eta: np.ndarray, xi: np.ndarray, scale: float
) -> np.ndarray:
    """Additional displacements, due to the magnification, of the points of a centreline at the positions ξ (fractions
    of the beam length), instants × points × 3.

    The deflection at the joints is interpolated by a polynomial in ξ. The additional displacements are (scale − 1)
    times the difference between the deflection and this polynomial, which is zero at the joints.
    """
    line = centreline_of(mechanism, body)
    away: np.ndarray = line.deflection(eta, xi)
    seats = _without_duplicates(np.array([line.places[name] for name in joint_markers(mechanism, body)]))
    there = line.deflection(eta, seats) if len(seats) else away
    for k, place in enumerate(seats):
        others = np.delete(seats, k)
        share = np.prod((xi[:, None] - others) / (place - others), axis=1)
        away = away - share[None, :, None] * there[:, k : k + 1]
    return (scale - 1.0) * away


def _without_duplicates(places: np.ndarray) -> np.ndarray:
    """Positions ξ along a beam in ascending order without duplicates."""
    ordered = np.sort(places)
    found: np.ndarray = ordered[np.diff(ordered, prepend=-1.0) > COINCIDENCE]
    return found


def check_scale(mechanism: Mechanism, scale: Any) -> float:
    """Return the magnification of deflections as a float; raise an error if it is not a number ≥ 0."""
    if not is_number(scale) or not 0 <= scale < np.inf:
        remedy = "Give a number ≥ 0: 1 shows the true deformation, 20 magnifies it twenty times."
        raise drawing_error(mechanism, "V01", "scale", f"is {short_repr(scale)}.", remedy)
    return float(scale)


@dataclass(frozen=True, eq=False)
class MeshOutline:
    """Indices of the nodes of a mesh through which a solid is drawn.

    In a planar mechanism, `around` are the nodes on the outer boundary in order, and `lines` (n × 3) the edges of the
    holes, of three nodes each. In a spatial mechanism, `lines` are the sharp edges of the mesh, `around` their nodes.
    """

    around: np.ndarray
    lines: np.ndarray


@lru_cache(maxsize=64)
def mesh_of(mechanism: Mechanism, body: str) -> Any:
    """The deformed mesh of a body; None if the body is not a flexible solid."""
    return mechanism.body(body).deformed_mesh(mechanism.planar)


@lru_cache(maxsize=64)
def mesh_outline(mechanism: Mechanism, body: str) -> MeshOutline:
    """Indices of the nodes of a mesh through which a solid is drawn.

    In a planar mechanism these are the nodes on the outer boundary and the holes of the facets that face the viewer; in
    a spatial mechanism, the nodes on the sharp edges of the mesh.
    """
    deformed = mesh_of(mechanism, body)
    if not mechanism.planar:
        return MeshOutline(np.unique(deformed.edges), deformed.edges)
    loops = sorted(_loops(deformed.front_edges), key=lambda loop: -abs(_area(deformed.points[loop])))
    holes = [np.stack([np.roll(loop, -k)[::2] for k in range(3)], axis=1) for loop in loops[1:]]
    return MeshOutline(loops[0], np.vstack([np.zeros((0, 3), int), *holes]))


def deformed_nodes(
    mechanism: Mechanism, body: str, nodes: np.ndarray, poses: np.ndarray, eta: np.ndarray, scale: float
) -> np.ndarray:
    """Positions of nodes of a deformed solid in the inertial frame, instants × (shape of `nodes`) × 3.

    `nodes` are indices in an array of any shape, `poses` the frames of the body (instants × 3 × 4), `eta` its elastic
    coordinates (instants × coordinates), and `scale` the magnification.
    """
    mesh, flat = mesh_of(mechanism, body), nodes.ravel()
    moved = mesh.displacement(eta, flat)
    local = mesh.points[flat] + moved
    if scale != 1.0:
        local = local + (scale - 1.0) * (
            moved - _joint_interpolation(mechanism, body, eta, mesh.points[flat])
        )
    return transform_points(poses, local).reshape(len(eta), *nodes.shape, 3)


def solid_marker_shift(
    mechanism: Mechanism,
    reference: str,
    poses: Mapping[str, np.ndarray],
    eta: Mapping[str, np.ndarray],
    scale: float,
) -> np.ndarray | float:
    """Additional displacement of the marker `reference` of a solid if deflections are magnified by `scale`.

    The result is a vector in inertial axes for one instant, or instants × 3. It is 0 for other bodies and for a
    `scale` of 1.
    """
    body, _, name = reference.partition(".")
    if scale == 1.0 or body not in eta or mesh_of(mechanism, body) is None:
        return 0.0
    bent = np.atleast_2d(eta[body])
    place = mesh_of(mechanism, body).marker_point(name)[None]
    away = (
        _marker_displacement(mechanism, body, name, bent)
        - _joint_interpolation(mechanism, body, bent, place)[:, 0]
    )
    found: np.ndarray = (scale - 1.0) * np.einsum("...ij,...j->...i", poses[body][..., :3], away)
    return found if eta[body].ndim > 1 else found[0]


def _marker_displacement(mechanism: Mechanism, body: str, marker: str, eta: np.ndarray) -> np.ndarray:
    """Displacement of a marker due to the deformation of a solid, along the axes of its frame, instants × 3."""
    found: np.ndarray = mesh_of(mechanism, body).marker_shift(marker, eta)
    return found


def _joint_interpolation(mechanism: Mechanism, body: str, eta: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Smooth interpolation u(r) of the displacements of the joints at r_k, instants × points × 3.

        u(r) = Σ w_k |r − r_k|³ + a + B r,      Σ w_k = 0,   Σ w_k r_kᵀ = 0

    The coefficients w_k, a and B are such that u(r_k) are the displacements of the joints. This part of the deflection
    is not magnified, so that magnification does not move the joints.

    Source: polyharmonic splines, [duchon]; for collinear joints the natural cubic spline, for two joints linear.
    SciPy's `RBFInterpolator` does not accept collinear and coplanar points.
    """
    mesh = mesh_of(mechanism, body)
    seats = joint_markers(mechanism, body) or [mechanism.body(body).marker_names[0]]
    places = np.array([mesh.marker_point(name) for name in seats]).reshape(-1, 3)
    moved = np.stack([_marker_displacement(mechanism, body, name, eta) for name in seats], axis=1)
    middle, n = places.mean(axis=0), len(places)
    here, there = (places - middle) / mesh.size, (points - middle) / mesh.size
    system = np.zeros((n + 4, n + 4))
    system[:n] = _spline_columns(here, here)
    system[n:, :n] = system[:n, n:].T
    fit = np.linalg.pinv(system, rcond=1e-9)[:, :n]
    found: np.ndarray = np.einsum("pk,tkx->tpx", _spline_columns(there, here) @ fit, moved)
    return found


def _spline_columns(points: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Basis functions of the interpolation at `points`: |r − r_k|³ for all `places` r_k, then 1, x, y, z."""
    away = np.linalg.norm(points[:, None] - places[None], axis=2)
    return np.column_stack([away**3, np.ones(len(points)), points])


def _loops(edges: np.ndarray) -> list[np.ndarray]:
    """Closed polygons formed by edges of three nodes (corner, middle, corner); each as the nodes in order."""
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
