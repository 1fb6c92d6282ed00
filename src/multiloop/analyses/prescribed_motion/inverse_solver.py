"""Efforts and reactions at one instant of a known motion, by any of the methods of inverse dynamics.

    h(q, v, v̇) = Jᵀ λ + B τ

With more efforts than degrees of freedom τ minimises Σ (τ/weight)²; redundant constraints give the minimum-norm
reactions; forces that depend on reactions are found by iteration. Which motions the loops allow, how near the
position is to a singular one, and which motions the efforts reach follow from the singular values of the scaled
Jacobian.

Theory: docs/theory/05-inverse-dynamics.md, eq. (5.11); docs/theory/08-singular-configurations.md, eq. (8.1).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from multiloop.analyses.errors import require_choice, singular_position_error
from multiloop.analyses.idle_spins import idle_accelerations
from multiloop.analyses.load_checks import require_determined_reactions, require_spring_lengths
from multiloop.analyses.minimum_norm import minimum_norm_reactions
from multiloop.analyses.prescribed_motion.inverse_arguments import METHODS, effort_weights
from multiloop.analyses.signals import driven_signals
from multiloop.dynamics.inverse import InverseFunctions, effort_columns, traced_inverse
from multiloop.dynamics.outputs import readouts_of
from multiloop.kernels.runtime import SINGULAR_LIMIT
from multiloop.kinematics import CACHE_SIZE, Equations
from multiloop.kinematics.conditioning import RANK_TOLERANCE
from multiloop.kinematics.continuation import Instant, Nearness, most_moved_joint
from multiloop.model import Fault, SolveError
from multiloop.plan import Block, Plan, carried_inertia_of_rates, constraint_matrix_at, unknown_efforts
from multiloop.symbols import Traced


@dataclass(frozen=True, eq=False)
class ConstraintSVD:
    """Singular value decomposition of the scaled loop Jacobian at a position, lengths in characteristic lengths.

        D_row J D = U Σ Vᵀ,      v = D y

    `count` is the number of rows that are independent at a generic position.
    """

    U: np.ndarray
    sigma: np.ndarray
    Vt: np.ndarray
    row_scale: np.ndarray
    scale: np.ndarray
    count: int

    @property
    def singularity_distance(self) -> float:
        """The smallest of the `count` largest singular values relative to the largest: 0 at a singular position."""
        if self.count > len(self.sigma):  # constrained to second order only
            return 0.0
        return float(self.sigma[self.count - 1] / self.sigma[0]) if self.count else 1.0

    @property
    def basis(self) -> np.ndarray:
        """Independent combinations of the rows, count × rows."""
        rows: np.ndarray = self.U[:, : self.count].T * self.row_scale
        return rows

    @property
    def independent_rates(self) -> np.ndarray:
        """Independent combinations of the rates, degrees of freedom × rates."""
        rates: np.ndarray = self.Vt[self.count :] / self.scale
        return rates

    @cached_property
    def motions(self) -> np.ndarray:
        """Columns span the rates that the loops allow."""
        columns: np.ndarray = self.scale[:, None] * self.Vt[self.count :].T
        return columns

    def actuated_motions(self, B: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Allowed motions, sorted by the fraction of each that efforts along the unit columns of B reach, and these
        fractions.

        The motions are the columns of a rotation of `motions`; the fractions decrease and are 0 for motions that are
        not reached.
        """
        W, parts, _ = np.linalg.svd(self.Vt[self.count :] @ B, full_matrices=True)
        return self.motions @ W, parts


def constraint_svd_at(
    equations: Equations, plan: Plan, t: float, q: np.ndarray, p: np.ndarray
) -> ConstraintSVD:
    """The decomposition at a closed position."""
    skeleton, scale = equations.skeleton, equations.chart.rate_units
    row_scale = equations.rate_row_scale[: equations.loop_constraints.count]
    J = row_scale[:, None] * equations.geometric_jacobian(q, p, t) * scale
    U, sigma, Vt = (
        np.linalg.svd(J, full_matrices=True)
        if equations.loop_constraints.count
        else (np.zeros((0, 0)), np.zeros(0), np.eye(skeleton.rates))
    )
    return ConstraintSVD(U, sigma, Vt, row_scale, scale, skeleton.rates - plan.mobility)


ITERATIONS = 50
"""Largest number of iterations for minimum-norm efforts and reaction-dependent forces."""

