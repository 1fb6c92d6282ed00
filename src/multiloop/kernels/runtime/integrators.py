"""Integrators by name: their coefficients, the backends that run them, and the features that the backends support.

A new integrator is a line in `INTEGRATORS`. If the compiled time loop runs it, the line names the method, whose step
is implemented in `runtime/`, and its tableau where there is one. The embedded Runge–Kutta methods are those of
Dormand and Prince, 5(4) and 8(5,3), with the coefficients of SciPy.

Theory: docs/theory/07-time-integration.md, section 7.2.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from multiloop.kernels.runtime.structs import Method


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


@dataclass(frozen=True)
class Backend:
    """A backend that integrates a run, and the features that it supports."""

    name: str
    control: bool = False  # a control function in Python
    events: bool = False
    designs: bool = False  # arrays of parameters, computed in parallel
    singular: bool = False  # passes singular configurations, if the formulation does

    def supports(self, *abilities: str) -> bool:
        """Whether the backend has all of the given features, each named as a field of this class."""
        return all(getattr(self, ability) for ability in abilities)


COMPILED_LOOP = Backend("compiled loop", control=True, events=True, designs=True, singular=True)
SCIPY = Backend("SciPy", singular=True)
SUNDIALS = Backend("SUNDIALS")


@dataclass(frozen=True)
class Integrator:
    """An integration method, with its name in each backend."""

    name: str
    method: Method | None = None  # method of the compiled loop
    tableau: Callable[[], Tableau] | None = None
    scipy: str = ""
    sundials: str = ""
    fixed: bool = False  # uses steps of a given length
    implicit: bool = False  # needs the derivatives of the rate
    needs_stiffness: bool = False  # needs the stiffness of flexible bodies

    @property
    def backends(self) -> tuple[Backend, ...]:
        """Backends that provide the method, the fastest first."""
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
