"""User-defined types: their base classes, helpers for their methods, and `register`, which adds a type to the library.

The base classes `Joint`, `Pair`, `Coupling`, `Load`, `Action`, `Body` and `ControlLaw` can also be imported from
`multiloop` itself.
"""

from multiloop.dynamics.actions import Action, JointReactions, MarkerWrench
from multiloop.dynamics.outputs import Output, TracedInstant
from multiloop.extension.registration import register
from multiloop.kinematics import Snapshot, Span, expression_value, marker_motion, span_between
from multiloop.kinematics.constraints import (
    Constraint,
    EffortInteraction,
    End,
    Row,
    WrenchInteraction,
    end_poses,
)
from multiloop.kinematics.tree import Skeleton, Twist
from multiloop.model import (
    Body,
    ContactGeometry,
    ControlLaw,
    Coupling,
    Joint,
    Load,
    Modes,
    Pair,
    ReducedBody,
    accepts_pose_stacks,
    marker_pose,
    rigid_body,
)
from multiloop.model.joints.joint import nearest_angle, unit_columns
from multiloop.spatial import Matrix, Pose, skew

__all__ = [
    "Action",
    "Body",
    "Constraint",
    "ContactGeometry",
    "ControlLaw",
    "Coupling",
    "EffortInteraction",
    "End",
    "Joint",
    "JointReactions",
    "Load",
    "MarkerWrench",
    "Matrix",
    "Modes",
    "Output",
    "Pair",
    "Pose",
    "ReducedBody",
    "Row",
    "Skeleton",
    "Snapshot",
    "Span",
    "TracedInstant",
    "Twist",
    "WrenchInteraction",
    "accepts_pose_stacks",
    "end_poses",
    "expression_value",
    "marker_motion",
    "marker_pose",
    "nearest_angle",
    "register",
    "rigid_body",
    "skew",
    "span_between",
    "unit_columns",
]
