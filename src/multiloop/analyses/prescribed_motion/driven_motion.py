"""Motion of a mechanism along its drives, and the efforts and reactions at any of its instants.

Positions q, rates v and accelerations v̇ satisfy Φ(q, t) = 0, J v = b and J v̇ = γ, where Φ are the constraints of
loops and drives, J is their Jacobian, and b and γ are the right-hand sides for rates and accelerations. Singular
positions, degrees of freedom without a prescribed motion and efforts that cannot produce the motion raise errors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from multiloop.analyses.errors import analysis_error, singular_position_error
from multiloop.analyses.idle_spins import massless_spins, require_no_spin_moment
from multiloop.analyses.prescribed_motion.cycle import FOLLOWED_PERIODS, advance_whole_periods, drive_period
from multiloop.analyses.prescribed_motion.driven_instants import (
    CLEAR_OF_SINGULARITY,
    DrivenInstants,
    driven_instants,
)
from multiloop.analyses.prescribed_motion.driven_plan import under_actuation_error, undriven_freedoms
from multiloop.analyses.prescribed_motion.inverse_solver import InstantLoads, InverseSolver
from multiloop.analyses.signals import TracedDrive, driven_signals
from multiloop.kernels.runtime import SINGULAR_LIMIT
from multiloop.kinematics import equations_of
from multiloop.kinematics.assembly import close_loops
from multiloop.kinematics.conditioning import linearise_rows
from multiloop.kinematics.constraints import drive_targets
from multiloop.kinematics.continuation import (
    NEAR_SINGULAR,
    Instant,
    Nearness,
    Singularity,
    Trajectory,
    advance_to,
    closest_approaches,
    displaced_motion,
    drive_distance,
    instant_at,
    remove_round_off,
)
from multiloop.model import accept_partial_result, count_text, partial_result_clock
from multiloop.plan import Plan

BLOCK = 512
"""Number of instants that are computed together."""

SMALLEST_BLOCK = 16
"""Number of instants that are computed together after the computation of a block has failed."""

FEW = 12
"""If fewer instants than this are requested, they are computed one by one."""

SOLVE_TIME = 0.25
"""Seconds after Ctrl-C during which efforts and reactions of the computed instants are still solved."""

SOLUTION_FIELDS = ("a", "tau", "lam", "dependent_force_rows")
"""Names of the arrays of `InstantLoads` that have one row for every instant."""


class DrivenMotion:
    """A mechanism moved by its drives: its motion, and efforts and reactions at any instant.

    `plan` belongs to a position with closed loops at the time `begin`. An error is raised for degrees of freedom
    without an effort when the object is created, for degrees of freedom without a prescribed motion when the first
    instant is solved, and for singular positions and efforts that do not control every degree of freedom at the instant
    concerned.
    """

    def __init__(
        self, plan: Plan, begin: float, method: str, weights: Mapping[str, float] | None = None
    ) -> None:
        mechanism = plan.mechanism
        if undriven_freedoms(plan):
            raise under_actuation_error(plan, "Drive {them}, or add actuators.")
        spins = tuple(idle.spin for idle in plan.idle)
        self.plan, self.p, self.begin = plan, plan.assembly.p, begin
        self.equations = equations_of(mechanism, plan.tree, drive_targets(mechanism), spins)
        if plan.idle and mechanism.all_loads:
            q = plan.assembly.coordinates_on(self.equations)
            require_no_spin_moment(self.equations, massless_spins(self.equations, plan), q, self.p)
        self.drive = TracedDrive(driven_signals(self.equations), self.p)
        self.loads = InverseSolver(plan, self.equations, self.p, method, weights)
        self._examined = False

    def trajectory_at(
        self, times: Sequence[float], report: Callable[[int], None] = lambda count: None
    ) -> Trajectory:
        """The motion at the given times, followed in steps from the assembled position.

        `report` is called with the number of instants computed so far. An interruption keeps these instants.
        """
        asked, parts = np.asarray(times, float), [Trajectory.from_instants([self._first])]
        done, size = 0, BLOCK if len(asked) >= FEW else 1
        try:
            while done < len(asked):
                block, at = asked[done : done + size], parts[-1][-1]
                found = self._reachable_instants(at, block) if size > 1 else Trajectory.from_instants([])
                if size > 1:
                    size = min(2 * size, BLOCK) if len(found) == len(block) else SMALLEST_BLOCK
                parts.append(
                    found if len(found) else Trajectory.from_instants([self.advance_to(float(block[0]), at)])
                )
                done += len(parts[-1])
                report(done)
        except KeyboardInterrupt:
            if not done:
                raise
            accept_partial_result()
        return self._refined(Trajectory.concatenate(parts[1:]))

    def _refined(self, trajectory: Trajectory) -> Trajectory:
        """The trajectory, with the instants near singular positions recomputed in extended precision."""
        near = np.flatnonzero(trajectory.singularity_distance < NEAR_SINGULAR).tolist()
        found = remove_round_off(self.equations, [trajectory[k] for k in near], self.drive, self.p)
        for k, at in zip(near, found, strict=True):
            trajectory.replace_instant(k, at)
        return trajectory

    @property
    def _first(self) -> Instant:
        """The instant at the time `begin`, at which the plan was made."""
        eq, s = self.equations, self.drive(self.begin, 0)
        closed = close_loops(eq, self.plan.assembly.coordinates_on(eq), s, self.p)
        return instant_at(eq, self.begin, closed.q, self.drive, self.p)

    def _reachable_instants(self, at: Instant, times: np.ndarray) -> Trajectory:
        """The trajectory at the first of the `times`, as many as can be computed together starting from the instant
        `at`.

        The trajectory ends before an interval longer than FOLLOWED_PERIODS periods of the drives, and is empty if no
        instants can be computed together.
        """
        far = np.abs(np.diff(times, prepend=at.t)) > FOLLOWED_PERIODS * drive_period(self.plan.mechanism)
        times = times[: np.argmax(far)] if far.any() else times
        if self._driven_instants is None or not self._driven_instants.covers(at.t, times):
            return Trajectory.from_instants([])
        found = self._driven_instants.instants_from(at, times, self.p)
        for k in np.flatnonzero(found.singularity_distance < CLEAR_OF_SINGULARITY).tolist():
            found.replace_instant(k, self._by_singular_values(found[k]))
        return found

    def _by_singular_values(self, at: Instant) -> Instant:
        """The instant recomputed by singular value decomposition, which loses fewer digits near singular positions."""
        closed = close_loops(self.equations, at.q, self.drive(at.t, 0), self.p, limit=12)
        return instant_at(self.equations, at.t, closed.q, self.drive, self.p)

    @cached_property
    def _driven_instants(self) -> DrivenInstants | None:
        """The computation of many instants at once; None if loops and drives do not determine every rate, or if
        constraints are redundant."""
        plan, eq = self.plan, self.equations
        if plan.idle or plan.redundant or plan.rank.rates_alone or eq.rows.count != eq.skeleton.rates:
            return None
        return driven_instants(plan, self.loads.method)

    def advance_to(self, t: float, before: Instant) -> Instant:
        """The instant at time t, followed in steps from the instant `before`, which may have a later time."""
        nearer = advance_whole_periods(self.equations, before, t, self.drive, self.p) or before
        instant = advance_to(self.equations, nearer, t, self.drive, self.p)
        return remove_round_off(self.equations, [instant], self.drive, self.p)[0]

    def displaced(self, at: Instant) -> Instant:
        """The instant recomputed with loops that are opened by the round-off of lengths."""
        given = [self.drive(at.t, order) for order in range(3)]
        count = linearise_rows(self.equations, at.q, given[0], self.p).expected_rank
        q, v, a = displaced_motion(self.equations, (at.q, at.v, at.a), given, self.p, count)
        return replace(at, q=q, v=v, a=a)

    def forces_at(self, t: float, before: Instant) -> tuple[Instant, np.ndarray]:
        """The instant at time t and the generalized forces along every joint rate at this instant.

        `before` is the instant of the previous call, from which the motion is followed.
        """
        found = self._reachable_instants(before, np.array([t]))
        if not len(found):
            at = self.advance_to(t, before)
            return at, self.solve(at).tau
        solve = (
            self._solve_together
            if self._driven_instants and self._driven_instants.solves_loads
            else self._one_by_one
        )
        return found[0], solve(found).tau[0]

    def approaches(self, trajectory: Trajectory) -> tuple[Singularity, ...]:
        """Instants of closest approach to singular positions along a trajectory."""
        watched = replace(trajectory, singularity_distance=self.least_distance(trajectory))
        return closest_approaches(self.equations, watched, self.drive, self.p, self._nearness)

    def least_distance(self, trajectory: Trajectory) -> np.ndarray:
        """At every instant, the smallest distance from singularity of loops and drives, of loops alone, and of the
        efforts."""
        if not self.loads.checks_actuation:
            return trajectory.singularity_distance
        return np.array([self.singularity_distance(instant) for instant in trajectory])

    def singularity_distance(self, instant: Instant) -> float:
        """The smallest distance from singularity of loops and drives, of loops alone, and of the efforts."""
        return min(
            instant.singularity_distance,
            *(near.singularity_distance for near in self.loads.nearness(instant.t, instant.q)),
            1.0,
        )

    def _nearness(self, t: float, q: np.ndarray) -> Nearness:
        """Distance of a position with closed loops from a position at which a joint rate or a force grows without
        bound."""
        by_drives = drive_distance(self.equations, self.drive, self.p)(t, q)
        return min([by_drives, *self.loads.nearness(t, q)], key=lambda near: near.singularity_distance)

    def solve(self, instant: Instant) -> InstantLoads:
        """Efforts and reactions at one instant."""
        if instant.singularity_distance < SINGULAR_LIMIT:
            raise singular_position_error(
                self.plan.mechanism, instant.t, instant.singularity_distance, driven=True
            )
        if not self._examined:
            self._require_prescribed_freedoms(instant)
            self._examined = True
        return self.loads.solve(instant)

    def solve_all(
        self, trajectory: Trajectory, report: Callable[[int], None] = lambda count: None
    ) -> InstantLoads:
        """Efforts and reactions of many instants, one row each; an interruption keeps the instants solved so far.

        After an interruption of the computation of the trajectory, instants are solved for at most SOLVE_TIME seconds.
        """
        parts: list[InstantLoads] = []
        done, size, late = 0, BLOCK if self._solves_together(trajectory) else 1, partial_result_clock()
        try:
            while done < len(trajectory) and not (done and late() > SOLVE_TIME):
                block = trajectory.subset(slice(done, done + size))
                parts.append(self._solve_together(block) if size > 1 else self._one_by_one(block))
                done += len(block)
                report(done)
        except KeyboardInterrupt:
            if not done:
                raise
            accept_partial_result()
        return _concatenate(parts, np.concatenate)

    def _solves_together(self, trajectory: Trajectory) -> bool:
        """Whether efforts and reactions of all instants can be computed at once."""
        together = self._driven_instants
        if together is None or len(trajectory) < FEW:
            return False
        return together.solves_loads and together.covers(self.begin, trajectory.t)

    def _one_by_one(self, trajectory: Trajectory) -> InstantLoads:
        """Efforts and reactions of instants, computed one after another."""
        return _concatenate([self.solve(instant) for instant in trajectory], np.array)

    def _solve_together(self, trajectory: Trajectory) -> InstantLoads:
        """Efforts and reactions of many instants at once.

        Instants near a singularity, or with invalid values, are solved one by one, which raises the appropriate errors.
        """
        assert self._driven_instants is not None
        found, invalid = self._driven_instants.loads(trajectory, self.p)
        for k in np.flatnonzero(invalid | (trajectory.singularity_distance < CLEAR_OF_SINGULARITY)).tolist():
            one = self.solve(trajectory[k])
            for name in SOLUTION_FIELDS:
                getattr(found, name)[k] = getattr(one, name)
        return found

    def _require_prescribed_freedoms(self, at: Instant) -> None:
        """Raise an error for degrees of freedom that actuators could move but that no Motion prescribes."""
        linear = linearise_rows(self.equations, at.q, self.drive(at.t, 0), self.p)
        if len(linear.sigma) >= self.equations.skeleton.rates or linear.degrees_of_freedom == 0:
            return
        ways = np.abs(linear.null_space()).max(axis=1, initial=0.0)
        links = self.equations.skeleton.links
        loose = [link.joint.name for link in links if ways[link.v].max(initial=0.0) > 1e-6]
        raise analysis_error(
            self.plan.mechanism,
            "S01",
            "inverse dynamics",
            f"{count_text(linear.degrees_of_freedom, 'degree of freedom', 'degrees of freedom')} "
            f"without a prescribed motion: {', '.join(loose)} can move freely.",
            "Add a Motion for every degree of freedom, or use `simulate` with known efforts.",
        )


def _concatenate(
    parts: Sequence[InstantLoads], join: Callable[[list[np.ndarray]], np.ndarray]
) -> InstantLoads:
    """The solutions `parts` of successive instants as one, in which `join` concatenates the arrays of every field."""
    return InstantLoads(*(join([getattr(part, name) for part in parts]) for name in SOLUTION_FIELDS))
