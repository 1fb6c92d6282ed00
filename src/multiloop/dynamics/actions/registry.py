"""Registry of the action of each type of load; a new type of load adds one entry."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from multiloop.dynamics.actions.action import Action
from multiloop.dynamics.actions.contact_force import ContactAction
from multiloop.dynamics.actions.friction_force import (
    FrictionAction,
    RollingResistanceAction,
    ToothFrictionAction,
)
from multiloop.dynamics.actions.spring_and_bushing_forces import (
    BushingAction,
    ForceAction,
    JointSpringAction,
    SpringAction,
    TorqueAction,
)
from multiloop.dynamics.actions.stops_ropes_backlash import (
    BacklashAction,
    FreewheelAction,
    RopeAction,
    stop_action,
)
from multiloop.kinematics.tree import Skeleton
from multiloop.model import (
    Backlash,
    Bushing,
    Contact,
    Fault,
    Force,
    Freewheel,
    Friction,
    JointSpring,
    Load,
    ModelError,
    Rope,
    Spring,
    Stop,
    ToothFriction,
    Torque,
)
from multiloop.model.loads.friction import RollingResistance

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
"""The class, or function, that creates the action of each type of load."""


def actions_of(skeleton: Skeleton) -> tuple[Action, ...]:
    """The actions of a mechanism, in the order of its loads."""
    return tuple(_action_of(load) for load in skeleton.mechanism.all_loads)


def _action_of(load: Load) -> Action:
    """The action of a load; a type of load without an entry in `ACTIONS` uses the action of its base class."""
    for kind in type(load).__mro__:
        if kind in ACTIONS:
            return ACTIONS[kind](load)
    name = type(load).__name__
    remedy = f"Register its action too: `multiloop.register({name}, action=…)`."
    raise ModelError(f"load '{load.name}'", [Fault("M18", f"load type '{name}'", "has no action.", remedy)])
