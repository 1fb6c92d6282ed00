"""Rank, null space and minimum-norm solutions of the constraint equations, and the distance of a position from
singularity."""

from multiloop.kinematics.conditioning.consistent_rates import (
    SPARSE_RATE_COUNT,
    LinearisedRows,
    consistent_accelerations,
    consistent_rates,
    cut_joint_rows,
    linearise_rows,
    position_degrees_of_freedom,
    rate_rows,
    scaled_rows,
    singular_value_ratio,
    target_accelerations,
)
from multiloop.kinematics.conditioning.constraint_pivots import (
    RowGroups,
    independent_basis,
    pivot_distance,
    pivoted_rows,
    row_pivots,
)
from multiloop.kinematics.conditioning.sparse_qr import factor_sparse_qr
from multiloop.kinematics.conditioning.sparse_rank import (
    RANK_TOLERANCE,
    independent_blocks,
    largest_singular_value,
    null_space,
    numerical_rank,
    reliable_sparse_qr,
    singular_values,
    sparse_null_space,
)

__all__ = [
    "RANK_TOLERANCE",
    "SPARSE_RATE_COUNT",
    "LinearisedRows",
    "RowGroups",
    "consistent_accelerations",
    "consistent_rates",
    "cut_joint_rows",
    "factor_sparse_qr",
    "independent_basis",
    "independent_blocks",
    "largest_singular_value",
    "linearise_rows",
    "null_space",
    "numerical_rank",
    "pivot_distance",
    "pivoted_rows",
    "position_degrees_of_freedom",
    "rate_rows",
    "reliable_sparse_qr",
    "row_pivots",
    "scaled_rows",
    "singular_value_ratio",
    "singular_values",
    "sparse_null_space",
    "target_accelerations",
]