CONVERGED = 1e-14
"""Relative change of these forces below which the iteration has converged."""


@dataclass(frozen=True, eq=False)
class InstantLoads:
    """Solution at one instant, or at many with one row each.

    It has accelerations, forces along every rate (known and computed), constraint wrenches (6 × joints), reaction-
    dependent forces (`dynamics.reaction_dependent_forces`), and for one instant the multipliers λ.
    """

    a: np.ndarray
    tau: np.ndarray
    wrenches: np.ndarray
    dependent_force_rows: np.ndarray
    lam: np.ndarray = field(default_factory=lambda: np.zeros(0))


def iterate_reaction_forces(find: Callable[[np.ndarray], InstantLoads], found: InstantLoads) -> InstantLoads:
    """Iterate until idle accelerations and minimum-norm efforts agree with the reaction-dependent forces.

    Every iteration reduces the error by a factor of the order of the friction coefficient.
    """
    for _ in range(ITERATIONS if found.dependent_force_rows.size else 0):
        before = found.dependent_force_rows[:, 0]
        found = find(before)
        if np.abs(found.dependent_force_rows[:, 0] - before).max() <= CONVERGED * np.abs(before).max():
            break
    return found


@lru_cache(maxsize=CACHE_SIZE)
def traced_solver(
    equations: Equations,
    method: str,
    unknown: tuple[tuple[str, str], ...],
    independent: int | None,
    blocks: tuple[Block, ...],
) -> Traced:
    """A method for the unknown efforts; `independent` is the number of independent rows where some are redundant."""
    functions, B = InverseFunctions(equations), effort_columns(equations, unknown)
    if method == "traditional":
        return functions.traced_traditional(B, independent, multipliers=True)
    return functions.traced_solution(method, B, independent, blocks)


MINIMUM_NORM_EFFORTS = "least efforts: Σ (τ/weight)² is smallest"


