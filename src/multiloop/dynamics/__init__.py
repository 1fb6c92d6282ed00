"""Equations of motion: forward and inverse dynamics, applied forces, reactions and energy (symbolic or numeric)."""

from multiloop.dynamics.admissible_forces import AdmissibleForces, FrictionCone
from multiloop.dynamics.constraint_projection import ConstraintProjection, distance_and_size
from multiloop.dynamics.convective_matrix import complement_rates, convective_matrix
from multiloop.dynamics.inertia_matrix import generalized_inertia
from multiloop.dynamics.reaction_dependent_forces import (
    CONE_ROUND_OFF,
    LAW_TOLERANCE,
    ROUND_OFF,
    SOFTENING,
    is_unique,
)
from multiloop.dynamics.reaction_limits import ReactionLimit, StictionForces, admissible_set_near
from multiloop.dynamics.residual import Residual
from multiloop.dynamics.symbolic_solvers import determinant_sign, solve_general, solve_positive

__all__ = [
    "CONE_ROUND_OFF",
    "LAW_TOLERANCE",
    "ROUND_OFF",
    "SOFTENING",
    "AdmissibleForces",
    "ConstraintProjection",
    "FrictionCone",
    "ReactionLimit",
    "Residual",
    "StictionForces",
    "admissible_set_near",
    "complement_rates",
    "convective_matrix",
    "determinant_sign",
    "distance_and_size",
    "generalized_inertia",
    "is_unique",
    "solve_general",
    "solve_positive",
]
