"""A position of equilibrium or of steady motion, and its representation as State and as Result with reactions.

Theory: docs/theory/13-equilibrium-and-vibrations.md, eq. (13.2).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from multiloop.analyses.assemble import state_of
from multiloop.analyses.minimum_norm import minimum_norm_reactions
from multiloop.analyses.results import Recorder, Result, State
from multiloop.analyses.steady_states.force_balance import ForceBalance, Numbers
from multiloop.kinematics.conditioning import RANK_TOLERANCE, null_space

MULTIPLIER_STEPS = 20
"""Largest number of Newton steps for the multipliers if loads such as friction depend on them."""

MULTIPLIER_TOLERANCE = 1e-14
"""Largest size of the last Newton step, relative to the multipliers, at which the iteration counts as converged."""


@dataclass(frozen=True, eq=False)
class Configuration:
    """Configuration of a mechanism: time t, coordinates q of the spanning tree, state variables x, parameters p."""

    t: float
    q: np.ndarray
    x: np.ndarray
    p: np.ndarray


@dataclass(frozen=True, eq=False)
class SteadyState:
    """Steady motion at a configuration: rates v, accelerations a, and unbalanced forces f, with constant u = B v.

        [J; B] v = [b; u],      [J; B] a = [γ; 0],      f = Tᵀ F,   Tᵀ [holding] = 0

    J v = b and J a = γ are the constraints on rates and accelerations, F is the residual of the equations of motion,
    `holding` are the generalized forces of unit multipliers, and the columns of T are motions along which these do no
    work. The rows of B (degrees of freedom × rates) are independent combinations of the rates, and u are their values.
    In all matrices lengths are divided by the characteristic length, and forces are multiplied by it. The rows of
    `independent` are combinations of the coordinates that are independent under the position constraints; by default,
    an orthonormal basis of the null space of these constraints.
    """

    balance: ForceBalance
    configuration: Configuration
    B: np.ndarray
    u: np.ndarray
    independent: np.ndarray | None = None

    # constraint matrices ------------------------------------------------------------------------------

    @property
    def scale(self) -> np.ndarray:
        """Factors that convert rates with lengths divided by the characteristic length to SI units: this length, or 1
        for angles."""
        return self.balance.equations.chart.rate_units

    @cached_property
    def _rows(self) -> Numbers:
        at = self.configuration
        return self.balance.rows(t=at.t, q=at.q, x=at.x, p=at.p)

    @property
    def row_scale(self) -> np.ndarray:
        """Factors of the constraint equations: 1 / characteristic length for lengths, 1 for angles."""
        return self.balance.equations.rate_row_scale

    @cached_property
    def J(self) -> np.ndarray:
        """Jacobian of all constraints, with lengths divided by the characteristic length."""
        return scaled_rows(self.balance, self._rows)

    @cached_property
    def holding(self) -> np.ndarray:
        """Matrix −∂F/∂λ of the generalized forces of unit multipliers λ, with the residual F of the equations of
        motion; forces are multiplied by the characteristic length."""
        found: np.ndarray = self.scale[:, None] * self._rows["holding"]
        return found if self._reaction_solution is None else self._reaction_solution.holding

    @cached_property
    def _inverse(self) -> np.ndarray:
        """Pseudo-inverse [J; B]⁺ of the constraint Jacobian J above the matrix B that gives the independent rates u = B
        v."""
        return np.linalg.pinv(np.vstack([self.J, self.B]), rcond=RANK_TOLERANCE)

    def dependent_rates(self, rows: np.ndarray) -> np.ndarray:
        """Rates v, with lengths divided by the characteristic length, for given values of J v (J is the constraint
        Jacobian) and zero independent rates u.

        `rows` are the values of J v in SI units, one column per case.
        """
        scaled = (self.row_scale * rows.T).T
        found: np.ndarray = self._inverse[:, : len(self.J)] @ scaled
        return found

    @cached_property
    def C(self) -> np.ndarray:
        """All rates, with lengths divided by the characteristic length, per unit of the independent rates u = B v: the
        solution of J C = 0 and B C = 1 with the constraint Jacobian J."""
        return self._inverse[:, len(self.J) :]

    @cached_property
    def position_rows(self) -> np.ndarray:
        """The rows of the constraint Jacobian J that belong to position constraints."""
        return self.J[self.balance.equations.rows.position_rows]

    @cached_property
    def _position_inverse(self) -> np.ndarray:
        return np.linalg.pinv(np.vstack([self.position_rows, self.B_q]), rcond=RANK_TOLERANCE)

    @cached_property
    def B_q(self) -> np.ndarray:
        """Matrix whose rows are independent combinations of the coordinates, with lengths divided by the characteristic
        length."""
        return null_space(self.position_rows).T if self.independent is None else self.independent

    @cached_property
    def C_q(self) -> np.ndarray:
        """Change of all coordinates, with lengths divided by the characteristic length, per unit of the independent
        coordinates."""
        return self._position_inverse[:, len(self.position_rows) :]

    @cached_property
    def T(self) -> np.ndarray:
        """Motions (columns) along which the multipliers do no work.

        T is the matrix C of rates per unit of the independent rates, unless efforts act at other coordinates than those
        that the drives prescribe. If friction depends on reactions, the multipliers do work along C, and T is the
        projection of C onto the motions without such work.
        """
        if not self.balance.residual.effort_rates and not self.balance.has_reaction_dependent_loads:
            return self.C
        none = null_space(self.holding.T)
        return none @ (none.T @ self.C) if none.shape[1] == self.C.shape[1] else none

    # motion -------------------------------------------------------------------------------------------

    @cached_property
    def v(self) -> np.ndarray:
        """The rates of the spanning tree."""
        found: np.ndarray = self.scale * (self.dependent_rates(self._rows["bias"]) + self.C @ self.u)
        return found

    @cached_property
    def a(self) -> np.ndarray:
        """The accelerations of the spanning tree at constant independent rates u."""
        found: np.ndarray = self.scale * self.dependent_rates(-self._values["accelerations"])
        return found

    @cached_property
    def _values(self) -> Numbers:
        return self.balance.values(**self.inputs, v=self.v)

    @property
    def inputs(self) -> Numbers:
        """Time t, coordinates q, state variables x and parameters p, by name."""
        at = self.configuration
        return {"t": np.array([at.t]), "q": at.q, "x": at.x, "p": at.p}

    @cached_property
    def _force_without_multipliers(self) -> np.ndarray:
        """Residual F of the equations of motion with all multipliers set to zero, with forces multiplied by the
        characteristic length."""
        found: np.ndarray = self.scale * self.balance.values(**self.inputs, v=self.v, a=self.a)["force"]
        return found

    @cached_property
    def lam(self) -> np.ndarray:
        """Multipliers λ that satisfy the balance of forces in the least-squares sense."""
        return (
            _least_squares(self.holding, self._force_without_multipliers)
            if self._reaction_solution is None
            else self._reaction_solution.lam
        )

    @cached_property
    def force(self) -> np.ndarray:
        """Unbalanced generalized forces f = Tᵀ F, the residual F of the equations of motion along the motions T, with
        forces multiplied by the characteristic length."""
        return np.asarray(
            self.T.T
            @ (
                self._force_without_multipliers
                if self._reaction_solution is None
                else self._reaction_solution.force
            )
        )

    @cached_property
    def _reaction_solution(self) -> _ReactionSolution | None:
        """Solution for the multipliers λ by Newton's method if loads depend on reactions, otherwise None.

            F(λ) = 0 in the least-squares sense,      ∂F/∂λ δλ = −F

        F is the residual of the equations of motion, δλ the Newton step.
        """
        if not self.balance.has_reaction_dependent_loads:
            return None
        lam = _least_squares(self.scale[:, None] * self._rows["holding"], self._force_without_multipliers)
        for _ in range(MULTIPLIER_STEPS):
            found = self.balance.reaction_values(**self.inputs, v=self.v, a=self.a, lam=lam)
            holding, force = self.scale[:, None] * found["holding"], self.scale * found["force"]
            step = _least_squares(holding, force)
            lam = lam + step
            if np.abs(step).max(initial=0.0) <= MULTIPLIER_TOLERANCE * np.abs(lam).max(initial=0.0):
                break
        return _ReactionSolution(lam, holding, force, found["dependent_force_rows"])

    @property
    def reaction_dependent_forces(self) -> np.ndarray | None:
        """Matrix with one row per force that depends on reactions: its value, the residual of its force law, and bounds
        of the slopes of this law (module `reaction_dependent_forces`); None if there are no such forces."""
        return None if self._reaction_solution is None else self._reaction_solution.dependent_force_rows

    @cached_property
    def x_rate(self) -> np.ndarray:
        """Rates ẋ of the relevant state variables (`ForceBalance.relevant_states`)."""
        return self._values["x_rate"]

    @cached_property
    def derivatives(self) -> Numbers:
        """Derivatives of the residuals of equations of motion and constraints, of the rates ẋ and of the outputs with
        respect to q, v, x and p at this state, in SI units, by names such as "force_q"."""
        return self.balance.derivatives(**self.inputs, v=self.v, a=self.a, lam=self.lam)

    @cached_property
    def gap(self) -> float:
        """Largest residual of the position constraints, in characteristic lengths or radians."""
        open_by = self.balance.equations.row_scale * self._values["closure"]
        return float(np.abs(open_by).max(initial=0.0))


@dataclass(frozen=True, eq=False)
class _ReactionSolution:
    """Multipliers λ on which loads depend, the residual F of the equations of motion and −∂F/∂λ (forces multiplied by
    the characteristic length), and the forces that depend on λ."""

    lam: np.ndarray
    holding: np.ndarray
    force: np.ndarray
    dependent_force_rows: np.ndarray


def _least_squares(holding: np.ndarray, force: np.ndarray) -> np.ndarray:
    """Multipliers λ that minimise |holding λ − force|."""
    found, *_ = np.linalg.lstsq(holding, force, rcond=RANK_TOLERANCE)
    return np.asarray(found)


def scaled_rows(balance: ForceBalance, rows: Numbers) -> np.ndarray:
    """The constraint Jacobian J in `rows`, the result of `ForceBalance.rows`, with lengths divided by the
    characteristic length."""
    eq = balance.equations
    found: np.ndarray = eq.rate_row_scale[:, None] * rows["J"] * eq.chart.rate_units
    return found


def state_at(steady: SteadyState) -> State:
    """The steady state as a State."""
    balance, at = steady.balance, steady.configuration
    plan, eq = balance.plan, balance.equations
    values = dict(zip(eq.skeleton.parameter_names, map(float, at.p), strict=True))
    mechanism = plan.mechanism
    changed = any(mechanism.parameters[name] != value for name, value in values.items())
    mechanism = mechanism.with_parameters(values) if changed else mechanism
    assembly: Any = replace(
        plan.assembly,
        equations=eq,
        q=at.q,
        s=balance.prescribed(at.t, at.p),
        p=at.p,
        t=at.t,
        gap=steady.gap,
        distance=0.0,
        guess_deviations=(),
        guessed_coordinates=plan.assembly.coordinates(),
    )
    state = state_of(assembly, steady.v, at.t)
    return replace(state, mechanism=mechanism, integrals=dict(zip(eq.skeleton.states, at.x, strict=True)))


def result_at(steady: SteadyState) -> Result:
    """The steady state as a Result of one instant."""
    balance, at, v, a = steady.balance, steady.configuration, steady.v, steady.a
    eq, own = balance.equations, balance.equations.loop_constraints.count
    recorder = Recorder(eq, balance.plan, at.p)
    y = balance.signals.layout.pack(q=at.q, v=v, x=at.x)
    drives = steady._rows["holding"][:, own:] @ steady.lam[own:]
    tau = balance.signals.forces_at(at.t, y, at.p) + drives
    known = {"t": at.t, "q": at.q, "v": v, "a": a, "x": at.x, "p": at.p}
    lam, dependent_force_rows = steady.lam[:own], steady.reaction_dependent_forces
    forces = {} if dependent_force_rows is None else {"dependent_forces": dependent_force_rows[:, 0]}
    reported = {"lam": lam}
    if balance.plan.redundant:
        wrenches = recorder.reaction_functions.reactions(**known, **forces, lam=lam, tau=tau)[0].reshape(
            6, -1
        )
        one = (np.array([at.t]), at.q[None], at.p, wrenches[None], lam[None])
        reported = {"wrenches": minimum_norm_reactions(eq, *one)[0]}
    recorder.add(at.t, at.q, v, a, tau, at.x, dependent_force_rows, **reported)
    return replace(recorder.result("equilibrium"), mechanism=state_at(steady).mechanism)