class InverseSolver:
    """Solver for the efforts of the drives and the reactions of all joints.

    `x` are the states that are not coordinates; by default they have their initial values, since a prescribed motion
    does not depend on them. With more efforts than degrees of freedom those of minimum norm are taken, min Σ
    (τ/weight)²; idle degrees of freedom accelerate by their own inertia, since no effort acts on them.
    """

    def __init__(
        self,
        plan: Plan,
        equations: Equations,
        p: np.ndarray,
        method: str,
        weights: Mapping[str, float] | None = None,
        x: np.ndarray | None = None,
    ) -> None:
        require_choice(plan.mechanism, "inverse method", method, METHODS)
        self.plan, self.equations, self.p, self.method = plan, equations, p, method
        require_determined_reactions(plan, equations.skeleton)
        self.functions = InverseFunctions(equations)
        self.readouts = readouts_of(equations)
        self.efforts = unknown_efforts(plan.mechanism)
        self.signals = driven_signals(equations)
        self.B = effort_columns(equations, self.efforts)
        self.weights = effort_weights(plan.mechanism, self.efforts, weights or {})
        self.over = len(self.efforts) - self.freedoms
        self.own_states = equations.skeleton.initial_states(p) if x is None else x

    @property
    def freedoms(self) -> int:
        """Number of degrees of freedom that efforts must produce."""
        return self.plan.mobility - len(self.plan.idle)

    def constraint_svd(self, t: float, q: np.ndarray) -> ConstraintSVD:
        """Singular values of the loops at a closed position."""
        return constraint_svd_at(self.equations, self.plan, t, q, self.p)

    def actuation_distance(self, holding: ConstraintSVD) -> float:
        """The fraction of the worst actuated motion that the efforts reach; 0 if they do not reach every degree of
        freedom."""
        _, parts = holding.actuated_motions(self.B)
        return (
            float(parts[self.freedoms - 1]) if 0 < self.freedoms <= len(parts) else float(not self.freedoms)
        )

    @property
    def checks_actuation(self) -> bool:
        """Whether the efforts must be checked: there are more drives than degrees of freedom, or actuators."""
        drives = sum(target.row_count() for target in self.equations.targets)
        return drives > self.freedoms or bool(self.plan.mechanism.actuators)

    def nearness(self, t: float, q: np.ndarray) -> list[Nearness]:
        """Distances from singularity of the loops alone and of the efforts, neither of which is included in that of
        loops and drives."""
        if not self.checks_actuation:
            return []
        holding = self.constraint_svd(t, q)
        least_held = holding.Vt[max(min(holding.count, len(holding.sigma)) - 1, 0)]
        if not self.freedoms:
            return [Nearness(holding.singularity_distance, most_moved_joint(self.equations, least_held))]
        least_reached = holding.actuated_motions(self.B)[0][:, max(self.freedoms - 1, 0)] / holding.scale
        return [
            Nearness(holding.singularity_distance, most_moved_joint(self.equations, least_held)),
            Nearness(
                self.actuation_distance(holding),
                most_moved_joint(self.equations, least_reached),
                "is hardly moved by any effort",
            ),
        ]

    def solve(self, instant: Instant, extra_forces: np.ndarray | float = 0.0) -> InstantLoads:
        """Accelerations, forces along every rate, constraint wrenches and reaction-dependent forces at an instant.

        `extra_forces` along the rates are added to the known ones.
        """
        q, v, holding = instant.q, instant.v, self.constraint_svd(instant.t, instant.q)
        if holding.singularity_distance < SINGULAR_LIMIT:
            raise singular_position_error(self.plan.mechanism, instant.t, holding.singularity_distance)
        if self.actuation_distance(holding) < SINGULAR_LIMIT:
            raise self._unreached_error(instant.t)
        require_spring_lengths(self.equations, instant.t, q, v, self.p)
        y = self.signals.layout.pack(q=q, v=v, x=self.own_states)
        known = self.signals.forces_at(instant.t, y, self.p) + extra_forces
        found = self._solve_with_given_forces(
            instant, known, holding, np.zeros(self.equations.reaction_dependent_forces.shape[0])
        )
        if self.over > 0 or self.plan.idle:
            found = iterate_reaction_forces(
                lambda x: self._solve_with_given_forces(instant, known, holding, x), found
            )
        if self.plan.redundant:
            one = (np.array([instant.t]), q[None], self.p, found.wrenches[None], found.lam[None])
            found = replace(found, wrenches=minimum_norm_reactions(self.equations, *one)[0])
        return found

    def _solve_with_given_forces(
        self, instant: Instant, known: np.ndarray, holding: ConstraintSVD, dependent_forces: np.ndarray
    ) -> InstantLoads:
        """The solution with idle accelerations and minimum-norm efforts computed for given reaction-dependent
        forces.
        """
        a = self._with_idle_accelerations(instant, known, holding, dependent_forces)
        if self.over > 0:
            known = known + self.B @ self._minimum_norm_efforts(instant, a, known, holding, dependent_forces)
        if self.method == "traditional":
            return self._traditional(instant, a, known)
        return self._reduced(instant, a, known, holding)

    def _unreached_error(self, t: float) -> SolveError:
        """The error for efforts that do not reach every degree of freedom."""
        listed = ", ".join(joint for joint, _ in self.efforts)
        fault = Fault(
            "S01",
            "inverse dynamics",
            f"at t = {t:.6g} s the efforts at {listed} do not control every degree of freedom: "
            "with these joints locked the mechanism can still move.",
            "Avoid this configuration, or move the actuators to other joints.",
        )
        return SolveError(f"mechanism '{self.plan.mechanism.name}'", [fault], time=t)

    def _reduced(
        self, instant: Instant, a: np.ndarray, known: np.ndarray, holding: ConstraintSVD
    ) -> InstantLoads:
        basis = holding.basis if self.independent is not None else np.zeros((0, 0))
        choice = holding.independent_rates if self.method == "virtual_work" else np.zeros((0, 0))
        motion = self._motion(instant, a)
        lam, tau, *more = self._solver(**motion, known=known, basis=basis, choice=choice)
        forces, dependent_force_rows = known + self._unknown @ tau, self._dependent_force_rows(more)
        found = {"lam": lam, "tau": forces, "dependent_forces": dependent_force_rows[:, 0]}
        wrenches = self.readouts.reactions(**motion, **found)[0].reshape(6, -1)
        return InstantLoads(a, forces, wrenches, dependent_force_rows, lam)

    def _dependent_force_rows(self, more: list[np.ndarray]) -> np.ndarray:
        count = self.equations.reaction_dependent_forces.shape[0]
        return np.concatenate(more or [np.zeros(0)]).reshape(count, count + 2)

    def _traditional(self, instant: Instant, a: np.ndarray, known: np.ndarray) -> InstantLoads:
        spread = np.zeros((0, 0))
        if self.plan.redundant:
            screws = constraint_matrix_at(self.equations, instant.q, self.p, instant.t)
            skeleton = self.equations.skeleton
            joints = [
                *(link.joint.name for link in skeleton.links),
                *(constraint.name for constraint in self.equations.loop_constraints.constraints),
            ]
            rows = [k for joint in joints for k in screws.joint_rows(joint)]
            spread = np.linalg.svd(screws.A[rows])[0][:, : self.plan.rank.rank]
        wrenches, tau, lam, *more = self._solver(**self._motion(instant, a), known=known, spread=spread)
        forces = known + self._unknown @ tau
        return InstantLoads(a, forces, wrenches.reshape(6, -1), self._dependent_force_rows(more), lam)

    def _motion(self, instant: Instant, a: np.ndarray) -> dict[str, Any]:
        """Known inputs of the traced functions at an instant."""
        return {"t": instant.t, "q": instant.q, "v": instant.v, "a": a, "x": self.own_states, "p": self.p}

    @property
    def _unknown(self) -> np.ndarray:
        """Columns of the efforts that the method itself solves for."""
        return self.B if self.over <= 0 else self.B[:, :0]

    @property
    def method_used(self) -> str:
        """The method that is used: `subsystem` needs as many equations as unknowns, else it is `system`."""
        if self.method == "subsystem" and (self.plan.idle or self.over > 0 or self.independent is not None):
            return "system"
        return self.method

    @cached_property
    def _solver(self) -> Traced:
        unknown = self.efforts if self.over <= 0 else ()
        if self.method == "traditional":
            independent = self.plan.rank.rank if self.plan.redundant else None
            return traced_solver(self.equations, self.method, unknown, independent, ())
        blocks = self.plan.determinacy.blocks
        return traced_solver(self.equations, self.method_used, unknown, self.independent, blocks)

    @property
    def independent(self) -> int | None:
        """The number of independent rows of the loops if some are redundant, else None."""
        skeleton = self.equations.skeleton
        count = skeleton.rates - self.plan.mobility
        return count if count < self.equations.loop_constraints.count else None

    def _required_forces(
        self, instant: Instant, a: np.ndarray, known: np.ndarray, dependent_forces: np.ndarray
    ) -> np.ndarray:
        whole = self.functions.required_forces(**self._motion(instant, a), dependent_forces=dependent_forces)[
            0
        ]
        needed: np.ndarray = whole - known
        return needed

    def _minimum_norm_efforts(
        self,
        instant: Instant,
        a: np.ndarray,
        known: np.ndarray,
        holding: ConstraintSVD,
        dependent_forces: np.ndarray,
    ) -> np.ndarray:
        """min Σ (τ/weight)² subject to Cᵀ B τ = Cᵀ h, in which reactions take no part."""
        C = holding.motions
        scaled = C.T @ (self.B * self.weights)
        h = C.T @ self._required_forces(instant, a, known, dependent_forces)
        efforts: np.ndarray = self.weights * np.linalg.lstsq(scaled, h, rcond=RANK_TOLERANCE)[0]
        return efforts

    def _with_idle_accelerations(
        self, instant: Instant, known: np.ndarray, holding: ConstraintSVD, dependent_forces: np.ndarray
    ) -> np.ndarray:
        """Accelerations with those of idle degrees of freedom."""
        if not self.plan.idle:
            return instant.a
        Z = holding.actuated_motions(self.B)[0][:, self.freedoms :]
        h = self._required_forces(instant, instant.a, known, dependent_forces)
        added = idle_accelerations(self.equations, instant.q, self.p, Z, h, self._carried)
        a: np.ndarray = instant.a + added
        return a

    @cached_property
    def _carried(self) -> np.ndarray:
        return carried_inertia_of_rates(
            self.equations, self.plan.assembly.coordinates_on(self.equations), self.p
        )


def inverse_keys(loads: InverseSolver) -> tuple[str, ...]:
    """Cache keys: the method of inverse dynamics, its unknown efforts, independent rows and blocks."""
    return (repr((loads.method_used, loads.efforts, loads.independent, loads.plan.determinacy.blocks)),)


def inverse_trace(loads: InverseSolver) -> Traced:
    """Trace of inverse dynamics with all reactions."""
    blocks = loads.plan.determinacy.blocks
    whole = traced_inverse(loads.equations, loads.method_used, loads.B, loads.independent, blocks)
    return whole.with_outputs("inverse", "tau", "wrenches")
