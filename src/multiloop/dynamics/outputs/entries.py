"""Single entries of outputs as expressions: for events, efforts and outputs of linear models."""

from __future__ import annotations

from collections.abc import Mapping

import casadi as ca

from multiloop.dynamics.outputs.output import WHOLE
from multiloop.dynamics.outputs.output_list import find_output, require_traced, traced_column
from multiloop.dynamics.outputs.traced_instant import traced_instant_of
from multiloop.kinematics import Equations
from multiloop.model import Fault, SolveError
from multiloop.plan import Plan
from multiloop.spatial import Matrix

UNKNOWN_BEFORE_SOLUTION = ("a", "lam", "tau", "dependent_forces")
"""Inputs of an instant that are known only after the equations of motion have been solved."""


def output_entry(equations: Equations, name: str) -> Matrix:
    """The expression of a scalar output, or of one entry "C.force.x", in the symbols of an instant.

    An output with several entries, or one that cannot be traced, raises a SolveError.
    """
    at, (output, entry) = traced_instant_of(equations), find_output(equations, name)
    require_traced(at, output)
    if entry is None and output.components:
        what = f"has {output.size} entries, where one is needed."
        raise _output_error(equations, name, what, f"Name one of {', '.join(output.entries)}.")
    return traced_column(at, output)[entry or 0]


def state_entry(equations: Equations, name: str) -> Matrix:
    """The expression of a scalar output, or of one entry, that depends only on time, positions, rates and state
    variables; other outputs raise a SolveError."""
    found, inputs = output_entry(equations, name), traced_instant_of(equations).inputs
    if any(inputs[one].numel() and ca.depends_on(found, inputs[one]) for one in UNKNOWN_BEFORE_SOLUTION):
        what = "depends on accelerations, efforts or reactions, which are not known here."
        remedy = "Use it in `events`, or choose an output that depends on positions and rates only."
        raise _output_error(equations, name, what, remedy)
    return found


def determined_entry(plan: Plan, equations: Equations, name: str) -> Matrix:
    """The expression of a scalar output, or of one entry; raises a SolveError if equilibrium does not determine it,
    since the multipliers of the solver are not those of the minimum-norm reactions in results."""
    found, (output, _) = output_entry(equations, name), find_output(equations, name)
    lam, components = traced_instant_of(equations).lam, plan.unique.get(output.owner, (("", False),))
    unique = output.owner == WHOLE or all(flag for _, flag in components)
    if plan.redundant and not unique and lam.numel() and ca.depends_on(found, lam):
        what = "is not determined by equilibrium: constraints are redundant, and results report its minimum norm."
        remedy = (
            "Choose another output, or give joints more degrees of freedom, so that reactions are unique."
        )
        raise _output_error(equations, name, what, remedy)
    return found


def at_solution(equations: Equations, expression: Matrix, solution: Mapping[str, Matrix]) -> Matrix:
    """The expression with a solution of the equations of motion in place of the symbols `UNKNOWN_BEFORE_SOLUTION`."""
    inputs = traced_instant_of(equations).inputs
    replaced = [(inputs[one], solution[one]) for one in UNKNOWN_BEFORE_SOLUTION if inputs[one].numel()]
    symbols, values = (ca.vertcat(ca.SX(0, 1), *parts) for parts in zip(*replaced, strict=True))
    return ca.substitute(expression, symbols, values) if replaced else expression


def _output_error(equations: Equations, name: str, what: str, remedy: str) -> SolveError:
    mechanism = equations.skeleton.mechanism
    return SolveError(f"mechanism '{mechanism.name}'", [Fault("R09", f"output '{name}'", what, remedy)])
