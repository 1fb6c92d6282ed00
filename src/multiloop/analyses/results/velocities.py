"""Velocities and accelerations of markers and bodies over time, exact at every instant of a Result."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from multiloop.analyses.results.marker_poses import require_body, require_marker
from multiloop.kinematics import equations_of, traced_marker_motion
from multiloop.model import GROUND

if TYPE_CHECKING:
    from multiloop.analyses.results.result import Result
    from multiloop.kinematics import Equations


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

    A marker "body.marker" of a flexible link turns with the section of the link there.
    """
    return _turn(result, _motion(result, _turning(result, reference))[0])


def angular_acceleration(result: Result, reference: str) -> np.ndarray:
    """Angular acceleration of a body, or of a marker, in rad/s²; as `angular_velocity`."""
    return _turn(result, _motion(result, _turning(result, reference))[1])


def _turning(result: Result, reference: str) -> str:
    check = require_marker if "." in reference else require_body
    check(result.mechanism, result.poses, reference)
    return reference


def _motion(result: Result, reference: str) -> tuple[np.ndarray, np.ndarray]:
    """Twists and twist rates, instants × 6 each."""
    equations, q, v, a = _along_tree(result)
    still = np.zeros((len(result.time), 6))
    if reference.partition(".")[0] == GROUND or not equations.skeleton.rates:
        return still, still
    values = result.mechanism.parameters
    p = np.array([values[name] for name in equations.skeleton.parameter_names])
    twist, twist_rate = traced_marker_motion(equations, reference).evaluate_many(q=q.T, v=v.T, a=a.T, p=p)
    return twist, twist_rate


def _along_tree(result: Result) -> tuple[Equations, np.ndarray, np.ndarray, np.ndarray]:
    """q, v and a of the plan's tree, one row per instant, from the histories of joints and flexible links."""
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
