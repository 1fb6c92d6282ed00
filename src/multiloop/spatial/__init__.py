"""Spatial algebra: poses, rotations, twists, wrenches and inertia.

All functions operate on CasADi matrices, symbols (SX) as well as numbers (DM). A twist is t = [ω; v], a wrench
w = [n; f] (docs/notation.md).
"""

from multiloop.spatial.inertia import Inertia, inertia_about
from multiloop.spatial.rotation import (
    IDENTITY,
    Matrix,
    Pose,
    Rx,
    Ry,
    Rz,
    as_column,
    column,
    frame_of_axes,
    matrix,
    numeric,
    quaternion_from_matrix,
    quaternion_matrix,
    quaternion_rate_map,
    skew,
    snap_rotation,
    transport_wrench,
    twist_matrix,
    unskew,
    zeros,
)
from multiloop.spatial.rotation_vector import rotation_from_vector, rotation_vector, tangent, tangent_drift

__all__ = [
    "IDENTITY",
    "Inertia",
    "Matrix",
    "Pose",
    "Rx",
    "Ry",
    "Rz",
    "as_column",
    "column",
    "frame_of_axes",
    "inertia_about",
    "matrix",
    "numeric",
    "quaternion_from_matrix",
    "quaternion_matrix",
    "quaternion_rate_map",
    "rotation_from_vector",
    "rotation_vector",
    "skew",
    "snap_rotation",
    "tangent",
    "tangent_drift",
    "transport_wrench",
    "twist_matrix",
    "unskew",
    "zeros",
]
