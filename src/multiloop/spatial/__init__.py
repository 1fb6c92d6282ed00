"""Spatial algebra: poses, rotations, twists, wrenches and inertia.

All functions operate on CasADi matrices, symbols (SX) as well as numbers (DM). A twist is t = [ω; v], a wrench
w = [n; f] (docs/notation.md).
"""

from multiloop.spatial.inertia import Inertia, inertia_about
from multiloop.spatial.matrix import Matrix, column, matrix, numeric, parted, zeros
from multiloop.spatial.pose import IDENTITY, Pose
from multiloop.spatial.rotation import (
    Rx,
    Ry,
    Rz,
    frame_of_axes,
    quaternion_matrix,
    quaternion_of,
    quaternion_rate_map,
    skew,
    snapped,
    unskew,
)
from multiloop.spatial.rotation_vector import rotation_by, rotation_vector, tangent, tangent_drift
from multiloop.spatial.twist import transport_wrench, twist_matrix

__all__ = [
    "IDENTITY",
    "Inertia",
    "Matrix",
    "Pose",
    "Rx",
    "Ry",
    "Rz",
    "column",
    "frame_of_axes",
    "inertia_about",
    "matrix",
    "numeric",
    "parted",
    "quaternion_matrix",
    "quaternion_of",
    "quaternion_rate_map",
    "rotation_by",
    "rotation_vector",
    "skew",
    "snapped",
    "tangent",
    "tangent_drift",
    "transport_wrench",
    "twist_matrix",
    "unskew",
    "zeros",
]
