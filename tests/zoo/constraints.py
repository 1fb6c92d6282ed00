"""The constraints of all joints together: the constraint matrix on the twists of all bodies, cut or not."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from multiloop import Bevel, Gear, Joint, Mechanism, Relation
from multiloop.kinematics.tree import characteristic_length, resolve_parameters
from multiloop.model import GROUND, IN_PLANE
from multiloop.model.expressions import evaluate
from multiloop.model.marker_poses import nominal_value
from multiloop.spatial import Pose, numeric
from zoo.body_poses import Poses, as_pose, joint_ends, joint_values
from zoo.pitch_points import pitch_point, pull


def constraint_matrix(mechanism: Mechanism, poses: Poses) -> np.ndarray:
    """Rows Wᵀ(t_S − t_F) of all joints on the twists of all bodies, made free of units.

        A t = 0,   t = (t₁, …, tₙ), each [ω; v] at the body's origin

    Lengths are divided by the characteristic length. It is written down from the joints' wrenches alone,
    without a tree, so that it checks what is computed along trees.
    """
    width = (3 if mechanism.planar else 6) * len(mechanism.moving)
    held = (_rows(mechanism, joint, poses, True) for joint in mechanism.connections)
    tied = (
        (_gear_row if isinstance(one, Gear | Bevel) else _relation_row)(mechanism, one, poses)
        for one in mechanism.couplings
    )
    return np.vstack([np.zeros((0, width)), *held, *tied])


def _relation_row(mechanism: Mechanism, relation: Relation, poses: Poses) -> np.ndarray:
    """Σ ∂Φ/∂q, or ∂Ψ/∂v, times the row that reads the rate; by differences, exact where the equation is linear."""
    values, row = joint_values(mechanism, poses), np.zeros((1, 0))
    standing = {
        name: np.zeros(mechanism.joint(name).degrees_of_freedom(mechanism.planar)) for name in relation.joints
    }
    for name in relation.joints:
        slopes = []
        for way in np.eye(len(standing[name])):
            if relation.holds_rates:
                both = [(values, {**standing, name: h * way}) for h in (0.5, -0.5)]
            else:
                both = [({**values, name: values[name] + h * way}, standing) for h in (0.5, -0.5)]
            high, low = (_equation_value(relation, q, v) for q, v in both)
            slopes.append(high - low)
        part = np.array([slopes]) @ drive_rows(mechanism, mechanism.joint(name), poses)
        row = row + part if row.size else part
    return row


def _equation_value(relation: Relation, q: Mapping[str, np.ndarray], v: Mapping[str, np.ndarray]) -> float:
    return float(
        evaluate(relation.equation, position=lambda joint, k: q[joint][k], rate=lambda joint, k: v[joint][k])
    )


def _gear_row(mechanism: Mechanism, gear: Gear | Bevel, poses: Poses) -> np.ndarray:
    """The velocity of the second wheel relative to the first at their contact, along the line of the tooth force."""
    ends = dict(zip((gear.first, gear.second), joint_ends(mechanism, gear, poses), strict=True))
    placed = {r: (numeric(X.p).ravel(), numeric(X.R)) for r, X in ends.items()}
    point, u = pitch_point(gear, placed.__getitem__), pull(gear, placed.__getitem__)
    blocks = []
    for body in mechanism.moving:
        r = point - numeric(as_pose(poses[body.name]).p).ravel()
        signs = [
            s for s, end in ((-1.0, gear.first), (1.0, gear.second)) if end.partition(".")[0] == body.name
        ]
        length = characteristic_length(mechanism)
        block = sum(signs) * np.concatenate([np.cross(r, u) / length, u])
        blocks.append(block[list(IN_PLANE)] if mechanism.planar else block)
    return np.concatenate(blocks)[None]


def drive_rows(mechanism: Mechanism, joint: Joint, poses: Poses) -> np.ndarray:
    """Rows Pᵀ(t_S − t_F): the relative motion that a joint allows."""
    return _rows(mechanism, joint, poses, False)


def joint_rows(
    joint: Joint,
    F: Pose,
    S: Pose,
    origins: Mapping[str, np.ndarray],
    *,
    planar: bool,
    held: bool,
    length: float = 1.0,
) -> np.ndarray:
    """Rows of one joint on the twists of the bodies in `origins`, in their order.

    `held`: along the wrenches that it transmits, else along the motions that it allows.
    """
    joint = resolve_parameters(joint, nominal_value)
    local = np.array((joint.wrenches if held else joint.motion_subspace)(F.inverse() @ S, planar).full())
    R, point = numeric(F.R), numeric(S.p)
    turns, slides = (R @ local[:3]).T, (R @ local[3:]).T / (length if held else 1.0)
    blocks = dict.fromkeys(origins, np.zeros((local.shape[1], 6)))
    for sign, reference in ((-1.0, joint.first), (1.0, joint.second)):
        body = reference.partition(".")[0]
        if body != GROUND:
            r = point - origins[body]
            # f · (v + ω × r) = f · v + (r × f) · ω
            blocks[body] = sign * np.hstack([turns + np.cross(r, slides), slides * length])
    return np.hstack([block[:, list(IN_PLANE)] if planar else block for block in blocks.values()])


def rank_of(matrix: np.ndarray, relative: float = 1e-9) -> int:
    """Number of singular values above `relative` times the largest."""
    sigma = np.linalg.svd(matrix, compute_uv=False) if matrix.size else np.zeros(0)
    return int((sigma > relative * sigma.max(initial=1e-300)).sum())


def gap_of(matrix: np.ndarray, rank: int) -> float:
    """Last singular value that counts over the first that does not (1e-17 replaces an exact zero)."""
    sigma = np.linalg.svd(matrix, compute_uv=False) if matrix.size else np.zeros(0)
    last = sigma[rank - 1] if rank else 1.0
    return float(last / max(sigma[rank] if rank < sigma.size else 0.0, 1e-17))


def columns_of(mechanism: Mechanism, body: str) -> slice:
    """The columns of a body's twist."""
    size = 3 if mechanism.planar else 6
    k = [moving.name for moving in mechanism.moving].index(body)
    return slice(size * k, size * (k + 1))


def _rows(mechanism: Mechanism, joint: Joint, poses: Poses, held: bool) -> np.ndarray:
    F, S = joint_ends(mechanism, joint, poses)
    origins = {body.name: numeric(as_pose(poses[body.name]).p) for body in mechanism.moving}
    length = characteristic_length(mechanism)
    return joint_rows(joint, F, S, origins, planar=mechanism.planar, held=held, length=length)
