"""Assembly of mechanisms: positions in which all loops are closed and all values prescribed by drives and `start` are
met."""

from multiloop.kinematics.assembly.assembly_mode_search import SAME_MODE_DISTANCE, find_assembly_modes
from multiloop.kinematics.assembly.closed_position import Assembly
from multiloop.kinematics.assembly.guess import Guess, GuessDeviation
from multiloop.kinematics.assembly.initial_conditions import (
    StateValues,
    held_coordinates,
    named_state,
    start_conditions,
)
from multiloop.kinematics.assembly.newton import (
    LONGEST_STEP,
    TIGHT_FRACTION,
    LoopClosure,
    StepSolver,
    close_loops,
    damped_newton,
    damped_solver,
)
from multiloop.kinematics.assembly.requests import (
    Drive,
    Request,
    drive_of,
    drive_rates,
    drive_values,
    held_elastic_coordinates,
    position_requests,
    rate_requests,
    requests_not_held,
)
from multiloop.kinematics.assembly.separate_bodies import SeparateBodies

__all__ = [
    "LONGEST_STEP",
    "SAME_MODE_DISTANCE",
    "TIGHT_FRACTION",
    "Assembly",
    "Drive",
    "Guess",
    "GuessDeviation",
    "LoopClosure",
    "Request",
    "SeparateBodies",
    "StateValues",
    "StepSolver",
    "close_loops",
    "damped_newton",
    "damped_solver",
    "drive_of",
    "drive_rates",
    "drive_values",
    "find_assembly_modes",
    "held_coordinates",
    "held_elastic_coordinates",
    "named_state",
    "position_requests",
    "rate_requests",
    "requests_not_held",
    "start_conditions",
]
