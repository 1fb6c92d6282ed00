"""Constraints: cut joints, pairs, gearings, relations, prescribed motions and idle spins, with one common interface.

`constraints_of` returns the constraints of a description: cut joints, pairs and couplings. `Equations` adds drives,
held start values and idle spins.
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
    """The constraint of a relation between positions, or between rates."""
    return (RateRelationRow if relation.holds_rates else RelationRow)(relation, skeleton)


COUPLINGS: dict[type, Callable[[Any, Skeleton], Constraint]] = {
    Relation: _relation_row,
    **dict.fromkeys(GEARINGS, GearingRow),
}
"""The constraint class for every type of coupling (neither a joint nor a pair between two markers)."""

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
    """The constraints of a description along a tree: cut joints and pairs in the order of the loops, then couplings."""
    cuts = (CutJoint(cut, skeleton.planar) for cut in skeleton.cuts)
    others = (COUPLINGS[type(one)](one, skeleton) for one in skeleton.mechanism.couplings)
    return RowSet((*cuts, *others))
