"""Many instants of a driven motion in one call: prediction from a known instant, loop closure, rates and loads.

It applies to motions in which loops and drives determine every rate and no constraint is redundant. Instants whose
computation is uncertain are left to the computation of single instants, which raises the appropriate errors.

Theory: docs/theory/02-kinematics.md, eqs. (2.17), (2.18).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import casadi as ca
import numpy as np

from multiloop.analyses.load_checks import spring_ends_coincide
from multiloop.analyses.prescribed_motion.driven_traces import DrivenTraces
from multiloop.analyses.prescribed_motion.inverse_solver import InstantLoads
from multiloop.analyses.signals import prescribed_values
from multiloop.dynamics import ConstraintProjection
from multiloop.kinematics import CACHE_SIZE
from multiloop.kinematics.assembly import TIGHT_FRACTION
from multiloop.kinematics.constraints import drive_profiles
from multiloop.kinematics.continuation import (
    PREDICTION_TOLERANCE,
    Instant,
    Trajectory,
    sample_times_within_steps,
)
from multiloop.model import MultiloopError
from multiloop.model.expressions import line_in_time
from multiloop.plan import Plan
from multiloop.symbols import Traced

REACH = 0.2
"""Largest change of a coordinate, in radians or characteristic lengths, between an instant and the instant from which
it is predicted."""

LEAST_RATE = 1e-150
"""Rates below this count as zero, because the time in which a coordinate changes by `REACH` would not be finite."""

MOST_HALVINGS = 4
"""Largest number of halvings of a step if the position with closed loops is far from its prediction; after these
halvings the remaining times are not computed in the same call."""

CLEAR_OF_SINGULARITY = 1e-4
"""Distance from singularity, of loops and drives or of the efforts, below which instants are solved one by one."""


@dataclass(frozen=True, eq=False)
class DrivenInstants:
    """Computation of motion, efforts and reactions of a driven mechanism at many times at once."""

    traces: DrivenTraces

    @cached_property
    def instant(self) -> Traced:
        """Traced function (h, t, z, q, v, a, p) → q, v and a at time t, differences between the predicted and the
        closed position, the gap of the loops, and the Jacobian of loops and drives.

        The inputs q, v and a are those at time t − h, z are the values of tables at time t. Differences and Jacobian
        are in radians or characteristic lengths.
        """
        eq, signals, h, p = self.traces.equations, self.traces.signals, ca.SX.sym("h"), self.traces.p
        t, z = signals.t, signals.z
        predicted = ConstraintProjection(eq, signals.s, signals.s_rate).apply_step(
            h * eq.v + h * h / 2 * eq.a
        )
        q, gap = self.traces.close_loops(predicted)
        rows = Traced("rows", {"t": t, "q": eq.q, "p": p}, {"J": self.traces.rows})
        moved = self.traces.rates_and_accelerations.on(t, z, q, p)
        outputs = {"q_next": q, "v_next": moved["v"], "a_next": moved["a"]}
        outputs |= {"away": (q - predicted) * ca.DM(self._sizes), "gap": gap} | rows.on(t, q, p)
        inputs = {"h": h, "t": t, "z": z, "q": eq.q, "v": eq.v, "a": eq.a, "p": p}
        return Traced("instant", inputs, {name: ca.densify(value) for name, value in outputs.items()})

    @cached_property
    def _sizes(self) -> np.ndarray:
        """Factors that convert differences of coordinates to radians or characteristic lengths.

        The factor of quaternion components is 2, since they contain half of the angle.
        """
        chart = self.traces.equations.chart
        in_q, in_v = chart.direct_coordinates
        sizes = np.full(self.traces.equations.skeleton.positions, 2.0)
        sizes[in_q] = 1 / chart.rate_units[in_v]
        return sizes

    def covers(self, begin: float, times: np.ndarray) -> bool:
        """Whether `times` is not empty, and all tables over time cover these times and the time `begin`."""
        try:
            self.traces.signals.require_covered(
                *map(float, (times.min(initial=begin), times.max(initial=begin)))
            )
        except MultiloopError:
            return False
        return len(times) > 0

    def instants_from(self, at: Instant, times: np.ndarray, p: np.ndarray) -> Trajectory:
        """The trajectory from the known instant `at` on, up to the first instant that is uncertain.

        Some instants are computed one after another, each predicted from the previous one; all others are predicted
        from the nearest of these. An instant is uncertain if its position with closed loops is far from its prediction,
        or if a drive leaves the range between its values at the ends of an interval and returns within this interval.
        """
        nodes, near = self._step_nodes(at, times, p)
        times = times[: len(near)]
        if not len(times):
            return Trajectory.from_instants([])
        h = times - np.array([node.t for node in nodes])[near]
        q, v, a = (np.array([getattr(node, name) for node in nodes])[near] for name in ("q", "v", "a"))
        given = {"h": h[None], "t": times[None], "z": self.traces.signals.tables.read(times)}
        q, v, a, away, gap, rows = self.instant.evaluate_many(**given, q=q.T, v=v.T, a=a.T, p=p)
        met = self._converged(away, gap[:, 0]) & ~self._reverses_between(np.append(at.t, times), p)
        met &= np.isfinite(v).all(axis=1) & np.isfinite(a).all(axis=1)
        rates = v.shape[1]
        rows = rows.reshape(len(times), rates, rates)
        met &= self._on_side_of(at, rows, p)
        count = len(times) if met.all() else int(np.argmin(met))
        sigma = np.linalg.svd(rows[:count], compute_uv=False)
        singularity_distance = sigma[:, -1] / sigma[:, 0] if rates else np.ones(count)
        singularity_distance[
            gap[:count, 0] > TIGHT_FRACTION * self.traces.equations.skeleton.closure_tolerance
        ] = 0.0  # at instants with the distance 0 the caller closes the loops again
        return Trajectory(times[:count], q[:count], v[:count], a[:count], singularity_distance)

    def _on_side_of(self, at: Instant, rows: np.ndarray, p: np.ndarray) -> np.ndarray:
        """Mask of the instants at which the determinant of the Jacobian of loops and drives has the same sign as at the
        instant `at`; `rows` contains this Jacobian at every instant."""
        given = {"t": at.t, "z": self.traces.tables(at.t), "q": at.q, "v": at.v, "a": at.a, "p": p}
        own = self.instant(h=0.0, **given)[5].reshape(rows.shape[1:])
        same: np.ndarray = ~(np.linalg.slogdet(rows)[0] * np.linalg.slogdet(own)[0] < 0)
        return same

    def _converged(self, away: np.ndarray, gap: np.ndarray) -> np.ndarray:
        """Mask of the instants whose loops are closed at a position near the predicted one, from the differences `away`
        between both positions and the remaining gaps of the loops."""
        near: np.ndarray = np.abs(away).max(axis=1, initial=0.0) <= PREDICTION_TOLERANCE
        return near & (gap <= self.traces.equations.skeleton.closure_tolerance)  # false if one of them is NaN

    def _step_nodes(self, at: Instant, times: np.ndarray, p: np.ndarray) -> tuple[list[Instant], np.ndarray]:
        """Instants that are computed one after another from `at`, and for each of the `times` that these instants cover
        the index of the nearest instant."""
        nodes, near, done, shortened = [at], [np.zeros(0, int)], 0, 0
        while done < len(times):
            node = nodes[-1]
            reach = self._reach(node) / 2**shortened
            beyond = np.abs(times[done:] - node.t) > reach
            count = int(np.argmax(beyond)) if beyond.any() else len(beyond)
            t = times[done + count - 1] if count else node.t + np.copysign(reach, times[done] - node.t)
            if not count and t == node.t:  # the step is below the resolution of the time
                break
            found = self._step_to(node, float(t), p)
            if found is None:
                shortened += 1
                if shortened > MOST_HALVINGS:
                    break
                continue
            group = times[done : done + count]
            later = np.abs(group - found.t) < np.abs(group - node.t)
            near.append(len(nodes) - 1 + later)
            nodes.append(found)
            done, shortened = done + count, max(shortened - 1, 0)
        return nodes, np.concatenate(near)

    def _reach(self, at: Instant) -> float:
        """The time in seconds in which no coordinate changes by more than `REACH`, from rates and accelerations."""
        far = REACH * self.traces.equations.chart.rate_units
        v, a = np.abs(at.v), np.abs(at.a)
        pace = v + np.sqrt(v * v + 2 * a * far)
        times = np.divide(2 * far, pace, out=np.full_like(far, np.inf), where=pace > LEAST_RATE)
        return float(times.min(initial=np.inf))

    def _step_to(self, at: Instant, t: float, p: np.ndarray) -> Instant | None:
        """The instant at time t, predicted from the instant `at`; None if the position with closed loops is far from
        the prediction."""
        z = self.traces.tables(t)
        q, v, a, away, gap, _ = self.instant(h=t - at.t, t=t, z=z, q=at.q, v=at.v, a=at.a, p=p)
        return Instant(t, q, v, a, 1.0) if self._converged(away[None], gap)[0] else None

    def _reverses_between(self, times: np.ndarray, p: np.ndarray) -> np.ndarray:
        """Mask of the intervals within which a drive leaves the range of its values at the two ends.

        The check is the same as in `continuation.path`: within such an interval the mechanism may leave its workspace.
        """
        eq = self.traces.equations
        if self._constant_speed or not (
            eq.loop_constraints.count or any(target.on_marker for target in eq.targets)
        ):
            return np.zeros(len(times) - 1, bool)
        s = self._values(times, p)
        low, high = np.minimum(s[:-1], s[1:]), np.maximum(s[:-1], s[1:])
        seen, step = sample_times_within_steps(self.traces.plan.mechanism, times[:-1], np.diff(times))
        between = self._values(seen, p)
        beyond = np.maximum(between - high[step], low[step] - between) * eq.value_scale
        outside = ~(beyond.max(axis=1, initial=0.0) <= PREDICTION_TOLERANCE)
        return np.isin(np.arange(len(times) - 1), step[outside])

    @cached_property
    def _constant_speed(self) -> bool:
        """Whether every drive has constant speed."""
        profiles = drive_profiles(self.traces.plan.mechanism)
        return not self.traces.equations.time_count and all(
            line_in_time(profile) is not None for profile in profiles
        )

    def _values(self, times: np.ndarray, p: np.ndarray) -> np.ndarray:
        """Values s that the drives prescribe at the given times."""
        traced = prescribed_values(self.traces.signals)
        return traced.evaluate_many(t=times[None], z=self.traces.signals.tables.read(times), p=p)[0]

    # loads --------------------------------------------------------------------------------------------

    @property
    def solves_loads(self) -> bool:
        """Whether efforts and reactions follow from the motion alone: there is one effort for every degree of freedom,
        and no known effort is a table over the state."""
        plain = self.traces.inverse_solver.method_used in ("subsystem", "system")
        return plain and self.traces.inverse_solver.over == 0 and not self.traces.signals.state_table_efforts

    @cached_property
    def forces(self) -> Traced:
        """Traced function (t, z, q, v, a, p) → generalized forces along all joint rates, multipliers λ of the loop
        constraints, known efforts, and reaction-dependent forces.

        The known efforts are the values before the limits of actuators are applied.
        """
        traces, eq = self.traces, self.traces.equations
        found, signals = traces.inverse_dynamics, traces.signals
        known, raw = traces.with_initial_states(signals.tau), traces.with_initial_states(signals.raw)
        outputs = {
            "forces": known + ca.DM(traces.inverse_solver.B) @ found["tau"],
            "lam": found["lam"],
        }
        outputs |= {"efforts": raw, "dependent_force_rows": found.get("dependent_force_rows", ca.SX(0, 2))}
        inputs = self.traces.time_inputs | {"q": eq.q, "v": eq.v, "a": eq.a, "p": self.traces.p}
        return Traced("forces", inputs, {name: ca.densify(value) for name, value in outputs.items()})

    def loads(self, course: Trajectory, p: np.ndarray) -> tuple[InstantLoads, np.ndarray]:
        """Efforts and reactions at all instants of the trajectory `course`, and the mask of the instants at which they
        are not finite or inaccurate."""
        known: dict[str, Any] = {"t": course.t[None], "z": self.traces.signals.tables.read(course.t), "p": p}
        motion = {"q": course.q.T, "v": course.v.T, "a": course.a.T}
        forces, lam, efforts, dependent_force_rows = self.forces.evaluate_many(**known, **motion)
        count = self.traces.equations.reaction_dependent_forces.shape[0]
        dependent_force_rows = dependent_force_rows.reshape(len(course), count, count + 2)
        doubtful = spring_ends_coincide(self.traces.equations, course.q, course.v, p) | self._unactuated(
            course, p
        )
        for found in (forces, lam, efforts):
            doubtful |= ~np.isfinite(found).all(axis=1)
        return InstantLoads(course.a.copy(), forces, lam, dependent_force_rows), doubtful

    def _unactuated(self, course: Trajectory, p: np.ndarray) -> np.ndarray:
        """Mask of the instants near positions at which the efforts do not control every degree of freedom (distance
        below `CLEAR_OF_SINGULARITY`).

        If each drive has its own effort there are no such instants while loops and drives determine every rate, since
        the smallest singular value of loops and drives together is not larger than that of the efforts.
        """
        if (
            sorted(self.traces.effort_rates) == sorted(self.traces.driven_rates)
            and not self.traces.solves_all_rows
        ):
            return np.zeros(len(course), bool)
        own, rates = self.traces.equations.loop_constraints.count, self.traces.equations.skeleton.rates
        rows = self._loop_rows.evaluate_many(t=course.t[None], q=course.q.T, p=p)[0].reshape(
            len(course), own, rates
        )
        held = rates - self.traces.plan.mobility
        motions = np.linalg.svd(rows, full_matrices=True)[2][:, held:] if own else np.eye(rates)[None]
        grip = np.linalg.svd(motions[:, :, list(self.traces.effort_rates)], compute_uv=False)[:, -1]
        return np.broadcast_to(grip, len(course)) < CLEAR_OF_SINGULARITY

    @cached_property
    def _loop_rows(self) -> Traced:
        inputs = {"t": self.traces.signals.t, "q": self.traces.equations.q, "p": self.traces.p}
        return Traced("loop_rows", inputs, {"J": ca.densify(ca.SX(self.traces.scaled_loop_jacobian))})


@lru_cache(maxsize=CACHE_SIZE)
def driven_instants(plan: Plan, method: str) -> DrivenInstants:
    """The computation of many instants at once for a plan, cached for recent plans."""
    return DrivenInstants(DrivenTraces(plan, method))
