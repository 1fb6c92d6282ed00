"""Inverse dynamics: efforts (torques and forces) and joint reactions for a known motion, by several methods."""

from multiloop.dynamics.inverse.inverse_functions import InverseFunctions, effort_columns, traced_inverse
from multiloop.dynamics.inverse.system_and_subsystem import (
    InverseDynamicsSolution,
    InverseProblem,
    subsystem,
    system,
    virtual_work,
)
from multiloop.dynamics.inverse.traditional import TraditionalSolution, traditional

__all__ = [
    "InverseDynamicsSolution",
    "InverseFunctions",
    "InverseProblem",
    "TraditionalSolution",
    "effort_columns",
    "subsystem",
    "system",
    "traced_inverse",
    "traditional",
    "virtual_work",
]
