"""Positions, frames, velocities and accelerations of markers by name, exact at every instant of a Result."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

import casadi as ca
import numpy as np

from multiloop.kinematics import equations_of, traced_marker_motion
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
    from multiloop.kinematics import Equations


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
    return _point(result, _motion(result, reference)[0])


def acceleration(result: Result, reference: str) -> np.ndarray:
    """Acceleration of a marker "body.marker" in inertial axes, instants × 2 or 3, in m/s²."""
    require_marker(result.mechanism, result.poses, reference)
    return _point(result, _motion(result, reference)[1])


def angular_velocity(result: Result, reference: str) -> np.ndarray:
    """Angular velocity of a body in inertial axes, in rad/s: one number per instant in the plane, else instants × 3.

    For a marker "body.marker" of a flexible link it is the angular velocity of the link's section at the marker.
    """
    return _turn(result, _motion(result, _turning(result, reference))[0])


def angular_acceleration(result: Result, reference: str) -> np.ndarray:
    """Angular acceleration of a body or marker in inertial axes, in rad/s²; shaped like the `angular_velocity`."""
    return _turn(result, _motion(result, _turning(result, reference))[1])


def _turning(result: Result, reference: str) -> str:
    check = require_marker if "." in reference else require_body
    check(result.mechanism, result.poses, reference)
    return reference


def _motion(result: Result, reference: str) -> tuple[np.ndarray, np.ndarray]:
    """Twists [angular velocity; velocity] of a body frame or marker in inertial axes, and their time derivatives,
    instants × 6 each."""
    equations, q, v, a = _along_tree(result)
    still = np.zeros((len(result.time), 6))
    if reference.partition(".")[0] == GROUND or not equations.skeleton.rates:
        return still, still
    values = result.mechanism.parameters
    p = np.array([values[name] for name in equations.skeleton.parameter_names])
    twist, twist_rate = traced_marker_motion(equations, reference).evaluate_many(q=q.T, v=v.T, a=a.T, p=p)
    return twist, twist_rate


def _along_tree(result: Result) -> tuple[Equations, np.ndarray, np.ndarray, np.ndarray]:
    """The equations of the spanning tree of the plan, and its coordinates q, rates v and accelerations a.

    The arrays have one row per instant and are assembled from the histories of joints and flexible links.
    """
    equations, count = equations_of(result.plan.mechanism, result.plan.tree), len(result.time)
    skeleton = equations.skeleton
    q, v, a = (np.zeros((count, n)) for n in (skeleton.positions, skeleton.rates, skeleton.rates))
    for link in skeleton.links:
        joint = result.joints[link.joint.name]
        told = ((q, link.q, joint.position), (v, link.v, joint.rate), (a, link.v, joint.acceleration))
        for whole, place, values in told:
            whole[:, place] = values.reshape(count, place.stop - place.start)
        if link.reduced.elastic:
            bent = result.links[link.body]
            q[:, link.eta], v[:, link.eta_rate] = bent.eta, bent.eta_rate
            a[:, link.eta_rate] = bent.eta_acceleration
    return equations, q, v, a


def _point(result: Result, twist: np.ndarray) -> np.ndarray:
    return twist[:, 3:5] if result.mechanism.planar else twist[:, 3:]


def _turn(result: Result, twist: np.ndarray) -> np.ndarray:
    return twist[:, 2] if result.mechanism.planar else twist[:, :3]
