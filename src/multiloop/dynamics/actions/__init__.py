"""Forces on the mechanism: wrenches with a potential or a power, one kind a file, summed in one place."""

from multiloop.dynamics.actions.action import Action, Applied
from multiloop.dynamics.actions.registry import ACTIONS, actions_of
from multiloop.dynamics.actions.total import (
    acting_inputs,
    action_wrenches,
    applied_wrenches,
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
    "Action",
    "Applied",
    "acting_inputs",
    "action_wrenches",
    "actions_of",
    "applied_wrenches",
    "frame_wrench",
    "load_readouts",
    "needs_states",
    "needs_time",
    "state_rates",
    "stored_energy",
    "supplied_power",
]
