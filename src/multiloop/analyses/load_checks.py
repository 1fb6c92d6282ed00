"""Checks of loads: tables that end too early, springs of zero length, undetermined reactions, moments without
inertia.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import casadi as ca
import numpy as np

from multiloop.analyses.errors import analysis_error, not_finite_error
from multiloop.dynamics.actions import action_wrenches, actions_of, dependent_force_inputs, load_inputs
from multiloop.kinematics import Equations, loads_with_length, marker_motion, traced_lengths
from multiloop.kinematics.tree import Skeleton
from multiloop.model import Mechanism, SolveError
from multiloop.model.expressions import Time, nodes_of
from multiloop.model.expressions.tables import Table, check_covered
from multiloop.plan import IdleMotion, Plan
from multiloop.symbols import Traced

COINCIDENT = 1e-9
"""Length, as a fraction of the characteristic length, below which a spring has no direction."""


MOMENT_ROUND_OFF = 1e-9
"""Moments below this fraction of a load are round-off."""


def require_covered_loads(mechanism: Mechanism, times: Sequence[float]) -> None:
    """Refuse a load with a table over time that does not cover all times."""
    for load in mechanism.all_loads:
        for node in (node for value in load.expressions for node in nodes_of(value)):
            if isinstance(node, Table) and isinstance(node.argument, Time) and not node.periodic:
                try:
                    check_covered(node, np.array([min(times), max(times)]))
                except ValueError as problem:
                    what = str(problem).partition(". Give")[0] + "."
                    remedy = "Simulate within its times, or extend the table."
                    raise analysis_error(mechanism, "S03", f"load '{load.name}'", what, remedy) from None


def require_spring_lengths(
    equations: Equations, t: float, q: np.ndarray, v: np.ndarray, p: np.ndarray
) -> None:
    """Refuse a position at which a spring that needs a direction has zero length."""
    if any(load.needs_distance for load in equations.skeleton.mechanism.all_loads) and _coincident_springs(
        equations, q, v, p
    ):
        raise undefined_force_error(equations, t, q, v, p)


def _coincident_springs(equations: Equations, q: np.ndarray, v: np.ndarray, p: np.ndarray) -> list[str]:
    """Springs of zero length among those that need a direction."""
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
    """Mask of the instants, one row each, at which a spring that needs a direction has zero length."""
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
    """The error for forces that are not finite; a spring of zero length is named."""
    mechanism = equations.skeleton.mechanism
    for name in _coincident_springs(equations, q, v, p):
        what = f"its two ends coincide at t = {t:.6g} s, where the direction of its force is undefined."
        remedy = "Move one of its markers, or avoid this configuration."
        return analysis_error(mechanism, "S13", f"load '{name}'", what, remedy, time=t)
    return not_finite_error(mechanism, t)


def require_determined_reactions(plan: Plan, skeleton: Skeleton) -> None:
    """Refuse a load that depends on a reaction which equilibrium does not determine: its magnitude would be
    arbitrary.
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


def require_no_spin_moment(
    equations: Equations, spins: Iterable[IdleMotion], q: np.ndarray, p: np.ndarray
) -> None:
    """Refuse a load that exerts a moment on a body about a line about which the body has no inertia.

    Moments about the line are evaluated at a few random times and rates: a moment that is zero at all of them is zero
    because of the geometry.
    """
    eq, rng = equations, np.random.default_rng(1)
    for spin in [idle.spin for idle in spins] if eq.skeleton.mechanism.all_loads else ():
        k = eq.skeleton.index[spin.body]
        start, end = (marker_motion(eq, marker)[0].p for marker in (spin.start, spin.end))
        e, r = (end - start) / ca.norm_2(end - start), eq.placements[k].pose.p - start
        for action in actions_of(eq.skeleton):
            w = sum((w for body, w in action_wrenches(eq, action) if body == k), ca.SX(6, 1))
            outputs = {"about": ca.dot(e, w[:3] + ca.cross(r, w[3:])), "size": ca.norm_1(w)}
            turning = Traced(
                "turning",
                {
                    "q": eq.q,
                    "v": eq.v,
                    **load_inputs(eq),
                    **dependent_force_inputs(eq),
                    "p": eq.skeleton.parameter_symbols,
                },
                outputs,
            )
            for t in rng.uniform(0.1, 1.0, 3):
                known = {
                    "t": t,
                    "q": q,
                    "v": rng.normal(size=eq.skeleton.rates),
                    "x": eq.skeleton.initial_states(p),
                    "strengths": np.ones(eq.reaction_dependent_forces.shape[0]),
                    "p": p,
                }
                about, size = turning(**known)
                if abs(about[0]) > MOMENT_ROUND_OFF * (1 + eq.skeleton.characteristic_length) * size[0]:
                    what = (
                        f"applies a moment to '{spin.body}' about its own axis, about which the body has no "
                        "inertia."
                    )
                    remedy = (
                        f"Give '{spin.body}' a moment of inertia about the axis, or let the load act on the "
                        "axis."
                    )
                    raise analysis_error(eq.skeleton.mechanism, "S06", f"load '{action.name}'", what, remedy)
