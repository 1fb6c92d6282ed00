"""Positions, frames, velocities and accelerations of markers by name, exact at every instant of a Result."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

import casadi as ca
import numpy as np

from multiloop.model import (
    GROUND,
    Mechanism,
    ReducedBody,
    UnknownNameError,
    marker_pose,
    nominal_value,
    suggestion,
)
from multiloop.spatial import Pose, numeric

if TYPE_CHECKING:
    from multiloop.analyses.results.result import Result


def require_body(mechanism: Mechanism, poses: Mapping[str, np.ndarray], body: str) -> None:
    """Raise an error if the mechanism has no body with this name."""
    if body not in poses:
        raise UnknownNameError(mechanism.name, "body", body, suggestion(body, poses))


def require_marker(mechanism: Mechanism, poses: Mapping[str, np.ndarray], reference: str) -> None:
    """Raise an error unless `reference` has the form "body.marker" and names an existing marker."""
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

    `poses` maps bodies to poses [R | p], 3 × 4, or instants × 3 × 4; in the latter case the coordinates have one row
    per instant. `eta` maps flexible bodies to their elastic coordinates: one vector, or one row per instant.
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
    """Pose of a marker in the own frame of its body, for the parameter values in the description of the mechanism.

    For a flexible body with elastic coordinates `eta` it is the pose of the marker on the deformed body.
    """
    body, _, name = reference.partition(".")
    if eta is None or not mechanism.body(body).elastic:
        return marker_pose(mechanism.marker(reference), nominal_value, mechanism.planar)
    return _reduced_body(mechanism, body).marker_pose(name, ca.DM(eta))


@lru_cache(maxsize=256)
def _reduced_body(mechanism: Mechanism, body: str) -> ReducedBody:
    """The reduced (modal) model of a flexible body in its own frame, for the parameter values in the description.

    The model is cached, since a drawing requires it for many markers.
    """
    return mechanism.body(body).reduced("origin", nominal_value, mechanism.planar)


def _deformed_position(mechanism: Mechanism, reference: str, eta: np.ndarray) -> np.ndarray:
    """Positions of a marker in the frame of its body, instants × 3, for elastic coordinates `eta`, instants × modes."""
    body, _, name = reference.partition(".")
    x = ca.SX.sym("eta", eta.shape[1])
    place = _reduced_body(mechanism, body).marker_pose(name, x).p
    return np.array(ca.Function("place", [x], [ca.densify(place)]).map(len(eta))(eta.T)).T


def velocity(result: Result, reference: str) -> np.ndarray:
    """Velocity of a marker "body.marker" in inertial axes, instants × 2 or 3, in m/s."""
    require_marker(result.mechanism, result.poses, reference)
    return _motion(result, reference, "velocity")


def acceleration(result: Result, reference: str) -> np.ndarray:
    """Acceleration of a marker "body.marker" in inertial axes, instants × 2 or 3, in m/s²."""
    require_marker(result.mechanism, result.poses, reference)
    return _motion(result, reference, "acceleration")


def angular_velocity(result: Result, reference: str) -> np.ndarray:
    """Angular velocity of a body in inertial axes, in rad/s: one number per instant in the plane, else instants × 3.

    For a marker "body.marker" of a flexible link it is the angular velocity of the link's section at the marker.
    """
    return _motion(result, _turning(result, reference), "angular_velocity")


def angular_acceleration(result: Result, reference: str) -> np.ndarray:
    """Angular acceleration of a body or marker in inertial axes, in rad/s²; shaped like the `angular_velocity`."""
    return _motion(result, _turning(result, reference), "angular_acceleration")


def _turning(result: Result, reference: str) -> str:
    check = require_marker if "." in reference else require_body
    check(result.mechanism, result.poses, reference)
    return reference


def _motion(result: Result, reference: str, quantity: str) -> np.ndarray:
    """The output `quantity` of a body or marker over time; zero for the ground."""
    if reference.partition(".")[0] != GROUND:
        return result.output(f"{reference}.{quantity}")
    axes = 2 if result.mechanism.planar else 3
    scalar = result.mechanism.planar and quantity.startswith("angular")
    return np.zeros((len(result.time),) if scalar else (len(result.time), axes))
