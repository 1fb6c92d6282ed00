"""Constraints: cut joints, pairs, gearings, relations, prescribed motions and idle spins, with one common interface.

`constraints_of` returns the constraints that follow from the description of a mechanism: cut joints, pairs and
couplings. `Equations` adds the constraints of drives, start values and idle spins.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from multiloop.kinematics.constraints.constraint import (
    Constraint,
    EffortInteraction,
    End,
    Interaction,
    Prescribed,
    Row,
    WrenchInteraction,
)
from multiloop.kinematics.constraints.constraint_jacobian import RowSet, constraint_jacobian
from multiloop.kinematics.constraints.cut_joint import CutJoint, cut_rates
from multiloop.kinematics.constraints.gearing_row import GearingRow, ToothSliding
from multiloop.kinematics.constraints.idle_spin import Spin, SpinRow
from multiloop.kinematics.constraints.relation_rows import JointEquation, RateRelationRow, RelationRow
from multiloop.kinematics.constraints.relative_motion import Ends, end_poses, end_twists
from multiloop.kinematics.constraints.target_rows import (
    DrivenTarget,
    JointTarget,
    MarkerTarget,
    Target,
    TargetRows,
    drive_profiles,
    drive_targets,
    driven_targets,
    quaternion_angular_velocity,
    target_lengths,
    target_rows,
)
from multiloop.kinematics.tree import Skeleton
from multiloop.model import GEARINGS, Coupling, Fault, ModelError, Relation


def _relation_row(relation: Relation, skeleton: Skeleton) -> Constraint:
    """The constraint of a relation between positions, or between rates."""
    return (RateRelationRow if relation.holds_rates else RelationRow)(relation, skeleton)


COUPLINGS: dict[type, Callable[[Any, Skeleton], Constraint]] = {
    Relation: _relation_row,
    **dict.fromkeys(GEARINGS, GearingRow),
}
"""The class of constraint for each type of coupling. Couplings are gearings and relations: constraints that are neither
a joint nor a pair between two markers."""

__all__ = [
    "COUPLINGS",
    "Constraint",
    "CutJoint",
    "DrivenTarget",
    "EffortInteraction",
    "End",
    "Ends",
    "GearingRow",
    "Interaction",
    "JointEquation",
    "JointTarget",
    "MarkerTarget",
    "Prescribed",
    "Row",
    "RowSet",
    "Spin",
    "SpinRow",
    "Target",
    "TargetRows",
    "ToothSliding",
    "WrenchInteraction",
    "constraint_jacobian",
    "constraints_of",
    "cut_rates",
    "drive_profiles",
    "drive_targets",
    "driven_targets",
    "end_poses",
    "end_twists",
    "quaternion_angular_velocity",
    "target_lengths",
    "target_rows",
]


def constraints_of(skeleton: Skeleton) -> RowSet:
    """The constraints of a mechanism, for a spanning tree: cut joints and pairs in the order of the loops, then
    couplings."""
    cuts = (CutJoint(cut, skeleton.planar) for cut in skeleton.cuts)
    others = (_constraint_of(one, skeleton) for one in skeleton.mechanism.couplings)
    return RowSet((*cuts, *others))


def _constraint_of(coupling: Coupling, skeleton: Skeleton) -> Constraint:
    """The constraint of a coupling; a type without an entry in `COUPLINGS` uses the constraint of its base class."""
    for kind in type(coupling).__mro__:
        if kind in COUPLINGS:
            return COUPLINGS[kind](coupling, skeleton)
    name = type(coupling).__name__
    remedy = f"Register its constraint too: `multiloop.register({name}, constraint=…)`."
    fault = Fault("M18", f"coupling type '{name}'", "has no constraint.", remedy)
    raise ModelError(f"coupling '{coupling.name}'", [fault])
