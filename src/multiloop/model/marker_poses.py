"""Poses of markers in their bodies' frames, and reduced rigid bodies, as numerical or symbolic matrices."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import casadi as ca
import numpy as np

from multiloop.model.expressions import Expression, evaluate
from multiloop.model.floating_frame import ReducedBody
from multiloop.model.markers import Marker
from multiloop.spatial import (
    Matrix,
    Pose,
    Rz,
    column,
    frame_of_axes,
    inertia_about,
    matrix,
    numeric,
    snap_rotation,
)

if TYPE_CHECKING:
    from multiloop.model.bodies import Body

Resolve = Callable[[Any], Any]
"""Function that converts a scalar of a description to a float, or to a symbol if it contains parameters."""


def nominal_value(value: Any) -> float:
    """The number for a scalar of a description, with parameters at their described values."""
    return float(evaluate(value))


def marker_point(marker: Marker, resolve: Resolve) -> Matrix:
    """The position of a marker's origin in its body's frame (3×1, m)."""
    return column([resolve(c) for c in (*marker.point, 0.0, 0.0)[:3]])


def marker_pose(marker: Marker, resolve: Resolve, planar: bool) -> Pose:
    """Pose of a marker in its body's frame.

    Entries of a numerical rotation matrix that differ from 0 or ±1 only by round-off are set to these values.
    """
    return Pose(_rotation(marker, resolve, planar), marker_point(marker, resolve))


def _rotation(marker: Marker, resolve: Resolve, planar: bool) -> Matrix:
    if planar:
        angle = resolve(marker.angle)
        return Rz(angle) if isinstance(angle, ca.SX) else _planar_rotation(float(angle))
    z, x = marker.z or (0.0, 0.0, 1.0), marker.x
    if not any(isinstance(c, Expression) for c in (*z, *(x or ()))):
        return _frame_from_axes(tuple(z), None if x is None else tuple(x))
    # Gram–Schmidt orthogonalisation of symbols. If no x axis is given, it is chosen for the default parameter values.
    Z = column([resolve(c) for c in z])
    Z = Z / ca.norm_2(Z)
    X = column([resolve(c) for c in x]) if x is not None else ca.DM(_preferred_axis(_numbers(z)))
    X = X - ca.dot(X, Z) * Z
    X = X / ca.norm_2(X)
    return ca.horzcat(X, ca.cross(Z, X), Z)


@lru_cache(maxsize=256)
def _planar_rotation(angle: float) -> Matrix:
    return ca.sparsify(ca.DM(snap_rotation(numeric(Rz(angle)))))


@lru_cache(maxsize=256)
def _frame_from_axes(z: tuple[Any, ...], x: tuple[Any, ...] | None) -> Matrix:
    return ca.sparsify(ca.DM(frame_of_axes(_numbers(z), None if x is None else _numbers(x))))


def _preferred_axis(z: np.ndarray) -> np.ndarray:
    z = z / np.abs(z).max()  # avoids underflow of the squares of very small components
    z = z / np.linalg.norm(z)
    return next(axis for axis in np.eye(3) if abs(axis @ z) < np.cos(np.pi / 6))


def _numbers(vector: Any) -> np.ndarray:
    return np.array([nominal_value(component) for component in vector])


def inertia_matrix(body: Body, resolve: Resolve) -> Matrix:
    """The 3×3 inertia tensor of a body (kg m²) about its point `inertia_at`, along the axes of the body's frame."""
    given: Any = body.inertia
    if not isinstance(given, tuple):
        return matrix([[0, 0, 0], [0, 0, 0], [0, 0, resolve(given)]])
    if not isinstance(given[0], tuple):
        return ca.sparsify(ca.diag(ca.vertcat(*[resolve(entry) for entry in given])))
    return matrix([[resolve(entry) for entry in row] for row in given])


def rigid_body(body: Body, handle: str, resolve: Resolve, planar: bool, share: float) -> ReducedBody:
    """The `ReducedBody` of a rigid body in the frame of its marker `handle`.

    `share` is the fraction of its mass and inertia that is included, less than 1 for a body that is split.
    """
    frame = marker_pose(body.marker(handle), resolve, planar)
    com = marker_point(Marker(body.com), resolve)
    at = marker_point(body.marker(body.inertia_at), resolve)
    mass = resolve(body.mass)
    mass = share * mass if share != 1.0 else mass
    I_at = share * inertia_matrix(body, resolve) if share != 1.0 else inertia_matrix(body, resolve)
    I_com = inertia_about(I_at, -mass, com - at)
    d = frame.inverse().point(com)
    I_handle = inertia_about(frame.R.T @ I_com @ frame.R, mass, d)
    into = frame.inverse()
    poses = {name: into @ marker_pose(body.marker(name), resolve, planar) for name in body.marker_names}
    return ReducedBody(
        mass=mass,
        com=ca.sparsify(d),
        inertia=ca.sparsify(I_handle),
        markers={name: Pose(ca.sparsify(X.R), ca.sparsify(X.p)) for name, X in poses.items()},
    )
