"""Efforts and reactions at one instant of a known motion, by any of the methods of inverse dynamics.

    h(q, v, v̇) = Jᵀ λ + B τ

h are the generalized forces that the motion requires in the spanning tree, λ the multipliers of the loop constraints
with the Jacobian J, and τ the efforts, which act along the columns of B. If there are more efforts than degrees of
freedom, τ minimises Σ (τ/weight)²; with redundant constraints the minimum-norm reactions are computed; forces that
depend on reactions are found by iteration. The singular value decomposition of the Jacobian, with lengths divided by
the characteristic length, gives the motions that the loops allow, the distance of the position from a singular one, and
the motions that the efforts can produce.

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
from multiloop.dynamics.outputs import reaction_functions_of
from multiloop.kernels.runtime import SINGULAR_LIMIT
from multiloop.kinematics import CACHE_SIZE, Equations
from multiloop.kinematics.conditioning import RANK_TOLERANCE, singular_value_ratio
from multiloop.kinematics.continuation import Instant, Nearness, most_moved_joint
from multiloop.model import Fault, SolveError
from multiloop.plan import Block, Plan, carried_inertia_of_rates, constraint_matrix_at, unknown_efforts
from multiloop.symbols import Traced


@dataclass(frozen=True, eq=False)
class ConstraintSVD:
    """Singular value decomposition of the loop Jacobian J at a position, with lengths divided by the characteristic
    length.

        D_row J D = U Σ Vᵀ,      v = D y

    `sigma` are the singular values, the diagonal of Σ. `row_scale` is the diagonal of D_row, and `scale` that of D,
    which contains the factors from the rates y, with lengths divided by the characteristic length, to the joint rates
    v. `count` is the number of rows that are independent at a position that is not singular.
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
        # with fewer singular values than `count`, some motions are constrained to second order only
        return float(singular_value_ratio(self.sigma, self.count))

    @property
    def basis(self) -> np.ndarray:
        """Matrix of independent linear combinations of the constraint rows, count × rows."""
        rows: np.ndarray = self.U[:, : self.count].T * self.row_scale
        return rows

    @property
    def independent_rates(self) -> np.ndarray:
        """Matrix of independent linear combinations of the joint rates, degrees of freedom × rates."""
        rates: np.ndarray = self.Vt[self.count :] / self.scale
        return rates

    @cached_property
    def motions(self) -> np.ndarray:
        """Matrix whose columns span the joint rates that the loops allow."""
        columns: np.ndarray = self.scale[:, None] * self.Vt[self.count :].T
        return columns

    def actuated_motions(self, B: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Motions that the loops allow, in the order of decreasing effect of the efforts, and for every motion the norm
        of its projection onto the directions of the efforts, the unit columns of B.

        The motions are orthogonal combinations of the columns of `motions`; the norm is 0 or missing for motions on
        which no effort acts.
        """
        W, parts, _ = np.linalg.svd(self.Vt[self.count :] @ B, full_matrices=True)
        return self.motions @ W, parts


def constraint_svd_at(
    equations: Equations, plan: Plan, t: float, q: np.ndarray, p: np.ndarray
) -> ConstraintSVD:
    """The singular value decomposition of the loop Jacobian, with lengths divided by the characteristic length, at a
    position with closed loops."""
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
"""Relative change of the reaction-dependent forces below which the iteration has converged."""


@dataclass(frozen=True, eq=False)
class InstantLoads:
    """Solution of inverse dynamics at one instant, or at many instants with one row each.

    `a` are the joint accelerations, `tau` the generalized forces along every joint rate (known and computed), `lam` the
    multipliers λ of the loop constraints, `dependent_force_rows` the reaction-dependent forces
    (`dynamics.reaction_dependent_forces`), and `wrenches`, for one instant only, the constraint wrenches (6 × joints).
    """

    a: np.ndarray
    tau: np.ndarray
    lam: np.ndarray
    dependent_force_rows: np.ndarray
    wrenches: np.ndarray = field(default_factory=lambda: np.zeros((6, 0)))


def iterate_reaction_forces(find: Callable[[np.ndarray], InstantLoads], found: InstantLoads) -> InstantLoads:
    """The solution whose idle accelerations and minimum-norm efforts agree with its reaction-dependent forces.

    `find` solves with given reaction-dependent forces, and `found` is the first solution of the iteration. Every
    iteration reduces the error by a factor of the order of the friction coefficient.
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
    """The traced function of a method of inverse dynamics, for the `unknown` efforts, given by joint and component.

    `independent` is the number of independent constraint rows if some rows are redundant, otherwise None. `blocks` are
    the irreducible blocks of the equations, which the method "subsystem" solves one after another.
    """
    functions, B = InverseFunctions(equations), effort_columns(equations, unknown)
    if method == "traditional":
        return functions.traced_traditional(B, independent, multipliers=True)
    return functions.traced_solution(method, B, independent, blocks)


MINIMUM_NORM_EFFORTS = "least efforts: Σ (τ/weight)² is smallest"


class InverseSolver:
    """Solver for the efforts of the drives and the reactions of all joints.

    `x` are the state variables that are not coordinates; by default they have their initial values, since a prescribed
    motion does not depend on them. If there are more efforts than degrees of freedom, the efforts of minimum norm Σ
    (τ/weight)² are taken. The accelerations of idle degrees of freedom, on which no effort acts, follow from their own
    inertia.
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
        self.reaction_functions = reaction_functions_of(equations)
        self.efforts = unknown_efforts(plan.mechanism)
        self.signals = driven_signals(equations)
        self.B = effort_columns(equations, self.efforts)
        self.weights = effort_weights(plan.mechanism, self.efforts, weights or {})
        self.over = len(self.efforts) - self.freedoms
        self.own_states = equations.skeleton.initial_states(p) if x is None else x

    @property
    def freedoms(self) -> int:
        """Number of degrees of freedom that the efforts must move: the mobility without idle degrees of freedom."""
        return self.plan.mobility - len(self.plan.idle)

    def constraint_svd(self, t: float, q: np.ndarray) -> ConstraintSVD:
        """The ConstraintSVD of the loops at a position with closed loops."""
        return constraint_svd_at(self.equations, self.plan, t, q, self.p)

    def actuation_distance(self, svd: ConstraintSVD) -> float:
        """Distance from a position at which the efforts do not control every degree of freedom; 0 at such a position.

        The distance is the smallest singular value of the projection of the motions that the constraints allow
        (`svd`) onto the coordinates with efforts.
        """
        _, parts = svd.actuated_motions(self.B)
        return (
            float(parts[self.freedoms - 1]) if 0 < self.freedoms <= len(parts) else float(not self.freedoms)
        )

    @property
    def checks_actuation(self) -> bool:
        """Whether it must be checked that the efforts control every degree of freedom: there are more drives than
        degrees of freedom, or there are actuators."""
        drives = sum(target.row_count() for target in self.equations.targets)
        return drives > self.freedoms or bool(self.plan.mechanism.actuators)

    def nearness(self, t: float, q: np.ndarray) -> list[Nearness]:
        """Distances from positions at which the loop constraints alone lose rank, and at which the efforts do not
        control every degree of freedom.

        The distance from singularity of loops and drives together does not become zero at these positions.
        """
        if not self.checks_actuation:
            return []
        svd = self.constraint_svd(t, q)
        least_held = svd.Vt[max(min(svd.count, len(svd.sigma)) - 1, 0)]
        if not self.freedoms:
            return [Nearness(svd.singularity_distance, most_moved_joint(self.equations, least_held))]
        least_reached = svd.actuated_motions(self.B)[0][:, max(self.freedoms - 1, 0)] / svd.scale
        return [
            Nearness(svd.singularity_distance, most_moved_joint(self.equations, least_held)),
            Nearness(
                self.actuation_distance(svd),
                most_moved_joint(self.equations, least_reached),
                "is hardly moved by any effort",
            ),
        ]

    def solve(self, instant: Instant, extra_forces: np.ndarray | float = 0.0) -> InstantLoads:
        """Accelerations, generalized forces along every rate, constraint wrenches and reaction-dependent forces at an
        instant.

        `extra_forces` are generalized forces along the rates that are added to the known forces.
        """
        q, v, svd = instant.q, instant.v, self.constraint_svd(instant.t, instant.q)
        if svd.singularity_distance < SINGULAR_LIMIT:
            raise singular_position_error(self.plan.mechanism, instant.t, svd.singularity_distance)
        if self.actuation_distance(svd) < SINGULAR_LIMIT:
            raise self._unreached_error(instant.t)
        require_spring_lengths(self.equations, instant.t, q, v, self.p)
        y = self.signals.layout.pack(q=q, v=v, x=self.own_states)
        known = self.signals.forces_at(instant.t, y, self.p) + extra_forces
        found = self._solve_with_given_forces(
            instant, known, svd, np.zeros(self.equations.reaction_dependent_forces.shape[0])
        )
        if self.over > 0 or self.plan.idle:
            found = iterate_reaction_forces(
                lambda x: self._solve_with_given_forces(instant, known, svd, x), found
            )
        if self.plan.redundant:
            one = (np.array([instant.t]), q[None], self.p, found.wrenches[None], found.lam[None])
            found = replace(found, wrenches=minimum_norm_reactions(self.equations, *one)[0])
        if self.plan.redundant or self.method == "traditional":
            found = replace(found, lam=self._multipliers(instant, found))
        return found

    def _multipliers(self, instant: Instant, found: InstantLoads) -> np.ndarray:
        """Multipliers λ that belong to the reactions and efforts of a solution at one instant."""
        dependent_forces = found.dependent_force_rows[:, 0]
        given = self._motion(instant, found.a) | {"tau": found.tau, "dependent_forces": dependent_forces}
        columns = {
            name: value if name == "p" else np.reshape(value, (-1, 1)) for name, value in given.items()
        }
        lam: np.ndarray = self.reaction_functions.multipliers(columns, found.wrenches[None])[0]
        return lam

    def _solve_with_given_forces(
        self, instant: Instant, known: np.ndarray, svd: ConstraintSVD, dependent_forces: np.ndarray
    ) -> InstantLoads:
        """The solution with idle accelerations and minimum-norm efforts, computed for known generalized forces `known`
        and given reaction-dependent forces.
        """
        a = self._with_idle_accelerations(instant, known, svd, dependent_forces)
        if self.over > 0:
            known = known + self.B @ self._minimum_norm_efforts(instant, a, known, svd, dependent_forces)
        if self.method == "traditional":
            return self._traditional(instant, a, known)
        return self._reduced(instant, a, known, svd)

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
        self, instant: Instant, a: np.ndarray, known: np.ndarray, svd: ConstraintSVD
    ) -> InstantLoads:
        basis = svd.basis if self.independent is not None else np.zeros((0, 0))
        choice = svd.independent_rates if self.method == "virtual_work" else np.zeros((0, 0))
        motion = self._motion(instant, a)
        lam, tau, *more = self._solver(**motion, known=known, basis=basis, choice=choice)
        forces, dependent_force_rows = known + self._unknown @ tau, self._dependent_force_rows(more)
        found = {"lam": lam, "tau": forces, "dependent_forces": dependent_force_rows[:, 0]}
        wrenches = self.reaction_functions.reactions(**motion, **found)[0].reshape(6, -1)
        return InstantLoads(a, forces, lam, dependent_force_rows, wrenches)

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
        return InstantLoads(a, forces, lam, self._dependent_force_rows(more), wrenches.reshape(6, -1))

    def _motion(self, instant: Instant, a: np.ndarray) -> dict[str, Any]:
        """Inputs of the traced functions at an instant with joint accelerations a, by name."""
        return {"t": instant.t, "q": instant.q, "v": instant.v, "a": a, "x": self.own_states, "p": self.p}

    @property
    def _unknown(self) -> np.ndarray:
        """Matrix whose columns are the directions of the efforts that the method itself solves for; it has no columns
        if minimum-norm efforts are computed before."""
        return self.B if self.over <= 0 else self.B[:, :0]

    @property
    def method_used(self) -> str:
        """The method that is used: "system" in place of "subsystem" if the numbers of equations and unknowns differ."""
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
        """The number of independent rows of the loop constraints if some rows are redundant, otherwise None."""
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
        svd: ConstraintSVD,
        dependent_forces: np.ndarray,
    ) -> np.ndarray:
        """The efforts τ that minimise Σ (τ/weight)² subject to Cᵀ B τ = Cᵀ h.

        h are the generalized forces that the motion requires in addition to the `known` and the reaction-dependent
        ones, and the columns of B the directions of the efforts. The columns of C span the motions that the loops
        allow, so that joint reactions do not occur in the condition.
        """
        C = svd.motions
        scaled = C.T @ (self.B * self.weights)
        h = C.T @ self._required_forces(instant, a, known, dependent_forces)
        efforts: np.ndarray = self.weights * np.linalg.lstsq(scaled, h, rcond=RANK_TOLERANCE)[0]
        return efforts

    def _with_idle_accelerations(
        self, instant: Instant, known: np.ndarray, svd: ConstraintSVD, dependent_forces: np.ndarray
    ) -> np.ndarray:
        """The accelerations of the instant, with the accelerations along idle degrees of freedom added."""
        if not self.plan.idle:
            return instant.a
        Z = svd.actuated_motions(self.B)[0][:, self.freedoms :]
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
    """Cache key of a solver: the method of inverse dynamics, unknown efforts, number of independent rows, and
    blocks."""
    return (repr((loads.method_used, loads.efforts, loads.independent, loads.plan.determinacy.blocks)),)


def inverse_trace(loads: InverseSolver) -> Traced:
    """Traced function of inverse dynamics, with efforts and the constraint wrenches of all joints as outputs."""
    blocks = loads.plan.determinacy.blocks
    whole = traced_inverse(loads.equations, loads.method_used, loads.B, loads.independent, blocks)
    return whole.with_outputs("inverse", "tau", "wrenches")
