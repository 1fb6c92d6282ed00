"""Outputs of bodies, markers and flexible bodies: poses, velocities, accelerations and elastic coordinates."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import casadi as ca

from multiloop.dynamics.outputs.energy import dissipated_by
from multiloop.dynamics.outputs.joint_outputs import QUATERNION
from multiloop.dynamics.outputs.output import AXES, Output
from multiloop.dynamics.outputs.traced_instant import TracedInstant
from multiloop.kinematics import marker_motion, traced_marker_motion
from multiloop.model import elastic_names
from multiloop.spatial import Matrix, Pose, traced_quaternion

ELASTIC = {"eta": "", "eta_rate": "/s", "eta_acceleration": "/s2"}
"""Quantities of elastic coordinates, each with the suffix that is added to the unit of the coordinate."""


def body_outputs(at: TracedInstant) -> Iterator[Output]:
    """Outputs of the frames of all moving bodies, and of the elastic coordinates of flexible bodies."""
    skeleton = at.equations.skeleton
    twins = {split.twin for split in skeleton.tree.splits}
    for link in skeleton.links:
        if link.body not in twins:
            yield from frame_outputs(at, link.body)
            yield from _elastic_outputs(at, link.body)


def frame_outputs(at: TracedInstant, reference: str) -> Iterator[Output]:
    """Outputs of the motion of a body frame "body" or of a marker "body.marker", in inertial axes."""
    axes = AXES[: 2 if at.planar else 3]
    turn = () if at.planar else AXES
    what = "marker" if "." in reference else "origin of the body frame"
    trace = partial(_position, reference=reference)
    yield Output(
        reference, "position", "m", f"position of the {what}", trace, axes, recorded=False, tabulated=False
    )
    yield Output(
        reference,
        "orientation",
        "rad" if at.planar else "1",
        "angle of the x axis, within ±π" if at.planar else "unit quaternion, scalar first, e0 ≥ 0",
        partial(_orientation, reference=reference),
        () if at.planar else QUATERNION,
        recorded=False,
        tabulated=False,
    )
    for quantity, unit, rows, text in (
        ("velocity", "m/s", "linear", f"velocity of the {what}"),
        ("acceleration", "m/s2", "linear", f"acceleration of the {what}"),
        ("angular_velocity", "rad/s", "angular", "angular velocity"),
        ("angular_acceleration", "rad/s2", "angular", "angular acceleration"),
    ):
        trace = partial(_motion, reference=reference, quantity=quantity)
        components = axes if rows == "linear" else turn
        yield Output(reference, quantity, unit, text, trace, components, recorded=False, tabulated=False)


def _pose(at: TracedInstant, reference: str) -> Pose:
    return marker_motion(at.equations, reference)[0] if "." in reference else at.body_pose(reference)


def _position(at: TracedInstant, reference: str) -> Matrix:
    return _pose(at, reference).p[: 2 if at.planar else 3]


def _orientation(at: TracedInstant, reference: str) -> Matrix:
    R = _pose(at, reference).R
    return ca.atan2(R[1, 0], R[0, 0]) if at.planar else traced_quaternion(R)


def _motion(at: TracedInstant, reference: str, quantity: str) -> Matrix:
    """Rows of the twist [ω; v] or of the twist rate [α; a] of a frame or marker."""
    found = traced_marker_motion(at.equations, reference).outputs
    column = found["twist_rate" if quantity.endswith("acceleration") else "twist"]
    if quantity.startswith("angular"):
        return column[2] if at.planar else column[:3]
    return column[3 : 5 if at.planar else 6]


def _elastic_outputs(at: TracedInstant, body: str) -> Iterator[Output]:
    skeleton = at.equations.skeleton
    link = skeleton.links[skeleton.index[body]]
    if not link.reduced.elastic:
        return
    units = at.mechanism.body(body).elastic_units
    names = elastic_names(link.reduced.elastic)
    texts = ("elastic coordinates", "elastic rates", "elastic accelerations")
    for (quantity, per), text in zip(ELASTIC.items(), texts, strict=True):
        own = tuple(f"{unit}{per}" for unit in units)
        trace = partial(_elastic, body=body, quantity=quantity)
        yield Output(body, quantity, own, text, trace, tuple(names))
    text = "power that the damping of the body converts into heat"
    yield Output(body, "loss", "W", text, partial(_loss, body=body), tabulated=False)


def _loss(at: TracedInstant, body: str) -> Matrix:
    skeleton = at.equations.skeleton
    return dissipated_by(at.equations, skeleton.links[skeleton.index[body]])


def _elastic(at: TracedInstant, body: str, quantity: str) -> Matrix:
    eq = at.equations
    link = eq.skeleton.links[eq.skeleton.index[body]]
    if quantity == "eta":
        return eq.q[link.eta]
    return (eq.v if quantity == "eta_rate" else eq.a)[link.eta_rate]
