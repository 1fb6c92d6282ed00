"""Analyses of a mechanism: assembly, inverse and forward dynamics, simulation, equilibria, parameter sweeps.

The module of a function or class is imported at the first use of its name, so that an analysis imports only what it
needs.
"""

from typing import TYPE_CHECKING

from multiloop.lazy_packages import import_at_first_use

if TYPE_CHECKING:
    from multiloop.analyses.assemble import assemble, branches
    from multiloop.analyses.batch import batch
    from multiloop.analyses.compile_mechanism import Kernels, compile_mechanism as compile
    from multiloop.analyses.constraint_map import ConstraintMap, constraint_map
    from multiloop.analyses.designs import Designs
    from multiloop.analyses.eigenmodes import Eigenmodes, eigenmodes
    from multiloop.analyses.equilibrium import equilibrium
    from multiloop.analyses.forward import forward
    from multiloop.analyses.inverse import inverse
    from multiloop.analyses.linearise import LinearModel, linearise
    from multiloop.analyses.matrices import Matrices, ReducedMatrices
    from multiloop.analyses.periodic import Periodic, periodic
    from multiloop.analyses.prescribed_motion import RequiredEfforts
    from multiloop.analyses.results import Result, State
    from multiloop.analyses.results.histories import Impact, JointHistory
    from multiloop.analyses.simulate import simulate
    from multiloop.analyses.simulation import Runs
    from multiloop.analyses.steady_states import Branch, Equilibrium

__all__ = [
    "Branch",
    "ConstraintMap",
    "Designs",
    "Eigenmodes",
    "Equilibrium",
    "Impact",
    "JointHistory",
    "Kernels",
    "LinearModel",
    "Matrices",
    "Periodic",
    "ReducedMatrices",
    "RequiredEfforts",
    "Result",
    "Runs",
    "State",
    "assemble",
    "batch",
    "branches",
    "compile",
    "constraint_map",
    "eigenmodes",
    "equilibrium",
    "forward",
    "inverse",
    "linearise",
    "periodic",
    "simulate",
]

import_at_first_use(
    __name__,
    {
        "assemble": "assemble branches",
        "batch": "batch",
        "compile_mechanism": "Kernels compile=compile_mechanism",
        "constraint_map": "ConstraintMap constraint_map",
        "designs": "Designs",
        "eigenmodes": "Eigenmodes eigenmodes",
        "equilibrium": "equilibrium",
        "forward": "forward",
        "inverse": "inverse",
        "linearise": "LinearModel linearise",
        "matrices": "Matrices ReducedMatrices",
        "periodic": "Periodic periodic",
        "prescribed_motion": "RequiredEfforts",
        "results": "Result State",
        "results.histories": "Impact JointHistory",
        "simulate": "simulate",
        "simulation": "Runs",
        "steady_states": "Branch Equilibrium",
    },
)
