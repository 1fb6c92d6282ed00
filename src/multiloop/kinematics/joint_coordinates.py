"""Coordinates, rates and accelerations of all joints (cut joints included), and positions of markers and bodies."""

from __future__ import annotations

from collections.abc import Mapping

import casadi as ca
import numpy as np

from multiloop.kinematics.equations import Equations
from multiloop.model import ETA, GROUND, Connection, Mechanism
from multiloop.spatial import Pose, numeric


def marker_frames(equations: Equations, q: np.ndarray, p: np.ndarray) -> dict[str, Pose]:
    """Pose of every joint marker in the inertial frame, by its name "body.marker"."""
    skeleton = equations.skeleton
    bodies, local = equations.tree_functions.inboard_poses(q, p), equations.tree_functions.marker_poses(q, p)
    found: dict[str, Pose] = {}
    for joint in skeleton.mechanism.connections:
        for reference in (joint.first, joint.second):
            body, _, marker = reference.partition(".")
            own = local[skeleton.index[body], marker]
            found[reference] = bodies[body] @ own if body != GROUND else own
    return found


def body_poses(equations: Equations, q: np.ndarray, p: np.ndarray) -> dict[str, np.ndarray]:
    """Inertial pose [R | p], 3×4, of the frame of every body, by body name; the ground is included. The body frame is
    the user's, not that of the inboard joint."""
    skeleton = equations.skeleton
    twins = {split.twin for split in skeleton.tree.splits}
    found = {}
    for body, pose in equations.tree_functions.inboard_poses(q, p).items():
        if body not in twins:
            own = (
                pose
                if body == GROUND
                else pose @ equations.tree_functions.undeformed_marker_pose(skeleton.index[body], "origin", p)
            )
            found[body] = np.column_stack([numeric(own.R), numeric(own.p)])
    return found


def joint_coordinates(
    equations: Equations, q: np.ndarray, p: np.ndarray, near: Mapping[str, np.ndarray] | None
) -> dict[str, np.ndarray]:
    """Coordinates of every joint, and elastic coordinates of every flexible body, by name.

    Whole turns are added to the angles of cut joints so that they are nearest to the angles in `near`, by joint name;
    without a value in `near` they are within ±π.
    """
    skeleton, planar = equations.skeleton, equations.skeleton.planar
    found = {name: np.array(q[own.q], float) for name, own in skeleton.coordinates.items()}
    cut = [c.joint for c in skeleton.cuts if c.joint.name not in found]
    frames = marker_frames(equations, q, p) if cut else {}
    for joint in cut:
        if joint.first not in frames:
            continue  # the Fixed joint that closes a split body has no coordinates
        relative = frames[joint.first].inverse() @ frames[joint.second]
        around = near[joint.name] if near and joint.name in near else joint.neutral(planar)
        found[joint.name] = joint.read(relative, around, planar)
    return {name: found[name] for name in coordinate_names(skeleton.mechanism)}


def coordinate_names(mechanism: Mechanism) -> tuple[str, ...]:
    """Names under which coordinates are returned: every joint and pair, and "body.eta" for every flexible body."""
    elastic = (f"{body.name}.{ETA}" for body in mechanism.all_bodies if body.elastic)
    return (*(joint.name for joint in mechanism.connections), *elastic)


def joint_motion(
    equations: Equations, q: np.ndarray, v: np.ndarray, a: np.ndarray, p: np.ndarray
) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """Rates and accelerations of every joint, cut joints included, and of every flexible body, by name."""
    skeleton = equations.skeleton
    rates = {name: v[own.v] for name, own in skeleton.coordinates.items()}
    accelerations = {name: a[own.v] for name, own in skeleton.coordinates.items()}
    if skeleton.cuts:
        cut_v, cut_a = equations.tree_functions.cut_motion(q, v, a, p)
        at = 0
        for cut in skeleton.cuts:
            f = len(cut.joint.components(skeleton.planar))
            rates[cut.joint.name], accelerations[cut.joint.name] = cut_v[at : at + f], cut_a[at : at + f]
            at += f
    names = coordinate_names(skeleton.mechanism)
    return {name: rates[name] for name in names}, {name: accelerations[name] for name in names}


def joint_points(equations: Equations, q: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Vector of the inertial positions of all joint markers, divided by the characteristic length, followed by the unit
    vectors of the joint axes.

    Idle spins, which are rotations of bodies about lines through all their joints, do not change this vector.
    """
    frames, length = marker_frames(equations, q, p), equations.skeleton.characteristic_length
    points = [numeric(frame.p) / length for frame in frames.values()]
    return np.concatenate([*points, *_joint_axes(equations, frames, p)]) if points else np.zeros(0)


def marker_count(mechanism: Mechanism) -> int:
    """Number of markers at which a joint or pair is attached."""
    return len({end for joint in mechanism.connections for end in (joint.first, joint.second)})


def _joint_axes(equations: Equations, frames: Mapping[str, Pose], p: np.ndarray) -> list[np.ndarray]:
    """Unit vectors of the joint axes in the inertial frame: axes of rotation (in space), or of sliding for joints
    without rotation; a spherical joint has no axis."""
    found, planar = [], equations.skeleton.planar
    for joint in equations.skeleton.mechanism.connections:
        F, S = frames[joint.first], frames[joint.second]
        P = ca.DM(equations.skeleton.numeric_joint(joint, p).motion_subspace(F.inverse() @ S, planar)).full()
        turns = np.abs(P[:3]).max(axis=0, initial=0.0) > 0
        if turns.sum() < (1 if planar else 3):
            local = P[:3, turns] if turns.any() else P[3:]
            found += list((numeric(F.R) @ local).T)
    return found


def has_mirrored_cut(equations: Equations, q: np.ndarray, p: np.ndarray) -> bool:
    """Whether a cut joint is closed with an inverted axis: its constraint residuals vanish, but the joint cannot be
    assembled in this position."""
    return mirrored_cut(equations, q, p) is not None


def mirrored_cut(equations: Equations, q: np.ndarray, p: np.ndarray) -> Connection | None:
    """The first cut joint that is closed with an inverted axis; None if no cut joint is.

    The Fixed joint that closes a split body is tested too: its residuals also vanish if one part of the body is rotated
    by half a turn relative to the other part.
    """
    cuts = equations.skeleton.cuts
    poses = _relative_cut_poses(equations, q, p) if cuts else []
    return next(
        (cut.joint for cut, relative in zip(cuts, poses, strict=True) if cut.joint.is_inverted(relative)),
        None,
    )


def _relative_cut_poses(equations: Equations, q: np.ndarray, p: np.ndarray) -> list[Pose]:
    """Pose of the second marker of every cut joint relative to its first marker; closing joints of split bodies are
    included."""
    links = equations.skeleton.links
    bodies, local = equations.tree_functions.inboard_poses(q, p), equations.tree_functions.marker_poses(q, p)

    def frame(body: int, marker: str) -> Pose:
        return local[body, marker] if body < 0 else bodies[links[body].body] @ local[body, marker]

    return [
        frame(*first).inverse() @ frame(*second)
        for first, second in (cut.ends for cut in equations.skeleton.cuts)
    ]


def tree_rates(equations: Equations, rates: Mapping[str, np.ndarray]) -> np.ndarray:
    """Vector v of the tree's rates from the rates of all joints and flexible bodies, given by name."""
    v = np.zeros(equations.skeleton.rates)
    for name, own in equations.skeleton.coordinates.items():
        v[own.v] = rates[name]
    return v
