"""Models of a simulation: accelerations at a state, and the functions that a time integrator calls.

A `ForwardModel` computes accelerations and efforts at one instant. A `RunModel` contains the traced functions of a
simulation. A `LocalChoice` contains inputs of these functions that are chosen at a position, such as independent rows
and coordinates, because compiled code without branches cannot choose them. Contact events, simulation and steady states
use these models.
"""

from multiloop.analyses.run_models.forward_model import ForwardModel, ForwardSolution, motion_keys
from multiloop.analyses.run_models.inverse_dynamics_control import efforts_with_control, require_controllable
from multiloop.analyses.run_models.local_choice import (
    LocalChoice,
    first_choice,
    geometric_distance,
    light_link_warnings,
    make_local_choice,
    require_constraints_met,
    singularity_error,
)
from multiloop.analyses.run_models.loop_kernels import loop_kernels, python_callbacks
from multiloop.analyses.run_models.near_singular import (
    DEFLECTION_LIMIT,
    ROUND_OFF_DISTANCE,
    SUSPECT_DISTANCE,
    SUSPICIOUS_DEFLECTION,
    RelativeDeflections,
    SingularityCheck,
    discard_excessive,
)
from multiloop.analyses.run_models.run_model import RunModel, cached_model, cached_run
from multiloop.analyses.run_models.servo_constraints import has_servo_constraints, servo_rates, solved_efforts

__all__ = [
    "DEFLECTION_LIMIT",
    "ROUND_OFF_DISTANCE",
    "SUSPECT_DISTANCE",
    "SUSPICIOUS_DEFLECTION",
    "ForwardModel",
    "ForwardSolution",
    "LocalChoice",
    "RelativeDeflections",
    "RunModel",
    "SingularityCheck",
    "cached_model",
    "cached_run",
    "discard_excessive",
    "efforts_with_control",
    "first_choice",
    "geometric_distance",
    "has_servo_constraints",
    "light_link_warnings",
    "loop_kernels",
    "make_local_choice",
    "motion_keys",
    "python_callbacks",
    "require_constraints_met",
    "require_controllable",
    "servo_rates",
    "singularity_error",
    "solved_efforts",
]
