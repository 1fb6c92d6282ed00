"""Everything that constrains a motion: one contract, a file a kind.

What a mechanism's description itself holds, the cut joints and the pairs, is `constraints_of` its skeleton; drives,
held starts and idle spins join it in `Equations`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from multiloop.kinematics.constraints.constraint import (
    Along,
    Between,
    Constraint,
    End,
    Interaction,
    Prescribed,
    Row,
)
from multiloop.kinematics.constraints.cut import CutJoint
from multiloop.kinematics.constraints.gearing import GearingRow
from multiloop.kinematics.constraints.rate_relation import RateRelationRow
from multiloop.kinematics.constraints.relation import RelationRow
from multiloop.kinematics.constraints.row_set import RowSet
from multiloop.kinematics.constraints.spin import Spin, SpinRow
from multiloop.kinematics.constraints.target import JointTarget, MarkerTarget, TargetRows, target_rows
from multiloop.kinematics.skeleton import Skeleton
from multiloop.model import GEARINGS, Relation


def _relation_row(relation: Relation, skeleton: Skeleton) -> Constraint:
    """The row of an equation of positions, or of rates."""
    return (RateRelationRow if relation.holds_rates else RelationRow)(relation, skeleton)


COUPLINGS: dict[type, Callable[[Any, Skeleton], Constraint]] = {
    Relation: _relation_row,
    **dict.fromkeys(GEARINGS, GearingRow),
}
"""For every kind of description that is no joint and no pair between two markers, the rows that it gives."""

__all__ = [
    "COUPLINGS",
    "Along",
    "Between",
    "Constraint",
    "CutJoint",
    "End",
    "GearingRow",
    "Interaction",
    "JointTarget",
    "MarkerTarget",
    "Prescribed",
    "Row",
    "RowSet",
    "Spin",
    "SpinRow",
    "TargetRows",
    "constraints_of",
    "target_rows",
]


def constraints_of(skeleton: Skeleton) -> RowSet:
    """The constraints of a description along a tree: its cuts, in the order of the loops, then the couplings."""
    cuts = (CutJoint(cut, skeleton.planar) for cut in skeleton.cuts)
    others = (COUPLINGS[type(one)](one, skeleton) for one in skeleton.mechanism.couplings)
    return RowSet((*cuts, *others))
