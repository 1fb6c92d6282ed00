"""Equilibria, steady and periodic motions, and the linearised motion about them."""

from multiloop.analyses.steady_states.equilibrium_branch import Branch, continuation_range, follow_branch
from multiloop.analyses.steady_states.equilibrium_result import Equilibrium, equilibrium_of
from multiloop.analyses.steady_states.equilibrium_search import (
    displaced_configuration,
    initial_configuration,
    solve_equilibrium,
)
from multiloop.analyses.steady_states.force_balance import ForceBalance
from multiloop.analyses.steady_states.forcing_period import period_of_forcing, require_repeating_forces
from multiloop.analyses.steady_states.linear_outputs import named_outputs, observed_joints, output_error
from multiloop.analyses.steady_states.linearised_equations import (
    Pencil,
    independent_rows,
    rate_names,
    with_named_coordinates,
)
from multiloop.analyses.steady_states.shooting import (
    SLOPE_TOLERANCE,
    FlowMap,
    Orbit,
    ShootingProblem,
)
from multiloop.analyses.steady_states.steadiness import require_balance, steady_pencil
from multiloop.analyses.steady_states.steady_state import Configuration, SteadyState, scaled_rows, state_at

__all__ = [
    "SLOPE_TOLERANCE",
    "Branch",
    "Configuration",
    "Equilibrium",
    "FlowMap",
    "ForceBalance",
    "Orbit",
    "Pencil",
    "ShootingProblem",
    "SteadyState",
    "continuation_range",
    "displaced_configuration",
    "equilibrium_of",
    "follow_branch",
    "independent_rows",
    "initial_configuration",
    "named_outputs",
    "observed_joints",
    "output_error",
    "period_of_forcing",
    "rate_names",
    "require_balance",
    "require_repeating_forces",
    "scaled_rows",
    "solve_equilibrium",
    "state_at",
    "steady_pencil",
    "with_named_coordinates",
]
