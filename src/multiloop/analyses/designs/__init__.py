"""Parameter sweeps: inverse dynamics of many designs, their status and their feasibility."""

from multiloop.analyses.designs.changed_mobility import warn_redundancy_parameters, with_mobility_check
from multiloop.analyses.designs.designs import Designs
from multiloop.analyses.designs.driven_step import DrivenStep, close_designs
from multiloop.analyses.designs.feasibility import (
    INFEASIBLE_BODY,
    INFEASIBLE_LINK,
    INFEASIBLE_LOAD,
    infeasible_bodies,
    infeasible_links,
    infeasible_loads,
    require_fixed_reduction,
    require_shared_reduction,
)
from multiloop.analyses.designs.sweep import (
    NO_BODY,
    NO_LOAD,
    OK,
    OVER_LIMIT,
    SEPARATED,
    Sweep,
    effort_names,
    integrate_designs,
    require_step_count,
)

__all__ = [
    "INFEASIBLE_BODY",
    "INFEASIBLE_LINK",
    "INFEASIBLE_LOAD",
    "NO_BODY",
    "NO_LOAD",
    "OK",
    "OVER_LIMIT",
    "SEPARATED",
    "Designs",
    "DrivenStep",
    "Sweep",
    "close_designs",
    "effort_names",
    "infeasible_bodies",
    "infeasible_links",
    "infeasible_loads",
    "integrate_designs",
    "require_fixed_reduction",
    "require_shared_reduction",
    "require_step_count",
    "warn_redundancy_parameters",
    "with_mobility_check",
]
