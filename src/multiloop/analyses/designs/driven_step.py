"""One time step of a driven mechanism for many designs at once: prediction, loop closure, rates, efforts and loads.

Every design has its own parameter values; the time is the same for all. The loops of a design are closed by increasing
its parameters in steps from their values in the description (the nominal design), so that all designs are in the same
assembly mode.

Theory: docs/theory/02-kinematics.md, eqs. (2.18), (2.19).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import casadi as ca
import numpy as np

from multiloop.analyses.prescribed_motion import DrivenTraces, inverse_keys
from multiloop.analyses.signals import identifying_keys, signal_keys, tree_keys
from multiloop.dynamics import ConstraintProjection, determinant_sign, is_unique, solve_positive
from multiloop.kernels import InterpretedKernel, Kernel, Recipe, build_kernel
from multiloop.kinematics import one_sided_normals
from multiloop.spatial import Matrix
from multiloop.symbols import Traced

STAGES = (12, 150)
"""Number of parameter steps from the nominal design to a requested one, and the larger number that is used for designs
whose loops cannot be closed with the first number."""

FINAL_STEPS = 2
"""Number of additional Newton iterations at the parameter values of the requested design."""

CLOSED = 1e-10
"""Residual of the loop closures (angles in rad, lengths divided by the characteristic length) above which a design
counts as failed."""

Close = Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray, np.ndarray]]
"""Function (q, p) of coordinates and parameters, one column per design, that closes the loops: it returns the
coordinates with closed loops, their largest change, and the residual of the loop closures for each design."""


def close_designs(close: Close, first: np.ndarray, described: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Coordinates q with closed loops for designs p (parameters × designs); NaN for designs that cannot be closed.

    The function `close` closes the loops of given coordinates. The parameters are changed in steps from the values
    `described`, for which `first` are the closed coordinates. Designs that cannot be closed with large steps are
    computed again with small steps.
    """
    q = np.full((len(first), p.shape[1]), np.nan)
    for stages in STAGES:
        open_still = np.isnan(q).any(axis=0)
        if open_still.any():
            q[:, open_still] = _close_in_stages(stages, close, first, described, p[:, open_still])
    return q


def _close_in_stages(
    stages: int, close: Close, first: np.ndarray, described: np.ndarray, p: np.ndarray
) -> np.ndarray:
    q = np.repeat(first[:, None], p.shape[1], axis=1)
    for stage in [*range(1, stages + 1), *[stages] * FINAL_STEPS]:
        closed, away, gap = close(q, described[:, None] + (p - described[:, None]) * (stage / stages))
        q = np.where(away < 1.0, closed, np.nan)
    return np.where(gap < CLOSED, q, np.nan)


