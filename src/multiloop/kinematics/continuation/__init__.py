"""Continuation: motions with prescribed drives that stay in one assembly mode, and their behaviour near singular
configurations."""

from multiloop.kinematics.continuation.drive_continuation import (
    PREDICTION_TOLERANCE,
    Instant,
    Trajectory,
    advance_to,
    follow_drives,
    instant_at,
    most_moved_joint,
    sample_times_within_steps,
)
from multiloop.kinematics.continuation.round_off import (
    Motion,
    displaced_motion,
    exact_rows,
    expected_round_off,
    most_affected_instants,
    motion_change,
    remove_round_off,
    round_off_matters,
)
from multiloop.kinematics.continuation.singular_approach import (
    NEAR_SINGULAR,
    Nearness,
    Singularity,
    closest_approaches,
    drive_distance,
)

__all__ = [
    "NEAR_SINGULAR",
    "PREDICTION_TOLERANCE",
    "Instant",
    "Motion",
    "Nearness",
    "Singularity",
    "Trajectory",
    "advance_to",
    "closest_approaches",
    "displaced_motion",
    "drive_distance",
    "exact_rows",
    "expected_round_off",
    "follow_drives",
    "instant_at",
    "most_affected_instants",
    "most_moved_joint",
    "motion_change",
    "remove_round_off",
    "round_off_matters",
    "sample_times_within_steps",
]
