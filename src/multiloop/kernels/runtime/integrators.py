"""Table of the integrators by name: coefficients, the backends that run them, and the features of the backends.

A new integrator is a line in `INTEGRATORS`. For an integrator of the compiled time loop, this line names the method,
whose step is implemented in `runtime/`, and the tableau of coefficients of an explicit method. The embedded Runge–Kutta
methods are those of Dormand and Prince, 5(4) and 8(5,3), with the coefficients of SciPy.

Theory: docs/theory/07-time-integration.md, section 7.2.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from multiloop.kernels.runtime.structs import Method


@dataclass(frozen=True, eq=False)
class Tableau:
    """Coefficients of an explicit embedded Runge–Kutta method.

    A are the coefficients, C the times and B the weights of the stages; D, A_extra and C_extra are the coefficients of
    dense output. The error estimate is the sum of the stages with the weights `error3`; if `error5` is not None, it is
    combined with a second estimate (Hairer, Nørsett, Wanner, II.10). `exponent` is the power of the error in the factor
    by which the step size changes.
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
        """Number of stages, not counting the evaluation of the rate at the end of the step."""
        return len(self.B)

    @property
    def extra(self) -> int:
        """Number of additional stages for dense output."""
        return 0 if self.A_extra is None else len(self.A_extra)

    @property
    def powers(self) -> int:
        """Number of polynomial coefficients of the dense output."""
        return len(self.D) + 3 if self.extra else self.D.shape[1]

    @property
    def uses_last(self) -> bool:
        """Whether the error estimate needs the rate at the end of the step."""
        return bool(self.error3[-1] != 0)


def rk45() -> Tableau:
    """Coefficients of the method of Dormand and Prince of order 5 with an error estimate of order 4."""
    from scipy.integrate import RK45

    A = np.zeros((6, 6))
    A[:, : RK45.A.shape[1]] = RK45.A
    return Tableau(A, RK45.B, RK45.C, RK45.E, None, RK45.P, 1 / 5)


def dop853() -> Tableau:
    """Coefficients of the method of Dormand and Prince of order 8 with error estimates of orders 5 and 3."""
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


@dataclass(frozen=True)
class Backend:
    """A program that integrates a simulation over time, and the features that it supports."""

    name: str
    control: bool = False  # supports a control function in Python
    events: bool = False  # supports event functions
    designs: bool = False  # supports arrays of parameters, simulated in parallel
    singular: bool = False  # passes singular configurations, if the formulation of the equations does

    def supports(self, *abilities: str) -> bool:
        """Whether the backend has all of the given features, each named as a field of this class."""
        return all(getattr(self, ability) for ability in abilities)


COMPILED_LOOP = Backend("compiled loop", control=True, events=True, designs=True, singular=True)
SCIPY = Backend("SciPy", singular=True)
SUNDIALS = Backend("SUNDIALS")


@dataclass(frozen=True)
class Integrator:
    """An integration method and its names in the backends: `method` (compiled time loop), `scipy` and `sundials`.

    A name is None or empty if the backend does not provide the method. `tableau` returns the coefficients of an
    explicit method.
    """

    name: str
    method: Method | None = None  # method of the compiled time loop
    tableau: Callable[[], Tableau] | None = None
    scipy: str = ""
    sundials: str = ""
    fixed: bool = False  # uses steps of constant length, given by the user
    implicit: bool = False  # needs the Jacobian of the state's time derivative
    needs_stiffness: bool = False  # needs ∂v̇/∂η and ∂v̇/∂η̇: accelerations v̇, elastic coordinates η

    @property
    def backends(self) -> tuple[Backend, ...]:
        """Backends that provide the method, the fastest backend first."""
        known = ((COMPILED_LOOP, self.method is not None), (SCIPY, self.scipy), (SUNDIALS, self.sundials))
        return tuple(carrier for carrier, offered in known if offered)


INTEGRATORS = {
    integrator.name: integrator
    for integrator in (
        Integrator("dop853", Method.EMBEDDED, dop853, "DOP853"),
        Integrator("rk45", Method.EMBEDDED, rk45, "RK45"),
        Integrator("rk4", Method.CLASSICAL, fixed=True),
        Integrator("implicit", Method.ROSENBROCK, scipy="Radau", implicit=True),
        Integrator("imex", Method.ADDITIVE, scipy="Radau", needs_stiffness=True),
        Integrator("gear", sundials="cvodes", implicit=True),
    )
}
