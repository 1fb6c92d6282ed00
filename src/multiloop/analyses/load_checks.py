"""Checks of loads: tables that end too early, springs whose ends coincide, undetermined reactions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from multiloop.analyses.errors import analysis_error, not_finite_error
from multiloop.dynamics.actions import actions_of
from multiloop.kinematics import Equations, loads_with_length, traced_lengths
from multiloop.kinematics.tree import Skeleton
from multiloop.model import Mechanism, SolveError
from multiloop.model.expressions import Table, Time, check_covered, nodes_of
from multiloop.plan import Plan

COINCIDENT = 1e-9
"""Distance of the ends of a spring, as a fraction of the characteristic length, below which they coincide."""


def require_covered_loads(mechanism: Mechanism, times: Sequence[float]) -> None:
    """Raise an error for a load with a table over time that does not cover all times."""
    for load in mechanism.all_loads:
        for node in (node for value in load.expressions for node in nodes_of(value)):
            if isinstance(node, Table) and isinstance(node.argument, Time) and not node.periodic:
                try:
                    check_covered(node, np.array([min(times), max(times)]))
                except ValueError as problem:
                    what = str(problem).partition(". Give")[0] + "."
                    remedy = "Simulate within the times of the table, or extend the table."
                    raise analysis_error(mechanism, "S03", f"load '{load.name}'", what, remedy) from None


def require_spring_lengths(
    equations: Equations, t: float, q: np.ndarray, v: np.ndarray, p: np.ndarray
) -> None:
    """Raise an error if the ends of a spring coincide in this state and its force needs a direction."""
    if any(load.needs_distance for load in equations.skeleton.mechanism.all_loads) and _coincident_springs(
        equations, q, v, p
    ):
        raise undefined_force_error(equations, t, q, v, p)


def _coincident_springs(equations: Equations, q: np.ndarray, v: np.ndarray, p: np.ndarray) -> list[str]:
    """Names of the springs whose two ends coincide, if their force needs a direction."""
    skeleton = equations.skeleton
    names = loads_with_length(skeleton)
    lengths = traced_lengths(equations)(q=q, v=v, p=p)[0] if names else np.zeros(0)
    short = [
        name
        for name, length in zip(names, lengths, strict=True)
        if length < COINCIDENT * skeleton.characteristic_length
    ]
    return [load.name for load in skeleton.mechanism.all_loads if load.name in short and load.needs_distance]


def spring_ends_coincide(equations: Equations, q: np.ndarray, v: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Mask of the instants (rows of q and v) at which the ends of a spring coincide and its force needs a
    direction."""
    skeleton = equations.skeleton
    names, needy = (
        loads_with_length(skeleton),
        [l.name for l in skeleton.mechanism.all_loads if l.needs_distance],
    )
    if not needy:
        return np.zeros(len(q), bool)
    lengths = traced_lengths(equations).evaluate_many(q=q.T, v=v.T, p=p)[0]
    shortest = lengths[:, [names.index(name) for name in needy]].min(axis=1)
    met: np.ndarray = shortest < COINCIDENT * skeleton.characteristic_length
    return met


def undefined_force_error(
    equations: Equations, t: float, q: np.ndarray, v: np.ndarray, p: np.ndarray
) -> SolveError:
    """The error for forces that are not finite; it names a spring whose ends coincide."""
    mechanism = equations.skeleton.mechanism
    for name in _coincident_springs(equations, q, v, p):
        what = f"its two ends coincide at t = {t:.6g} s, where the direction of its force is undefined."
        remedy = "Move one of its markers, or avoid this configuration."
        return analysis_error(mechanism, "S13", f"load '{name}'", what, remedy, time=t)
    return not_finite_error(mechanism, t)


def require_determined_reactions(plan: Plan, skeleton: Skeleton) -> None:
    """Raise an error for a load that depends on a joint reaction which equilibrium does not determine: the magnitude of
    the load would be arbitrary.
    """
    for action in actions_of(skeleton):
        for joint, components in action.reaction_sources(skeleton).items():
            open_ones = [name for name, unique in plan.unique[joint] if not unique and name in components]
            if open_ones:
                listed = " and the ".join(open_ones)
                called = plan.mechanism.connection(joint).called
                what = f"depends on the {listed} at {called} '{joint}', which equilibrium does not determine."
                remedy = f"Remove the redundant constraints (see `plan.explain()`), or {action.remedy}."
                raise analysis_error(plan.mechanism, "S16", f"load '{action.name}'", what, remedy)
