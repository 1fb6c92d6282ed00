"""Registry of the actions of all types of loads; a new type of load is one entry."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from multiloop.dynamics.actions.action import Action
from multiloop.dynamics.actions.backlash import BacklashAction
from multiloop.dynamics.actions.bushing import BushingAction
from multiloop.dynamics.actions.contact import ContactAction
from multiloop.dynamics.actions.force import ForceAction
from multiloop.dynamics.actions.freewheel import FreewheelAction
from multiloop.dynamics.actions.friction import FrictionAction
from multiloop.dynamics.actions.joint_spring import JointSpringAction
from multiloop.dynamics.actions.rolling_resistance import RollingResistanceAction
from multiloop.dynamics.actions.rope import RopeAction
from multiloop.dynamics.actions.spring import SpringAction
from multiloop.dynamics.actions.stop import stop_action
from multiloop.dynamics.actions.tooth_friction import ToothFrictionAction
from multiloop.dynamics.actions.torque import TorqueAction
from multiloop.kinematics.skeleton import Skeleton
from multiloop.model import (
    Backlash,
    Bushing,
    Contact,
    Force,
    Freewheel,
    Friction,
    JointSpring,
    Load,
    Rope,
    Spring,
    Stop,
    ToothFriction,
    Torque,
)
from multiloop.model.loads.rolling_resistance import RollingResistance

ACTIONS: dict[type[Load], Callable[[Any], Action]] = {
    Force: ForceAction,
    Torque: TorqueAction,
    Spring: SpringAction,
    JointSpring: JointSpringAction,
    Bushing: BushingAction,
    Stop: stop_action,
    Backlash: BacklashAction,
    Friction: FrictionAction,
    ToothFriction: ToothFrictionAction,
    Rope: RopeAction,
    Contact: ContactAction,
    Freewheel: FreewheelAction,
    RollingResistance: RollingResistanceAction,
}
"""The action of each type of load."""


def actions_of(skeleton: Skeleton) -> tuple[Action, ...]:
    """The actions of a mechanism, in the order of its loads."""
    return tuple(ACTIONS[type(load)](load) for load in skeleton.mechanism.all_loads)
