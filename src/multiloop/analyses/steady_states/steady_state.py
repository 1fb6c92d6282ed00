"""A position of equilibrium or of steady motion, with the state and the reactions that are reported for it.

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
"""Largest number of Newton steps for multipliers on which friction depends."""

MULTIPLIER_TOLERANCE = 1e-14
"""Size of the last Newton step, relative to the multipliers, at which the iteration has converged."""


@dataclass(frozen=True, eq=False)
class Configuration:
    """Configuration of a mechanism: time, tree coordinates, further state variables and parameters."""

    t: float
    q: np.ndarray
    x: np.ndarray
    p: np.ndarray


@dataclass(frozen=True, eq=False)
class SteadyState:
    """Steady rates v and accelerations a at a configuration: u = B v is constant, B complements the constraint rows.

        [J; B] v = [b; u],      [J; B] a = [γ; 0],      f = Tᵀ F,   Tᵀ [holding] = 0

    B (degrees of freedom × rates, scaled) are independent combinations of the rates, u their values. `independent` are
    combinations of the coordinates that are independent under the position constraints; by default, an orthonormal
    basis of the null space of these constraints.
    """

    balance: ForceBalance
    configuration: Configuration
    B: np.ndarray
    u: np.ndarray
    independent: np.ndarray | None = None

    # rows ---------------------------------------------------------------------------------------------

    @property
    def scale(self) -> np.ndarray:
        """Factors by which scaled rates are multiplied to obtain rates."""
        return self.balance.equations.chart.rate_units

    @cached_property
    def _rows(self) -> Numbers:
        at = self.configuration
        return self.balance.rows(t=at.t, q=at.q, x=at.x, p=at.p)

    @property
    def row_scale(self) -> np.ndarray:
        """Factors of the constraint rows, 1/L for rows that are lengths."""
        return self.balance.equations.rate_row_scale

    @cached_property
    def J(self) -> np.ndarray:
        """Scaled Jacobian of all constraints."""
        return scaled_rows(self.balance, self._rows)

    @cached_property
    def holding(self) -> np.ndarray:
        """Scaled generalized forces of unit multipliers; −∂F/∂λ if loads depend on reactions."""
        found: np.ndarray = self.scale[:, None] * self._rows["holding"]
        return found if self._reaction_solution is None else self._reaction_solution.holding

    @cached_property
    def _inverse(self) -> np.ndarray:
        """[J; B]⁺."""
        return np.linalg.pinv(np.vstack([self.J, self.B]), rcond=RANK_TOLERANCE)

    def dependent_rates(self, rows: np.ndarray) -> np.ndarray:
        """Scaled rates with given constraint values J v and u = 0; `rows` are unscaled, one case per column."""
        scaled = (self.row_scale * rows.T).T
        found: np.ndarray = self._inverse[:, : len(self.J)] @ scaled
        return found

    @cached_property
    def C(self) -> np.ndarray:
        """Scaled rates per unit of u: J C = 0, B C = 1."""
        return self._inverse[:, len(self.J) :]

    @cached_property
    def position_rows(self) -> np.ndarray:
        """The scaled rows of position constraints."""
        return self.J[self.balance.equations.rows.position_rows]

    @cached_property
    def _position_inverse(self) -> np.ndarray:
        return np.linalg.pinv(np.vstack([self.position_rows, self.B_q]), rcond=RANK_TOLERANCE)

    @cached_property
    def B_q(self) -> np.ndarray:
        """Independent combinations of the coordinates, scaled."""
        return null_space(self.position_rows).T if self.independent is None else self.independent

    @cached_property
    def C_q(self) -> np.ndarray:
        """Scaled change of the coordinates per unit of the independent ones."""
        return self._position_inverse[:, len(self.position_rows) :]

    @cached_property
    def T(self) -> np.ndarray:
        """Motions along which the multipliers do no work: C, unless efforts of drives act at other coordinates than
        they prescribe.

        If friction depends on reactions, multipliers do work along C, and T is the part of C along which they do none.
        """
        if not self.balance.residual.effort_rates and not self.balance.has_reaction_dependent_loads:
            return self.C
        none = null_space(self.holding.T)
        return none @ (none.T @ self.C) if none.shape[1] == self.C.shape[1] else none

    # motion -------------------------------------------------------------------------------------------

    @cached_property
    def v(self) -> np.ndarray:
        """The rates of the tree."""
        found: np.ndarray = self.scale * (self.dependent_rates(self._rows["bias"]) + self.C @ self.u)
        return found

    @cached_property
    def a(self) -> np.ndarray:
        """The accelerations of the tree at constant u."""
        found: np.ndarray = self.scale * self.dependent_rates(-self._values["accelerations"])
        return found

    @cached_property
    def _values(self) -> Numbers:
        return self.balance.values(**self.inputs, v=self.v)

    @property
    def inputs(self) -> Numbers:
        """t, q, x, p by name."""
        at = self.configuration
        return {"t": np.array([at.t]), "q": at.q, "x": at.x, "p": at.p}

    @cached_property
    def _force_without_multipliers(self) -> np.ndarray:
        """Scaled residual F of the equations of motion with all multipliers set to zero."""
        found: np.ndarray = self.scale * self.balance.values(**self.inputs, v=self.v, a=self.a)["force"]
        return found

    @cached_property
    def lam(self) -> np.ndarray:
        """Multipliers of the least-squares balance of forces."""
        return (
            _least_squares(self.holding, self._force_without_multipliers)
            if self._reaction_solution is None
            else self._reaction_solution.lam
        )

    @cached_property
    def force(self) -> np.ndarray:
        """Unbalanced moments f along T."""
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
        """Multipliers by Newton's method if loads depend on reactions, else None.

        F(λ) = 0 in the least-squares sense,      ∂F/∂λ δλ = −F
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
        """Forces that depend on reactions, one row for each; None if there are none."""
        return None if self._reaction_solution is None else self._reaction_solution.dependent_force_rows

    @cached_property
    def x_rate(self) -> np.ndarray:
        """Rates of the relevant state variables."""
        return self._values["x_rate"]

    @cached_property
    def derivatives(self) -> Numbers:
        """Derivatives of all values at this state, unscaled."""
        return self.balance.derivatives(**self.inputs, v=self.v, a=self.a, lam=self.lam)

    @cached_property
    def gap(self) -> float:
        """Largest residual of the position constraints, in characteristic lengths or radians."""
        open_by = self.balance.equations.row_scale * self._values["closure"]
        return float(np.abs(open_by).max(initial=0.0))


