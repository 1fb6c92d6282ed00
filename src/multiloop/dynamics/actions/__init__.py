"""Applied forces: wrenches and efforts of all loads, with potential or power, and their sums over the mechanism."""

from multiloop.dynamics.actions.action import FLAG, Action, JointReactions, MarkerWrench
from multiloop.dynamics.actions.applied_wrenches import (
    action_wrenches,
    applied_wrenches,
    dependent_force_inputs,
    ground_wrench,
    load_inputs,
    load_readouts,
    needs_states,
    needs_time,
    state_rates,
    stored_energy,
    supplied_power,
)
from multiloop.dynamics.actions.registry import ACTIONS, actions_of

__all__ = [
    "ACTIONS",
    "FLAG",
    "Action",
    "JointReactions",
    "MarkerWrench",
    "action_wrenches",
    "actions_of",
    "applied_wrenches",
    "dependent_force_inputs",
    "ground_wrench",
    "load_inputs",
    "load_readouts",
    "needs_states",
    "needs_time",
    "state_rates",
    "stored_energy",
    "supplied_power",
]
