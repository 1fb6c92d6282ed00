"""Positions and frames of markers by name, from the poses of bodies."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import casadi as ca
import numpy as np

from multiloop.model import Mechanism, UnknownNameError, suggestion
from multiloop.model.body_geometry import marker_pose, nominal_value
from multiloop.model.reduced_body import ReducedBody
from multiloop.spatial import Pose, numeric


def require_body(mechanism: Mechanism, poses: Mapping[str, np.ndarray], body: str) -> None:
    """Refuse an unknown body."""
    if body not in poses:
        raise UnknownNameError(mechanism.name, "body", body, suggestion(body, poses))


def require_marker(mechanism: Mechanism, poses: Mapping[str, np.ndarray], reference: str) -> None:
    """Refuse an unknown marker "body.marker", and a body without a marker name."""
    body, _, name = reference.partition(".")
    require_body(mechanism, poses, body)
    known = mechanism.body(body).marker_names
    if not name:
        listed = ", ".join(f"'{body}.{one}'" for one in known)
        raise UnknownNameError(
            mechanism.name, "marker", reference, f"Name one of the body's markers: {listed}."
        )
    if name not in known:
        raise UnknownNameError(mechanism.name, "marker", reference, suggestion(name, known))


def marker_position(
    mechanism: Mechanism,
    poses: Mapping[str, np.ndarray],
    reference: str,
    eta: Mapping[str, np.ndarray] | None = None,
) -> np.ndarray:
    """The inertial coordinates of a marker (2 in the plane, 3 in space), for one pose of its body or for many.

    Poses are 3×4 [R | p], or instants × 3 × 4; then the coordinates have a row for each instant. `eta` are the elastic
    coordinates of flexible bodies, e of them or instants × e.
    """
    require_marker(mechanism, poses, reference)
    body = reference.partition(".")[0]
    X, bent = poses[body], (eta or {}).get(body)
    if bent is None or X.ndim == 2:
        local = numeric(marker_frame(mechanism, reference, bent).p)
        place: np.ndarray = X[..., :3] @ local + X[..., 3]
    else:
        place = (
            np.einsum("tij,tj->ti", X[..., :3], _deformed_position(mechanism, reference, bent)) + X[..., 3]
        )
    return place[..., :2] if mechanism.planar else place


def marker_frame(mechanism: Mechanism, reference: str, eta: np.ndarray | None = None) -> Pose:
    """A marker in its body's own frame, deformed by `eta` if the body is flexible, with parameters at their values."""
    body, _, name = reference.partition(".")
    if eta is None or not mechanism.body(body).elastic:
        return marker_pose(mechanism.marker(reference), nominal_value, mechanism.planar)
    return _reduced_body(mechanism, body).marker_pose(name, ca.DM(eta))


@lru_cache(maxsize=256)
def _reduced_body(mechanism: Mechanism, body: str) -> ReducedBody:
    """A flexible body in its own frame, with parameters at their values.

    Cached, since drawings request many markers.
    """
    return mechanism.body(body).reduced("origin", nominal_value, mechanism.planar)


def _deformed_position(mechanism: Mechanism, reference: str, eta: np.ndarray) -> np.ndarray:
    """Positions of a marker in the frame of its body for many elastic coordinates, instants × 3."""
    body, _, name = reference.partition(".")
    x = ca.SX.sym("eta", eta.shape[1])
    place = _reduced_body(mechanism, body).marker_pose(name, x).p
    return np.array(ca.Function("place", [x], [ca.densify(place)]).map(len(eta))(eta.T)).T
