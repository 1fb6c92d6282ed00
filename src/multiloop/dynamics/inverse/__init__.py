"""Inverse dynamics: efforts and reactions for a known motion, by several formulations."""

from multiloop.dynamics.inverse.problem import Inverse, InverseProblem
from multiloop.dynamics.inverse.subsystem import subsystem
from multiloop.dynamics.inverse.system import system
from multiloop.dynamics.inverse.traced import InverseFunctions, effort_columns
from multiloop.dynamics.inverse.traditional import AllAtOnce, traditional
from multiloop.dynamics.inverse.virtual_work import virtual_work
from multiloop.dynamics.inverse.whole import whole_inverse

__all__ = [
    "AllAtOnce",
    "Inverse",
    "InverseFunctions",
    "InverseProblem",
    "effort_columns",
    "subsystem",
    "system",
    "traditional",
    "virtual_work",
    "whole_inverse",
]
