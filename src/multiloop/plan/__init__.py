"""Analysis of a mechanism before any motion: rank, mobility, redundancy, determinacy and order of solution."""

from multiloop.plan.constraint_matrix import ConstraintMatrix, ReactionComponents
from multiloop.plan.constraint_rows import constraint_matrix_at, joint_wrenches
from multiloop.plan.determinacy import Block, Determinacy, Stage, unknown_efforts
from multiloop.plan.massless_links import MasslessLinks, tree_inertia
from multiloop.plan.mobility import IdleMotion, self_equilibrated_reactions
from multiloop.plan.plan import Plan, analyse, plan_at
from multiloop.plan.rank import Rank, rank_of

__all__ = [
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
    "constraint_matrix_at",
    "joint_wrenches",
    "plan_at",
    "rank_of",
    "self_equilibrated_reactions",
    "tree_inertia",
    "unknown_efforts",
]
