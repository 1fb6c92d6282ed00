"""Integrators by name: the backends that run them, and what these support.

A new integrator is a line in `INTEGRATORS`. If the compiled time loop runs it, the line names the method, whose step is
implemented in `runtime/`, and its tableau where there is one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from multiloop.kernels.structs import Method
from multiloop.kernels.tableaus import Tableau, dop853, rk45


@dataclass(frozen=True)
class Carrier:
    """A backend that integrates a run, and the features that it supports."""

    name: str
    control: bool = False  # a control function in Python
    events: bool = False
    designs: bool = False  # arrays of parameters, computed in parallel
    singular: bool = False  # passes singular configurations, if the formulation does

    def has(self, *abilities: str) -> bool:
        """Whether it supports all of these features."""
        return all(getattr(self, ability) for ability in abilities)


LOOP = Carrier("compiled loop", control=True, events=True, designs=True, singular=True)
SCIPY = Carrier("SciPy", singular=True)
SUNDIALS = Carrier("SUNDIALS")


@dataclass(frozen=True)
class Integrator:
    """An integration method, with the name under which each backend knows it."""

    name: str
    method: Method | None = None  # of the compiled loop
    tableau: Callable[[], Tableau] | None = None
    scipy: str = ""
    sundials: str = ""
    fixed: bool = False  # uses steps of a given length
    implicit: bool = False  # needs the derivatives of the rate
    bending: bool = False  # needs the stiffness of flexible bodies

    @property
    def carriers(self) -> tuple[Carrier, ...]:
        """Backends that can run it, the fastest first."""
        known = ((LOOP, self.method is not None), (SCIPY, self.scipy), (SUNDIALS, self.sundials))
        return tuple(carrier for carrier, offered in known if offered)


INTEGRATORS = {
    integrator.name: integrator
    for integrator in (
        Integrator("dop853", Method.EMBEDDED, dop853, "DOP853"),
        Integrator("rk45", Method.EMBEDDED, rk45, "RK45"),
        Integrator("rk4", Method.CLASSICAL, fixed=True),
        Integrator("implicit", Method.ROSENBROCK, scipy="Radau", implicit=True),
        Integrator("imex", Method.ADDITIVE, scipy="Radau", bending=True),
        Integrator("gear", sundials="cvodes", implicit=True),
    )
}
