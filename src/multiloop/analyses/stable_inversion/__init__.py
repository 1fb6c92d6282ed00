"""Inverse dynamics of flexible mechanisms as a boundary-value problem in time, and initial states with links in
equilibrium."""

from multiloop.analyses.stable_inversion.relaxation import relaxed_start
from multiloop.analyses.stable_inversion.stable_inverse import stable_inverse
from multiloop.analyses.stable_inversion.startup_transient import startup_transient

__all__ = [
    "relaxed_start",
    "stable_inverse",
    "startup_transient",
]
