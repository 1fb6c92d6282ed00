"""Spatial algebra: poses, rotations, twists, wrenches and inertia.

All functions operate on CasADi matrices, symbols (SX) as well as numbers (DM). A twist t = [ω; v] consists of angular
velocity and velocity, a wrench w = [n; f] of moment and force (docs/notation.md).
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
    traced_quaternion,
    transport_wrench,
    twist_matrix,
    unskew,
    zeros,
)
from multiloop.spatial.rotation_vector import (
    cross_matrices,
    rotation_from_vector,
    rotation_vector,
    rotation_vectors,
    rotations_from_vectors,
    tangent,
    tangent_drift,
    transform_points,
)

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
    "cross_matrices",
    "frame_of_axes",
    "inertia_about",
    "matrix",
    "numeric",
    "quaternion_from_matrix",
    "quaternion_matrix",
    "quaternion_rate_map",
    "rotation_from_vector",
    "rotation_vector",
    "rotation_vectors",
    "rotations_from_vectors",
    "skew",
    "snap_rotation",
    "tangent",
    "tangent_drift",
    "traced_quaternion",
    "transform_points",
    "transport_wrench",
    "twist_matrix",
    "unskew",
    "zeros",
]
