"""From described loads to what they do; a new kind is one entry."""

from __future__ import annotations

from multiloop.dynamics.actions.action import Action
from multiloop.dynamics.actions.backlash import BacklashAction
from multiloop.dynamics.actions.bushing import BushingAction
from multiloop.dynamics.actions.force import ForceAction
from multiloop.dynamics.actions.friction import FrictionAction
from multiloop.dynamics.actions.joint_spring import JointSpringAction
from multiloop.dynamics.actions.spring import SpringAction
from multiloop.dynamics.actions.stop import StopAction
from multiloop.dynamics.actions.tooth_friction import ToothFrictionAction
from multiloop.dynamics.actions.torque import TorqueAction
from multiloop.kinematics.skeleton import Skeleton
from multiloop.model import (
    Backlash,
    Bushing,
    Force,
    Friction,
    JointSpring,
    Load,
    Spring,
    Stop,
    ToothFriction,
    Torque,
)

ACTIONS: dict[type[Load], type[Action]] = {
    Force: ForceAction,
    Torque: TorqueAction,
    Spring: SpringAction,
    JointSpring: JointSpringAction,
    Bushing: BushingAction,
    Stop: StopAction,
    Backlash: BacklashAction,
    Friction: FrictionAction,
    ToothFriction: ToothFrictionAction,
}
"""What each kind of load does."""


def actions_of(skeleton: Skeleton) -> tuple[Action, ...]:
    """The actions of a mechanism, in the order of its loads."""
    return tuple(ACTIONS[type(load)](load) for load in skeleton.mechanism.loads)
