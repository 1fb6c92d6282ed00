"""Kinematics of mechanisms along a spanning tree: poses and twists, constraint equations, assembly and continuation.

Packages, each of which uses only those before it: `tree` (the spanning tree and its outward recursions), `constraints`
(rows Φ, J, γ of every kind of constraint), `conditioning` (rank, null space and distance from singularity),
`assembly` (positions in which all loops are closed) and `continuation` (the same assembly mode along a motion).
`snapshot`, `traced_tree_motion` and `equations` join the tree and its constraints at one instant.
"""

from multiloop.kinematics.equations import CACHE_SIZE, Equations, PrescribedValues, equations_of
from multiloop.kinematics.joint_coordinates import (
    body_poses,
    has_mirrored_cut,
    joint_coordinates,
    joint_motion,
    marker_frames,
    tree_rates,
)
from multiloop.kinematics.marker_twists import (
    TINY,
    ContactMotion,
    Span,
    contact_motions,
    expression_value,
    loads_with_length,
    marker_deformations,
    marker_motion,
    one_sided_normals,
    span_between,
    traced_lengths,
    traced_marker_motion,
)
from multiloop.kinematics.snapshot import Snapshot

__all__ = [
    "CACHE_SIZE",
    "TINY",
    "ContactMotion",
    "Equations",
    "PrescribedValues",
    "Snapshot",
    "Span",
    "body_poses",
    "contact_motions",
    "equations_of",
    "expression_value",
    "has_mirrored_cut",
    "joint_coordinates",
    "joint_motion",
    "loads_with_length",
    "marker_deformations",
    "marker_frames",
    "marker_motion",
    "one_sided_normals",
    "span_between",
    "traced_lengths",
    "traced_marker_motion",
    "tree_rates",
]
