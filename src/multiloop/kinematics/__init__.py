"""Kinematics of mechanisms along a spanning tree: poses and twists, constraint equations, assembly and continuation.

Each package uses only the packages listed before it: `tree` (the spanning tree and its outward recursions),
`constraints` (the constraint equations Φ = 0, J v = b and J a = γ of every type of constraint), `conditioning` (rank,
null space and distance from singularity), `assembly` (positions in which all loops are closed) and `continuation`
(following one assembly mode along a motion). The modules `snapshot`, `traced_tree_motion` and `equations` combine the
tree and its constraints at one instant.
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
    Span,
    contact_expressions,
    contacts_of,
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
    "Equations",
    "PrescribedValues",
    "Snapshot",
    "Span",
    "body_poses",
    "contact_expressions",
    "contacts_of",
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
