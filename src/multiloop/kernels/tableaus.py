"""Coefficients of the embedded Runge–Kutta methods of Dormand and Prince, 5(4) and 8(5,3), taken from SciPy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class Tableau:
    """An explicit Runge–Kutta method: coefficients A, B, C of the stages, error weights, and those of dense output.

    error3 alone is the usual error estimate; with error5 the two are combined (Hairer, Nørsett, Wanner, II.10).
    """

    A: np.ndarray
    B: np.ndarray
    C: np.ndarray
    error3: np.ndarray
    error5: np.ndarray | None
    D: np.ndarray
    exponent: float
    A_extra: np.ndarray | None = None
    C_extra: np.ndarray | None = None

    @property
    def stages(self) -> int:
        """Number of stages, without the rate at the end of the step."""
        return len(self.B)

    @property
    def extra(self) -> int:
        """Number of additional stages for dense output."""
        return 0 if self.A_extra is None else len(self.A_extra)

    @property
    def powers(self) -> int:
        """Number of polynomial coefficients of dense output."""
        return len(self.D) + 3 if self.extra else self.D.shape[1]

    @property
    def uses_last(self) -> bool:
        """Whether the error estimate needs the rate at the end of the step."""
        return bool(self.error3[-1] != 0)


def rk45() -> Tableau:
    """Dormand and Prince, order 5 with an error of order 4."""
    from scipy.integrate import RK45

    A = np.zeros((6, 6))
    A[:, : RK45.A.shape[1]] = RK45.A
    return Tableau(A, RK45.B, RK45.C, RK45.E, None, RK45.P, 1 / 5)


def dop853() -> Tableau:
    """Dormand and Prince, order 8 with errors of order 5 and 3."""
    from scipy.integrate import DOP853

    return Tableau(
        DOP853.A,
        DOP853.B,
        DOP853.C,
        DOP853.E3,
        DOP853.E5,
        DOP853.D,
        1 / 8,
        np.ascontiguousarray(DOP853.A_EXTRA),
        DOP853.C_EXTRA,
    )
