"""Analyses of a mechanism: assembly, inverse and forward dynamics, simulation, equilibria and parameter sweeps."""

from multiloop.questions.answers.impact import Impact
from multiloop.questions.answers.joint_history import JointHistory
from multiloop.questions.answers.result import Result
from multiloop.questions.answers.state import State
from multiloop.questions.assembling import assemble, branches
from multiloop.questions.batch import batch
from multiloop.questions.compiled import Kernels
from multiloop.questions.compiled import compile_mechanism as compile
from multiloop.questions.constraint_map import ConstraintMap, constraint_map
from multiloop.questions.designs import Designs
from multiloop.questions.forward import forward
from multiloop.questions.inverse import inverse
from multiloop.questions.leading.required import RequiredEfforts
from multiloop.questions.running.runs import Runs
from multiloop.questions.simulate import simulate
from multiloop.questions.steady.branch import Branch
from multiloop.questions.steady.equilibrium import equilibrium
from multiloop.questions.steady.equilibrium_answer import Equilibrium
from multiloop.questions.steady.linear_model import LinearModel
from multiloop.questions.steady.linearise import linearise
from multiloop.questions.steady.modes import NaturalModes, modes
from multiloop.questions.steady.periodic import periodic
from multiloop.questions.steady.periodic_answer import Periodic

__all__ = [
    "Branch",
    "ConstraintMap",
    "Designs",
    "Equilibrium",
    "Impact",
    "JointHistory",
    "Kernels",
    "LinearModel",
    "NaturalModes",
    "Periodic",
    "RequiredEfforts",
    "Result",
    "Runs",
    "State",
    "assemble",
    "batch",
    "branches",
    "compile",
    "constraint_map",
    "equilibrium",
    "forward",
    "inverse",
    "linearise",
    "modes",
    "periodic",
    "simulate",
]
