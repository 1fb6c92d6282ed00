"""Where bodies and markers are, in numbers, by name."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from multiloop.kinematics.equations import Equations
from multiloop.model import GROUND, Mechanism, UnknownNameError, suggestion
from multiloop.model.expressions import evaluate
from multiloop.model.geometry import marker_pose
from multiloop.spatial import numeric


def body_poses(equations: Equations, q: np.ndarray, p: np.ndarray) -> dict[str, np.ndarray]:
    """[R | p] of every body's own frame (not its inboard joint's), 3×4, the ground included."""
    skeleton = equations.skeleton
    found = {}
    for body, pose in equations.poses(q, p).items():
        if body in {split.twin for split in skeleton.tree.splits}:
            continue
        own = pose if body == GROUND else pose @ equations.constant_pose(skeleton.index[body], "origin", p)
        found[body] = np.column_stack([numeric(own.R), numeric(own.p)])
    return found


def marker_place(mechanism: Mechanism, poses: Mapping[str, np.ndarray], reference: str) -> np.ndarray:
    """The inertial coordinates of a marker (2 in the plane, 3 in space), for one pose of its body or for many.

    Poses are 3×4 [R | p], or instants × 3 × 4; then the coordinates have a row for each instant.
    """
    body, _, name = reference.partition(".")
    if body not in poses:
        raise UnknownNameError(mechanism.name, "body", body, suggestion(body, poses))
    known = mechanism.body(body).marker_names
    if not name:
        listed = ", ".join(f"'{body}.{one}'" for one in known)
        raise UnknownNameError(mechanism.name, "marker", reference, f"Name one of the body's: {listed}.")
    if name not in known:
        raise UnknownNameError(mechanism.name, "marker", reference, suggestion(name, known))
    local = marker_pose(
        mechanism.body(body).marker(name), lambda value: float(evaluate(value)), mechanism.planar
    )
    place = poses[body][..., :3] @ numeric(local.p) + poses[body][..., 3]
    return place[..., :2] if mechanism.planar else place
