"""Periodic orbits by the shooting method: the initial state to which the flow returns after one period.

    r = Φ_T(z) − z − whole turns = 0

r is the mismatch after one period, z are deviations of independent coordinates, rates and further state variables from
a base state, and Φ_T is the compiled simulation over the period T as a map of z. Besides z, the period is unknown if
nothing prescribes it, and a parameter if one is to be adjusted. If the period is unknown, the phase of the motion must
be fixed: either the initial angle of a rotating coordinate is kept, or the Newton step is orthogonal to the motion.
Derivatives are finite differences of simulations; those at the solution give the Floquet multipliers.

Source: [nayfeh], the shooting method and Floquet multipliers.
Differs: formulated on the constraints, in independent coordinates; the monodromy matrix is computed by differences.
Theory: docs/theory/13-equilibrium-and-vibrations.md, eqs. (13.12)–(13.13).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import casadi as ca
import numpy as np

from multiloop.analyses.run_models import RunModel, loop_kernels, make_local_choice
from multiloop.analyses.signals import LONGEST
from multiloop.analyses.steady_states.equilibrium_search import displaced_configuration
from multiloop.analyses.steady_states.steady_state import Configuration, SteadyState
from multiloop.kernels.runtime import FINISHED, SINGULAR_LIMIT, UNFINISHED, LoopSettings, RunKernels, TimeLoop

INTEGRATOR = "dop853"
"""Name of the integrator with which the flow map is computed."""


@dataclass(frozen=True, eq=False)
class FlowMap:
    """Simulations from states near a base state.

    The initial state is given by its deviations z = [ζ, u, x] from the base state, in independent coordinates,
    independent rates and further state variables. Lengths are divided by the characteristic length; state variables on
    which neither forces nor rates depend are not part of z.
    """

    run: RunModel
    base: SteadyState
    rtol: float

    @cached_property
    def relevant_states(self) -> list[int]:
        """Indices of the state variables on which forces or rates depend."""
        balance = self.base.balance
        found = ca.vertcat(balance.residual.force, balance.signals.x_rate)
        J = ca.jacobian(found, balance.equations.x)
        return [k for k in range(J.shape[1]) if J[:, k].nnz()]

    @property
    def sizes(self) -> tuple[int, int, int]:
        """Numbers of independent coordinates ζ, independent rates u and state variables x in the vector of deviations
        z."""
        return len(self.base.B_q), len(self.base.B), len(self.relevant_states)

    def start(self, z: np.ndarray, p: np.ndarray) -> SteadyState | None:
        """The state with deviations z from the base state, with closed loops; None if the loops cannot be closed."""
        (n, m, _), at = self.sizes, self.base.configuration
        x = at.x.copy()
        x[self.relevant_states] += z[n + m :]
        place = displaced_configuration(self.base.balance, replace(at, p=p), self.base.C_q @ z[:n], x=x)
        if place is None:
            return None
        return SteadyState(self.base.balance, place, self.base.B, self.base.u + z[n : n + m], self.base.B_q)

    def state_after(self, start: SteadyState, duration: float) -> tuple[Configuration, np.ndarray] | None:
        """Configuration and rates of the spanning tree after `duration` (s); None if the simulation fails."""
        at, layout = start.configuration, self.run.layout
        y = layout.pack(q=at.q, v=start.v, x=at.x)
        until = at.t + duration
        if duration == 0:
            return at, start.v
        ends = self.run.signals.corner_times(at.t, until)
        loop = TimeLoop(self._system(at), self._settings(duration), at.t, y, np.array([until]), ends, until)
        status = loop.begin()
        while status == UNFINISHED:
            status = loop.advance()
        if status != FINISHED or not np.isfinite(loop.samples).all():
            return None
        end = layout.blocks(loop.samples[0])
        return Configuration(until, end["q"], end["x"], at.p), end["v"]

    def advance(self, start: SteadyState, period: float) -> tuple[np.ndarray, np.ndarray] | None:
        """Coordinates q of the spanning tree after `period`, and changes of the independent rates u and the state
        variables x; None if the simulation fails."""
        reached = self.state_after(start, period)
        if reached is None:
            return None
        end, v = reached
        changes = (end.x - start.configuration.x)[self.relevant_states]
        return end.q, np.concatenate([self.base.B @ (v / self.base.scale) - start.u, changes])

    def coordinate_change(self, start: SteadyState, end: np.ndarray) -> np.ndarray:
        """Change of the independent coordinates ζ from `start` to the tree coordinates `end`, including whole turns."""
        return np.asarray(
            self.base.B_q
            @ (self.base.balance.equations.chart.step_between(start.configuration.q, end) / self.base.scale)
        )

    @cached_property
    def _kernels(self) -> RunKernels:
        at = self.base.configuration
        return loop_kernels(self.run, make_local_choice(self.run.model, at.q, p=at.p, t=at.t), INTEGRATOR)

    def _system(self, at: Configuration) -> RunKernels:
        """The kernels of the simulation, with independent coordinates selected at its initial configuration `at`."""
        choice = make_local_choice(self.run.model, at.q, p=at.p, t=at.t)
        return replace(self._kernels, given=choice.kernel_inputs | {"p": at.p}, sizes=choice.sizes)

    def _settings(self, span: float) -> LoopSettings:
        watchful = self.run.signals.known.varies_in_time
        return LoopSettings(
            INTEGRATOR,
            self.rtol,
            self.run.sizes,
            singular=SINGULAR_LIMIT,
            longest=LONGEST * span if watchful else np.inf,
        )


NEWTON_STEPS = 40
"""Largest number of Newton steps of the shooting method."""

DIFFERENCE = 1e-6
"""Step of the finite differences of Newton's method with respect to the deviations z of the initial state (rates
divided by their largest value), period (relative), and parameter (relative to its value, at least 1)."""

MONODROMY_STEPS = ((1e-3, 1e-6), (3e-5, 1e-6), (1e-6, 3e-8), (3e-8, 1e-9))
"""Pairs of steps, tried in turn for each column of the monodromy matrix: the step of a fourth-order difference, and the
step of the central difference with which it must agree. The first pair suffices if forces are smooth. Smooth friction
near rest needs shorter steps, because it is linear only well below its creep speed."""

COLUMN_TOLERANCE = 1e-5
"""Largest permitted deviation between the two difference approximations of a column of the monodromy matrix, relative
to the largest entry of the column, or to 1 if that entry is smaller."""

SLOPE_TOLERANCE = 1e-3
"""Largest permitted difference between the two one-sided derivatives of which a column of the monodromy matrix is the
mean, relative to the largest entry of the column, or to 1 if that entry is smaller. If it is exceeded with all steps,
the derivative does not exist, or round-off hides it."""

MOST_HALVINGS = 8
"""Largest number of times that a Newton step is halved until the mismatch decreases."""


@dataclass(frozen=True, eq=False)
class Orbit:
    """A trial orbit: the deviations z of its initial state from the base state (`FlowMap`), its period (s), the
    parameter values p, and the mismatch r after one period."""

    z: np.ndarray
    period: float
    p: np.ndarray
    mismatch: np.ndarray

    @property
    def largest_mismatch(self) -> float:
        """Largest magnitude in the mismatch: coordinates in radians or characteristic lengths, rates relative to the
        largest rate (`rate_size`)."""
        return float(np.abs(self.mismatch).max(initial=0.0))


@dataclass(frozen=True, eq=False)
class ShootingProblem:
    """A shooting problem: the unknowns are the deviations z of the initial state from the base state, and optionally
    the period and one parameter.

    `turning` is the index, in the independent coordinates ζ, of a freely rotating coordinate, if there is one, and
    `turn` its rotation (rad) in one period. `period_unknown` states whether the period is unknown, `adjusted` is the
    index of an unknown parameter, and `rate_size` is the largest rate, by which mismatches of rates are divided.
    """

    flow: FlowMap
    turning: int | None
    turn: float
    period_unknown: bool
    adjusted: int | None
    rate_size: float
    angular: np.ndarray  # mask of the coordinates ζ that are angles of rotating joints

    @cached_property
    def _weights(self) -> np.ndarray:
        n, m, k = self.flow.sizes
        return np.concatenate([np.ones(n), np.full(m, 1 / self.rate_size), np.ones(k)])

    def mismatch(self, z: np.ndarray, period: float, p: np.ndarray) -> np.ndarray | None:
        """Mismatch r after one period of the motion that starts with deviations z from the base state; None if the
        simulation fails. Rates in r are divided by `rate_size`."""
        start = self.flow.start(z, p)
        end = None if start is None else self.flow.advance(start, period)
        if start is None or end is None:
            return None
        way = self.flow.coordinate_change(start, end[0])
        whole = np.where(self.angular, 2 * np.pi * np.round(way / (2 * np.pi)), 0.0)
        if self.turning is not None:
            whole[self.turning] = self.turn
        return np.asarray(self._weights * np.concatenate([way - whole, end[1]]))

    def orbit(self, z: np.ndarray, period: float, p: np.ndarray) -> Orbit | None:
        """The trial orbit that starts with deviations z from the base state, for a period and parameters p; it is not
        necessarily periodic. None if the simulation fails."""
        missed = self.mismatch(z, period, p)
        return None if missed is None else Orbit(z, period, p, missed)

    def solve(self, first: Orbit) -> Orbit:
        """The orbit with the smallest mismatch that Newton's method reaches from the trial orbit `first`."""
        at = first
        for _ in range(NEWTON_STEPS):
            step = self._step(at)
            better = None if step is None else self._damped_step(at, step)
            if better is None:
                break
            at = better
            if at.largest_mismatch < 1e-12:
                break
        return at

    def _displaced(self, at: Orbit, step: np.ndarray) -> tuple[np.ndarray, float, np.ndarray]:
        """Deviations z, period T and parameters p after a step in all unknowns.

        The step of T is a fraction of T, steps of rates in z are fractions of the largest rate, and the step of the
        adjusted parameter is a fraction of the magnitude of its value, or of 1 if this magnitude is smaller.
        """
        count = len(at.z)
        z, p, period = at.z + step[:count] / self._weights, at.p.copy(), at.period
        if self.period_unknown:
            period = period * (1 + step[count])
        if self.adjusted is not None:
            p[self.adjusted] += step[-1] * self._parameter_scale(p)
        return z, period, p

    def _parameter_scale(self, p: np.ndarray) -> float:
        return max(abs(float(p[self.adjusted])), 1.0) if self.adjusted is not None else 1.0

    @property
    def _unknowns(self) -> int:
        return sum(self.flow.sizes) + int(self.period_unknown) + int(self.adjusted is not None)

    def _step(self, at: Orbit) -> np.ndarray | None:
        """The Newton step in all unknowns, which does not shift the motion in time; None if a simulation fails."""
        columns = []
        for k in range(self._unknowns):
            missed = self.mismatch(*self._displaced(at, DIFFERENCE * np.eye(self._unknowns)[k]))
            if missed is None:
                return None
            columns.append((missed - at.mismatch) / DIFFERENCE)
        J = np.column_stack(columns)
        if self.turning is not None:
            J[:, self.turning] = 0.0
        elif self.period_unknown:
            J = np.vstack([J, self._motion_direction(at)])
        right = np.concatenate([at.mismatch, np.zeros(len(J) - len(at.mismatch))])
        step, *_ = np.linalg.lstsq(J, -right, rcond=1e-10)
        return np.asarray(step)

    def _motion_direction(self, at: Orbit) -> np.ndarray:
        """Unit vector along the motion at its initial state, with one entry for each unknown; the entries of the period
        and of the parameter are zero."""
        later = self.flow.start(at.z, at.p)
        assert later is not None
        h = 1e-4 * at.period
        end = self.flow.advance(later, h)
        row = np.zeros(self._unknowns)
        if end is not None:
            row[: len(at.z)] = self._weights * np.concatenate(
                [self.flow.coordinate_change(later, end[0]), end[1]]
            )
        return row / max(float(np.linalg.norm(row)), 1e-300)

    def _damped_step(self, at: Orbit, step: np.ndarray) -> Orbit | None:
        """The orbit after a Newton step, which is halved until the mismatch decreases; None if it does not decrease."""
        size = float(np.abs(step).max(initial=0.0))
        step = step * min(1.0, 1.0 / max(size, 1e-300))
        for _ in range(MOST_HALVINGS):
            found = self.orbit(*self._displaced(at, step))
            if (
                found is not None
                and found.period > 0
                and found.largest_mismatch < (1 - 1e-3) * at.largest_mismatch
            ):
                return found
            step = step / 2
        return None

    def monodromy(self, at: Orbit) -> tuple[np.ndarray, float] | None:
        """Monodromy matrix ∂Φ_T/∂z of the flow map Φ_T over one period, and the largest uncertainty of its columns,
        each as a fraction of the largest entry of the column (or of 1, if larger); None if a simulation near the orbit
        fails."""
        count = len(at.z)
        columns, uncertainties = np.zeros((count, count)), np.zeros(count)
        for k in range(count):
            found = self._monodromy_column(at, k)
            if found is None:
                return None
            columns[:, k], uncertainties[k] = found
        return np.eye(count) + columns, float(uncertainties.max(initial=0.0))

    def _monodromy_column(self, at: Orbit, k: int) -> tuple[np.ndarray, float] | None:
        """Column k of the monodromy matrix minus the identity, and its relative uncertainty; None if simulations fail.

            (8 (r₊₁ − r₋₁) − (r₊₂ − r₋₂)) / 12 h,      r_j the mismatch after a displacement j h of component k of z

        The column is computed with the first pair of MONODROMY_STEPS that meets the tolerances; if no pair does, with
        the pair of the smallest uncertainty.
        """
        best, least = None, np.inf
        for step, shorter_step in MONODROMY_STEPS:
            displacements = (-2 * step, -step, step, 2 * step, -shorter_step, shorter_step)
            mismatches = [self._mismatch_near(at, k, displacement) for displacement in displacements]
            if any(mismatch is None for mismatch in mismatches):
                continue
            r_minus_2, r_minus_1, r_1, r_2, behind, ahead = np.array(mismatches)
            column = (8 * (r_1 - r_minus_1) - (r_2 - r_minus_2)) / (12 * step)
            size = max(1.0, float(np.abs(column).max(initial=0.0)))
            deviation = np.abs((ahead - behind) / (2 * shorter_step) - column).max() / size
            slope_change = np.abs(ahead + behind - 2 * at.mismatch).max() / (shorter_step * size)
            if (uncertainty := float(max(deviation, slope_change))) < least:
                best, least = column, uncertainty
            if deviation <= COLUMN_TOLERANCE and slope_change <= SLOPE_TOLERANCE:
                return column, uncertainty
        return None if best is None else (best, least)

    def _mismatch_near(self, at: Orbit, k: int, displacement: float) -> np.ndarray | None:
        """Mismatch after a displacement of the k-th unknown from the orbit `at`; None if the simulation fails."""
        return self.mismatch(*self._displaced(at, displacement * np.eye(self._unknowns)[k]))

    def steady_state(self, at: Orbit) -> SteadyState:
        """Initial state of the orbit as a SteadyState."""
        found = self.flow.start(at.z, at.p)
        assert found is not None
        return found