@dataclass(frozen=True, eq=False)
class _ReactionSolution:
    """Multipliers on which loads depend, scaled −∂F/∂λ and residual, and the forces that depend on them."""

    lam: np.ndarray
    holding: np.ndarray
    force: np.ndarray
    dependent_force_rows: np.ndarray


def _least_squares(holding: np.ndarray, force: np.ndarray) -> np.ndarray:
    """Multipliers of the least-squares balance of given forces."""
    found, *_ = np.linalg.lstsq(holding, force, rcond=RANK_TOLERANCE)
    return np.asarray(found)


def scaled_rows(balance: ForceBalance, rows: Numbers) -> np.ndarray:
    """Jacobian J with lengths relative to the characteristic length."""
    eq = balance.equations
    found: np.ndarray = eq.rate_row_scale[:, None] * rows["J"] * eq.chart.rate_units
    return found


def state_at(standing: SteadyState) -> State:
    """The steady state as a State."""
    balance, at = standing.balance, standing.configuration
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
        gap=standing.gap,
        distance=0.0,
        guess_deviations=(),
        guessed_coordinates=plan.assembly.coordinates(),
    )
    state = state_of(assembly, standing.v, at.t)
    return replace(state, mechanism=mechanism, integrals=dict(zip(eq.skeleton.states, at.x, strict=True)))


def result_at(standing: SteadyState) -> Result:
    """The steady state as a Result of one instant."""
    balance, at, v, a = standing.balance, standing.configuration, standing.v, standing.a
    eq, own = balance.equations, balance.equations.loop_constraints.count
    recorder = Recorder(eq, balance.plan, at.p)
    y = balance.signals.layout.pack(q=at.q, v=v, x=at.x)
    drives = standing._rows["holding"][:, own:] @ standing.lam[own:]
    tau = balance.signals.forces_at(at.t, y, at.p) + drives
    known = {"t": at.t, "q": at.q, "v": v, "a": a, "x": at.x, "p": at.p}
    lam, dependent_force_rows = standing.lam[:own], standing.reaction_dependent_forces
    forces = {} if dependent_force_rows is None else {"dependent_forces": dependent_force_rows[:, 0]}
    wrenches = recorder.readouts.reactions(**known, **forces, lam=lam, tau=tau)[0].reshape(6, -1)
    if balance.plan.redundant:
        one = (np.array([at.t]), at.q[None], at.p, wrenches[None], lam[None])
        wrenches = minimum_norm_reactions(eq, *one)[0]
    recorder.add(at.t, at.q, v, a, tau, wrenches, at.x, dependent_force_rows)
    return replace(recorder.result("equilibrium"), mechanism=state_at(standing).mechanism)
