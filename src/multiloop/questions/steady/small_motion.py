"""Equations of motion linearised about a steady state, in independent coordinates.

With ζ independent coordinates, u independent rates, x further state variables and p parameters, on the constraints:

    δq = C_q ζ + q_p δp,      δv = C δu + Z ζ,      δa = C δu̇ + X δu + Y ζ
    M δu̇ + D δu + K ζ + K_x δx + K_p δp = 0,      ζ̇ = N δu + S ζ,      δẋ = …

Z, X and Y are the changes of the dependent rates and accelerations that the constraints J v = b and J a = γ require
when the position or the rates change. Without them, as for the opened tree alone, stiffness and damping of a loaded
loop would be wrong. K contains the change of Jᵀ λ.

Derived here from `dynamics.residual`; all derivatives are exact.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from multiloop.questions.steady.standing import Standing


@dataclass(frozen=True, eq=False)
class SmallMotion:
    """Matrices of the linearised equations about a steady state, with its scaling."""

    standing: Standing

    def _of(self, name: str, by: str) -> np.ndarray:
        """Derivative with respect to scaled coordinates or rates; forces are times the characteristic length."""
        st = self.standing
        found: np.ndarray = st.slopes[f"{name}_{by}"]
        if name == "force":
            found = st.scale[:, None] * found
        return found * st.scale if by in ("q", "v") else found

    @cached_property
    def _inertia(self) -> np.ndarray:
        scale = self.standing.scale
        found: np.ndarray = scale[:, None] * self.standing.slopes["inertia"] * scale
        return found

    @cached_property
    def Z(self) -> np.ndarray:
        """Scaled rates per unit of ζ at constant u."""
        return np.asarray(-self.standing.meeting(self._of("rates", "q") @ self.standing.C_q))

    @cached_property
    def M(self) -> np.ndarray:
        """Inertia matrix."""
        return np.asarray(self.standing.T.T @ self._inertia @ self.standing.C)

    @cached_property
    def D(self) -> np.ndarray:
        """Damping and gyroscopic matrix."""
        st = self.standing
        X = -st.meeting(self._of("accelerations", "v") @ st.C)
        return np.asarray(st.T.T @ (self._of("force", "v") @ st.C + self._inertia @ X))

    @cached_property
    def K(self) -> np.ndarray:
        """Stiffness matrix ∂f/∂ζ at constant u: positive for a restoring force."""
        return self._pushed(self.standing.C_q, self.Z)

    def _pushed(self, way: np.ndarray, rates: np.ndarray) -> np.ndarray:
        """Tᵀ δF for a displacement `way` of the coordinates with the change `rates` of the rates, u̇ = 0."""
        st = self.standing
        Y = -st.meeting(self._of("accelerations", "q") @ way + self._of("accelerations", "v") @ rates)
        return np.asarray(
            st.T.T @ (self._of("force", "q") @ way + self._of("force", "v") @ rates + self._inertia @ Y)
        )

    @cached_property
    def K_x(self) -> np.ndarray:
        """Derivative of the forces with respect to the state variables x."""
        return np.asarray(self.standing.T.T @ self._of("force", "x"))

    @cached_property
    def N(self) -> np.ndarray:
        """ζ̇ per unit of u."""
        return np.asarray(self.standing.B_q @ self.standing.C)

    @cached_property
    def S(self) -> np.ndarray:
        """ζ̇ per unit of ζ: rates that change with the position, and rotating axes (ξ̇ = δω + ω × ξ)."""
        st, turning = self.standing, np.zeros((len(self.standing.v),) * 2)
        for _, rate in st.balance.equations.chart.quaternions:
            x, y, z = st.v[rate]
            turning[rate, rate] = [[0, -z, y], [z, 0, -x], [-y, x, 0]]
        return np.asarray(st.B_q @ (self.Z + turning @ st.C_q))

    def x_slopes(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """ẋ per unit of ζ, u and x."""
        st, by_v = self.standing, self._of("x_rate", "v")
        by_q = self._of("x_rate", "q") @ st.C_q + by_v @ self.Z
        return by_q, by_v @ st.C, self._of("x_rate", "x")

    def read_slopes(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Outputs per unit of ζ, u and x."""
        st, by_v = self.standing, self._of("read", "v")
        by_q = self._of("read", "q") @ st.C_q + by_v @ self.Z
        return by_q, by_v @ st.C, self._of("read", "x")

    # parameters ---------------------------------------------------------------------------------------

    def along_parameter(self, k: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Derivatives of scaled position (at constant ζ), f and ẋ with respect to the k-th parameter, at constant u."""
        st = self.standing
        rows = st.balance.equations.row_scale * st.slopes["closure_p"][:, k]
        q_p = -st._position_inverse[:, : len(st.held)] @ rows
        v_p = -st.meeting(self._of("rates", "q") @ q_p + st.slopes["rates_p"][:, k])
        a_p = -st.meeting(
            self._of("accelerations", "q") @ q_p
            + self._of("accelerations", "v") @ v_p
            + st.slopes["accelerations_p"][:, k]
        )
        force = self._of("force", "q") @ q_p + self._of("force", "v") @ v_p + self._inertia @ a_p
        f_p = st.T.T @ (force + st.scale * st.slopes["force_p"][:, k])
        x_p = self._of("x_rate", "q") @ q_p + self._of("x_rate", "v") @ v_p + st.slopes["x_rate_p"][:, k]
        return q_p, f_p, x_p
