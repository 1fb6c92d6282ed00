"""Inverse dynamics of rigid mechanisms along a prescribed motion."""

from multiloop.analyses.prescribed_motion.cycle import forced_period, require_one_period
from multiloop.analyses.prescribed_motion.driven_motion import DrivenMotion
from multiloop.analyses.prescribed_motion.driven_plan import (
    driven_plan,
    driven_plan_at_start,
    lacks_actuators,
    under_actuation_error,
    under_actuation_remedy,
    undriven_freedoms,
)
from multiloop.analyses.prescribed_motion.driven_result import cycle_warnings, driven_result
from multiloop.analyses.prescribed_motion.driven_traces import DrivenTraces
from multiloop.analyses.prescribed_motion.inverse_arguments import (
    METHODS,
    Settling,
    requested_times,
    require_batch_arguments,
    require_forward_arguments,
    require_stable_arguments,
    require_state,
    requires_stable_inversion,
    settling_times,
)
from multiloop.analyses.prescribed_motion.inverse_at_state import inverse_at_state
from multiloop.analyses.prescribed_motion.inverse_solver import InverseSolver, inverse_keys, inverse_trace
from multiloop.analyses.prescribed_motion.required_efforts import RequiredEfforts

__all__ = [
    "METHODS",
    "DrivenMotion",
    "DrivenTraces",
    "InverseSolver",
    "RequiredEfforts",
    "Settling",
    "cycle_warnings",
    "driven_plan",
    "driven_plan_at_start",
    "driven_result",
    "forced_period",
    "inverse_at_state",
    "inverse_keys",
    "inverse_trace",
    "lacks_actuators",
    "requested_times",
    "require_batch_arguments",
    "require_forward_arguments",
    "require_one_period",
    "require_stable_arguments",
    "require_state",
    "requires_stable_inversion",
    "settling_times",
    "under_actuation_error",
    "under_actuation_remedy",
    "undriven_freedoms",
]
