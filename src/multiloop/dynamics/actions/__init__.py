"""Applied forces: wrenches and efforts of all loads, with potential or power, and their sums over the mechanism."""

from multiloop.dynamics.actions.action import FLAG, Action, Applied, Felt
from multiloop.dynamics.actions.registry import ACTIONS, actions_of
from multiloop.dynamics.actions.total import (
    acting_inputs,
    action_wrenches,
    applied_wrenches,
    felt_inputs,
    frame_wrench,
    load_readouts,
    needs_states,
    needs_time,
    state_rates,
    stored_energy,
    supplied_power,
)

__all__ = [
    "ACTIONS",
    "FLAG",
    "Action",
    "Applied",
    "Felt",
    "acting_inputs",
    "action_wrenches",
    "actions_of",
    "applied_wrenches",
    "felt_inputs",
    "frame_wrench",
    "load_readouts",
    "needs_states",
    "needs_time",
    "state_rates",
    "stored_energy",
    "supplied_power",
]
