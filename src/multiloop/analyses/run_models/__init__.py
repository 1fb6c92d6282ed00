"""Models of a run: accelerations at a state, choices made at a position, and the functions that a run integrates.

A `ForwardModel` returns accelerations and efforts at one instant, a `RunModel` the traced functions of a run, a
`LocalChoice` what code without branches cannot decide. Contact events, simulation and steady states use them.
"""

from multiloop.analyses.run_models.forward_model import ForwardModel, ForwardSolution, motion_keys
from multiloop.analyses.run_models.inverse_dynamics_control import efforts_with_control, require_controllable
from multiloop.analyses.run_models.local_choice import (
    LocalChoice,
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
