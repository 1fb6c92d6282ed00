"""Result of a stable inversion: motion, efforts and reactions before, during and after the prescribed motion."""

from __future__ import annotations

from typing import Any

import numpy as np

from multiloop.analyses.minimum_norm import minimum_norm_reactions
from multiloop.analyses.results import Recorder, Result, with_warnings
from multiloop.analyses.stable_inversion.boundary_value_problem import DEFECT, StableInversionProblem
from multiloop.analyses.stable_inversion.collocation import CollocatedMotion
from multiloop.analyses.stable_inversion.internal_dynamics import Instants, InternalDynamics
from multiloop.dynamics import Residual
from multiloop.model import ResultWarning
from multiloop.symbols import Traced

RESIDUAL_ENERGY = 1e-6
"""Fraction of the largest vibration energy during the motion below which links count as at rest."""

NEGLIGIBLE_INERTIA = 1e-9
"""Singular value of the inertia matrix M of the internal dynamics (`InternalDynamics`), as a fraction of the largest,
below which accelerations in the direction of the singular vector are not corrected."""


def inversion_result(
    inversion: StableInversionProblem, course: CollocatedMotion, times: np.ndarray
) -> Result:
    """The Result at the given times, and at times of the same spacing in the settling periods before and after them."""
    d = inversion.dynamics
    at = exact_instants(inversion, course, with_settling(course, times))
    recorder = Recorder(d.equations, d.balance.plan, d.p)
    tau, reported, dependent_force_rows = _forces(d, at, recorder)
    x = np.tile(d.x, (len(at.t), 1))
    recorder.add_many(at.t, at.q, at.v, at.a, tau, x, dependent_force_rows, **reported)
    said = [] if inversion.cycle else _vibration_warnings(inversion, course)
    if course.defect > DEFECT:
        text = (
            "the links vibrate faster than the time intervals resolve: relative residual "
            f"{course.defect:.1g} of the forces between the nodes"
        )
        said.append(ResultWarning("W86", d.balance.mechanism.name, text, float(course.defect), "1"))
    return with_warnings(recorder.result("stable inversion"), said)


def with_settling(course: CollocatedMotion, times: np.ndarray) -> np.ndarray:
    """The requested times, with evenly spaced times added in the settling periods before and after the motion.

    The spacing of the added times is at most the largest spacing of the requested times.
    """
    apart = float(np.diff(times).max())
    early, late = times[0] - course.nodes[0], course.nodes[-1] - times[-1]
    before = np.linspace(course.nodes[0], times[0], int(np.ceil(early / apart - 1e-9)) + 1)[:-1]
    after = np.linspace(times[-1], course.nodes[-1], int(np.ceil(late / apart - 1e-9)) + 1)[1:]
    return np.concatenate([before, times, after])


def exact_instants(
    inversion: StableInversionProblem, course: CollocatedMotion, times: np.ndarray
) -> Instants:
    """The motion at the given times, with accelerations and multipliers corrected such that they satisfy the equations
    of motion exactly."""
    d = inversion.dynamics
    zeta, u, w = course.at(times)
    at = inversion.motion.close_loops(inversion.motion.at_rest(times), zeta)
    for _ in range(3):
        at, found = d.linearise(at, u, w)
        w = w - (np.linalg.pinv(found.M, rcond=NEGLIGIBLE_INERTIA) @ found.g[:, :, None])[:, :, 0]
    at, _ = d.residuals(at, u, w)
    return at


def _forces(
    d: InternalDynamics, at: Instants, recorder: Recorder
) -> tuple[np.ndarray, dict[str, np.ndarray], np.ndarray | None]:
    """Generalized forces along all rates, multipliers (`lam`) or minimum-norm reactions (`wrenches`) by the names
    of the arguments of the recorder, and forces that depend on reactions, at every instant."""
    own, count = d.equations.loop_constraints.count, len(at.t)
    z = d.signals.tables.read(at.t)
    known: dict[str, Any] = {"t": at.t[None], "q": at.q.T, "v": at.v.T, "x": d.x, "p": d.p, "z": z}
    tau = d.signals._forces_known.evaluate_many(**known, u=np.zeros(0))[1].reshape(count, -1)
    holding = d._evaluate(_constraint_force_trace(d), at)["holding"][:, :, own:]
    tau = tau + (holding @ at.lam[:, own:, None])[:, :, 0]
    dependent_force_rows = (
        d._evaluate(_reaction_force_trace(d), at)["dependent_force_rows"]
        if d.balance.has_reaction_dependent_loads
        else None
    )
    forces = {} if dependent_force_rows is None else {"dependent_forces": dependent_force_rows[:, :, 0].T}
    lam = at.lam[:, :own]
    if not d.balance.plan.redundant:
        return tau, {"lam": lam}, dependent_force_rows
    found = recorder.reaction_functions.reactions.evaluate_many(
        **known, **forces, a=at.a.T, lam=lam.T, tau=tau.T
    )[0]
    wrenches = minimum_norm_reactions(d.equations, at.t, at.q, d.p, found.reshape(count, 6, -1), lam)
    return tau, {"wrenches": wrenches}, dependent_force_rows


def _constraint_force_trace(d: InternalDynamics) -> Traced:
    found: Residual = d.residual
    return Traced("holding", d.traces.inputs, {"holding": found.multiplier_matrix})


def _reaction_force_trace(d: InternalDynamics) -> Traced:
    found: Residual = d.residual
    return Traced(
        "dependent_force_rows", d.traces.inputs, {"dependent_force_rows": found.dependent_force_rows}
    )


def _vibration_warnings(inversion: StableInversionProblem, course: CollocatedMotion) -> list[ResultWarning]:
    """Warnings that links vibrate at the beginning or end of the result, with their vibration energy."""

    def energy(z: np.ndarray) -> np.ndarray:
        return np.asarray(0.5 * (inversion.motion.weights * z**2).sum(axis=-1))

    rest, most = inversion.motion.rest, float(energy(course.z - inversion.motion.rest[0]).max())
    mechanism, said = inversion.dynamics.balance.mechanism.name, list[ResultWarning]()
    settling = (("W84", 0, "before", inversion.before), ("W85", -1, "after", inversion.after))
    for code, k, where, given in settling:
        left = float(energy(course.z[k] - rest[k]))
        if left > RESIDUAL_ENERGY * most:
            slow = inversion.motion.slow_decay(k % 2) if given is None else None
            hint = "" if slow is None else _settling_hint(*slow)
            text = (
                f"{where} the motion the links vibrate with {left:.2g} J, {left / most:.1g} of their "
                f"largest elastic and kinetic energy{hint}"
            )
            said.append(ResultWarning(code, mechanism, text, left, "J", float(course.nodes[k])))
    return said


def _settling_hint(damping: float, seconds: float) -> str:
    """Text with the settling time required by vibrations that decay too slowly for the default settling time."""
    return (
        f"; with {100 * damping:.2g} % of critical damping they need {seconds:.2g} s to settle: "
        f"give settling={seconds:.2g} to include this time"
    )
