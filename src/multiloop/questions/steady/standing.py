"""A mechanism at one position with steady rates: what is out of balance there, one number a freedom.

Coordinates and forces are scaled: lengths in characteristic lengths L, forces times L, so that all rates are 1/s and
all forces moments.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from multiloop.kinematics.independence import RANK, null_space
from multiloop.questions.steady.balance import Balance, Numbers

ROUNDS = 20
"""Newton's steps for multipliers that friction follows."""

MET = 1e-14
"""The last of them, as a part of the multipliers."""


@dataclass(frozen=True, eq=False)
class Place:
    """Where a mechanism is asked about: time, tree coordinates, own states and parameters."""

    t: float
    q: np.ndarray
    x: np.ndarray
    p: np.ndarray


@dataclass(frozen=True, eq=False)
class Standing:
    """Steady rates v and accelerations at a place: u = B v keeps its value there, B complementing the rows.

        [J; B] v = [b; u],      [J; B] a = [γ; 0],      f = Tᵀ F,   Tᵀ [holding] = 0

    B (freedoms × rates, scaled) are independent combinations of the rates, u their values. `independent` are
    combinations of the coordinates that are independent where the positions alone are held; without them what the
    rows leave open serves.
    """

    balance: Balance
    place: Place
    B: np.ndarray
    u: np.ndarray
    independent: np.ndarray | None = None

    # rows ---------------------------------------------------------------------------------------------

    @property
    def scale(self) -> np.ndarray:
        """Multiplies scaled rates."""
        return self.balance.equations.chart.scale

    @cached_property
    def _rows(self) -> Numbers:
        at = self.place
        return self.balance.rows(t=at.t, q=at.q, x=at.x, p=at.p)

    @property
    def row_scale(self) -> np.ndarray:
        """Divides rows that are lengths."""
        return self.balance.equations.rate_row_scale

    @cached_property
    def J(self) -> np.ndarray:
        """All rows, scaled."""
        return scaled_rows(self.balance, self._rows)

    @cached_property
    def holding(self) -> np.ndarray:
        """What the multipliers do, scaled; where loads follow reactions, −∂F/∂λ."""
        found: np.ndarray = self.scale[:, None] * self._rows["holding"]
        return found if self._felt is None else self._felt.holding

    @cached_property
    def _inverse(self) -> np.ndarray:
        """[J; B]⁺."""
        return np.linalg.pinv(np.vstack([self.J, self.B]), rcond=RANK)

    def meeting(self, rows: np.ndarray) -> np.ndarray:
        """Scaled rates whose rows have these values and that leave u alone; `rows` unscaled, columns side by side."""
        scaled = (self.row_scale * rows.T).T
        found: np.ndarray = self._inverse[:, : len(self.J)] @ scaled
        return found

    @cached_property
    def C(self) -> np.ndarray:
        """Scaled rates per unit of u: J C = 0, B C = 1."""
        return self._inverse[:, len(self.J) :]

    @cached_property
    def held(self) -> np.ndarray:
        """The scaled rows that hold positions."""
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
        """Scaled steps of the coordinates per unit of the independent ones."""
        return self._position_inverse[:, len(self.held) :]

    @cached_property
    def T(self) -> np.ndarray:
        """Motions along which the multipliers do no work: C, unless drives push elsewhere than they hold.

        Where friction follows reactions they do some along C, and T is the part of C along which they do none.
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
        """The accelerations that keep u."""
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
        """F without any multipliers, scaled."""
        found: np.ndarray = self.scale * self.balance.values(**self.at, v=self.v, a=self.a)["force"]
        return found

    @cached_property
    def lam(self) -> np.ndarray:
        """The multipliers that leave least over."""
        return _least(self.holding, self._needed) if self._felt is None else self._felt.lam

    @cached_property
    def force(self) -> np.ndarray:
        """f: the moments that balance is short of, along T."""
        return np.asarray(self.T.T @ (self._needed if self._felt is None else self._felt.force))

    @cached_property
    def _felt(self) -> _Felt | None:
        """Multipliers that loads follow, by Newton's method; none where no load does.

        F(λ) = 0 but for what no multiplier can give,      ∂F/∂λ δλ = −F
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
        """What follows reactions, a row for every strength; none where nothing does."""
        return None if self._felt is None else self._felt.following

    @cached_property
    def x_rate(self) -> np.ndarray:
        """Rates of the own states."""
        return self._moving["x_rate"]

    @cached_property
    def slopes(self) -> Numbers:
        """Derivatives of everything here, unscaled."""
        return self.balance.slopes(**self.at, v=self.v, a=self.a, lam=self.lam)

    @cached_property
    def gap(self) -> float:
        """How far the position rows are open, in characteristic lengths or radians."""
        open_by = self.balance.equations.row_scale * self._moving["closure"]
        return float(np.abs(open_by).max(initial=0.0))


@dataclass(frozen=True, eq=False)
class _Felt:
    """Multipliers that loads follow, what these do and leave over, scaled, and what follows them."""

    lam: np.ndarray
    holding: np.ndarray
    force: np.ndarray
    following: np.ndarray


def _least(holding: np.ndarray, force: np.ndarray) -> np.ndarray:
    """The multipliers that leave least over of forces."""
    found, *_ = np.linalg.lstsq(holding, force, rcond=RANK)
    return np.asarray(found)


def scaled_rows(balance: Balance, rows: Numbers) -> np.ndarray:
    """J with lengths in characteristic lengths."""
    eq = balance.equations
    found: np.ndarray = eq.rate_row_scale[:, None] * rows["J"] * eq.chart.scale
    return found
