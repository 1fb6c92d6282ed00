"""The constraint matrix of all joints at an assembled configuration, from joints, couplings and flexible bodies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import casadi as ca
import numpy as np

from multiloop.kinematics.bending import marker_bends
from multiloop.kinematics.equations import Equations
from multiloop.kinematics.readings import marker_frames
from multiloop.plan.coupling_rows import coupling_readings
from multiloop.plan.screws import Screws
from multiloop.spatial import Pose, numeric


def screws_of(equations: Equations, q: np.ndarray, p: np.ndarray, t: float | None = None) -> Screws:
    """The constraint matrix at a configuration with closed loops; it does not depend on the tree of the equations."""
    skeleton = equations.skeleton
    mechanism, planar = skeleton.mechanism, skeleton.planar
    frames = marker_frames(equations, q, p)
    points = {name: numeric(frame.p) / skeleton.length for name, frame in frames.items()}
    wrenches = joint_wrenches(equations, q, p, frames)
    couplings, sizes = coupling_readings(equations, q, p, t, frames)
    tied = [(one.name, row) for one in equations.own.constraints if one.name in couplings for row in one.rows]
    held: dict[str, list[np.ndarray]] = {}
    for reference, point in points.items():
        held.setdefault(reference.partition(".")[0], []).append(point)
    return Screws(
        wrenches={joint.name: W for joint, W in zip(mechanism.connections, wrenches, strict=True)},
        places={joint.name: points[joint.second] for joint in mechanism.connections},
        points={body: np.mean(markers, axis=0) for body, markers in held.items()},
        markers=points,
        rows=(
            *((joint.name, word) for joint in mechanism.connections for word in joint.wrench_names(planar)),
            *((name, row.name) for name, row in tied),
        ),
        bodies=tuple(body.name for body in mechanism.moving),
        dimension=3 if planar else 6,
        ends={j.name: (j.first.partition(".")[0], j.second.partition(".")[0]) for j in mechanism.connections},
        couplings=couplings,
        sizes=sizes,
        rate_only=(
            *(k >= j.position_rows(planar) for j in mechanism.connections for k in range(j.rows(planar))),
            *(row.rate_only for _, row in tied),
        ),
        elastic=skeleton.rates - len(equations.chart.joint_rates),
        bending=tuple(_bending(equations, q, p, frames, wrenches)),
    )


def _bending(
    equations: Equations,
    q: np.ndarray,
    p: np.ndarray,
    frames: Mapping[str, Pose],
    wrenches: list[np.ndarray],
) -> Iterator[tuple[int, int, np.ndarray]]:
    """Blocks of the joints' rows in the columns of elastic rates: Wᵀ times the motion of markers on their bodies.

    Rows of couplings are functions of joint rates, which do not include elastic rates.
    """
    skeleton, L = equations.skeleton, equations.skeleton.length
    joint_rates = set(equations.chart.joint_rates)
    elastic = [k for k in range(skeleton.rates) if k not in joint_rates]
    if not elastic:
        return
    left = (3 if skeleton.planar else 6) * len(skeleton.mechanism.moving)
    place, bends = {k: left + i for i, k in enumerate(elastic)}, marker_bends(equations, q, p)
    at = 0
    for joint, W in zip(skeleton.mechanism.connections, wrenches, strict=True):
        for reference, sign in ((joint.first, -1.0), (joint.second, 1.0)):
            body, _, marker = reference.partition(".")
            k = skeleton.index[body]
            if (k, marker) in bends:
                t = bends[k, marker].copy()
                arm = numeric(frames[joint.second].p) - numeric(frames[reference].p)
                t[3:] = (t[3:] + np.cross(t[:3], arm, axisa=0, axisc=0)) / L
                yield at, place[skeleton.links[k].eta_rate.start], sign * W.T @ t
        at += W.shape[1]


def joint_wrenches(
    equations: Equations, q: np.ndarray, p: np.ndarray, frames: Mapping[str, Pose] | None = None
) -> list[np.ndarray]:
    """For every joint the wrenches that it can transmit, 6×c in inertial axes at its second marker.

    In columns that contain a force, moments are divided by the characteristic length.
    """
    planar, L = equations.skeleton.planar, equations.skeleton.length
    frames = marker_frames(equations, q, p) if frames is None else frames
    found = []
    for joint in equations.skeleton.mechanism.connections:
        F, S = frames[joint.first], frames[joint.second]
        local = ca.DM(equations.numeric_joint(joint, p).wrenches(F.inverse() @ S, planar)).full()
        R = numeric(F.R)
        W = np.vstack([R @ local[:3], R @ local[3:]])
        forces = np.abs(local[3:]).max(axis=0, initial=0.0) > 0
        W[:3, forces] /= L
        found.append(W)
    return found
