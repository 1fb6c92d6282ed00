"""The integrators by name: who carries each through time, what it takes, and what it can do.

A new one is a line in `INTEGRATORS`. Of the compiled loop's own it names the method, whose step lies in `runtime/`,
and the tableau where there is one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from multiloop.kernels.structs import Method
from multiloop.kernels.tableaus import Tableau, dop853, rk45


@dataclass(frozen=True)
class Carrier:
    """What takes the steps of a run, and what it can take along."""

    name: str
    control: bool = False  # a controller from outside
    events: bool = False
    designs: bool = False  # many of them, side by side
    singular: bool = False  # passes singular positions, where the method does

    def has(self, *abilities: str) -> bool:
        """Whether it can take all of these along."""
        return all(getattr(self, ability) for ability in abilities)


LOOP = Carrier("compiled loop", control=True, events=True, designs=True, singular=True)
SCIPY = Carrier("SciPy", singular=True)
SUNDIALS = Carrier("SUNDIALS")


@dataclass(frozen=True)
class Integrator:
    """A way of taking steps: its carriers, each with the name it knows the integrator by."""

    name: str
    method: Method | None = None  # of the compiled loop
    tableau: Callable[[], Tableau] | None = None
    scipy: str = ""
    sundials: str = ""
    fixed: bool = False  # takes steps of a given length
    implicit: bool = False  # needs the derivatives of the rate
    bending: bool = False  # needs the stiffness of links that bend

    @property
    def carriers(self) -> tuple[Carrier, ...]:
        """Who can carry it, the fastest first."""
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
