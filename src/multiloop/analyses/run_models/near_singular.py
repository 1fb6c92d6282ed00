"""States of a simulation near singular configurations: their distance from singularity, and their precise evaluation.

The reported distance from a singular configuration does not depend on the method and the integrator. Because
integrators choose the ends of their steps, the distance is evaluated at the recorded instants, and its minimum is
searched along the motion near these instants.

Near a singular configuration positions and rates are projected onto the constraints in extended precision, and the
equations of motion are evaluated in decimal arithmetic. If a penalty method integrates through singular configurations,
recorded states near these are evaluated by a method that solves for the multipliers, because penalties do not determine
the multipliers at such states.

Theory: docs/theory/08-singular-configurations.md, section 8.4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from multiloop.analyses.errors import (
    REPORTED_DISTANCE,
    SINGULAR_DISTANCE,
    near_singular_warnings,
    singular_position_error,
)
from multiloop.analyses.results import InstantSolution, RoundOffEstimate, round_off_warnings
from multiloop.analyses.results.histories import relative_deflection
from multiloop.analyses.run_models.forward_model import ForwardModel, ForwardSolution
from multiloop.analyses.run_models.local_choice import (
    LEAST_ROW_SIZE,
    LocalChoice,
    geometric_distance,
    make_local_choice,
    multiplier_accelerations,
    require_constraints_met,
)
from multiloop.analyses.run_models.run_model import RunModel
from multiloop.kinematics import PrescribedValues
from multiloop.kinematics.assembly import close_loops
from multiloop.kinematics.conditioning import (
    RANK_TOLERANCE,
    linearise_rows,
    pivot_distance,
    pivoted_rows,
    row_pivots,
    singular_value_ratio,
)
from multiloop.kinematics.continuation import (
    NEAR_SINGULAR,
    Motion,
    displaced_motion,
    exact_rows,
    expected_round_off,
    most_affected_instants,
    round_off_matters,
)
from multiloop.kinematics.tree import Skeleton
from multiloop.model import Mechanism, ResultWarning, SolveError
from multiloop.symbols.decimals import DecimalArray, DecimalFunction

SUSPECT_DISTANCE = 0.2
"""Distance from singularity at the ends of steps below which a singular configuration may lie between two steps."""

ROUND_OFF_DISTANCE = 0.05
"""Distance from singularity above which the effect of round-off on a state is negligible."""

SAMPLED_INSTANTS = 64
"""Approximate number of recorded instants of a simulation at which the distance from singularity is evaluated."""

FARTHEST_FOLLOWED = 0.5
"""Largest displacement, in radians or characteristic lengths, over which the motion is extrapolated from an instant."""


@dataclass(frozen=True, eq=False)
class MotionSample:
    """Time, coordinates, rates and accelerations at one recorded instant of a simulation."""

    t: float
    q: np.ndarray
    v: np.ndarray
    a: np.ndarray


def nearest_approach(
    model: ForwardModel, samples: Sequence[MotionSample], steps: tuple[float, float, np.ndarray]
) -> tuple[float, float]:
    """The smallest distance from singularity during a simulation, and its time; if the motion passes several singular
    configurations, those of the first.

    `samples` are recorded states in the order of time. `steps` contains the smallest distance at the ends of steps, and
    the time and the coordinates q at which it occurs: if this distance is large, the motion is not near a singular
    configuration at any time.
    """
    least, near, q = steps
    samples = samples[:: max(1, len(samples) // SAMPLED_INSTANTS)]
    spacing = (samples[-1].t - samples[0].t) / max(len(samples) - 1, 1)
    nearest = min(samples, key=lambda sample: abs(sample.t - near))
    singularity_distance = SingularityDistance(model, [samples[0], nearest, samples[-1]])
    stepped = max(least, singularity_distance.by_rows(near, q)), near
    found = [singularity_distance.minimum_along_motion(nearest, spacing)]
    if min(found[0], stepped)[0] >= REPORTED_DISTANCE:
        return min(found[0], stepped)
    singularity_distance = SingularityDistance(model, samples)
    at = np.array([np.inf, *(singularity_distance(sample.t, sample.q) for sample in samples), np.inf])
    lowest = np.flatnonzero((at[1:-1] < at[:-2]) & (at[1:-1] <= at[2:]))
    found = [
        (singularity_distance(near, q), near),
        *(singularity_distance.minimum_along_motion(samples[k], spacing) for k in lowest.tolist()),
    ]
    passed = [(t, c) for c, t in found if c < SINGULAR_DISTANCE]
    if passed:
        t, c = min(passed)
        return c, t
    # If the mechanism stays near one position, the norms of the constraint rows are not representative; distances in
    # `found` that are not small are then unreliable.
    return min(found) if min(found)[0] < REPORTED_DISTANCE else stepped


class SingularityDistance:
    """Distance of a position from a singular position (`pivot_distance`), relative to the largest norms of the
    constraint rows during the simulation.

    The constraint rows are eliminated in the order of the equations or, if some are redundant, the longest first; the
    order that the method of forward dynamics uses has no influence. The rows are compared in the metric of the inverse
    mass matrix. The result is at least the distance without regard to inertia, because light links do not make a
    position singular.
    """

    def __init__(self, model: ForwardModel, samples: Sequence[MotionSample]) -> None:
        self.model, self.redundant = model, model.rank < model.equations.rows.count
        self.span = samples[0].t, samples[-1].t
        self.largest = np.max([self._rows(sample.t, sample.q)[2] for sample in samples], axis=0)
        scale = model.equations.chart.rate_units
        rows = [model.scaled_jacobian(sample.q, model.p, sample.t) * scale for sample in samples]
        self.size = float(np.linalg.norm(rows, axis=2).max(initial=LEAST_ROW_SIZE))

    def __call__(self, t: float, q: np.ndarray) -> float:
        """The distance from singularity of the position q at time t; 0 at a singular position."""
        pivots, order, _ = self._rows(t, q)
        return max(pivot_distance(pivots, self.largest[order]), self.by_rows(t, q))

    def by_rows(self, t: float, q: np.ndarray) -> float:
        """The distance from singularity of the constraint rows alone, without regard to inertia."""
        return geometric_distance(self.model, self.model.scaled_jacobian(q, self.model.p, t), self.size)

    def minimum_along_motion(self, sample: MotionSample, spacing: float) -> tuple[float, float]:
        """The smallest distance from singularity along the motion near the recorded state `sample`, and its time.

        The motion is extrapolated by at most `spacing`, the time between recorded states.
        """
        from scipy.optimize import minimize_scalar  # takes a fifth of a second to import

        speed = float(np.abs(sample.v / self.model.equations.chart.rate_units).max(initial=0.0))
        reach = min(spacing, FARTHEST_FOLLOWED / speed) if speed else 0.0
        start_distance = self(sample.t, sample.q)
        if not reach:
            return start_distance, sample.t

        def along(h: float) -> float:
            return self(sample.t + h, self._position(sample, h))

        small = 1e-4 * reach
        slope = (along(small) - along(-small)) / (2 * small)
        ahead = -2 * start_distance / slope if abs(slope) * reach > start_distance else 0.0
        if not ahead:
            return start_distance, sample.t
        begin, end = (float(np.clip(t - sample.t, -reach, reach)) for t in self.span)
        way = sorted((0.0, float(np.clip(ahead, begin, end))))
        if way[0] == way[1]:
            return start_distance, sample.t
        least = minimize_scalar(along, bounds=way, method="bounded", options={"xatol": 1e-9 * reach})
        return min((start_distance, sample.t), (float(least.fun), sample.t + float(least.x)))

    def _position(self, sample: MotionSample, h: float) -> np.ndarray:
        """The position after h seconds, extrapolated to second order and with loops closed."""
        model, t = self.model, sample.t + h
        q = model.equations.chart.apply_step(sample.q, h * sample.v + 0.5 * h * h * sample.a)
        return close_loops(model.equations, q, model.drive(t, 0), model.p, limit=6).q

    def _rows(self, t: float, q: np.ndarray) -> tuple[np.ndarray, list[int], np.ndarray]:
        """Pivots of the constraint rows, the indices of the rows of these pivots, and the squared norms of all rows."""
        model = self.model
        J = model.scaled_jacobian(q, model.p, t)
        if self.redundant:
            pivots, _, order = pivoted_rows(J, model.grouping)
            return pivots, order, np.sum(J * J, axis=1)
        pivots, sizes = row_pivots(J, model.metric(q, model.p))
        return pivots, list(range(len(J))), sizes


DIRECT_METHOD = "slm"
"""Name of the method that solves for the multipliers at positions where penalties do not determine them."""


@dataclass(frozen=True, eq=False)
class PreciseState:
    """A state with its accelerations and forces, computed in extended precision."""

    y: np.ndarray
    answer: ForwardSolution


@dataclass(frozen=True, eq=False)
class NearSingularState:
    """A recorded state near a singular configuration, with the efforts `u` of a controller in this state."""

    t: float
    singularity_distance: float
    precise: PreciseState
    u: np.ndarray | None


@dataclass(eq=False)
class SingularityCheck:
    """Check of the recorded states of one simulation for nearby singular configurations.

    States near a singular configuration are recomputed in extended precision (`near_singular`), or listed in
    `undetermined` if this fails. `samples` are all states checked so far. Warnings are available at the end.
    """

    run: RunModel
    may_be_singular: bool = True  # whether a state may be near a singular configuration
    near_singular: list[NearSingularState] = field(default_factory=list)
    undetermined: list[RoundOffEstimate] = field(default_factory=list)
    samples: list[MotionSample] = field(default_factory=list)

    def refine(
        self,
        t: float,
        y: np.ndarray,
        answer: ForwardSolution,
        choice: LocalChoice,
        u: np.ndarray | None = None,
    ) -> tuple[np.ndarray, ForwardSolution]:
        """The state y and its solution, as given or recomputed in extended precision; `u` are a controller's efforts.

        With the penalty method, an error is raised if the solution violates the constraints at a regular position. With
        all other methods, an error is raised for a position that is singular to round-off, where the rates are not
        determined.
        """
        seen = self._refined(t, y, answer, u) if self.may_be_singular else None
        if seen is not None:
            y, answer = seen.y, seen.answer
        state = self.run.layout.blocks(y)
        self.samples.append(MotionSample(t, state["q"], state["v"], answer.a))
        if seen is None:
            require_constraints_met(
                self.run.model, choice, t, state["q"], state["v"], answer, self.run.model.p
            )
        return y, answer

    def _refined(
        self, t: float, y: np.ndarray, answer: ForwardSolution, u: np.ndarray | None
    ) -> PreciseState | None:
        """The state recomputed in extended precision, with the efforts u of a controller; None if double precision
        suffices, or if no such solution exists."""
        state, given = self.run.layout.blocks(y), self._model.prescribed(t)
        singularity_distance = self._singularity_distance(state["q"], given[0])
        if singularity_distance >= NEAR_SINGULAR:
            return None
        has_full_rank = singularity_distance > RANK_TOLERANCE
        if has_full_rank and not self._needs_precision((state["q"], state["v"], answer.a), given):
            self.near_singular.append(NearSingularState(t, singularity_distance, PreciseState(y, answer), u))
            return None
        exact = self._exact_motion(t, state) if has_full_rank else None
        precise = None if exact is None else self._evaluate_at(t, y, *exact, u)
        if (
            precise is None and not self.run.model.passes_singular
        ):  # the constraints do not determine the rates
            raise singular_position_error(self._model.plan.mechanism, t, singularity_distance)
        if precise is None:
            self.undetermined.append(RoundOffEstimate(t, np.inf, ""))
        else:
            self.near_singular.append(NearSingularState(t, singularity_distance, precise, u))
        return precise

    def warnings(self) -> list[ResultWarning]:
        """Warnings about the round-off error of the recorded states, which is estimated for the few states in which it
        may be largest."""
        mechanism = self._model.plan.mechanism
        if self.undetermined or not self.near_singular:
            return round_off_warnings(mechanism, self.undetermined)
        v = np.array([self.run.layout.blocks(one.precise.y)["v"] for one in self.near_singular])
        a = np.array([one.precise.answer.a for one in self.near_singular])
        singularity_distance = np.array([one.singularity_distance for one in self.near_singular])
        worst = most_affected_instants(expected_round_off(self._model.equations, singularity_distance, v, a))
        return round_off_warnings(mechanism, (self._round_off_error(self.near_singular[k]) for k in worst))

    def approach_warnings(self, singularity_distance: float, t: float, y: np.ndarray) -> list[ResultWarning]:
        """Warnings about the nearest approach to a singular configuration.

        `singularity_distance` is the smallest value at the ends of steps, reached at time t in the state y.
        """
        if singularity_distance < SUSPECT_DISTANCE and self.samples:
            steps = singularity_distance, t, y[self.run.layout["q"]]
            singularity_distance, t = nearest_approach(self.run.model, self.samples, steps)
        return near_singular_warnings(self._model.plan.mechanism, singularity_distance, t)

    @property
    def _model(self) -> ForwardModel:
        """The forward model with which states near singular configurations are recomputed."""
        return self._direct_run.model

    @cached_property
    def _direct_run(self) -> RunModel:
        run = self.run
        return (
            RunModel(run.model.with_method(DIRECT_METHOD), run.signals) if run.model.passes_singular else run
        )

    @cached_property
    def _answers(self) -> DecimalFunction:
        return DecimalFunction(self._direct_run.solve)

    def _needs_precision(self, motion: Motion, given: PrescribedValues) -> bool:
        """Whether a state must be recomputed in extended precision: its round-off is too large in double precision, or
        the simulation uses a penalty method. `motion` are q, v and a of the state, `given` the prescribed values."""
        model = self._model
        return self.run.model.passes_singular or round_off_matters(
            model.equations, motion, given, model.p, model.rank
        )

    def _singularity_distance(self, q: np.ndarray, s: np.ndarray) -> float:
        """The smallest singular value of the constraint Jacobian (lengths divided by the characteristic length), apart
        from those that redundant constraints make zero, relative to the largest."""
        sigma, rank = linearise_rows(self._model.equations, q, s, self._model.p).sigma, self._model.rank
        return float(singular_value_ratio(sigma, rank))

    def _exact_motion(
        self, t: float, state: dict[str, np.ndarray]
    ) -> tuple[DecimalArray, DecimalArray] | None:
        """Coordinates and rates near those of a state that satisfy the constraints in extended precision; None if the
        iteration does not converge."""
        model, given = self._model, self._model.prescribed(t)
        rows = exact_rows(model.equations)
        q = rows.position(state["q"], given[0], model.p, len(model.position_rows))
        v = None if q is None else rows.rates(q, state["v"], given, model.p, model.rank)
        return None if q is None or v is None else (q, v)

    def _evaluate_at(
        self, t: float, y: np.ndarray, q: Any, v: Any, u: np.ndarray | None
    ) -> PreciseState | None:
        """The state with the coordinates q and rates v, and its solution with the efforts u of a controller; None if
        the method has no solution."""
        model, layout, signals = self._model, self.run.layout, self.run.signals
        y = layout.pack(**{**layout.blocks(y), "q": q.astype(float), "v": v.astype(float)})
        try:
            chosen = make_local_choice(model, y[layout["q"]], t=t).kernel_inputs
        except SolveError:  # the position is singular to round-off
            return None
        known = signals.inputs_at(t, y, u) | {"q": q, "v": v}
        a, lam, tau, _, *dependent_force_rows = (
            found.astype(float) for found in self._answers(**known, **chosen, p=model.p)
        )
        finite = all(np.isfinite(part).all() for part in (a, lam, tau))
        return (
            PreciseState(
                y,
                ForwardSolution(a, lam[: model.equations.loop_constraints.count], tau, *dependent_force_rows),
            )
            if finite
            else None
        )

    def _round_off_error(self, at: NearSingularState) -> RoundOffEstimate:
        """Round-off estimate: the change of a solution if the loops are opened by the round-off of lengths."""
        model, state = self._model, self.run.layout.blocks(at.precise.y)
        motion = (state["q"], state["v"], at.precise.answer.a)
        q, v, _ = displaced_motion(model.equations, motion, model.prescribed(at.t), model.p, model.rank)
        other = self._evaluate_at(at.t, at.precise.y, q, v, at.u)
        if other is None:
            return RoundOffEstimate(at.t, np.inf, "")
        found, as_good = self._quantities_at(at.t, at.precise), self._quantities_at(at.t, other)
        return found.round_off_from(model.equations, at.t, as_good, at.singularity_distance)

    def _quantities_at(self, t: float, seen: PreciseState) -> InstantSolution:
        model, answer, state = self._model, seen.answer, self.run.layout.blocks(seen.y)
        wrenches = model.reactions(answer, t=t, **state)
        return InstantSolution(
            state["v"],
            answer.a,
            answer.tau,
            wrenches,
            multiplier_accelerations(model, answer, t, state["q"], model.p),
        )


DEFLECTION_LIMIT = 1.0
"""Deflection of a link, relative to its length, beyond which a simulation ends with an error."""

SUSPICIOUS_DEFLECTION = 0.3
"""Deflection of a link, relative to its length, beyond which the link is taken as the cause of a simulation that cannot
be continued."""

Excess = tuple[float, str, float]
"""Time, name of the link, and deflection relative to its length."""


class RelativeDeflections:
    """Deflections of the flexible links relative to their lengths; `mechanism` has the parameter values of the design,
    by default those of the skeleton."""

    def __init__(self, skeleton: Skeleton, mechanism: Mechanism | None = None) -> None:
        design = mechanism or skeleton.mechanism
        bending = [link for link in skeleton.links if link.reduced.modes is not None]
        parts = [relative_deflection(design.body(link.body), skeleton.planar) for link in bending]
        self._links = [
            (link.body, link.eta, part) for link, part in zip(bending, parts, strict=True) if part is not None
        ]

    def first_beyond(
        self, times: np.ndarray, q: np.ndarray, limit: float = DEFLECTION_LIMIT
    ) -> Excess | None:
        """The first instant at which the relative deflection of a link exceeds the limit, None if none does; q has one
        row for each instant."""
        found: list[Excess] = []
        for name, place, parts_of in self._links:
            parts = parts_of(q[:, place])
            beyond = np.flatnonzero(~(parts <= limit))  # NaN counts as beyond the limit
            if len(beyond):
                found.append((float(times[beyond[0]]), name, float(parts[beyond[0]])))
        return min(found, default=None)


def discard_excessive(
    skeleton: Skeleton, values: Mapping[str, np.ndarray], times: np.ndarray, states: np.ndarray, q: slice
) -> list[int]:
    """Indices of the designs in which a link is deflected by more than its length; from the first such instant on, the
    states of these designs are set to NaN.

    `states` has the shape (designs, instants, entries).
    """
    if not any(body.elastic for body in skeleton.mechanism.all_bodies):
        return []
    away = []
    for k in np.flatnonzero(np.isfinite(states[:, 0, 0])).tolist():
        design = {name: float(given[k]) for name, given in values.items()}
        done = int(np.isfinite(states[k, :, 0]).sum())
        links = RelativeDeflections(skeleton, skeleton.mechanism.with_parameters(design))
        found = links.first_beyond(times[:done], states[k, :done, q])
        if found is not None:
            states[k, times >= found[0]] = np.nan
            away.append(k)
    return away