@dataclass(frozen=True, eq=False)
class DrivenStep:
    """Kernels (compiled functions) of one time step of a driven mechanism, evaluated for many designs at once.

    Their inputs are the time t, the values z of tables over time, coordinates q, rates v and accelerations a of the
    spanning tree, the parameters p, and the length h of the step.
    """

    traces: DrivenTraces

    @cached_property
    def efforts_and_loads(self) -> Traced:
        """Traced function (t, z, q, v, a, p) → efforts, magnitude of the force in every joint, and normal forces of the
        pairs that can only push (`one_sided`); z are the values of the tables at time t.
        """
        eq, found = self.traces.equations, self.traces.inverse_dynamics
        tau, wrenches = found["tau"], found["wrenches"]
        if "dependent_force_rows" in found:
            # NaN if the friction forces have several solutions or none
            tau = tau / is_unique(found["dependent_force_rows"])
        forces = [ca.sqrt(ca.sumsqr(wrenches[3:, k])) for k in range(wrenches.shape[1])]
        normals = one_sided_normals(eq)
        pushes = [ca.dot(wrenches[3:, k], normals[name]) for k, name in self._one_sided_places]
        inputs = self.traces.time_inputs | {"q": eq.q, "v": eq.v, "a": eq.a, "p": self.traces.p}
        outputs = {"efforts": tau, "loads": ca.vertcat(ca.SX(0, 1), *forces)}
        return Traced("loaded", inputs, outputs | {"normals": ca.vertcat(ca.SX(0, 1), *pushes)})

    @property
    def one_sided(self) -> list[str]:
        """Names of the pairs that can only push, in the order of the output `normals`."""
        return [name for _, name in self._one_sided_places]

    @cached_property
    def _one_sided_places(self) -> list[tuple[int, str]]:
        """For every pair that can only push, its index among all joints and pairs of the mechanism, and its name."""
        normals = one_sided_normals(self.traces.equations)
        connections = self.traces.plan.mechanism.connections
        return [(k, joint.name) for k, joint in enumerate(connections) if joint.name in normals]

    def _kernel(self, name: str, trace: Callable[[], Traced], *keys: str) -> Kernel | InterpretedKernel:
        """The kernel called `name`, built from the outputs of `trace` unless the kernel cache contains it.

        `keys` are additional cache keys: the kernel is built anew if one of them changes.
        """
        skeleton = self.traces.equations.skeleton
        words = (f"driven {name}", *tree_keys(skeleton), *signal_keys(self.traces.signals), *keys)
        return build_kernel(Recipe(trace, identifying_keys(skeleton, *words)))

    @cached_property
    def consistent_state(self) -> Kernel | InterpretedKernel:
        """(t, z, q, v, p) → q with closed loops, consistent v, the largest change of q, and the loop-closure residual;
        z are the values of the tables at time t.

        The constraint equations may be redundant; coordinates without drives are changed as little as possible.
        """
        return self._kernel("placed", self._consistent_state)

    def _consistent_state(self) -> Traced:
        eq, p, t, z = self.traces.equations, self.traces.p, self.traces.signals.t, self.traces.signals.z
        rows = ConstraintProjection(eq, self.traces.signals.s, self.traces.signals.s_rate, damped=True)
        inputs = self.traces.time_inputs | {"q": eq.q, "v": eq.v, "p": p}
        velocities = Traced("project_velocities", inputs, {"v_next": rows.project_velocities()[0]})
        q, gap = self.traces.close_loops(eq.q)
        v = velocities.on(t, z, q, eq.v, p)["v_next"]
        return Traced("placed", inputs, {"q_next": q, "v_next": v, "away": _farthest(q - eq.q), "gap": gap})

    @cached_property
    def rows(self) -> Kernel | InterpretedKernel:
        """(t, q, p) → Jacobian with the rows of the loop constraints, then of the drives; all lengths are divided by
        the characteristic length."""
        inputs = {"t": self.traces.signals.t, "q": self.traces.equations.q, "p": self.traces.p}
        return self._kernel("rows", lambda: Traced("rows", inputs, {"J": self.traces.rows}))

    @cached_property
    def pivot_ratio(self) -> Traced:
        """(t, q, p) → pivot ratio of the Jacobian A of loops and drives, or of loops and efforts if this is smaller.

            √(least pivot / largest pivot) of A Aᵀ = L D Lᵀ,      A = [J; rows of the drives, or of the efforts]

        J is the Jacobian of the loops, with lengths divided by the characteristic length; the pivots are the entries of
        the diagonal matrix D in the factorisation with the unit lower triangular matrix L. Apart from round-off the
        magnitude of the ratio is never less than the distance from singularity, the smallest singular value of A
        relative to the largest. The ratio has the sign of det [J; rows of the drives], which does not change along a
        motion that avoids singular positions.
        """
        found: Any = ca.SX(1)
        unit = ca.DM.eye(self.traces.equations.skeleton.rates)
        added = {
            tuple(sorted(places)): unit[list(places), :] for places in (self.traces.effort_rates,) if places
        }
        if self.traces.solves_all_rows:
            added[()] = self.traces.drive_rows
        elif self.traces.driven_rates:
            added = {
                tuple(sorted(self.traces.driven_rates)): unit[sorted(self.traces.driven_rates), :]
            } | added
        for rows in added.values():
            A = ca.vertcat(self.traces.scaled_loop_jacobian, rows)
            reciprocals: list[Any] = []
            solve_positive(ca.sparsify(A @ A.T), ca.SX.ones(A.shape[0], 1), reciprocals)
            most, least = reciprocals[0], reciprocals[0]
            for reciprocal in reciprocals[1:]:
                most, least = ca.fmax(most, reciprocal), ca.fmin(least, reciprocal)
            found = ca.fmin(found, ca.sqrt(ca.fmax(least / most, 0)))
        inputs = {"t": self.traces.signals.t, "q": self.traces.equations.q, "p": self.traces.p}
        return Traced(
            "evenness", inputs, {"evenness": ca.copysign(found, determinant_sign(self._dependent_rows))}
        )

    @property
    def _dependent_rows(self) -> Matrix:
        """The square matrix of the equations for the rates that are not prescribed.

        Its determinant has the same sign as that of the Jacobian of loops and drives.
        """
        if self.traces.solves_all_rows:
            return self.traces.equations.full_jacobian
        others = [k for k in range(self.traces.equations.skeleton.rates) if k not in self.traces.driven_rates]
        return self.traces.equations.loop_jacobian[:, others]

    @cached_property
    def step(self) -> Kernel | InterpretedKernel:
        """(h, t, z, q, v, a, p) → q, v, a at time t after a step of length h, and quantities of the step.

        These are the largest difference between predicted and closed coordinates, the loop-closure residual, the pivot
        ratio, efforts, joint loads and normal forces. The inputs q, v, a are those at time t − h, and z the values of
        the tables at time t; with h = 0 only the loops are closed at the given position.
        """
        chosen = repr((self.traces.driven_rates, self.traces.effort_rates))
        return self._kernel("step", self._step, *inverse_keys(self.traces.inverse_solver), chosen)

    def _step(self) -> Traced:
        eq, h, p = self.traces.equations, ca.SX.sym("h"), self.traces.p
        t, z = self.traces.signals.t, self.traces.signals.z
        predicted = eq.q + eq.chart.rate_map(eq.q) @ (h * eq.v + h * h / 2 * eq.a)
        q, gap = self.traces.close_loops(predicted)
        moved = self.traces.rates_and_accelerations.on(t, z, q, p)
        loads = self.efforts_and_loads.on(t, z, q, moved["v"], moved["a"], p)
        inputs = {"h": h, "t": t, "z": z, "q": eq.q, "v": eq.v, "a": eq.a, "p": p}
        outputs = {"q_next": q, "v_next": moved["v"], "a_next": moved["a"], "away": _farthest(q - predicted)}
        outputs |= {"gap": gap} | self.pivot_ratio.on(t, q, p) | loads
        return Traced("step", inputs, outputs)


def _farthest(differences: Matrix) -> Matrix:
    """The largest magnitude of the entries of a column."""
    found: Any = ca.SX(0)
    for difference in ca.vertsplit(differences):
        found = ca.fmax(found, ca.fabs(difference))
    return found
