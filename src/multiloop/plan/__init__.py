"""Analysis of a mechanism before any motion: rank, mobility, redundancy, determinacy and order of solution."""

from multiloop.plan.block_decomposition import Block, Determinacy, Stage, unknown_efforts
from multiloop.plan.constraint_matrix import ConstraintMatrix, ReactionComponents
from multiloop.plan.constraint_rows import constraint_matrix_at, constraint_matrix_series, joint_wrenches
from multiloop.plan.massless_links import (
    MASSLESS_RATIO,
    MasslessLinks,
    carried_inertia_of_rates,
    massless_joints,
    massless_links,
    rate_weights,
    tree_inertia,
    tree_links,
)
from multiloop.plan.mobility import IdleMotion, idle_motions, require_unlocked, self_equilibrated_reactions
from multiloop.plan.operation_count import require_budget
from multiloop.plan.plan import Plan, analyse, plan_at
from multiloop.plan.rank import Rank, independent_loop_rows, rank_of
from multiloop.plan.redundancy_parameters import redundancy_parameters

__all__ = [
    "MASSLESS_RATIO",
    "Block",
    "ConstraintMatrix",
    "Determinacy",
    "IdleMotion",
    "MasslessLinks",
    "Plan",
    "Rank",
    "ReactionComponents",
    "Stage",
    "analyse",
    "carried_inertia_of_rates",
    "constraint_matrix_at",
    "constraint_matrix_series",
    "idle_motions",
    "independent_loop_rows",
    "joint_wrenches",
    "massless_joints",
    "massless_links",
    "plan_at",
    "rank_of",
    "rate_weights",
    "redundancy_parameters",
    "require_budget",
    "require_unlocked",
    "self_equilibrated_reactions",
    "tree_inertia",
    "tree_links",
    "unknown_efforts",
]
