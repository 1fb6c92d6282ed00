"""Analysis of a mechanism before any motion: rank, mobility, redundancy, determinacy and order of solution."""

from multiloop.plan.determinacy import Block, Determinacy, Stage, efforts_of
from multiloop.plan.massless import Massless, tree_inertia
from multiloop.plan.mobility import Idle, shared_reactions
from multiloop.plan.plan import Plan, analyse, plan_at
from multiloop.plan.rank import Rank, rank_of
from multiloop.plan.reaction_components import ReactionComponents
from multiloop.plan.screw_rows import joint_wrenches, screws_of
from multiloop.plan.screws import Screws

__all__ = [
    "Block",
    "Determinacy",
    "Idle",
    "Massless",
    "Plan",
    "Rank",
    "ReactionComponents",
    "Screws",
    "Stage",
    "analyse",
    "efforts_of",
    "joint_wrenches",
    "plan_at",
    "rank_of",
    "screws_of",
    "shared_reactions",
    "tree_inertia",
]
