"""Steady state of a mechanism: rates, accelerations, multipliers, and an unbalanced force per degree of freedom.

Coordinates and forces are scaled: lengths by the characteristic length L, forces times L, so that all rates are in 1/s
and all forces are moments.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from multiloop.kinematics.independence import RANK, null_space
from multiloop.questions.steady.balance import Balance, Numbers

ROUNDS = 20
"""Largest number of Newton steps for multipliers on which friction depends."""

MET = 1e-14
"""Size of the last Newton step, relative to the multipliers."""


@dataclass(frozen=True, eq=False)
class Place:
    """Configuration of a mechanism: time, tree coordinates, further state variables and parameters."""

    t: float
    q: np.ndarray
    x: np.ndarray
    p: np.ndarray


@dataclass(frozen=True, eq=False)
class Standing:
    """Steady rates v and accelerations a at a configuration: u = B v is constant, B complements the constraint rows.

        [J; B] v = [b; u],      [J; B] a = [γ; 0],      f = Tᵀ F,   Tᵀ [holding] = 0

    B (degrees of freedom × rates, scaled) are independent combinations of the rates, u their values. `independent` are
    combinations of the coordinates that are independent under the position constraints; by default, an orthonormal
    basis of the null space of these constraints.
    """

    balance: Balance
    place: Place
    B: np.ndarray
    u: np.ndarray
    independent: np.ndarray | None = None

    # rows ---------------------------------------------------------------------------------------------

    @property
    def scale(self) -> np.ndarray:
        """Factors by which scaled rates are multiplied to obtain rates."""
        return self.balance.equations.chart.scale

    @cached_property
    def _rows(self) -> Numbers:
        at = self.place
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
        return found if self._felt is None else self._felt.holding

    @cached_property
    def _inverse(self) -> np.ndarray:
        """[J; B]⁺."""
        return np.linalg.pinv(np.vstack([self.J, self.B]), rcond=RANK)

    def meeting(self, rows: np.ndarray) -> np.ndarray:
        """Scaled rates with given constraint values J v and u = 0; `rows` are unscaled, one case per column."""
        scaled = (self.row_scale * rows.T).T
        found: np.ndarray = self._inverse[:, : len(self.J)] @ scaled
        return found

    @cached_property
    def C(self) -> np.ndarray:
        """Scaled rates per unit of u: J C = 0, B C = 1."""
        return self._inverse[:, len(self.J) :]

    @cached_property
    def held(self) -> np.ndarray:
        """The scaled rows of position constraints."""
        return self.J[self.balance.equations.rows.held]

    @cached_property
    def _position_inverse(self) -> np.ndarray:
        return np.linalg.pinv(np.vstack([self.held, self.B_q]), rcond=RANK)

    @cached_property
    def B_q(self) -> np.ndarray:
        """Independent combinations of the coordinates, scaled."""
        return null_space(self.held).T if self.independent is None else self.independent

    @cached_property
    def C_q(self) -> np.ndarray:
        """Scaled change of the coordinates per unit of the independent ones."""
        return self._position_inverse[:, len(self.held) :]

    @cached_property
    def T(self) -> np.ndarray:
        """Motions along which the multipliers do no work: C, unless drives act elsewhere than they constrain.

        If friction depends on reactions, multipliers do work along C, and T is the part of C along which they do none.
        """
        if not self.balance.residual.pushing and not self.balance.follows:
            return self.C
        none = null_space(self.holding.T)
        return none @ (none.T @ self.C) if none.shape[1] == self.C.shape[1] else none

    # motion -------------------------------------------------------------------------------------------

    @cached_property
    def v(self) -> np.ndarray:
        """The rates of the tree."""
        found: np.ndarray = self.scale * (self.meeting(self._rows["bias"]) + self.C @ self.u)
        return found

    @cached_property
    def a(self) -> np.ndarray:
        """The accelerations of the tree at constant u."""
        found: np.ndarray = self.scale * self.meeting(-self._moving["accelerations"])
        return found

    @cached_property
    def _moving(self) -> Numbers:
        return self.balance.values(**self.at, v=self.v)

    @property
    def at(self) -> Numbers:
        """t, q, x, p by name."""
        at = self.place
        return {"t": np.array([at.t]), "q": at.q, "x": at.x, "p": at.p}

    @cached_property
    def _needed(self) -> np.ndarray:
        """Scaled F without multipliers."""
        found: np.ndarray = self.scale * self.balance.values(**self.at, v=self.v, a=self.a)["force"]
        return found

    @cached_property
    def lam(self) -> np.ndarray:
        """Multipliers of the least-squares balance of forces."""
        return _least(self.holding, self._needed) if self._felt is None else self._felt.lam

    @cached_property
    def force(self) -> np.ndarray:
        """Unbalanced moments f along T."""
        return np.asarray(self.T.T @ (self._needed if self._felt is None else self._felt.force))

    @cached_property
    def _felt(self) -> _Felt | None:
        """Multipliers by Newton's method if loads depend on reactions, else None.

        F(λ) = 0 in the least-squares sense,      ∂F/∂λ δλ = −F
        """
        if not self.balance.follows:
            return None
        lam = _least(self.scale[:, None] * self._rows["holding"], self._needed)
        for _ in range(ROUNDS):
            found = self.balance.followed(**self.at, v=self.v, a=self.a, lam=lam)
            holding, force = self.scale[:, None] * found["holding"], self.scale * found["force"]
            step = _least(holding, force)
            lam = lam + step
            if np.abs(step).max(initial=0.0) <= MET * np.abs(lam).max(initial=0.0):
                break
        return _Felt(lam, holding, force, found["following"])

    @property
    def following(self) -> np.ndarray | None:
        """Forces that depend on reactions, one row for each; None if there are none."""
        return None if self._felt is None else self._felt.following

    @cached_property
    def x_rate(self) -> np.ndarray:
        """Rates of the relevant state variables."""
        return self._moving["x_rate"]

    @cached_property
    def slopes(self) -> Numbers:
        """Derivatives of all values at this state, unscaled."""
        return self.balance.slopes(**self.at, v=self.v, a=self.a, lam=self.lam)

    @cached_property
    def gap(self) -> float:
        """Largest residual of the position constraints, in characteristic lengths or radians."""
        open_by = self.balance.equations.row_scale * self._moving["closure"]
        return float(np.abs(open_by).max(initial=0.0))


@dataclass(frozen=True, eq=False)
class _Felt:
    """Multipliers on which loads depend, scaled −∂F/∂λ and residual, and the forces that depend on them."""

    lam: np.ndarray
    holding: np.ndarray
    force: np.ndarray
    following: np.ndarray


def _least(holding: np.ndarray, force: np.ndarray) -> np.ndarray:
    """Multipliers of the least-squares balance of given forces."""
    found, *_ = np.linalg.lstsq(holding, force, rcond=RANK)
    return np.asarray(found)


def scaled_rows(balance: Balance, rows: Numbers) -> np.ndarray:
    """Jacobian J with lengths relative to the characteristic length."""
    eq = balance.equations
    found: np.ndarray = eq.rate_row_scale[:, None] * rows["J"] * eq.chart.scale
    return found
